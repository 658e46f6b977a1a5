//! Tasks finished and chunks fell out of view: the world follows.

use super::generation::Generation;
use super::{ChunkShown, ChunkSurface, TerrainChunk, TerrainState, TerrainStats};
use crate::chunk::{ChunkCoord, ChunkGeometry, Cover};
use bevy::prelude::*;

/// Puts finished chunks into the world, within the budget of a frame, and changes generations when the new one is ready.
pub(super) fn apply_finished(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainState)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|stats| {
        (stats.chunks_shown, stats.chunks_waiting) = (0, 0);
        for (terrain, mut state) in &mut terrains {
            let TerrainState { shown, incoming, settings: Some(settings), cover_changed, .. } = &mut *state else {
                continue;
            };
            let mut applied = 0;
            for (generation, hidden) in [(shown.as_mut(), false), (incoming.as_mut(), true)] {
                let Some(generation) = generation else {
                    continue;
                };
                for (coord, geometry) in generation.take_finished(settings.stream.chunks_per_frame as usize - applied) {
                    let entity = spawn_chunk(&mut commands, terrain, generation, coord, geometry, hidden);
                    generation.chunks.insert(coord, entity);
                    applied += 1;
                }
            }
            stats.tasks_done += applied as u64;
            if (applied > 0 || *cover_changed)
                && let (Some(old), Some(new)) = (&*shown, &*incoming)
                && new.can_replace(old)
            {
                stats.tasks_cancelled += change_generations(&mut commands, shown, incoming) as u64;
            }
            *cover_changed = false;
            stats.chunks_shown += shown.as_ref().map_or(0, |generation| generation.chunks.len());
            stats.chunks_waiting += incoming.as_ref().map_or(0, |generation| generation.chunks.len());
        }
    });
}

fn spawn_chunk(
    commands: &mut Commands,
    terrain: Entity,
    generation: &Generation,
    coord: ChunkCoord,
    geometry: ChunkGeometry,
    hidden: bool,
) -> Entity {
    let [x, z] = generation.layout.origin(coord);
    let mut chunk = commands.spawn((
        Name::new(format!("Chunk {} {} (level {})", coord.x, coord.z, coord.level)),
        TerrainChunk { terrain, coord },
        ChunkSurface(geometry),
        Transform::from_xyz(x as f32, 0.0, z as f32),
        ChildOf(terrain),
    ));
    if !hidden {
        chunk.insert(ChunkShown);
    }
    chunk.id()
}

/// The incoming generation takes the place of the one shown, in one go. Returns how many tasks that cancelled.
fn change_generations(
    commands: &mut Commands,
    shown: &mut Option<Generation>,
    incoming: &mut Option<Generation>,
) -> usize {
    let mut cancelled = 0;
    if let Some(mut old) = shown.take() {
        cancelled += old.cancel_all();
        for entity in old.chunks.into_values() {
            commands.entity(entity).try_despawn();
        }
    }
    *shown = incoming.take();
    for &entity in shown.iter().flat_map(|new| new.chunks.values()) {
        commands.entity(entity).try_insert(ChunkShown);
    }
    cancelled
}

/// Removes the chunks that fell out of view by more than the margin, when the cover has changed.
pub(super) fn remove_unwanted(
    mut commands: Commands,
    mut terrains: Query<&mut TerrainState>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|stats| {
        for mut state in &mut terrains {
            let TerrainState { shown, incoming, viewers, settings: Some(settings), cover_changed: true, .. } =
                &mut *state
            else {
                continue;
            };
            for generation in shown.iter_mut().chain(incoming) {
                let Generation { chunks, layout, .. } = generation;
                chunks.retain(|&coord, entity| {
                    let stays = Cover::may_stay(layout, viewers, coord, settings.stream.keep_margin);
                    if !stays {
                        commands.entity(*entity).try_despawn();
                        stats.chunks_removed += 1;
                    }
                    stays
                });
            }
        }
    });
}
