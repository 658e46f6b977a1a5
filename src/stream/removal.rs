//! Chunks go.

use super::background::drop_in_background;
use super::changes::WorldChanges;
use super::generation::LoadedChunk;
use super::pace::{Pace, time_budget};
use super::{ChunkSurface, StreamThreads, TerrainState, TerrainStats, TerrainSystems};
use crate::chunk::ChunkBorders;
use bevy::prelude::*;

/// What is left of chunks that are gone, until a task frees it: for many chunks that takes several milliseconds.
#[derive(Resource, Default)]
pub(super) struct Discarded(Vec<(ChunkBorders, Option<ChunkSurface>)>);

/// So many chunks are removed in a frame, however little time it has, unless they wait.
const REMOVED_AT_LEAST: usize = 8;

/// Takes chunks that are to be removed, as many as fit into what is left of the frame: when all else is planned.
pub(super) fn take_leaving(
    mut changes: ResMut<WorldChanges>,
    mut terrains: Query<&mut TerrainState>,
    mut pace: ResMut<Pace>,
    mut stats: ResMut<TerrainStats>,
) {
    let going = &mut changes.going;
    stats.time(TerrainSystems::Apply, |stats| {
        stats.chunks_leaving = 0;
        for mut state in &mut terrains {
            let others_are_wanted = state.is_queue_outdated();
            // What waits in this frame does not in the next.
            let can_wait = state.is_busy && !state.have_tasks_waited;
            let TerrainState { leaving, settings: Some(settings), .. } = &mut *state else {
                continue;
            };
            let left = pace.left_for_going(stats.time_left(time_budget(&settings.stream)), others_are_wanted);
            let gone = going.len();
            let most = if can_wait { 0 } else { pace.room_to_go(left).max(REMOVED_AT_LEAST) };
            leaving.take(most, going);
            pace.count_going(going.len() - gone);
            stats.chunks_leaving += leaving.len();
            stats.bytes_loaded += leaving.bytes() as u64;
        }
    });
}

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
