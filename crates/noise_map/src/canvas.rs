//! An image in memory, for what is not drawn from top to bottom.

use crate::encode::Pixels;
use crate::font;
use crate::stop::Stop;

/// The largest image or frame in memory, in bytes: 1 GiB.
pub const MAX_BYTES: u64 = 1 << 30;

/// An image in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Width and height.
    pub size: [u32; 2],
    /// The meaning of the bytes of a pixel: shades of gray or colors, of 8 bits.
    pub pixels: Pixels,
    /// The pixels, row by row.
    pub bytes: Vec<u8>,
}

impl Canvas {
    /// An image of one shade.
    ///
    /// # Errors
    ///
    /// It would be larger than 1 GiB.
    pub fn new(size: [u64; 2], pixels: Pixels, shade: u8) -> Result<Self, Stop> {
        let [width, height] = size;
        let bytes = width.checked_mul(height).and_then(|count| count.checked_mul(pixels.bytes() as u64));
        match (bytes.filter(|bytes| *bytes <= MAX_BYTES), size.map(u32::try_from)) {
            (Some(bytes), [Ok(width), Ok(height)]) => {
                Ok(Self { size: [width, height], pixels, bytes: vec![shade; bytes as usize] })
            }
            _ => Err(Stop::Mistake(format!(
                "a sheet of {width} by {height} pixels is larger than 1 GiB; type a smaller --size for its tiles"
            ))),
        }
    }

    /// Draws rows of `width` pixels with their upper left corner at a pixel. All of them lie within the image.
    pub fn put(&mut self, [left, top]: [u32; 2], width: u32, rows: &[u8]) {
        let length = width as usize * self.pixels.bytes();
        for (row, y) in rows.chunks_exact(length).zip(top..) {
            let start = self.index([left, y]);
            self.bytes[start..start + length].copy_from_slice(row);
        }
    }

    /// Writes `text` with its upper left corner at a pixel, in letters `scale` times as large. It lies within the image.
    pub fn write(&mut self, [left, top]: [u32; 2], scale: u32, shade: u8, text: &str) {
        let length = scale as usize * self.pixels.bytes();
        for (x, y) in font::pixels(text) {
            for dy in 0..scale {
                let start = self.index([left + x * scale, top + y * scale + dy]);
                self.bytes[start..start + length].fill(shade);
            }
        }
    }

    /// Compares with the image `name` in the docs, which `option` draws.
    #[cfg(test)]
    pub fn assert_is_in_docs(&self, name: &str, option: &str) {
        let path = format!("{}/../../assets/pictures/{name}", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::File::open(&path).expect("the docs have the image");
        assert!(file.metadata().expect("it is there").len() < 300_000, "a page should load at once");
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("it is a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
        reader.next_frame(&mut pixels).expect("it has an image");
        assert!(pixels == self.bytes, "draw it again: noise_map {option} --force assets/pictures/{name}");
    }

    fn index(&self, [x, y]: [u32; 2]) -> usize {
        (y as usize * self.size[0] as usize + x as usize) * self.pixels.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_and_letters_are_drawn_where_they_belong() {
        for pixels in [Pixels::Gray8, Pixels::Rgb8] {
            let mut canvas = Canvas::new([20, 12], pixels, 7).expect("it is small");
            let bytes = pixels.bytes();
            canvas.put([3, 1], 2, &vec![50; 4 * bytes]);
            canvas.write([8, 3], 1, 200, "I");
            let lit: Vec<_> = canvas.bytes.chunks(bytes).map(|pixel| pixel[0]).collect();
            let at = |x: usize, y: usize| lit[y * 20 + x];
            assert_eq!([at(2, 1), at(3, 1), at(4, 2), at(5, 2), at(3, 3)], [7, 50, 50, 7, 7]);
            assert_eq!([at(8, 3), at(9, 3), at(10, 9), at(8, 4)], [7, 200, 200, 7]);
            assert_eq!(lit.iter().filter(|&&shade| shade == 200).count(), 11);
        }
    }

    #[test]
    fn what_is_larger_than_a_gibibyte_is_refused() {
        for (size, pixels) in
            [([32_768, 32_769], Pixels::Gray8), ([20_000, 20_000], Pixels::Rgb8), ([1 << 40; 2], Pixels::Gray8)]
        {
            let Err(Stop::Mistake(text)) = Canvas::new(size, pixels, 0) else { panic!("{size:?}") };
            assert!(text.contains("larger than 1 GiB; type a smaller --size"), "{text}");
        }
    }
}
