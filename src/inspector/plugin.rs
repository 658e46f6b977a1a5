//! The plugins of the inspector.

use super::cost_task::{CostPreview, update_cost};
use super::map_task::{MapPreview, update_map};
use super::seam_watch::watch_shown_terrain;
use super::style::{PANEL_WIDTH, panel_frame};
use super::sync::{handle_loads, perform_actions, perform_file_actions, select, write_drafts};
use super::{AssetFolder, FileInfo, HistoryInfo, PanelInfo, PanelModels, StatsInfo, TerrainInspector, panel_ui};
#[cfg(feature = "sky")]
use crate::light::SkySettings;
#[cfg(feature = "sky")]
use crate::sky::{SkySystems, TerrainSky};
use crate::stream::{
    SeamWatch, Terrain, TerrainBudget, TerrainHistory, TerrainHistoryPlugin, TerrainSeamPlugin, TerrainState,
    TerrainStats, TerrainSystems,
};
use bevy::prelude::*;
use bevy_egui::egui::{self, Area, Id, Order};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass};

/// A panel at the right edge of the window that edits the settings of the running terrain.
///
/// Add it after Bevy's `DefaultPlugins`. It adds `bevy_egui`'s [`EguiPlugin`] if the app does not have it. Open and close the
/// panel with the [`TerrainInspector`] resource.
///
/// # Cameras
///
/// A camera should not move while the pointer is over the panel, or while the user types into one of its fields. For Bevy's
/// `FreeCamera`, set its `FreeCameraState` in a system in `PreUpdate` or `Update`:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::inspector::TerrainInspector;
/// # #[derive(Component)] struct FreeCameraState { enabled: bool } // bevy::camera_controller::free_camera
/// fn pause_camera(inspector: Res<TerrainInspector>, mut cameras: Query<&mut FreeCameraState>) {
///     for mut camera in &mut cameras {
///         camera.enabled = !inspector.wants_input();
///     }
/// }
/// # bevy::ecs::system::assert_is_system(pause_camera);
/// ```
///
/// For a game's own systems, use a run condition: `.run_if(|inspector: Res<TerrainInspector>| !inspector.wants_input())`.
/// `bevy_egui`'s `egui_wants_any_input` works too, and also covers the game's other egui windows.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainInspectorPlugin {
    /// Whether the panel is open at the start. Default: false.
    pub open: bool,
}

impl Plugin for TerrainInspectorPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.add_plugins(TerrainInspectorCorePlugin);
        app.world_mut().resource_mut::<TerrainInspector>().open = self.open;
        app.add_systems(EguiPrimaryContextPass, show_panel.run_if(is_open))
            // The panel shows the statistics of the whole frame.
            .configure_sets(PostUpdate, EguiPostUpdateSet::EndPass.after(TerrainSystems::Last));
    }
}

/// The inspector without its panel: drafts, files and [`PanelAction`](super::PanelAction)s. Needs no egui, window or GPU.
///
/// Its systems run in `PostUpdate`, between [`TerrainSystems::First`] and [`TerrainSystems::React`]. So the terrain reacts to an
/// edit in the same frame.
///
/// While the panel is open, the selected terrain has a [`SeamWatch`]. The plugin adds [`TerrainSeamPlugin`] and
/// [`TerrainHistoryPlugin`] if the app does not have them. An app that adds them itself must add them first.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainInspectorCorePlugin;

impl Plugin for TerrainInspectorCorePlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<TerrainSeamPlugin>() {
            app.add_plugins(TerrainSeamPlugin);
        }
        if !app.is_plugin_added::<TerrainHistoryPlugin>() {
            app.add_plugins(TerrainHistoryPlugin);
        }
        app.init_resource::<TerrainInspector>()
            .init_resource::<MapPreview>()
            .init_resource::<CostPreview>()
            .add_systems(
                PostUpdate,
                (
                    (handle_loads::<Terrain>, select::<Terrain>, perform_actions).chain(),
                    (perform_file_actions::<Terrain>, write_drafts::<Terrain>).chain(),
                    (update_map, update_cost).chain().run_if(is_open),
                    watch_shown_terrain,
                )
                    .chain()
                    .after(TerrainSystems::First)
                    .before(TerrainSystems::React),
            );
        #[cfg(feature = "sky")]
        app.add_systems(
            PostUpdate,
            (
                handle_loads::<TerrainSky>,
                select::<TerrainSky>,
                perform_file_actions::<TerrainSky>,
                write_drafts::<TerrainSky>,
            )
                .chain()
                // An app may have no light.
                .run_if(resource_exists::<Assets<SkySettings>>)
                .after(watch_shown_terrain)
                .before(SkySystems),
        );
    }

    fn finish(&self, app: &mut App) {
        // In `build`, the `AssetPlugin` may still be missing.
        if !app.world().contains_resource::<AssetFolder>() {
            let folder = AssetFolder::of(app);
            app.insert_resource(folder);
        }
    }
}

fn is_open(inspector: Res<TerrainInspector>) -> bool {
    inspector.open
}

/// The components of a terrain that the panel shows.
type TerrainParts =
    (Entity, &'static Terrain, &'static TerrainState, Option<&'static Name>, Option<&'static SeamWatch>);

/// Draws the panel and collects its actions.
fn show_panel(
    mut contexts: EguiContexts,
    mut inspector: ResMut<TerrainInspector>,
    mut map: ResMut<MapPreview>,
    terrains: Query<TerrainParts>,
    (stats, history, budget): (Res<TerrainStats>, Res<TerrainHistory>, Res<TerrainBudget>),
    server: Res<AssetServer>,
    folder: Res<AssetFolder>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let mut info = describe(&inspector, &terrains, &stats, &server, &folder);
    info.map = map.info(context);
    info.history = HistoryInfo::new(&history, &budget);
    info.budget = budget.clone();

    let TerrainInspector { panel, terrains, skies, .. } = &mut *inspector;
    let models = PanelModels::from(terrains.model_mut()).with_sky(skies.model_mut());
    let screen = context.viewport_rect();
    let frame = panel_frame();
    let width = PANEL_WIDTH.min(screen.width());
    // An `Area` instead of a `SidePanel`: egui reports the pointer over it as its own, also to Bevy's picking, and the game's own
    // panels keep their layout.
    let area = Area::new(Id::new("terrain inspector"))
        .order(Order::Middle)
        .fixed_pos(egui::pos2(screen.right() - width, screen.top()))
        .constrain(false);
    let panel = area.show(context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(width - frame.inner_margin.sum().x);
            ui.set_height(screen.height() - frame.inner_margin.sum().y);
            panel_ui(ui, panel, models, &info)
        })
    });
    inspector.actions.extend(panel.inner.inner);
    let rect = panel.response.rect;
    inspector.pointer = context.egui_is_using_pointer()
        || context.any_popup_open()
        || context.input(|input| {
            let pointer = &input.pointer;
            let position = if pointer.any_down() { pointer.press_origin() } else { pointer.latest_pos() };
            position.is_some_and(|position| rect.contains(position))
        });
    inspector.keyboard = context.egui_wants_keyboard_input();
    Ok(())
}

fn describe(
    inspector: &TerrainInspector,
    terrains: &Query<TerrainParts>,
    stats: &TerrainStats,
    server: &AssetServer,
    folder: &AssetFolder,
) -> PanelInfo {
    let shown = inspector.terrain().and_then(|entity| terrains.get(entity).ok());
    let terrain_path = shown.and_then(|(_, terrain, ..)| server.get_path(terrain.0.id()));
    let name_of = |entity: Entity, name: Option<&Name>| {
        (entity, name.map_or_else(|| format!("Terrain {entity}"), ToString::to_string))
    };
    let mut names: Vec<_> = terrains.iter().map(|(entity, _, _, name, _)| name_of(entity, name)).collect();
    names.sort_unstable_by_key(|(entity, _)| entity.index());
    let state = shown.map(|(_, _, state, ..)| state);
    let seams = shown.and_then(|(.., seams)| seams);
    PanelInfo {
        terrains: names,
        terrain: inspector.terrain(),
        file: FileInfo {
            problems: state.map(|state| state.problems().cloned().collect()).unwrap_or_default(),
            ..inspector.terrains.file_info(terrain_path.as_ref(), folder)
        },
        has_ground: state.is_some_and(|state| state.settings().is_some()),
        sky: inspector.skies.asset.map(|id| inspector.skies.file_info(server.get_path(id).as_ref(), folder)),
        stats: StatsInfo::new(stats, state, seams),
        expected_cost: inspector.expected_cost(),
        budget: TerrainBudget::default(),
        history: HistoryInfo::default(),
        map: None,
    }
}
