//! The sun: one directional light.

use super::camera::{CurrentSky, CurrentSun};
use super::method::SkyMethod;
use super::weather::MainSky;
use crate::render::TerrainQuality;
use bevy::camera::visibility::RenderLayers;
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder};
use bevy::prelude::*;

/// Marks the directional light that is the sun.
///
/// The plugin spawns one when the first camera gets a sky. A game that wants another spawns its own [`DirectionalLight`] with
/// this component before that. The plugin sets its direction, its color and its brightness, and nothing else; the shadow maps of its
/// own sun follow the [`TerrainQuality`]. Its own sun lights the [`RenderLayers`] of all cameras with a sky, and goes
/// with the last of them. If cameras have different skies, the sun is that of an active one, and of the same one for as long as it is active.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(DirectionalLight)]
pub struct TerrainSun;

/// Marks the sun that the plugin spawned.
#[derive(Component)]
pub(super) struct OwnSun;

/// Spawns the sun if there is none, and moves it. Takes the plugin's own sun away with the last sky.
pub(super) fn update_sun(
    mut commands: Commands,
    main: Res<MainSky>,
    skies: Query<(Ref<CurrentSky>, Ref<CurrentSun>)>,
    method: Res<SkyMethod>,
    mut suns: Query<(&mut DirectionalLight, &mut Transform, Ref<TerrainSun>)>,
    own: Query<Entity, With<OwnSun>>,
) {
    let Some((sky, toward_sun)) = main.0.and_then(|camera| skies.get(camera).ok()) else {
        own.iter().for_each(|sun| commands.entity(sun).try_despawn());
        return;
    };
    if suns.is_empty() {
        let light = DirectionalLight { shadow_maps_enabled: true, ..default() };
        commands.spawn((Name::new("Sun"), TerrainSun, OwnSun, light));
    }
    for (mut light, mut transform, sun) in &mut suns {
        let is_other = sun.is_added() || main.is_changed();
        if toward_sun.is_changed() || is_other {
            let direction = Vec3::from_array(toward_sun.0.map(|n| n as f32));
            let up = if direction.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
            *transform = Transform::default().looking_to(-direction, up);
        }
        if !sky.is_changed() && !is_other {
            continue;
        }
        let [red, green, blue] = method.sunlight(&sky.settings).map(|part| part as f32);
        let brightest = red.max(green).max(blue).max(f32::MIN_POSITIVE);
        light.color = Color::linear_rgb(red / brightest, green / brightest, blue / brightest);
        light.illuminance = red.max(green).max(blue);
    }
}

/// Has the plugin's own sun light what the cameras with a sky see.
pub(super) fn update_layers(
    mut commands: Commands,
    cameras: Query<Option<&RenderLayers>, With<CurrentSky>>,
    suns: Query<(Entity, Option<&RenderLayers>), With<OwnSun>>,
) {
    let of_camera = |layers: Option<&RenderLayers>| layers.cloned().unwrap_or_default();
    let Some(seen) = cameras.iter().map(of_camera).reduce(|one, other| one.union(&other)) else { return };
    for (sun, layers) in &suns {
        if layers.cloned().unwrap_or_default() != seen {
            commands.entity(sun).try_insert(seen.clone());
        }
    }
}

/// Gives the plugin's own sun the shadow maps of the quality.
pub(super) fn update_shadows(
    quality: Option<Res<TerrainQuality>>,
    mut suns: Query<(&mut CascadeShadowConfig, Ref<OwnSun>)>,
) {
    let is_changed = quality.as_ref().is_some_and(DetectChanges::is_changed);
    let quality = quality.map_or_else(TerrainQuality::default, |quality| *quality);
    for (mut cascades, sun) in &mut suns {
        if is_changed || sun.is_added() {
            *cascades = shadow_cascades(quality);
        }
    }
}

/// Shadows are sharp near the camera. Where the maps end, the horizons of far ground begin.
fn shadow_cascades(quality: TerrainQuality) -> CascadeShadowConfig {
    let (num_cascades, maximum_distance) = quality.shadow_maps();
    CascadeShadowConfigBuilder {
        num_cascades,
        minimum_distance: 0.5,
        first_cascade_far_bound: 40.0,
        maximum_distance,
        ..default()
    }
    .build()
}
