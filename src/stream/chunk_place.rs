//! Where chunks appear: relative to their terrain's entity, or in a cell of its grid.

use super::changes::WorldChanges;
use super::frame::TerrainPlaceItem;
use super::{ChunkBounds, TerrainChunk, TerrainOrigin, TerrainPlace, TerrainStandIn, TerrainStats, TerrainSystems};
use bevy::ecs::change_detection::Ref;
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::{Grid, cell::CellCoord};

/// The components by which a chunk is where it is.
pub(super) struct ChunkPlace {
    transform: Transform,
    #[cfg(feature = "big_space")]
    cell: Option<CellCoord>,
}

impl ChunkPlace {
    /// That of a chunk with these bounds, of the terrain at `place`: its north-west corner, at height zero.
    pub fn new(place: &TerrainPlaceItem, bounds: &ChunkBounds) -> Self {
        // In double precision: the difference of two places that may both be far from zero is exact.
        let from_origin = bounds.min.with_y(0.0) - place.origin.place();
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

    /// A new entity there, with the components of `bundle`.
    pub fn spawn<'a>(self, commands: &'a mut Commands, bundle: impl Bundle) -> EntityCommands<'a> {
        #[cfg_attr(not(feature = "big_space"), expect(unused_mut, reason = "there are no cells"))]
        let mut chunk = commands.spawn((bundle, self.transform));
        #[cfg(feature = "big_space")]
        if let Some(cell) = self.cell {
            chunk.try_insert(cell);
        }
        chunk
    }

    /// Puts an entity there.
    pub fn put(self, chunk: &mut EntityCommands) {
        chunk.try_insert(self.transform);
        #[cfg(feature = "big_space")]
        if let Some(cell) = self.cell {
            chunk.try_insert(cell);
        }
    }
}

/// The terrain stands elsewhere in its own coordinates, or its chunks are counted in cells from now on.
#[cfg(feature = "big_space")]
pub(super) type Replaced = Or<(Changed<TerrainOrigin>, Added<Grid>)>;
#[cfg(not(feature = "big_space"))]
pub(super) type Replaced = Changed<TerrainOrigin>;

/// Puts the chunks of terrains that stand elsewhere where they belong.
pub(super) fn follow_origins(
    commands: Commands,
    mut changes: ResMut<WorldChanges>,
    terrains: Query<(TerrainPlace, Ref<TerrainOrigin>), Replaced>,
    chunks: Query<(Entity, &ChildOf, &ChunkBounds), Or<(With<TerrainChunk>, With<TerrainStandIn>)>>,
    mut stats: ResMut<TerrainStats>,
) {
    if terrains.is_empty() {
        return;
    }
    let mut commands = commands.rebound_to(&mut changes.queue);
    stats.time(TerrainSystems::Apply, |_| {
        // A terrain that has just come has no chunk.
        if terrains.iter().all(|(_, origin)| origin.is_added()) {
            return;
        }
        for (entity, terrain, bounds) in &chunks {
            if let Ok((place, _)) = terrains.get(terrain.parent()) {
                ChunkPlace::new(&place, bounds).put(&mut commands.entity(entity));
            }
        }
    });
}
