//! The permutations by name.

use super::Permutation;
use crate::noise::NoiseRng;
use crate::param::choice;
use serde::{Deserialize, Serialize};

/// The permutation of the lattices `Diagonals`, `PermutationBits` and `Perlin2002`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum PermutationKind {
    /// [`Permutation::perlin`]: Perlin's published permutation. The lattice has no seed, and its values are published.
    #[default]
    Perlin,
    /// [`Permutation::shuffled`]: a random permutation for each seed.
    Shuffled,
}

choice!(PermutationKind {
    Perlin: "Perlin's published permutation: the same ground for every seed.",
    Shuffled: "A random permutation for each seed.",
});

impl PermutationKind {
    /// The permutation, shuffled with the next numbers of `rng` if it is random.
    pub(in crate::noise) fn permutation(self, rng: &mut NoiseRng) -> Permutation {
        match self {
            Self::Perlin => Permutation::perlin(),
            Self::Shuffled => Permutation::shuffled(rng),
        }
    }
}
