//! Filling a grid and building a chunk reuse their buffers.
//!
//! These tests have a process of their own, because its allocator counts allocations.

use perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings};
use perlin_terrain::field::{FieldSettings, HeightField, NodeGrid};
use perlin_terrain::noise::{
    FixedCoord, FractalShape, LatticeKind, Noise, NoiseScratch, NoiseSettings, SampleGrid, SimdLevel, TICKS_PER_UNIT,
};
use perlin_terrain::settings::TerrainSettings;

#[test]
fn a_fill_allocates_nothing_after_the_first_of_its_size() {
    for shape in [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Damped] {
        for (lattice, warp_strength) in
            [(LatticeKind::FastHash, 0.0), (LatticeKind::Table, 0.0), (LatticeKind::Shift, 30.0)]
        {
            let noise = Noise::seeded(&NoiseSettings { shape, lattice, warp_strength, ..Default::default() }, 1, 0);
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
                let (mut values, mut scratch) = (vec![0.0; 67 * 67], NoiseScratch::default());
                let mut fill = |x: i64| {
                    let origin = [FixedCoord::from_ticks(x * 64 * TICKS_PER_UNIT), FixedCoord::from_ticks(0)];
                    noise.fill_with(
                        level,
                        &SampleGrid { origin, step_ticks: 4096, size: [67, 67] },
                        &mut scratch,
                        &mut values,
                    );
                };
                let first = allocation_counter::measure(|| fill(0)).count_total;
                assert!(first > 0, "the counter counts");
                let later = allocation_counter::measure(|| (1..40).for_each(&mut fill)).count_total;
                assert_eq!(later, 0, "{shape:?}, {lattice:?}, {level:?}");
            }
        }
    }
}

/// Two stacks with each kind of layer and of mask between them. One has its erosion in a warp.
const STACKS: [&str; 2] = [
    r#"(version: 2, field: (layers: [
        (name: "ridges", kind: Noise(shape: Ridged, octaves: 4, warp_strength: 90.0)),
        (blend: Max, blend_radius: 40.0, kind: Group(warp_strength: 70.0, layers: [
            (kind: Scatter(spacing: 700.0, radius_max: 600.0)),
            (kind: Erosion(gully_length: 200.0)),
        ])),
        (masks: [Height(from: 20.0), Slope(to: 0.5), Noise(), Point(), Segment()], kind: Dunes()),
        (blend: Min, masks: [Layer(layer: "ridges")], opacity: 0.7, kind: Carve()),
    ]))"#,
    r#"(version: 2, field: (layers: [
        (kind: Noise()),
        (blend: Max, kind: Constant(height: 5.0)),
        (kind: Curve(points: [(from: -20.0, to: -10.0), (from: 60.0, to: 90.0), (from: 200.0, to: 100.0)])),
        (masks: [Slope(from: 0.2)], kind: Terrace()),
        (kind: Erosion(gully_length: 300.0)),
    ]))"#,
];

#[test]
fn stacks_of_layers_allocate_nothing_once_their_buffers_are_large_enough() {
    for stack in STACKS {
        let settings = TerrainSettings::from_ron(stack).unwrap_or_else(|error| panic!("{error}"));
        let field = HeightField::new(&settings.field);
        let (mut scratch, mut heights, mut drainage) = (NoiseScratch::default(), Vec::new(), Vec::new());
        let mut fill = |x: i64| {
            let grid = NodeGrid { origin: [x * 64, -x], stride: 1, size: [33, 33], spacing: 4.0 };
            field.fill(&grid, &mut scratch, &mut heights);
            field.fill_with_drainage(&grid, &mut scratch, &mut heights, &mut drainage);
        };
        let first = allocation_counter::measure(|| fill(0)).count_total;
        assert!(first > 0, "the counter counts");
        // A noise over cells of about the size of the grid touches more of them at some positions, so buffers still grow a little.
        let early = allocation_counter::measure(|| (1..40).for_each(&mut fill)).count_total;
        assert!(early < 20, "{early} allocations");
        assert_eq!(allocation_counter::measure(|| (0..40).for_each(&mut fill)).count_total, 0);
        let ask = |x: i64| {
            let x = x as f64 * 123.4;
            std::hint::black_box([field.height(x, -x), field.drainage(x, -x)]);
        };
        ask(0);
        assert_eq!(allocation_counter::measure(|| (1..100).for_each(ask)).count_total, 0, "points");
    }
}

#[test]
fn a_chunk_allocates_its_arrays_and_nothing_else() {
    let field = HeightField::new(&FieldSettings::default());
    let layout = ChunkLayout::new(&ChunkSettings::default());
    let mut builder = ChunkBuilder::default();
    let mut build = |x| drop(builder.build(&field, &layout, ChunkCoord::finest(x, 3)));
    build(0);
    assert_eq!(allocation_counter::measure(|| (1..50).for_each(&mut build)).count_total, 4 * 49);
    let mut heights = |x| drop(builder.heights(&field, &layout, ChunkCoord::finest(x, 3)));
    heights(0);
    assert_eq!(allocation_counter::measure(|| (1..50).for_each(&mut heights)).count_total, 49);
}
