//! The components of plants that are entities.

use super::{Plant, PlantCollider};
use bevy::prelude::*;

/// A plant near a viewer or a body, or a stone.
///
/// Observe `On<Add<TerrainPlant>>` to give it a model, and `On<Remove<TerrainPlant>>` for its end. Its `Transform` has its foot
/// and its yaw; the size is in [`plant`](Self::plant). It is a child of its tile, so use its `GlobalTransform` for its place in the world,
/// or [`TerrainPlants::transform`](super::TerrainPlants::transform).
///
/// A plant that changes, such as its foot after an edit of the ground, keeps its entity. `On<Insert<TerrainPlant>>` is sent for a new
/// plant and for each change.
///
/// To remove the plant for good, call [`TerrainPlants::remove`](super::TerrainPlants::remove). If something else despawns it, it is back
/// when a viewer returns.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TerrainPlant {
    /// The terrain on which it stands.
    pub terrain: Entity,
    /// The index of its layer in [`TerrainSettings::plants`](crate::settings::TerrainSettings::plants).
    pub layer: usize,
    /// The plant, in the terrain's own coordinates.
    pub plant: Plant,
    /// What bodies bump into, in metres of the terrain. `None` if they pass through it.
    pub collider: Option<PlantCollider>,
}
