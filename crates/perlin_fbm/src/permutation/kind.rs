//! The permutations by name.

use super::Permutation;
use crate::NoiseRng;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// The permutation of the lattices `Diagonal`, `Bit` and `Edge`.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum PermutationKind {
    /// Perlin's published permutation: the same noise for every seed.
    ///
    /// It is [`Permutation::perlin`].
    #[default]
    Perlin,
    /// A random permutation for each seed.
    ///
    /// It is [`Permutation::shuffled`].
    Shuffled,
}

impl PermutationKind {
    /// The permutation, shuffled with the next numbers of `rng` if it is random.
    pub(crate) fn permutation(self, rng: &mut NoiseRng) -> Permutation {
        match self {
            Self::Perlin => Permutation::perlin(),
            Self::Shuffled => Permutation::shuffled(rng),
        }
    }
}
