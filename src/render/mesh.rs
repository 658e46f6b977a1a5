//! From surfaces to meshes.

use super::material::TerrainMaterials;
use super::plugin::KeepSurfaces;
use crate::chunk::{ChunkGeometry, triangle_indices};
use crate::stream::{ChunkShown, ChunkSurface, TerrainChunk, TerrainState, TerrainStats};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

/// The mesh of a chunk: positions and normals, 24 bytes a vertex, and 16-bit indices.
///
/// Positions are relative to the chunk's north-west corner, so they are small numbers wherever the chunk lies.
#[must_use]
pub fn chunk_mesh(geometry: ChunkGeometry, usage: RenderAssetUsages) -> Mesh {
    let indices = triangle_indices(geometry.side);
    Mesh::new(PrimitiveTopology::TriangleList, usage)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, geometry.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, geometry.normals)
        .with_inserted_indices(Indices::U16(indices))
}

/// Makes a mesh of every new surface.
pub(super) fn upload_surfaces(
    mut commands: Commands,
    mut chunks: Query<(Entity, &TerrainChunk, &mut ChunkSurface, Has<ChunkShown>), Added<ChunkSurface>>,
    terrains: Query<(&TerrainState, &TerrainMaterials)>,
    keep: Res<KeepSurfaces>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|_| {
        for (entity, chunk, mut surface, shown) in &mut chunks {
            let Ok((_, materials)) = terrains.get(chunk.terrain) else {
                continue;
            };
            let geometry = if keep.0 { surface.0.clone() } else { std::mem::take(&mut surface.0) };
            let [lowest, highest] = geometry.height_range;
            // The far corner is the last position.
            let [east, _, south] = geometry.positions.last().copied().unwrap_or_default();
            let bounds = Aabb::from_min_max(Vec3::new(0.0, lowest, 0.0), Vec3::new(east, highest, south));
            let mut chunk = commands.entity(entity);
            chunk.try_insert((
                Mesh3d(meshes.add(chunk_mesh(geometry, RenderAssetUsages::RENDER_WORLD))),
                MeshMaterial3d(materials.ground.clone()),
                (bounds, NoAutoAabb),
                if shown { Visibility::Inherited } else { Visibility::Hidden },
            ));
            if !keep.0 {
                chunk.try_remove::<ChunkSurface>();
            }
        }
    });
}

/// Unveils the chunks of a generation whose turn has come.
pub(super) fn show_chunks(mut chunks: Query<&mut Visibility, Added<ChunkShown>>) {
    for mut visibility in &mut chunks {
        *visibility = Visibility::Inherited;
    }
}
