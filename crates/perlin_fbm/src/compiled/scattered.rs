//! Noise at any positions, many at once.

use super::{Noise, Sum};
use crate::kernel::{self, BLOCK, Output, Scatter};
use crate::rotation::Rotation;
use crate::{AnyLattice, FixedCoord, Lattice, SimdLevel};

impl<const N: usize> Noise<N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// Writes the noise at each of `positions` into `values`: the same bits as [`value_at`](Self::value_at), several
    /// times as fast. Allocates nothing.
    ///
    /// Use it for positions that are not on a grid. Give it many at once: they are evaluated in blocks of 128. It is fastest if the
    /// positions of a block lie within 2 * 10^6 units, without a period, and with another lattice than `Grid`.
    ///
    /// # Panics
    ///
    /// If `values` does not have one element for each of `positions`.
    ///
    /// ```
    /// use perlin_fbm::{FixedCoord, Noise, NoiseSettings};
    ///
    /// let noise = Noise::seeded(&NoiseSettings::unit(), 42, 0);
    /// let positions = [[0.5, 7.25], [1e6, -3.0], [12.0, 99.9]].map(|position: [f64; 2]| position.map(FixedCoord::from));
    /// let mut values = [0.0; 3];
    /// noise.values_at(&positions, &mut values);
    /// assert_eq!(values[1], noise.value([1e6, -3.0]));
    /// ```
    pub fn values_at(&self, positions: &[[FixedCoord; N]], values: &mut [f32]) {
        self.values_at_with(SimdLevel::fastest(), positions, values);
    }

    /// Like [`values_at`](Self::values_at), with the instruction set `level`. Falls back to plain Rust if the machine lacks it.
    /// The bits are the same.
    ///
    /// # Panics
    ///
    /// If `values` does not have one element for each of `positions`.
    pub fn values_at_with(&self, level: SimdLevel, positions: &[[FixedCoord; N]], values: &mut [f32]) {
        self.scatter(level, positions, values, true);
    }

    /// Adds the noise at each of `positions` to `values`. See [`values_at`](Self::values_at).
    ///
    /// # Panics
    ///
    /// If `values` does not have one element for each of `positions`.
    pub fn add_values_at(&self, positions: &[[FixedCoord; N]], values: &mut [f32]) {
        self.scatter(SimdLevel::fastest(), positions, values, false);
    }

    fn scatter(&self, level: SimdLevel, positions: &[[FixedCoord; N]], values: &mut [f32], replace: bool) {
        assert_eq!(positions.len(), values.len(), "one value for each position");
        match self.fractal.rotation() {
            Some(rotation) => self.scatter_rotated(level, rotation, positions.iter().copied(), values, replace),
            None => self.scatter_unrotated(level, positions, values, replace),
        }
    }

    /// Writes or adds the noise at positions of the world.
    pub(super) fn scatter_rotated(
        &self,
        level: SimdLevel,
        rotation: &Rotation,
        mut positions: impl Iterator<Item = [FixedCoord; N]>,
        values: &mut [f32],
        replace: bool,
    ) {
        let mut rotated = [[FixedCoord::default(); N]; BLOCK];
        for values in values.chunks_mut(BLOCK) {
            let rotated = &mut rotated[..values.len()];
            for (to, position) in rotated.iter_mut().zip(&mut positions) {
                *to = rotation.coord(position);
            }
            self.scatter_unrotated(level, rotated, values, replace);
        }
    }

    /// Writes or adds the noise at positions of the noise.
    fn scatter_unrotated(&self, level: SimdLevel, positions: &[[FixedCoord; N]], values: &mut [f32], replace: bool) {
        let Some(warps) = &self.warps else {
            self.sum.scatter(level, self.output, positions, values, replace);
            return;
        };
        let mut displacements = [[0.0; BLOCK]; N];
        for (positions, values) in positions.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            for (warp, along) in warps.iter().zip(&mut displacements) {
                warp.sum.scatter(level, warp.output, positions, &mut along[..positions.len()], true);
            }
            let along = displacements.each_ref().map(|along| &along[..positions.len()]);
            self.write_moved(level, positions.iter().copied(), along, values, replace);
        }
    }

    /// Writes or adds the sum at each of `positions`, moved by these units along each axis.
    pub(super) fn write_moved(
        &self,
        level: SimdLevel,
        mut positions: impl Iterator<Item = [FixedCoord; N]>,
        along: [&[f32]; N],
        values: &mut [f32],
        replace: bool,
    ) {
        let mut moved = [[FixedCoord::default(); N]; BLOCK];
        for (block, values) in values.chunks_mut(BLOCK).enumerate() {
            let moved = &mut moved[..values.len()];
            for (to, position) in moved.iter_mut().zip(&mut positions) {
                *to = position;
            }
            for (axis, along) in along.iter().enumerate() {
                for (to, &units) in moved.iter_mut().zip(&along[BLOCK * block..]) {
                    to[axis] = to[axis].moved(units);
                }
            }
            self.sum.scatter(level, self.output, moved, values, replace);
        }
    }
}

impl<const N: usize> Sum<N>
where
    AnyLattice<N>: Lattice<N>,
{
    fn scatter(
        &self,
        level: SimdLevel,
        output: Output,
        positions: &[[FixedCoord; N]],
        values: &mut [f32],
        replace: bool,
    ) {
        if cfg!(target_arch = "wasm32") {
            // Twice as slow there, for 26 kB less to download.
            for (&position, value) in positions.iter().zip(values) {
                let noise = self.value_at(output, position);
                *value = if replace { noise } else { *value + noise };
            }
            return;
        }
        let scatter = Scatter { octaves: &self.octaves, fade: self.fade, output, positions, values, replace };
        kernel::scatter(level, self.shape, scatter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;
    use crate::{Fade, FractalShape, LatticeKind, NoiseRng, NoiseSettings, OctaveSum, PermutationKind};

    fn choose<T: Choice + Default>(rng: &mut NoiseRng) -> T {
        let mut choice = T::default();
        choice.choose(rng.next_u32() as usize % choice.alternatives().len());
        choice
    }

    fn random_settings(rng: &mut NoiseRng, lattice: LatticeKind, shape: FractalShape) -> NoiseSettings {
        let mut one_in = |n| rng.next_u32().is_multiple_of(n);
        let (is_periodic, is_fine, is_warped, is_offset) = (one_in(4), one_in(8), one_in(3), one_in(2));
        let (is_dyadic, is_linear) = (one_in(2), one_in(2));
        NoiseSettings {
            lattice,
            shape,
            permutation: choose::<PermutationKind>(rng),
            fade: choose::<Fade>(rng),
            sum: choose::<OctaveSum>(rng),
            period_x: if is_periodic { 5 } else { 0 },
            octaves: rng.next_u32() % 6,
            // Octaves with more than a quarter of a cell in a tick, too.
            frequency: if is_fine { 1000.0 } else { rng.next_in(0.001, 0.5) },
            lacunarity: if is_dyadic { 2.0 } else { rng.next_in(1.5, 3.0) },
            exponent: if is_linear { 1.0 } else { 1.7 },
            warp_strength: if is_warped { 30.0 } else { 0.0 },
            offset_octaves: is_offset,
            ..NoiseSettings::default()
        }
    }

    /// On nodes, off them, and between ticks; near one another, except in one batch of eight.
    fn random_positions<const N: usize>(rng: &mut NoiseRng, count: usize) -> Vec<[FixedCoord; N]> {
        let is_wide = rng.next_u32().is_multiple_of(8);
        let mut center = || [0.0, 1e3, -1e7, 1e9, -1e9][rng.next_u32() as usize % 5];
        let center = [0; N].map(|_| center());
        let mut coordinate = |center: f64| match rng.next_u32() % 4 {
            0 => FixedCoord::from((center + rng.next_in(-500.0, 500.0)).floor()),
            1 => FixedCoord { ticks: (center * 1024.0) as i64 - 3, fraction: 1.0 - f64::EPSILON / 2.0 },
            2 if is_wide => FixedCoord::from(rng.next_in(-4e9, 4e9)),
            _ => FixedCoord::from(center + rng.next_in(-500.0, 500.0)),
        };
        (0..count).map(|_| center.map(&mut coordinate)).collect()
    }

    #[test]
    fn every_level_gives_the_bits_of_single_positions() {
        let mut rng = NoiseRng::new(11, 0);
        let (lattices, shapes) =
            (LatticeKind::default().alternatives().len(), FractalShape::default().alternatives().len());
        for case in 0..lattices * shapes * 4 {
            let (mut lattice, mut shape) = (LatticeKind::default(), FractalShape::default());
            lattice.choose(case % lattices);
            shape.choose(case / lattices % shapes);
            let settings = random_settings(&mut rng, lattice, shape);
            let noise = Noise::seeded(&settings, rng.next_u64(), 0);
            // Parts of vectors, and of blocks.
            for count in [case % 41, BLOCK + case % 17] {
                let positions = random_positions::<2>(&mut rng, count);
                let expected: Vec<u32> = positions.iter().map(|&position| noise.value_at(position).to_bits()).collect();
                for level in SimdLevel::ALL {
                    let mut values = vec![f32::NAN; count];
                    noise.values_at_with(level, &positions, &mut values);
                    let values: Vec<u32> = values.into_iter().map(f32::to_bits).collect();
                    assert_eq!(values, expected, "{level:?}, {count} positions, {settings:?}");
                }
            }
        }
    }

    #[test]
    fn every_level_gives_the_bits_of_one_lane_at_a_single_position() {
        fn check<const N: usize>(rng: &mut NoiseRng, settings: &NoiseSettings)
        where
            AnyLattice<N>: Lattice<N>,
        {
            // More octaves than any vector has lanes, too.
            let settings = NoiseSettings { octaves: rng.next_u32() % 20, warp_strength: 0.0, ..settings.clone() };
            let noise = Noise::<N>::seeded(&settings, rng.next_u64(), 0);
            for position in random_positions::<N>(rng, 10) {
                let value = |level| noise.sum.value_at_with(level, noise.output, position).to_bits();
                let gradient = |level| {
                    let (value, gradient) = noise.fast_gradient(level, position);
                    (value.to_bits(), gradient.map(f32::to_bits))
                };
                for level in SimdLevel::ALL {
                    assert_eq!(value(level), value(SimdLevel::Scalar), "{level:?}, {N} dimensions, {settings:?}");
                    if settings.shape != FractalShape::Damped {
                        let expected = gradient(SimdLevel::Scalar);
                        assert_eq!(gradient(level), expected, "{level:?}, {N} dimensions, {settings:?}");
                    }
                }
            }
        }
        let mut rng = NoiseRng::new(13, 0);
        let (lattices, shapes) =
            (LatticeKind::default().alternatives().len(), FractalShape::default().alternatives().len());
        for case in 0..lattices * shapes * 4 {
            let (mut lattice, mut shape) = (LatticeKind::default(), FractalShape::default());
            lattice.choose(case % lattices);
            shape.choose(case / lattices % shapes);
            let settings = random_settings(&mut rng, lattice, shape);
            check::<1>(&mut rng, &settings);
            check::<2>(&mut rng, &settings);
            check::<3>(&mut rng, &settings);
            check::<4>(&mut rng, &settings);
        }
    }

    #[test]
    fn octaves_with_and_without_a_period_share_a_vector() {
        // The first octave would repeat after more cells than there are, so it has no period.
        let settings = NoiseSettings { frequency: 1e-6, period_x: 1000, ..NoiseSettings::default() };
        let pairs = [(1e12, 1.0), (0.001, 1.0), (0.002, 1.0), (0.003, 1.0), (0.004, 1.0)];
        let noise = Noise::<2>::from_octaves(crate::FastHashGradients::new(3), &pairs, &settings);
        let periods = [0, 1].map(|index| noise.fractal().octaves()[index].period[0]);
        assert_eq!(periods, [0, 1_000_000]);
        // Beyond the first period.
        for x in [1e9 + 0.5, -3e9 + 700.25] {
            let position = [x, 3.5].map(FixedCoord::from);
            let [one, many] = [SimdLevel::Scalar, SimdLevel::fastest()]
                .map(|level| noise.sum.value_at_with(level, noise.output, position));
            assert_eq!(many, one, "at {x}");
        }
    }

    #[test]
    fn any_count_of_positions_is_evaluated_and_added() {
        let mut rng = NoiseRng::new(12, 0);
        let noise = Noise::seeded(&NoiseSettings { warp_strength: 30.0, ..NoiseSettings::default() }, 42, 0);
        for count in 0..=40 {
            let positions = random_positions::<2>(&mut rng, count);
            let mut values = vec![2.5; count];
            noise.add_values_at(&positions, &mut values);
            assert!(
                values.iter().zip(&positions).all(|(&value, &position)| value == 2.5 + noise.value_at(position)),
                "{count}"
            );
            for level in SimdLevel::ALL {
                noise.values_at_with(level, &positions, &mut values);
                assert!(
                    values.iter().zip(&positions).all(|(&value, &position)| value == noise.value_at(position)),
                    "{count}"
                );
            }
        }
    }

    #[test]
    fn coordinates_out_of_their_limits_give_the_bits_of_single_positions() {
        let noise = Noise::seeded(&NoiseSettings::default(), 42, 0);
        let odd = [(i64::MIN, 0.5), (i64::MAX, 0.0), (7, f64::NAN), (7, -1.0), (7, 1.5), (-7, f64::MIN_POSITIVE)];
        let positions = odd.map(|(ticks, fraction)| [FixedCoord { ticks, fraction }, FixedCoord::from(3.7)]);
        for part in [&positions[..1], &positions[..], &positions[2..], &positions[5..]] {
            let mut values = vec![f32::NAN; part.len()];
            noise.values_at(part, &mut values);
            let expected: Vec<f32> = part.iter().map(|&position| noise.value_at(position)).collect();
            assert_eq!(values, expected);
        }
    }
}
