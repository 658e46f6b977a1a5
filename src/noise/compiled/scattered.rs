//! Noise at any places, many at once.

use super::{Noise, Sum};
use crate::noise::kernel::{self, BLOCK, Output, Scatter};
use crate::noise::{FixedCoord, SimdLevel};

impl Noise {
    /// Writes the noise at each of `places`, as x and y, into `values`: the same bits as [`value_at`](Self::value_at), several
    /// times as fast. Allocates nothing.
    ///
    /// Use it for places that are not on a grid. Give it many at once: they are evaluated in blocks of 128. It is fastest if the
    /// places of a block lie within 2 * 10^6 units, without a period, and with another lattice than `Grid`.
    ///
    /// # Panics
    ///
    /// If `values` does not have one element for each of `places`.
    ///
    /// ```
    /// use bevy_perlin_terrain::noise::{FixedCoord, Noise, NoiseSettings};
    ///
    /// let noise = Noise::seeded(&NoiseSettings::unit(), 42, 0);
    /// let places = [[0.5, 7.25], [1e6, -3.0], [12.0, 99.9]].map(|place: [f64; 2]| place.map(FixedCoord::from));
    /// let mut values = [0.0; 3];
    /// noise.values_at(&places, &mut values);
    /// assert_eq!(values[1], noise.value(1e6, -3.0));
    /// ```
    pub fn values_at(&self, places: &[[FixedCoord; 2]], values: &mut [f32]) {
        self.values_at_with(SimdLevel::fastest(), places, values);
    }

    /// Like [`values_at`](Self::values_at), with the instruction set `level`. Falls back to plain Rust if the machine lacks it.
    /// The bits are the same.
    ///
    /// # Panics
    ///
    /// If `values` does not have one element for each of `places`.
    pub fn values_at_with(&self, level: SimdLevel, places: &[[FixedCoord; 2]], values: &mut [f32]) {
        self.scatter(level, places, values, true);
    }

    /// Adds the noise at each of `places` to `values`. See [`values_at`](Self::values_at).
    ///
    /// # Panics
    ///
    /// If `values` does not have one element for each of `places`.
    pub fn add_values_at(&self, places: &[[FixedCoord; 2]], values: &mut [f32]) {
        self.scatter(SimdLevel::fastest(), places, values, false);
    }

    fn scatter(&self, level: SimdLevel, places: &[[FixedCoord; 2]], values: &mut [f32], replace: bool) {
        assert_eq!(places.len(), values.len(), "one value for each place");
        let Some([x, y]) = &self.warps else {
            self.sum.scatter(level, self.output, places, values, replace);
            return;
        };
        let mut displacements = [[0.0; BLOCK]; 2];
        for (places, values) in places.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            let [along_x, along_y] = displacements.each_mut().map(|along| &mut along[..places.len()]);
            x.sum.scatter(level, x.output, places, along_x, true);
            y.sum.scatter(level, y.output, places, along_y, true);
            self.write_moved(level, places.iter().copied(), [along_x, along_y], values, replace);
        }
    }

    /// Writes or adds the sum at each of `places`, moved by these units along x and y.
    pub(super) fn write_moved(
        &self,
        level: SimdLevel,
        mut places: impl Iterator<Item = [FixedCoord; 2]>,
        [along_x, along_y]: [&[f32]; 2],
        values: &mut [f32],
        replace: bool,
    ) {
        let mut moved = [[FixedCoord::default(); 2]; BLOCK];
        let blocks = along_x.chunks(BLOCK).zip(along_y.chunks(BLOCK));
        for ((along_x, along_y), values) in blocks.zip(values.chunks_mut(BLOCK)) {
            let moved = &mut moved[..values.len()];
            let displacements = along_x.iter().zip(along_y);
            for ((to, [x, y]), (&dx, &dy)) in moved.iter_mut().zip(&mut places).zip(displacements) {
                *to = [x.moved(dx), y.moved(dy)];
            }
            self.sum.scatter(level, self.output, moved, values, replace);
        }
    }
}

impl Sum {
    fn scatter(&self, level: SimdLevel, output: Output, places: &[[FixedCoord; 2]], values: &mut [f32], replace: bool) {
        if cfg!(target_arch = "wasm32") {
            // Twice as slow there, for 26 kB less to download.
            for (&place, value) in places.iter().zip(values) {
                let noise = self.value_at(output, place);
                *value = if replace { noise } else { *value + noise };
            }
            return;
        }
        let scatter = Scatter { octaves: &self.octaves, fade: self.fade, output, places, values, replace };
        kernel::scatter(level, self.shape, scatter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Fade, FractalShape, LatticeKind, NoiseRng, NoiseSettings, OctaveSum, PermutationKind};
    use crate::param::Choice;

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
    fn random_places(rng: &mut NoiseRng, count: usize) -> Vec<[FixedCoord; 2]> {
        let is_wide = rng.next_u32().is_multiple_of(8);
        let mut center = || [0.0, 1e3, -1e7, 1e9, -1e9][rng.next_u32() as usize % 5];
        let center = [center(), center()];
        let mut coordinate = |center: f64| match rng.next_u32() % 4 {
            0 => FixedCoord::from((center + rng.next_in(-500.0, 500.0)).floor()),
            1 => FixedCoord { ticks: (center * 1024.0) as i64 - 3, fraction: 1.0 - f64::EPSILON / 2.0 },
            2 if is_wide => FixedCoord::from(rng.next_in(-4e9, 4e9)),
            _ => FixedCoord::from(center + rng.next_in(-500.0, 500.0)),
        };
        (0..count).map(|_| center.map(&mut coordinate)).collect()
    }

    #[test]
    fn every_level_gives_the_bits_of_single_places() {
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
                let places = random_places(&mut rng, count);
                let expected: Vec<u32> = places.iter().map(|&place| noise.value_at(place).to_bits()).collect();
                for level in SimdLevel::ALL {
                    let mut values = vec![f32::NAN; count];
                    noise.values_at_with(level, &places, &mut values);
                    let values: Vec<u32> = values.into_iter().map(f32::to_bits).collect();
                    assert_eq!(values, expected, "{level:?}, {count} places, {settings:?}");
                }
            }
        }
    }

    #[test]
    fn any_count_of_places_is_evaluated_and_added() {
        let mut rng = NoiseRng::new(12, 0);
        let noise = Noise::seeded(&NoiseSettings { warp_strength: 30.0, ..NoiseSettings::default() }, 42, 0);
        for count in 0..=40 {
            let places = random_places(&mut rng, count);
            let mut values = vec![2.5; count];
            noise.add_values_at(&places, &mut values);
            assert!(values.iter().zip(&places).all(|(&value, &place)| value == 2.5 + noise.value_at(place)), "{count}");
            for level in SimdLevel::ALL {
                noise.values_at_with(level, &places, &mut values);
                assert!(values.iter().zip(&places).all(|(&value, &place)| value == noise.value_at(place)), "{count}");
            }
        }
    }

    #[test]
    fn coordinates_out_of_their_limits_give_the_bits_of_single_places() {
        let noise = Noise::seeded(&NoiseSettings::default(), 42, 0);
        let odd = [(i64::MIN, 0.5), (i64::MAX, 0.0), (7, f64::NAN), (7, -1.0), (7, 1.5), (-7, f64::MIN_POSITIVE)];
        let places = odd.map(|(ticks, fraction)| [FixedCoord { ticks, fraction }, FixedCoord::from(3.7)]);
        for part in [&places[..1], &places[..], &places[2..], &places[5..]] {
            let mut values = vec![f32::NAN; part.len()];
            noise.values_at(part, &mut values);
            let expected: Vec<f32> = part.iter().map(|&place| noise.value_at(place)).collect();
            assert_eq!(values, expected);
        }
    }
}
