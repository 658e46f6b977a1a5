//! How much fits into a frame.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// How long it takes to put a chunk into the world or to remove it, as was lately measured.
///
/// The commands that do it run later than they are given, and what Bevy does besides depends on the game. So the time is
/// measured as a whole, and what fits into the rest of a frame is estimated from the frames before.
#[derive(Resource, Clone, Copy, Debug)]
pub(super) struct Pace {
    seconds: f64,
    /// Changes that were made in this frame.
    changes: usize,
    /// How long other things took in this frame that are no changes to the world: to build chunks on the main thread, and to find
    /// what is to be drawn.
    aside: Duration,
    /// How long the latter took in this frame.
    planned: Duration,
    /// How long that takes in a frame, as a rule.
    planning: Duration,
    /// How long it takes to line up the chunks that are to be built, where others are wanted than before.
    lining_up: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let [aside, planned, planning, lining_up] = [Duration::ZERO; 4];
        Self { seconds: 2e-5, changes: 0, aside, planned, planning, lining_up }
    }
}

impl Pace {
    /// The part of a time that is filled: one change takes longer than another.
    const FILLED: f64 = 0.75;

    /// About so many chunks are shown or hidden in the time in which one is put into the world or removed.
    const SHOWN: usize = 16;

    /// No change is believed to take so many times as long as before: the frame may have had to wait for a core.
    const BELIEVED: f64 = 4.0;

    /// How many changes fit into a time, at least one.
    pub fn fitting(&self, left: Duration) -> usize {
        ((Self::FILLED * left.as_secs_f64() / self.seconds) as usize).max(1)
    }

    /// So many changes are made in this frame.
    pub const fn count(&mut self, changes: usize) {
        self.changes += changes;
    }

    /// So many chunks are shown, hidden, or drawn with other edges in this frame.
    pub const fn count_shown(&mut self, chunks: usize) {
        self.changes += chunks.div_ceil(Self::SHOWN);
    }

    /// How many more chunks may be shown or hidden in what is left of this frame.
    pub fn room_to_show(&self, left: Duration) -> usize {
        Self::SHOWN * self.fitting(left).saturating_sub(self.changes)
    }

    /// Builds chunks, and leaves out of account how long that takes.
    pub fn build<R>(&mut self, build: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let built = build();
        self.aside += start.elapsed();
        built
    }

    /// Finds what is to be drawn. That takes as long whether one chunk changes or a hundred do, so it is left out of account too.
    pub fn plan<R>(&mut self, plan: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let planned = plan();
        let took = start.elapsed();
        (self.aside, self.planned) = (self.aside + took, self.planned + took);
        planned
    }

    /// Lines up chunks, after the changes of the frame.
    pub fn line_up<R>(&mut self, line_up: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let lined_up = line_up();
        self.lining_up = mostly_as_before(self.lining_up, start.elapsed());
        lined_up
    }

    /// Time of a frame to be kept for [planning](Self::plan), and for [lining up](Self::line_up) chunks where `others_are_wanted`, as
    /// was lately measured.
    pub fn reserve(&self, others_are_wanted: bool) -> Duration {
        self.planning + if others_are_wanted { self.lining_up } else { Duration::ZERO }
    }

    /// The frame ends: its changes took so long, and what was done aside.
    pub fn end_frame(&mut self, took: Duration) {
        let (changes, aside) = (std::mem::take(&mut self.changes), std::mem::take(&mut self.aside));
        let planned = std::mem::take(&mut self.planned);
        if !planned.is_zero() {
            self.planning = mostly_as_before(self.planning, planned);
        }
        if changes > 0 {
            let seconds = took.saturating_sub(aside).as_secs_f64() / changes as f64;
            let seconds = seconds.min(Self::BELIEVED * self.seconds);
            // Many changes tell more than a few, among which the work of a frame without any weighs in.
            let weight = (changes as f64 / 32.0).min(0.25);
            self.seconds = (self.seconds + (seconds - self.seconds) * weight).clamp(1e-7, 1e-2);
        }
    }
}

/// What a time is expected to be that was `before`, and is `now`.
fn mostly_as_before(before: Duration, now: Duration) -> Duration {
    (3 * before + now) / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_follows_what_is_measured_and_always_lets_one_through() {
        let mut pace = Pace::default();
        for _ in 0..200 {
            let changes = pace.fitting(Duration::from_millis(1));
            pace.count(changes);
            pace.end_frame(Duration::from_micros(8) * changes as u32);
        }
        assert!((88..=98).contains(&pace.fitting(Duration::from_millis(1))), "three quarters of 125: {pace:?}");
        assert_eq!(pace.fitting(Duration::ZERO), 1);
        // One bad frame with few changes is not held against those to come.
        pace.count(1);
        pace.end_frame(Duration::from_millis(1));
        assert!(pace.seconds < 1e-3 / 20.0, "{pace:?}");
        pace.end_frame(Duration::from_secs(1));
        assert!(pace.seconds < 1e-3 / 20.0, "a frame without changes says nothing");
        let before = pace.seconds;
        pace.count(64);
        pace.end_frame(Duration::from_secs(1));
        assert!(pace.seconds < 2.0 * before, "it waited for a core: {pace:?}");
        for _ in 0..40 {
            pace.count(1);
            pace.end_frame(Duration::from_millis(1));
        }
        assert!(pace.seconds > 8.0 * before, "that was no exception: {pace:?}");
        let before = pace.seconds;
        assert_eq!(pace.build(|| 7), 7);
        pace.aside = Duration::from_secs(1);
        pace.count(64);
        pace.end_frame(Duration::from_secs(1) + Duration::from_secs_f64(64.0 * before));
        assert!((pace.seconds - before).abs() < 1e-9, "chunks that are built are no changes: {pace:?}");
    }

    #[test]
    fn where_planning_takes_most_of_a_frame_changes_still_go_on() {
        let (mut pace, frame) = (Pace::default(), Duration::from_millis(1));
        let mut changes = 0;
        for _ in 0..200 {
            changes = pace.fitting(frame.saturating_sub(pace.reserve(false)));
            assert_eq!(pace.plan(|| 7), 7);
            (pace.aside, pace.planned) = (frame * 8 / 10, frame * 8 / 10);
            pace.count(changes);
            pace.end_frame(pace.aside + Duration::from_micros(8) * changes as u32);
        }
        assert!((16..=20).contains(&changes), "three quarters of a fifth of 125, and not {changes}: {pace:?}");
        pace.end_frame(Duration::ZERO);
        assert!(pace.reserve(false) > frame / 2, "a frame without planning says nothing of it");
        pace.lining_up = frame;
        assert_eq!(pace.reserve(true), pace.reserve(false) + frame);
        pace.line_up(|| ());
        assert!(pace.lining_up < frame);
    }
}
