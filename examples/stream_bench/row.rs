//! One row of the table: a path over one view.

use crate::delays::Delays;
use crate::flight::Flight;
use crate::memory;
use crate::options::Options;
use crate::paths::{FlightPath, JUMP_EVERY};
use crate::sample::{Sample, Times};
use std::time::Duration;

/// The head of the table.
pub const HEAD: &str = "\
| path | view | terrain: median | 99 % | longest, ms | update: median | 99 % | longest, ms | waited | built | most bytes | ground \
after | full detail after | peak memory | frames with missing ground |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Frames after the terrain is settled that don't count, unless the path jumps.
const WARM_UP: u32 = 30;

/// Jumps after which the viewer stays until everything is there.
const LAST_JUMPS: u32 = 3;

/// Frames after a jump in which everything has to be there: a minute.
const MOST_FRAMES: usize = 3600;

/// Flies the first path over the first view, and returns its row.
pub fn measure(options: &Options) -> Result<String, String> {
    let (Some(&path), Some(&view)) = (options.paths.first(), options.views.first()) else {
        return Err("there is no path, or no view".to_owned());
    };
    let mut flight = Flight::new(options, view);
    go_to(&mut flight, path, 0.0);
    flight.settle(Duration::from_millis(2))?;
    let warm_up = if path == FlightPath::Teleport { 0 } else { WARM_UP };
    let frames = warm_up + (options.seconds * 60.0) as u32;
    let (mut samples, mut delays) = (Vec::new(), Delays::new());
    let mut built_before = flight.stats().tasks_done;
    let mut jumps = 0;
    for frame in 0..frames {
        let seconds = f64::from(frame) / 60.0;
        if path.jump(seconds) > jumps {
            jumps = path.jump(seconds);
            delays.jump();
        }
        if frame == warm_up {
            built_before = flight.stats().tasks_done;
        }
        go_to(&mut flight, path, seconds);
        let sample = Sample::of(&mut flight);
        delays.note(&sample, flight.is_settled());
        if frame >= warm_up {
            samples.push(sample);
        }
    }
    if path == FlightPath::Teleport {
        follow_last_jumps(&mut flight, &mut delays, jumps, &mut samples)?;
    }
    if options.parts
        && let Some(longest) = samples.iter().max_by_key(|sample| sample.terrain)
    {
        eprintln!("{}, {view} m: {:?}, of which {:?}", path.name(), longest.terrain, longest.stages);
    }
    let built = flight.stats().tasks_done - built_before;
    Ok(row(options, &samples, &delays, built))
}

fn go_to(flight: &mut Flight, path: FlightPath, seconds: f64) {
    let (place, ahead) = path.at(seconds);
    flight.go_to(place, path.height(), ahead);
}

fn follow_last_jumps(
    flight: &mut Flight,
    delays: &mut Delays,
    jumps: u32,
    samples: &mut Vec<Sample>,
) -> Result<(), String> {
    for jump in jumps + 1..=jumps + LAST_JUMPS {
        delays.jump();
        let mut frames = 0;
        while delays.is_waiting() {
            go_to(flight, FlightPath::Teleport, f64::from(jump) * JUMP_EVERY);
            let sample = Sample::of(flight);
            delays.note(&sample, flight.is_settled());
            samples.push(sample);
            frames += 1;
            if frames > MOST_FRAMES {
                return Err(format!("a minute after a jump, the terrain is not settled: {:?}", flight.stats()));
            }
        }
    }
    Ok(())
}

fn row(options: &Options, samples: &[Sample], delays: &Delays, built: u64) -> String {
    let timed = || samples.iter().filter(|sample| !(options.undisturbed && sample.waited));
    let [terrain, update] =
        [Times::of(timed().map(|sample| sample.terrain)), Times::of(timed().map(|sample| sample.update))];
    let count = |what: fn(&Sample) -> bool| samples.iter().filter(|sample| what(sample)).count();
    format!(
        "| {} | {} km | {} | {} | {} of {} | {built} | {:.2} MB | {} | {} | {} |",
        options.paths[0].name(),
        options.views[0] / 1000.0,
        terrain.cells(),
        update.cells(),
        count(|sample| sample.waited),
        samples.len(),
        samples.iter().map(|sample| sample.bytes).max().unwrap_or_default() as f64 / 1e6,
        delays.cells(),
        memory::megabytes(memory::peak()),
        count(|sample| sample.is_ground_missing),
    )
}
