//! Chunks that are out of the books and hidden, and are to be removed.

use super::generation::{Generation, LoadedChunk};
use crate::chunk::ChunkCoord;
use bevy::prelude::*;
use std::collections::hash_map::IntoIter;

/// Chunks that are to be removed, some in a frame.
#[derive(Default)]
pub(super) struct Leaving {
    chunks: Vec<LoadedChunk>,
    /// Those of whole generations, where they always were, in parts: to move thousands at once would take a part of a millisecond.
    generations: Vec<IntoIter<ChunkCoord, LoadedChunk>>,
    bytes: usize,
}

impl Leaving {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.chunks.len() + self.generations.iter().map(ExactSizeIterator::len).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of their vertices and indices.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// One more.
    pub fn push(&mut self, chunk: LoadedChunk) {
        self.bytes += chunk.bytes;
        self.chunks.push(chunk);
    }

    /// All that a generation has.
    pub fn push_all(&mut self, generation: &mut Generation) {
        self.bytes += generation.len() * generation.bytes_per_chunk();
        self.generations.extend(generation.take_chunks().filter(|part| part.len() > 0));
    }

    /// Takes out `most` of them, or all, and adds them to those that are `going`.
    pub fn take(&mut self, most: usize, going: &mut Vec<LoadedChunk>) {
        let (before, all) = (going.len(), going.len() + most.min(self.len()));
        going.extend(self.chunks.drain(self.chunks.len().saturating_sub(most)..));
        while going.len() < all
            && let Some(chunks) = self.generations.last_mut()
        {
            going.extend(chunks.take(all - going.len()).map(|(_, chunk)| chunk));
            if chunks.len() == 0 {
                self.generations.pop();
            }
        }
        self.bytes -= going[before..].iter().map(|chunk| chunk.bytes).sum::<usize>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBorders, ChunkGeometry};
    use crate::settings::TerrainSettings;
    use crate::stream::generation::ChunkBody;
    use crate::stream::generation::Source;

    #[test]
    fn all_are_taken_once_and_counted() {
        let mut generation = Generation::new(Source::of(&TerrainSettings::default()));
        let bytes = generation.bytes_per_chunk();
        let chunk = |number: u32| LoadedChunk {
            body: ChunkBody { entity: Entity::from_raw_u32(number).expect("a number"), heights: [0.0; 2] },
            bytes,
            borders: ChunkBorders::of(&ChunkGeometry::default()),
        };
        let mut leaving = Leaving::default();
        for number in 0..30 {
            if number % 10 == 0 {
                leaving.push_all(&mut generation);
            }
            if number < 20 {
                generation.insert(ChunkCoord::finest(i64::from(number), 0), chunk(number), 0.0);
            } else {
                leaving.push(chunk(number));
            }
        }
        assert_eq!(generation.len(), 0);
        let mut taken = Vec::new();
        for most in [0, 7, 11, 100, 100] {
            let left = leaving.len();
            let mut going = Vec::new();
            leaving.take(most, &mut going);
            let some: Vec<Entity> = going.iter().map(|chunk| chunk.body.entity).collect();
            assert_eq!(some.len(), most.min(left));
            assert_eq!((leaving.len(), leaving.bytes()), (left - some.len(), (left - some.len()) * bytes));
            taken.extend(some);
        }
        assert!(leaving.is_empty());
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), 30);
    }
}
