//! Chunks of ground that nobody sees any more: they go when there is time.

use crate::chunk::{ChunkCoord, CoordMap};

/// The chunks, by the ground that they are part of: a place as large as a root. So it is looked at some twenty places, not at
/// thousands of chunks, whether somebody has come back.
#[derive(Default)]
pub(super) struct LeftBehind(CoordMap<Vec<ChunkCoord>>);

impl LeftBehind {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is any chunk of `place`.
    pub fn holds(&self, place: ChunkCoord) -> bool {
        self.0.contains_key(&place)
    }

    /// Adds a chunk that lies in `place`.
    pub fn add(&mut self, place: ChunkCoord, chunk: ChunkCoord) {
        self.0.entry(place).or_default().push(chunk);
    }

    /// Takes out the chunks of all places other than those that `stays` says.
    pub fn take_back(&mut self, stays: impl Fn(ChunkCoord) -> bool) -> Vec<ChunkCoord> {
        let mut back = Vec::new();
        self.0.retain(|&place, chunks| {
            let stays = stays(place);
            if !stays {
                back.append(chunks);
            }
            stays
        });
        back
    }

    /// Takes out any chunk.
    pub fn pop(&mut self) -> Option<ChunkCoord> {
        let (&place, chunks) = self.0.iter_mut().next()?;
        let chunk = chunks.pop();
        if chunks.is_empty() {
            self.0.remove(&place);
        }
        chunk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_goes_once_or_comes_back_with_its_place() {
        let mut left_behind = LeftBehind::default();
        let chunks = (0..400).map(|number| ChunkCoord { level: (number % 2) as u8, x: number / 20, z: number % 20 });
        let chunks: Vec<_> = chunks.collect();
        for &chunk in &chunks {
            left_behind.add(chunk.ancestor(3), chunk);
        }
        let mut gone: Vec<_> = (0..50).map_while(|_| left_behind.pop()).collect();
        let is_west = |place: ChunkCoord| place.x < 1;
        let back = left_behind.take_back(is_west);
        assert!(!back.is_empty() && back.iter().all(|chunk| !is_west(chunk.ancestor(3))));
        assert!(back.iter().all(|chunk| !left_behind.holds(chunk.ancestor(3))));
        assert!(!left_behind.is_empty());
        gone.extend(std::iter::from_fn(|| left_behind.pop()));
        assert!(left_behind.is_empty());
        gone.extend(back);
        gone.sort_unstable();
        let mut chunks = chunks;
        chunks.sort_unstable();
        assert_eq!(gone, chunks);
    }
}
