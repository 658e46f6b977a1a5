//! Stitches the borders of meshes to coarser neighbors.
//!
//! A mesh is uploaded once. When the level of a neighbor changes, only the triangles at the chunk's border change. Their indices
//! come last, about 3 KB for a chunk of 64 x 64 quads, and are written directly into Bevy's index buffer. Changing the mesh asset
//! would instead upload all vertices and ten times as many indices. It would not work at all for meshes that exist only on the
//! GPU.

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

/// The stitching that a chunk's mesh should have on the GPU.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeshStitchMask {
    /// The mesh that the plugin made. If a game replaces it, this crate leaves the new mesh alone.
    mesh: AssetId<Mesh>,
    /// Vertices along each side of the chunk.
    side: u32,
    mask: StitchMask,
}

impl MeshStitchMask {
    /// The stitching of a new mesh: none. `side` is the number of vertices along each side.
    pub const fn new(mesh: AssetId<Mesh>, side: u32) -> Self {
        Self { mesh, side, mask: StitchMask::NONE }
    }

    /// Bytes of the indices of the border triangles.
    fn border_bytes(&self) -> u64 {
        let quads = self.side.saturating_sub(1) as usize;
        let indices = (6 * quads * quads).saturating_sub(ring_start(self.side));
        (indices * size_of::<u16>()) as u64
    }
}

/// Copies changed stitch masks from chunks to their meshes.
pub(super) fn update_stitching(
    mut chunks: Query<(&ChunkStitchMask, &mut MeshStitchMask), Changed<ChunkStitchMask>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |stats| {
        for (&ChunkStitchMask(mask), mut mesh) in &mut chunks {
            // A chunk that is shown again gets its mask again, often the same.
            if mesh.mask != mask {
                mesh.mask = mask;
                stats.bytes_uploaded += mesh.border_bytes();
            }
        }
    });
}

/// The stitching to write: for each mesh, the vertices along each side and the mask.
#[derive(Resource, Default)]
pub(super) struct PendingStitchMasks(HashMap<AssetId<Mesh>, (u32, StitchMask)>);

/// Extracts changed stitching to the render world.
pub(super) fn extract_stitching(
    mut pending: ResMut<PendingStitchMasks>,
    chunks: Extract<Query<(&Mesh3d, Ref<MeshStitchMask>), Changed<MeshStitchMask>>>,
) {
    for (mesh, stitching) in &chunks {
        // A new mesh has no stitching yet, and most chunks need none.
        let is_new = stitching.is_added() && stitching.mask == StitchMask::NONE;
        if !is_new && mesh.id() == stitching.mesh {
            pending.0.insert(stitching.mesh, (stitching.side, stitching.mask));
        }
    }
}

/// Writes the border indices of changed meshes. A mesh that has no buffer yet waits.
pub(super) fn write_stitching(
    mut pending: ResMut<PendingStitchMasks>,
    extracted: Res<ExtractedAssets<RenderMesh>>,
    allocator: Res<MeshAllocator>,
    queue: Res<RenderQueue>,
) {
    for mesh in &extracted.removed {
        pending.0.remove(mesh);
    }
    pending.0.retain(|mesh, &mut (side, mask)| {
        let Some(indices) = allocator.mesh_index_slice(mesh) else {
            return true;
        };
        match border(side, mask, &indices.range) {
            Some((offset, bytes)) => queue.write_buffer(indices.buffer, offset, &bytes),
            None => debug_assert!(false, "the index count of a chunk's mesh does not match its side"),
        }
        false
    });
}

/// The byte offset of a mesh's border indices in the index buffer, and the bytes to write there. `range` has all 16-bit indices
/// of the mesh.
///
/// Returns `None` if `range` does not fit a chunk with `side` vertices per side, or if it is not aligned for a write.
fn border(side: u32, mask: StitchMask, range: &Range<u32>) -> Option<(u64, Vec<u8>)> {
    let ring = ring_indices(side, mask);
    let start = ring_start(side);
    let offset = 2 * (u64::from(range.start) + start as u64);
    let bytes: Vec<u8> = ring.into_iter().flat_map(u16::to_ne_bytes).collect();
    let fits = range.len() == start + bytes.len() / 2;
    // Buffer writes must be aligned to 4 bytes. Bevy aligns meshes so, and the index counts are even.
    let is_aligned = offset.is_multiple_of(4) && bytes.len().is_multiple_of(4);
    (fits && is_aligned).then_some((offset, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::triangle_indices;

    #[test]
    fn writing_the_border_gives_the_triangles_of_the_new_mask() {
        for side in [9, 17, 33, 65, 129] {
            for mask in StitchMask::all() {
                let before: Vec<u8> =
                    triangle_indices(side, StitchMask::NONE).into_iter().flat_map(u16::to_ne_bytes).collect();
                // The mesh lies in the middle of a buffer.
                let first = 6 * 64;
                let range = first..first + before.len() as u32 / 2;
                let mut buffer = vec![0; 2 * first as usize];
                buffer.extend(before);
                let (offset, bytes) = border(side, mask, &range).expect("the range is valid");
                buffer[offset as usize..offset as usize + bytes.len()].copy_from_slice(&bytes);
                let after: Vec<u8> = triangle_indices(side, mask).into_iter().flat_map(u16::to_ne_bytes).collect();
                assert_eq!(buffer[2 * first as usize..], after, "{side} vertices per side, {mask:?}");
            }
        }
    }

    #[test]
    fn a_mesh_gets_the_stitching_of_its_chunk() {
        let mut app = App::new();
        app.init_resource::<TerrainStats>().add_systems(Update, update_stitching);
        let mask = StitchMask::all().nth(5).expect("there are sixteen");
        let mesh = MeshStitchMask::new(AssetId::default(), 17);
        let chunk = app.world_mut().spawn((ChunkStitchMask(StitchMask::NONE), mesh)).id();
        for wanted in [StitchMask::NONE, mask, mask, StitchMask::NONE] {
            app.world_mut().entity_mut(chunk).insert(ChunkStitchMask(wanted));
            app.update();
            let expected = MeshStitchMask { mask: wanted, ..mesh };
            assert_eq!(app.world().get(chunk), Some(&expected));
        }
        let indices = triangle_indices(17, mask).len() as u32;
        let (_, bytes) = border(17, mask, &(0..indices)).expect("the range is valid");
        let uploaded = app.world().resource::<TerrainStats>().bytes_uploaded;
        assert_eq!(uploaded, 2 * bytes.len() as u64, "there and back");
    }

    #[test]
    fn a_range_that_does_not_fit_is_not_written() {
        let whole = triangle_indices(17, StitchMask::NONE).len() as u32;
        assert!(border(17, StitchMask::NONE, &(0..whole)).is_some());
        assert_eq!(border(17, StitchMask::NONE, &(0..whole - 6)), None, "a mesh with fewer indices");
        assert_eq!(border(9, StitchMask::NONE, &(0..whole)), None, "a mesh with more indices");
        assert_eq!(border(17, StitchMask::NONE, &(1..whole + 1)), None, "a mesh that is not aligned");
    }
}
