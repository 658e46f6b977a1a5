//! Lattice: each gradient component is an integer hash.

use super::{IntegerHash, Lattice, fast_hash::octave_seed};

/// Gradients in 1 to 4 dimensions. Each component is an [`IntegerHash`] of a linear combination of the node's coordinates.
///
/// A component at node `(u, v, w)` is `2 hash(a u + b v + c w + seed) / (2^31 - 1) - 1`, in \[-1, 1\]. The primes `(a, b, c)`
/// are (59, 67, 71) for x, (73, 79, 83) for y and (89, 97, 101) for z. Fewer dimensions use the first of them. Coordinates wrap
/// to 32 bits, so the period is 2^32. The primes of a fourth dimension, and a seed for each offset octave, are ours.
///
/// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), equations 98 to 101.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashGradients {
    hash: IntegerHash,
    seed: i32,
}

/// Row by row the factors of x, y, z and w in the key of each component. Those of three dimensions are the source's; the last
/// row and the last column are the next larger primes, and ours.
pub(crate) const PRIMES: [[i32; 4]; 4] =
    [[59, 67, 71, 103], [73, 79, 83, 107], [89, 97, 101, 109], [113, 127, 131, 137]];

/// The key that is hashed for `node`: `seed` plus each coordinate times a prime, in wrapping arithmetic.
#[inline]
pub(super) fn key<const N: usize>(seed: i32, node: [i64; N], primes: [i32; 4]) -> i32 {
    let terms = node.iter().zip(primes);
    terms.fold(seed, |key, (&coordinate, prime)| key.wrapping_add((coordinate as i32).wrapping_mul(prime)))
}

impl HashGradients {
    /// The lattice of `seed`.
    #[must_use]
    pub const fn new(hash: IntegerHash, seed: i32) -> Self {
        Self { hash, seed }
    }

    /// The hash function.
    #[must_use]
    pub const fn hash(&self) -> IntegerHash {
        self.hash
    }

    /// The seed, which is added to every key.
    #[must_use]
    pub const fn seed(&self) -> i32 {
        self.seed
    }
}

macro_rules! hash_gradients {
    ($($n:literal),+) => {$(
        impl Lattice<$n> for HashGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                std::array::from_fn(|component| {
                    let hash = self.hash.hash(key(self.seed, node, PRIMES[component]));
                    2.0 * f64::from(hash) / f64::from(i32::MAX) - 1.0
                })
            }

            fn max_length(&self) -> f64 {
                f64::sqrt($n as f64)
            }

            fn octave(&self, index: u32) -> Self {
                Self::new(self.hash, octave_seed(self.seed as u32, index) as i32)
            }
        }
    )+};
}

hash_gradients!(1, 2, 3, 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_have_primes_of_their_own() {
        let mut primes: Vec<i32> = PRIMES.into_iter().flatten().collect();
        primes.sort_unstable();
        primes.dedup();
        assert_eq!(primes.len(), 16);
        assert!(primes.iter().all(|&prime| (2..prime).all(|factor| prime % factor != 0)));
    }

    #[test]
    fn fewer_dimensions_use_the_leading_primes() {
        let lattice = HashGradients::new(IntegerHash::Shift, 3);
        let space: [f64; 3] = lattice.gradient([5, -7, 0]);
        let plane: [f64; 2] = lattice.gradient([5, -7]);
        assert_eq!(plane, space[..2]);
    }

    #[test]
    fn coordinates_wrap_to_32_bits() {
        let lattice = HashGradients::new(IntegerHash::Ward, 0);
        assert_eq!(lattice.gradient([(1_i64 << 32) + 5, -3]), lattice.gradient([5, (1 << 40) - 3]));
    }

    #[test]
    fn seeds_and_octaves_change_the_gradients() {
        let at = |lattice: HashGradients| Lattice::<2>::gradient(&lattice, [5, 6]);
        for hash in [IntegerHash::Ward, IntegerHash::Shift, IntegerHash::ShiftMult] {
            let lattice = HashGradients::new(hash, 3);
            assert_ne!(at(lattice), at(HashGradients::new(hash, 4)));
            assert_ne!(at(Lattice::<2>::octave(&lattice, 0)), at(lattice));
            assert_ne!(at(Lattice::<2>::octave(&lattice, 0)), at(Lattice::<2>::octave(&lattice, 1)));
        }
    }
}
