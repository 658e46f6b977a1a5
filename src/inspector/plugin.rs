//! The plugins that put the inspector into an app.

use super::cost_task::{CostFinder, update_cost};
use super::map_task::{MapMaker, update_map};
use super::seams::watch_shown_terrain;
use super::style::{PANEL_WIDTH, panel_frame};
use super::sync::{choose_terrain, follow_files, perform_actions, write_drafts};
use super::{AssetFolder, HistoryInfo, PanelInfo, StatsInfo, TerrainInspector, panel_ui};
use crate::stream::{
    SeamWatch, Terrain, TerrainBudget, TerrainHistory, TerrainHistoryPlugin, TerrainSeamPlugin, TerrainState,
    TerrainStats, TerrainSystems,
};
use bevy::prelude::*;
use bevy_egui::egui::{self, Area, Id, Order};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass};

/// A panel over the settings of the running terrain, at the right edge of the window.
///
/// Add it after Bevy's `DefaultPlugins`. It adds `bevy_egui`'s [`EguiPlugin`] where the app has not, and inserts
/// [`TerrainInspector`], with which a game opens and closes the panel.
///
/// # Cameras
///
/// While the pointer is over the panel, or a field of it is being typed in, a camera should keep still. Bevy's `FreeCamera`
/// is paused by its `FreeCameraState`, in a system that runs in `PreUpdate` or `Update`:
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
/// Systems of a game's own are paused by a run condition: `.run_if(|inspector: Res<TerrainInspector>| !inspector.wants_input())`.
/// `bevy_egui`'s own `egui_wants_any_input` works too, and also covers the game's other egui windows.
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
            // The numbers that are shown are those of a whole frame.
            .configure_sets(PostUpdate, EguiPostUpdateSet::EndPass.after(TerrainSystems::Last));
    }
}

/// The inspector without its panel: drafts, files and [`PanelAction`](super::PanelAction)s, without egui, a window or a GPU.
///
/// Drafts follow their assets and are written to them in `PostUpdate`, between [`TerrainSystems::First`] and
/// [`TerrainSystems::React`], so that no frame shows anything between.
///
/// While the panel is open, the terrain that is shown has a [`SeamWatch`]. The [`TerrainSeamPlugin`] and the
/// [`TerrainHistoryPlugin`] are added where the app has not; an app that adds them by itself does so first.
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
        app.init_resource::<TerrainInspector>().init_resource::<MapMaker>().init_resource::<CostFinder>().add_systems(
            PostUpdate,
            (
                follow_files,
                choose_terrain,
                perform_actions,
                write_drafts,
                (update_map, update_cost).chain().run_if(is_open),
                watch_shown_terrain,
            )
                .chain()
                .after(TerrainSystems::First)
                .before(TerrainSystems::React),
        );
    }

    fn finish(&self, app: &mut App) {
        // Only now is every plugin there.
        if !app.world().contains_resource::<AssetFolder>() {
            let folder = AssetFolder::of(app);
            app.insert_resource(folder);
        }
    }
}

fn is_open(inspector: Res<TerrainInspector>) -> bool {
    inspector.open
}

/// What is shown of a terrain.
type TerrainParts =
    (Entity, &'static Terrain, &'static TerrainState, Option<&'static Name>, Option<&'static SeamWatch>);

/// Draws the panel and notes what it asks for.
fn show_panel(
    mut contexts: EguiContexts,
    mut inspector: ResMut<TerrainInspector>,
    mut maker: ResMut<MapMaker>,
    terrains: Query<TerrainParts>,
    (stats, history, budget): (Res<TerrainStats>, Res<TerrainHistory>, Res<TerrainBudget>),
    server: Res<AssetServer>,
    folder: Res<AssetFolder>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let mut info = describe(&inspector, &terrains, &stats, &server, &folder);
    info.map = maker.info(context);
    info.history = HistoryInfo::new(&history, &budget);
    info.budget = budget.clone();

    let TerrainInspector { panel, models, asset, .. } = &mut *inspector;
    let model = asset.and_then(|id| models.get_mut(&id));
    let screen = context.viewport_rect();
    let frame = panel_frame();
    let width = PANEL_WIDTH.min(screen.width());
    // An area rather than a side panel of egui's: the pointer over it counts as egui's for everybody who asks egui, picking
    // included, and panels of the game's own are laid out as if it were not there.
    let area = Area::new(Id::new("terrain inspector"))
        .order(Order::Middle)
        .fixed_pos(egui::pos2(screen.right() - width, screen.top()))
        .constrain(false);
    let panel = area.show(context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(width - frame.inner_margin.sum().x);
            ui.set_height(screen.height() - frame.inner_margin.sum().y);
            panel_ui(ui, panel, model, &info)
        })
    });
    inspector.actions.extend(panel.inner.inner);
    let rect = panel.response.rect;
    inspector.pointer = context.egui_is_using_pointer()
        || context.any_popup_open()
        || context.input(|input| {
            let pointer = &input.pointer;
            let place = if pointer.any_down() { pointer.press_origin() } else { pointer.latest_pos() };
            place.is_some_and(|place| rect.contains(place))
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
    let shown = inspector.terrain.and_then(|entity| terrains.get(entity).ok());
    let path = shown.and_then(|(_, terrain, ..)| server.get_path(terrain.0.id()));
    let file_name = path.as_ref().and_then(|path| path.path().file_name());
    let name_of = |entity: Entity, name: Option<&Name>| {
        (entity, name.map_or_else(|| format!("Terrain {entity}"), ToString::to_string))
    };
    let mut names: Vec<_> = terrains.iter().map(|(entity, _, _, name, _)| name_of(entity, name)).collect();
    names.sort_unstable_by_key(|(entity, _)| entity.index());
    let state = shown.map(|(_, _, state, ..)| state);
    let seams = shown.and_then(|(.., seams)| seams);
    PanelInfo {
        terrains: names,
        terrain: inspector.terrain,
        file: file_name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        files: inspector.files.clone(),
        cannot_save: folder.locate(path.as_ref()).err(),
        message: inspector.message.clone(),
        has_ground: state.is_some_and(|state| state.settings().is_some()),
        problems: state.map(|state| state.problems().cloned().collect()).unwrap_or_default(),
        stats: StatsInfo::new(stats, state, seams),
        expected_cost: inspector.expected_cost(),
        budget: TerrainBudget::default(),
        history: HistoryInfo::default(),
        map: None,
    }
}
