//! What a camera below the surface of water sees: the color of the water, in place of haze.

use super::camera::CurrentSky;
use crate::look::LookSettings;
use crate::look::water::WaterColor;
use crate::stream::{TerrainPosition, TerrainState};
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
    /// How much of the light is lost in a metre.
    pub absorption: Vec3,
}

impl WaterAround {
    /// The water of a terrain so many metres below its surface, in the light of a sky.
    fn new(look: &LookSettings, depth: f64, illuminance: f64) -> Self {
        let [red, green, blue] = look.water_color;
        let color = Color::srgb(red, green, blue).to_linear().to_vec3();
        let water = WaterColor::new(color.into(), look.water_clarity as f32);
        let radiance = std::array::from_fn(|i| {
            let left = (-f64::from(water.absorption[i]) * depth).exp();
            f64::from(water.scattered[i]) * left * illuminance / PI
        });
        Self { radiance, absorption: water.absorption.into() }
    }
}

/// Finds the cameras with a sky that are in water.
pub(super) fn find_water(
    mut commands: Commands,
    mut cameras: Query<(Entity, &CurrentSky, &GlobalTransform, Option<&mut CurrentWater>)>,
    terrains: Query<(&TerrainState, TerrainPosition)>,
) {
    for (camera, sky, transform, water) in &mut cameras {
        let around = terrains.iter().find_map(|(state, position)| {
            let look = &state.settings().filter(|settings| settings.look.water)?.look;
            let frame = position.frame();
            let depth = frame.scale() * (look.water_height - frame.to_terrain(transform.translation()).y);
            (depth > 0.0).then(|| WaterAround::new(look, depth, sky.settings.illuminance()))
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
        let [near, deep] = [0.1, 20.0].map(|depth| WaterAround::new(&look, depth, 50_000.0));
        assert!(near.radiance.iter().zip(deep.radiance).all(|(near, deep)| *near > 2.0 * deep), "{near:?} {deep:?}");
        assert_eq!(near.absorption, deep.absorption);
        let [red, _, blue] = deep.radiance;
        assert!(blue > 10.0 * red, "red is lost first");
    }
}
