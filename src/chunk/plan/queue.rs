//! The build queue.

use crate::chunk::ChunkCoord;
use std::cmp::Ordering;

/// Chunks to build, by priority. They are sorted only as far as they are taken: in flight, thousands may wait, and few of
/// them are taken before the next plan.
#[derive(Clone, Debug, Default)]
pub struct BuildQueue {
    /// The last `sorted` of them are in order, the next one last.
    chunks: Vec<(f64, ChunkCoord)>,
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

    /// Replaces the chunks. Those with the least priority value come first.
    pub(super) fn fill(&mut self, chunks: impl Iterator<Item = (f64, ChunkCoord)>) {
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

/// Chunks of equal priority have an order too: the same input gives the same order.
fn later_first(a: &(f64, ChunkCoord), b: &(f64, ChunkCoord)) -> Ordering {
    b.0.total_cmp(&a.0).then(b.1.cmp(&a.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::NoiseRng;

    #[test]
    fn chunks_leave_in_the_order_of_their_priority() {
        let mut rng = NoiseRng::new(3, 0);
        for count in [0, 1, 5, 63, 64, 65, 1000] {
            let chunks: Vec<(f64, ChunkCoord)> =
                (0..count).map(|x| ((rng.next_unit() * 50.0).floor(), ChunkCoord::finest(x, 0))).collect();
            let mut queue = BuildQueue::default();
            queue.fill(chunks.iter().copied());
            let mut expected = chunks;
            expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(queue.len(), expected.len());
            let taken: Vec<ChunkCoord> = std::iter::from_fn(|| queue.pop()).collect();
            assert_eq!(taken, expected.into_iter().map(|(_, coord)| coord).collect::<Vec<_>>());
        }
    }
}
