//! Draws shots, one after another, without a window.
//!
//! The camera of a shot draws nothing until the ground is settled. All shots have the same clock, so a list gives the same images
//! again.

use crate::app::{asset_path, start, update_until, windowless};
use crate::render::cost;
use crate::shot::Shot;
use bevy::anti_alias::smaa::Smaa;
use bevy::camera::{RenderTarget, SubCameraView};
use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder, DirectionalLightShadowMap};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::diagnostic::RenderDiagnosticsPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy_perlin_terrain::light::{SkySettings, Sun, SunAngles};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{
    CloudPattern, DrawnPlants, SurfaceTextures, TerrainFarMaps, TerrainQuality, TerrainRenderPlugin,
};
use bevy_perlin_terrain::sky::{SkyMethod, TerrainSkyPlugin, TerrainSun};
use clap::Args;
use std::time::Duration;

/// The vertical field of view of all cameras, in radians.
const FIELD_OF_VIEW: f32 = 0.95;

/// With fewer frames, anti-aliasing by earlier ones would leave edges rough.
const FRAMES_OF_TAA: u32 = 16;

/// How to draw all shots.
#[derive(Args, Clone, Copy)]
pub struct Drawing {
    /// The quality of the ground: low, medium or high. Default: high.
    #[arg(long, value_parser = quality)]
    pub quality: Option<TerrainQuality>,
    /// How to draw the sky: atmosphere or dome. Without it, the device decides.
    #[arg(long, value_name = "METHOD", value_parser = sky_method)]
    pub sky_method: Option<SkyMethod>,
    /// The screen-space error in pixels, from 0 to 100. Overrides `lod.pixel_error` of the files. A larger value draws fewer
    /// triangles; 0 draws full detail everywhere.
    #[arg(long, value_name = "PIXELS")]
    pub pixel_error: Option<f64>,
}

fn quality(text: &str) -> Result<TerrainQuality, &'static str> {
    match text {
        "low" => Ok(TerrainQuality::Low),
        "medium" => Ok(TerrainQuality::Medium),
        "high" => Ok(TerrainQuality::High),
        _ => Err("allowed: low, medium, high"),
    }
}

fn sky_method(text: &str) -> Result<SkyMethod, &'static str> {
    match text {
        "atmosphere" => Ok(SkyMethod::Atmosphere),
        "dome" => Ok(SkyMethod::Dome),
        _ => Err("allowed: atmosphere, dome"),
    }
}

/// The size of images.
#[derive(Args, Clone, Copy)]
pub struct Format {
    /// Multiplies the width and the height of all images. The ground keeps the detail of the full size.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub scale: f32,
    /// Takes only a piece of each image, in pixels of the full size.
    #[arg(long, value_name = "X,Y,WIDTH,HEIGHT", value_parser = four_numbers)]
    pub crop: Option<[u32; 4]>,
    /// Takes small and rough images: 640 pixels wide, 6 pixels of error, and shadows nearby only.
    #[arg(long)]
    pub fast: bool,
}

fn four_numbers(text: &str) -> Result<[u32; 4], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|numbers: Vec<u32>| format!("expected four numbers, found {}", numbers.len()))
}

impl Format {
    /// The whole image.
    pub const FULL: Self = Self { scale: 1.0, crop: None, fast: false };

    /// The size of the image of a shot, and the piece that its camera draws.
    fn of(&self, shot: &Shot) -> (UVec2, Option<SubCameraView>) {
        let scale = if self.fast { 640.0 / shot.size[0].max(1) as f32 } else { self.scale };
        let scaled = |pixels: [u32; 2]| (UVec2::from(pixels).as_vec2() * scale).round().as_uvec2().max(UVec2::ONE);
        let Some([x, y, width, height]) = self.crop else { return (scaled(shot.size), None) };
        let (size, offset) = (scaled([width, height]), Vec2::new(x as f32, y as f32) * scale);
        (size, Some(SubCameraView { full_size: scaled(shot.size), offset, size }))
    }
}

/// An app that draws shots.
pub struct Stage {
    pub app: App,
    drawing: Drawing,
    format: Format,
    /// The entities that the current shot has spawned.
    scene: Vec<Entity>,
}

impl Stage {
    pub fn new(drawing: Drawing, format: Format) -> Self {
        let mut app = App::new();
        app.add_plugins((
            // Nothing must be drawn before the shaders are compiled.
            windowless(RenderPlugin { synchronous_pipeline_compilation: true, ..default() }),
            RenderDiagnosticsPlugin,
            cost::plugin,
            TerrainPlugins
                .set(TerrainSkyPlugin { method: drawing.sky_method })
                .set(TerrainRenderPlugin::with_quality(drawing.quality.unwrap_or_default())),
        ))
        .insert_resource(DirectionalLightShadowMap { size: if format.fast { 1024 } else { 2048 } });
        if format.fast {
            app.add_systems(Update, shorten_shadows);
        }
        start(&mut app);
        Self { app, drawing, format, scene: Vec::new() }
    }

    /// Draws `frames` frames of a shot after the first one. Returns the image, which the camera goes on to draw.
    pub fn draw(&mut self, shot: &Shot, frames: u32) -> Result<Handle<Image>, String> {
        let in_shot = |error| format!("{}: {error}", shot.name);
        let image = self.spawn(shot, frames);
        let mut height = None;
        update_until(&mut self.app, Duration::ZERO, |app| {
            height = app.world_mut().run_system_cached(surface_height).ok().flatten();
            height.is_some()
        })
        .map_err(in_shot)?;
        self.look(shot, height.unwrap_or_default());
        update_until(&mut self.app, Duration::ZERO, |app| {
            let has_clouds = shot.clouds.cover == 0.0 || app.world().resource::<CloudPattern>().is_complete();
            has_clouds && app.world_mut().run_system_cached(is_ready).is_ok_and(|is_ready| is_ready)
        })
        .map_err(in_shot)?;
        let world = self.app.world_mut();
        world.query::<&mut Camera>().iter_mut(world).for_each(|mut camera| camera.is_active = true);
        world.resource_mut::<DiagnosticsStore>().iter_mut().for_each(Diagnostic::clear_history);
        (0..=frames).for_each(|_| self.app.update());
        Ok(image)
    }

    /// Replaces the last scene by that of a shot. Its camera does not draw yet.
    fn spawn(&mut self, shot: &Shot, frames: u32) -> Handle<Image> {
        let world = self.app.world_mut();
        self.scene.drain(..).for_each(|entity| _ = world.despawn(entity));
        let settings = world.resource::<AssetServer>().load(asset_path(&shot.settings));
        let [x, z, ..] = shot.camera;
        let terrain = world.spawn((Terrain(settings), TerrainOrigin::new(x, z))).id();

        let [azimuth, elevation] = shot.sun.map(f64::to_radians);
        let sun = Sun::Angles(SunAngles { azimuth, elevation });
        // Of the viewer's view distance, which the camera does not have.
        let visibility = if shot.visibility > 0.0 { shot.visibility } else { f64::from(shot.view / 1000.0).min(40.0) };
        let sky = SkySettings { sun, visibility, clouds: shot.clouds.clone(), exposure: shot.exposure, ..default() };
        let sky = world.resource_mut::<Assets<SkySettings>>().add(sky);
        let (size, sub_camera_view) = self.format.of(shot);
        let image = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
        let image = world.resource_mut::<Assets<Image>>().add(image);
        let mut camera = world.spawn((
            Camera3d::default(),
            Camera { is_active: false, sub_camera_view, ..default() },
            RenderTarget::from(image.clone()),
            Projection::from(PerspectiveProjection { far: shot.view * 2.0, fov: FIELD_OF_VIEW, ..default() }),
            Transform::default(),
            TerrainSky(sky),
        ));
        if frames < FRAMES_OF_TAA {
            camera.insert(Smaa::default());
        }
        let camera = camera.id();

        // The detail is that of the whole image, also where the camera draws a piece of it.
        let height = if self.format.fast { 360 } else { shot.size[1] };
        let height = height as f32 * world.resource::<TerrainQuality>().rows();
        let lens = ViewerLens::Perspective { height, field_of_view: FIELD_OF_VIEW };
        let viewer = world.spawn((TerrainViewer { view_distance: shot.view }, lens, Transform::default())).id();
        self.scene.extend([terrain, camera, viewer]);
        image
    }

    /// Puts the camera and the viewer in their place above ground of this height, and overrides the detail.
    fn look(&mut self, shot: &Shot, ground: f32) {
        let [_, _, up, yaw, pitch] = shot.camera.map(|number| number as f32);
        let turn = Quat::from_euler(EulerRot::YXZ, yaw.to_radians(), pitch.to_radians(), 0.0);
        let framed = Transform::from_xyz(0.0, ground + up, 0.0).with_rotation(turn);
        let world = self.app.world_mut();
        let mut transforms = world.query_filtered::<&mut Transform, Or<(With<Camera3d>, With<TerrainViewer>)>>();
        transforms.iter_mut(world).for_each(|mut transform| *transform = framed);
        if let Some(pixel_error) = self.drawing.pixel_error.or(self.format.fast.then_some(6.0)) {
            let mut settings = world.resource_mut::<Assets<TerrainSettings>>();
            settings.iter_mut().for_each(|(_, settings)| settings.lod.pixel_error = pixel_error);
        }
    }
}

/// The height of the ground at the world origin, or of the water above it. `None` until the settings are loaded.
fn surface_height(ground: TerrainGround, terrain: Single<&TerrainState>) -> Option<f32> {
    let look = &terrain.settings()?.look;
    let height = ground.height(Vec3::ZERO)?;
    Some(if look.water { height.max(look.water_height as f32) } else { height })
}

/// Whether all that is made in the background is there.
fn is_ready(
    terrains: Query<&TerrainState>,
    maps: Query<&TerrainFarMaps>,
    plants: Query<&DrawnPlants>,
    textures: Res<SurfaceTextures>,
) -> bool {
    let has_ground = terrains.iter().all(TerrainState::is_settled) && plants.iter().all(DrawnPlants::are_complete);
    has_ground && textures.are_complete() && maps.iter().all(TerrainFarMaps::are_complete)
}

/// One small cascade is enough for a rough image.
fn shorten_shadows(mut suns: Query<&mut CascadeShadowConfig, Added<TerrainSun>>) {
    for mut cascades in &mut suns {
        *cascades = CascadeShadowConfigBuilder { num_cascades: 1, maximum_distance: 400.0, ..default() }.build();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot() -> Shot {
        ron::from_str(r#"(name: "", settings: "", camera: (0, 0, 2, 0, 0), sun: (0, 45), size: (1920, 1080))"#)
            .expect("the shot is valid")
    }

    #[test]
    fn a_smaller_image_has_the_same_shape() {
        let (size, piece) = Format { scale: 0.25, ..Format::FULL }.of(&shot());
        assert_eq!(size, UVec2::new(480, 270));
        assert!(piece.is_none());
        assert_eq!(Format { fast: true, ..Format::FULL }.of(&shot()).0, UVec2::new(640, 360));
    }

    #[test]
    fn a_piece_is_a_part_of_the_whole_image() {
        let format = Format { scale: 0.5, crop: Some([960, 540, 400, 200]), fast: false };
        let (size, piece) = format.of(&shot());
        let piece = piece.expect("the camera draws a piece");
        assert_eq!([size, piece.size, piece.full_size], [[200, 100], [200, 100], [960, 540]].map(UVec2::from));
        assert_eq!(piece.offset, Vec2::new(480.0, 270.0));
    }
}
