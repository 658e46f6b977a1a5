//! Finds places to stand on.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The distance between two rings of positions, in metres.
const STEP: f32 = 25.0;
const RINGS: u16 = 200;
const POSITIONS_PER_RING: u16 = 16;

/// The height of the water, in metres. Negative infinity without water, and before the settings are loaded.
pub fn water_height(terrain: &TerrainState) -> f32 {
    let look = terrain.settings().map(|settings| &settings.look).filter(|look| look.water);
    look.map_or(f32::NEG_INFINITY, |look| look.water_height as f32)
}

/// A position on dry and fairly level ground, on the nearest ring around `near` that has one. If there is none within 5 km, `near` itself.
///
/// `None` before the settings are loaded.
pub fn find_dry_ground(ground: &TerrainGround, terrain: &TerrainState, near: Vec3) -> Option<Vec3> {
    let water = water_height(terrain);
    let center = near.with_y(ground.height(near)?);
    let rings = (0..RINGS).flat_map(|ring| (0..POSITIONS_PER_RING).map(move |position| (ring, position)));
    let positions = rings.map(|(ring, position)| {
        let turn = Rot2::turn_fraction(f32::from(position) / f32::from(POSITIONS_PER_RING));
        let [x, z] = (turn * Vec2::X * f32::from(ring) * STEP).to_array();
        near + Vec3::new(x, 0.0, z)
    });
    let mut dry = positions.filter_map(|position| {
        let height = ground.height(position)?;
        let is_level = ground.normal(position)?.y > 0.95;
        (height > water + 2.0 && is_level).then_some(position.with_y(height))
    });
    Some(dry.next().unwrap_or(center))
}
