//! The permutations by name.

use super::Permutation;
use crate::noise::NoiseRng;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// The permutation of the lattices `Diagonals`, `PermutationBits` and `Perlin2002`.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum PermutationKind {
    /// Perlin's published permutation: the same ground for every seed.
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
    pub(in crate::noise) fn permutation(self, rng: &mut NoiseRng) -> Permutation {
        match self {
            Self::Perlin => Permutation::perlin(),
            Self::Shuffled => Permutation::shuffled(rng),
        }
    }
}
