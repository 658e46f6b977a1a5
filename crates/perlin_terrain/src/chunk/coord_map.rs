//! Maps and sets of chunks with a fast hash.

use super::ChunkCoord;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map from chunks to values.
pub type CoordMap<V> = HashMap<ChunkCoord, V, BuildHasherDefault<CoordHasher>>;

/// A set of chunks.
pub type CoordSet = HashSet<ChunkCoord, BuildHasherDefault<CoordHasher>>;

/// Mixes the three numbers of a [`ChunkCoord`].
///
/// The standard hasher withstands an attacker who chooses the keys; here nobody does, and a selection asks thousands of
/// times. Nothing but the speed of lookups depends on the hash: whoever needs an order sorts.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoordHasher(u64);

impl CoordHasher {
    fn mix(&mut self, word: u64) {
        // 2^64 over the golden ratio, odd: multiplying by it spreads neighboring numbers over all high bits.
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for CoordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte.into());
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    fn write_i64(&mut self, number: i64) {
        self.mix(number.cast_unsigned());
    }

    fn finish(&self) -> u64 {
        // The table takes its slot from the low bits, which a product mixes least.
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::BuildHasher;

    #[test]
    fn neighboring_chunks_spread_over_slots() {
        let hasher = BuildHasherDefault::<CoordHasher>::default();
        let mut slots = vec![0; 1024];
        for level in 0..4 {
            for x in -16..16 {
                for z in -16..16 {
                    slots[hasher.hash_one(ChunkCoord { level, x, z }) as usize % 1024] += 1;
                }
            }
        }
        // 4 on average; a random function has hardly ever more than 16 in a slot.
        assert!(slots.iter().all(|&chunks| chunks <= 16), "{:?}", slots.iter().max());
    }
}
