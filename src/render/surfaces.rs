//! From surfaces to meshes that are drawn while their chunk is shown.

use super::edges::MeshEdges;
use super::material::TerrainMaterials;
use super::mesh::{chunk_mesh, morphing_chunk_mesh};
use super::water::{OwnSheet, sheet_over};
use crate::chunk::{ChunkGeometry, Edges, PatchSurface};
use crate::stream::{ChunkShown, Finished, SurfaceFinish, TerrainStats, TerrainSystems};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::{Indices, MeshTag};
use bevy::prelude::*;

/// Makes the mesh of every surface in the task that built it. It is uploaded when its chunk is put into the world, whether
/// that is shown or waits.
///
/// With `keep_surfaces` chunks keep their [`ChunkSurface`](crate::stream::ChunkSurface); meshes are `plain` ones for any
/// material, without one, or those for the terrain's own.
pub(super) fn finish_surfaces(keep_surfaces: bool, plain: bool) -> SurfaceFinish {
    SurfaceFinish::new(move |level, surface| {
        let kept = keep_surfaces.then(|| surface.clone());
        let PatchSurface { geometry, triangles } = surface;
        let (bounds, side) = (bounds(&geometry), geometry.side);
        let make = if plain { chunk_mesh } else { morphing_chunk_mesh };
        // The edges come later, in place: nobody knows yet beside which levels the chunk will be drawn.
        let mut mesh = make(geometry, Edges::NONE, RenderAssetUsages::RENDER_WORLD);
        let sheet = triangles.as_ref().map(|triangles| sheet_over(side, triangles));
        if let Some(triangles) = triangles {
            mesh.insert_indices(Indices::U32(triangles));
        }
        let dress = move |chunk: &mut EntityWorldMut| {
            let terrain = chunk.get::<ChildOf>().map(ChildOf::parent);
            let (mesh, ground) = chunk.world_scope(|world| {
                let materials = terrain.and_then(|terrain| world.get::<TerrainMaterials>(terrain));
                let ground = materials.map(|materials| materials.ground.clone());
                (world.resource_mut::<Assets<Mesh>>().add(mesh), ground)
            });
            let edges = MeshEdges::new(mesh.id(), side);
            // The tag is how the shader learns of the level.
            let parts = (MeshTag(level.into()), edges, (bounds, NoAutoAabb), Visibility::Hidden, Mesh3d(mesh));
            if let Some(sheet) = sheet {
                let sheet = chunk.world_scope(|world| world.resource_mut::<Assets<Mesh>>().add(sheet));
                chunk.insert(OwnSheet(sheet));
            }
            match ground {
                Some(ground) if !plain => chunk.insert((parts, MeshMaterial3d(ground))),
                _ => chunk.insert(parts),
            };
        };
        Finished { surface: kept, dress: Some(Box::new(dress)) }
    })
}

/// The box around a chunk, in its own coordinates.
fn bounds(geometry: &ChunkGeometry) -> Aabb {
    let [lowest, highest] = geometry.height_range;
    // The far corner is the last of the rows. Vertices stay between the lowest and the highest when they move.
    let corner = (geometry.side * geometry.side).saturating_sub(1) as usize;
    let [east, _, south] = geometry.positions.get(corner).copied().unwrap_or_default();
    Aabb::from_min_max(Vec3::new(0.0, lowest, 0.0), Vec3::new(east, highest, south))
}

/// Unveils the chunks that have come to be shown in this frame, and hides those that are shown no more.
pub(super) fn show_chunks(
    mut chunks: Query<(&ChunkShown, &mut Visibility), (Changed<ChunkShown>, With<Mesh3d>)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (shown, mut visibility) in &mut chunks {
            visibility.set_if_neq(if shown.is_shown() { Visibility::Inherited } else { Visibility::Hidden });
        }
    });
}
