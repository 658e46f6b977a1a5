//! Measures the time after an event, such as a teleport, until the ground is complete, and until it has full detail.

use super::sample::Sample;
use std::time::{Duration, Instant};

/// The state since the last event, and the longest delays after all events.
pub struct Delays {
    began: Instant,
    frames: u32,
    waits_for_ground: bool,
    waits_for_detail: bool,
    ground: Option<Delay>,
    detail: Option<Delay>,
}

/// Frames after that of the event, and the time since the start of that frame.
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

    /// Starts to measure. The event happens in the next frame.
    pub fn begin(&mut self) {
        (self.began, self.frames) = (Instant::now(), 0);
        (self.waits_for_ground, self.waits_for_detail) = (true, true);
    }

    /// Whether full detail is still missing.
    pub const fn is_waiting(&self) -> bool {
        self.waits_for_detail
    }

    /// Adds a frame. `is_settled` is the state of the terrain after it.
    pub fn add(&mut self, sample: &Sample, is_settled: bool) {
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

    /// Two table cells: the longest delay until the ground was complete, and until it had full detail.
    pub fn cells(&self) -> String {
        let cell = |delay: Option<Delay>| match delay {
            Some((frames, time)) => format!("{frames} frames, {:.1} ms", time.as_secs_f64() * 1000.0),
            None => "-".to_owned(),
        };
        format!("{} | {}", cell(self.ground), cell(self.detail))
    }
}
