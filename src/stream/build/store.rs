//! Where the data of chunks is kept.

use crate::chunk::{ChunkLayout, LodCost};

/// Where the data of loaded chunks is kept, and how much there can be. The default keeps heights in memory without a limit of its own.
pub(crate) trait ChunkStore: Send + Sync {
    /// Bytes that a chunk takes.
    fn bytes_per_chunk(&self, layout: &ChunkLayout) -> u64 {
        LodCost::bytes_per_chunk(layout) as u64
    }

    /// Bytes that all chunks of all terrains can take, whatever the budget allows.
    fn capacity(&self) -> u64 {
        u64::MAX
    }

    /// The number of chunks that can be added now.
    fn free_chunks(&self, _layout: &ChunkLayout) -> usize {
        usize::MAX
    }
}

/// Keeps chunks in main memory: that of a server.
pub(super) struct MainMemory;

impl ChunkStore for MainMemory {}
