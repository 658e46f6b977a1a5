use super::*;
use crate::{
    BitGradients, DiagonalGradients, EdgeGradients, FastHashGradients, GridGradients, HashGradients, IntegerHash,
    NoiseRng, SplitHashGradients, TableGradients,
};

const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];

/// Calls a macro with every lattice and every dimension that it exists in.
macro_rules! for_every_lattice {
    ($check:ident) => {{
        let mut rng = NoiseRng::new(1, 0);
        $check::<1, _>("grid", &GridGradients::new(&mut rng, [300]));
        $check::<2, _>("grid", &GridGradients::new(&mut rng, [7, 300]));
        $check::<3, _>("grid", &GridGradients::new(&mut rng, [20, 7, 31]));
        $check::<4, _>("grid", &GridGradients::new(&mut rng, [5, 12, 9, 7]));
        for_every_lattice!($check, rng: 1 2 3 4);
    }};
    ($check:ident, $rng:ident: $($n:literal)+) => {$(
        $check::<$n, _>("table", &TableGradients::new(&mut $rng));
        $check::<$n, _>("diagonals", &DiagonalGradients::default());
        $check::<$n, _>("edges", &EdgeGradients::default());
        $check::<$n, _>("mixed", &FastHashGradients::new(9));
        for bits in 1..=8 {
            $check::<$n, _>("bits", &BitGradients::new(bits));
        }
        for hash in [IntegerHash::Ward, IntegerHash::Shift, IntegerHash::ShiftMult] {
            $check::<$n, _>("hash", &HashGradients::new(hash, 5));
            $check::<$n, _>("split hash", &SplitHashGradients::new(hash, 5));
        }
    )+};
}

/// A position within 300 cells of the origin, in steps of 2^-20 cells: so that a step of 2^-16 is exact.
fn position<const N: usize>(rng: &mut NoiseRng) -> [f64; N] {
    std::array::from_fn(|_| f64::from(rng.next_u32() % (600 << 20)) / f64::from(1 << 20) - 300.0)
}

fn moved<const N: usize>(mut p: [f64; N], axis: usize, by: f64) -> [f64; N] {
    p[axis] += by;
    p
}

#[test]
fn noise_is_zero_at_every_lattice_point_with_the_slope_of_its_gradient() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let mut rng = NoiseRng::new(2, 0);
        for fade in FADES {
            let noise = Perlin::new(lattice.clone(), fade);
            for _ in 0..100 {
                let node: [i64; N] = std::array::from_fn(|_| i64::from(rng.next_u32() % 1000) - 500);
                let sample = noise.sample(node.map(|c| c as f64));
                assert_eq!(sample.value, 0.0, "{name} in {N} dimensions at {node:?}");
                if fade != Fade::Linear {
                    assert_eq!(sample.gradient, lattice.gradient(node), "{name} in {N} dimensions at {node:?}");
                }
            }
        }
    }
    for_every_lattice!(check);
}

#[test]
fn noise_stays_within_its_bound() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let mut rng = NoiseRng::new(3, 0);
        for fade in FADES {
            let noise = Perlin::new(lattice.clone(), fade);
            let bound = noise.bound::<N>();
            for _ in 0..3000 {
                let p = position(&mut rng);
                let value = noise.value(p);
                assert!(value.abs() <= bound, "{name} in {N} dimensions at {p:?}: {value} > {bound}");
            }
        }
    }
    for_every_lattice!(check);
}

#[test]
fn the_bound_is_nearly_reached() {
    fn check<const N: usize>(noise: &Perlin<FastHashGradients>) -> f64
    where
        FastHashGradients: Lattice<N>,
    {
        let mut rng = NoiseRng::new(4, 0);
        // Middles of cells, where the bound is reached if all gradients point there.
        let middle = |rng: &mut NoiseRng| std::array::from_fn(|_| f64::from(rng.next_u32() % 100_000) + 0.5);
        (0..50_000).map(|_| noise.value::<N>(middle(&mut rng)).abs()).fold(0.0, f64::max) / noise.bound::<N>()
    }
    let noise = Perlin::new(FastHashGradients::new(1), Fade::Quintic);
    // In one dimension the steepest of 32 slopes is 31/32; in the plane no direction points along a diagonal.
    assert!(check::<1>(&noise) > 0.96);
    assert!(check::<2>(&noise) > 0.95);
    // Edges of a cube are 35 degrees from its diagonals: at most 0.816; and 8 of 12 would have to be the right ones.
    assert!(check::<3>(&noise) > 0.6);
}

#[test]
fn the_gradient_is_the_slope_that_differences_show() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let mut rng = NoiseRng::new(5, 0);
        let h = 1.0 / f64::from(1 << 16);
        for fade in FADES {
            let noise = Perlin::new(lattice.clone(), fade);
            for _ in 0..50 {
                let p = position(&mut rng);
                let sample = noise.sample(p);
                assert_eq!(sample.value, noise.value(p), "{name} in {N} dimensions at {p:?}");
                for axis in 0..N {
                    let difference = (noise.value(moved(p, axis, h)) - noise.value(moved(p, axis, -h))) / (2.0 * h);
                    // h^2 / 6 times the third derivative along an axis, below 400: 2e-8. On a cell border, where the second
                    // derivative of a cubic or the slope of the linear fade jumps, it may differ by more: none is hit here.
                    let error = difference - sample.gradient[axis];
                    assert!(error.abs() < 3e-8, "{name} in {N} dimensions, {fade:?}, at {p:?}, axis {axis}: {error}");
                }
            }
        }
    }
    for_every_lattice!(check);
}

#[test]
fn second_derivatives_are_the_slopes_of_the_gradient() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let mut rng = NoiseRng::new(6, 0);
        let h = 1.0 / f64::from(1 << 16);
        for fade in FADES {
            let noise = Perlin::new(lattice.clone(), fade);
            for _ in 0..30 {
                let p = position(&mut rng);
                let jet: Jet<N> = noise.blend(p);
                assert_eq!(noise.curvature(p), jet.hessian);
                assert_eq!(ValueAndGradient { value: jet.value, gradient: jet.gradient }, noise.sample(p), "{name}");
                for axis in 0..N {
                    let [above, below] = [h, -h].map(|by| noise.sample(moved(p, axis, by)).gradient);
                    for other in 0..N {
                        let difference = (above[other] - below[other]) / (2.0 * h);
                        // As for the gradient, with fourth derivatives below 2000.
                        let error = difference - jet.hessian[axis][other];
                        assert!(error.abs() < 2e-7, "{name} in {N} dimensions, {fade:?}, at {p:?}: {error}");
                        assert_eq!(jet.hessian[axis][other], jet.hessian[other][axis]);
                    }
                }
            }
        }
    }
    for_every_lattice!(check);
}

#[test]
fn noise_is_as_smooth_across_cell_borders_as_its_fade() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let mut rng = NoiseRng::new(7, 0);
        let step = 1e-9;
        for fade in FADES {
            let noise = Perlin::new(lattice.clone(), fade);
            for axis in 0..N {
                let (mut slope_jumps, mut curvature_jumps) = (false, false);
                for _ in 0..20 {
                    let mut p = position(&mut rng);
                    p[axis] = p[axis].round();
                    let [below, above]: [Jet<N>; 2] = [-step, step].map(|by| noise.blend(moved(p, axis, by)));
                    // 2e-9 cells apart, smooth values differ by that times the next derivative: below 20 for values, 100 for
                    // slopes, 1000 for curvatures.
                    let jump = |one: f64, other: f64, steepest: f64| (one - other).abs() > 2.0 * step * steepest;
                    assert!(!jump(below.value, above.value, 20.0), "{name} in {N} dimensions, {fade:?}, {p:?}");
                    slope_jumps |= jump(below.gradient[axis], above.gradient[axis], 100.0);
                    curvature_jumps |= jump(below.hessian[axis][axis], above.hessian[axis][axis], 1000.0);
                }
                let expected = match fade {
                    Fade::Linear => (true, false),
                    Fade::Cubic | Fade::MinimalCubic => (false, true),
                    Fade::Quintic => (false, false),
                };
                // On a line the linear fade gives parabolas, whose curvature jumps as well.
                let found = (slope_jumps, curvature_jumps && fade != Fade::Linear);
                assert_eq!(found, expected, "{name} in {N} dimensions, {fade:?}, axis {axis}");
            }
        }
    }
    for_every_lattice!(check);
}

#[test]
fn tables_repeat_after_256_cells_along_every_axis() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let mut rng = NoiseRng::new(8, 0);
        let noise = Perlin::new(lattice.clone(), Fade::Quintic);
        for _ in 0..200 {
            let p = position(&mut rng);
            for axis in 0..N {
                for by in [-512.0, 256.0] {
                    assert_eq!(noise.value(moved(p, axis, by)), noise.value(p), "{name} in {N} dimensions at {p:?}");
                }
            }
        }
        // No power of two below is a period already.
        for axis in 0..N {
            let same = (0..50).filter(|_| {
                let p = position(&mut rng);
                noise.value(moved(p, axis, 128.0)) == noise.value(p)
            });
            assert!(same.count() < 25, "{name} in {N} dimensions repeats after 128 cells of axis {axis}");
        }
    }
    macro_rules! check {
        ($($n:literal)+) => {$(
            check::<$n, _>("table", &TableGradients::new(&mut NoiseRng::new(1, 0)));
            check::<$n, _>("diagonals", &DiagonalGradients::default());
            check::<$n, _>("edges", &EdgeGradients::default());
            check::<$n, _>("bits", &BitGradients::default());
        )+};
    }
    check!(1 2 3 4);
}

#[test]
fn hashes_repeat_after_2_to_the_32_cells_along_every_axis() {
    fn check<const N: usize, L: Lattice<N>>(lattice: &L) {
        let node: [i64; N] = std::array::from_fn(|axis| axis as i64 * 7 - 11);
        for axis in 0..N {
            let mut far = node;
            far[axis] -= 3 << 32;
            assert_eq!(lattice.gradient(far), lattice.gradient(node));
            far[axis] += 1 << 31;
            assert_ne!(lattice.gradient(far), lattice.gradient(node), "axis {axis} of {N}");
        }
    }
    check::<2, _>(&FastHashGradients::new(1));
    check::<4, _>(&FastHashGradients::new(2));
    check::<3, _>(&HashGradients::new(IntegerHash::ShiftMult, 1));
}

#[test]
fn negative_coordinates_are_no_mirror_of_positive_ones() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let noise = Perlin::new(lattice.clone(), Fade::Quintic);
        for axis in 0..N {
            let same = (1..200).filter(|&i| {
                let mut p = [0.4; N];
                p[axis] = f64::from(i) * 0.173;
                let mut mirrored = p;
                mirrored[axis] = -p[axis];
                noise.value(p).abs() == noise.value(mirrored).abs()
            });
            // Lattices with two or four directions give equal values by chance.
            let same = same.count();
            assert!(same < 60, "{name} in {N} dimensions: {same} of 199 mirrored pairs are equal");
        }
    }
    for_every_lattice!(check);
}

#[test]
fn far_from_the_origin_steps_are_as_small_as_near_it() {
    let noise = Perlin::new(TableGradients::new(&mut NoiseRng::new(8, 0)), Fade::Quintic);
    // 10^9 cells out, a step of 2^-10 cells is exact in f64; the values are those of the same position in the period.
    let far = 256.0 * 4_000_000.0;
    for i in 0..1000 {
        let x = f64::from(i) / 1024.0;
        assert_eq!(noise.value([far + x, -far + x]), noise.value([x, x]));
    }
}

#[test]
fn absurd_coordinates_give_finite_noise() {
    fn check<const N: usize, L: Lattice<N>>(name: &str, lattice: &L) {
        let noise = Perlin::new(lattice.clone(), Fade::Quintic);
        for x in [f64::MAX, f64::MIN, 1e19, -1e19, 1e-320, -1e-320] {
            let ValueAndGradient { value, gradient } = noise.sample([x; N]);
            assert!(value.is_finite() && gradient.iter().all(|g| g.is_finite()), "{name} in {N} dimensions at {x}");
        }
    }
    for_every_lattice!(check);
}
