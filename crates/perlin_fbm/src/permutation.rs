//! Permutation tables: the classic hash of a lattice node.

mod kind;

pub use kind::PermutationKind;

use super::NoiseRng;
use super::cell::MAX_CORNERS;
use std::sync::Arc;

/// Perlin's published permutation of 0..256 (*Improving noise*, SIGGRAPH 2002).
const PERLIN: [u8; 256] = [
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69, 142, 8, 99, 37, 240,
    21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219, 203, 117, 35, 11, 32, 57, 177, 33, 88,
    237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175, 74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83,
    111, 229, 122, 60, 211, 133, 230, 220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161, 1, 216,
    80, 73, 209, 76, 132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173, 186,
    3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212, 207, 206, 59, 227, 47, 16, 58, 17,
    182, 189, 28, 42, 223, 183, 170, 213, 119, 248, 152, 2, 44, 154, 163, 70, 221, 153, 101, 155, 167, 43, 172, 9, 129,
    22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232, 178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193, 238,
    210, 144, 12, 191, 179, 162, 241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157, 184,
    84, 204, 176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93, 222, 114, 67, 29, 24, 72, 243, 141, 128, 195,
    78, 66, 215, 61, 156, 180,
];

/// The error of a table that is not a permutation: one value of 0..256 appears twice, so another is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a permutation of 0 to 255: {repeated} appears twice (again at entry {index}), {missing} is missing")]
#[non_exhaustive]
pub struct PermutationError {
    /// The first value that repeats an earlier one.
    pub repeated: u8,
    /// The index of the entry that repeats it.
    pub index: u8,
    /// The smallest value that is missing.
    pub missing: u8,
}

/// A permutation of 0..256. It is stored twice in a row, so that chained lookups do not have to wrap. Clones share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation(Arc<[u8; 512]>);

impl Permutation {
    /// The permutation with the entries of `table`.
    ///
    /// # Errors
    ///
    /// If a value is in `table` twice, so that another is missing. The error names both.
    ///
    /// ```
    /// use perlin_fbm::{Fade, EdgeGradients, Perlin, Permutation};
    ///
    /// let backwards = Permutation::new(std::array::from_fn(|i| 255 - i as u8))?;
    /// let noise = Perlin::new(EdgeGradients::default().with_permutation(backwards), Fade::Quintic);
    ///
    /// let error = Permutation::new([7; 256]).expect_err("only sevens");
    /// assert_eq!((error.repeated, error.missing), (7, 0));
    /// # Ok::<(), perlin_fbm::PermutationError>(())
    /// ```
    pub fn new(table: [u8; 256]) -> Result<Self, PermutationError> {
        let mut seen = [false; 256];
        let mut repeated = None;
        for (&value, index) in table.iter().zip(0..=255) {
            if std::mem::replace(&mut seen[usize::from(value)], true) {
                repeated = repeated.or(Some((value, index)));
            }
        }
        let missing = (0..=255).zip(seen).find_map(|(value, seen)| (!seen).then_some(value));
        match (repeated, missing) {
            (Some((repeated, index)), Some(missing)) => Err(PermutationError { repeated, index, missing }),
            _ => Ok(Self::doubled(table)),
        }
    }

    /// Perlin's published permutation.
    #[must_use]
    pub fn perlin() -> Self {
        Self::doubled(PERLIN)
    }

    /// A Fisher-Yates shuffle of 0..256: for `i` from 255 down to 1, swap entry `i` and entry
    /// `random % (i + 1)`. The bias of that remainder, 256 in 2^32, is part of the definition.
    #[must_use]
    pub fn shuffled(rng: &mut NoiseRng) -> Self {
        let mut table: [u8; 256] = std::array::from_fn(|i| i as u8);
        for i in (1..256_u32).rev() {
            let j = rng.next_u32() % (i + 1);
            table.swap(i as usize, j as usize);
        }
        Self::doubled(table)
    }

    fn doubled(table: [u8; 256]) -> Self {
        Self(Arc::new(std::array::from_fn(|i| table[i & 255])))
    }

    /// `P[..P[P[u0] + u1].. + u]` with every coordinate masked to 8 bits: the hash of a lattice node in any number of
    /// dimensions, with period 256 along each axis.
    ///
    /// ```
    /// use perlin_fbm::Permutation;
    ///
    /// assert_eq!(Permutation::perlin().hash_n([257, 324, 312]), 155);
    /// ```
    #[inline]
    #[must_use]
    pub fn hash_n<const N: usize>(&self, node: [i64; N]) -> u8 {
        node.iter().fold(0, |hash, &coordinate| self.0[usize::from(hash) + usize::from(coordinate as u8)])
    }

    /// [`hash_n`](Self::hash_n) of the corners of a cell, in the order of [`Lattice::corners`](crate::Lattice::corners). Corners that
    /// agree in their first coordinates share the lookups of these.
    #[inline]
    pub(super) fn hash_corners<const N: usize>(&self, sides: [[i64; 2]; N]) -> [u8; MAX_CORNERS] {
        let mut hashes = [0; MAX_CORNERS];
        for (axis, sides) in sides.into_iter().enumerate() {
            for corner in 0..1_usize << axis {
                let row = usize::from(hashes[corner]);
                [hashes[corner], hashes[corner | 1 << axis]] = sides.map(|c| self.0[row + usize::from(c as u8)]);
            }
        }
        hashes
    }

    /// [`hash_n`](Self::hash_n) in the plane.
    #[inline]
    #[must_use]
    pub fn hash(&self, x: i64, y: i64) -> u8 {
        self.hash_n([x, y])
    }

    /// The permutation, twice over.
    #[inline]
    pub(super) fn table(&self) -> &[u8; 512] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_taken_as_it_is_if_it_has_every_value_once() {
        assert_eq!(Permutation::new(PERLIN), Ok(Permutation::perlin()));
        let mut rng = NoiseRng::new(3, 0);
        for _ in 0..50 {
            let shuffled = Permutation::shuffled(&mut rng);
            let table = std::array::from_fn(|i| shuffled.table()[i]);
            assert_eq!(Permutation::new(table), Ok(shuffled));
            let [from, to] = [0; 2].map(|_| rng.next_u32() as usize % 256);
            let mut wrong = table;
            wrong[to] = table[from];
            let expected = PermutationError { repeated: table[from], index: from.max(to) as u8, missing: table[to] };
            assert_eq!(Permutation::new(wrong).err(), (from != to).then_some(expected));
        }
    }

    #[test]
    fn the_error_names_the_first_repeated_and_the_smallest_missing_value() {
        let mut table = PERLIN;
        (table[3], table[7], table[9]) = (160, 160, 137);
        let error = Permutation::new(table).expect_err("160 is there three times");
        assert_eq!(
            error.to_string(),
            "not a permutation of 0 to 255: 160 appears twice (again at entry 3), 13 is missing"
        );
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_depends_on_the_seed() {
        let shuffled = |seed| Permutation::shuffled(&mut NoiseRng::new(seed, 0));
        for seed in 0..32 {
            let table = *shuffled(seed).table();
            let mut seen = [false; 256];
            for &value in &table[..256] {
                seen[usize::from(value)] = true;
            }
            assert!(seen.iter().all(|&s| s), "seed {seed} repeats an entry");
            assert_eq!(table[..256], table[256..], "the second half repeats the first");
        }
        assert_ne!(shuffled(1), shuffled(2));
        assert_eq!(shuffled(1), shuffled(1));
    }

    #[test]
    fn the_hash_has_period_256_on_both_sides_of_zero() {
        let table = Permutation::perlin();
        for (x, y) in [(0, 0), (-1, 5), (-300, 255), (77, -513)] {
            assert_eq!(table.hash(x, y), table.hash(x + 256, y - 512));
            assert_eq!(table.hash_n([x, y, x, y]), table.hash_n([x - 256, y, x + 512, y + 256]));
        }
    }
}
