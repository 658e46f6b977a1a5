//! The sun: one directional light.

use super::camera::SkyInForce;
use super::method::SkyMethod;
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder};
use bevy::prelude::*;

/// Marks the directional light that is the sun.
///
/// The plugin spawns one when the first camera gets a sky. A game that wants another spawns its own [`DirectionalLight`] with
/// this component before that. The plugin sets its direction, its color and its brightness, and nothing else. If cameras have
/// different skies, the sun is that of the first.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(DirectionalLight)]
pub struct TerrainSun;

/// Spawns the sun if there is none, and moves it.
pub(super) fn update_sun(
    mut commands: Commands,
    skies: Query<Ref<SkyInForce>>,
    method: Res<SkyMethod>,
    mut suns: Query<(&mut DirectionalLight, &mut Transform, Ref<TerrainSun>)>,
) {
    let Some(sky) = skies.iter().next() else { return };
    if suns.is_empty() {
        let light = DirectionalLight { shadow_maps_enabled: true, ..default() };
        commands.spawn((Name::new("Sun"), TerrainSun, light, shadow_cascades()));
    }
    for (mut light, mut transform, sun) in &mut suns {
        if !sky.is_changed() && !sun.is_added() {
            continue;
        }
        let direction = Vec3::from_array(sky.settings.sun.direction().map(|n| n as f32));
        let up = if direction.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
        *transform = Transform::default().looking_to(-direction, up);
        let [red, green, blue] = method.sunlight(&sky.settings).map(|part| part as f32);
        let brightest = red.max(green).max(blue).max(f32::MIN_POSITIVE);
        light.color = Color::linear_rgb(red / brightest, green / brightest, blue / brightest);
        light.illuminance = red.max(green).max(blue);
    }
}

/// Shadows are sharp near the camera, and end at about a kilometre. Beyond, a pixel is as wide as a shadow's edge.
fn shadow_cascades() -> CascadeShadowConfig {
    CascadeShadowConfigBuilder {
        num_cascades: 4,
        minimum_distance: 0.5,
        first_cascade_far_bound: 40.0,
        maximum_distance: 1500.0,
        ..default()
    }
    .build()
}
