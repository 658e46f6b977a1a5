//! Debug views of the ground.

use bevy::prelude::*;

/// How the ground is drawn: its normal look, or a debug view of its levels of detail or its triangles.
///
/// Affects terrains with a [`TerrainMaterial`](super::TerrainMaterial). A game's own shader can read the view from
/// `terrain.view`, and compare it with `VIEW_LOOK`, `VIEW_LEVELS`, `VIEW_MORPH` and `VIEW_TRIANGLES` of
/// `bevy_perlin_terrain::shared`.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
#[non_exhaustive]
pub enum TerrainView {
    /// The normal look.
    #[default]
    Look = 0,
    /// One color per level of detail.
    Levels = 1,
    /// The morph factor of the vertices: dark blue is 0, the chunk's own level; yellow is 1, the next coarser level.
    Morph = 2,
    /// The lines of the grid of each chunk: rows, columns and diagonals. Bevy's wireframes would show flat grids instead.
    Triangles = 3,
}
