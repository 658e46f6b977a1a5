//! Makes what chunks are drawn with, and shows them while they are drawn.

use super::grid::{ChunkGrids, tag};
use super::height_atlas::{ChunkSlot, HeightAtlas};
use super::material::TerrainMaterials;
use super::plain_mesh::{PlainMesh, PlainMeshes, chunk_mesh};
use crate::chunk::{ChunkHeights, StitchMask};
use crate::stream::{ChunkDrawn, Finished, SurfaceFinish, TerrainStats, TerrainSystems};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::prelude::*;
use std::sync::Arc;

/// Gives each chunk a slot of the atlas with its heights. The heights are written when the chunk is spawned, also if it is not drawn
/// yet, and again when its ground was edited.
///
/// With `keep_surfaces`, chunks keep their [`ChunkSurface`](crate::stream::ChunkSurface).
pub(super) fn finish_in_atlas(atlas: HeightAtlas, keep_surfaces: bool) -> SurfaceFinish {
    SurfaceFinish::new(Arc::new(atlas.clone()), move |&layout, coord, heights| {
        let surface = keep_surfaces.then(|| SurfaceFinish::geometry(&heights));
        let (bounds, atlas) = (bounds(&heights), atlas.clone());
        let bytes = heights.heights.iter().map(|height| height.to_ne_bytes()).collect();
        let insert = move |chunk: &mut EntityWorldMut| {
            if let Some(&slot) = chunk.get::<ChunkSlot>() {
                atlas.write(slot, &layout, bytes);
                chunk.insert(bounds);
                return;
            }
            let Some(slot) = atlas.place(&layout, bytes) else {
                error_once!("the height atlas has no room for a chunk that the frame needs, so there is a hole");
                return;
            };
            let terrain = chunk.get::<ChildOf>().map(ChildOf::parent);
            let (grid, ground) = chunk.world_scope(|world| {
                let materials = terrain.and_then(|terrain| world.get::<TerrainMaterials>(terrain));
                let ground = materials.map(|materials| materials.ground.clone());
                (world.resource::<ChunkGrids>().get(&layout).clone(), ground)
            });
            // Stitching comes later, because the levels of the neighbors are not known yet.
            let tag = tag(coord.level, StitchMask::NONE, slot.slot);
            let parts = (slot, tag, (bounds, NoAutoAabb), Visibility::Hidden, Mesh3d(grid));
            match ground {
                Some(ground) => chunk.insert((parts, MeshMaterial3d(ground))),
                None => chunk.insert(parts),
            };
        };
        Finished { surface, insert: Some(Box::new(insert)) }
    })
}

/// Makes a mesh for any material of every chunk, in the task that builds the chunk.
pub(super) fn finish_plain_meshes(keep_surfaces: bool) -> SurfaceFinish {
    SurfaceFinish::new(Arc::new(PlainMeshes), move |_, _, heights| {
        let geometry = SurfaceFinish::geometry(&heights);
        let surface = keep_surfaces.then(|| geometry.clone());
        let (bounds, side) = (bounds(&heights), heights.side);
        let insert = move |chunk: &mut EntityWorldMut| {
            if let Some(&plain) = chunk.get::<PlainMesh>() {
                chunk.world_scope(|world| plain.replace(geometry, &mut world.resource_mut::<Assets<Mesh>>()));
                chunk.insert(bounds);
                return;
            }
            let mesh = chunk_mesh(geometry, StitchMask::NONE, RenderAssetUsages::all());
            let mesh = chunk.world_scope(|world| world.resource_mut::<Assets<Mesh>>().add(mesh));
            let plain = PlainMesh::new(mesh.id(), side);
            chunk.insert((plain, (bounds, NoAutoAabb), Visibility::Hidden, Mesh3d(mesh)));
        };
        Finished { surface, insert: Some(Box::new(insert)) }
    })
}

/// The bounding box of a chunk, in its own coordinates.
fn bounds(heights: &ChunkHeights) -> Aabb {
    // Morphing vertices stay within the height range.
    let ([lowest, highest], width) = (heights.height_range, (heights.side - 1) as f32 * heights.spacing);
    Aabb::from_min_max(Vec3::new(0.0, lowest, 0.0), Vec3::new(width, highest, width))
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
