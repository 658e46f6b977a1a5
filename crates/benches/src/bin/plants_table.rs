//! Prints, as Markdown, how long it takes to find plants, on one thread.
//!
//! `cargo run --release -p benches --bin plants_table`

use benches::clock::take_turns;
use benches::machine;
use perlin_terrain::chunk::ChunkLayout;
use perlin_terrain::field::{HeightField, HeightRange};
use perlin_terrain::ground::Ground;
use perlin_terrain::look::{ReliefRange, SlopeRange};
use perlin_terrain::plants::{PlantLayer, Plants};
use perlin_terrain::settings::TerrainSettings;
use std::hint::black_box;
use std::sync::Arc;

/// The least distance between trees, in metres.
const SPACING: f64 = 5.5;

/// How far trees are drawn, in metres.
const RADIUS: f64 = 1200.0;

fn main() {
    println!("{}\n", machine::describe());
    println!("Best batch, one thread; trees are {SPACING} m apart\n");
    println!("| trees | a tile of 32 m | a tile of 256 m | candidates a second, in millions | within {RADIUS} m |");
    println!("|---|--:|--:|--:|--:|");
    for (name, plants) in woods() {
        let (small, large) = (
            || black_box(plants.in_box(0, [320.0, 640.0], [352.0, 672.0])).map_or(0, |found| found.len()),
            || black_box(plants.in_box(0, [512.0, 256.0], [768.0, 512.0])).map_or(0, |found| found.len()),
        );
        let all = || black_box(plants.near(0, [0.0; 2], RADIUS)).map_or(0, |found| found.len());
        let timings = take_turns(&mut [
            Box::new(|| {
                small();
            }),
            Box::new(|| {
                large();
            }),
            Box::new(|| {
                all();
            }),
        ]);
        let [small_time, large_time, all_time] = std::array::from_fn(|row| timings[row].best);
        let candidates = (256.0 / (0.5 * SPACING)).powi(2);
        println!(
            "| {name} | {:.0} µs, {} trees | {:.1} ms, {} trees | {:.1} | {:.0} ms, {} trees |",
            small_time / 1e3,
            small(),
            large_time / 1e6,
            large(),
            candidates / large_time * 1e3,
            all_time / 1e6,
            all(),
        );
    }
}

/// Woods on presets.
fn woods() -> Vec<(&'static str, Plants)> {
    let layer = |name: &str| PlantLayer { name: name.to_owned(), spacing: SPACING, ..PlantLayer::default() };
    let hills = include_str!("../../../../assets/terrain/rolling_hills.terrain.ron");
    let alps = include_str!("../../../../assets/terrain/alps.terrain.ron");
    let everywhere = PlantLayer { ragged: 0.0, ..layer("everywhere") };
    let settings = TerrainSettings::from_ron(alps).expect("the preset is valid");
    let ranges = PlantLayer {
        on: settings.look.layers.iter().take(2).map(|layer| layer.name.clone()).collect(),
        height: HeightRange { to: 1500.0, ..HeightRange::default() },
        slope: SlopeRange { to: 0.9, ..SlopeRange::default() },
        ..layer("ranges")
    };
    let hollow = ReliefRange { from: -0.2, ..ReliefRange::default() };
    let relief = PlantLayer { curvature: hollow.clone(), drainage: hollow, ..ranges.clone() };
    let wood = |text: &str, layer: PlantLayer| {
        let settings = TerrainSettings::from_ron(text).expect("the preset is valid");
        let field = Arc::new(HeightField::new(&settings.field));
        Plants::new(
            Ground::new(field, ChunkLayout::new(&settings.chunks)),
            settings.field.seed,
            &[layer],
            &settings.look,
        )
    };
    vec![
        ("everywhere, on `rolling_hills`", wood(hills, everywhere)),
        ("below 1500 m, on two layers of the ground of `alps`", wood(alps, ranges)),
        ("the same, in hollows and gullies", wood(alps, relief)),
    ]
}
