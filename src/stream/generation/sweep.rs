//! Which of the chunks that are there nobody wants any more.

use super::{Generation, LoadedChunk};
use crate::chunk::ChunkCoord;

/// Looks at the chunks that are there, so many in a frame: to look at all of them, some thousands, takes half a millisecond, and
/// that in the very frame in which a viewer moved far.
#[derive(Default)]
pub(super) struct Sweep {
    /// The chunks still to be looked at.
    left: Vec<ChunkCoord>,
    /// Other chunks are wanted, or drawn, than when all were last listed.
    pub is_outdated: bool,
}

impl Sweep {
    /// So many chunks are looked at in a frame.
    const A_FRAME: usize = 512;

    /// Whether all were looked at since something changed.
    pub const fn is_done(&self) -> bool {
        self.left.is_empty() && !self.is_outdated
    }
}

impl Generation {
    /// Takes out some of the chunks that are not wanted, other than those that `stays` says, and hands them to `remove`: all of
    /// them within some frames. Does nothing while the same chunks are wanted, unless the others that stay changed.
    pub fn remove_unwanted(
        &mut self,
        stays: impl Fn(ChunkCoord) -> bool,
        stays_changed: bool,
        mut remove: impl FnMut(LoadedChunk),
    ) {
        let Self { chunks, wanted, sweep, .. } = self;
        sweep.is_outdated |= stays_changed;
        if sweep.left.is_empty() && std::mem::take(&mut sweep.is_outdated) {
            sweep.left.extend(chunks.keys());
        }
        for coord in sweep.left.drain(sweep.left.len().saturating_sub(Sweep::A_FRAME)..) {
            if !wanted.contains(coord)
                && !stays(coord)
                && let Some(chunk) = chunks.remove(&coord)
            {
                remove(chunk);
            }
        }
    }
}
