//! How much fits into a frame.

use super::StreamSettings;
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// The time that a terrain may take of a frame for what can wait.
pub(super) fn time_budget(settings: &StreamSettings) -> Duration {
    Duration::from_secs_f64(settings.time_budget / 1e3)
}

/// How long it takes to put a chunk into the world, to remove it, and to show it, as was lately measured.
///
/// The commands that do it run later than they are given, and what Bevy does besides depends on the game. So what fits into the
/// rest of a frame is estimated from the frames before.
#[derive(Resource, Clone, Copy, Debug)]
pub(super) struct Pace {
    coming: Changes,
    going: Changes,
    /// Chunks that are shown, hidden, or drawn with other edges, and to tell of that.
    showing: Changes,
    /// How long it took in this frame that chunks came.
    came_in: Duration,
    /// How long it took that others went, were shown, or were built on the main thread.
    aside: Duration,
    /// How long all else takes in a frame, as a rule: to find what is to be drawn, and what is not wanted any more. That takes as long
    /// whether one chunk changes or a hundred do.
    planning: Duration,
    /// How long it takes to line up the chunks that are to be built, where others are wanted than before.
    lining_up: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let [came_in, aside, planning, lining_up] = [Duration::ZERO; 4];
        let [coming, going, showing] = [2e-5, 1e-5, 1e-6].map(|seconds| Changes { seconds, counted: 0 });
        Self { coming, going, showing, came_in, aside, planning, lining_up }
    }
}

/// Changes of one kind.
#[derive(Clone, Copy, Debug)]
struct Changes {
    /// How long one takes.
    seconds: f64,
    /// How many are made in this frame.
    counted: usize,
}

impl Changes {
    /// How many seconds it will take to make those that are counted.
    fn waiting(&self) -> f64 {
        self.counted as f64 * self.seconds
    }

    /// How many fit into so many seconds.
    fn fitting(&self, seconds: f64) -> usize {
        (Pace::FILLED * seconds / self.seconds) as usize
    }

    /// So many were made, and that took so long.
    fn learn(&mut self, made: usize, took: Duration) {
        if made == 0 {
            return;
        }
        let measured = (took.as_secs_f64() / made as f64).min(Pace::BELIEVED * self.seconds);
        // Many changes tell more than a few.
        let weight = (made as f64 / 32.0).min(0.25);
        self.seconds = (self.seconds + (measured - self.seconds) * weight).clamp(1e-7, 1e-2);
    }
}

impl Pace {
    /// The part of a time that is filled: one change takes longer than another.
    const FILLED: f64 = 0.75;

    /// No change is believed to take so many times as long as before: the frame may have had to wait for a core.
    const BELIEVED: f64 = 4.0;

    /// Lets so many chunks come in this frame.
    pub fn bring<R>(&mut self, chunks: usize, bring: impl FnOnce() -> R) -> R {
        self.coming.counted += chunks;
        let (brought, took) = timed(bring);
        self.came_in += took;
        brought
    }

    /// So many chunks are removed in this frame.
    pub const fn count_going(&mut self, chunks: usize) {
        self.going.counted += chunks;
    }

    /// So many chunks are to be shown, hidden, or drawn with other edges in this frame.
    pub const fn count_shown(&mut self, chunks: usize) {
        self.showing.counted += chunks;
    }

    /// How many more chunks may come in what is left of this frame, where the changes that are counted are made later. At least one
    /// chunk a frame may.
    pub fn room_to_come(&self, left: Duration) -> usize {
        self.coming.fitting(self.unclaimed(left)).max(usize::from(self.coming.counted == 0))
    }

    /// How many more chunks may be removed: in half of the time, as one may well take three times as long as another.
    pub fn room_to_go(&self, left: Duration) -> usize {
        self.going.fitting(self.unclaimed(left) / 2.0)
    }

    /// How many more chunks may be shown or hidden.
    pub fn room_to_show(&self, left: Duration) -> usize {
        self.showing.fitting(self.unclaimed(left))
    }

    /// The seconds of what is left of a frame in which the changes that are counted are made later.
    fn unclaimed(&self, left: Duration) -> f64 {
        left.as_secs_f64() - self.coming.waiting() - self.going.waiting() - self.showing.waiting()
    }

    /// Chunks that were [brought](Self::bring) came, and that took so long besides.
    pub fn note_came(&mut self, took: Duration) {
        self.came_in += took;
    }

    /// So many chunks were shown, hidden, or drawn with other edges, and that took so long.
    pub fn note_shown(&mut self, chunks: usize, took: Duration) {
        self.aside += took;
        self.showing.learn(chunks, took);
    }

    /// So many chunks were removed, and that took so long.
    pub fn note_gone(&mut self, chunks: usize, took: Duration) {
        self.aside += took;
        self.going.learn(chunks, took);
    }

    /// Builds chunks, and leaves out of account how long that takes.
    pub fn build<R>(&mut self, build: impl FnOnce() -> R) -> R {
        let (built, took) = timed(build);
        self.aside += took;
        built
    }

    /// Lines up chunks, after the changes of the frame.
    pub fn line_up<R>(&mut self, line_up: impl FnOnce() -> R) -> R {
        let (lined_up, took) = timed(line_up);
        // Where it takes longer, that is believed sooner: nothing comes after it that could take less.
        self.lining_up =
            if took > self.lining_up { (self.lining_up + took) / 2 } else { mostly_as_before(self.lining_up, took) };
        lined_up
    }

    /// Whether chunks can be [lined up](Self::line_up) in what is left of this frame.
    pub fn has_time_to_line_up(&self, left: Duration) -> bool {
        self.lining_up.as_secs_f64() <= Self::FILLED * left.as_secs_f64()
    }

    /// What is left for chunks that come of a time in which there is planning to do, and chunks are [lined up](Self::line_up) where
    /// `others_are_wanted`, as was lately measured. That may not take all of it: chunks go on coming.
    pub fn left_for_coming(&self, left: Duration, others_are_wanted: bool) -> Duration {
        self.left_for_going(left.saturating_sub(self.planning), others_are_wanted).max(left / 8)
    }

    /// What is left for chunks that go, when all else is planned.
    pub fn left_for_going(&self, left: Duration, others_are_wanted: bool) -> Duration {
        let lining_up = if others_are_wanted { self.lining_up } else { Duration::ZERO };
        left.saturating_sub(lining_up)
    }

    /// The frame ends, in which all of this took so long, and then to draw what came.
    pub fn end_frame(&mut self, took: Duration, rendering: Duration) {
        let [came_in, aside] = [&mut self.came_in, &mut self.aside].map(std::mem::take);
        self.coming.learn(self.coming.counted, came_in + rendering);
        for changes in [&mut self.coming, &mut self.going, &mut self.showing] {
            changes.counted = 0;
        }
        // One long frame is not held against those to come.
        self.planning = mostly_as_before(self.planning, took.saturating_sub(came_in + aside));
    }
}

/// What `work` results in, and how long it takes.
fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// What a time is expected to be that was `before`, and is `now`.
fn mostly_as_before(before: Duration, now: Duration) -> Duration {
    (3 * before + now) / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Duration = Duration::from_millis(1);

    /// A frame in which so many chunks come, and that takes so long.
    fn frame(pace: &mut Pace, came: usize, took: Duration) {
        pace.coming.counted += came;
        pace.note_came(took);
        pace.end_frame(took, Duration::ZERO);
    }

    #[test]
    fn the_pace_follows_what_is_measured_and_always_lets_one_through() {
        let mut pace = Pace::default();
        for _ in 0..200 {
            let came = pace.room_to_come(FRAME);
            frame(&mut pace, came, Duration::from_micros(8) * came as u32);
        }
        assert!((88..=98).contains(&pace.room_to_come(FRAME)), "three quarters of 125: {pace:?}");
        assert_eq!((pace.room_to_come(Duration::ZERO), pace.room_to_go(Duration::ZERO)), (1, 0));
        // One bad frame with few changes is not held against those to come.
        frame(&mut pace, 1, FRAME);
        assert!(pace.coming.seconds < 1e-3 / 20.0, "{pace:?}");
        frame(&mut pace, 0, 1000 * FRAME);
        assert!(pace.coming.seconds < 1e-3 / 20.0, "a frame without changes says nothing");
        let before = pace.coming.seconds;
        frame(&mut pace, 64, 1000 * FRAME);
        assert!(pace.coming.seconds < 2.0 * before, "it waited for a core: {pace:?}");
        for _ in 0..40 {
            frame(&mut pace, 1, FRAME);
        }
        assert!(pace.coming.seconds > 8.0 * before, "that was no exception: {pace:?}");
    }

    #[test]
    fn what_else_a_frame_does_is_not_held_against_the_chunks_that_come_in_it() {
        let mut pace = Pace::default();
        let [before, other] = [pace.coming.seconds, 0.1 * FRAME.as_secs_f64()];
        for _ in 0..100 {
            pace.coming.counted += 4;
            pace.note_came(Duration::from_secs_f64(3.0 * before));
            pace.aside += 100 * FRAME;
            let drawing = Duration::from_secs_f64(before);
            pace.end_frame(100 * FRAME + Duration::from_secs_f64(3.0 * before + other), drawing);
        }
        assert!((pace.coming.seconds - before).abs() < 1e-9, "to draw them is: {pace:?}");
        assert!((pace.planning.as_secs_f64() - other).abs() < 1e-7, "{pace:?}");
        assert_eq!(pace.build(|| 7), 7);
        assert_eq!(pace.bring(3, || 8), 8);
        assert_eq!(pace.coming.counted, 3);
        assert!(pace.aside < FRAME && pace.came_in < FRAME);
    }

    #[test]
    fn where_planning_takes_most_of_a_frame_changes_still_go_on() {
        let mut pace = Pace::default();
        let mut came = 0;
        for _ in 0..200 {
            came = pace.room_to_come(pace.left_for_coming(FRAME, false));
            let took = Duration::from_micros(8) * came as u32;
            pace.coming.counted += came;
            pace.note_came(took);
            pace.end_frame(FRAME * 8 / 10 + took, Duration::ZERO);
        }
        assert!((16..=20).contains(&came), "three quarters of a fifth of 125, and not {came}: {pace:?}");
        (pace.planning, pace.lining_up) = (FRAME / 4, FRAME / 4);
        assert_eq!([false, true].map(|others| pace.left_for_coming(FRAME, others)), [FRAME * 3 / 4, FRAME / 2]);
        assert_eq!([false, true].map(|others| pace.left_for_going(FRAME, others)), [FRAME, FRAME * 3 / 4]);
        let can_line_up = |pace: &Pace| pace.has_time_to_line_up(FRAME * 3 / 10);
        assert!(!can_line_up(&pace) && pace.has_time_to_line_up(FRAME * 4 / 10));
        pace.line_up(|| ());
        assert!(can_line_up(&pace) && pace.lining_up > FRAME / 8, "that goes down bit by bit");
        pace.end_frame(100 * FRAME, Duration::ZERO);
        assert_eq!(pace.left_for_coming(FRAME, false), FRAME / 8, "changes go on");
        (0..40).for_each(|_| pace.end_frame(Duration::ZERO, Duration::ZERO));
        assert!(pace.left_for_coming(FRAME, false) > FRAME * 9 / 10, "nothing is planned any more");
    }

    #[test]
    fn what_is_counted_already_takes_its_part_of_the_frame() {
        let mut pace = Pace::default();
        let all = pace.room_to_come(FRAME);
        pace.coming.counted += 20;
        pace.count_shown(100);
        assert_eq!(
            (all, pace.room_to_come(FRAME)),
            (37, 18),
            "of 50 changes at 20 us, 20 are counted, and 5 for what is shown"
        );
        pace.count_going(10);
        assert_eq!(pace.room_to_come(FRAME), 15, "and 5 for those that go");
        assert_eq!(pace.room_to_go(FRAME), 15, "of half of what is left, 20 changes at 10 us");
        pace.coming.counted += all;
        let room = [Pace::room_to_come, Pace::room_to_go, Pace::room_to_show].map(|room| room(&pace, FRAME));
        assert_eq!(room, [0; 3], "one always fits, but no other beside it");
        frame(&mut pace, 0, FRAME);
        assert!(pace.room_to_come(Duration::ZERO) == 1 && pace.room_to_come(FRAME) > 30, "another frame: {pace:?}");
    }

    #[test]
    fn what_comes_goes_and_is_shown_each_has_its_own_pace() {
        let mut pace = Pace::default();
        for _ in 0..100 {
            pace.count_going(100);
            pace.note_gone(100, Duration::from_micros(300));
            pace.count_shown(1000);
            pace.note_shown(1000, Duration::from_micros(200));
            pace.coming.counted += 10;
            pace.note_came(Duration::from_micros(80));
            pace.end_frame(Duration::from_micros(580), Duration::ZERO);
        }
        assert!((88..=98).contains(&pace.room_to_come(FRAME)), "three quarters of 125: {pace:?}");
        assert!((118..=126).contains(&pace.room_to_go(FRAME)), "three quarters of half of 333: {pace:?}");
        assert!((3700..=3800).contains(&pace.room_to_show(FRAME)), "three quarters of 5000: {pace:?}");
        pace.coming.counted += 50;
        pace.count_shown(2000);
        assert!((740..=760).contains(&pace.room_to_show(FRAME)), "three quarters of what is left: {pace:?}");
        pace.count_shown(5000);
        assert_eq!(pace.room_to_show(FRAME), 0);
    }
}
