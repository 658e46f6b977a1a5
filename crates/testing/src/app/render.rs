//! An app with the render layer but without a window and a GPU: everything up to the data that Bevy would upload.

use super::{finish, pump_until, with_manual_clock};
use crate::driver;
use bevy::camera::RenderTarget;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::TerrainRenderPlugin;

/// An app with Bevy's default plugins, without window, log and GPU, and with the terrain's plugins.
pub fn render_app(plugin: TerrainRenderPlugin) -> App {
    app_with(plugin, WgpuSettings { backends: None, ..default() }.into(), |_| ())
}

/// The same with the [`driver`]. `None` if it is missing, and may be.
pub fn drawing_app(plugin: TerrainRenderPlugin) -> Option<App> {
    drawing_app_with(plugin, |_| ())
}

/// The same with what `more` adds.
pub fn drawing_app_with(plugin: TerrainRenderPlugin, more: impl FnOnce(&mut App)) -> Option<App> {
    Some(app_with(plugin, RenderCreation::Manual(Box::new(driver()?)), more))
}

fn app_with(plugin: TerrainRenderPlugin, render_creation: RenderCreation, more: impl FnOnce(&mut App)) -> App {
    let mut app = with_manual_clock(App::new());
    app.add_plugins((
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            // A frame is drawn before `update` returns.
            .disable::<PipelinedRenderingPlugin>()
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation, synchronous_pipeline_compilation: true, ..default() }),
        TerrainPlugins.set(plugin),
    ));
    more(&mut app);
    finish(&mut app);
    app
}

/// Width and height of [`screenshot`]s in pixels.
pub const SCREENSHOT_SIZE: [u32; 2] = [96, 64];

/// Spawns a camera that draws screenshots. It is a viewer too.
pub fn add_camera(app: &mut App, view_distance: f32, transform: Transform) -> Entity {
    let [width, height] = SCREENSHOT_SIZE;
    let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    let camera = (
        Camera3d::default(),
        // No ground has this color.
        Camera { clear_color: Color::srgb(1.0, 0.0, 1.0).into(), ..default() },
        bevy::core_pipeline::tonemapping::Tonemapping::Linear,
        Msaa::Off,
        Projection::from(PerspectiveProjection { far: 1e5, ..default() }),
        RenderTarget::from(image),
    );
    app.world_mut().spawn((camera, TerrainViewer { view_distance }, transform)).id()
}

/// The screenshot of the camera, row by row: red, green and blue of each pixel.
pub fn screenshot(app: &mut App, camera: Entity) -> Vec<[u8; 3]> {
    #[derive(Resource, Default)]
    struct Pixels(Vec<u8>);
    let target = app.world().get::<RenderTarget>(camera).and_then(RenderTarget::as_image).expect("an image").clone();
    app.insert_resource(Pixels::default());
    app.world_mut().spawn(Screenshot::image(target)).observe(
        |captured: On<ScreenshotCaptured>, mut pixels: ResMut<Pixels>| {
            pixels.0 = captured.image.data.clone().unwrap_or_default();
        },
    );
    pump_until(app, "the screenshot is taken", |app| !app.world().resource::<Pixels>().0.is_empty());
    app.world().resource::<Pixels>().0.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}
