//! Memory for vectors: reused from one fill to the next, and aligned to cache lines.

/// Numbers of four bytes in one cache line of 64, which the widest vector fills.
const LINE: usize = 16;

/// Reusable memory for numbers of four bytes or eight.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffer<T> {
    memory: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Buffer<T> {
    /// Makes room for `length` numbers. What they are is left open. Allocates only when there was never room for as many.
    pub fn resize(&mut self, length: usize) {
        if self.memory.len() < length + LINE {
            // A grid of the same size at another position may touch a few nodes more.
            self.memory.resize(length + length / 4 + 2 * LINE, T::default());
        }
        // A vector across two cache lines takes twice as long to load.
        self.start = self.memory.as_ptr().align_offset(64).min(LINE);
        self.length = length;
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        &self.memory[self.start..self.start + self.length]
    }

    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.memory[self.start..self.start + self.length]
    }
}
