//! What one frame took.

use crate::core_time::CoreTime;
use crate::coverage::is_ground_missing;
use crate::flight::{FRAME, Flight};
use bevy_perlin_terrain::stream::StageTimes;
use std::time::{Duration, Instant};

/// What one frame took.
pub struct Sample {
    /// Time of the terrain's own systems: by the clock, but no more than the main thread had of a core meanwhile.
    pub terrain: Duration,
    /// The same by the clock alone.
    pub terrain_by_the_clock: Duration,
    /// The parts of that.
    pub stages: StageTimes,
    /// When the update was over.
    pub ended: Instant,
    /// Time of the whole update, in which Bevy spawns and removes what the terrain asked for.
    pub update: Duration,
    /// The main thread had no core in the midst of the terrain's systems, for longer than it may take to be woken up.
    pub waited: bool,
    /// Bytes that a graphics card would have to be sent.
    pub bytes: u64,
    /// A place within the view in force has no ground, or the viewer itself has none.
    pub is_ground_missing: bool,
    /// A place within view has no ground yet.
    pub is_view_missing: bool,
}

/// Longer than a thread takes to be woken up on a machine that is free.
const WAIT: Duration = Duration::from_micros(200);

impl Sample {
    /// Runs a frame, and sleeps for what is left of its time.
    pub fn of(flight: &mut Flight) -> Self {
        let started = Instant::now();
        flight.app.update();
        let ended = Instant::now();
        let terrain_by_the_clock = flight.stats().frame_time;
        let taken = flight.app.world().resource::<CoreTime>().taken;
        let terrain = taken.map_or(terrain_by_the_clock, |taken| taken.on_a_core.min(terrain_by_the_clock));
        let waited = taken.is_some_and(|taken| taken.by_the_clock.saturating_sub(taken.on_a_core) > WAIT);
        let (in_force, view) = (flight.view_in_force(), flight.view);
        let sample = Self {
            terrain,
            terrain_by_the_clock,
            stages: flight.stats().stage_times,
            ended,
            update: ended - started,
            waited,
            bytes: flight.stats().bytes_uploaded,
            is_ground_missing: is_ground_missing(flight, in_force.max(0.0)),
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

    /// The longest, in milliseconds.
    pub fn longest(&self) -> f64 {
        self.at(1.0)
    }

    /// Milliseconds that so many of the frames, from 0 to 1, stayed within.
    fn at(&self, part: f64) -> f64 {
        let index = (part * (self.0.len() as f64 - 1.0)) as usize;
        self.0.get(index).copied().unwrap_or_default().as_secs_f64() * 1000.0
    }

    /// Three cells: the median, what 99 % of the frames stayed within, and the longest, in milliseconds.
    pub fn cells(&self) -> String {
        format!("{:.3} | {:.3} | {:.3}", self.at(0.5), self.at(0.99), self.longest())
    }
}
