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
    /// The trunk that bodies bump into has it. The one that is drawn narrows upward, and has it near the ground.
    #[must_use]
    pub const fn trunk_radius(self, size: f32) -> f32 {
        match self {
            Self::Conifer => 0.019 * size,
            Self::Broadleaf => 0.027 * size,
            Self::Umbrella => 0.024 * size,
            Self::Bush | Self::Stone | Self::Empty => 0.0,
        }
    }
}

impl PlantKind {
    /// The kinds that are drawn, in the order of their pictures.
    pub const DRAWN: [Self; 5] = [Self::Conifer, Self::Broadleaf, Self::Umbrella, Self::Bush, Self::Stone];

    /// The linear color of leaves in bright light, or of stone. Black if nothing is drawn.
    #[must_use]
    pub const fn color(self) -> [f32; 3] {
        match self {
            Self::Conifer => [0.036, 0.068, 0.030],
            Self::Broadleaf => [0.085, 0.135, 0.034],
            Self::Umbrella => [0.085, 0.12, 0.04],
            Self::Bush => [0.075, 0.115, 0.032],
            Self::Stone => [0.22, 0.205, 0.185],
            Self::Empty => [0.0; 3],
        }
    }

    /// The index among those that are drawn.
    #[must_use]
    pub fn number(self) -> Option<usize> {
        Self::DRAWN.iter().position(|&kind| kind == self)
    }
}
