//! The look of a layer of the ground close up.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// The look of a layer of the ground close up. The crate makes these textures itself.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum SurfaceTexture {
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

impl SurfaceTexture {
    /// All textures.
    pub const ALL: [Self; 6] = [Self::Sand, Self::Grass, Self::Leaves, Self::Stones, Self::Rock, Self::Snow];
}
