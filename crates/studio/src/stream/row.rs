//! One row of the table: a path with one view distance.

use super::core_time::Measured;
use super::delays::Delays;
use super::flight::Flight;
use super::flight_path::{EVENT_EVERY, FlightPath};
use super::memory;
use super::options::Options;
use super::sample::{Sample, Times};
use std::time::Duration;

/// The header of the table.
pub const HEAD: &str = "\
| path | view | terrain: median | 99 % | longest, ms | longest, wall clock | update: median | 99 % | longest, ms | waited | built \
| most bytes | ground after | full detail after | peak memory | frames with missing ground |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Returns the row of the flight with the shortest longest frame, with the longest frame of all flights added to it. `rows` are
/// equal flights. Returns an error if one of several flights had a frame with missing ground.
pub fn quietest(rows: &[String]) -> Result<String, String> {
    if let [row] = rows {
        return Ok(row.clone());
    }
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let longest = |row: &String| cells(row).get(LONGEST).and_then(|cell| cell.parse().ok()).unwrap_or(f64::INFINITY);
    // The last cell. The text after the last bar is empty.
    let has_all_ground = |row: &str| cells(row).iter().rev().nth(1).is_some_and(|missing| missing == "0");
    if let Some(row) = rows.iter().find(|row| !has_all_ground(row)) {
        return Err(format!("ground was missing: {row}"));
    }
    let best = rows.iter().min_by(|a, b| longest(a).total_cmp(&longest(b))).ok_or("no flight")?;
    let max = rows.iter().map(longest).fold(0.0, f64::max);
    let mut best = cells(best);
    best[LONGEST] += &format!(" to {max:.3}");
    Ok(best.join(" | ").trim().to_owned())
}

/// The index of the cell with the longest time of the terrain in a frame, in ms.
const LONGEST: usize = 5;

/// The first frames of a path without events are not counted.
const WARM_UP: u32 = 30;

/// The number of final events after which the viewer waits for full detail. Even, so that `Zoom` waits with both view distances.
const LAST_EVENTS: u32 = 4;

/// The terrain must be settled within this many frames after an event: a minute.
const MAX_FRAMES: usize = 3600;

/// Flies a path with a view distance in metres, and returns its row. Returns an error if the chunks take more memory than the limit.
pub fn measure(options: &Options, path: FlightPath, view: f32) -> Result<String, String> {
    if path.measured() == Measured::Sky && !options.meshes {
        return Err("a sky needs --meshes".to_owned());
    }
    let mut flight = Flight::new(options, view, path.measured());
    path.prepare(&mut flight, view);
    path.go(&mut flight, 0.0, view);
    flight.settle(Duration::from_millis(2))?;
    let warm_up = if path.has_events() { 0 } else { WARM_UP };
    let frames = warm_up + (options.seconds * 60.0) as u32;
    let (mut samples, mut delays) = (Vec::new(), Delays::new());
    let mut built_before = flight.stats().chunks_built;
    let mut events = 0;
    for frame in 0..frames {
        let seconds = f64::from(frame) / 60.0;
        if path.event(seconds) > events {
            events = path.event(seconds);
            delays.begin();
            path.trigger(&mut flight, events, view);
        }
        if frame == warm_up {
            built_before = flight.stats().chunks_built;
        }
        path.go(&mut flight, seconds, view);
        let sample = Sample::of(&mut flight);
        flight.check_memory()?;
        delays.add(&sample, flight.is_settled());
        if frame >= warm_up {
            samples.push(sample);
        }
    }
    if path.has_events() {
        for event in events + 1..=events + LAST_EVENTS {
            delays.begin();
            path.trigger(&mut flight, event, view);
            wait_for_detail(&mut flight, path, event, view, &mut delays, &mut samples)?;
        }
    }
    if options.parts
        && let Some(longest) = samples.iter().max_by_key(|sample| sample.terrain)
    {
        let Sample { terrain, terrain_wall_clock, stages, .. } = longest;
        eprintln!("{}, {view} m: {terrain:?}; wall clock {terrain_wall_clock:?}, of which {stages:?}", path.name());
    }
    let built = flight.stats().chunks_built - built_before;
    Ok(row(path, view, &samples, &delays, built))
}

/// Keeps the viewer at its position after `event` until the terrain is settled.
fn wait_for_detail(
    flight: &mut Flight,
    path: FlightPath,
    event: u32,
    view: f32,
    delays: &mut Delays,
    samples: &mut Vec<Sample>,
) -> Result<(), String> {
    let mut frames = 0;
    while delays.is_waiting() {
        path.go(flight, f64::from(event) * EVENT_EVERY, view);
        let sample = Sample::of(flight);
        flight.check_memory()?;
        delays.add(&sample, flight.is_settled());
        samples.push(sample);
        frames += 1;
        if frames > MAX_FRAMES {
            return Err(format!("the terrain is not settled a minute after event {event}: {:?}", flight.stats()));
        }
    }
    Ok(())
}

fn row(path: FlightPath, view: f32, samples: &[Sample], delays: &Delays, built: u64) -> String {
    let times = |of: fn(&Sample) -> Duration| Times::of(samples.iter().map(of));
    let mut terrain = times(|sample| sample.terrain);
    let count = |what: fn(&Sample) -> bool| samples.iter().filter(|sample| what(sample)).count();
    format!(
        "| {} | {} km | {} | {:.3} | {} | {} of {} | {built} | {:.2} MB | {} | {} | {} |",
        path.name(),
        view / 1000.0,
        terrain.cells(),
        times(|sample| sample.terrain_wall_clock).longest(),
        times(|sample| sample.update).cells(),
        count(|sample| sample.waited),
        samples.len(),
        samples.iter().map(|sample| sample.bytes).max().unwrap_or_default() as f64 / 1e6,
        delays.cells(),
        memory::megabytes(memory::peak()),
        count(|sample| sample.is_ground_missing),
    )
}
