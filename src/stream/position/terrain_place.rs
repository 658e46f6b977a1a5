//! The transforms of what belongs to a terrain, such as chunks: relative to the terrain's entity, or in a cell of its grid.

use super::frame::TerrainPositionItem;
use super::{TerrainOrigin, TerrainPosition};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use bevy::ecs::change_detection::Ref;
use bevy::math::DVec3;
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::{Grid, cell::CellCoord};

/// Where an entity is on the terrain whose child it is. Its transform follows the terrain's origin.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct TerrainPlace {
    /// In the terrain's own coordinates, in metres.
    at: DVec3,
    /// The entity's unit of length, in metres.
    unit: f32,
}

impl TerrainPlace {
    /// The place above or below `at`, at height zero.
    pub const fn level(at: DVec3) -> Self {
        Self { at: DVec3::new(at.x, 0.0, at.z), unit: 1.0 }
    }

    /// A place for an entity whose unit of length is so many metres.
    #[cfg(feature = "render")]
    pub const fn scaled(at: DVec3, unit: f32) -> Self {
        Self { at, unit }
    }

    /// What puts an entity there, on a terrain at this position.
    pub fn on(self, position: &TerrainPositionItem) -> PlacedOnTerrain {
        // Subtract in `f64`: both positions may be far from zero, and their difference must be exact.
        let from_origin = self.at - position.origin.position();
        let transform = |translation| Transform::from_translation(translation).with_scale(Vec3::splat(self.unit));
        #[cfg(feature = "big_space")]
        if let Some(grid) = position.grid {
            let (cell, translation) = grid.translation_to_grid(from_origin);
            return PlacedOnTerrain { place: self, transform: transform(translation), cell: Some(cell) };
        }
        PlacedOnTerrain {
            place: self,
            transform: transform(from_origin.as_vec3()),
            #[cfg(feature = "big_space")]
            cell: None,
        }
    }
}

/// The components that put an entity at its place on a terrain.
pub(crate) struct PlacedOnTerrain {
    place: TerrainPlace,
    transform: Transform,
    #[cfg(feature = "big_space")]
    cell: Option<CellCoord>,
}

impl PlacedOnTerrain {
    /// Spawns an entity there, with the components of `bundle`.
    pub fn spawn(self, world: &mut World, bundle: impl Bundle) -> EntityWorldMut<'_> {
        #[cfg_attr(not(feature = "big_space"), expect(unused_mut, reason = "there are no cells"))]
        let mut entity = world.spawn((bundle, self.place, self.transform));
        #[cfg(feature = "big_space")]
        if let Some(cell) = self.cell.filter(|_| !entity.is_despawned()) {
            entity.insert(cell);
        }
        entity
    }

    /// Puts an entity there.
    pub fn put(self, entity: &mut EntityCommands) {
        entity.try_insert((self.place, self.transform));
        #[cfg(feature = "big_space")]
        if let Some(cell) = self.cell {
            entity.try_insert(cell);
        }
    }
}

/// Filters terrains on which everything needs new transforms: the origin changed, or the terrain got a grid.
#[cfg(feature = "big_space")]
pub(crate) type MovedTerrain = Or<(Changed<TerrainOrigin>, Added<Grid>)>;
#[cfg(not(feature = "big_space"))]
pub(crate) type MovedTerrain = Changed<TerrainOrigin>;

/// Updates the transforms of everything on terrains whose origin changed.
pub(in crate::stream) fn follow_origins(
    mut commands: Commands,
    terrains: Query<(TerrainPosition, Ref<TerrainOrigin>), MovedTerrain>,
    placed: Query<(Entity, &ChildOf, &TerrainPlace)>,
    mut stats: ResMut<TerrainStats>,
) {
    // On a terrain that was just spawned is nothing.
    if terrains.iter().all(|(_, origin)| origin.is_added()) {
        return;
    }
    stats.time(TerrainSystems::Apply, |_| {
        for (entity, terrain, place) in &placed {
            if let Ok((position, _)) = terrains.get(terrain.parent()) {
                place.on(&position).put(&mut commands.entity(entity));
            }
        }
    });
}
