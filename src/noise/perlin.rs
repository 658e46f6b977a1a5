//! One octave of gradient noise in the plane.

use super::{Fade, Real, cell::split};

/// A rule that gives every integer point of the plane a gradient.
///
/// The same point always has the same gradient, and no gradient is longer than [`MAX_LENGTH`](Self::MAX_LENGTH).
pub trait Lattice {
    /// The length of the longest gradient.
    const MAX_LENGTH: f64;

    /// The gradient at the lattice point `(x, y)`.
    fn gradient<R: Real>(&self, x: i64, y: i64) -> [R; 2];
}

/// Perlin noise over a [`Lattice`]: zero at every lattice point, and as smooth as its [`Fade`].
///
/// ```
/// use bevy_perlin_terrain::noise::{Fade, Perlin, TerrainRng, UnitGradients};
///
/// let noise = Perlin::new(UnitGradients::new(&mut TerrainRng::new(42, 0)), Fade::Quintic);
/// assert_eq!(noise.value::<f32>(3.0, -7.0), 0.0);
/// assert!(noise.value::<f32>(3.5, -7.25).abs() <= 0.7072);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Perlin<L> {
    lattice: L,
    fade: Fade,
}

impl<L: Lattice> Perlin<L> {
    /// Noise over `lattice`, blended by `fade`.
    pub const fn new(lattice: L, fade: Fade) -> Self {
        Self { lattice, fade }
    }

    /// No value is further from zero than this: `sqrt(1/2)` for unit gradients.
    ///
    /// At the place `d` in a cell, corner `q` contributes at most `|g| |d - q|`, with weights that add up to one. The square
    /// of that mean of distances is at most the mean of their squares, which falls apart into one term per axis,
    /// `(1 - s) d^2 + s (1 - d)^2 = d^2 + s (1 - 2d)`. Up to the middle every fade has `s <= d`, so the term is at most
    /// `d - d^2 <= 1/4`; beyond it the same holds by symmetry. Two axes: `1/2`. It is reached in the middle of a cell.
    #[must_use]
    pub fn bound() -> f64 {
        L::MAX_LENGTH * std::f64::consts::FRAC_1_SQRT_2
    }

    /// The noise at `(x, y)`, in cells. Finite for finite coordinates.
    #[inline]
    pub fn value<R: Real>(&self, x: f64, y: f64) -> R {
        let (cell_x, dx) = split::<R>(x);
        let (cell_y, dy) = split::<R>(y);
        let one = R::from_f64(1.0);
        let plane = |qx: i64, qy: i64, ox: R, oy: R| {
            let [gx, gy] = self.lattice.gradient::<R>(cell_x.wrapping_add(qx), cell_y.wrapping_add(qy));
            gx * ox + gy * oy
        };
        let sx = self.fade.at(dx);
        let bottom = mix(plane(0, 0, dx, dy), plane(1, 0, dx - one, dy), sx);
        let top = mix(plane(0, 1, dx, dy - one), plane(1, 1, dx - one, dy - one), sx);
        mix(bottom, top, self.fade.at(dy))
    }
}

#[inline]
fn mix<R: Real>(from: R, to: R, s: R) -> R {
    from + (to - from) * s
}

#[cfg(test)]
mod tests {
    use super::super::{TerrainRng, UnitGradients};
    use super::*;

    fn noise(seed: u64) -> Perlin<UnitGradients> {
        Perlin::new(UnitGradients::new(&mut TerrainRng::new(seed, 0)), Fade::Quintic)
    }

    #[test]
    fn noise_is_zero_at_every_lattice_point() {
        let noise = noise(1);
        for x in -20..20 {
            for y in -20..20 {
                assert_eq!(noise.value::<f32>(f64::from(x), f64::from(y)), 0.0);
            }
        }
    }

    #[test]
    fn noise_stays_within_its_bound_and_comes_near_it() {
        let mut rng = TerrainRng::new(99, 0);
        let mut largest = 0.0_f64;
        for seed in 0..20 {
            let noise = noise(seed);
            for _ in 0..20_000 {
                let value: f64 = noise.value(rng.next_unit() * 512.0 - 256.0, rng.next_unit() * 512.0 - 256.0);
                largest = largest.max(value.abs());
            }
        }
        let bound = Perlin::<UnitGradients>::bound();
        assert!(largest <= bound, "{largest} > {bound}");
        assert!(largest > 0.9 * bound, "the bound {bound} is far from what occurs, {largest}");
    }

    #[test]
    fn noise_is_continuous_across_cells_and_zero() {
        let noise = noise(5);
        let step = 1e-9;
        for i in -50..50 {
            let (edge, along) = (f64::from(i), f64::from(i) * 0.37 + 0.123);
            let jump = noise.value::<f64>(edge - step, along) - noise.value::<f64>(edge + step, along);
            // Slopes are at most a few units per cell, so 2e-9 cells apart the values differ by less than 1e-8.
            assert!(jump.abs() < 1e-8, "at {edge}: {jump}");
        }
    }

    #[test]
    fn negative_coordinates_are_no_mirror_of_positive_ones() {
        let noise = noise(6);
        let same = (1..200)
            .filter(|&i| {
                let x = f64::from(i) * 0.173;
                noise.value::<f32>(x, 0.4).abs() == noise.value::<f32>(-x, 0.4).abs()
            })
            .count();
        assert!(same < 5, "{same} of 199 mirrored pairs are equal");
    }

    #[test]
    fn far_from_the_origin_steps_are_as_small_as_near_it() {
        let noise = noise(8);
        // 10^9 cells out, a step of 2^-10 cells is exact in f64; the values are those of the same place in the period.
        let far = 256.0 * 4_000_000.0;
        for i in 0..1000 {
            let x = f64::from(i) / 1024.0;
            assert_eq!(noise.value::<f32>(far + x, -far + x).to_bits(), noise.value::<f32>(x, x).to_bits());
        }
    }

    #[test]
    fn absurd_coordinates_give_finite_noise() {
        let noise = noise(9);
        for x in [f64::MAX, f64::MIN, 1e19, -1e19, 1e-320] {
            assert!(noise.value::<f32>(x, -x).is_finite(), "at {x}");
        }
    }
}
