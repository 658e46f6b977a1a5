//! Views of the ground for whoever works on it.

use bevy::prelude::*;

/// What the ground shows: its look, or something about its levels of detail.
///
/// For terrains with a [`TerrainMaterial`](super::TerrainMaterial); a material of a game's own finds the view in
/// `terrain_morph.view`, by the numbers below.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
pub enum TerrainView {
    /// The look of the ground.
    #[default]
    Look = 0,
    /// Each level of detail in a color of its own.
    Levels = 1,
    /// How far the vertices have moved onto the next coarser level: from dark blue, not at all, to yellow, all the way.
    Morph = 2,
}
