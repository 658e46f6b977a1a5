//! How far single precision is from double precision: the bounds in the docs of [`Noise`], for every lattice and shape.

use perlin_fbm::{
    Fade, FixedCoord, FractalShape, LatticeKind, Noise, NoiseRng, NoiseSettings, PermutationKind, SampleGrid,
};

/// Grids of 64 by 64 samples for each lattice and shape: a quarter of a million samples, and more than a million for each
/// lattice.
const GRIDS: u64 = 62;

/// The bound of a normalized sum without a warp, in height scales, for an exponent of 1. Larger exponents multiply it.
pub fn bound(shape: FractalShape) -> f64 {
    match shape {
        FractalShape::Fbm | FractalShape::Damped => 2.5e-6,
        FractalShape::Hybrid => 3e-6,
        FractalShape::Billow => 6e-6,
        FractalShape::Ridged => 1.2e-5,
        other => panic!("no bound is documented for {other:?}"),
    }
}

/// Settings within their limits that have a bound.
fn settings(rng: &mut NoiseRng, lattice: LatticeKind, shape: FractalShape) -> NoiseSettings {
    let mut pick = |count: usize| rng.next_u32() as usize % count;
    // The slopes that damp octaves jump at the borders of cells with a linear fade.
    let fades = if shape == FractalShape::Damped { 3 } else { 4 };
    let lacunarity = [1.0, 1.7, 2.0, 2.03, 4.0][pick(5)];
    NoiseSettings {
        lattice,
        shape,
        bits: 1 + pick(8) as u32,
        permutation: [PermutationKind::Perlin, PermutationKind::Shuffled][pick(2)],
        fade: [Fade::Quintic, Fade::Cubic, Fade::MinimalCubic, Fade::Linear][pick(fades)],
        octaves: [1, 2, 5, 8, 32][pick(5)],
        period_x: [0, 0, 3, 256][pick(4)],
        lacunarity,
        persistence: [0.0, 0.3, 0.5, 0.7, 1.0][pick(5)],
        exponent: [1.0, 1.0, 1.0, 1.3, 2.0, 8.0][pick(6)],
        height_scale: [1.0, -300.0][pick(2)],
        // Octaves that are the same noise have the same errors, which add up.
        offset_octaves: pick(2) == 0 || lacunarity < 1.5,
        frequency: libm::pow(10.0, -4.0 * rng.next_unit()),
        ..Default::default()
    }
}

fn check(lattice: LatticeKind, shape: FractalShape) {
    for seed in 0..GRIDS {
        let mut rng = NoiseRng::new(seed, 7);
        let settings = settings(&mut rng, lattice, shape);
        let noise = Noise::seeded(&settings, seed, 0);
        // Up to 5 * 10^8 units from the origin, and from a tick to 40 units apart.
        let origin = [0; 2].map(|_| FixedCoord::from_ticks((rng.next_u64() >> 24) as i64 - (1 << 39)));
        let step_ticks = 1 + i64::from(rng.next_u32() % 40_000);
        let grid = SampleGrid { origin, step_ticks, size: [64, 64] };
        let slack = bound(shape) * settings.exponent * settings.height_scale.abs();
        for (i, &single) in noise.map(&grid).values().iter().enumerate() {
            let [x, y] = grid.coord([i % 64, i / 64]).map(|coord| coord.ticks as f64 / 1024.0);
            let double = noise.sample([x, y]).value;
            assert!(
                (f64::from(single) - double).abs() <= slack,
                "seed {seed} at {x}, {y}: {single} and {double} differ by more than {slack} in {settings:?}"
            );
        }
    }
}

/// A test for each shape over each lattice, so that they run beside each other.
macro_rules! tests_over {
    ($($lattice:ident: $module:ident),+ $(,)?) => {$(
        mod $module {
            use super::*;

            #[test]
            fn fbm_differs_by_rounding_alone() {
                check(LatticeKind::$lattice, FractalShape::Fbm);
            }

            #[test]
            fn ridged_differs_by_rounding_alone() {
                check(LatticeKind::$lattice, FractalShape::Ridged);
            }

            #[test]
            fn billow_differs_by_rounding_alone() {
                check(LatticeKind::$lattice, FractalShape::Billow);
            }

            #[test]
            fn hybrid_differs_by_rounding_alone() {
                check(LatticeKind::$lattice, FractalShape::Hybrid);
            }

            #[test]
            fn damped_differs_by_rounding_alone() {
                check(LatticeKind::$lattice, FractalShape::Damped);
            }
        }
    )+};
}

tests_over! {
    FastHash: fast_hash,
    Table: table,
    Grid: grid,
    Diagonal: diagonals,
    Bit: permutation_bits,
    Edge: perlin_2002,
    Ward: ward,
    Shift: shift,
    ShiftMult: shift_mult,
}
