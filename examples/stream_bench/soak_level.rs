//! How much there is when nothing is going on, and whether that stays level.

use crate::flight::Flight;
use crate::memory;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;

/// How much there is at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub resident: Option<u64>,
    pub entities: usize,
    pub chunks: usize,
    pub tasks: usize,
    pub settings: usize,
}

impl Level {
    /// Counts some frames later, so that nothing of those before is under way: tasks free what is gone.
    pub fn of(flight: &mut Flight) -> Self {
        for _ in 0..FRAMES_AT_REST {
            flight.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
        let world = flight.app.world_mut();
        Self {
            resident: memory::resident(),
            entities: world.query::<Entity>().iter(world).count(),
            chunks: world.query::<&TerrainChunk>().iter(world).count(),
            tasks: flight.stats().tasks_in_flight,
            settings: flight.app.world().resource::<Assets<TerrainSettings>>().len(),
        }
    }
}

/// As many as tasks need to free what is gone, where nothing else keeps the cores busy.
const FRAMES_AT_REST: usize = 50;

/// What memory may grow by over the second half: what an allocator keeps differs by a little.
const GROWTH: f64 = 1.05;
const MORE_BYTES: f64 = 4e6;

/// Compares the second half of `levels` with the first, in which buffers grow to their size.
pub fn check(levels: &[Level]) -> Result<(), String> {
    let (Some(first), Some(last)) = (levels.first(), levels.last()) else {
        return Ok(());
    };
    let counts = |level: &Level| [level.entities, level.chunks, level.tasks, level.settings];
    if let Some(other) = levels.iter().find(|level| counts(level) != counts(first)) {
        return Err(format!("there is not as much as at first: {first:?}, then {other:?}"));
    }
    let half = levels.len() / 2;
    let most = |levels: &[Level]| levels.iter().filter_map(|level| level.resident).max();
    if let (Some(before), Some(after)) = (most(&levels[..half]), most(&levels[half..])) {
        let allowed = before as f64 * GROWTH + MORE_BYTES;
        if after as f64 > allowed {
            let [before, after] = [before, after].map(|bytes| memory::megabytes(Some(bytes)));
            return Err(format!("memory grew from {before} in the first half to {after} in the second: {last:?}"));
        }
    }
    Ok(())
}
