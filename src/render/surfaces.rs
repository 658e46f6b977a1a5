//! Turns chunk surfaces into meshes, and shows them while their chunk is drawn.

use super::edges::MeshStitchMask;
use super::material::TerrainMaterials;
use super::mesh::{chunk_mesh, morphing_chunk_mesh};
use crate::chunk::{ChunkGeometry, StitchMask};
use crate::stream::{ChunkDrawn, Finished, SurfaceFinish, TerrainStats, TerrainSystems};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

/// Makes the mesh of every surface in the task that builds the surface. The mesh is uploaded when its chunk is spawned, also if
/// the chunk is not drawn yet.
///
/// - `keep_surfaces`: chunks keep their [`ChunkSurface`](crate::stream::ChunkSurface).
/// - `plain`: meshes fit any material; otherwise they fit [`TerrainMorph`](super::TerrainMorph).
/// - `usage`: where the meshes are kept.
pub(super) fn finish_surfaces(keep_surfaces: bool, plain: bool, usage: RenderAssetUsages) -> SurfaceFinish {
    SurfaceFinish::new(move |_, coord, geometry| {
        let kept = keep_surfaces.then(|| geometry.clone());
        let (bounds, side) = (bounds(&geometry), geometry.side);
        let make = if plain { chunk_mesh } else { morphing_chunk_mesh };
        // Stitching comes later, because the levels of the neighbors are not known yet.
        let mesh = make(geometry, StitchMask::NONE, usage);
        let insert = move |chunk: &mut EntityWorldMut| {
            let terrain = chunk.get::<ChildOf>().map(ChildOf::parent);
            let (mesh, ground) = chunk.world_scope(|world| {
                let materials = terrain.and_then(|terrain| world.get::<TerrainMaterials>(terrain));
                let ground = materials.map(|materials| materials.ground.clone());
                (world.resource_mut::<Assets<Mesh>>().add(mesh), ground)
            });
            let stitching = MeshStitchMask::new(mesh.id(), side);
            // The shader reads the level from the tag.
            let parts =
                (MeshTag::new(coord.level.into()), stitching, (bounds, NoAutoAabb), Visibility::Hidden, Mesh3d(mesh));
            match ground {
                Some(ground) if !plain => chunk.insert((parts, MeshMaterial3d(ground))),
                _ => chunk.insert(parts),
            };
        };
        Finished { surface: kept, insert: Some(Box::new(insert)) }
    })
}

/// The bounding box of a chunk, in its own coordinates.
fn bounds(geometry: &ChunkGeometry) -> Aabb {
    let [lowest, highest] = geometry.height_range;
    // The last vertex is the south-east corner. Morphing vertices stay within the height range.
    let corner = (geometry.side * geometry.side).saturating_sub(1) as usize;
    let [east, _, south] = geometry.positions.get(corner).copied().unwrap_or_default();
    Aabb::from_min_max(Vec3::new(0.0, lowest, 0.0), Vec3::new(east, highest, south))
}

/// Shows a mesh while its chunk is drawn, and hides it otherwise.
pub(super) fn show_chunks(
    mut chunks: Query<(&ChunkDrawn, &mut Visibility), (Changed<ChunkDrawn>, With<Mesh3d>)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (drawn, mut visibility) in &mut chunks {
            visibility.set_if_neq(if drawn.is_drawn() { Visibility::Inherited } else { Visibility::Hidden });
        }
    });
}
