//! Noise on a square tile that goes on at its opposite side, for textures.

use crate::noise::{FractalShape, LatticeKind, Noise, NoiseRng, NoiseScratch, NoiseSettings, OctaveSum, SampleGrid};

/// A sum of `octaves` on a tile of `size` x `size` texels, the first with `cells` across the tile. From about -1 to 1. Each `stream` has
/// other random numbers.
///
/// Each octave has its own period, so that it does not repeat within the tile.
pub fn tile_noise(
    size: usize,
    shape: FractalShape,
    cells: u32,
    octaves: u32,
    persistence: f32,
    stream: u64,
) -> Vec<f32> {
    let mut sum = vec![0.0; size * size];
    let mut octave = vec![0.0; sum.len()];
    let mut scratch = NoiseScratch::default();
    let mut rng = NoiseRng::new(stream, 0);
    let mut amplitude = 1.0;
    let mut total = 0.0;
    for i in 0..octaves {
        // Finer cells than two texels show nothing.
        let cells = cells << i;
        if cells as usize * 2 > size {
            break;
        }
        let settings = NoiseSettings {
            lattice: LatticeKind::Grid,
            period_x: cells,
            period_y: cells,
            frequency: f64::from(cells) / size as f64,
            shape,
            octaves: 1,
            sum: OctaveSum::Normalized,
            offset_octaves: false,
            ..NoiseSettings::unit()
        };
        // Noise is 0 at its nodes. Shifted octaves have none at the same position.
        let origin = [(); 2].map(|()| rng.next_in(0.0, size as f64));
        let grid = SampleGrid::new(origin, 1.0, [size; 2]);
        Noise::seeded(&settings, stream, u64::from(i)).fill(&grid, &mut scratch, &mut octave);
        // One octave seldom exceeds 0.7.
        sum.iter_mut().zip(&octave).for_each(|(sum, value)| *sum += 1.4 * amplitude * value);
        total += amplitude;
        amplitude *= persistence;
    }
    // Octaves rarely meet at their highest.
    let scale = 1.0 / total.sqrt().max(1.0);
    sum.iter_mut().for_each(|value| *value *= scale);
    sum
}
