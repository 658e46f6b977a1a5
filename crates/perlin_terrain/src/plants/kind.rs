//! Kinds of plants.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// What a plant looks like.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum PlantKind {
    /// A tree with needles and a pointed crown: a spruce, a fir.
    Conifer,
    /// A tree with leaves and a round crown: an oak, a beech.
    #[default]
    Broadleaf,
    /// A tree with a flat, wide crown: an acacia, a pine by the sea.
    Umbrella,
    /// Leaves down to the ground, without a trunk.
    Bush,
    /// A boulder, or a smaller stone.
    Stone,
    /// Nothing that is drawn: places for things of the game.
    Empty,
}

impl PlantKind {
    /// The radius of the trunk of a plant of this kind and `size`, in metres. 0 without a trunk.
    ///
    /// The trunk that is drawn and the one that bodies bump into have it.
    #[must_use]
    pub const fn trunk_radius(self, size: f32) -> f32 {
        match self {
            Self::Conifer | Self::Broadleaf | Self::Umbrella => 0.02 * size + 0.08,
            Self::Bush | Self::Stone | Self::Empty => 0.0,
        }
    }
}
