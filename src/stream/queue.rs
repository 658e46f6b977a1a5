//! Chunks that wait for their turn.

use crate::chunk::ChunkCoord;
use std::cmp::Ordering;

/// Chunks by their urgency. Their order is found out as far as they are asked for: in flight, many are lined up and few of them taken
/// before all are lined up anew.
#[derive(Default)]
pub(super) struct Queue {
    /// With a number that is less for what is more urgent. The last of them are in order, the most urgent last.
    chunks: Vec<(f64, ChunkCoord)>,
    /// How many are in order.
    ordered: usize,
}

impl Queue {
    /// So many are put in order at once.
    const BATCH: usize = 64;

    #[cfg(test)]
    pub const fn len(&self) -> usize {
        self.chunks.len()
    }

    pub fn clear(&mut self) {
        self.line_up(std::iter::empty());
    }

    /// Takes `chunks` in place of those that were there: with a number that is less for what is more urgent.
    pub fn line_up(&mut self, chunks: impl Iterator<Item = (f64, ChunkCoord)>) {
        self.chunks.clear();
        self.chunks.extend(chunks);
        self.ordered = 0;
    }

    /// One more chunk.
    pub fn add(&mut self, urgency: f64, coord: ChunkCoord) {
        let chunk = (urgency, coord);
        let first = self.chunks.len() - self.ordered;
        let later = self.chunks[first..].partition_point(|other| later_first(other, &chunk).is_lt());
        self.chunks.insert(first + later, chunk);
        // Where it is later than all that are in order, it is one of the others.
        self.ordered += usize::from(later > 0);
    }

    pub fn remove(&mut self, coord: ChunkCoord) {
        if let Some(at) = self.chunks.iter().position(|&(_, queued)| queued == coord) {
            self.ordered -= usize::from(at >= self.chunks.len() - self.ordered);
            self.chunks.remove(at);
        }
    }

    /// Takes the most urgent.
    pub fn pop(&mut self) -> Option<ChunkCoord> {
        if self.ordered == 0 {
            self.order_some();
        }
        let (_, coord) = self.chunks.pop()?;
        self.ordered -= 1;
        Some(coord)
    }

    fn order_some(&mut self) {
        let less_urgent = self.chunks.len().saturating_sub(Self::BATCH);
        if less_urgent > 0 {
            self.chunks.select_nth_unstable_by(less_urgent, later_first);
        }
        self.chunks[less_urgent..].sort_unstable_by(later_first);
        self.ordered = self.chunks.len() - less_urgent;
    }
}

/// Chunks that are equally urgent have an order too: the same input gives the same order.
fn later_first(a: &(f64, ChunkCoord), b: &(f64, ChunkCoord)) -> Ordering {
    b.0.total_cmp(&a.0).then(b.1.cmp(&a.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn chunks_come_in_the_order_of_a_list_that_is_sorted_as_a_whole() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for chunks in [0, 1, 63, 64, 65, 200, 1000] {
            let urgency = |random: &mut ChaCha8Rng| f64::from(random.random_range(0..300_u16));
            let mut sorted: Vec<_> =
                (0..chunks).map(|x| (urgency(&mut random), ChunkCoord::finest(x, -x % 5))).collect();
            let mut queue = Queue::default();
            queue.line_up(sorted.iter().copied());
            sorted.sort_unstable_by(later_first);
            for step in 0..2 * chunks {
                match random.random_range(0..10_u8) {
                    0 => {
                        let coord = ChunkCoord::finest(step, 1_000_000);
                        let chunk = (urgency(&mut random), coord);
                        queue.add(chunk.0, coord);
                        sorted.push(chunk);
                        sorted.sort_unstable_by(later_first);
                    }
                    1 if !sorted.is_empty() => {
                        let (_, gone) = sorted.remove(random.random_range(0..sorted.len()));
                        queue.remove(gone);
                        queue.remove(gone);
                    }
                    _ => assert_eq!(queue.pop(), sorted.pop().map(|(_, coord)| coord), "{chunks} chunks, step {step}"),
                }
                assert_eq!(queue.len(), sorted.len());
            }
        }
    }
}
