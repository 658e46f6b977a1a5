//! Prepares the meshes of new chunks in the frame in which they are spawned, even if the game limits uploads.
//!
//! With Bevy's `RenderAssetBytesPerFrame`, a mesh may wait for some frames. A chunk that replaces others would leave a hole
//! meanwhile. Chunks have their own limit, `TerrainBudget::upload_budget`, so their meshes skip Bevy's queue and do not count toward
//! Bevy's limit. This does not weaken that limit: Bevy already uploads the vertices without a limit, in
//! `allocate_and_free_meshes`. Only the small description of the mesh would wait.

use super::mesh::ATTRIBUTE_COARSE_HEIGHT;
use crate::stream::TerrainChunk;
use bevy::asset::UntypedAssetId;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::render::mesh::RenderMesh;
use bevy::render::render_asset::{
    ExtractedAssets, PrepareNextFrameAssets, RenderAsset, RenderAssetBytesPerFrame, RenderAssetBytesPerFrameLimiter,
    prepare_assets,
};
use bevy::render::renderer::RenderDevice;
use bevy::render::{Extract, storage_buffers_are_unsupported};
use std::mem::take;

/// The meshes of the chunks that were spawned in this frame. Empty if uploads are not limited.
#[derive(Resource, Default)]
pub(super) struct NewChunkMeshes(HashSet<UntypedAssetId>);

pub(super) fn extract_new_chunk_meshes(
    limit: Extract<Option<Res<RenderAssetBytesPerFrame>>>,
    chunks: Extract<Query<&Mesh3d, (With<TerrainChunk>, Added<Mesh3d>)>>,
    mut meshes: ResMut<NewChunkMeshes>,
) {
    meshes.0.clear();
    if limit.as_ref().is_some_and(|limit| limit.max_bytes.is_some()) {
        meshes.0.extend(chunks.iter().map(|mesh| mesh.id().untyped()));
    }
}

pub(super) fn has_new_chunk_meshes(meshes: Res<NewChunkMeshes>) -> bool {
    !meshes.0.is_empty()
}

/// Whether the device has no storage buffers, as in browsers with WebGL 2.
pub(super) fn lacks_storage_buffers(device: Res<RenderDevice>) -> bool {
    storage_buffers_are_unsupported(&device.limits())
}

/// Removes the bounds from the meshes of chunks. Bevy needs them only for compressed positions.
///
/// Without storage buffers, Bevy keeps them in a buffer for each mesh, and makes three bind groups for each buffer in every frame.
pub(super) fn remove_bounds(mut meshes: ResMut<ExtractedAssets<RenderMesh>>) {
    for (_, mesh) in &mut meshes.extracted {
        if mesh.try_contains_attribute(ATTRIBUTE_COARSE_HEIGHT).unwrap_or(false) {
            mesh.final_aabb = None;
        }
    }
}

/// Prepares the meshes of new chunks before all others, without a limit.
pub(super) fn prepare_chunks_first<A: RenderAsset>(world: &mut World) {
    let chunks = take(&mut world.resource_mut::<NewChunkMeshes>().0);
    let mut extracted = world.resource_mut::<ExtractedAssets<A>>();
    let (first, others) =
        take(&mut extracted.extracted).into_iter().partition(|(id, _)| chunks.contains(&id.untyped()));
    let first = ExtractedAssets { extracted: first, ..default() };
    // Bevy's own run of `prepare_assets` must find all other assets unchanged.
    let rest = ExtractedAssets { extracted: others, ..std::mem::replace(&mut *extracted, first) };
    let queue = take(&mut *world.resource_mut::<PrepareNextFrameAssets<A>>());
    let limit = world.resource_mut::<RenderAssetBytesPerFrameLimiter>().max_bytes.take();
    let prepared = world.run_system_cached(prepare_assets::<A>);
    world.resource_mut::<RenderAssetBytesPerFrameLimiter>().max_bytes = limit;
    world.insert_resource(queue);
    world.insert_resource(rest);
    if let Err(error) = prepared {
        error_once!("can't prepare the meshes of new chunks early: {error}; chunks may appear late");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::ecs::system::SystemParamItem;
    use bevy::render::render_asset::{PrepareAssetError, RenderAssets};

    /// A mesh that is not really uploaded.
    struct Uploaded;

    impl RenderAsset for Uploaded {
        type SourceAsset = Mesh;
        type Param = ();

        fn byte_len(_: &Mesh) -> Option<usize> {
            Some(100)
        }

        fn prepare_asset(
            _: Mesh,
            _: AssetId<Mesh>,
            (): &mut SystemParamItem<'_, '_, ()>,
            _: Option<&Self>,
        ) -> Result<Self, PrepareAssetError<Mesh>> {
            Ok(Self)
        }
    }

    fn mesh() -> Mesh {
        Cuboid::default().into()
    }

    #[test]
    fn meshes_of_new_chunks_are_ready_in_their_frame_and_others_keep_their_limit() {
        let mut world = World::new();
        let mut meshes = Assets::<Mesh>::default();
        let [queued, chunk, other, last] = [0; 4].map(|_| meshes.add(mesh()));
        let limiter = RenderAssetBytesPerFrameLimiter { max_bytes: Some(150), ..default() };
        world.insert_resource(limiter);
        world.init_resource::<PrepareNextFrameAssets<Uploaded>>();
        world.init_resource::<RenderAssets<Uploaded>>();
        let mut frame = |added: &[&Handle<Mesh>], chunks: &[&Handle<Mesh>], removed: &[&Handle<Mesh>]| {
            let extracted = ExtractedAssets::<Uploaded> {
                extracted: added.iter().map(|handle| (handle.id(), mesh())).collect(),
                removed: removed.iter().map(|handle| handle.id()).collect(),
                ..default()
            };
            world.insert_resource(extracted);
            world.resource_mut::<RenderAssetBytesPerFrameLimiter>().reset();
            world.insert_resource(NewChunkMeshes(chunks.iter().map(|handle| handle.id().untyped()).collect()));
            prepare_chunks_first::<Uploaded>(&mut world);
            world.run_system_cached(prepare_assets::<Uploaded>).expect("it runs");
            let ready = world.resource::<RenderAssets<Uploaded>>();
            [&queued, &chunk, &other, &last].map(|handle| ready.get(handle).is_some())
        };
        // Two meshes of 100 bytes reach the limit.
        assert_eq!(frame(&[&other, &last, &queued], &[], &[]), [false, false, true, true]);
        // The queue uses up the limit of this frame, and the chunk is prepared all the same.
        assert_eq!(frame(&[&other, &last, &chunk], &[&chunk], &[]), [true, true, true, false]);
        // A mesh in the queue may be removed.
        assert_eq!(frame(&[], &[], &[&last]), [true, true, true, false]);
        assert_eq!(frame(&[], &[], &[]), [true, true, true, false]);
    }
}
