//! Images as luma: the brightness of the encoded colors, from 0 to 1.

use crate::percentile::percentile;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// An image in shades of gray, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Luma {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<f64>,
}

impl Luma {
    /// Reads a PNG file with 8 bits in a channel.
    pub fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(file)?));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("the image is too large")?];
        let info = reader.next_frame(&mut bytes)?;
        let samples = info.color_type.samples();
        let luma = |pixel: &[u8]| match *pixel {
            // The weights of Rec. 709.
            [red, green, blue, ..] => {
                (0.2126 * f64::from(red) + 0.7152 * f64::from(green) + 0.0722 * f64::from(blue)) / 255.0
            }
            [gray, ..] => f64::from(gray) / 255.0,
            [] => 0.0,
        };
        let pixels = bytes[..info.buffer_size()].chunks_exact(samples).map(luma).collect();
        Ok(Self { width: info.width as usize, height: info.height as usize, pixels })
    }

    /// The luma below which a part of the pixels is.
    pub fn percentile(&self, part: f64) -> f64 {
        percentile(&mut self.pixels.clone(), part).unwrap_or_default()
    }

    /// The part of the pixels that are black or white, within one step of 8 bits.
    pub fn clipped(&self) -> f64 {
        let edge = 1.0 / 255.0;
        let clipped = self.pixels.iter().filter(|luma| **luma <= edge || **luma >= 1.0 - edge).count();
        clipped as f64 / self.pixels.len() as f64
    }

    pub fn at(&self, column: usize, row: usize) -> f64 {
        self.pixels[row * self.width + column]
    }

    /// A piece of the image.
    pub fn crop(&self, [left, top]: [usize; 2], [width, height]: [usize; 2]) -> Self {
        let rows = (top..top + height).map(|row| row * self.width + left);
        let pixels = rows.flat_map(|start| &self.pixels[start..start + width]).copied().collect();
        Self { width, height, pixels }
    }

    /// Blurs with the weights 1, 4, 6, 4, 1 of pixels that are `step` apart, along both axes.
    pub fn blur(&self, step: usize) -> Self {
        let blurred = |along: [usize; 2], from: &Self| {
            let position = |at: usize, offset: usize, size: usize| (at + offset).saturating_sub(2 * step).min(size - 1);
            let pixels = (0..self.width * self.height).map(|index| {
                let (column, row) = (index % self.width, index / self.width);
                let taps = [1.0, 4.0, 6.0, 4.0, 1.0].into_iter().enumerate().map(|(tap, weight)| {
                    let offset = tap * step;
                    let there = match along {
                        [1, _] => (position(column, offset, self.width), row),
                        _ => (column, position(row, offset, self.height)),
                    };
                    weight / 16.0 * from.at(there.0, there.1)
                });
                taps.sum()
            });
            Self { pixels: pixels.collect(), ..*from }
        };
        blurred([0, 1], &blurred([1, 0], self))
    }
}
