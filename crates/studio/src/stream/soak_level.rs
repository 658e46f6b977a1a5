//! Counts memory, entities and assets in an idle app, and checks that they do not grow.

use super::flight::Flight;
use super::memory;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;

/// The counts at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub resident: Option<u64>,
    pub entities: usize,
    pub chunks: usize,
    pub tasks: usize,
    pub settings: usize,
}

impl Level {
    /// Waits for some frames, then counts. Meanwhile, tasks free the memory of despawned chunks.
    pub fn of(flight: &mut Flight) -> Self {
        for _ in 0..IDLE_FRAMES {
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

/// Enough frames for tasks to free memory, on a machine with idle cores.
const IDLE_FRAMES: usize = 50;

/// The allowed growth of memory in the second half. The memory that an allocator keeps varies a little.
const GROWTH: f64 = 1.05;
const MORE_BYTES: f64 = 4e6;

/// Fails if a count differs from the first one, or if memory grew from the first half to the second. Buffers reach their size in
/// the first half.
pub fn check(levels: &[Level]) -> Result<(), String> {
    let (Some(first), Some(last)) = (levels.first(), levels.last()) else {
        return Ok(());
    };
    let counts = |level: &Level| [level.entities, level.chunks, level.tasks, level.settings];
    if let Some(other) = levels.iter().find(|level| counts(level) != counts(first)) {
        return Err(format!("the counts differ: {first:?} at the start, {other:?} later"));
    }
    let half = levels.len() / 2;
    let max = |levels: &[Level]| levels.iter().filter_map(|level| level.resident).max();
    if let (Some(before), Some(after)) = (max(&levels[..half]), max(&levels[half..])) {
        let allowed = before as f64 * GROWTH + MORE_BYTES;
        if after as f64 > allowed {
            let [before, after] = [before, after].map(|bytes| memory::megabytes(Some(bytes)));
            return Err(format!("memory grew from {before} in the first half to {after} in the second: {last:?}"));
        }
    }
    Ok(())
}
