//! From surfaces to meshes that are drawn while their chunk is shown.

use super::edges::MeshEdges;
use super::material::TerrainMaterials;
use super::mesh::{chunk_mesh, morphing_chunk_mesh};
use super::plugin::RenderOptions;
use crate::stream::{ChunkEdges, ChunkShown, ChunkSurface, TerrainChunk, TerrainStats};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

/// Makes a mesh of every new surface, and uploads it whether its chunk is shown or waits.
pub(super) fn upload_surfaces(
    mut commands: Commands,
    mut chunks: Query<(Entity, &TerrainChunk, &ChunkEdges, &mut ChunkSurface, Has<ChunkShown>), Added<ChunkSurface>>,
    terrains: Query<&TerrainMaterials>,
    options: Res<RenderOptions>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|_| {
        for (entity, chunk, &ChunkEdges(edges), mut surface, shown) in &mut chunks {
            let Ok(materials) = terrains.get(chunk.terrain) else {
                continue;
            };
            let keep = options.keep_surfaces;
            let geometry = if keep { surface.0.clone() } else { std::mem::take(&mut surface.0) };
            let [lowest, highest] = geometry.height_range;
            // The far corner is the last position. Vertices stay between the lowest and the highest when they move.
            let [east, _, south] = geometry.positions.last().copied().unwrap_or_default();
            let bounds = Aabb::from_min_max(Vec3::new(0.0, lowest, 0.0), Vec3::new(east, highest, south));
            let mesh_edges = MeshEdges::new(geometry.side, edges);
            let make = if options.plain_meshes { chunk_mesh } else { morphing_chunk_mesh };
            let mesh = make(geometry, edges, RenderAssetUsages::RENDER_WORLD);
            let mut entity = commands.entity(entity);
            entity.try_insert((
                Mesh3d(meshes.add(mesh)),
                // How the shader learns of the level.
                MeshTag(chunk.coord.level.into()),
                mesh_edges,
                (bounds, NoAutoAabb),
                visibility(shown),
            ));
            if !options.plain_meshes {
                entity.try_insert(MeshMaterial3d(materials.ground.clone()));
            }
            if !keep {
                entity.try_remove::<ChunkSurface>();
            }
        }
    });
}

const fn visibility(shown: bool) -> Visibility {
    if shown { Visibility::Inherited } else { Visibility::Hidden }
}

/// Unveils the chunks that have come to be shown in this frame, and hides those that are shown no more.
pub(super) fn show_chunks(
    mut chunks: Query<(&mut Visibility, Has<ChunkShown>), With<Mesh3d>>,
    shown: Query<Entity, (Added<ChunkShown>, With<Mesh3d>)>,
    mut hidden: RemovedComponents<ChunkShown>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|_| {
        // A chunk may have been shown and hidden again, or the other way round: what counts is what it is now.
        for entity in shown.iter().chain(hidden.read()) {
            if let Ok((mut here, is_shown)) = chunks.get_mut(entity) {
                here.set_if_neq(visibility(is_shown));
            }
        }
    });
}
