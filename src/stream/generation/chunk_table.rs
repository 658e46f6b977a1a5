//! The chunks of a generation, by where they lie.

use super::LoadedChunk;
use crate::chunk::{ChunkCoord, CoordHasher, CoordMap};
use std::collections::hash_map::IntoIter;
use std::hash::{BuildHasher, BuildHasherDefault};

/// The chunks that are there: a map in many parts.
///
/// A map that is full moves all that it has to a larger one. With thousands of chunks in one, that would take a millisecond of the
/// frame in which it happens.
pub(super) struct ChunkTable {
    parts: [CoordMap<LoadedChunk>; Self::PARTS],
    len: usize,
}

impl Default for ChunkTable {
    fn default() -> Self {
        Self { parts: std::array::from_fn(|_| CoordMap::default()), len: 0 }
    }
}

impl ChunkTable {
    const PARTS: usize = 64;

    /// The part that has `coord`, or would have it.
    fn part_of(coord: ChunkCoord) -> usize {
        let hash = BuildHasherDefault::<CoordHasher>::default().hash_one(coord);
        // Each part tells its chunks apart by the lowest bits and by the highest.
        (hash >> 40) as usize % Self::PARTS
    }

    /// How many chunks there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, coord: ChunkCoord) -> Option<&LoadedChunk> {
        self.parts[Self::part_of(coord)].get(&coord)
    }

    /// Puts a chunk there, in place of the one that was.
    pub fn insert(&mut self, coord: ChunkCoord, chunk: LoadedChunk) {
        let before = self.parts[Self::part_of(coord)].insert(coord, chunk);
        self.len += usize::from(before.is_none());
    }

    pub fn remove(&mut self, coord: ChunkCoord) -> Option<LoadedChunk> {
        let chunk = self.parts[Self::part_of(coord)].remove(&coord);
        self.len -= usize::from(chunk.is_some());
        chunk
    }

    /// All chunks that there are, in no order.
    pub fn coords(&self) -> impl Iterator<Item = ChunkCoord> {
        self.parts.iter().flat_map(|part| part.keys().copied())
    }

    /// All of its parts.
    pub fn into_parts(self) -> impl Iterator<Item = IntoIter<ChunkCoord, LoadedChunk>> {
        self.parts.into_iter().map(CoordMap::into_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBorders, ChunkGeometry};
    use crate::stream::generation::ChunkBody;
    use bevy::prelude::Entity;

    #[test]
    fn a_table_has_what_a_map_has() {
        let (mut table, mut map) = (ChunkTable::default(), CoordMap::default());
        let borders = ChunkBorders::of(&ChunkGeometry::default());
        for number in 0..4000_u32 {
            let place = i64::from(number.wrapping_mul(2_654_435_761) >> 22);
            let coord = ChunkCoord { level: (place % 3) as u8, x: place / 30 - 15, z: place % 30 };
            if number % 3 == 0 {
                assert_eq!(table.remove(coord).map(|chunk| chunk.bytes), map.remove(&coord));
            } else {
                let bytes = number as usize;
                let body = ChunkBody { entity: Entity::PLACEHOLDER, heights: [0.0; 2] };
                table.insert(coord, LoadedChunk { body, bytes, borders: borders.clone() });
                map.insert(coord, bytes);
            }
            assert_eq!(table.len(), map.len());
            assert_eq!(table.get(coord).map(|chunk| chunk.bytes), map.get(&coord).copied());
        }
        assert!(map.len() > 100);
        let [mut coords, mut expected] = [table.coords().collect::<Vec<_>>(), map.keys().copied().collect()];
        coords.sort_unstable();
        expected.sort_unstable();
        assert_eq!(coords, expected);
        let parts: Vec<_> = table.into_parts().collect();
        assert!(parts.iter().filter(|part| part.len() > 0).count() > ChunkTable::PARTS / 2, "spread over all parts");
        let bytes: usize = parts.into_iter().flatten().map(|(_, chunk)| chunk.bytes).sum();
        assert_eq!(bytes, map.values().sum());
    }
}
