//! An app with the render layer but without a window and a GPU: everything up to the data that Bevy would upload.

use super::with_manual_clock;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::TerrainRenderPlugin;

/// An app with Bevy's default plugins, without window, log and GPU, and with the terrain's plugins.
pub fn render_app(plugin: TerrainRenderPlugin) -> App {
    let mut app = with_manual_clock(App::new());
    let render_creation = WgpuSettings { backends: None, ..default() }.into();
    app.add_plugins((
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation, ..default() }),
        TerrainPlugins.set(plugin),
    ));
    app.finish();
    app.cleanup();
    app
}
