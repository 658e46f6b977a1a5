//! From the values of a noise to the bytes of pixels.

use crate::encode::Pixels;
use crate::ramp::Ramp;
use crate::sampler::Sampler;

/// How values become pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shader {
    /// The meaning of the bytes of a pixel.
    pub pixels: Pixels,
    /// The colors. Without them, gray.
    pub ramp: Option<Ramp>,
    /// The values that become black and white, or the first and the last color.
    pub range: [f32; 2],
    /// Pixels along a cell, for shades of the land.
    pub cell_size: f64,
}

/// The range of values that is drawn from black to white, if nothing is stretched.
pub const FULL_RANGE: [f32; 2] = [-1.0, 1.0];

/// How steep the land looks.
const RELIEF: f32 = 0.35;

impl Shader {
    /// Rows above and columns to the left of an image that its pixels depend on.
    pub fn margin(&self) -> usize {
        usize::from(self.ramp.is_some_and(Ramp::is_shaded))
    }

    /// Draws `columns` by `rows` pixels, the first of which lies at `origin`, onto the end of `bytes`.
    pub fn draw(
        &self,
        sampler: &mut Sampler,
        origin: [f64; 2],
        [columns, rows]: [usize; 2],
        values: &mut Vec<f32>,
        bytes: &mut Vec<u8>,
    ) {
        let margin = self.margin();
        let stride = columns + margin;
        sampler.fill(origin.map(|coordinate| coordinate - margin as f64), stride, rows + margin, values);
        bytes.reserve(columns * rows * self.pixels.bytes());
        let part = |value: f32| self.part(value);
        for start in (margin..rows + margin).map(|row| row * stride + margin) {
            let row = &values[start..start + columns];
            match (self.ramp, self.pixels) {
                (Some(ramp), _) if margin > 0 => {
                    let scale = self.cell_size as f32;
                    for (index, &value) in row.iter().enumerate() {
                        let at = start + index;
                        // The light comes from the upper left.
                        let [west, north] = [values[at - 1], values[at - stride]];
                        let slope = (2.0 * part(value) - part(west) - part(north)) * scale;
                        bytes.extend(ramp.color(part(value), slope * RELIEF));
                    }
                }
                (Some(ramp), _) => bytes.extend(row.iter().flat_map(|&value| ramp.color(part(value), 0.0))),
                (None, Pixels::Gray8) => bytes.extend(row.iter().map(|&value| (part(value) * 255.0).round() as u8)),
                (None, Pixels::Gray16) => {
                    bytes.extend(row.iter().flat_map(|&value| ((part(value) * 65535.0).round() as u16).to_be_bytes()));
                }
                (None, Pixels::Rgb8) => {
                    bytes.extend(row.iter().flat_map(|&value| [(part(value) * 255.0).round() as u8; 3]));
                }
                (None, Pixels::Float) => bytes.extend(row.iter().flat_map(|&value| value.to_le_bytes())),
            }
        }
    }

    /// Where `value` lies in the range, from 0 to 1.
    fn part(&self, value: f32) -> f32 {
        let [low, high] = self.range;
        // An image of one value is of middle gray.
        if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use perlin_terrain::noise::NoisePreset;

    fn sampler() -> Sampler {
        Sampler::new(&Source::preset(NoisePreset::find("mixed").expect("a preset"), 42), None)
    }

    fn draw(pixels: Pixels, ramp: Option<Ramp>, range: [f32; 2]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let shader = Shader { pixels, ramp, range, cell_size: 128.0 };
        shader.draw(&mut sampler(), [3.0, -5.0], [40, 30], &mut Vec::new(), &mut bytes);
        bytes
    }

    #[test]
    fn land_is_shaded_by_the_pixels_above_and_to_the_left() {
        let drawn = draw(Pixels::Rgb8, Some(Ramp::Land), FULL_RANGE);
        let at = |x: f64, y: f64| {
            let mut values = Vec::new();
            sampler().fill([x + 3.0, y - 5.0], 1, 1, &mut values);
            (values[0] + 1.0) / 2.0
        };
        for (x, y) in [(0, 0), (39, 0), (0, 29), (17, 11)] {
            let [here, west, north] =
                [(0.0, 0.0), (-1.0, 0.0), (0.0, -1.0)].map(|(dx, dy)| at(f64::from(x) + dx, f64::from(y) + dy));
            let slope = (here - west + here - north) * 128.0 * RELIEF;
            let expected = Ramp::Land.color(here, slope);
            let found = &drawn[(y * 40 + x) as usize * 3..][..3];
            // A slope is a difference of rounded values, times 128.
            assert!(
                found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1),
                "at {x}, {y}: {found:?}, not {expected:?}"
            );
        }
    }

    #[test]
    fn gray_is_the_same_in_one_byte_in_three_and_in_two() {
        let gray = draw(Pixels::Gray8, None, [-0.5, 0.5]);
        assert!(
            gray.iter().zip(draw(Pixels::Rgb8, None, [-0.5, 0.5]).chunks(3)).all(|(shade, rgb)| [*shade; 3] == rgb)
        );
        let fine = draw(Pixels::Gray16, None, [-0.5, 0.5]);
        for (shade, fine) in gray.iter().zip(fine.chunks(2)) {
            let fine = f32::from(u16::from_be_bytes([fine[0], fine[1]]));
            assert!((fine / 257.0 - f32::from(*shade)).abs() <= 0.51);
        }
        assert_eq!(draw(Pixels::Gray8, None, [0.25, 0.25]), [128; 1200], "a range of one value is middle gray");
    }
}
