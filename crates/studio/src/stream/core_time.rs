//! Measures the CPU time of the terrain, or of the sky, on the main thread. Unlike wall-clock time, it does not count the time in which other
//! threads, or other virtual machines, use the core. So it is stable on a busy machine.

use bevy::prelude::*;
use bevy_perlin_terrain::sky::SkySystems;
use bevy_perlin_terrain::stream::TerrainSystems;
use std::time::{Duration, Instant};

/// Whose systems are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Those of the terrain, which the statistics measure too.
    Terrain,
    /// Those of the sky.
    Sky,
}

/// The time of the main thread in this frame, from the first measured system to the last.
#[derive(Resource)]
pub struct CoreTime {
    pub measured: Measured,
    began: Option<(Instant, Duration)>,
    /// `None` if the operating system does not report CPU time.
    pub taken: Option<Taken>,
}

/// A duration, measured in two ways.
#[derive(Clone, Copy)]
pub struct Taken {
    pub wall_clock: Duration,
    pub cpu: Duration,
}

impl CoreTime {
    /// Measures every frame of `app`. Its `PostUpdate` schedule must run on one thread.
    pub fn add_to(app: &mut App, measured: Measured) {
        app.insert_resource(Self { measured, began: None, taken: None });
        match measured {
            Measured::Terrain => {
                app.add_systems(PostUpdate, (begin.before(TerrainSystems::First), end.after(TerrainSystems::Last)));
            }
            Measured::Sky => {
                app.add_systems(PostUpdate, (begin.before(SkySystems), end.after(SkySystems)));
            }
        }
    }
}

fn begin(mut time: ResMut<CoreTime>) {
    time.began = thread_cpu_time().map(|cpu| (Instant::now(), cpu));
}

fn end(mut time: ResMut<CoreTime>) {
    time.taken = time
        .began
        .take()
        .zip(thread_cpu_time())
        .map(|((began, before), now)| Taken { wall_clock: began.elapsed(), cpu: now.saturating_sub(before) });
}

#[cfg(target_os = "linux")]
fn thread_cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().ok()
}

#[cfg(not(target_os = "linux"))]
fn thread_cpu_time() -> Option<Duration> {
    None
}
