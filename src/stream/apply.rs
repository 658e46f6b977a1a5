//! Tasks finished and viewers moved: the world follows, as much of it in a frame as its budgets allow.

use super::background::drop_in_background;
use super::changes::WorldChanges;
use super::chunk_place::ChunkPlace;
use super::drawn::{Drawn, Ground};
use super::finish::{BuiltChunk, SurfaceFinish};
use super::frame::TerrainPlaceItem;
use super::generation::{ChunkBody, Generation, LoadedChunk};
use super::pace::Pace;
use super::removal::despawn_chunks;
use super::stand_in::spawn_stand_in;
use super::turns::Turns;
use super::{
    ChunkBounds, ChunkEdges, ChunkShown, StreamSettings, StreamThreads, TerrainChunk, TerrainPlace, TerrainState,
    TerrainStats, TerrainSystems,
};
use crate::chunk::{Edges, Viewer, ViewerPoint};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::time::Real;
use std::time::Duration;

/// How chunks are built that can't wait for a task.
#[derive(SystemParam)]
pub(super) struct BuildingMeans<'w> {
    finish: Res<'w, SurfaceFinish>,
    threads: Res<'w, StreamThreads>,
}

/// What the terrain may still do in a frame.
struct Budget {
    time: Duration,
    bytes: u64,
    /// Chunks that may come or go.
    changes: usize,
    /// Chunks that may come.
    coming: usize,
}

impl Budget {
    /// What is left of a frame in which `came` chunks have come.
    fn new(settings: &StreamSettings, stats: &TerrainStats, pace: &Pace, others_are_wanted: bool, came: usize) -> Self {
        let time = Duration::from_secs_f64(settings.time_budget / 1e3);
        Self {
            time,
            bytes: (settings.upload_budget * 1e6) as u64,
            changes: pace.fitting(pace.left_for_changes(stats.time_left(time), others_are_wanted)),
            coming: (settings.chunks_per_frame as usize).saturating_sub(came),
        }
    }

    /// How many chunks of so many bytes may come now. One a frame always may, or there would never be more of them.
    fn fitting(&self, bytes_per_chunk: usize, stats: &TerrainStats) -> usize {
        let bytes = (self.bytes.saturating_sub(stats.bytes_uploaded) / bytes_per_chunk as u64) as usize;
        let least = usize::from(stats.bytes_uploaded == 0);
        bytes.max(least).min(self.changes.max(least)).min(self.coming)
    }
}

/// What the chunks that come are for.
#[derive(Clone, Copy)]
enum Role {
    Incoming,
    Shown,
}

/// Removes chunks that are to go and puts finished ones into the world, unseen, within the budgets of a frame, and changes
/// generations when the new one is ready.
pub(super) fn apply_changes(
    commands: Commands,
    mut changes: ResMut<WorldChanges>,
    mut terrains: Query<(Entity, TerrainPlace, &mut TerrainState)>,
    means: BuildingMeans,
    mut turns: Local<Turns>,
    mut pace: ResMut<Pace>,
    mut stats: ResMut<TerrainStats>,
) {
    let WorldChanges { queue, showing } = &mut *changes;
    let mut commands = commands.rebound_to(queue);
    stats.time(TerrainSystems::Apply, |stats| {
        stats.chunks_leaving = 0;
        let (mut came, mut has_sliced) = (0, false);
        turns.next(terrains.iter().map(|(terrain, ..)| terrain));
        for &terrain in turns.order() {
            let Ok((_, place, mut state)) = terrains.get_mut(terrain) else {
                continue;
            };
            let TerrainState { shown, incoming, drawn, points, leaving, settings: Some(settings), redraw, .. } =
                &mut *state
            else {
                continue;
            };
            let others_are_wanted = [&*shown, &*incoming].into_iter().flatten().any(Generation::is_queue_outdated);
            let mut budget = Budget::new(&settings.stream, stats, &pace, others_are_wanted, came);
            // Half of what may change may go, so that there is room for what comes.
            let going = leaving.take(budget.changes.div_ceil(2));
            if !going.is_empty() {
                budget.changes -= going.len();
                pace.count(going.len());
                despawn_chunks(&mut commands, going);
            }
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
                for chunk in built {
                    spawn_chunk(&mut commands, terrain, &place, generation, chunk, stats);
                }
                budget.coming -= arrived;
                came += arrived;
                budget.changes = budget.changes.saturating_sub(arrived);
                pace.count(arrived);
                match role {
                    Role::Incoming => has_incoming_grown |= arrived > 0,
                    Role::Shown => *redraw |= arrived > 0,
                }
            }
            if (*redraw || has_incoming_grown)
                && let (Some(old), Some(new)) = (&mut *shown, &mut *incoming)
                && pace.plan(|| can_take_over(new, old, drawn, points))
            {
                // What is drawn of the old generation goes, and all of the new comes, in one go.
                stats.tasks_cancelled += old.workshop.cancel_all() as u64;
                let before = showing.len();
                drawn.hide_all(&mut commands, Ground::of(terrain, old), showing);
                pace.count_shown(showing.len() - before);
                leaving.push_all(old);
                drop_in_background(std::mem::replace(shown, incoming.take()), *means.threads);
                *redraw = true;
            }
            stats.chunks_leaving += leaving.len();
        }
    });
}

/// Whether `new` can be drawn in the place of `old`: all of it that is wanted, or, on the same grid, as much detail as there is now.
fn can_take_over(new: &Generation, old: &Generation, drawn: &Drawn, points: &[ViewerPoint]) -> bool {
    if !new.is_measured() || new.lacks_roots(points, drawn.cover()) {
        return false;
    }
    let (bounds, targets) = (new.field.bounds(), points.iter().zip(new.targets()));
    let wanted: Vec<Viewer> = targets.map(|(&point, &target)| Viewer::new(point, target, bounds)).collect();
    let can_reach = |viewers: &[Viewer]| new.can_reach(viewers, drawn.cover());
    let as_now = || drawn.with_reach_in_force(&wanted).filter(|_| new.layout == old.layout);
    can_reach(&wanted) || as_now().is_some_and(|viewers| can_reach(&viewers))
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

fn spawn_chunk(
    commands: &mut Commands,
    terrain: Entity,
    place: &TerrainPlaceItem,
    generation: &mut Generation,
    built: BuiltChunk,
    stats: &mut TerrainStats,
) {
    let BuiltChunk { coord, coarse_error, height_range, borders, finished } = built;
    let bounds = ChunkBounds::new(&generation.layout, coord, height_range);
    let mut chunk = ChunkPlace::new(place, &bounds).spawn(
        commands,
        (
            Name::new(format!("Chunk {} {} (level {})", coord.x, coord.z, coord.level)),
            TerrainChunk { terrain, coord },
            ChunkEdges(Edges::NONE),
            ChunkShown(false),
            bounds,
            ChildOf(terrain),
        ),
    );
    finished.give_to(&mut chunk);
    let bytes = generation.bytes_per_chunk();
    let body = ChunkBody { entity: chunk.id(), heights: height_range };
    generation.insert(coord, LoadedChunk { body, bytes, borders }, coarse_error);
    stats.tasks_done += 1;
    stats.bytes_uploaded += bytes as u64;
}

/// Brings what is drawn up to date with the viewers and with the chunks that are there.
pub(super) fn draw_cover(
    commands: Commands,
    mut changes: ResMut<WorldChanges>,
    mut terrains: Query<(Entity, TerrainPlace, &mut TerrainState)>,
    means: BuildingMeans,
    time: Option<Res<Time<Real>>>,
    mut pace: ResMut<Pace>,
    mut stats: ResMut<TerrainStats>,
) {
    // After a frame that took long, detail goes on flowing in as if it had not: it should not jump.
    let seconds = time.map_or(f64::INFINITY, |time| time.delta_secs_f64().min(LONGEST_FRAME));
    let WorldChanges { queue, showing } = &mut *changes;
    let mut commands = commands.rebound_to(queue);
    stats.time(TerrainSystems::Apply, |stats| {
        (stats.chunks_shown, stats.chunks_loaded, stats.chunks_waiting) = (0, 0, 0);
        stats.bytes_loaded = 0;
        for (terrain, place, mut state) in &mut terrains {
            let TerrainState {
                shown: Some(shown),
                incoming,
                drawn,
                viewers,
                points,
                settings: Some(settings),
                redraw,
                leaving,
                tasks_wait,
                ..
            } = &mut *state
            else {
                continue;
            };
            let margin = settings.stream.keep_margin;
            let (mut drawn_changed, mut is_busy) = (false, false);
            if std::mem::take(redraw) || !drawn.is_at_rest() {
                pace.plan(|| drawn.advance(shown, viewers, points, margin, seconds));
                shown.note_drawn(drawn.viewers());
                // There is ground everywhere in this very frame, if need be the coarsest, whatever it takes.
                while let Some(patch) = drawn.arrivals.missing_stand_in() {
                    let (stand_in, bytes) =
                        pace.build(|| spawn_stand_in(&mut commands, terrain, &place, shown, patch, &means.finish));
                    drawn.arrivals.set_stand_in(stand_in);
                    is_busy = true;
                    stats.bytes_uploaded += bytes as u64;
                }
                let before = showing.len();
                let missing = drawn.show(&mut commands, terrain, shown, showing);
                if !missing.is_empty() {
                    for built in pace.build(|| shown.build_now(&missing, &means.finish, means.threads.0)) {
                        spawn_chunk(&mut commands, terrain, &place, shown, built, stats);
                        pace.count(1);
                    }
                    drawn.fill(terrain, shown, showing);
                }
                pace.count_shown(showing.len() - before);
                let time = Duration::from_secs_f64(settings.stream.time_budget / 1e3);
                let room = if is_busy && !*tasks_wait { 0 } else { pace.room_to_show(stats.time_left(time)) };
                let others = showing.len();
                drawn.leave(Ground::of(terrain, shown), showing, room.max(FEW));
                pace.count_shown(showing.len() - others);
                drawn_changed = showing.len() > before;
                is_busy |= showing.len() - before > MANY;
            }
            *tasks_wait = is_busy && !*tasks_wait;
            // What is neither wanted any more nor drawn, whole or in parts, goes in the frames to come.
            let before = leaving.len();
            if !is_busy || !shown.put_off_sweep() {
                shown.remove_unwanted(|coord| drawn.holds(coord), drawn_changed, |chunk| leaving.push(chunk));
            }
            if let Some(incoming) = incoming {
                incoming.remove_unwanted(|_| false, false, |chunk| leaving.push(chunk));
            }
            stats.chunks_removed += (leaving.len() - before) as u64;
            stats.chunks_leaving += leaving.len() - before;
            stats.chunks_shown += drawn.len();
            stats.chunks_loaded += shown.len();
            stats.chunks_waiting += incoming.as_ref().map_or(0, Generation::len);
            for generation in [Some(&*shown), incoming.as_ref()].into_iter().flatten() {
                stats.bytes_loaded += (generation.len() * generation.bytes_per_chunk()) as u64;
            }
            stats.bytes_loaded += leaving.bytes() as u64;
        }
    });
}

/// A frame in which more chunks than this change has no time for what can wait.
const MANY: usize = 512;

/// So many chunks that were left behind go in any frame.
const FEW: usize = 16;

/// Seconds for which a level may spread in one frame.
const LONGEST_FRAME: f64 = 1.0 / 30.0;

/// Learns from a frame how many changes fit into one.
pub(super) fn measure_pace(mut pace: ResMut<Pace>, stats: Res<TerrainStats>) {
    pace.end_frame(stats.stage_times.apply + stats.stage_times.render);
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 150_000;

    /// How many chunks may come in a frame of which so much time and so many bytes are spent.
    fn arrivals(spent: Duration, uploaded: u64) -> usize {
        let mut stats = TerrainStats::default();
        (stats.frame_time, stats.bytes_uploaded) = (spent, uploaded);
        Budget::new(&StreamSettings::default(), &stats, &Pace::default(), false, 0).fitting(BYTES, &stats)
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
