//! Chunks go.

use super::background::drop_in_background;
use super::generation::LoadedChunk;
use super::{ChunkSurface, StreamThreads, TerrainStats, TerrainSystems};
use crate::chunk::ChunkBorders;
use bevy::prelude::*;

/// What is left of chunks that are gone, until a task frees it: for many chunks that takes several milliseconds.
#[derive(Resource, Default)]
pub(super) struct Discarded(Vec<(ChunkBorders, Option<ChunkSurface>)>);

/// Despawns `chunks`.
pub(super) fn despawn_chunks(world: &mut World, chunks: impl Iterator<Item = LoadedChunk>) {
    let mut discarded = std::mem::take(&mut world.resource_mut::<Discarded>().0);
    for LoadedChunk { body, borders, .. } in chunks {
        // Somebody else may have despawned it.
        let surface = world.get_entity_mut(body.entity).ok().and_then(|mut chunk| {
            let surface = chunk.take::<ChunkSurface>();
            chunk.despawn();
            surface
        });
        discarded.push((borders, surface));
    }
    world.resource_mut::<Discarded>().0 = discarded;
}

/// Frees what is left of despawned chunks: in the background, where there are threads.
pub(super) fn free_discarded(
    mut discarded: ResMut<Discarded>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    if !discarded.0.is_empty() {
        stats.time(TerrainSystems::Generate, |_| drop_in_background(std::mem::take(&mut discarded.0), *threads));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{TerrainStreamPlugin, select::StreamWork};

    #[test]
    fn chunks_go_with_what_hangs_on_them_also_where_some_are_gone() {
        for threads in [true, false] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainStreamPlugin { threads }));
            let world = app.world_mut();
            let chunks: Vec<Entity> = (0..5).map(|_| world.spawn(ChunkSurface(default())).id()).collect();
            let child = world.spawn(ChildOf(chunks[0])).id();
            let other = world.spawn_empty().id();
            world.despawn(chunks[3]);
            let loaded = chunks.iter().map(|&entity| LoadedChunk::empty(entity));
            despawn_chunks(world, loaded);
            assert!(chunks.iter().chain([&child]).all(|&chunk| world.get_entity(chunk).is_err()));
            assert!(world.get_entity(other).is_ok());
            let surfaces = world.resource::<Discarded>().0.iter().map(|(_, surface)| usize::from(surface.is_some()));
            assert_eq!(surfaces.sum::<usize>(), 4);
            // As when a terrain has something to do.
            world.resource_mut::<StreamWork>().lost_terrains.insert(other);
            app.update();
            assert!(app.world().resource::<Discarded>().0.is_empty());
        }
    }
}
