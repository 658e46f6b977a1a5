//! The meshes of chunks, in two layouts.

use crate::chunk::{ChunkGeometry, StitchMask, triangle_indices};
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat};
use bevy::prelude::*;

/// The x and z of two unit normals: that of the vertex, then that of the next coarser level at the vertex. The y follows from
/// them, since ground never overhangs.
pub const ATTRIBUTE_NORMALS: MeshVertexAttribute =
    MeshVertexAttribute::new("Terrain_Normals", 0x7465_7272_6169_6e01, VertexFormat::Snorm16x4);

/// The height of the next coarser level at the vertex, in metres.
pub const ATTRIBUTE_COARSE_HEIGHT: MeshVertexAttribute =
    MeshVertexAttribute::new("Terrain_CoarseHeight", 0x7465_7272_6169_6e02, VertexFormat::Float32);

/// Makes the mesh of a chunk for any material: positions and normals, 24 bytes per vertex, and 16-bit indices.
///
/// With a `usage` of only `RENDER_WORLD`, `Mesh::attribute` panics after the upload; see
/// [`TerrainRenderPlugin`](super::TerrainRenderPlugin).
///
/// Positions are relative to the chunk's north-west corner, so they are precise anywhere in the world. The vertices do not morph,
/// so a new level of detail appears at once. There are no cracks if `edges` is the chunk's
/// [`ChunkStitchMask`](crate::stream::ChunkStitchMask).
#[must_use]
pub fn chunk_mesh(geometry: ChunkGeometry, edges: StitchMask, usage: RenderAssetUsages) -> Mesh {
    let indices = triangle_indices(geometry.side, edges);
    Mesh::new(PrimitiveTopology::TriangleList, usage)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, geometry.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, geometry.normals)
        .with_inserted_indices(Indices::U16(indices))
}

/// Makes the mesh of a chunk for materials with [`TerrainMorph`](super::TerrainMorph): positions, [`ATTRIBUTE_NORMALS`] and
/// [`ATTRIBUTE_COARSE_HEIGHT`], 24 bytes per vertex, and 16-bit indices.
#[must_use]
pub fn morphing_chunk_mesh(geometry: ChunkGeometry, edges: StitchMask, usage: RenderAssetUsages) -> Mesh {
    let indices = triangle_indices(geometry.side, edges);
    let normals = packed_normals(&geometry);
    Mesh::new(PrimitiveTopology::TriangleList, usage)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, geometry.positions)
        .with_inserted_attribute(ATTRIBUTE_NORMALS, VertexAttributeValues::Snorm16x4(normals))
        .with_inserted_attribute(ATTRIBUTE_COARSE_HEIGHT, geometry.coarse_heights)
        .with_inserted_indices(Indices::U16(indices))
}

/// Both normals of every vertex, packed as [`ATTRIBUTE_NORMALS`].
///
/// On a border, the normal of a chunk has the same bits as the coarse normal of its finer neighbor. So do the packed normals.
fn packed_normals(geometry: &ChunkGeometry) -> Vec<[i16; 4]> {
    // The precision is 0.002 degrees on level ground, too little to be visible.
    let pack = |part: f32| (part.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
    let normals = geometry.normals.iter().zip(&geometry.coarse_normals);
    normals.map(|(&[x, _, z], &[coarse_x, coarse_z])| [x, z, coarse_x, coarse_z].map(pack)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings, Side};
    use crate::field::{FieldSettings, HeightField};
    use bevy::mesh::VertexAttributeValues::{Float32, Float32x3, Snorm16x4};

    fn geometry() -> ChunkGeometry {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 3.0 });
        let field = HeightField::new(&FieldSettings::default());
        ChunkBuilder::default().build(&field, &layout, ChunkCoord { level: 2, x: -1, z: 4 })
    }

    #[test]
    fn both_layouts_have_24_bytes_per_vertex_and_the_same_triangles() {
        let edges = StitchMask::NONE.with(Side::North).with(Side::East);
        let (geometry, usage) = (geometry(), RenderAssetUsages::default());
        for mesh in [chunk_mesh(geometry.clone(), edges, usage), morphing_chunk_mesh(geometry.clone(), edges, usage)] {
            assert_eq!(mesh.get_vertex_size(), 24);
            let Some(Indices::U16(indices)) = mesh.indices() else { panic!("indices of another width") };
            assert_eq!(*indices, triangle_indices(geometry.side, edges));
        }
    }

    #[test]
    fn packed_normals_are_those_of_the_geometry() {
        let geometry = geometry();
        let mesh = morphing_chunk_mesh(geometry.clone(), StitchMask::NONE, RenderAssetUsages::default());
        let (Some(Float32x3(positions)), Some(Snorm16x4(normals)), Some(Float32(heights))) = (
            mesh.attribute(Mesh::ATTRIBUTE_POSITION),
            mesh.attribute(ATTRIBUTE_NORMALS),
            mesh.attribute(ATTRIBUTE_COARSE_HEIGHT),
        ) else {
            panic!("an attribute is missing");
        };
        assert_eq!((positions, heights), (&geometry.positions, &geometry.coarse_heights));
        for ((packed, [x, y, z]), coarse) in normals.iter().zip(&geometry.normals).zip(&geometry.coarse_normals) {
            let [own_x, own_z, coarse_x, coarse_z] = packed.map(|part| f32::from(part) / 32767.0);
            // Half a step of 1/32767.
            for (here, there) in [(own_x, x), (own_z, z), (coarse_x, &coarse[0]), (coarse_z, &coarse[1])] {
                assert!((here - there).abs() < 1.6e-5, "{here} for {there}");
            }
            // The arithmetic of the shader.
            let up = (1.0 - own_x * own_x - own_z * own_z).max(0.0).sqrt();
            assert!((up - y).abs() < 1e-3, "{up} for {y}");
        }
    }
}
