//! The picture of a preset.

use crate::picture::{Picture, gray};
use bevy_perlin_terrain::noise::{FixedCoord, Noise, NoisePreset, NoiseScratch, SampleGrid, TICKS_PER_UNIT};

/// Rows that are computed at once, so that a large picture needs little more memory than its pixels.
const BAND: u32 = 32;

/// A picture of a preset that can be drawn.
#[derive(Clone, Copy, Debug)]
pub struct PresetMap {
    /// Which noise.
    pub preset: &'static NoisePreset,
    /// Which of them.
    pub seed: u64,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Pixels along a cell of the first octave; as many as the preset has units if none are given.
    pub scale: Option<f64>,
}

impl PresetMap {
    /// Samples the noise at every pixel, one unit apart.
    ///
    /// Shades are `255 (v + 1) / 2`, rounded and clamped, where `v` is a value divided by the height scale, as published.
    /// (The source of the diagonals cuts off the fraction instead, which is one shade less at most.)
    pub fn draw(&self) -> Picture {
        let noise = match self.scale {
            Some(scale) => self.preset.noise_with_cells_of(scale, self.seed),
            None => self.preset.noise(self.seed),
        };
        let whole = self.preset.settings().height_scale;
        let [width, height] = self.size;
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        values(&noise, self.size, |band| pixels.extend(band.iter().map(|&value| gray(f64::from(value) / whole))));
        Picture { width, height, pixels }
    }
}

/// Hands the values of `noise` at every pixel to `take`, some rows at a time, from the top.
pub fn values(noise: &Noise, [width, height]: [u32; 2], mut take: impl FnMut(&[f32])) {
    let (mut scratch, mut band) = (NoiseScratch::default(), Vec::new());
    for first in (0..height).step_by(BAND as usize) {
        let grid = SampleGrid {
            origin: [FixedCoord::from_ticks(0), FixedCoord::from_ticks(i64::from(first) * TICKS_PER_UNIT)],
            step_ticks: TICKS_PER_UNIT,
            size: [width as usize, BAND.min(height - first) as usize],
        };
        band.resize(grid.size[0] * grid.size[1], 0.0);
        noise.fill(&grid, &mut scratch, &mut band);
        take(&band);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::parse;

    fn map(name: &str, size: [u32; 2], scale: Option<f64>) -> Picture {
        PresetMap { preset: NoisePreset::find(name).unwrap(), seed: 42, size, scale }.draw()
    }

    #[test]
    fn every_pixel_is_a_unit_and_bands_meet() {
        for name in ["ridged", "warped"] {
            let noise = NoisePreset::find(name).unwrap().noise(42);
            let picture = map(name, [50, 70], None);
            assert_eq!(picture.pixels.len(), 3500);
            for (x, y) in [(0, 0), (49, 31), (3, 32), (20, 69)] {
                let expected = gray(f64::from(noise.value(f64::from(x), f64::from(y))));
                assert_eq!(picture.pixels[(y * 50 + x) as usize], expected, "{name} at {x}, {y}");
            }
        }
    }

    #[test]
    fn one_octave_is_the_picture_that_four_numbers_draw() {
        let line = ["noise_map", "1000", "1000", "20", "42"];
        let published = Picture::draw(&parse(line.map(Into::into)).unwrap());
        let ours = map("one_octave", [1000, 1000], None);
        let apart = published.pixels.iter().zip(&ours.pixels).map(|(a, b)| a.abs_diff(*b));
        // Double and single precision, rounded to shades.
        assert!(apart.max().unwrap() <= 1);
    }

    #[test]
    fn values_are_divided_by_the_size() {
        let noise = NoisePreset::find("table").unwrap().noise(42);
        let picture = map("table", [40, 40], None);
        assert_eq!(picture.pixels[41], gray(f64::from(noise.value(1.0, 1.0)) / 100.0));
        let [least, most] = [picture.pixels.iter().min().unwrap(), picture.pixels.iter().max().unwrap()];
        assert!(*least > 30 && *most < 225 && most - least > 20, "{least} to {most}");
    }

    #[test]
    fn a_scale_is_the_side_of_a_cell_in_pixels() {
        let picture = map("perlin_2002", [64, 64], Some(16.0));
        for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x * 16, y * 16))) {
            assert_eq!(picture.pixels[y * 64 + x], 128, "at {x}, {y}: noise is zero on a node");
        }
        assert_ne!(picture, map("perlin_2002", [64, 64], None));
    }
}
