//! What a camera below the surface of water sees: the color of the water, in place of haze.

use super::camera::CurrentSky;
use crate::look::LookSettings;
use crate::render::{ShownLook, water_color};
use crate::stream::TerrainPosition;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use std::f64::consts::PI;

/// The water that a camera is in, if any.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CurrentWater(pub Option<WaterAround>);

/// Water around a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WaterAround {
    /// The color of the water, in cd/m².
    pub radiance: [f64; 3],
    /// How much of the light is lost in a metre of the world.
    pub absorption: Vec3,
}

impl WaterAround {
    /// The water of a terrain so many of its metres below the surface, in the light of a sky. `scale` is that of the terrain.
    fn new(look: &LookSettings, depth: f64, scale: f64, illuminance: f64) -> Self {
        let water = water_color(look);
        let radiance = std::array::from_fn(|i| {
            let left = (-f64::from(water.absorption[i]) * depth).exp();
            f64::from(water.scattered[i]) * left * illuminance / PI
        });
        Self { radiance, absorption: Vec3::from(water.absorption) / scale as f32 }
    }
}

/// Finds the cameras with a sky that are in water that they see. An image in parallel projection is seen from no place.
pub(super) fn find_water(
    mut commands: Commands,
    mut cameras: Query<(
        Entity,
        &CurrentSky,
        &GlobalTransform,
        Option<&Projection>,
        Option<&RenderLayers>,
        Option<&mut CurrentWater>,
    )>,
    terrains: Query<(&ShownLook, TerrainPosition, Option<&InheritedVisibility>, Option<&RenderLayers>)>,
) {
    for (camera, sky, transform, projection, layers, water) in &mut cameras {
        let is_parallel = matches!(projection, Some(Projection::Orthographic(_)));
        let layers = layers.unwrap_or_default();
        let around = terrains.iter().filter(|_| !is_parallel).find_map(|(look, position, visibility, own)| {
            let is_seen = visibility.is_none_or(|visibility| visibility.get());
            if !is_seen || !own.unwrap_or_default().intersects(layers) {
                return None;
            }
            let frame = position.frame();
            let depth = look.water_level()? - frame.to_terrain(transform.translation()).y;
            (depth > 0.0).then(|| WaterAround::new(&look.0, depth, frame.scale(), sky.settings.illuminance()))
        });
        match water {
            Some(mut water) => drop(water.set_if_neq(CurrentWater(around))),
            None => drop(commands.entity(camera).try_insert(CurrentWater(around))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_is_darker_the_deeper_a_camera_dives() {
        let look = LookSettings::default();
        let [near, deep] = [0.1, 20.0].map(|depth| WaterAround::new(&look, depth, 1.0, 50_000.0));
        assert!(near.radiance.iter().zip(deep.radiance).all(|(near, deep)| *near > 2.0 * deep), "{near:?} {deep:?}");
        assert_eq!(near.absorption, deep.absorption);
        let [red, _, blue] = deep.radiance;
        assert!(blue > 10.0 * red, "red is lost first");
        let of_half_size = WaterAround::new(&look, 20.0, 0.5, 50_000.0);
        assert_eq!((of_half_size.radiance, of_half_size.absorption), (deep.radiance, 2.0 * deep.absorption));
    }
}
