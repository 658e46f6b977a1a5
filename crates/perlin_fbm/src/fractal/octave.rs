//! The octaves of a sum, compiled: lattice, position, frequency and amplitude of each.

use crate::fixed_coord::{AxisMap, TickCount};
use crate::perlin::{Blend, blend};
use crate::{Fade, Lattice, NoiseRng, NoiseSettings};

/// One octave of a sum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Octave<L, const N: usize> {
    pub lattice: L,
    /// Maps each axis of the world to the lattice.
    pub axes: [AxisMap; N],
    /// The cells after which it repeats along each axis, at most [`MAX_PERIOD`]. 0 means the period of the lattice.
    pub period: [i64; N],
    /// Cells per unit, as in [`NoiseSettings::octaves`]. The frequency of [`axes`](Self::axes) is divided by the stretch of the axis.
    /// Along an axis with a period, it may differ slightly, so that the period is a whole number of cells.
    pub frequency: f64,
    /// As in [`NoiseSettings::octaves`]: not divided by the sum of amplitudes.
    pub amplitude: f64,
}

impl<L: Lattice<N>, const N: usize> Octave<L, N> {
    /// The octaves of the noise itself.
    ///
    /// With `rng`, octave `i` has the lattice [`octave(i)`](Lattice::octave) and a random offset: `N` numbers of `rng` times 256
    /// cells, octave by octave. Without, all octaves have `lattice`, and no offset.
    pub fn main(lattice: &L, settings: &NoiseSettings, rng: Option<&mut NoiseRng>) -> Vec<Self> {
        compile(lattice, settings, geometric(settings), 1.0, 0.0, rng)
    }

    /// One octave for each frequency and amplitude of `octaves`, all with `lattice` and without an offset. Periods count cells
    /// of the [first octave](NoiseSettings::first_frequency).
    pub fn from_pairs(lattice: &L, settings: &NoiseSettings, octaves: &[(f64, f64)]) -> Vec<Self> {
        let octaves = octaves.iter().map(|&(frequency, amplitude)| OctaveSpec {
            frequency,
            amplitude,
            cells: frequency / settings.first_frequency(),
        });
        compile(lattice, settings, octaves, 1.0, 0.0, None)
    }

    /// The octaves of the domain warp along each axis. Empty without a warp.
    ///
    /// With `rng`, warp `k` has the octaves of the lattice `octave(100 + k)`, and its offsets are the next numbers of `rng`
    /// after those of the noise itself. Without, it has the lattice `octave(100 + k)`, and the offset `17.3 (k + 1)` cells along
    /// every axis, so that the warps differ even over a lattice without a seed.
    pub fn warps(lattice: &L, settings: &NoiseSettings, mut rng: Option<&mut NoiseRng>) -> [Vec<Self>; N] {
        let mut warps = [const { Vec::new() }; N];
        if let Some(warp) = settings.warp_noise() {
            // Cells of the warp per cell of the noise, so that both repeat together.
            let period_factor = settings.warp_frequency / settings.first_frequency();
            for (octaves, axis) in warps.iter_mut().zip(0..) {
                let start = 17.3 * f64::from(axis + 1);
                let lattice = lattice.octave(100 + axis);
                *octaves = compile(&lattice, &warp, geometric(&warp), period_factor, start, rng.as_deref_mut());
            }
        }
        warps
    }

    /// The octave at `p`, with derivatives per cell.
    #[inline]
    pub fn at<T: Blend<N>>(&self, fade: Fade, p: [TickCount; N]) -> T {
        let (mut sides, mut fraction) = ([[0; 2]; N], [0.0; N]);
        for axis in 0..N {
            let (near, t) = self.axes[axis].position_of(p[axis]).split_f64();
            sides[axis] = [near, near.wrapping_add(1)].map(|node| self.wrapped_along(axis, node));
            fraction[axis] = t;
        }
        blend(fade, fraction, &self.lattice.corners(sides))
    }

    /// The node of the first period that repeats at `node`.
    pub fn wrapped(&self, node: [i64; N]) -> [i64; N] {
        std::array::from_fn(|axis| self.wrapped_along(axis, node[axis]))
    }

    #[inline]
    fn wrapped_along(&self, axis: usize, node: i64) -> i64 {
        match self.period[axis] {
            0 => node,
            period => node.rem_euclid(period),
        }
    }

    /// Cells per unit along each axis, exactly as the octave moves.
    #[inline]
    pub fn frequencies(&self) -> [f64; N] {
        self.axes.map(|map| map.frequency())
    }
}

/// The longest period of an octave, in cells. A sum within its limits can ask for up to 1024 * 4^31, beyond the cells that
/// there are.
const MAX_PERIOD: i64 = 1 << 62;

/// Frequency and amplitude of an octave, before it gets a lattice.
struct OctaveSpec {
    frequency: f64,
    amplitude: f64,
    /// Cells of the octave per cell of [`NoiseSettings::frequency`].
    cells: f64,
}

/// The geometric series of octaves that `settings` describe.
fn geometric(settings: &NoiseSettings) -> impl Iterator<Item = OctaveSpec> {
    let (mut next, lacunarity) = (1.0, settings.lacunarity);
    settings.octaves().map(move |(frequency, amplitude)| {
        let cells = next;
        next *= lacunarity;
        OctaveSpec { frequency, amplitude, cells }
    })
}

/// Compiles `octaves`: adds lattice, offset and period to each. Periods have `period_factor` times the cells of `settings`.
/// `start` is the offset in cells if there is no `rng`.
fn compile<L: Lattice<N>, const N: usize>(
    lattice: &L,
    settings: &NoiseSettings,
    octaves: impl Iterator<Item = OctaveSpec>,
    period_factor: f64,
    start: f64,
    mut rng: Option<&mut NoiseRng>,
) -> Vec<Octave<L, N>> {
    let along = settings.periods().map(|period| f64::from(period) * period_factor);
    let periods: [f64; N] = std::array::from_fn(|axis| along[axis]);
    let stretches = settings.stretches();
    let octaves = octaves.zip(0..).map(|(OctaveSpec { frequency, amplitude, cells }, index)| {
        let period = periods.map(|period| {
            let cells = (period * cells).round() as i64;
            if period > 0.0 && cells <= MAX_PERIOD { cells.max(1) } else { 0 }
        });
        let map = |axis: usize, offset: f64| match period[axis] {
            0 => AxisMap::new(frequency / stretches[axis], offset),
            cells => {
                // A whole number of cells in the length that the period has in units.
                let units = periods[axis] / settings.first_frequency() * stretches[axis];
                AxisMap::new(cells as f64 / units, offset).with_period(units, cells)
            }
        };
        let (lattice, axes) = match rng.as_deref_mut() {
            Some(rng) => (lattice.octave(index), std::array::from_fn(|axis| map(axis, rng.next_unit() * 256.0))),
            None => (lattice.clone(), std::array::from_fn(|axis| map(axis, start))),
        };
        Octave { lattice, axes, period, frequency, amplitude }
    });
    octaves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiagonalGradients, FastHashGradients, TableGradients};

    #[test]
    fn offset_octaves_draw_an_offset_each_and_have_a_lattice_each() {
        let settings = NoiseSettings { octaves: 3, warp_strength: 10.0, warp_octaves: 2, ..Default::default() };
        let lattice = FastHashGradients::new(4);
        let mut rng = NoiseRng::new(1, 0);
        let main = Octave::<_, 2>::main(&lattice, &settings, Some(&mut rng));
        let warps = Octave::<_, 2>::warps(&lattice, &settings, Some(&mut rng));
        assert_eq!((main.len(), warps.each_ref().map(Vec::len)), (3, [2, 2]));
        let mut expected = NoiseRng::new(1, 0);
        let octave_of = |lattice: &FastHashGradients, index| Lattice::<2>::octave(lattice, index);
        let sums = [(lattice, &main), (octave_of(&lattice, 100), &warps[0]), (octave_of(&lattice, 101), &warps[1])];
        for (lattice, octaves) in sums {
            for (index, octave) in (0..).zip(octaves) {
                assert_eq!(octave.lattice, octave_of(&lattice, index));
                let offsets = [expected.next_unit(), expected.next_unit()];
                assert_eq!(octave.axes, offsets.map(|unit| AxisMap::new(octave.frequency, unit * 256.0)));
            }
        }
        assert_eq!(rng.next_u64(), expected.next_u64(), "nothing else is drawn");
    }

    #[test]
    fn octaves_without_offsets_share_lattice_and_origin() {
        let settings = NoiseSettings { octaves: 3, warp_strength: 1.0, ..Default::default() };
        let lattice = TableGradients::new(&mut NoiseRng::new(1, 0));
        let warps = Octave::<_, 2>::warps(&lattice, &settings, None);
        let main = Octave::<_, 2>::main(&lattice, &settings, None);
        for (octaves, start) in [(&main, 0.0), (&warps[0], 17.3), (&warps[1], 34.6)] {
            for octave in octaves {
                assert_eq!((&octave.lattice, octave.axes), (&lattice, [AxisMap::new(octave.frequency, start); 2]));
            }
        }
    }

    #[test]
    fn the_maximum_frequency_leaves_out_octaves_of_the_noise_and_none_of_the_warp() {
        let settings = NoiseSettings {
            frequency: 0.01,
            max_frequency: 0.5,
            octaves: 16,
            warp_strength: 1.0,
            warp_frequency: 0.4,
            warp_octaves: 3,
            ..Default::default()
        };
        let lattice = DiagonalGradients::default();
        assert_eq!(Octave::<_, 2>::main(&lattice, &settings, None).len(), 6);
        assert_eq!(Octave::<_, 2>::warps(&lattice, &settings, None).each_ref().map(Vec::len), [3, 3]);
    }

    #[test]
    fn a_period_of_more_cells_than_there_are_counts_as_none() {
        let settings = NoiseSettings {
            frequency: 1.0,
            lacunarity: 4.0,
            octaves: 32,
            period_x: 1024,
            period_y: 1,
            ..Default::default()
        };
        let octaves = Octave::<_, 2>::main(&DiagonalGradients::default(), &settings, None);
        assert_eq!(octaves[26].period, [1 << 62, 1 << 52]);
        assert_eq!(octaves[27].period, [0, 1 << 54]);
        assert_eq!(octaves[31].period, [0, 1 << 62]);
        for (octave, index) in octaves.iter().zip(0..) {
            assert_eq!(octave.frequencies(), [libm::pow(4.0, f64::from(index)); 2], "octave {index}");
        }
    }

    #[test]
    fn a_period_is_a_whole_number_of_cells_of_every_octave() {
        let settings = NoiseSettings {
            frequency: 0.01,
            lacunarity: 2.03,
            octaves: 4,
            period_x: 6,
            warp_strength: 1.0,
            warp_frequency: 0.0004,
            ..Default::default()
        };
        let lattice = FastHashGradients::new(1);
        let octaves = Octave::<_, 3>::main(&lattice, &settings, None);
        // 6, 12.18, 24.7 and 50.2 cells in 600 units; the other axes have none.
        let periods: Vec<_> = octaves.iter().map(|octave| octave.period).collect();
        assert_eq!(periods, [6, 12, 25, 50].map(|x| [x, 0, 0]));
        for octave in &octaves {
            let [x, y, _] = octave.frequencies();
            // An axis map is exact to half of 2^-64 cells per tick: 2e-14 cells in 600 units.
            assert!((x * 600.0 - octave.period[0] as f64).abs() < 1e-12);
            assert!((y - octave.frequency).abs() < 1e-15);
        }
        // 0.24 and 0.49 cells of the warp in 600 units: at least one.
        for octave in Octave::<_, 3>::warps(&lattice, &settings, None).into_iter().flatten() {
            assert_eq!(octave.period, [1, 0, 0]);
            assert!((octave.frequencies()[0] * 600.0 - 1.0).abs() < 1e-12);
        }
    }
}
