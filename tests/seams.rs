//! Chunks that touch agree bit for bit, and the same settings give the same bits, on any number of threads.

use bevy_perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings};
use bevy_perlin_terrain::field::{FieldSettings, HeightField};
use bevy_perlin_terrain::noise::{
    DiagonalGradients, Fade, Fractal, FractalSettings, FractalShape, Perlin, Permutation, TerrainRng,
};
use bevy_perlin_terrain::settings::TerrainSettings;
use serde::Deserialize;

/// A place in a list of `items`.
fn pick<T: Copy>(rng: &mut TerrainRng, items: &[T]) -> T {
    items[rng.next_u32() as usize % items.len()]
}

fn between(rng: &mut TerrainRng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.next_unit()
}

/// Any settings that are allowed, with chunks small enough to build by the hundred.
fn random_settings(rng: &mut TerrainRng) -> TerrainSettings {
    let layers = (0..rng.next_u32() % 4)
        .map(|_| FractalSettings {
            shape: pick(rng, &[FractalShape::Smooth, FractalShape::Ridged, FractalShape::Billow]),
            octaves: 1 + rng.next_u32() % 16,
            frequency: libm::pow(10.0, between(rng, -6.0, 0.0)),
            lacunarity: between(rng, 1.0, 4.0),
            persistence: rng.next_unit(),
            amplitude: between(rng, 0.001, 1000.0),
            contrast: if rng.next_u32().is_multiple_of(2) { 1.0 } else { between(rng, 0.1, 8.0) },
            size: between(rng, -10_000.0, 10_000.0),
            scattered: rng.next_u32().is_multiple_of(2),
        })
        .collect();
    let spacings = [0.1, 0.25, 1.0, 4.0, 100.0, between(rng, 0.1, 100.0)];
    let settings = TerrainSettings {
        field: FieldSettings { seed: rng.next_u64(), base_height: between(rng, -10_000.0, 10_000.0), layers },
        chunks: ChunkSettings { quads: pick(rng, &[8, 16, 32]), spacing: pick(rng, &spacings) },
        ..Default::default()
    };
    assert_eq!(settings.validate(), Ok(()));
    settings
}

/// A chunk at the origin, or up to a billion metres from it on either side.
fn random_chunk(rng: &mut TerrainRng, layout: &ChunkLayout, level: u8) -> ChunkCoord {
    let mut place = || {
        let far = pick(rng, &[0.0, 100.0, 1e4, 1e7, 1e8, 1e9]);
        between(rng, -far, far)
    };
    let (x, z) = (place(), place());
    layout.chunk_at(level, x, z)
}

/// Everything about one vertex that its neighbours must agree on: height and normal.
fn vertex_bits(geometry: &ChunkGeometry, column: i64, row: i64) -> [u32; 4] {
    let at = (row * i64::from(geometry.side) + column) as usize;
    let [nx, ny, nz] = geometry.normals[at];
    [geometry.positions[at][1], nx, ny, nz].map(f32::to_bits)
}

/// Where the vertex stands: its chunk's corner plus its place in the chunk.
fn world_place(layout: &ChunkLayout, chunk: ChunkCoord, geometry: &ChunkGeometry, column: i64, row: i64) -> [f64; 2] {
    let [x, _, z] = geometry.positions[(row * i64::from(geometry.side) + column) as usize];
    let [west, north] = layout.origin(chunk);
    [west + f64::from(x), north + f64::from(z)]
}

/// Calls `check` with 40 random settings and layouts, and says on failure which they were.
fn for_random_settings(first_seed: u64, check: impl Fn(&mut TerrainRng, &HeightField, &ChunkLayout, &str)) {
    for seed in first_seed..first_seed + 40 {
        let mut rng = TerrainRng::new(seed, 0);
        let settings = random_settings(&mut rng);
        let case = format!("test seed {seed}, {:?}, {:?}", settings.chunks, settings.field);
        check(&mut rng, &HeightField::new(&settings.field), &ChunkLayout::new(&settings.chunks), &case);
    }
}

#[test]
fn all_eight_neighbours_share_their_border_bit_for_bit_at_every_level() {
    for_random_settings(1000, |rng, field, layout, case| {
        let quads = i64::from(layout.quads());
        let mut builder = ChunkBuilder::default();
        for level in 0..=4 {
            let chunk = random_chunk(rng, layout, level);
            let here = builder.build(field, layout, chunk);
            for (dx, dz) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let neighbour = chunk.neighbour(dx, dz);
                let there = builder.build(field, layout, neighbour);
                let shared = |d: i64| (0..=quads).filter(move |i| (0..=quads).contains(&(i - d * quads)));
                let mut vertices = 0;
                for (row, column) in shared(dz).flat_map(|row| shared(dx).map(move |column| (row, column))) {
                    let (row_there, column_there) = (row - dz * quads, column - dx * quads);
                    let what = || format!("{chunk:?} at {column}, {row} and {neighbour:?}: {case}");
                    let (a, b) = (vertex_bits(&here, column, row), vertex_bits(&there, column_there, row_there));
                    assert_eq!(a, b, "height and normal of {}", what());
                    let grids = [layout.grid(chunk, 0), layout.grid(neighbour, 0)];
                    let place = grids[0].position(column as usize, row as usize);
                    assert_eq!(place, grids[1].position(column_there as usize, row_there as usize), "{}", what());
                    // Spacings are multiples of 2^-10 m, so a place in a chunk is exact in f32 and the sum in f64.
                    for (chunk, geometry, column, row) in
                        [(chunk, &here, column, row), (neighbour, &there, column_there, row_there)]
                    {
                        let drawn = world_place(layout, chunk, geometry, column, row);
                        assert_eq!(drawn, place, "place of {}", what());
                    }
                    vertices += 1;
                }
                assert_eq!(vertices, if dx != 0 && dz != 0 { 1 } else { quads + 1 });
            }
        }
    });
}

#[test]
fn a_coarser_chunk_has_the_heights_of_the_finer_ones_under_it() {
    for_random_settings(2000, |rng, field, layout, case| {
        let quads = i64::from(layout.quads());
        let mut builder = ChunkBuilder::default();
        for level in 0..4 {
            let coarse_chunk = random_chunk(rng, layout, level + 1);
            let coarse = builder.build(field, layout, coarse_chunk);
            for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let fine_chunk = ChunkCoord { level, x: 2 * coarse_chunk.x + right, z: 2 * coarse_chunk.z + down };
                let fine = builder.build(field, layout, fine_chunk);
                for row in 0..=quads / 2 {
                    for column in 0..=quads / 2 {
                        let above = vertex_bits(&coarse, right * quads / 2 + column, down * quads / 2 + row);
                        let below = vertex_bits(&fine, 2 * column, 2 * row);
                        assert_eq!(above[0], below[0], "{coarse_chunk:?} over {fine_chunk:?}: {case}");
                    }
                }
            }
        }
    });
}

/// FNV-1a over 32-bit words.
fn hash(words: impl Iterator<Item = u32>) -> u64 {
    words
        .flat_map(u32::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// One layer of every shape, with everything on.
fn golden_settings(seed: u64) -> TerrainSettings {
    let layer = |shape, contrast, size| FractalSettings {
        shape,
        contrast,
        size,
        octaves: 5,
        frequency: 0.004,
        lacunarity: 2.1,
        ..Default::default()
    };
    let layers = vec![
        layer(FractalShape::Smooth, 1.3, 300.0),
        layer(FractalShape::Ridged, 1.0, 120.0),
        FractalSettings { scattered: false, ..layer(FractalShape::Billow, 1.0, -15.0) },
    ];
    TerrainSettings {
        field: FieldSettings { seed, base_height: 12.5, layers },
        chunks: ChunkSettings { quads: 16, spacing: 2.5 },
        ..Default::default()
    }
}

/// The hash of 64 chunks of many levels and places, built on `threads` threads.
fn hash_of_chunks(threads: usize) -> u64 {
    let settings = golden_settings(42);
    let (field, layout) = (HeightField::new(&settings.field), ChunkLayout::new(&settings.chunks));
    let chunks: Vec<ChunkCoord> =
        (0..64).map(|i: i64| ChunkCoord { level: (i % 5) as u8, x: i * 7 - 200, z: 90 - i * i * i * 4001 }).collect();
    let build = |first: usize| -> Vec<(usize, ChunkGeometry)> {
        let mut builder = ChunkBuilder::default();
        let mine = (first..chunks.len()).step_by(threads);
        mine.map(|i| (i, builder.build(&field, &layout, chunks[i]))).collect()
    };
    let mut built: Vec<(usize, ChunkGeometry)> = std::thread::scope(|scope| {
        let build = &build;
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || build(first))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    built.sort_by_key(|(index, _)| *index);
    hash(
        built
            .iter()
            .flat_map(|(_, chunk)| chunk.positions.iter().chain(&chunk.normals))
            .flat_map(|vector| vector.map(f32::to_bits)),
    )
}

#[test]
fn chunks_have_the_same_bits_on_any_number_of_threads_and_in_every_release() {
    /// Every bit of 64 chunks. The same on every target. To change it on purpose, say in the changelog under
    /// *Value-breaking* that the same seed gives new terrain, and write the value from the failure's message here.
    const GOLDEN: u64 = 0xa126_40fa_bad6_9749;

    let alone = hash_of_chunks(1);
    for threads in [2, 4, 7] {
        assert_eq!(hash_of_chunks(threads), alone, "{threads} threads build other chunks than one");
    }
    assert_eq!(alone, GOLDEN, "the bits changed: if that is on purpose, set GOLDEN to {alone:#018x}");
}

#[test]
fn heights_are_stable_across_releases() {
    const PLACES: [(f64, f64); 6] =
        [(0.0, 0.0), (17.25, -3.5), (-1234.5, 678.9), (1e5, 2e5), (-1e7, 1e7 + 0.125), (1e9, -1e9)];
    // Changing these numbers changes every terrain: a value-breaking release.
    let golden: [(u64, [f32; 6]); 2] = [
        (1, [30.543943, 23.053785, 33.447575, -34.72231, -3.9564667, 56.93199]),
        (u64::MAX, [68.804985, 27.951225, 31.710705, 74.40941, 20.597027, 56.412426]),
    ];
    let found = golden.map(|(seed, _)| {
        let field = HeightField::new(&golden_settings(seed).field);
        (seed, PLACES.map(|(x, z)| field.height(x, z)))
    });
    assert_eq!(found, golden, "the heights changed: if that is on purpose, the new table is\n{found:?}");
}

#[derive(Deserialize)]
struct PublishedNoise {
    fbm_shaped_2d: Vec<PublishedFractal>,
    diagonal4_2d: PublishedPerlin,
    permutation_hash_2d: Vec<[i64; 3]>,
}

#[derive(Deserialize)]
struct PublishedFractal {
    octaves: u32,
    persistence: f64,
    lacunarity: f64,
    frequency: f64,
    amplitude: f64,
    contrast: f64,
    noise_size: f64,
    values: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct PublishedPerlin {
    quintic: Vec<[f64; 3]>,
}

fn published() -> PublishedNoise {
    // RON reads JSON's maps and lists, so no reader of JSON is needed.
    let text = include_str!("data/noise.json");
    let value: ron::Value = ron::from_str(text).expect("the file is JSON");
    value.into_rust().expect("the file has the published tables")
}

#[test]
fn the_permutation_hashes_as_published() {
    let table = published().permutation_hash_2d;
    assert_eq!(table.len(), 24);
    for [x, y, expected] in table {
        assert_eq!(i64::from(Permutation::perlin().hash(x, y)), expected, "at {x}, {y}");
    }
}

#[test]
fn one_octave_has_the_published_values() {
    let noise = Perlin::new(DiagonalGradients::default(), Fade::Quintic);
    let table = published().diagonal4_2d.quintic;
    assert_eq!(table.len(), 34);
    for [x, y, expected] in table {
        let double: f64 = noise.value(x, y);
        assert!((double - expected).abs() <= 1e-12, "f64 at {x}, {y}: {double}, published {expected}");
        // The fraction is rounded to f32 (by 2^-25) and the slope is below 4; a dozen operations on numbers up to 2
        // round by 2^-24 each, most of them on far smaller ones.
        let single: f32 = noise.value(x, y);
        assert!((f64::from(single) - expected).abs() <= 2e-6, "f32 at {x}, {y}: {single}, published {expected}");
    }
}

#[test]
fn fractal_sums_have_the_published_values() {
    let tables = published().fbm_shaped_2d;
    assert_eq!(tables.len(), 6);
    for PublishedFractal { octaves, persistence, lacunarity, frequency, amplitude, contrast, noise_size, values } in
        tables
    {
        let settings = FractalSettings {
            shape: FractalShape::Smooth,
            octaves,
            frequency,
            lacunarity,
            persistence,
            amplitude,
            contrast,
            size: noise_size,
            scattered: false,
        };
        let fractal = Fractal::new(Perlin::new(DiagonalGradients::default(), Fade::Quintic), &settings);
        assert_eq!(values.len(), 16);
        for [x, y, expected] in values {
            let what = format!("at {x}, {y} of {settings:?}, published {expected}");
            let double: f64 = fractal.value(x, y);
            assert!((double - expected).abs() <= 1e-12 * noise_size, "f64 {double} {what}");
            // A sum is at most 1 and off by 2e-6 at most, as one octave is. Raising it to the power of `contrast`
            // multiplies an error by `contrast` at most, and then comes the size.
            let single: f32 = fractal.value(x, y);
            let slack = 2e-6 * contrast.max(1.0) * noise_size;
            assert!((f64::from(single) - expected).abs() <= slack, "f32 {single} {what}");
        }
    }
}
