//! The transforms of chunks and ground squares: relative to the terrain's entity, or in a cell of its grid.

use super::frame::TerrainPlaceItem;
use super::{ChunkBounds, TerrainOrigin, TerrainPlace};
use crate::stream::components::TerrainChunk;
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::squares::GroundSquare;
use bevy::ecs::change_detection::Ref;
use bevy::math::DVec3;
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::{Grid, cell::CellCoord};

/// The components that position a chunk or a ground square.
pub(in crate::stream) struct ChunkPlace {
    transform: Transform,
    #[cfg(feature = "big_space")]
    cell: Option<CellCoord>,
}

impl ChunkPlace {
    /// Position `at` of the terrain, at height zero: the north-west corner of a chunk, or the center of a ground square.
    pub fn new(place: &TerrainPlaceItem, at: DVec3) -> Self {
        // Subtract in `f64`: both positions may be far from zero, and their difference must be exact.
        let from_origin = at.with_y(0.0) - place.origin.place();
        #[cfg(feature = "big_space")]
        if let Some(grid) = place.grid {
            let (cell, translation) = grid.translation_to_grid(from_origin);
            return Self { transform: Transform::from_translation(translation), cell: Some(cell) };
        }
        Self {
            transform: Transform::from_translation(from_origin.as_vec3()),
            #[cfg(feature = "big_space")]
            cell: None,
        }
    }

    /// Spawns an entity at this position, with the components of `bundle`.
    pub fn spawn(self, world: &mut World, bundle: impl Bundle) -> EntityWorldMut<'_> {
        #[cfg_attr(not(feature = "big_space"), expect(unused_mut, reason = "there are no cells"))]
        let mut chunk = world.spawn((bundle, self.transform));
        #[cfg(feature = "big_space")]
        if let Some(cell) = self.cell.filter(|_| !chunk.is_despawned()) {
            chunk.insert(cell);
        }
        chunk
    }

    /// Moves an entity to this position.
    pub fn put(self, chunk: &mut EntityCommands) {
        chunk.try_insert(self.transform);
        #[cfg(feature = "big_space")]
        if let Some(cell) = self.cell {
            chunk.try_insert(cell);
        }
    }
}

/// Filters terrains whose chunks need new transforms: the origin changed, or the terrain got a grid.
#[cfg(feature = "big_space")]
pub(in crate::stream) type ReplacedTerrain = Or<(Changed<TerrainOrigin>, Added<Grid>)>;
#[cfg(not(feature = "big_space"))]
pub(in crate::stream) type ReplacedTerrain = Changed<TerrainOrigin>;

/// Updates the transforms of all chunks and squares of terrains whose origin changed.
pub(in crate::stream) fn follow_origins(
    mut commands: Commands,
    terrains: Query<(TerrainPlace, Ref<TerrainOrigin>), ReplacedTerrain>,
    chunks: Query<(Entity, &ChildOf, &ChunkBounds), With<TerrainChunk>>,
    squares: Query<(Entity, &GroundSquare)>,
    mut stats: ResMut<TerrainStats>,
) {
    // A terrain that was just spawned has neither.
    if terrains.iter().all(|(_, origin)| origin.is_added()) {
        return;
    }
    stats.time(TerrainSystems::Apply, |_| {
        for (entity, terrain, bounds) in &chunks {
            if let Ok((place, _)) = terrains.get(terrain.parent()) {
                ChunkPlace::new(&place, bounds.min).put(&mut commands.entity(entity));
            }
        }
        for (entity, GroundSquare { terrain, bounds, .. }) in &squares {
            if let Ok((place, _)) = terrains.get(*terrain) {
                ChunkPlace::new(&place, bounds.center()).put(&mut commands.entity(entity));
            }
        }
    });
}
