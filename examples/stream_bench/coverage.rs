//! Whether there is ground.

use crate::flight::Flight;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{StandInTriangles, TerrainStandIn};
use std::collections::{HashMap, HashSet};

/// Directions and distances of the places that are looked at.
const DIRECTIONS: u16 = 24;
const DISTANCES: u16 = 24;

/// Whether any place within `view` metres lies in no chunk that is drawn, or in two; what stands in for chunks counts as one.
/// Looks at places on rings around the viewer, the nearest of 5 m and the furthest at that distance, and at the chunks in the
/// world, whatever the terrain says of them.
pub fn is_ground_missing(flight: &mut Flight, view: f32) -> bool {
    let mut drawn: HashMap<ChunkCoord, usize> = HashMap::new();
    let mut chunks = flight.app.world_mut().query::<(&TerrainChunk, &ChunkShown)>();
    for (chunk, shown) in chunks.iter(flight.app.world()) {
        if shown.is_shown() && chunk.terrain == flight.terrain {
            *drawn.entry(chunk.coord).or_default() += 1;
        }
    }
    let mut stand_ins = flight
        .app
        .world_mut()
        .query_filtered::<(&ChunkBounds, &ChunkSurface, Option<&StandInTriangles>), With<TerrainStandIn>>();
    let stand_ins: Vec<StandIn> = stand_ins.iter(flight.app.world()).map(StandIn::new).collect();
    let world = flight.app.world();
    let viewer = world.get::<Transform>(flight.viewer);
    let (Some(place), Some(layout)) = (viewer, flight.state().and_then(TerrainState::layout)) else {
        return false;
    };
    let top = drawn.keys().map(|chunk| chunk.level).max().unwrap_or_default();
    let (x, z) = (f64::from(place.translation.x), f64::from(place.translation.z));
    let view = f64::from(view) * 0.999_999;
    (0..DIRECTIONS).any(|direction| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS)).sin_cos();
        (0..DISTANCES).any(|ring| {
            let distance = 5.0 * (view / 5.0).powf(f64::from(ring) / f64::from(DISTANCES - 1));
            let (x, z) = (x + distance * cosine, z + distance * sine);
            let over: usize = (0..=top).filter_map(|level| drawn.get(&layout.chunk_at(level, x, z))).sum();
            over + stand_ins.iter().filter(|stand_in| stand_in.has_ground(x, z)).count() != 1
        })
    })
}

/// The ground that stands in for chunks.
struct StandIn {
    bounds: ChunkBounds,
    /// Vertices along each side.
    side: u32,
    /// The north-west vertices of the quads that it has, where those are not all.
    quads: Option<HashSet<u32>>,
}

impl StandIn {
    fn new((&bounds, surface, triangles): (&ChunkBounds, &ChunkSurface, Option<&StandInTriangles>)) -> Self {
        let side = surface.0.side;
        let quads = triangles.map(|triangles| {
            // The first of two triangles of a quad.
            let firsts = triangles.0.chunks(3).filter(|it| it[1] == it[0] + side && it[2] == it[0] + 1);
            firsts.map(|triangle| triangle[0]).collect()
        });
        Self { bounds, side, quads }
    }

    fn has_ground(&self, x: f64, z: f64) -> bool {
        if !self.bounds.contains(x, z) {
            return false;
        }
        let quads = f64::from(self.side - 1);
        let [column, row] = [
            (x - self.bounds.min.x) / self.bounds.size().x * quads,
            (z - self.bounds.min.z) / self.bounds.size().z * quads,
        ];
        let north_west = row as u32 * self.side + column as u32;
        self.quads.as_ref().is_none_or(|there| there.contains(&north_west))
    }
}
