//! Tells games what happened, and keeps the books right when something else despawns what is in them.

use super::background::drop_in_background;
use super::changes::count_changes;
use super::select::StreamWork;
use super::succession::LevelChange;
use super::{
    ChunkLevelChanged, ChunkRemoved, ChunkShown, StreamThreads, Terrain, TerrainChunk, TerrainReady, TerrainStandIn,
    TerrainState, TerrainStats, TerrainSystems,
};
use crate::chunk::Cover;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::{CommandQueue, DeferredWorld};
use bevy::prelude::*;

/// Tells of a chunk that something else takes away. A hook of [`ChunkShown`], which takes less than an observer.
pub(super) fn announce_removed(mut world: DeferredWorld, HookContext { entity: chunk, .. }: HookContext) {
    if !world.get::<ChunkShown>(chunk).is_some_and(ChunkShown::is_shown) {
        return;
    }
    if let (Some(&TerrainChunk { terrain, coord }), Some(&bounds)) = (world.get(chunk), world.get(chunk)) {
        // It comes again, or another takes its place, as long as there is a terrain that draws any of the ground of its root.
        let state = world.get::<TerrainState>(terrain).filter(|_| world.get::<Terrain>(terrain).is_some());
        let is_drawn = |cover: &Cover| coord.level <= cover.top() && cover.contains(coord.ancestor(cover.top()));
        let is_ground_gone = !state.is_some_and(|state| is_drawn(state.cover()));
        let removed = ChunkRemoved { terrain, chunk, coord, bounds, is_ground_gone };
        world.write_message(removed);
        world.trigger(removed);
    }
}

/// Tells where other levels are drawn than before, once the chunks are shown that draw them.
pub(super) fn announce_levels(
    mut terrains: Query<(Entity, &mut TerrainState)>,
    mut commands: Commands,
    mut messages: MessageWriter<ChunkLevelChanged>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut queue = CommandQueue::default();
    let mut triggers = commands.rebound_to(&mut queue);
    stats.time(TerrainSystems::Apply, |_| {
        for (terrain, mut state) in &mut terrains {
            let TerrainState { shown: Some(shown), drawn, .. } = &mut *state else {
                continue;
            };
            for (LevelChange { area, before, now, .. }, bounds) in drawn.take_level_changes(&shown.layout) {
                let told = ChunkLevelChanged { terrain, area, bounds, before, now };
                messages.write(told);
                triggers.trigger(told);
            }
        }
    });
    count_changes(&mut commands, TerrainSystems::Apply, queue);
}

/// Tells when a terrain has come to show everything that is wanted.
pub(super) fn announce_settled(
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    mut commands: Commands,
    mut messages: MessageWriter<TerrainReady>,
) {
    for (terrain, mut state) in &mut terrains {
        let is_ready = state.is_settled() && !state.viewers.is_empty();
        if std::mem::replace(&mut state.was_ready, is_ready) != is_ready && is_ready {
            messages.write(TerrainReady { terrain });
            commands.trigger(TerrainReady { terrain });
        }
    }
}

/// Keeps the books right when something else despawns a chunk.
pub(super) fn forget_despawned(
    removed: On<Remove, TerrainChunk>,
    chunks: Query<&TerrainChunk>,
    mut terrains: Query<&mut TerrainState>,
) {
    if let Ok(&TerrainChunk { terrain, coord }) = chunks.get(removed.entity)
        && let Ok(mut state) = terrains.get_mut(terrain)
    {
        state.forget(coord, removed.entity);
    }
}

/// Keeps the books right when something else despawns what stands in for chunks.
pub(super) fn forget_stand_in(
    removed: On<Remove, TerrainStandIn>,
    stand_ins: Query<&TerrainStandIn>,
    mut terrains: Query<&mut TerrainState>,
) {
    if let Ok(stand_in) = stand_ins.get(removed.entity)
        && let Ok(mut state) = terrains.get_mut(stand_in.terrain)
    {
        state.redraw |= state.drawn.arrivals.forget(removed.entity);
    }
}

/// A terrain that is a terrain no more leaves nothing behind, also where its entity stays.
pub(super) fn clear_removed_terrain(
    removed: On<Remove, Terrain>,
    mut commands: Commands,
    mut terrains: Query<&mut TerrainState>,
    mut work: ResMut<StreamWork>,
    threads: Res<StreamThreads>,
) {
    work.lost_terrains.insert(removed.entity);
    if let Ok(mut state) = terrains.get_mut(removed.entity) {
        let mut leaving = std::mem::take(&mut state.leaving);
        state.generations().for_each(|generation| leaving.push_all(generation));
        let mut chunks = Vec::new();
        leaving.take(usize::MAX, &mut chunks);
        for entity in chunks.iter().map(|chunk| chunk.body.entity).chain(state.drawn.arrivals.stand_ins()) {
            commands.entity(entity).try_despawn();
        }
        drop_in_background((chunks, std::mem::take(&mut *state)), *threads);
    }
}
