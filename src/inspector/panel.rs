//! The panel: header, file, map, sections and statistics. It edits the drafts and returns all other requests as actions.

use super::TerrainInspector;
use super::actions::{FileAction, PanelAction};
use super::all_sections::all_sections;
use super::budget::budget_section;
use super::clipboard::{actions_of_keys, copy_and_paste, refusal};
use super::file_ui::{FileState, file_ui, problems_ui, saved_label};
use super::files::AssetFolder;
use super::graphs::{HistoryInfo, history_graphs};
use super::info::{FileInfo, PanelInfo, StatsInfo};
use super::light::light_section;
use super::map::map_ui;
use super::map_task::MapPreview;
use super::section::section;
use super::stats::{stats_bar, stats_ui};
use super::style::{self, FAINT, STRONG};
use super::widgets::Remarks;
use crate::draft::Draft;
use crate::light::SkySettings;
use crate::settings::TerrainSettings;
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::stream::{SeamWatch, Terrain, TerrainBudget, TerrainHistory, TerrainState, TerrainStats};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{Align, Button, Context, Key, Layout, Rect, RichText, ScrollArea, Ui};

/// Draws the panel of the inspector in a game's own window, in a tab of a dock, or in another egui context.
///
/// Add [`TerrainInspectorCorePlugin`](super::TerrainInspectorCorePlugin), set [`TerrainInspector::open`] while the panel is shown, and call
/// [`ui`](Self::ui) in a system of `bevy_egui`'s `EguiPrimaryContextPass`:
///
/// ```
/// use bevy::prelude::*;
/// use bevy_egui::{EguiContexts, egui};
/// use bevy_perlin_terrain::inspector::TerrainPanel;
///
/// fn show_terrain(mut contexts: EguiContexts, mut panel: TerrainPanel) -> Result {
///     egui::Window::new("Terrain").show(contexts.ctx_mut()?, |ui| panel.ui(ui));
///     Ok(())
/// }
/// # bevy::ecs::system::assert_is_system::<(), Result, _>(show_terrain);
/// ```
#[derive(SystemParam)]
pub struct TerrainPanel<'w, 's> {
    pub(super) inspector: ResMut<'w, TerrainInspector>,
    map: ResMut<'w, MapPreview>,
    terrains: Query<'w, 's, TerrainParts>,
    #[cfg(feature = "sky")]
    cameras: Query<'w, 's, (Entity, Option<&'static Name>), With<TerrainSky>>,
    stats: Res<'w, TerrainStats>,
    history: Res<'w, TerrainHistory>,
    budget: Res<'w, TerrainBudget>,
    server: Option<Res<'w, AssetServer>>,
    folder: Res<'w, AssetFolder>,
}

/// The keys that move a slider with the focus.
const ARROWS: [Key; 4] = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];

/// The components of a terrain that the panel shows.
type TerrainParts =
    (Entity, &'static Terrain, &'static TerrainState, Option<&'static Name>, Option<&'static SeamWatch>);

impl TerrainPanel<'_, '_> {
    /// Draws the panel into all of `ui`, and edits the drafts of the [`TerrainInspector`]. Takes its keys, such as Ctrl+Z.
    pub fn ui(&mut self, ui: &mut Ui) {
        self.draw(ui, false);
        self.note_pointer(ui.ctx(), ui.max_rect());
    }

    /// Draws the panel, with a button to close it if it `can_close`.
    pub(super) fn draw(&mut self, ui: &mut Ui, can_close: bool) {
        let mut info = self.info();
        (info.map, info.can_close) = (self.map.info(ui.ctx()), can_close);
        let inspector = &mut *self.inspector;
        let mut actions = Vec::new();
        if inspector.shortcuts {
            let is_edited = [
                inspector.terrains.draft().and_then(Draft::is_edited) == Some(true),
                inspector.skies.draft().and_then(Draft::is_edited) == Some(true),
            ];
            let save = match is_edited {
                [false, true] => PanelAction::Sky(FileAction::Save),
                _ => PanelAction::Terrain(FileAction::Save),
            };
            actions = actions_of_keys(ui.ctx(), &save);
        }
        let TerrainInspector { panel, terrains, skies, .. } = inspector;
        actions.extend(panel_ui(ui, panel, terrains.draft_mut(), skies.draft_mut(), &info));
        if inspector.shortcuts
            && let Some(draft) = inspector.terrains.draft_mut()
            && let Some(problems) = copy_and_paste(ui, draft)
        {
            inspector.terrains.message = Some(Err(refusal(&problems)));
        }
        inspector.actions.extend(actions);
        let context = ui.ctx();
        inspector.is_editing = context.text_edit_focused()
            || context.input(|input| input.pointer.any_down() || ARROWS.iter().any(|key| input.key_down(*key)));
        // With a command key, any key may be one of the panel's.
        inspector.keyboard = context.egui_wants_keyboard_input()
            || inspector.shortcuts && context.input(|input| input.modifiers.command);
    }

    /// Finds out whether the pointer is over the panel, which is drawn at `rect`.
    pub(super) fn note_pointer(&mut self, context: &Context, rect: Rect) {
        self.inspector.pointer = context.egui_is_using_pointer()
            || context.any_popup_open()
            || context.input(|input| {
                let pointer = &input.pointer;
                let position = if pointer.any_down() { pointer.press_origin() } else { pointer.latest_pos() };
                position.is_some_and(|position| rect.contains(position))
            });
    }

    fn info(&self) -> PanelInfo {
        let inspector = &*self.inspector;
        let server = self.server.as_deref();
        let shown = inspector.terrain().and_then(|entity| self.terrains.get(entity).ok());
        let state = shown.map(|(_, _, state, ..)| state);
        let seams = shown.and_then(|(.., seams)| seams);
        #[cfg(feature = "sky")]
        let cameras = names(&self.cameras.iter().collect::<Vec<_>>(), "Camera");
        #[cfg(not(feature = "sky"))]
        let cameras = Vec::new();
        PanelInfo {
            terrains: names(
                &self.terrains.iter().map(|(entity, _, _, name, _)| (entity, name)).collect::<Vec<_>>(),
                "Terrain",
            ),
            terrain: inspector.terrain(),
            cameras,
            camera: inspector.skies.shown,
            file: FileInfo {
                problems: state.map(|state| state.problems().cloned().collect()).unwrap_or_default(),
                ..inspector.terrains.file_info(server, &self.folder)
            },
            has_ground: state.is_some_and(|state| state.settings().is_some()),
            sky: inspector.skies.asset.map(|_| inspector.skies.file_info(server, &self.folder)),
            stats: StatsInfo::new(&self.stats, state, seams),
            expected_cost: inspector.expected_cost(),
            plant_costs: inspector.plant_costs().to_vec(),
            budget: self.budget.clone(),
            history: HistoryInfo::new(&self.history, &self.budget),
            map: None,
            can_close: false,
        }
    }
}

/// The names of entities, in a stable order.
fn names(entities: &[(Entity, Option<&Name>)], what: &str) -> Vec<(Entity, String)> {
    let name_of = |&(entity, name): &(Entity, Option<&Name>)| {
        (entity, name.map_or_else(|| format!("{what} {entity}"), ToString::to_string))
    };
    let mut names: Vec<_> = entities.iter().map(name_of).collect();
    names.sort_unstable_by_key(|(entity, _)| entity.index());
    names
}

/// The state that the panel keeps between frames.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PanelState {
    /// Side length of the map on the ground, in metres. From [`MIN_EXTENT`](Self::MIN_EXTENT) to [`MAX_EXTENT`](Self::MAX_EXTENT).
    pub map_extent: f64,
    /// The buttons of the terrain's file.
    file: FileState,
    /// The buttons of the light's file.
    sky: FileState,
}

impl PanelState {
    /// The smallest [`map_extent`](Self::map_extent), in metres.
    pub const MIN_EXTENT: f64 = 1000.0;
    /// The largest [`map_extent`](Self::map_extent), in metres.
    pub const MAX_EXTENT: f64 = 64_000.0;
}

impl Default for PanelState {
    fn default() -> Self {
        Self { map_extent: 8000.0, file: FileState::default(), sky: FileState::default() }
    }
}

/// Draws the panel into `ui`, edits the drafts, and returns the requested actions.
///
/// Without the draft of the terrain, the panel shows only the file, its problems, the map, the light, the budget and the statistics.
pub(super) fn panel_ui(
    ui: &mut Ui,
    state: &mut PanelState,
    mut draft: Option<&mut Draft<TerrainSettings>>,
    sky: Option<&mut Draft<SkySettings>>,
    info: &PanelInfo,
) -> Vec<PanelAction> {
    let mut actions = Vec::new();
    style::apply(ui);
    style::scroll_margin().show(ui, |ui| {
        header(ui, draft.as_deref(), info, &mut actions);
        let of_file = file_ui(ui, &mut state.file, draft.as_deref_mut(), &info.file);
        actions.extend(of_file.into_iter().map(PanelAction::Terrain));
        let title = if info.has_ground {
            "⚠ The terrain keeps its last valid settings"
        } else {
            "⚠ No terrain until the file is fixed"
        };
        problems_ui(ui, title, &info.file);
    });
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        style::scroll_margin().show(ui, |ui| {
            ui.set_width(ui.available_width());
            section(ui, "map", "Map", true, |_| {}, |ui| map_ui(ui, state, info.map.as_ref()));
            match draft {
                Some(draft) => {
                    let checks = draft.checks();
                    let PanelInfo { expected_cost, plant_costs, .. } = info;
                    let (problems, expected_cost) = (&info.file.problems, *expected_cost);
                    let viewer = info.map.as_ref().map(|map| map.viewer);
                    all_sections(ui, draft, Remarks { problems, checks: &checks, expected_cost, plant_costs }, viewer);
                }
                None => drop(ui.label(RichText::new("Waiting for settings").color(FAINT))),
            }
            if let Some(file) = &info.sky {
                actions.extend(light_section(ui, &mut state.sky, sky, file).into_iter().map(PanelAction::Sky));
            }
            actions.extend(budget_section(ui, &info.budget).map(PanelAction::SetBudget));
            let bar = |ui: &mut Ui| stats_bar(ui, &info.stats);
            section(ui, "stats", "Statistics", false, bar, |ui| {
                history_graphs(ui, &info.history);
                stats_ui(ui, &info.stats);
            });
        });
    });
    actions
}

fn header(ui: &mut Ui, draft: Option<&Draft<TerrainSettings>>, info: &PanelInfo, actions: &mut Vec<PanelAction>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Terrain").heading().color(STRONG));
        actions.extend(choice(ui, "terrain", &info.terrains, info.terrain).map(PanelAction::Select));
        actions.extend(choice(ui, "camera", &info.cameras, info.camera).map(PanelAction::SelectCamera));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if info.can_close && ui.add(Button::new("✖").frame(false)).on_hover_text("Close").clicked() {
                actions.push(PanelAction::Close);
            }
            if let Some(draft) = draft {
                saved_label(ui, draft.is_edited());
            }
        });
    });
}

/// Draws a list to choose one of several entities from. Returns another one that was chosen.
fn choice(ui: &mut Ui, id: &str, names: &[(Entity, String)], shown: Option<Entity>) -> Option<Entity> {
    if names.len() < 2 {
        return None;
    }
    let selected = names.iter().find(|(entity, _)| Some(*entity) == shown).map_or("", |(_, name)| name.as_str());
    let mut chosen = None;
    style::combo(id).selected_text(selected).width(90.0).show_ui(ui, |ui| {
        for (entity, name) in names {
            if ui.selectable_label(Some(*entity) == shown, name).clicked() {
                chosen = Some(*entity);
            }
        }
    });
    chosen
}
