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
    /// How long it takes to show a chunk or to hide it, or to draw it with other edges, and to tell of that. It is much less, unless
    /// the game listens.
    seconds_to_show: f64,
    /// Changes that were made in this frame.
    changes: usize,
    /// Chunks that are to be shown, hidden, or drawn with other edges in this frame.
    to_show: usize,
    /// How long other things took in this frame than that chunks came and went: to build some on the main thread, to find what is to
    /// be drawn, and to show it.
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
        Self { seconds: 2e-5, seconds_to_show: 1e-6, changes: 0, to_show: 0, aside, planned, planning, lining_up }
    }
}

impl Pace {
    /// The part of a time that is filled: one change takes longer than another.
    const FILLED: f64 = 0.75;

    /// No change is believed to take so many times as long as before: the frame may have had to wait for a core.
    const BELIEVED: f64 = 4.0;

    /// How many more changes fit into what is left of this frame, where those that are counted are made later. At least one change a
    /// frame does.
    pub fn fitting(&self, left: Duration) -> usize {
        let more = (Self::FILLED * (left.as_secs_f64() - self.waiting()) / self.seconds) as usize;
        more.max(usize::from(self.changes == 0))
    }

    /// So many changes are made in this frame.
    pub const fn count(&mut self, changes: usize) {
        self.changes += changes;
    }

    /// So many chunks are to be shown, hidden, or drawn with other edges in this frame.
    pub const fn count_shown(&mut self, chunks: usize) {
        self.to_show += chunks;
    }

    /// How many more chunks may be shown or hidden in what is left of this frame, whose changes are made later.
    pub fn room_to_show(&self, left: Duration) -> usize {
        (Self::FILLED * (left.as_secs_f64() - self.waiting()) / self.seconds_to_show) as usize
    }

    /// How many seconds it will take to make the changes that are counted in this frame.
    fn waiting(&self) -> f64 {
        self.changes as f64 * self.seconds + self.to_show as f64 * self.seconds_to_show
    }

    /// So many chunks were shown, hidden, or drawn with other edges, and that took so long.
    pub fn note_shown(&mut self, chunks: usize, took: Duration) {
        self.aside += took;
        self.seconds_to_show = learn(self.seconds_to_show, chunks, took);
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

    /// What is left for changes of a time in which there is [planning](Self::plan) to do, and chunks are [lined up](Self::line_up) where
    /// `others_are_wanted`, as was lately measured. That may not take all of it: changes go on.
    pub fn left_for_changes(&self, left: Duration, others_are_wanted: bool) -> Duration {
        let lining_up = if others_are_wanted { self.lining_up } else { Duration::ZERO };
        left.saturating_sub(self.planning + lining_up).max(left / 8)
    }

    /// The frame ends: its changes took so long, and what was done aside.
    pub fn end_frame(&mut self, took: Duration) {
        let (changes, aside) = (std::mem::take(&mut self.changes), std::mem::take(&mut self.aside));
        self.to_show = 0;
        // One long frame is not held against those to come.
        self.planning = mostly_as_before(self.planning, std::mem::take(&mut self.planned));
        self.seconds = learn(self.seconds, changes, took.saturating_sub(aside));
    }
}

/// How many seconds a change is expected to take that was expected to take `seconds`, where so many `took` so long.
fn learn(seconds: f64, changes: usize, took: Duration) -> f64 {
    if changes == 0 {
        return seconds;
    }
    let measured = (took.as_secs_f64() / changes as f64).min(Pace::BELIEVED * seconds);
    // Many changes tell more than a few, among which the work of a frame without any weighs in.
    let weight = (changes as f64 / 32.0).min(0.25);
    (seconds + (measured - seconds) * weight).clamp(1e-7, 1e-2)
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
            changes = pace.fitting(pace.left_for_changes(frame, false));
            assert_eq!(pace.plan(|| 7), 7);
            (pace.aside, pace.planned) = (frame * 8 / 10, frame * 8 / 10);
            pace.count(changes);
            pace.end_frame(pace.aside + Duration::from_micros(8) * changes as u32);
        }
        assert!((16..=20).contains(&changes), "three quarters of a fifth of 125, and not {changes}: {pace:?}");
        (pace.planning, pace.lining_up) = (frame / 4, frame / 4);
        assert_eq!([false, true].map(|others| pace.left_for_changes(frame, others)), [frame * 3 / 4, frame / 2]);
        pace.line_up(|| ());
        assert!(pace.lining_up < frame / 4);
        pace.planned = 100 * frame;
        pace.end_frame(Duration::ZERO);
        assert_eq!(pace.left_for_changes(frame, false), frame / 8, "changes go on");
        (0..40).for_each(|_| pace.end_frame(Duration::ZERO));
        assert!(pace.left_for_changes(frame, false) > frame * 9 / 10, "nothing is planned any more");
    }

    #[test]
    fn what_is_counted_already_takes_its_part_of_the_frame() {
        let (mut pace, frame) = (Pace::default(), Duration::from_millis(1));
        let all = pace.fitting(frame);
        pace.count(20);
        pace.count_shown(100);
        assert_eq!(
            (all, pace.fitting(frame)),
            (37, 18),
            "of 50 changes at 20 us, 20 are counted, and 5 for what is shown"
        );
        pace.count(all);
        assert_eq!(pace.fitting(frame), 0, "one always fits, but no other beside it");
        pace.end_frame(frame);
        assert!(pace.fitting(Duration::ZERO) == 1 && pace.fitting(frame) > 30, "another frame: {pace:?}");
    }

    #[test]
    fn what_is_shown_is_reckoned_apart_from_what_comes_and_goes() {
        let (mut pace, frame) = (Pace::default(), Duration::from_millis(1));
        for _ in 0..100 {
            pace.count(10);
            pace.count_shown(1000);
            pace.note_shown(1000, Duration::from_micros(200));
            pace.end_frame(Duration::from_micros(280));
        }
        assert!((88..=98).contains(&pace.fitting(frame)), "as if nothing had been shown: {pace:?}");
        assert!((3700..=3800).contains(&pace.room_to_show(frame)), "three quarters of 5000: {pace:?}");
        pace.count(50);
        pace.count_shown(2000);
        assert!((740..=760).contains(&pace.room_to_show(frame)), "three quarters of what is left: {pace:?}");
        pace.count_shown(5000);
        assert_eq!(pace.room_to_show(frame), 0);
    }
}
