//! Values of a noise at the pixels of an image.

use crate::source::{Source, common_height};
use perlin_terrain::noise::{AnyLattice, FixedCoord, Lattice, Noise, NoiseScratch, SampleGrid, TICKS_PER_UNIT};
use std::io;

/// Columns that are computed at once, so that the memory for a row does not grow with the number of octaves.
const COLUMNS: usize = 4096;

/// Values in a band of rows, about: 1 MiB.
const BAND: usize = 1 << 18;

/// A noise that is sampled at every pixel, one unit apart.
pub struct Sampler {
    field: Field,
    /// Values are multiplied by this.
    scale: f32,
}

/// The sampled noise.
enum Field {
    Plane(Box<Blocks<2>>),
    /// Cut at this z.
    Space(Box<Blocks<3>>, f64),
}

/// A noise that is computed some columns at a time.
struct Blocks<const N: usize> {
    noise: Noise<N>,
    scratch: NoiseScratch,
    /// The values of some columns.
    block: Vec<f32>,
}

impl Sampler {
    /// Samples the noise in the plane, or its slice at `slice` in space. Values are divided by the magnitude of the height scale,
    /// so they lie in about -1 to 1. A height scale of 0 counts as 1.
    pub fn new(source: &Source, slice: Option<f64>) -> Self {
        let field = match slice {
            None => Field::Plane(Box::new(Blocks::new(source.noise()))),
            Some(z) => Field::Space(Box::new(Blocks::new(source.noise_in_space())), z),
        };
        Self { field, scale: 1.0 }.in_units_of(common_height([source]))
    }

    /// Divides values by `height` instead.
    pub fn in_units_of(self, height: f64) -> Self {
        Self { scale: (1.0 / height) as f32, ..self }
    }

    /// Moves a slice of space to `z`.
    pub fn move_to(&mut self, z: f64) {
        if let Field::Space(_, slice) = &mut self.field {
            *slice = z;
        }
    }

    /// Writes the values of `columns` by `rows` pixels, the first of which lies at `origin`, row by row.
    pub fn fill(&mut self, [x, y]: [f64; 2], columns: usize, rows: usize, values: &mut Vec<f32>) {
        values.resize(columns * rows, 0.0);
        match &mut self.field {
            Field::Plane(plane) => plane.fill([x, y], [columns, rows], values),
            Field::Space(space, z) => space.fill([x, y, *z], [columns, rows, 1], values),
        }
        for value in values {
            *value *= self.scale;
        }
    }

    /// `range`, widened by the values of an image of `size` at `origin`. Calls `before` with the rows of each band.
    pub fn widen(
        &mut self,
        range: [f32; 2],
        [x, y]: [f64; 2],
        size: [u32; 2],
        mut before: impl FnMut(u32) -> io::Result<()>,
    ) -> io::Result<[f32; 2]> {
        let (mut range, mut values) = (range, Vec::new());
        for (first, rows) in bands(size) {
            before(rows)?;
            self.fill([x, y + f64::from(first)], size[0] as usize, rows as usize, &mut values);
            range = values.iter().fold(range, |[low, high], &value| [low.min(value), high.max(value)]);
        }
        Ok(range)
    }
}

impl<const N: usize> Blocks<N>
where
    AnyLattice<N>: Lattice<N>,
{
    fn new(noise: Noise<N>) -> Self {
        Self { noise, scratch: NoiseScratch::default(), block: Vec::new() }
    }

    /// Writes `size` values from `origin` on, one unit apart, row by row.
    fn fill(&mut self, origin: [f64; N], size: [usize; N], values: &mut [f32]) {
        let columns = size[0];
        for first in (0..columns).step_by(COLUMNS) {
            let width = COLUMNS.min(columns - first);
            let (mut origin, mut size) = (origin, size);
            origin[0] += first as f64;
            size[0] = width;
            let grid = SampleGrid { origin: origin.map(FixedCoord::from), step_ticks: TICKS_PER_UNIT, size };
            self.block.resize(size.iter().product(), 0.0);
            self.noise.fill(&grid, &mut self.scratch, &mut self.block);
            for (from, to) in self.block.chunks_exact(width).zip(values.chunks_exact_mut(columns)) {
                to[first..first + width].copy_from_slice(from);
            }
        }
    }
}

/// The range of no values at all.
pub const EMPTY_RANGE: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// Cuts an image into bands that fit in memory, from the top: the first row of each, and how many rows it has.
pub fn bands([width, height]: [u32; 2]) -> impl Iterator<Item = (u32, u32)> {
    let rows = (BAND / width.max(1) as usize).clamp(1, 256) as u32;
    (0..height).step_by(rows as usize).map(move |first| (first, rows.min(height - first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_terrain::noise::NoisePreset;

    fn source(name: &str) -> Source {
        Source::preset(NoisePreset::find(name).expect("the name of a preset"), 42)
    }

    fn sampler(name: &str) -> (Noise, Sampler) {
        (source(name).noise(), Sampler::new(&source(name), None))
    }

    #[test]
    fn every_pixel_is_a_unit_and_bands_and_blocks_meet() {
        for name in ["ridged", "warped"] {
            let (noise, mut sampler) = sampler(name);
            for size in [[50, 600], [9000, 40]] {
                let (mut band, mut values) = (Vec::new(), Vec::new());
                for (first, rows) in bands(size) {
                    assert_eq!(values.len(), (first * size[0]) as usize);
                    sampler.fill([-7.5, 100.0 + f64::from(first)], size[0] as usize, rows as usize, &mut band);
                    values.extend_from_slice(&band);
                }
                assert_eq!(values.len(), (size[0] * size[1]) as usize);
                for (x, y) in [(0, 0), (49, 31), (3, 32), (20, 39), (size[0] - 1, size[1] - 1), (size[0] / 2, 29)] {
                    let expected = noise.value([f64::from(x) - 7.5, f64::from(y) + 100.0]);
                    assert_eq!(values[(y * size[0] + x) as usize], expected, "{name} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn values_are_divided_by_the_magnitude_of_the_height_scale() {
        let (noise, mut table) = sampler("table");
        let mut values = Vec::new();
        table.fill([1.0, 1.0], 1, 1, &mut values);
        assert!((values[0] - noise.value([1.0, 1.0]) / 100.0).abs() < 1e-6);
        let changed = |height_scale: f64| {
            let mut changed = source("table");
            changed.settings.height_scale = height_scale;
            let mut values = Vec::new();
            Sampler::new(&changed, None).fill([1.0, 1.0], 1, 1, &mut values);
            values[0]
        };
        assert!((values[0] + changed(-1.0)).abs() < 1e-6);
        assert_eq!(changed(0.0), 0.0);
        Sampler::new(&source("table"), None).in_units_of(1.0).fill([1.0, 1.0], 1, 1, &mut values);
        assert_eq!(values, [noise.value([1.0, 1.0])]);
    }

    #[test]
    fn a_slice_is_the_noise_in_space() {
        let noise = source("ridged").noise_in_space();
        let mut sampler = Sampler::new(&source("ridged"), Some(0.0));
        let mut values = Vec::new();
        for z in [0.0, -40.25] {
            sampler.move_to(z);
            sampler.fill([3.5, -2.0], 37, 23, &mut values);
            for (x, y) in [(0, 0), (36, 22), (5, 11)] {
                let expected = noise.value([3.5 + f64::from(x), f64::from(y) - 2.0, z]);
                assert_eq!(values[(y * 37 + x) as usize], expected, "at {x}, {y}, {z}");
            }
        }
    }

    #[test]
    fn bands_are_small_and_cover_every_row_once() {
        for size in [[1, 1], [1, 100_000], [16_777_216, 3], [512, 512], [1000, 257]] {
            let mut next = 0;
            for (first, rows) in bands(size) {
                assert_eq!(first, next);
                assert!(rows == 1 || (rows * size[0]) as usize <= BAND);
                next += rows;
            }
            assert_eq!(next, size[1]);
        }
    }

    #[test]
    fn a_range_has_every_value_in_it_and_an_error_ends_the_search() {
        let (_, mut sampler) = sampler("mixed");
        let mut values = Vec::new();
        sampler.fill([5.0, 5.0], 70, 5000, &mut values);
        let rows = std::cell::Cell::new(0);
        let count = |more| {
            rows.set(rows.get() + more);
            Ok(())
        };
        let [low, high] = sampler.widen(EMPTY_RANGE, [5.0, 5.0], [70, 5000], count).expect("nothing fails");
        assert_eq!(values.iter().copied().min_by(f32::total_cmp), Some(low));
        assert_eq!(values.iter().copied().max_by(f32::total_cmp), Some(high));
        assert_eq!(rows.get(), 5000);
        assert_eq!(sampler.widen([-9.0, 9.0], [5.0; 2], [70, 50], |_| Ok(())).expect("nothing fails"), [-9.0, 9.0]);
        let mut calls = 0;
        let fail = |_| {
            calls += 1;
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(sampler.widen(EMPTY_RANGE, [0.0; 2], [70, 5000], fail).is_err());
        assert_eq!(calls, 1);
    }
}
