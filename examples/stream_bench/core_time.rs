//! How long the terrain had a core, which a busy machine makes no longer: unlike time by the clock, it leaves out when other threads
//! run, and in a virtual machine when others do.

use bevy::prelude::*;
use bevy_perlin_terrain::stream::TerrainSystems;
use std::time::{Duration, Instant};

/// What the main thread had of a core, from the terrain's first system in this frame until its last.
#[derive(Resource, Default)]
pub struct CoreTime {
    began: Option<(Instant, Duration)>,
    /// Time by the clock, whatever else took the core.
    pub by_the_clock: Duration,
    /// Time on a core; `None` where the system doesn't tell.
    pub on_a_core: Option<Duration>,
}

impl CoreTime {
    /// Measures in every frame of `app`, whose `PostUpdate` has to run on one thread.
    pub fn add_to(app: &mut App) {
        app.init_resource::<Self>()
            .add_systems(PostUpdate, (begin.before(TerrainSystems::First), end.after(TerrainSystems::Last)));
    }
}

fn begin(mut time: ResMut<CoreTime>) {
    time.began = of_this_thread().map(|core| (Instant::now(), core));
}

fn end(mut time: ResMut<CoreTime>) {
    let Some((began, core)) = time.began.take() else {
        return;
    };
    time.on_a_core = of_this_thread().map(|now| now.saturating_sub(core));
    time.by_the_clock = began.elapsed();
}

#[cfg(target_os = "linux")]
fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().ok()
}

#[cfg(not(target_os = "linux"))]
fn of_this_thread() -> Option<Duration> {
    None
}
