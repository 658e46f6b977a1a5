//! The transforms of chunks and collider tiles: relative to the terrain's entity, or in a cell of its grid.

use super::frame::TerrainPositionItem;
use super::{ChunkBounds, TerrainOrigin, TerrainPosition};
use crate::stream::collider_tiles::ColliderTile;
use crate::stream::components::TerrainChunk;
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use bevy::ecs::change_detection::Ref;
use bevy::math::DVec3;
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::{Grid, cell::CellCoord};

/// The components that position a chunk or a collider tile.
pub(crate) struct ChunkPosition {
    transform: Transform,
    #[cfg(feature = "big_space")]
    cell: Option<CellCoord>,
}

impl ChunkPosition {
    /// Position `at` of the terrain, at height zero: the north-west corner of a chunk, or the center of a collider tile.
    pub fn new(position: &TerrainPositionItem, at: DVec3) -> Self {
        // Subtract in `f64`: both positions may be far from zero, and their difference must be exact.
        let from_origin = at.with_y(0.0) - position.origin.position();
        #[cfg(feature = "big_space")]
        if let Some(grid) = position.grid {
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
pub(crate) type MovedTerrain = Or<(Changed<TerrainOrigin>, Added<Grid>)>;
#[cfg(not(feature = "big_space"))]
pub(crate) type MovedTerrain = Changed<TerrainOrigin>;

/// Updates the transforms of all chunks and tiles of terrains whose origin changed.
pub(in crate::stream) fn follow_origins(
    mut commands: Commands,
    terrains: Query<(TerrainPosition, Ref<TerrainOrigin>), MovedTerrain>,
    chunks: Query<(Entity, &ChildOf, &ChunkBounds), With<TerrainChunk>>,
    tiles: Query<(Entity, &ColliderTile)>,
    mut stats: ResMut<TerrainStats>,
) {
    // A terrain that was just spawned has neither.
    if terrains.iter().all(|(_, origin)| origin.is_added()) {
        return;
    }
    stats.time(TerrainSystems::Apply, |_| {
        for (entity, terrain, bounds) in &chunks {
            if let Ok((position, _)) = terrains.get(terrain.parent()) {
                ChunkPosition::new(&position, bounds.min).put(&mut commands.entity(entity));
            }
        }
        for (entity, ColliderTile { terrain, bounds, .. }) in &tiles {
            if let Ok((position, _)) = terrains.get(*terrain) {
                ChunkPosition::new(&position, bounds.center()).put(&mut commands.entity(entity));
            }
        }
    });
}
