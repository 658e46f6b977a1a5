//! The bytes of a picture's file.

use crate::picture::Picture;
use std::io::{self, Write};
use std::path::Path;

/// A file format, by the extension of the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Binary portable graymap, `P5`.
    Pgm,
    /// 8-bit grayscale.
    Png,
}

impl Format {
    /// The format that the name of `path` asks for, if it is one of the two.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        if extension.eq_ignore_ascii_case("pgm") {
            Some(Self::Pgm)
        } else if extension.eq_ignore_ascii_case("png") {
            Some(Self::Png)
        } else {
            None
        }
    }
}

/// Writes `picture` to `output` in `format`.
pub fn encode(picture: &Picture, format: Format, output: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Pgm => {
            write!(output, "P5\n{} {}\n255\n", picture.width, picture.height)?;
            output.write_all(&picture.pixels)
        }
        Format::Png => {
            let mut encoder = png::Encoder::new(output, picture.width, picture.height);
            encoder.set_color(png::ColorType::Grayscale);
            encoder.set_depth(png::BitDepth::Eight);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&picture.pixels)?;
            // Without this, the last chunk is written on drop, where an error is lost.
            writer.finish()?;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        Picture { width: 3, height: 2, pixels: vec![0, 10, 128, 13, 254, 255] }
    }

    #[test]
    fn a_pgm_is_a_short_header_and_the_pixels() {
        let mut bytes = Vec::new();
        encode(&picture(), Format::Pgm, &mut bytes).unwrap();
        assert_eq!(bytes, b"P5\n3 2\n255\n\x00\x0a\x80\x0d\xfe\xff");
    }

    #[test]
    fn a_png_is_read_back_as_the_same_gray_pixels() {
        let mut bytes = Vec::new();
        encode(&picture(), Format::Png, &mut bytes).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Eight));
        assert_eq!(pixels, picture().pixels);
    }

    #[test]
    fn a_full_disk_is_an_error_in_either_format() {
        for format in [Format::Pgm, Format::Png] {
            let mut complete = Vec::new();
            encode(&picture(), format, &mut complete).unwrap();
            for room in 0..complete.len() {
                let mut disk = vec![0; room];
                assert!(encode(&picture(), format, &mut disk.as_mut_slice()).is_err(), "{format:?}, {room} bytes");
            }
        }
    }
}
