//! Prints, as Markdown, what edits of the ground cost, on one thread.
//!
//! `cargo run --release -p benches --bin edit_table`

use benches::clock::take_turns;
use benches::machine;
use perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings};
use perlin_terrain::field::{EditChange, EditCircle, EditHeight, EditId, EditShape, HeightField, Raise, TerrainEdit};
use perlin_terrain::noise::NoiseRng;
use perlin_terrain::settings::TerrainSettings;
use std::hint::black_box;
use std::time::Instant;

/// Edits of a much edited world.
const COUNT: u64 = 100_000;
/// The side of the square that they are in, in metres.
const EXTENT: f64 = 10_000.0;
/// More of them, one at a time.
const MORE: u64 = 2000;

fn main() {
    println!("{}\n", machine::describe());
    let settings = include_str!("../../../../assets/terrain/alps.terrain.ron");
    let settings = TerrainSettings::from_ron(settings).expect("the preset is valid");
    let layout = ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 });
    let plain = HeightField::new(&settings.field);

    let mut covered = plain.clone();
    covered.replace_edit(
        EditId::Game(0),
        None,
        Some(&circle([0.0, 0.0], 5000.0, EditChange::Raise(Raise { height: 0.5 }))),
    );
    let mut random = NoiseRng::new(1, 2);
    let memory = resident_bytes();
    let start = Instant::now();
    let mut edited = plain.clone();
    for id in 0..COUNT {
        edited.replace_edit(EditId::Game(id), None, Some(&random_edit(&mut random)));
    }
    let per_edit = start.elapsed().as_secs_f64() * 1e6 / COUNT as f64;
    let bytes = (resident_bytes() - memory) / COUNT as f64;
    println!("{COUNT} random circles of 3 to 60 m in {EXTENT:.0} m by {EXTENT:.0} m of `alps`:");
    println!("{per_edit:.1} µs and {bytes:.0} bytes for each\n");

    println!("| a chunk of `alps` | no edits | one edit over all of it | {COUNT} edits |\n|---|--:|--:|--:|");
    for level in [0, 2, 4, 6, 8] {
        let times = [&plain, &covered, &edited].map(|field| (field, ChunkBuilder::default(), 0));
        let mut tasks = times.map(|(field, mut builder, mut next)| {
            Box::new(move || {
                next = (next + 1) % 16;
                let chunk = ChunkCoord { level, x: next % 4 - 2, z: next / 4 - 2 };
                black_box(builder.heights(field, &layout, chunk));
            }) as Box<dyn FnMut()>
        });
        let [none, one, all] = take_turns(&mut tasks)[..] else { unreachable!("three tasks") };
        println!(
            "| level {level} | {:.1} µs | {:+.1} µs | {:+.0} µs, x {:.2} |",
            none.best / 1e3,
            (one.best - none.best) / 1e3,
            (all.best - none.best) / 1e3,
            all.best / none.best
        );
    }

    print_positions([&plain, &edited]);

    let mut times: Vec<f64> = (COUNT..COUNT + MORE)
        .map(|id| {
            // As a task holds it: each node on the way is copied.
            let held = edited.clone();
            let edit = random_edit(&mut random);
            let start = Instant::now();
            edited.replace_edit(EditId::Game(id), None, Some(&edit));
            let time = start.elapsed().as_secs_f64() * 1e6;
            drop(held);
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let quantile = |part: f64| times[(part * (times.len() - 1) as f64) as usize];
    println!("One more edit while a task holds the field: {:.1} µs, {:.1} µs at 99 %.", quantile(0.5), quantile(0.99));
}

/// Times heights without edits and with all.
fn print_positions(fields: [&HeightField; 2]) {
    let mut positions = NoiseRng::new(3, 4);
    let at: Vec<_> = (0..1024).map(|_| [(); 2].map(|()| (positions.next_unit() - 0.5) * EXTENT)).collect();
    let mut tasks = fields.map(|field| {
        let at = at.clone();
        Box::new(move || at.iter().for_each(|&[x, z]| _ = black_box(field.height(x, z)))) as Box<dyn FnMut()>
    });
    let [none, all] = take_turns(&mut tasks)[..] else { unreachable!("two tasks") };
    let per_position = 1.0 / at.len() as f64;
    println!(
        "\nOne position: {:.0} ns without edits, {:.0} ns with all.",
        none.best * per_position,
        all.best * per_position
    );
}

fn circle([x, z]: [f64; 2], radius: f64, change: EditChange) -> TerrainEdit {
    let shape = EditShape::Circle(EditCircle { x, z, radius });
    TerrainEdit { shape, change, fade: radius / 2.0, ..TerrainEdit::default() }
}

fn random_edit(random: &mut NoiseRng) -> TerrainEdit {
    let at = [(); 2].map(|()| (random.next_unit() - 0.5) * EXTENT);
    let radius = 3.0 * 20_f64.powf(random.next_unit());
    let change = if random.next_unit() < 0.5 {
        EditChange::Flatten(EditHeight::above_zero(random.next_unit() * 200.0))
    } else {
        EditChange::Raise(Raise { height: random.next_unit() * 10.0 - 5.0 })
    };
    circle(at, radius, change)
}

/// The memory of the process on Linux, and NaN elsewhere.
fn resident_bytes() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<f64>().ok());
    pages.unwrap_or(f64::NAN) * 4096.0
}
