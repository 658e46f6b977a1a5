//! What one frame took.

use crate::coverage::is_ground_missing;
use crate::flight::{FRAME, Flight};
use crate::memory;
use bevy_perlin_terrain::stream::StageTimes;
use std::time::{Duration, Instant};

/// What one frame took.
pub struct Sample {
    /// Time of the terrain's own systems.
    pub terrain: Duration,
    /// Its parts.
    pub stages: StageTimes,
    /// When the update was over.
    pub ended: Instant,
    /// Time of the whole update, in which Bevy spawns and removes what the terrain asked for.
    pub update: Duration,
    /// The main thread was ready to run in the update and had no core for longer than it may take to be woken up.
    pub waited: bool,
    /// Bytes that a graphics card would have to be sent.
    pub bytes: u64,
    /// A place within view, now and before that changed, has no ground.
    pub is_ground_missing: bool,
    /// A place within view has no ground yet.
    pub is_view_missing: bool,
}

/// Longer than a thread takes to be woken up on a machine that is free.
const WAIT: Duration = Duration::from_micros(200);

impl Sample {
    /// Runs a frame, and sleeps for what is left of its time.
    pub fn of(flight: &mut Flight) -> Self {
        let waited = memory::waited_for_a_core();
        let started = Instant::now();
        flight.app.update();
        let ended = Instant::now();
        let waited = waited.zip(memory::waited_for_a_core()).is_some_and(|(before, after)| after - before > WAIT);
        let [lasting_view, view] = [flight.lasting_view, flight.view];
        let sample = Self {
            terrain: flight.stats().frame_time,
            stages: flight.stats().stage_times,
            ended,
            update: ended - started,
            waited,
            bytes: flight.stats().bytes_uploaded,
            is_ground_missing: is_ground_missing(flight, lasting_view),
            is_view_missing: is_ground_missing(flight, view),
        };
        std::thread::sleep(FRAME.saturating_sub(started.elapsed()));
        sample
    }
}

/// Times of many frames, for a table.
pub struct Times(Vec<Duration>);

impl Times {
    pub fn of(times: impl Iterator<Item = Duration>) -> Self {
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        Self(times)
    }

    /// Milliseconds that so many of the frames, from 0 to 1, stayed within.
    fn at(&self, part: f64) -> f64 {
        let index = (part * (self.0.len() as f64 - 1.0)) as usize;
        self.0.get(index).copied().unwrap_or_default().as_secs_f64() * 1000.0
    }

    /// Three cells: the median, what 99 % of the frames stayed within, and the longest, in milliseconds.
    pub fn cells(&self) -> String {
        format!("{:.3} | {:.3} | {:.3}", self.at(0.5), self.at(0.99), self.at(1.0))
    }
}
