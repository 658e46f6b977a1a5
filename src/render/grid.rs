//! The mesh that all chunks share, and the tag that tells them apart.

use super::height_atlas::ChunkSlot;
use crate::chunk::{ChunkLayout, StitchMask, triangle_indices};
use crate::stream::{ChunkStitchMask, TerrainChunk, TerrainStats, TerrainSystems};
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, MeshTag, PrimitiveTopology};
use bevy::prelude::*;

/// The flat grids that chunks are drawn with, one for each number of quads. A vertex has its column and its row as x and z.
///
/// Because chunks share a mesh and a material, Bevy draws many of them at once.
#[derive(Resource)]
pub(super) struct ChunkGrids([Handle<Mesh>; 5]);

/// The fewest quads along a side of a chunk. Each other number is twice the one before it.
const FEWEST_QUADS: u32 = 8;

impl ChunkGrids {
    pub fn new(meshes: &mut Assets<Mesh>) -> Self {
        Self([0, 1, 2, 3, 4].map(|power| meshes.add(grid(FEWEST_QUADS << power))))
    }

    /// The grid for chunks of `layout`.
    pub const fn get(&self, layout: &ChunkLayout) -> &Handle<Mesh> {
        &self.0[(layout.quads() / FEWEST_QUADS).ilog2() as usize]
    }
}

fn grid(quads: u32) -> Mesh {
    let vertices = (0..=quads).flat_map(|row| (0..=quads).map(move |column| [column as f32, 0.0, row as f32]));
    // Kept on the GPU alone, so that ray casts against meshes don't hit it where there is no ground.
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vertices.collect::<Vec<_>>())
        .with_inserted_indices(Indices::U16(triangle_indices(quads + 1, StitchMask::NONE)))
}

/// The bits of a tag that have the level.
pub(super) const LEVEL_BITS: u32 = 5;

/// The bits of a tag after the level that have the sides with a coarser neighbor.
pub(super) const EDGE_BITS: u32 = 4;

/// The tag of a chunk. The vertex shader reads it.
pub(super) fn tag(level: u8, edges: StitchMask, slot: u32) -> MeshTag {
    MeshTag::new(u32::from(level) | u32::from(edges.bits()) << LEVEL_BITS | slot << (LEVEL_BITS + EDGE_BITS))
}

/// Stitches chunks whose neighbors have another level now.
pub(super) fn update_tags(
    mut chunks: Query<(&TerrainChunk, &ChunkStitchMask, &ChunkSlot, &mut MeshTag), Changed<ChunkStitchMask>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (chunk, &ChunkStitchMask(edges), slot, mut now) in &mut chunks {
            // A chunk that is shown again gets its mask again, often the same.
            now.set_if_neq(tag(chunk.coord.level, edges, slot.slot));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;

    #[test]
    fn each_layout_has_its_grid() {
        let mut meshes = Assets::default();
        let grids = ChunkGrids::new(&mut meshes);
        for quads in [8, 16, 32, 64, 128] {
            let grid = grids.get(&ChunkLayout::new(&ChunkSettings { quads, ..ChunkSettings::default() }));
            let grid = meshes.get(grid).expect("it is there");
            assert_eq!(grid.count_vertices(), (quads as usize + 1).pow(2));
            let Some(Indices::U16(indices)) = grid.indices() else { panic!("indices of another width") };
            assert_eq!(indices.len(), 6 * (quads as usize).pow(2));
        }
    }

    #[test]
    fn no_part_of_a_tag_reaches_into_another() {
        let highest = StitchMask::all().last().expect("there are sixteen");
        let parts = [tag(31, StitchMask::NONE, 0), tag(0, highest, 0), tag(0, StitchMask::NONE, (1 << 23) - 1)];
        assert_eq!(parts.map(|tag| *tag), [31, 15 << 5, !0 << 9]);
    }
}
