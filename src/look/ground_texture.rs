//! What a layer of the ground looks like close up.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// What a layer of the ground looks like close up. The crate makes these textures itself.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum GroundTexture {
    /// Grains and ripples.
    Sand,
    /// Blades of grass.
    Grass,
    /// Fallen leaves and twigs.
    Leaves,
    /// Loose stones.
    Stones,
    /// Bare rock with cracks.
    Rock,
    /// Snow that wind has packed.
    Snow,
}

impl GroundTexture {
    /// All textures.
    pub const ALL: [Self; 6] = [Self::Sand, Self::Grass, Self::Leaves, Self::Stones, Self::Rock, Self::Snow];
}
