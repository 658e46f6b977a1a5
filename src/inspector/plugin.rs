//! The plugins of the inspector.

use super::TerrainInspector;
use super::actions::{perform_actions, perform_file_actions};
use super::cost_task::{CostPreview, update_cost};
use super::files::{AssetFolder, write_recoveries};
use super::map_task::{MapPreview, update_map};
use super::panel::TerrainPanel;
use super::plant_cost_task::{PlantCostPreview, update_plant_costs};
use super::style::{PANEL_WIDTH, panel_frame};
use super::sync::{handle_loads, select, write_drafts};
use crate::asset::LoadedFiles;
#[cfg(feature = "sky")]
use crate::light::SkySettings;
#[cfg(feature = "sky")]
use crate::sky::{SkySystems, TerrainSky};
use crate::stream::{SeamWatch, Terrain, TerrainHistoryPlugin, TerrainSeamPlugin, TerrainSystems};
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
#[derive(Clone, Copy, Debug)]
pub struct TerrainInspectorPlugin {
    /// Whether the panel is open at the start. Default: false.
    pub open: bool,
    /// Whether the panel takes keys such as Ctrl+Z. See [`TerrainInspector::shortcuts`]. Default: true.
    pub shortcuts: bool,
}

impl Default for TerrainInspectorPlugin {
    fn default() -> Self {
        Self { open: false, shortcuts: true }
    }
}

impl Plugin for TerrainInspectorPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.add_plugins(TerrainInspectorCorePlugin);
        let mut inspector = app.world_mut().resource_mut::<TerrainInspector>();
        (inspector.open, inspector.shortcuts) = (self.open, self.shortcuts);
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
            .init_resource::<LoadedFiles>()
            .init_resource::<MapPreview>()
            .init_resource::<CostPreview>()
            .init_resource::<PlantCostPreview>()
            .add_systems(
                PostUpdate,
                (
                    (handle_loads::<Terrain>, perform_actions, select::<Terrain>).chain(),
                    (perform_file_actions::<Terrain>, write_drafts::<Terrain>, write_recoveries::<Terrain>).chain(),
                    (update_map, update_cost, update_plant_costs).chain().run_if(is_open),
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
                write_recoveries::<TerrainSky>,
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

/// Draws the panel at the right edge of the window.
fn show_panel(mut contexts: EguiContexts, mut panel: TerrainPanel) -> Result {
    let context = contexts.ctx_mut()?;
    let screen = context.viewport_rect();
    let frame = panel_frame();
    let width = PANEL_WIDTH.min(screen.width());
    // An `Area` instead of a `SidePanel`: egui reports the pointer over it as its own, also to Bevy's picking, and the game's own
    // panels keep their layout.
    let area = Area::new(Id::new("terrain inspector"))
        .order(Order::Middle)
        .fixed_pos(egui::pos2(screen.right() - width, screen.top()))
        .constrain(false);
    let shown = area.show(context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(width - frame.inner_margin.sum().x);
            ui.set_height(screen.height() - frame.inner_margin.sum().y);
            panel.draw(ui, true);
        })
    });
    // Also over the margins of the frame.
    panel.note_pointer(context, shown.response.rect);
    Ok(())
}

/// Adds a [`SeamWatch`] to the selected terrain while the panel is open. Keeps one that the game added.
fn watch_shown_terrain(
    mut commands: Commands,
    inspector: Res<TerrainInspector>,
    terrains: Query<Has<SeamWatch>, With<Terrain>>,
    mut watched: Local<Option<Entity>>,
) {
    let shown = inspector.terrain().filter(|_| inspector.open);
    if *watched == shown {
        return;
    }
    if let Some(entity) = watched.take()
        && let Ok(mut entity) = commands.get_entity(entity)
    {
        entity.try_remove::<SeamWatch>();
    }
    if let Some(entity) = shown
        && terrains.get(entity).is_ok_and(|is_watched| !is_watched)
    {
        commands.entity(entity).try_insert(SeamWatch::default());
        *watched = Some(entity);
    }
}
