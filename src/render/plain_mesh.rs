//! Meshes of chunks for any material, with positions, normals and triangles of their own.

use crate::chunk::{ChunkGeometry, ChunkLayout, StitchMask, triangle_indices};
use crate::stream::{ChunkStitchMask, ChunkStore, TerrainStats, TerrainSystems};
use bevy::asset::{AssetId, RenderAssetUsages};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssetBytesPerFrame;

/// Makes the mesh of a chunk for any material: positions and normals, 24 bytes per vertex, and 16-bit indices.
///
/// With a `usage` of only `RENDER_WORLD`, `Mesh::attribute` panics after the upload.
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

/// Keeps the vertices and indices of plain meshes.
pub(super) struct PlainMeshes;

impl PlainMeshes {
    /// Bytes of a mesh with so many vertices along each side.
    fn bytes(side: u32) -> u64 {
        24 * u64::from(side).pow(2) + 6 * u64::from(side - 1).pow(2) * size_of::<u16>() as u64
    }
}

impl ChunkStore for PlainMeshes {
    fn bytes_per_chunk(&self, layout: &ChunkLayout) -> u64 {
        Self::bytes(layout.vertices())
    }
}

/// The plain mesh that a chunk was given.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlainMesh {
    /// If a game replaces it, this crate leaves the new mesh alone.
    mesh: AssetId<Mesh>,
    /// Vertices along each side of the chunk.
    side: u32,
    /// The sides on which its triangles fit a coarser neighbor.
    edges: StitchMask,
}

impl PlainMesh {
    /// A new mesh, which is not stitched. `side` is the number of vertices along each side.
    pub const fn new(mesh: AssetId<Mesh>, side: u32) -> Self {
        Self { mesh, side, edges: StitchMask::NONE }
    }

    /// Replaces the vertices. The triangles stay. Does nothing if a game took the mesh away.
    pub fn replace(self, geometry: ChunkGeometry, meshes: &mut Assets<Mesh>) {
        if let Some(mut mesh) = meshes.get_mut(self.mesh) {
            *mesh = chunk_mesh(geometry, self.edges, RenderAssetUsages::all());
        }
    }
}

/// Stitches the meshes of chunks whose neighbors have another level now.
pub(super) fn stitch_plain_meshes(
    mut chunks: Query<(&Mesh3d, &ChunkStitchMask, &mut PlainMesh), Changed<ChunkStitchMask>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |stats| {
        for (mesh, &ChunkStitchMask(edges), mut plain) in &mut chunks {
            // A chunk that is shown again gets its mask again, often the same.
            if plain.edges == edges || mesh.id() != plain.mesh {
                continue;
            }
            plain.edges = edges;
            if let Some(mut mesh) = meshes.get_mut(plain.mesh) {
                mesh.insert_indices(Indices::U16(triangle_indices(plain.side, edges)));
                // Bevy uploads a changed mesh as a whole.
                stats.bytes_uploaded += PlainMeshes::bytes(plain.side);
            }
        }
    });
}

/// Warns if Bevy may let meshes wait, because a chunk that replaces others would leave a hole meanwhile.
pub(super) fn warn_of_limited_uploads(limit: Res<RenderAssetBytesPerFrame>) {
    if limit.max_bytes.is_some() {
        warn_once!(
            "`RenderAssetBytesPerFrame` is set: plain meshes of terrain may wait for some frames, and leave holes \
             meanwhile. Limit terrain with `TerrainBudget::upload_budget` instead, or draw it with `TerrainMorph`"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkSettings, Side};
    use crate::field::{FieldSettings, HeightField};

    fn geometry() -> ChunkGeometry {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 3.0 });
        let field = HeightField::new(&FieldSettings::default());
        ChunkBuilder::default().build(&field, &layout, ChunkCoord { level: 2, x: -1, z: 4 })
    }

    fn indices(mesh: &Mesh) -> &[u16] {
        let Some(Indices::U16(indices)) = mesh.indices() else { panic!("indices of another width") };
        indices
    }

    #[test]
    fn a_plain_mesh_has_the_triangles_of_its_mask_and_the_size_that_the_budget_counts() {
        let edges = StitchMask::NONE.with(Side::North).with(Side::East);
        let mesh = chunk_mesh(geometry(), edges, RenderAssetUsages::default());
        assert_eq!(indices(&mesh), triangle_indices(17, edges));
        let bytes = mesh.count_vertices() * mesh.get_vertex_size() as usize + 2 * indices(&mesh).len();
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 3.0 });
        assert_eq!(bytes as u64, PlainMeshes.bytes_per_chunk(&layout));
    }

    #[test]
    fn a_mesh_gets_the_stitching_of_its_chunk_unless_a_game_replaced_it() {
        let mut app = App::new();
        let mut meshes = Assets::<Mesh>::default();
        let [own, other] =
            [0; 2].map(|_| meshes.add(chunk_mesh(geometry(), StitchMask::NONE, RenderAssetUsages::all())));
        app.insert_resource(meshes).init_resource::<TerrainStats>().add_systems(Update, stitch_plain_meshes);
        let mask = StitchMask::all().nth(5).expect("there are sixteen");
        let plain = PlainMesh::new(own.id(), 17);
        let chunk = app.world_mut().spawn((ChunkStitchMask(StitchMask::NONE), Mesh3d(own.clone()), plain)).id();
        for wanted in [StitchMask::NONE, mask, mask, StitchMask::NONE] {
            app.world_mut().entity_mut(chunk).insert(ChunkStitchMask(wanted));
            app.update();
            let meshes = app.world().resource::<Assets<Mesh>>();
            assert_eq!(indices(meshes.get(&own).expect("it is there")), triangle_indices(17, wanted));
        }
        app.world_mut().entity_mut(chunk).insert((Mesh3d(other.clone()), ChunkStitchMask(mask)));
        app.update();
        let meshes = app.world().resource::<Assets<Mesh>>();
        for mesh in [own, other] {
            assert_eq!(indices(meshes.get(&mesh).expect("it is there")), triangle_indices(17, StitchMask::NONE));
        }
    }
}
