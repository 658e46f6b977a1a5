//! The build queue.

use crate::chunk::ChunkCoord;
use std::cmp::Ordering;

/// The position of a chunk in the queue: the smallest is built first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QueueKey {
    /// Only viewers that just jumped want the chunk.
    pub is_after_jump: bool,
    /// The chunk shortens no view: only detail is missing.
    pub can_wait: bool,
    /// The order among equals: metres of distance, or a [priority](crate::chunk::Viewer::priority) if the chunk can wait.
    pub order: f64,
}

impl QueueKey {
    pub fn compare(&self, other: &Self) -> Ordering {
        let first = |key: &Self| (key.is_after_jump, key.can_wait);
        first(self).cmp(&first(other)).then(self.order.total_cmp(&other.order))
    }
}

/// Chunks to build, by their keys. They are sorted only as far as they are taken: in flight, thousands may wait, and few of
/// them are taken before the next plan.
#[derive(Clone, Debug, Default)]
pub struct BuildQueue {
    /// The last `sorted` of them are in order, the next one last.
    chunks: Vec<(QueueKey, ChunkCoord)>,
    sorted: usize,
}

impl BuildQueue {
    /// So many are sorted at once.
    const BATCH: usize = 64;

    /// How many chunks wait.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether none waits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Replaces the chunks.
    pub(super) fn fill(&mut self, chunks: impl Iterator<Item = (QueueKey, ChunkCoord)>) {
        self.chunks.clear();
        self.chunks.extend(chunks);
        self.sorted = 0;
    }

    /// Takes the next chunk.
    pub fn pop(&mut self) -> Option<ChunkCoord> {
        if self.sorted == 0 {
            self.sort_batch();
        }
        let (_, coord) = self.chunks.pop()?;
        self.sorted -= 1;
        Some(coord)
    }

    fn sort_batch(&mut self) {
        let rest = self.chunks.len().saturating_sub(Self::BATCH);
        if rest > 0 {
            self.chunks.select_nth_unstable_by(rest, later_first);
        }
        self.chunks[rest..].sort_unstable_by(later_first);
        self.sorted = self.chunks.len() - rest;
    }
}

/// Chunks with equal keys have an order too: the same input gives the same order.
fn later_first(a: &(QueueKey, ChunkCoord), b: &(QueueKey, ChunkCoord)) -> Ordering {
    b.0.compare(&a.0).then(b.1.cmp(&a.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::NoiseRng;

    #[test]
    fn chunks_leave_in_the_order_of_their_keys() {
        let mut rng = NoiseRng::new(3, 0);
        for count in [0, 1, 5, 63, 64, 65, 1000] {
            let mut key = || QueueKey {
                is_after_jump: rng.next_unit() > 0.7,
                can_wait: rng.next_unit() > 0.3,
                order: (rng.next_unit() * 50.0).floor(),
            };
            let chunks: Vec<_> = (0..count).map(|x| (key(), ChunkCoord::finest(x, 0))).collect();
            let mut queue = BuildQueue::default();
            queue.fill(chunks.iter().copied());
            let mut expected = chunks;
            let order = |key: &QueueKey| (key.is_after_jump, key.can_wait, key.order as u32);
            expected.sort_by_key(|&(key, coord)| (order(&key), coord));
            assert_eq!(queue.len(), expected.len());
            let taken: Vec<ChunkCoord> = std::iter::from_fn(|| queue.pop()).collect();
            assert_eq!(taken, expected.into_iter().map(|(_, coord)| coord).collect::<Vec<_>>());
        }
    }
}
