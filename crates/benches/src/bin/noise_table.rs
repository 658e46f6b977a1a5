//! Prints, as Markdown, how long everyone takes for the same work on this machine.
//!
//! `cargo run --release -p benches --bin noise_table`

use benches::chunk_work::ChunkWork;
use benches::clock::{Timing, take_turns};
use benches::contender::Contender;
use benches::ours::{Ours, fill_by_points, fill_by_positions, fill_in_parallel, level_name, levels, positions};
use benches::slopes;
use benches::space::{BlockContender, SAMPLES, in_four_dimensions, in_space};
use benches::work::{OCTAVES, SIDES};
use benches::{contenders, machine};
use perlin_terrain::chunk::ChunkHeights;
use perlin_terrain::noise::LatticeKind;
use perlin_terrain::param::Choice;
use std::cell::RefCell;
use std::hint::black_box;

fn main() {
    println!("{}\n", machine::describe());
    print_noise();
    print_lattices();
    print_threads();
    print_slopes();
    print_chunk();
    print_space();
}

/// Nanoseconds per sample of every contender, and of ours point by point, and how many times as long as ours that is.
fn print_noise() {
    let mut names = Vec::new();
    let mut columns = Vec::new();
    for octaves in OCTAVES {
        let mut contenders = contenders(octaves);
        names = contenders.iter().map(|contender| contender.name().to_owned()).collect();
        names.push("**this crate**, any positions at once".to_owned());
        names.push("**this crate**, point by point".to_owned());
        let points = Ours::new(octaves);
        for side in SIDES {
            let (positions, out) = (positions(side), RefCell::new(vec![0.0; side * side]));
            let mut tasks: Vec<Box<dyn FnMut()>> = Vec::new();
            for contender in &mut contenders {
                let out = &out;
                tasks.push(Box::new(move || contender.fill(side, black_box(&mut out.borrow_mut()))));
            }
            tasks.push(Box::new(|| fill_by_positions(&points, &positions, black_box(&mut out.borrow_mut()))));
            tasks.push(Box::new(|| fill_by_points(points.noise(), side, black_box(&mut out.borrow_mut()))));
            columns.push(per_sample(take_turns(&mut tasks), side * side));
        }
    }

    println!("Nanoseconds per sample, one thread (times ours)\n");
    let heads = OCTAVES.iter().flat_map(|octaves| SIDES.map(|side| format!("{side}², {octaves} oct.")));
    println!("| | {} |", heads.collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len()));
    for (i, name) in names.iter().enumerate() {
        let cells =
            columns.iter().map(|column| format!("{:.2} ({:.1})", column[i].best, column[i].best / column[0].best));
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    let unrest = columns.iter().flatten().map(|timing| timing.median / timing.best - 1.0);
    let mut unrest: Vec<f64> = unrest.collect();
    unrest.sort_by(f64::total_cmp);
    println!(
        "\nThe best of many batches, taken in turns; the median batch took {:.0} % longer, {:.0} % in the worst cell.\n",
        unrest[unrest.len() / 2] * 100.0,
        unrest[unrest.len() - 1] * 100.0
    );
}

/// Nanoseconds per sample of values with their gradients.
fn print_slopes() {
    let work = OCTAVES.map(|octaves| (format!("{octaves} oct."), slopes::with_gradients(octaves)));
    let side = slopes::SIDE;
    println!("Nanoseconds per sample, values with gradients, {side}², one thread (times ours)\n");
    print_blocks(slopes::SAMPLES, 3 * slopes::SAMPLES, work);
}

/// Nanoseconds per sample in space and in four dimensions.
fn print_space() {
    let work: [(&str, fn(u32) -> Vec<BlockContender>); 2] = [("3D", in_space), ("4D", in_four_dimensions)];
    let work = work
        .into_iter()
        .flat_map(|(name, contenders)| OCTAVES.map(|octaves| (format!("{name}, {octaves} oct."), contenders(octaves))));
    println!("Nanoseconds per sample beyond the plane, {SAMPLES} samples, one thread (times ours)\n");
    print_blocks(SAMPLES, SAMPLES, work);
}

/// A column for each of `work`: its head and the contenders, ours first. Each writes so many `numbers` for so many `samples`.
fn print_blocks(samples: usize, numbers: usize, work: impl IntoIterator<Item = (String, Vec<BlockContender>)>) {
    let mut heads = Vec::new();
    let mut columns: Vec<Vec<(String, f64)>> = Vec::new();
    for (head, mut contenders) in work {
        let out = RefCell::new(vec![0.0; numbers]);
        let mut tasks: Vec<Box<dyn FnMut()>> = Vec::new();
        for contender in &mut contenders {
            let out = &out;
            tasks.push(Box::new(move || (contender.fill)(black_box(&mut out.borrow_mut()))));
        }
        let timings = per_sample(take_turns(&mut tasks), samples);
        drop(tasks);
        heads.push(head);
        columns.push(contenders.into_iter().zip(timings).map(|(who, time)| (who.name, time.best)).collect());
    }

    println!("| | {} |", heads.join(" | "));
    println!("|---|{}", "--:|".repeat(heads.len()));
    for (name, _) in &columns[0] {
        let cells = columns.iter().map(|column| {
            let time = column.iter().find(|(other, _)| other == name);
            time.map_or("-".to_owned(), |(_, time)| format!("{time:.2} ({:.1})", time / column[0].1))
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    println!();
}

/// The cost of other lattices than the default one.
fn print_lattices() {
    let side = 257;
    let out = RefCell::new(vec![0.0; side * side]);
    let lattices = LatticeKind::default().alternatives();
    let mut columns = Vec::new();
    for level in levels() {
        let mut tasks: Vec<Box<dyn FnMut()>> = Vec::new();
        for index in 0..lattices.len() {
            let mut lattice = LatticeKind::default();
            lattice.choose(index);
            let (mut ours, out) = (Ours::with(8, lattice, level), &out);
            tasks.push(Box::new(move || ours.fill(side, black_box(&mut out.borrow_mut()))));
        }
        columns.push(per_sample(take_turns(&mut tasks), side * side));
    }

    println!("Nanoseconds per sample, ours, {side}², 8 octaves, by lattice (times the default)\n");
    println!("| | {} |", levels().map(level_name).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len()));
    for (i, lattice) in lattices.iter().enumerate() {
        let cells =
            columns.iter().map(|column| format!("{:.2} ({:.2})", column[i].best, column[i].best / column[0].best));
        println!("| `{}` | {} |", lattice.name, cells.collect::<Vec<_>>().join(" | "));
    }
    println!();
}

/// The largest square of ours on one thread and on two.
fn print_threads() {
    let side = SIDES[SIDES.len() - 1];
    let out = RefCell::new(vec![0.0; side * side]);
    println!("Nanoseconds per sample, ours, {side}², rows split evenly\n");
    println!("| | 1 thread | 2 threads | speed-up |\n|---|--:|--:|--:|");
    for octaves in OCTAVES {
        let mut tasks: Vec<Box<dyn FnMut()>> = Vec::new();
        for threads in [1, 2] {
            let (mut workers, out) = (vec![Ours::new(octaves); threads], &out);
            tasks.push(Box::new(move || fill_in_parallel(&mut workers, side, black_box(&mut out.borrow_mut()))));
        }
        let timings = per_sample(take_turns(&mut tasks), side * side);
        let [one, two] = [timings[0].best, timings[1].best];
        println!("| {octaves} oct. | {one:.2} | {two:.2} | {:.2} |", one / two);
    }
    println!();
}

/// The stages of a chunk.
fn print_chunk() {
    let (mut mesh, mut heights) = (ChunkWork::default(), ChunkWork::default());
    let vertices = mesh.vertices();
    let timings = take_turns(&mut [
        Box::new(|| {
            black_box(mesh.geometry());
        }),
        Box::new(|| {
            black_box(heights.heights());
        }),
    ]);
    let [mesh, heights] = [timings[0].best, timings[1].best];
    println!("A chunk of {vertices} x {vertices} vertices, 8 octaves, one thread\n");
    println!("| stage | µs | ns per vertex | share |\n|---|--:|--:|--:|");
    let rows = [
        (format!("heights ({0} x {0}), which are drawn", vertices + 2 * ChunkHeights::APRON), heights),
        ("for a mesh, also positions, normals, and those of the next level".to_owned(), mesh - heights),
        ("**a mesh**".to_owned(), mesh),
    ];
    for (stage, time) in rows {
        let per_vertex = time / f64::from(vertices * vertices);
        println!("| {stage} | {:.1} | {per_vertex:.2} | {:.0} % |", time / 1e3, time / mesh * 100.0);
    }
}

fn per_sample(timings: Vec<Timing>, samples: usize) -> Vec<Timing> {
    let samples = samples as f64;
    timings.into_iter().map(|t| Timing { best: t.best / samples, median: t.median / samples }).collect()
}
