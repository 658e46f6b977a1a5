//! Chunks came and viewers moved: what is drawn follows.

use super::changes::WorldChanges;
use super::drawn::{Drawn, Ground};
use super::frame::TerrainPlaceItem;
use super::generation::Generation;
use super::pace::{Pace, time_budget};
use super::showing::Showing;
use super::spawning::{BuildingMeans, spawn_chunks};
use super::stand_in::spawn_stand_in;
use super::{TerrainPlace, TerrainState, TerrainStats, TerrainSystems};
use bevy::prelude::*;
use bevy::time::Real;
use std::time::Duration;

/// A frame in which more chunks than this change has no time for what can wait.
const MANY: usize = 512;

/// So many chunks that were left behind are hidden in any frame.
const HIDDEN_AT_LEAST: usize = 16;

/// Seconds for which a level may spread in one frame.
const LONGEST_FRAME: f64 = 1.0 / 30.0;

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
    let WorldChanges { queue, showing, .. } = &mut *changes;
    let mut artist = Artist { commands: commands.rebound_to(queue), showing, means: &means, pace: &mut pace, seconds };
    stats.time(TerrainSystems::Apply, |stats| {
        (stats.chunks_shown, stats.chunks_loaded, stats.chunks_waiting) = (0, 0, 0);
        stats.bytes_loaded = 0;
        for (terrain, place, mut state) in &mut terrains {
            let has_changed = artist.draw(terrain, &place, &mut state, stats);
            remove_unwanted(&mut state, has_changed, stats);
            count_chunks(&state, stats);
        }
    });
}

/// Draws what is there, terrain by terrain.
struct Artist<'a, 'w, 's> {
    commands: Commands<'w, 's>,
    showing: &'a mut Showing,
    means: &'a BuildingMeans<'w>,
    pace: &'a mut Pace,
    /// How long the last frame took, for levels that spread.
    seconds: f64,
}

/// What a terrain is drawn on.
struct Canvas<'a, 'w, 's> {
    terrain: Entity,
    place: &'a TerrainPlaceItem<'w, 's>,
    shown: &'a mut Generation,
    drawn: &'a mut Drawn,
}

impl Artist<'_, '_, '_> {
    /// Brings what is drawn of a terrain up to date. Returns whether that is anything else than before.
    fn draw(
        &mut self,
        terrain: Entity,
        place: &TerrainPlaceItem,
        state: &mut TerrainState,
        stats: &mut TerrainStats,
    ) -> bool {
        let TerrainState { shown: Some(shown), drawn, viewers, points, settings: Some(settings), redraw, .. } = state
        else {
            return false;
        };
        state.is_busy = false;
        if !std::mem::take(redraw) && drawn.is_at_rest() {
            return false;
        }
        if drawn.take_found_ahead() {
            shown.note_drawn(drawn.viewers());
            state.is_busy = true;
            return true;
        }
        let settings = &settings.stream;
        drawn.advance(shown, viewers, points, settings.keep_margin, self.seconds);
        shown.note_drawn(drawn.viewers());
        let (mut canvas, before) = (Canvas { terrain, place, shown, drawn }, self.showing.len());
        let has_patch = self.put_stand_ins(&mut canvas, stats);
        self.show(&mut canvas, stats);
        // What waits in this frame does not in the next.
        let others_wait = has_patch && !state.have_tasks_waited;
        let left = if others_wait { Duration::ZERO } else { stats.time_left(time_budget(settings)) };
        self.leave(&mut canvas, left);
        let changes = self.showing.len() - before;
        state.is_busy = has_patch || changes > MANY;
        changes > 0
    }

    /// There is ground everywhere in this very frame, if need be the coarsest, whatever it takes. Returns whether it was needed.
    fn put_stand_ins(&mut self, canvas: &mut Canvas<'_, '_, '_>, stats: &mut TerrainStats) -> bool {
        let Canvas { terrain, place, shown, drawn } = canvas;
        let mut has_any = false;
        while let Some(patch) = drawn.arrivals.missing_stand_in() {
            let (commands, finish) = (&mut self.commands, &self.means.finish);
            let build = || spawn_stand_in(commands, *terrain, place, shown, patch, finish);
            let (stand_in, bytes) = self.pace.build(build);
            drawn.arrivals.set_stand_in(stand_in);
            stats.bytes_uploaded += bytes as u64;
            has_any = true;
        }
        has_any
    }

    /// Shows the chunks that are to be drawn, those too that have to be built for that.
    fn show(&mut self, canvas: &mut Canvas<'_, '_, '_>, stats: &mut TerrainStats) {
        let &mut Canvas { terrain, place, ref mut shown, ref mut drawn } = canvas;
        let before = self.showing.len();
        let missing = drawn.show(&mut self.commands, terrain, shown, self.showing);
        if !missing.is_empty() {
            let BuildingMeans { finish, threads } = self.means;
            let built = self.pace.build(|| shown.build_now(&missing, finish, threads.0));
            spawn_chunks(&mut self.commands, terrain, place, shown, built, self.pace, stats);
            drawn.fill(terrain, shown, self.showing);
        }
        self.pace.count_shown(self.showing.len() - before);
    }

    /// Hides some of what viewers left behind, where so much of the frame's time is `left`.
    fn leave(&mut self, canvas: &mut Canvas<'_, '_, '_>, left: Duration) {
        let (before, most) = (self.showing.len(), self.pace.room_to_show(left).max(HIDDEN_AT_LEAST));
        canvas.drawn.leave(Ground::of(canvas.terrain, canvas.shown), self.showing, most);
        self.pace.count_shown(self.showing.len() - before);
    }
}

/// Takes out of the books what is neither wanted any more nor drawn, whole or in parts: bit by bit, and in the frames to come where
/// this one has no time.
fn remove_unwanted(state: &mut TerrainState, has_drawn_changed: bool, stats: &mut TerrainStats) {
    let TerrainState { shown: Some(shown), incoming, drawn, head_start, leaving, settings: Some(settings), .. } = state
    else {
        return;
    };
    let (before, budget) = (leaving.len(), time_budget(&settings.stream));
    // Who has just come may want in a moment what was there.
    let can_wait = state.is_busy || shown.has_newcomers() || stats.time_left(budget) < budget / 4;
    if !can_wait || !shown.put_off_sweep() {
        shown.remove_unwanted(|coord| drawn.holds(coord), has_drawn_changed, |chunk| leaving.push(chunk));
    }
    if let Some(incoming) = incoming {
        let will_be_drawn = |coord| head_start.as_ref().is_some_and(|ahead| ahead.holds(coord));
        incoming.remove_unwanted(will_be_drawn, false, |chunk| leaving.push(chunk));
    }
    stats.chunks_removed += (leaving.len() - before) as u64;
}

fn count_chunks(state: &TerrainState, stats: &mut TerrainStats) {
    stats.chunks_shown += state.drawn.len();
    stats.chunks_loaded += state.shown.as_ref().map_or(0, Generation::len);
    stats.chunks_waiting += state.incoming.as_ref().map_or(0, Generation::len);
    for generation in state.shown.iter().chain(&state.incoming) {
        stats.bytes_loaded += (generation.len() * generation.bytes_per_chunk()) as u64;
    }
}
