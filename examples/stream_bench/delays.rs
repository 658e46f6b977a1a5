//! How long it takes after a jump, or the like, until there is ground, and until there is all of it.

use crate::sample::Sample;
use std::time::{Duration, Instant};

/// What happened since the last event, and the longest that it took after any.
pub struct Delays {
    began: Instant,
    frames: u32,
    waits_for_ground: bool,
    waits_for_detail: bool,
    ground: Option<Delay>,
    detail: Option<Delay>,
}

/// Frames after the one of the event, and the time from the begin of that one.
type Delay = (u32, Duration);

impl Delays {
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
            frames: 0,
            waits_for_ground: false,
            waits_for_detail: false,
            ground: None,
            detail: None,
        }
    }

    /// The viewer jumps, or something else happens, in the frame that comes next.
    pub fn begin(&mut self) {
        (self.began, self.frames) = (Instant::now(), 0);
        (self.waits_for_ground, self.waits_for_detail) = (true, true);
    }

    /// Whether what was jumped to is not there in full.
    pub const fn is_waiting(&self) -> bool {
        self.waits_for_detail
    }

    /// Looks at a frame, after which everything that is wanted is there or not.
    pub fn note(&mut self, sample: &Sample, is_settled: bool) {
        let delay = (self.frames, sample.ended - self.began);
        if self.waits_for_ground && !sample.is_view_missing {
            self.waits_for_ground = false;
            self.ground = self.ground.max(Some(delay));
        }
        if self.waits_for_detail && is_settled {
            self.waits_for_detail = false;
            self.detail = self.detail.max(Some(delay));
        }
        self.frames += 1;
    }

    /// Two cells: until there was ground everywhere, and until there was all detail.
    pub fn cells(&self) -> String {
        let cell = |delay: Option<Delay>| match delay {
            Some((frames, time)) => format!("{frames} frames, {:.1} ms", time.as_secs_f64() * 1000.0),
            None => "-".to_owned(),
        };
        format!("{} | {}", cell(self.ground), cell(self.detail))
    }
}
