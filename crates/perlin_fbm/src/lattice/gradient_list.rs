//! Gradients in memory.

use crate::NoiseRng;
use std::{f64::consts::TAU, sync::Arc};

/// A list of gradients. Clones share it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GradientList<const N: usize> {
    gradients: Arc<[[f64; N]]>,
    max_length: f64,
}

/// No component is further from zero: noise in single precision stays finite.
const MAX_COMPONENT: f64 = 1e6;

/// The smallest [`max_length`](GradientList::max_length). Ridged, billow and hybrid sums divide by it.
const MIN_MAX_LENGTH: f64 = 1e-6;

impl<const N: usize> GradientList<N> {
    /// `count` random unit vectors, one after the other from `rng`. See [`random_direction`].
    ///
    /// # Panics
    ///
    /// If the list does not fit in the address space.
    pub fn random(rng: &mut NoiseRng, count: u64) -> Self {
        Self { gradients: (0..count).map(|_| random_direction(rng)).collect(), max_length: 1.0 }
    }

    /// `gradients`, with components clamped to \[-10^6, 10^6\]. A component that is not a number becomes 0.
    pub fn from_gradients(gradients: impl Iterator<Item = [f64; N]>) -> Self {
        let finite = |c: f64| if c.is_nan() { 0.0 } else { c.clamp(-MAX_COMPONENT, MAX_COMPONENT) };
        let gradients: Arc<[[f64; N]]> = gradients.map(|gradient| gradient.map(finite)).collect();
        let length = |gradient: &[f64; N]| gradient.iter().map(|c| c * c).sum::<f64>().sqrt();
        let max_length = gradients.iter().map(length).fold(MIN_MAX_LENGTH, f64::max);
        Self { gradients, max_length }
    }

    /// The same gradients, each turned by `flow` times its own number of whole turns: one or two, either way.
    ///
    /// In the plane they turn around the circle, and on a line they swing. In more dimensions each turns in the plane of an axis and
    /// the next, one of `N`. Lengths stay the same, except on a line.
    ///
    /// Source: Ken Perlin and Fabrice Neyret, *Flow Noise* (SIGGRAPH 2001): gradients that turn. The turns are ours.
    pub fn flowed(self, flow: f64) -> Self {
        if flow == 0.0 || !flow.is_finite() {
            return self;
        }
        let turned = |(index, &gradient): (u32, &[f64; N])| {
            // Multiplicative hashing, with the golden ratio, so that neighbors in a grid differ: Donald Knuth, *Sorting and
            // Searching* (1973), section 6.4.
            let hash = index.wrapping_mul(0x9e37_79b9);
            let turns = [1.0, -1.0, 2.0, -2.0][(hash >> 30) as usize] * flow;
            let angle = (turns - libm::trunc(turns)) * TAU;
            let [cos, sin] = [libm::cos(angle), libm::sin(angle)];
            if N == 1 {
                return gradient.map(|slope| cos * slope);
            }
            let axis = (hash >> 20) as usize % N;
            let next = (axis + 1) % N;
            let mut turned = gradient;
            turned[axis] = cos * gradient[axis] - sin * gradient[next];
            turned[next] = sin * gradient[axis] + cos * gradient[next];
            turned
        };
        Self { gradients: (0..).zip(self.gradients.iter()).map(turned).collect(), ..self }
    }

    /// The length of the longest gradient, at least 10^-6.
    pub fn max_length(&self) -> f64 {
        self.max_length
    }

    /// All gradients.
    #[inline]
    pub fn as_slice(&self) -> &[[f64; N]] {
        &self.gradients
    }
}

/// A random unit vector, uniform on the sphere of `N` dimensions: -1 or 1 on a line, a random angle in the plane. Sines, cosines
/// and powers are `libm`'s, so it has the same bits everywhere.
///
/// It adds two axes at a time. In `k + 2` dimensions, the last two components of a uniform vector have a random angle, and the
/// first `k` are a uniform direction in `k` dimensions times a length `r`. `r^2` has the beta distribution of k/2 and 1, which is
/// that of `u^(2/k)` for a `u` that is uniform in [0, 1].
fn random_direction<const N: usize>(rng: &mut NoiseRng) -> [f64; N] {
    let mut vector = [0.0; N];
    let first = N % 2;
    if first == 1 {
        vector[0] = if rng.next_unit() < 0.5 { 1.0 } else { -1.0 };
    }
    for axis in (first..N).step_by(2) {
        let mut radius = 1.0;
        if axis > 0 {
            let rest = libm::pow(rng.next_unit(), 1.0 / axis as f64);
            vector[..axis].iter_mut().for_each(|component| *component *= rest);
            radius = f64::sqrt((1.0 - rest) * (1.0 + rest));
        }
        let angle = rng.next_unit() * TAU;
        vector[axis] = radius * libm::cos(angle);
        vector[axis + 1] = radius * libm::sin(angle);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random<const N: usize>(seed: u64, count: u64) -> GradientList<N> {
        GradientList::random(&mut NoiseRng::new(seed, 0), count)
    }

    #[test]
    fn vectors_have_unit_length_and_spread_over_the_circle() {
        for seed in 0..8 {
            let mut octants = [0; 8];
            for &[x, y] in random::<2>(seed, 256).as_slice() {
                // Cosine and sine are each off by one rounding, 1.1e-16 at most.
                assert!((x.hypot(y) - 1.0).abs() < 1e-15);
                octants[((y.atan2(x) + TAU) / TAU * 8.0) as usize % 8] += 1;
            }
            // 256 uniform angles put 32 +- 5.3 into an octant; fewer than 10 is over four sigma off.
            assert!(octants.iter().all(|&n| n >= 10), "seed {seed}: {octants:?}");
        }
    }

    /// The part of the sphere of `N` dimensions where a component is at most `t`, by formulas for each dimension.
    fn part_below<const N: usize>(t: f64) -> f64 {
        match N {
            1 => {
                if t < -1.0 {
                    0.0
                } else if t < 1.0 {
                    0.5
                } else {
                    1.0
                }
            }
            2 => 1.0 - t.acos() / std::f64::consts::PI,
            // Archimedes: zones of equal height have equal areas.
            3 => (t + 1.0) / 2.0,
            4 => 1.0 - (t.acos() - t * (1.0 - t * t).sqrt()) / std::f64::consts::PI,
            _ => panic!("{N} dimensions"),
        }
    }

    #[test]
    fn directions_are_uniform_on_the_sphere_of_every_dimension() {
        fn check<const N: usize>() {
            const COUNT: u64 = 20_000;
            let list = random::<N>(3, COUNT);
            // A uniform direction looks the same along every unit vector: axes and some that are oblique.
            let oblique = random::<N>(4, 3);
            let axes = (0..N).map(|axis| std::array::from_fn(|i| f64::from(u8::from(i == axis))));
            for view in axes.chain(oblique.as_slice().iter().copied()) {
                let along = |vector: &[f64; N]| (0..N).map(|i| vector[i] * view[i]).sum::<f64>();
                for step in -9..=9 {
                    let t = f64::from(step) / 10.0;
                    let found =
                        list.as_slice().iter().filter(|vector| along(vector) <= t).count() as f64 / COUNT as f64;
                    // Four sigma of 20 000 draws are 0.0142 at most.
                    let expected = part_below::<N>(t);
                    assert!(
                        (found - expected).abs() < 0.0142,
                        "{N} dimensions, {view:?}, {t}: {found}, not {expected}"
                    );
                }
            }
            for vector in list.as_slice() {
                let length = vector.iter().map(|c| c * c).sum::<f64>().sqrt();
                // A handful of roundings of numbers up to 1.
                assert!((length - 1.0).abs() < 1e-15, "{vector:?}");
            }
        }
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
    }
}
