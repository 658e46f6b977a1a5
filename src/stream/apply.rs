//! Tasks finished: chunks come, as many in a frame as its budgets allow.

use super::changes::WorldChanges;
use super::finish::{BuiltChunk, SurfaceFinish};
use super::generation::Generation;
use super::pace::{Pace, time_budget};
use super::spawning::{BuildingMeans, spawn_chunks};
use super::takeover::TakeOver;
use super::turns::Turns;
use super::{StreamSettings, TerrainPlace, TerrainState, TerrainStats, TerrainSystems};
use bevy::prelude::*;
use std::time::Duration;

/// What the terrain may still do in a frame.
struct Budget {
    time: Duration,
    bytes: u64,
    /// Chunks that may come.
    coming: usize,
}

impl Budget {
    /// What is left of a frame of which so much time is `left` for changes, and in which `came` chunks have come.
    fn new(settings: &StreamSettings, pace: &Pace, left: Duration, came: usize) -> Self {
        Self {
            time: time_budget(settings),
            bytes: (settings.upload_budget * 1e6) as u64,
            coming: pace.room_to_come(left).min((settings.chunks_per_frame as usize).saturating_sub(came)),
        }
    }

    /// How many chunks of so many bytes may come now. One a frame always may, or there would never be more of them.
    fn fitting(&self, bytes_per_chunk: usize, stats: &TerrainStats) -> usize {
        let bytes = (self.bytes.saturating_sub(stats.bytes_uploaded) / bytes_per_chunk as u64) as usize;
        bytes.max(usize::from(stats.bytes_uploaded == 0)).min(self.coming)
    }
}

/// What the chunks that come are for.
#[derive(Clone, Copy)]
enum Role {
    Incoming,
    Shown,
}

/// Puts finished chunks into the world, unseen, within the budgets of a frame, and changes generations when the new one is ready.
pub(super) fn apply_changes(
    commands: Commands,
    mut changes: ResMut<WorldChanges>,
    mut terrains: Query<(Entity, TerrainPlace, &mut TerrainState)>,
    means: BuildingMeans,
    mut turns: Local<Turns>,
    mut pace: ResMut<Pace>,
    mut stats: ResMut<TerrainStats>,
) {
    let WorldChanges { queue, showing, .. } = &mut *changes;
    let mut commands = commands.rebound_to(queue);
    stats.time(TerrainSystems::Apply, |stats| {
        let (mut came, mut has_sliced) = (0, false);
        turns.next(terrains.iter().map(|(terrain, ..)| terrain));
        for &terrain in turns.order() {
            let Ok((_, place, mut state)) = terrains.get_mut(terrain) else {
                continue;
            };
            let others_are_wanted = state.is_queue_outdated();
            let TerrainState { shown, incoming, drawn, settings: Some(settings), redraw, .. } = &mut *state else {
                continue;
            };
            let left = pace.left_for_coming(stats.time_left(time_budget(&settings.stream)), others_are_wanted);
            let mut budget = Budget::new(&settings.stream, &pace, left, came);
            let is_arriving = drawn.arrivals.stand_ins().next().is_some();
            let is_reloading = incoming.is_some() && shown.is_some();
            let least_slices = usize::from(!has_sliced);
            let mut generations = [(Role::Incoming, incoming.as_mut()), (Role::Shown, shown.as_mut())];
            let has_room_for_one = || {
                let sizes =
                    generations.iter().filter_map(|(_, generation)| Some(generation.as_ref()?.bytes_per_chunk()));
                sizes.map(|bytes| budget.fitting(bytes, stats)).max() <= Some(1)
            };
            // Something may stand in for chunks of the ground that is shown: they come first. Where a frame has room for one chunk
            // alone, they take turns.
            if is_arriving || is_reloading && turns.are_for_shown() && has_room_for_one() {
                generations.reverse();
            }
            let mut has_incoming_grown = false;
            let there = generations.into_iter().filter_map(|(role, generation)| Some((role, generation?)));
            for (number, (role, generation)) in there.enumerate() {
                let mut most = budget.fitting(generation.bytes_per_chunk(), stats);
                // The ground that is shown goes on in front of a moving viewer, with a part of what there is.
                if is_reloading && !is_arriving && number == 0 {
                    most -= (most / 4).max(usize::from(most > 1));
                }
                let built = if means.threads.0 {
                    generation.workshop.take_finished(most)
                } else {
                    let has_time = |slices| slices < least_slices || !stats.time_left(budget.time).is_zero();
                    let (built, slices) = pace.build(|| build_in_slices(generation, &means.finish, most, has_time));
                    has_sliced |= slices > 0;
                    built
                };
                let arrived = built.len();
                spawn_chunks(&mut commands, terrain, &place, generation, built, &mut pace, stats);
                budget.coming -= arrived;
                came += arrived;
                match role {
                    Role::Incoming => has_incoming_grown |= arrived > 0,
                    Role::Shown => *redraw |= arrived > 0,
                }
            }
            if *redraw || has_incoming_grown || state.head_start.is_some() {
                let (commands, pace) = (&mut commands, &mut *pace);
                TakeOver { commands, showing, pace, threads: *means.threads }
                    .change_generations(terrain, &mut state, stats);
            }
        }
    });
}

/// Where there are no threads, a task would hold up the frame in which it runs: builds up to `most` chunks here, slice by slice, as
/// long as there `has_time` for more than so many. Returns them, and how many slices were built.
fn build_in_slices(
    generation: &mut Generation,
    finish: &SurfaceFinish,
    most: usize,
    has_time: impl Fn(usize) -> bool,
) -> (Vec<BuiltChunk>, usize) {
    let (mut built, mut slices) = (Vec::new(), 0);
    while built.len() < most && has_time(slices) {
        let finished = generation.build_slice(finish);
        // What comes next may have to wait for what was just built.
        if finished.is_none() && generation.workshop.begun() == 0 {
            break;
        }
        slices += 1;
        built.extend(finished);
    }
    (built, slices)
}

/// Learns from a frame how many changes fit into one.
pub(super) fn measure_pace(mut pace: ResMut<Pace>, stats: Res<TerrainStats>) {
    pace.end_frame(stats.stage_times.apply, stats.stage_times.render);
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 150_000;

    /// How many chunks may come in a frame of which so much time and so many bytes are spent.
    fn arrivals(spent: Duration, uploaded: u64) -> usize {
        let mut stats = TerrainStats::default();
        (stats.frame_time, stats.bytes_uploaded) = (spent, uploaded);
        let (settings, pace) = (StreamSettings::default(), Pace::default());
        let left = pace.left_for_coming(stats.time_left(time_budget(&settings)), false);
        Budget::new(&settings, &pace, left, 0).fitting(BYTES, &stats)
    }

    #[test]
    fn what_is_left_of_time_and_bytes_decides_how_many_chunks_come() {
        let millisecond = Duration::from_millis(1);
        let most_bytes = (StreamSettings::default().upload_budget * 1e6) as u64;
        assert_eq!(arrivals(Duration::ZERO, 0), most_bytes as usize / BYTES);
        let few = arrivals(millisecond * 9 / 10, 0);
        assert!((2..10).contains(&few), "{few} chunks in a tenth of the time");
        assert_eq!(arrivals(5 * millisecond, 0), 1, "one always may");
        assert_eq!(arrivals(Duration::ZERO, most_bytes), 0, "but no more than one");
        assert_eq!(arrivals(Duration::ZERO, most_bytes - BYTES as u64), 1);
    }
}
