//! Viewers moved: which chunks are wanted now.

use super::chunk_place::Replaced;
use super::generation::{Generation, Standing, Wishes};
use super::onlookers::Onlookers;
use super::pace::time_budget;
use super::velocity::Velocity;
use super::{StreamThreads, Terrain, TerrainState, TerrainStats, TerrainSystems};
use crate::chunk::ViewerPoint;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use bevy::time::Real;
use std::time::Duration;

/// Whether any terrain has something to do in this frame. Without, the systems that would do it are not run at all: what a
/// still camera costs is to find out that it stands still.
#[derive(Resource, Default)]
pub(super) struct StreamWork {
    is_left: bool,
    /// Terrains that are gone since chunks were last selected. Their entities may be terrains again.
    pub lost_terrains: EntityHashSet,
}

/// A run condition.
pub(super) fn is_work_left(work: Res<StreamWork>) -> bool {
    work.is_left
}

/// Finds what is wanted of every terrain whose viewers moved, and lets tasks follow it.
pub(super) fn select_chunks(
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    replaced: Query<(), Replaced>,
    mut onlookers: Onlookers,
    threads: Res<StreamThreads>,
    time: Option<Res<Time<Real>>>,
    mut work: ResMut<StreamWork>,
    mut stats: ResMut<TerrainStats>,
) {
    let seconds = time.map_or(0.0, |time| time.delta_secs_f64());
    stats.time(TerrainSystems::Select, |stats| {
        work.is_left = !work.lost_terrains.is_empty() || !replaced.is_empty();
        work.lost_terrains.clear();
        for (entity, mut state) in &mut terrains {
            let state = &mut *state;
            if state.is_still() && onlookers.is_same(entity, &state.scene) {
                continue;
            }
            onlookers.look_at(entity, &mut state.scene);
            stats.tasks_cancelled += follow(state, &onlookers.entities, &onlookers.points, seconds) as u64;
            if !state.is_at_rest() {
                work.is_left = true;
                if !threads.0 {
                    measure_levels(state, stats);
                }
            }
        }
    });
}

/// Lets a terrain follow the viewers `entities` at `points`, and returns how many tasks were cancelled for it.
fn follow(state: &mut TerrainState, entities: &[Entity], points: &[ViewerPoint], seconds: f64) -> usize {
    let Some(settings) = &state.settings else {
        return 0;
    };
    let known = known_viewers(state, entities);
    state.velocities =
        known.iter().map(|known| known.map_or(Velocity::default(), |known| state.velocities[known])).collect();
    for (velocity, point) in state.velocities.iter_mut().zip(points) {
        velocity.follow(point.position, seconds);
    }
    let least = state.shown.as_ref().map_or(f64::INFINITY, Generation::built_ahead);
    let ahead = state.velocities.iter().zip(points);
    let ahead = ahead.filter_map(|(velocity, point)| velocity.ahead(point, settings.stream.look_ahead, least));
    let stood = state.ahead.is_empty();
    state.ahead.clear();
    state.ahead.extend(ahead);
    let stands = state.ahead.is_empty();

    let stay =
        points.len() == state.points.len() && points.iter().zip(&state.points).all(|(now, then)| stays(now, then));
    let is_as_before = stay && stood && stands && *entities == *state.viewers && !state.reselect;
    if is_as_before && *points != *state.points {
        for generation in state.shown.iter_mut().chain(&mut state.incoming) {
            if !generation.is_complete() {
                generation.turn(points);
            }
        }
    }
    let standing: Vec<Standing> = known
        .iter()
        .zip(points)
        .map(|(known, point)| known.map_or(Standing::Elsewhere, |known| standing(state, known, point)))
        .collect();
    state.points.clear();
    state.points.extend_from_slice(points);
    state.viewers.clear();
    state.viewers.extend_from_slice(entities);
    state.reselect = false;
    // What more is known of the levels can wait until those chunks are lined up that were found last.
    let has_lined_up = !state.have_tasks_waited;
    let wants_others = |generation: &Generation| {
        has_lined_up && generation.is_rougher || generation.has_room() || generation.is_detail_due(points)
    };
    state.redraw |= !is_as_before || state.shown.iter().chain(&state.incoming).any(wants_others);
    let wishes = Wishes {
        points,
        standing: &standing,
        ahead: &state.ahead,
        lod: &settings.lod,
        margin: settings.stream.keep_margin,
        most_bytes: settings.stream.memory_limit * 1e6,
    };
    let generations = state.shown.iter_mut().chain(&mut state.incoming);
    // Where no viewer moved, other chunks are wanted of the ground alone of which more is known, or may be there.
    let others_wanted = generations.filter(|generation| !is_as_before || wants_others(generation));
    let cancelled = others_wanted.map(|generation| generation.select(&wishes)).sum();
    state.newcomers.clear();
    for generation in state.shown.iter().chain(&state.incoming) {
        let newcomers = entities.iter().zip(generation.newcomers()).filter(|&(_, &is_newcomer)| is_newcomer);
        state.newcomers.extend(newcomers.map(|(entity, _)| entity));
    }
    cancelled
}

/// Which of the viewers of the last selection each of `entities` was.
fn known_viewers(state: &TerrainState, entities: &[Entity]) -> Vec<Option<usize>> {
    if *entities == *state.viewers {
        return (0..entities.len()).map(Some).collect();
    }
    entities.iter().map(|entity| state.viewers.iter().position(|known| known == entity)).collect()
}

/// Where a viewer that is at `point` now stood when chunks were last selected, as number `known` of those of whom the state tells.
fn standing(state: &TerrainState, known: usize, point: &ViewerPoint) -> Standing {
    let before = &state.points[known];
    if before.view_distance != point.view_distance {
        Standing::There
    } else if state.newcomers.contains(&state.viewers[known]) {
        Standing::Newcomer
    } else if before.is_beside(point) {
        Standing::There
    } else {
        Standing::Elsewhere
    }
}

/// Where there are no threads: finds out more about the levels of a terrain, which decide what is wanted, in half of a frame's
/// time, so that chunks can be built too.
fn measure_levels(state: &mut TerrainState, stats: &TerrainStats) {
    let time = state.settings.as_ref().map_or(Duration::ZERO, |settings| time_budget(&settings.stream) / 2);
    for generation in state.generations() {
        generation.measure_here(|| !stats.time_left(time).is_zero());
    }
}

/// Whether a viewer is in the same place with the same eyes, wherever it looks.
fn stays(now: &ViewerPoint, then: &ViewerPoint) -> bool {
    *now == ViewerPoint { forward: now.forward, ..*then }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_put_elsewhere_is_told_from_who_sees_further() {
        let mut world = World::new();
        let viewers = [world.spawn_empty().id(), world.spawn_empty().id()];
        let point =
            ViewerPoint { position: [1.0, 2.0, 3.0], forward: [1.0, 0.0], view_distance: 500.0, sharpness: 1000.0 };
        let mut state = TerrainState { viewers: viewers.into(), points: vec![point; 2], ..default() };
        let [far, further, beside] = [
            ViewerPoint { position: [1.0, 2.0, -1000.0], ..point },
            ViewerPoint { view_distance: 600.0, ..point },
            ViewerPoint { position: [-900.0, 9.0, 3.0], forward: [0.0, 1.0], ..point },
        ];
        let both = ViewerPoint { view_distance: 600.0, ..far };
        let found = |state: &TerrainState| [point, far, further, beside, both].map(|now| standing(state, 1, &now));
        use Standing::{Elsewhere, Newcomer, There};
        assert_eq!(found(&state), [There, Elsewhere, There, There, There]);
        state.newcomers = vec![viewers[0]];
        assert_eq!(found(&state), [There, Elsewhere, There, There, There]);
        state.newcomers = vec![viewers[1]];
        assert_eq!(found(&state), [Newcomer, Newcomer, There, Newcomer, There]);
    }
}
