//! Chunks of ground that nobody sees any more: they go when there is time.

use crate::chunk::{ChunkCoord, CoordMap, LEVELS};
use crate::stream::generation::ChunkBody;

/// The chunks, by the ground that they are part of: a place as large as a root. So it is looked at some twenty places, not at
/// thousands of chunks, whether somebody has come back.
#[derive(Default)]
pub(super) struct LeftBehind(CoordMap<Vec<(ChunkCoord, ChunkBody)>>);

impl LeftBehind {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether there is any chunk of `place`.
    pub fn holds(&self, place: ChunkCoord) -> bool {
        self.0.contains_key(&place)
    }

    /// The place, with some chunk of it, in which `coord` lies.
    pub fn place_of(&self, coord: ChunkCoord) -> Option<ChunkCoord> {
        if self.is_empty() {
            return None;
        }
        (coord.level..LEVELS as u8).map(|level| coord.ancestor(level)).find(|&place| self.holds(place))
    }

    /// The chunk `coord`.
    pub fn chunk(&self, coord: ChunkCoord) -> Option<ChunkBody> {
        let mut chunks = self.0.get(&self.place_of(coord)?)?.iter();
        chunks.find_map(|&(here, chunk)| (here == coord).then_some(chunk))
    }

    /// Adds chunks that lie in `place`.
    pub fn add(&mut self, place: ChunkCoord, chunks: impl Iterator<Item = (ChunkCoord, ChunkBody)>) {
        let mut chunks = chunks.peekable();
        if chunks.peek().is_some() {
            self.0.entry(place).or_default().extend(chunks);
        }
    }

    /// Takes out the chunks of all places other than those that `stays` says.
    pub fn take_back(&mut self, stays: impl Fn(ChunkCoord) -> bool) -> CoordMap<ChunkBody> {
        let mut back = CoordMap::default();
        self.0.retain(|&place, chunks| {
            let stays = stays(place);
            if !stays {
                back.extend(chunks.drain(..));
            }
            stays
        });
        back
    }

    /// Takes out any chunk.
    pub fn pop(&mut self) -> Option<(ChunkCoord, ChunkBody)> {
        let (&place, chunks) = self.0.iter_mut().next()?;
        let chunk = chunks.pop();
        if chunks.is_empty() {
            self.0.remove(&place);
        }
        chunk
    }

    /// Takes out the chunk `coord`.
    pub fn remove(&mut self, coord: ChunkCoord) {
        if let Some(place) = self.place_of(coord)
            && let Some(chunks) = self.0.get_mut(&place)
        {
            chunks.retain(|&(here, _)| here != coord);
            if chunks.is_empty() {
                self.0.remove(&place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::*;

    fn drawn(number: i64) -> ChunkBody {
        let entity = Entity::from_raw_u32(number as u32).expect("a number");
        ChunkBody { entity, heights: [0.0; 2] }
    }

    #[test]
    fn every_chunk_goes_once_or_comes_back_with_its_place() {
        let mut left_behind = LeftBehind::default();
        let chunks = (0..400).map(|number| ChunkCoord { level: (number % 2) as u8, x: number / 20, z: number % 20 });
        let mut chunks: Vec<_> = chunks.collect();
        for (number, &chunk) in chunks.iter().enumerate() {
            left_behind.add(chunk.ancestor(3), std::iter::once((chunk, drawn(number as i64))));
        }
        assert_eq!(left_behind.len(), chunks.len());
        for (number, &chunk) in chunks.iter().enumerate() {
            assert_eq!(left_behind.chunk(chunk).map(|chunk| chunk.entity), Some(drawn(number as i64).entity));
            assert_eq!(left_behind.place_of(chunk), Some(chunk.ancestor(3)));
        }
        let mut gone = vec![chunks[17]];
        left_behind.remove(chunks[17]);
        assert!(left_behind.chunk(chunks[17]).is_none() && left_behind.len() == chunks.len() - 1);
        gone.extend((0..50).map_while(|_| left_behind.pop()).map(|(coord, _)| coord));
        let is_west = |place: ChunkCoord| place.x < 1;
        let back = left_behind.take_back(is_west);
        assert!(!back.is_empty() && back.keys().all(|chunk| !is_west(chunk.ancestor(3))));
        assert!(back.keys().all(|&chunk| left_behind.place_of(chunk).is_none() && left_behind.chunk(chunk).is_none()));
        assert!(!left_behind.is_empty());
        gone.extend(std::iter::from_fn(|| left_behind.pop()).map(|(coord, _)| coord));
        assert!(left_behind.is_empty());
        gone.extend(back.into_keys());
        gone.sort_unstable();
        chunks.sort_unstable();
        assert_eq!(gone, chunks);
    }

    #[test]
    fn a_place_goes_with_the_last_of_its_chunks() {
        let mut left_behind = LeftBehind::default();
        let chunk = ChunkCoord::finest(5, 6);
        left_behind.add(chunk.ancestor(2), std::iter::empty());
        assert!(left_behind.is_empty());
        left_behind.add(chunk.ancestor(2), std::iter::once((chunk, drawn(0))));
        left_behind.remove(ChunkCoord::finest(4, 6));
        assert!(left_behind.holds(chunk.ancestor(2)));
        left_behind.remove(chunk);
        assert!(left_behind.is_empty());
    }
}
