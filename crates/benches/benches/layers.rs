//! The heights of a chunk, 69 x 69 positions at 4 m, with each kind of layer and each mask on top of four octaves of noise.

use benches::chunk_work::ChunkWork;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use perlin_terrain::settings::TerrainSettings;
use std::hint::black_box;

/// The name of each row, and the layers above the first.
const LAYERS: [(&str, &str); 18] = [
    ("four octaves alone", ""),
    ("Noise: four octaves more", "(kind: Noise(octaves: 4))"),
    ("Noise with a warp", "(kind: Noise(octaves: 4, warp_strength: 100.0))"),
    ("Constant, Max with a radius", "(blend: Max, blend_radius: 30.0, kind: Constant(height: 10.0))"),
    ("Scatter", "(kind: Scatter())"),
    ("Dunes", "(kind: Dunes())"),
    ("Carve", "(kind: Carve())"),
    ("Group of four octaves", "(kind: Group(layers: [(kind: Noise(octaves: 4))]))"),
    ("Group with a warp", "(kind: Group(warp_strength: 100.0, layers: [(kind: Noise(octaves: 4))]))"),
    ("Terrace", "(kind: Terrace())"),
    (
        "Curve of four points",
        "(kind: Curve(points: [(from: -50.0, to: -20.0), (from: 0.0, to: 0.0), (from: 20.0, to: 40.0), (from: 60.0, to: 60.0)]))",
    ),
    ("Erosion of five octaves", "(kind: Erosion(octaves: 5))"),
    ("mask: Height", "(masks: [Height()], kind: Constant())"),
    ("mask: Slope", "(masks: [Slope()], kind: Constant())"),
    ("mask: Point", "(masks: [Point()], kind: Constant())"),
    ("mask: Segment", "(masks: [Segment()], kind: Constant())"),
    ("mask: Layer", "(masks: [Layer(layer: \"below\")], kind: Constant())"),
    ("mask: Noise of three octaves", "(masks: [Noise(noise: (octaves: 3))], kind: Constant())"),
];

fn fill(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("layers");
    for (name, layers) in LAYERS {
        let text = format!("(version: 2, field: (layers: [(name: \"below\", kind: Noise(octaves: 4)), {layers}]))");
        let settings = TerrainSettings::from_ron(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut work = ChunkWork::new(&settings);
        group.throughput(Throughput::Elements(work.heights().heights.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                black_box(work.heights());
            });
        });
    }
    group.finish();
}

criterion_group!(layers, fill);
criterion_main!(layers);
