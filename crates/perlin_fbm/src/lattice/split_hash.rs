//! Lattice: one integer hash for each node, split into components.

use super::hash::{PRIMES, key};
use super::{IntegerHash, Lattice, fast_hash::octave_seed};

/// Gradients in 1 to 4 dimensions. One [`IntegerHash`] of a node gives all components, 8 bits each: half the hashing of
/// [`HashGradients`](super::HashGradients) in the plane, but only 256 values for each component.
///
/// The hash is `h = hash(59 u + 67 v + 71 w + seed)`. Component `i` is `2 b / 255 - 1`, in \[-1, 1\], where `b` is the number in
/// bits `8 i` to `8 i + 7` of `h`. The hash has 31 bits, so the fourth component has 7 bits and is `2 b / 127 - 1`. Coordinates
/// wrap to 32 bits, so the period is 2^32.
///
/// Prefer [`IntegerHash::Shift`] or [`IntegerHash::ShiftMult`]. The lowest bits of [`IntegerHash::Ward`] depend on the lowest bits
/// of the key alone: with it, the first component has only 128 values and repeats after 256 cells.
///
/// [`Perlin`](crate::Perlin) and [`Fractal`](crate::Fractal) take it, in double precision.
/// [`Noise`](crate::Noise) and settings do not.
///
/// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), section 5.2.1 and equation 97. The
/// source leaves its primes open: these are those of its equation 98. The fourth dimension is ours.
///
/// ```
/// use perlin_fbm::{Fade, IntegerHash, Perlin, SplitHashGradients};
///
/// let noise = Perlin::new(SplitHashGradients::new(IntegerHash::Ward, 0), Fade::Quintic);
/// // Ward's hash of 0 is 1 376 312 589 = 0x5208_dd0d.
/// let byte = |b: u8| 2.0 * f64::from(b) / 255.0 - 1.0;
/// assert_eq!(noise.sample([0.0; 3]).gradient, [byte(0x0d), byte(0xdd), byte(0x08)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitHashGradients {
    hash: IntegerHash,
    seed: i32,
}

impl SplitHashGradients {
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

macro_rules! split_hash_gradients {
    ($($n:literal),+) => {$(
        impl Lattice<$n> for SplitHashGradients {
            #[inline]
            fn gradient(&self, node: [i64; $n]) -> [f64; $n] {
                let hash = self.hash.hash(key(self.seed, node, PRIMES[0]));
                std::array::from_fn(|component| {
                    let largest = if component == 3 { 127 } else { 255 };
                    2.0 * f64::from(hash >> (8 * component) & largest) / f64::from(largest) - 1.0
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

split_hash_gradients!(1, 2, 3, 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_takes_all_its_values_about_as_often() {
        for hash in [IntegerHash::Shift, IntegerHash::ShiftMult] {
            let lattice = SplitHashGradients::new(hash, 1);
            let mut counts = [[0_u32; 256]; 4];
            for i in 0..40_000 {
                let gradient: [f64; 4] = lattice.gradient([i % 200 - 100, i / 200 - 100, i % 7, 1 << 20]);
                for (counts, component) in counts.iter_mut().zip(gradient) {
                    counts[((component + 1.0) * 127.5).round() as usize] += 1;
                }
            }
            for (component, counts) in counts.iter().enumerate() {
                let (values, expected) = if component == 3 { (128, 312.5) } else { (256, 156.25) };
                let used = counts.iter().filter(|&&count| count > 0).count();
                assert_eq!(used, values, "{hash:?}, component {component}");
                // Hashes of regular keys are no random numbers; a value twice as frequent as it should be would show.
                let max = counts.iter().max().map_or(0.0, |&max| f64::from(max));
                assert!(max < 2.0 * expected, "{hash:?}, component {component}: {max} times, {expected} expected");
            }
        }
    }

    #[test]
    fn wards_lowest_byte_is_as_poor_as_documented() {
        let ward = SplitHashGradients::new(IntegerHash::Ward, 9);
        let mut values: Vec<f64> = (0..5000).map(|x| ward.gradient([x])[0]).collect();
        assert!((0..4000).all(|i| values[i] == values[i + 256]));
        values.sort_by(f64::total_cmp);
        values.dedup();
        assert_eq!(values.len(), 128);
    }

    #[test]
    fn fewer_dimensions_have_the_first_components() {
        let lattice = SplitHashGradients::new(IntegerHash::Shift, 3);
        let four: [f64; 4] = lattice.gradient([5, 0, 0, 0]);
        let (line, plane, space) = (lattice.gradient([5]), lattice.gradient([5, 0]), lattice.gradient([5, 0, 0]));
        assert_eq!((line[..].to_vec(), plane[..].to_vec()), (four[..1].to_vec(), four[..2].to_vec()));
        assert_eq!(space[..], four[..3]);
    }

    #[test]
    fn coordinates_wrap_to_32_bits_and_octaves_differ() {
        let lattice = SplitHashGradients::new(IntegerHash::Ward, 0);
        assert_eq!(lattice.gradient([(1_i64 << 32) + 5, -3]), lattice.gradient([5, (1 << 40) - 3]));
        let octave = |index| Lattice::<2>::octave(&lattice, index).gradient([5, 6]);
        assert_ne!(octave(0), lattice.gradient([5, 6]));
        assert_ne!(octave(0), octave(1));
    }
}
