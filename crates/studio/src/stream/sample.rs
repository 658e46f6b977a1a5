//! Measures one frame.

use super::core_time::{CoreTime, Measured};
use super::coverage::is_ground_missing;
use super::flight::Flight;
use crate::app::FRAME;
use crate::percentile::percentile;
use bevy_perlin_terrain::stream::StageTimes;
use std::time::{Duration, Instant};

/// The measurements of one frame.
pub struct Sample {
    /// Time of the terrain's systems: the smaller of their wall-clock time and of the CPU time of the main thread.
    pub terrain: Duration,
    /// Wall-clock time of the terrain's systems.
    pub terrain_wall_clock: Duration,
    /// The parts of the wall-clock time.
    pub stages: StageTimes,
    /// The end of the update.
    pub ended: Instant,
    /// Wall-clock time of the whole update, including Bevy's own systems.
    pub update: Duration,
    /// Whether the main thread waited for a core while the terrain's systems ran, for longer than [`WAIT`].
    pub waited: bool,
    /// Bytes that would be uploaded to a GPU.
    pub bytes: u64,
    /// Whether ground is missing within the current view distance.
    pub is_ground_missing: bool,
    /// Whether ground is missing within the full view distance.
    pub is_view_missing: bool,
}

/// Waking a thread takes less than this on an idle machine.
const WAIT: Duration = Duration::from_micros(200);

impl Sample {
    /// Runs a frame, and sleeps for the rest of its time.
    pub fn of(flight: &mut Flight) -> Self {
        let started = Instant::now();
        flight.app.update();
        let ended = Instant::now();
        let &CoreTime { measured, taken, .. } = flight.app.world().resource();
        let terrain_wall_clock = match (measured, taken) {
            (Measured::Sky, Some(taken)) => taken.wall_clock,
            _ => flight.stats().frame_time,
        };
        let terrain = taken.map_or(terrain_wall_clock, |taken| taken.cpu.min(terrain_wall_clock));
        let waited = taken.is_some_and(|taken| taken.wall_clock.saturating_sub(taken.cpu) > WAIT);
        let (current, view) = (flight.current_view(), flight.view);
        let sample = Self {
            terrain,
            terrain_wall_clock,
            stages: flight.stats().stage_times,
            ended,
            update: ended - started,
            waited,
            bytes: flight.stats().bytes_uploaded,
            is_ground_missing: is_ground_missing(flight, current.max(0.0)),
            is_view_missing: is_ground_missing(flight, view),
        };
        std::thread::sleep(FRAME.saturating_sub(started.elapsed()));
        sample
    }
}

/// The times of many frames, in milliseconds.
pub struct Times(Vec<f64>);

impl Times {
    pub fn of(times: impl Iterator<Item = Duration>) -> Self {
        Self(times.map(|time| time.as_secs_f64() * 1000.0).collect())
    }

    /// The longest time, in milliseconds.
    pub fn longest(&mut self) -> f64 {
        self.at(1.0)
    }

    /// The percentile `part`, from 0 to 1, in milliseconds.
    fn at(&mut self, part: f64) -> f64 {
        percentile(&mut self.0, part).unwrap_or_default()
    }

    /// Three table cells in milliseconds: the median, the 99th percentile, and the longest time.
    pub fn cells(&mut self) -> String {
        let [median, p99, longest] = [0.5, 0.99, 1.0].map(|part| self.at(part));
        format!("{median:.3} | {p99:.3} | {longest:.3}")
    }
}
