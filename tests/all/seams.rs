//! Chunks that touch agree bit for bit.

use bevy_perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, ChunkSettings};
use bevy_perlin_terrain::field::{FieldSettings, HeightField};
use bevy_perlin_terrain::noise::{Fade, FractalShape, LatticeKind, NoiseRng, NoiseSettings, OctaveSum};
use bevy_perlin_terrain::settings::TerrainSettings;

/// A place in a list of `items`.
fn pick<T: Copy>(rng: &mut NoiseRng, items: &[T]) -> T {
    items[rng.next_u32() as usize % items.len()]
}

fn between(rng: &mut NoiseRng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.next_unit()
}

/// Any settings that are allowed, with chunks small enough to build by the hundred.
fn random_settings(rng: &mut NoiseRng) -> TerrainSettings {
    let layers = (0..rng.next_u32() % 4)
        .map(|_| NoiseSettings {
            lattice: pick(rng, &[LatticeKind::FastHash, LatticeKind::FastHash, LatticeKind::Table, LatticeKind::Shift]),
            period_x: pick(rng, &[0, 0, 7]),
            period_y: pick(rng, &[0, 0, 12]),
            fade: pick(rng, &[Fade::Linear, Fade::Cubic, Fade::Quintic]),
            shape: pick(
                rng,
                &[
                    FractalShape::Fbm,
                    FractalShape::Ridged,
                    FractalShape::Billow,
                    FractalShape::Hybrid,
                    FractalShape::Damped,
                ],
            ),
            sum: pick(rng, &[OctaveSum::Normalized, OctaveSum::Raw, OctaveSum::Clamped]),
            warp_strength: pick(rng, &[0.0, 0.0, 0.0, 120.0]),
            warp_frequency: libm::pow(10.0, between(rng, -5.0, -1.0)),
            octaves: 1 + rng.next_u32() % 16,
            frequency: libm::pow(10.0, between(rng, -6.0, 0.0)),
            lacunarity: between(rng, 1.0, 4.0),
            persistence: rng.next_unit(),
            amplitude: between(rng, 0.001, 1000.0),
            exponent: if rng.next_u32().is_multiple_of(2) { 1.0 } else { between(rng, 0.1, 8.0) },
            height_scale: between(rng, -10_000.0, 10_000.0),
            offset_octaves: rng.next_u32().is_multiple_of(2),
            ..Default::default()
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
fn random_chunk(rng: &mut NoiseRng, layout: &ChunkLayout, level: u8) -> ChunkCoord {
    let mut place = || {
        let far = pick(rng, &[0.0, 100.0, 1e4, 1e7, 1e8, 1e9]);
        between(rng, -far, far)
    };
    let (x, z) = (place(), place());
    layout.chunk_at(level, x, z)
}

/// Everything about one vertex that its neighbors must agree on: height and normal.
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
fn for_random_settings(first_seed: u64, check: impl Fn(&mut NoiseRng, &HeightField, &ChunkLayout, &str)) {
    for seed in first_seed..first_seed + 40 {
        let mut rng = NoiseRng::new(seed, 0);
        let settings = random_settings(&mut rng);
        let case = format!("test seed {seed}, {:?}, {:?}", settings.chunks, settings.field);
        check(&mut rng, &HeightField::new(&settings.field), &ChunkLayout::new(&settings.chunks), &case);
    }
}

#[test]
fn all_eight_neighbors_share_their_border_bit_for_bit_at_every_level() {
    for_random_settings(1000, |rng, field, layout, case| {
        let quads = i64::from(layout.quads());
        let mut builder = ChunkBuilder::default();
        for level in 0..=4 {
            let chunk = random_chunk(rng, layout, level);
            let here = builder.build(field, layout, chunk);
            for (dx, dz) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let neighbor = chunk.neighbor(dx, dz);
                let there = builder.build(field, layout, neighbor);
                let shared = |d: i64| (0..=quads).filter(move |i| (0..=quads).contains(&(i - d * quads)));
                let mut vertices = 0;
                for (row, column) in shared(dz).flat_map(|row| shared(dx).map(move |column| (row, column))) {
                    let (row_there, column_there) = (row - dz * quads, column - dx * quads);
                    let what = || format!("{chunk:?} at {column}, {row} and {neighbor:?}: {case}");
                    let (a, b) = (vertex_bits(&here, column, row), vertex_bits(&there, column_there, row_there));
                    assert_eq!(a, b, "height and normal of {}", what());
                    let grids = [layout.grid(chunk, 0), layout.grid(neighbor, 0)];
                    let place = grids[0].position(column as usize, row as usize);
                    assert_eq!(place, grids[1].position(column_there as usize, row_there as usize), "{}", what());
                    // Spacings are multiples of 2^-10 m, so a place in a chunk is exact in f32 and the sum in f64.
                    for (chunk, geometry, column, row) in
                        [(chunk, &here, column, row), (neighbor, &there, column_there, row_there)]
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
