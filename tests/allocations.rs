//! Filling a grid and building a chunk reuse their buffers.
//!
//! These tests have a process of their own, because its allocator counts allocations.

use bevy_perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings};
use bevy_perlin_terrain::field::{FieldSettings, HeightField};
use bevy_perlin_terrain::noise::{
    FixedCoord, FractalShape, LatticeKind, Noise, NoiseScratch, NoiseSettings, SampleGrid, SimdLevel, TICKS_PER_UNIT,
};

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

#[test]
fn a_chunk_allocates_its_four_arrays_and_nothing_else() {
    let field = HeightField::new(&FieldSettings::default());
    let layout = ChunkLayout::new(&ChunkSettings::default());
    let mut builder = ChunkBuilder::default();
    let mut build = |x| drop(builder.build(&field, &layout, ChunkCoord::finest(x, 3)));
    build(0);
    assert_eq!(allocation_counter::measure(|| (1..50).for_each(&mut build)).count_total, 4 * 49);
}
