//! Tasks finished and viewers moved: the world follows.

use super::generation::Generation;
use super::{ChunkEdges, ChunkSurface, TerrainChunk, TerrainState, TerrainStats};
use crate::chunk::{ChunkCoord, ChunkGeometry, Edges};
use bevy::prelude::*;
use bevy::time::Real;

/// Puts finished chunks into the world, unseen, within the budget of a frame, and changes generations when the new one is
/// ready.
pub(super) fn apply_finished(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainState)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|stats| {
        for (terrain, mut state) in &mut terrains {
            let TerrainState { shown, incoming, drawn, points, settings: Some(settings), redraw, .. } = &mut *state
            else {
                continue;
            };
            let mut applied = 0;
            for generation in shown.iter_mut().chain(incoming.iter_mut()) {
                for (coord, geometry) in generation.take_finished(settings.stream.chunks_per_frame as usize - applied) {
                    spawn_chunk(&mut commands, terrain, generation, coord, geometry);
                    applied += 1;
                }
            }
            stats.tasks_done += applied as u64;
            *redraw |= applied > 0;
            if *redraw
                && let (Some(old), Some(new)) = (&mut *shown, &mut *incoming)
                && new.missing_roots(points, drawn.cover()).is_empty()
            {
                let viewers = new.possible(points, drawn.cover());
                let all_there = viewers.iter().zip(new.targets()).all(|(viewer, target)| viewer.reach == *target);
                if all_there || new.layout == old.layout && drawn.is_reached_by(&viewers) {
                    // What is drawn of the old generation goes, and all of the new comes, in one go.
                    stats.tasks_cancelled += old.cancel_all() as u64;
                    for entity in old.drain() {
                        commands.entity(entity).try_despawn();
                    }
                    drawn.begin_again();
                    *shown = incoming.take();
                }
            }
        }
    });
}

fn spawn_chunk(
    commands: &mut Commands,
    terrain: Entity,
    generation: &mut Generation,
    coord: ChunkCoord,
    geometry: ChunkGeometry,
) {
    let [x, z] = generation.layout.origin(coord);
    let coarse_error = geometry.coarse_error;
    let chunk = commands.spawn((
        Name::new(format!("Chunk {} {} (level {})", coord.x, coord.z, coord.level)),
        TerrainChunk { terrain, coord },
        ChunkEdges(Edges::NONE),
        ChunkSurface(geometry),
        Transform::from_xyz(x as f32, 0.0, z as f32),
        ChildOf(terrain),
    ));
    generation.insert(coord, chunk.id(), coarse_error);
}

/// Brings what is drawn up to date with the viewers and with the chunks that are there.
pub(super) fn draw_cover(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainState)>,
    time: Option<Res<Time<Real>>>,
    mut stats: ResMut<TerrainStats>,
) {
    let seconds = time.map_or(f64::INFINITY, |time| time.delta_secs_f64());
    stats.time(|stats| {
        (stats.chunks_shown, stats.chunks_loaded, stats.chunks_waiting) = (0, 0, 0);
        for (terrain, mut state) in &mut terrains {
            let TerrainState {
                shown: Some(shown),
                incoming,
                drawn,
                viewers,
                points,
                settings: Some(settings),
                redraw,
                ..
            } = &mut *state
            else {
                continue;
            };
            let margin = settings.stream.keep_margin;
            if std::mem::take(redraw) || drawn.is_growing {
                // There is ground everywhere in this very frame, if need be the coarsest.
                for root in shown.missing_roots(points, drawn.cover()) {
                    let geometry = shown.build_now(root);
                    spawn_chunk(&mut commands, terrain, shown, root, geometry);
                    stats.tasks_done += 1;
                }
                drawn.advance(shown, viewers, points, margin, seconds);
                drawn.show(&mut commands, shown);
            }
            stats.chunks_shown += drawn.len();
            stats.chunks_loaded += shown.len();
            stats.chunks_waiting += incoming.as_ref().map_or(0, Generation::len);
        }
    });
}

/// Removes the chunks that are neither wanted nor drawn any more.
pub(super) fn remove_unwanted(
    mut commands: Commands,
    mut terrains: Query<&mut TerrainState>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|stats| {
        for mut state in &mut terrains {
            let TerrainState { shown, incoming, drawn, cover_changed, .. } = &mut *state;
            if !std::mem::take(cover_changed) {
                continue;
            }
            let mut remove = |entity| {
                commands.entity(entity).try_despawn();
                stats.chunks_removed += 1;
            };
            if let Some(shown) = shown {
                shown.remove_unwanted(|coord| drawn.cover().is_leaf(coord), &mut remove);
            }
            if let Some(incoming) = incoming {
                incoming.remove_unwanted(|_| false, &mut remove);
            }
        }
    });
}
