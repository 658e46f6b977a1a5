//! Integer hash functions.

/// A function from 32 bits to 31, in wrapping two's complement arithmetic, so it has the same values everywhere.
///
/// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), section 5.2 and algorithm 6, which
/// takes the first from Greg Ward, *A recursive implementation of the Perlin noise function* (*Graphics Gems II*, 1991).
///
/// ```
/// use perlin_fbm::IntegerHash;
///
/// assert_eq!(IntegerHash::Ward.hash(1), 1_316_808_037);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IntegerHash {
    /// One polynomial of third degree.
    #[default]
    Ward,
    /// Shifts, sums and exclusive ors.
    Shift,
    /// The same with one multiplication by a large prime.
    ShiftMult,
}

impl IntegerHash {
    /// The hash of `key`: from 0 to 2^31 - 1.
    #[inline]
    #[must_use]
    pub const fn hash(self, key: i32) -> i32 {
        let hash = match self {
            Self::Ward => {
                let k = (key << 13) ^ key;
                let square = k.wrapping_mul(k).wrapping_mul(15731).wrapping_add(789_221);
                k.wrapping_mul(square).wrapping_add(1_376_312_589)
            }
            Self::Shift => {
                let k = (!key).wrapping_add(key << 15);
                let k = k ^ logical_shift(k, 12);
                let k = k.wrapping_add(k << 2);
                let k = k ^ logical_shift(k, 4);
                let k = k.wrapping_mul(2057);
                k ^ logical_shift(k, 16)
            }
            Self::ShiftMult => {
                let k = (key ^ 61) ^ logical_shift(key, 16);
                let k = k.wrapping_add(k << 3);
                let k = k ^ logical_shift(k, 4);
                let k = k.wrapping_mul(668_265_261);
                k ^ logical_shift(k, 15)
            }
        };
        hash & i32::MAX
    }
}

/// A shift to the right that fills up with zeros.
#[inline]
const fn logical_shift(k: i32, bits: u32) -> i32 {
    ((k as u32) >> bits) as i32
}

#[cfg(test)]
mod tests {
    use super::IntegerHash;

    #[test]
    fn hashes_of_any_key_are_not_negative() {
        for hash in [IntegerHash::Ward, IntegerHash::Shift, IntegerHash::ShiftMult] {
            for key in [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX].into_iter().chain((0..1000).map(|i| i * 2_000_003))
            {
                assert!(hash.hash(key) >= 0, "{hash:?} of {key}");
            }
        }
    }
}
