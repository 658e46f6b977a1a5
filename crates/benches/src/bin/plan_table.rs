//! Prints, as Markdown, how many chunks, triangles and megabytes a viewer costs, and how long it takes to select them.
//!
//! `cargo run --release -p benches --bin plan_table`

use benches::chunk_work::ChunkWork;
use benches::clock::{Timing, take_turns};
use benches::machine;
use benches::plan_work::{PlanWork, QUADS, VIEW_DISTANCES, grounds};
use perlin_terrain::chunk::{ChunkLayout, ChunkSettings, LevelErrors};
use std::hint::black_box;

/// Levels whose errors are measured: what a view of 8 km takes.
const MEASURED: u8 = 6;

/// Steps that are looked at to find out how often what is drawn changes.
const COMPARED: usize = 1000;

fn main() {
    println!("{}\n", machine::describe());
    let rows = rows();
    print_costs(&rows);
    print_levels(&rows);
    print_selection(&rows);
    print_stages();
}

/// A viewer, once for each number of quads.
struct Row {
    ground: &'static str,
    view: f64,
    works: [PlanWork; QUADS.len()],
    timings: Vec<Timing>,
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (ground, field) in grounds() {
        for view in VIEW_DISTANCES {
            let mut timed = QUADS.map(|quads| PlanWork::new(&field, quads, view));
            let mut tasks: Vec<Box<dyn FnMut()>> = Vec::new();
            for work in &mut timed {
                tasks.push(Box::new(|| work.step()));
            }
            let timings = take_turns(&mut tasks);
            rows.push(Row { ground, view, works: QUADS.map(|quads| PlanWork::new(&field, quads, view)), timings });
        }
    }
    rows
}

/// Prints a line for each of `rows`, with the cells that `cells` makes of each number of quads.
fn print_table(rows: &[Row], heads: &[&str], cells: impl Fn(&PlanWork, Timing) -> Vec<String>) {
    let heads = heads.iter().flat_map(|head| QUADS.map(|quads| format!("{head}, {quads}²")));
    println!("| ground | view | {} |", heads.clone().collect::<Vec<_>>().join(" | "));
    println!("|---|--:|{}", "--:|".repeat(heads.count()));
    for row in rows {
        let columns: Vec<_> = row.works.iter().zip(&row.timings).map(|(work, &timing)| cells(work, timing)).collect();
        let texts = (0..columns[0].len()).flat_map(|i| columns.iter().map(move |column| column[i].clone()));
        println!("| {} | {} km | {} |", row.ground, row.view / 1e3, texts.collect::<Vec<_>>().join(" | "));
    }
    println!();
}

/// The cost of the chunks around a viewer.
fn print_costs(rows: &[Row]) {
    println!("Chunks of {} and of {} quads a side, default settings\n", QUADS[0], QUADS[1]);
    print_table(rows, &["drawn", "resident", "triangles", "MB"], |work, _| {
        let cost = work.cost();
        vec![
            cost.chunks.to_string(),
            cost.resident.to_string(),
            format!("{:.2} M", cost.triangles as f64 / 1e6),
            format!("{:.1}", cost.megabytes()),
        ]
    });
}

/// How many chunks of each level are drawn.
fn print_levels(rows: &[Row]) {
    println!("Chunks that are drawn, of each level, the finest first\n");
    print_table(rows, &["chunks"], |work, _| {
        vec![work.chunks_per_level().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")]
    });
}

/// How long one plan takes.
fn print_selection(rows: &[Row]) {
    println!("The plan of a frame, at 1.7 m a step, one thread: best batch (median), µs\n");
    print_table(rows, &["µs"], |_, timing| vec![format!("{:.1} ({:.1})", timing.best / 1e3, timing.median / 1e3)]);
    let changes = |(ground, field): (&str, _)| {
        let mut work = PlanWork::new(&field, QUADS[0], VIEW_DISTANCES[1]);
        let before = work.changes();
        (0..COMPARED).for_each(|_| work.step());
        format!("{ground} {}", work.changes() - before)
    };
    let changes: Vec<_> = grounds().into_iter().map(changes).collect();
    println!(
        "Of {COMPARED} steps at a view of {} km so many changed what is drawn: {}.\n",
        VIEW_DISTANCES[1] / 1e3,
        changes.join(", ")
    );
}

/// The other work for a viewer: once for a field, and once for a chunk.
fn print_stages() {
    let grounds = grounds();
    let layout = ChunkLayout::new(&ChunkSettings::default());
    let (mut geometry, mut heights) = (ChunkWork::default(), ChunkWork::default());
    let vertices = geometry.vertices();
    let mut tasks: Vec<Box<dyn FnMut()>> = vec![
        Box::new(|| {
            black_box(geometry.geometry());
        }),
        Box::new(|| {
            black_box(heights.heights());
        }),
    ];
    for (_, field) in &grounds {
        tasks.push(Box::new(|| {
            let mut errors = LevelErrors::new();
            errors.measure(field, &layout, MEASURED);
            black_box(errors);
        }));
    }
    let timings = take_turns(&mut tasks);
    println!("Other work, one thread: best batch (median), µs\n");
    println!("| | µs |\n|---|--:|");
    let chunk = [
        format!("a chunk of {vertices} x {vertices} vertices with the arrays of a mesh, 8 octaves"),
        "its heights alone, which are drawn".to_owned(),
    ];
    let measures = grounds.iter().map(|(ground, _)| format!("the errors of levels up to {MEASURED}, {ground}"));
    for (what, timing) in chunk.into_iter().chain(measures).zip(timings) {
        println!("| {what} | {:.1} ({:.1}) |", timing.best / 1e3, timing.median / 1e3);
    }
}
