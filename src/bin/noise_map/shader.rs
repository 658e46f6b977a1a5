//! From the values of a noise to the bytes of pixels.

use crate::encode::Pixels;
use crate::ramp::Ramp;
use crate::sampler::Sampler;

/// How values become pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shader {
    /// What the bytes of a pixel are.
    pub pixels: Pixels,
    /// The colors. Without them, gray.
    pub ramp: Option<Ramp>,
    /// The values that become black and white, or the first and the last color.
    pub range: [f32; 2],
    /// Pixels along a cell, for shades of the land.
    pub cell_size: f64,
}

/// The range of values that is drawn from black to white, if nothing is stretched.
pub const WHOLE: [f32; 2] = [-1.0, 1.0];

impl Shader {
    /// Rows above and columns to the left of a picture that its pixels depend on.
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
                        bytes.extend(ramp.color(part(value), slope * 0.35));
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
        // A picture of one value is of middle gray.
        if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
    }
}
