//! The borders of meshes follow the levels of their neighbors.
//!
//! A mesh is uploaded once. When a neighbor becomes coarser or finer, only the triangles that touch the chunk's border
//! change, which come last among its indices: some 3 KB of a chunk of 64 quads, written in place into the buffer that Bevy
//! keeps the indices of many meshes in. A change to the mesh asset would upload all of it, ten times as many indices and all
//! vertices, and meshes that live on the graphics card alone could not change at all.

use crate::chunk::{StitchMask, ring_indices, ring_start};
use crate::stream::{ChunkStitchMask, TerrainStats, TerrainSystems};
use bevy::asset::AssetId;
use bevy::ecs::change_detection::Ref;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::mesh::RenderMesh;
use bevy::render::mesh::allocator::MeshAllocator;
use bevy::render::render_asset::ExtractedAssets;
use bevy::render::renderer::RenderQueue;
use std::ops::Range;

/// The edges that the triangles of a chunk's mesh are to have.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeshStitchMask {
    /// The mesh that was made for the chunk. A game may have put another in its place, which is its own.
    mesh: AssetId<Mesh>,
    /// Vertices along each side of the chunk.
    side: u32,
    now: StitchMask,
}

impl MeshStitchMask {
    /// Those of a new mesh, of a chunk with `side` vertices along each side.
    pub const fn new(mesh: AssetId<Mesh>, side: u32) -> Self {
        Self { mesh, side, now: StitchMask::NONE }
    }

    /// Bytes of the triangles that touch the chunk's border.
    fn border_bytes(&self) -> u64 {
        let quads = self.side.saturating_sub(1) as usize;
        let indices = (6 * quads * quads).saturating_sub(ring_start(self.side));
        (indices * size_of::<u16>()) as u64
    }
}

/// Notes which meshes must change.
pub(super) fn follow_edges(
    mut chunks: Query<(&ChunkStitchMask, &mut MeshStitchMask), Changed<ChunkStitchMask>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |stats| {
        for (&ChunkStitchMask(edges), mut mesh) in &mut chunks {
            // What was shown before with the same edges is told of them again: nothing changes.
            if mesh.now != edges {
                mesh.now = edges;
                stats.bytes_uploaded += mesh.border_bytes();
            }
        }
    });
}

/// The edges that are to be written: for each mesh, the vertices along its side and the edges.
#[derive(Resource, Default)]
pub(super) struct PendingStitchMasks(HashMap<AssetId<Mesh>, (u32, StitchMask)>);

/// Takes over what changed.
pub(super) fn extract_edges(
    mut pending: ResMut<PendingStitchMasks>,
    chunks: Extract<Query<(&Mesh3d, Ref<MeshStitchMask>), Changed<MeshStitchMask>>>,
) {
    for (mesh, edges) in &chunks {
        // A new mesh is made without edges, and most chunks have none.
        let is_new = edges.is_added() && edges.now == StitchMask::NONE;
        if !is_new && mesh.id() == edges.mesh {
            pending.0.insert(edges.mesh, (edges.side, edges.now));
        }
    }
}

/// Writes the borders of the meshes that changed. Those that have no place in a buffer yet wait for it.
pub(super) fn write_edges(
    mut pending: ResMut<PendingStitchMasks>,
    extracted: Res<ExtractedAssets<RenderMesh>>,
    allocator: Res<MeshAllocator>,
    queue: Res<RenderQueue>,
) {
    for mesh in &extracted.removed {
        pending.0.remove(mesh);
    }
    pending.0.retain(|mesh, &mut (side, edges)| {
        let Some(indices) = allocator.mesh_index_slice(mesh) else {
            return true;
        };
        match border(side, edges, &indices.range) {
            Some((offset, bytes)) => queue.write_buffer(indices.buffer, offset, &bytes),
            None => debug_assert!(false, "the mesh of a chunk has other indices than its side says"),
        }
        false
    });
}

/// Where in a buffer the border of a mesh lies, in bytes, and what to write there. Its indices, of 16 bits, lie in `range`.
///
/// `None` where the range is not that of a chunk with `side` vertices a side, or can't be written to.
fn border(side: u32, edges: StitchMask, range: &Range<u32>) -> Option<(u64, Vec<u8>)> {
    let ring = ring_indices(side, edges);
    let start = ring_start(side);
    let offset = 2 * (u64::from(range.start) + start as u64);
    let bytes: Vec<u8> = ring.into_iter().flat_map(u16::to_ne_bytes).collect();
    let fits = range.len() == start + bytes.len() / 2;
    // A buffer is written in words of 4 bytes. Bevy begins a mesh on such a word; the numbers of indices are even.
    let is_aligned = offset.is_multiple_of(4) && bytes.len().is_multiple_of(4);
    (fits && is_aligned).then_some((offset, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::triangle_indices;

    #[test]
    fn a_border_that_is_written_in_place_makes_the_triangles_of_the_other_edges() {
        for side in [9, 17, 33, 65, 129] {
            for edges in StitchMask::all() {
                let before: Vec<u8> =
                    triangle_indices(side, StitchMask::NONE).into_iter().flat_map(u16::to_ne_bytes).collect();
                // Somewhere in the middle of a buffer.
                let first = 6 * 64;
                let range = first..first + before.len() as u32 / 2;
                let mut buffer = vec![0; 2 * first as usize];
                buffer.extend(before);
                let (offset, bytes) = border(side, edges, &range).expect("it can be written");
                buffer[offset as usize..offset as usize + bytes.len()].copy_from_slice(&bytes);
                let after: Vec<u8> = triangle_indices(side, edges).into_iter().flat_map(u16::to_ne_bytes).collect();
                assert_eq!(buffer[2 * first as usize..], after, "{side} vertices a side, {edges:?}");
            }
        }
    }

    #[test]
    fn a_mesh_follows_the_edges_of_its_chunk() {
        let mut app = App::new();
        app.init_resource::<TerrainStats>().add_systems(Update, follow_edges);
        let edges = StitchMask::all().nth(5).expect("there are sixteen");
        let mesh = MeshStitchMask::new(AssetId::default(), 17);
        let chunk = app.world_mut().spawn((ChunkStitchMask(StitchMask::NONE), mesh)).id();
        for wanted in [StitchMask::NONE, edges, edges, StitchMask::NONE] {
            app.world_mut().entity_mut(chunk).insert(ChunkStitchMask(wanted));
            app.update();
            let expected = MeshStitchMask { now: wanted, ..mesh };
            assert_eq!(app.world().get(chunk), Some(&expected));
        }
        let indices = triangle_indices(17, edges).len() as u32;
        let (_, bytes) = border(17, edges, &(0..indices)).expect("it can be written");
        let uploaded = app.world().resource::<TerrainStats>().bytes_uploaded;
        assert_eq!(uploaded, 2 * bytes.len() as u64, "there and back");
    }

    #[test]
    fn nothing_is_written_where_it_does_not_belong() {
        let whole = triangle_indices(17, StitchMask::NONE).len() as u32;
        assert!(border(17, StitchMask::NONE, &(0..whole)).is_some());
        assert_eq!(border(17, StitchMask::NONE, &(0..whole - 6)), None, "a mesh with fewer indices");
        assert_eq!(border(9, StitchMask::NONE, &(0..whole)), None, "a mesh with more indices");
        assert_eq!(border(17, StitchMask::NONE, &(1..whole + 1)), None, "a mesh that does not begin on a word");
    }
}
