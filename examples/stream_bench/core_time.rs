//! How long the terrain had a core, which a busy machine makes no longer: unlike time by the clock, it leaves out when other threads
//! run, and in a virtual machine when others do.

use bevy::prelude::*;
use bevy_perlin_terrain::stream::TerrainSystems;
use std::time::{Duration, Instant};

/// What the main thread took in this frame, from the terrain's first system until its last.
#[derive(Resource, Default)]
pub struct CoreTime {
    began: Option<(Instant, Duration)>,
    /// `None` where the system doesn't tell.
    pub taken: Option<Taken>,
}

/// Time that was taken.
#[derive(Clone, Copy)]
pub struct Taken {
    /// Whatever else had the core.
    pub by_the_clock: Duration,
    pub on_a_core: Duration,
}

impl CoreTime {
    /// Measures in every frame of `app`, whose `PostUpdate` has to run on one thread.
    pub fn add_to(app: &mut App) {
        app.init_resource::<Self>()
            .add_systems(PostUpdate, (begin.before(TerrainSystems::First), end.after(TerrainSystems::Last)));
    }
}

fn begin(mut time: ResMut<CoreTime>) {
    time.began = of_this_thread().map(|on_a_core| (Instant::now(), on_a_core));
}

fn end(mut time: ResMut<CoreTime>) {
    time.taken = time
        .began
        .take()
        .zip(of_this_thread())
        .map(|((began, before), now)| Taken { by_the_clock: began.elapsed(), on_a_core: now.saturating_sub(before) });
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
