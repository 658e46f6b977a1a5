//! Checks that the drawn chunks cover the ground.

use super::flight::Flight;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::collections::HashMap;

/// The number of directions and of distances that are checked.
const DIRECTIONS: u16 = 24;
const DISTANCES: u16 = 24;

/// Whether any position within `view` metres is in no drawn chunk, or in two.
///
/// Checks positions on rings around the viewer, from 5 m to `view`. Reads the chunk entities of the world, independently of the
/// terrain's own state.
pub fn is_ground_missing(flight: &mut Flight, view: f32) -> bool {
    let mut drawn: HashMap<ChunkCoord, usize> = HashMap::new();
    let mut chunks = flight.app.world_mut().query::<(&TerrainChunk, &ChunkDrawn)>();
    for (chunk, shown) in chunks.iter(flight.app.world()) {
        if shown.is_drawn() && chunk.terrain == flight.terrain {
            *drawn.entry(chunk.coord).or_default() += 1;
        }
    }
    let world = flight.app.world();
    let viewer = world.get::<Transform>(flight.viewer);
    let (Some(transform), Some(layout)) = (viewer, flight.state().and_then(TerrainState::layout)) else {
        return false;
    };
    let top = drawn.keys().map(|chunk| chunk.level).max().unwrap_or_default();
    let Vec2 { x, y: z } = transform.translation.xz() + flight.origin;
    let (x, z) = (f64::from(x), f64::from(z));
    let view = f64::from(view) * 0.999_999;
    (0..DIRECTIONS).any(|direction| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS)).sin_cos();
        (0..DISTANCES).any(|ring| {
            let distance = 5.0 * (view / 5.0).powf(f64::from(ring) / f64::from(DISTANCES - 1));
            let (x, z) = (x + distance * cosine, z + distance * sine);
            let over: usize = (0..=top).filter_map(|level| drawn.get(&layout.chunk_at(level, x, z))).sum();
            over != 1
        })
    })
}
