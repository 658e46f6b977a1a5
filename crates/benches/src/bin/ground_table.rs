//! Prints, as Markdown, how long queries of the ground take, on one thread.
//!
//! `cargo run --release -p benches --bin ground_table`

use benches::clock::{Timing, take_turns};
use benches::ground_work::{COUNT, GroundWork, REACH};
use benches::machine;
use perlin_terrain::chunk::{ChunkLayout, ChunkSettings};
use perlin_terrain::field::{FieldSettings, HeightField};
use perlin_terrain::ground::{HeightTile, TileScratch};
use std::hint::black_box;

fn main() {
    println!("{}\n", machine::describe());
    let columns = [("FBM, 8 octaves", GroundWork::fbm as fn() -> GroundWork), ("`alps`", GroundWork::alps)];
    let timings: Vec<Vec<Timing>> = columns.iter().map(|(_, work)| measure(*work)).collect();
    println!("Best batch (median), one thread\n");
    println!("| | {} |", columns.map(|(name, _)| name).join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len()));
    let per_position = 1.0 / COUNT as f64;
    let rows = [
        ("`field_height`, one position", 1.0, "ns"),
        (&*format!("`field_heights`, each of {COUNT} random positions"), per_position, "ns"),
        ("`height`, one position", 1.0, "ns"),
        (&*format!("`points`, each of {COUNT} random positions"), per_position, "ns"),
        (&*format!("a ray of {} km, warm", REACH / 1e3), 1e-3, "µs"),
        (&*format!("a ray of {} km, cold", REACH / 1e3), 1e-3, "µs"),
        ("a tile of 65 by 65 vertices", 1e-3, "µs"),
        ("the heights of a square of 35 by 35 vertices, for a collider", 1e-3, "µs"),
    ];
    for (row, (name, factor, unit)) in rows.into_iter().enumerate() {
        let cells = timings.iter().map(|timings| {
            let Timing { best, median } = timings[row];
            format!("{:.1} ({:.1}) {unit}", best * factor, median * factor)
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    println!();
    print_mipmap();
}

/// Times the rows of one column.
fn measure(work: fn() -> GroundWork) -> Vec<Timing> {
    let mut works: [GroundWork; 8] = std::array::from_fn(|_| work());
    let [field_height, field_heights, height, points, warm, cold, tile, square] = &mut works;
    let (mut scratch, mut square_scratch) = (TileScratch::default(), Default::default());
    for _ in 0..COUNT {
        warm.warm_ray();
    }
    take_turns(&mut [
        Box::new(|| field_height.field_height()),
        Box::new(|| field_heights.field_heights()),
        Box::new(|| height.height()),
        Box::new(|| points.points()),
        Box::new(|| warm.warm_ray()),
        Box::new(|| cold.cold_ray()),
        Box::new(|| {
            black_box(tile.tile(&mut scratch));
        }),
        Box::new(|| square.square(&mut square_scratch)),
    ])
}

/// Times a tile of level ground, whose heights cost little, against its heights alone.
fn print_mipmap() {
    let field = HeightField::new(&FieldSettings { layers: vec![], ..FieldSettings::default() });
    let layout = ChunkLayout::new(&ChunkSettings::default());
    let grid = layout.square([0, 0], 64);
    let (mut scratch, mut heights, mut noise) = (TileScratch::default(), Vec::new(), Default::default());
    let bytes = HeightTile::new(&field, &grid, &mut scratch).bytes();
    let timings = take_turns(&mut [
        Box::new(|| {
            black_box(HeightTile::new(&field, &grid, &mut scratch));
        }),
        Box::new(|| field.fill(&grid, &mut noise, &mut heights)),
    ]);
    let [tile, heights] = [timings[0].best / 1e3, timings[1].best / 1e3];
    println!("A tile has {:.1} kB. Beside its heights, it takes {:.1} µs.", bytes as f64 / 1e3, tile - heights);
}
