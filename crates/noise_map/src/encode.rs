//! The bytes of an image's file, written row by row.

use clap::ValueEnum;
use png::{BitDepth, ColorType, Compression, Encoder};
use std::io::{self, Write};
use std::path::Path;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Portable graymap, 8 bits
    Pgm,
    /// Portable graymap, 16 bits
    Pgm16,
    /// PNG: 8 bits of gray, or of each color
    Png,
    /// PNG: 16 bits of gray
    Png16,
    /// The values, without a header: 32-bit floats, little-endian, row by row
    Raw,
    /// Scalable vector graphics, for graphs
    Svg,
    /// A module of a shader, for --wesl
    Wesl,
}

impl Format {
    /// The format that the ending of a file's name asks for.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        [Self::Pgm, Self::Png, Self::Raw, Self::Svg, Self::Wesl]
            .into_iter()
            .find(|format| format.extension() == extension)
    }

    /// The ending of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pgm | Self::Pgm16 => "pgm",
            Self::Png | Self::Png16 => "png",
            Self::Raw => "raw",
            Self::Svg => "svg",
            Self::Wesl => "wesl",
        }
    }
}

/// An image of more pixels than this is compressed in a sixth of the time, into a file a fifth larger.
const LARGE: u64 = 1 << 22;

/// The meaning of the bytes of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// A shade from 0, black, to 255.
    Gray8,
    /// A shade from 0, black, to 65535, high byte first.
    Gray16,
    /// Red, green and blue.
    Rgb8,
    /// A number, low byte first.
    Float,
}

impl Pixels {
    /// Bytes of a pixel.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Gray8 => 1,
            Self::Gray16 => 2,
            Self::Rgb8 => 3,
            Self::Float => 4,
        }
    }
}

/// Receives the bytes of whole rows, from the top.
pub type Rows<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

/// Writes an image of `size` whose rows `draw` gives. No more of the image than that is in memory.
pub fn encode(
    format: Format,
    pixels: Pixels,
    size: [u32; 2],
    output: &mut dyn Write,
    draw: impl FnOnce(Rows) -> io::Result<()>,
) -> io::Result<()> {
    let [width, height] = size;
    let max = if pixels == Pixels::Gray16 { u16::MAX } else { u16::from(u8::MAX) };
    match format {
        Format::Png | Format::Png16 => {
            let mut output = FirstErrorWriter::new(output);
            let mut writer = encoder(pixels, size, &mut output).write_header()?;
            let mut stream = writer.stream_writer_with_size(1 << 16)?;
            draw(&mut |rows| stream.write_all(rows))?;
            stream.finish()?;
            writer.finish()?;
            return output.end();
        }
        Format::Pgm | Format::Pgm16 => write!(output, "P5\n{width} {height}\n{max}\n")?,
        Format::Raw | Format::Svg | Format::Wesl => {}
    }
    draw(&mut |rows| output.write_all(rows))
}

/// Writes an animated PNG that repeats for ever. `draw` replaces the bytes of a frame by those of the next.
pub fn encode_frames(
    pixels: Pixels,
    size: [u32; 2],
    count: u32,
    output: &mut dyn Write,
    mut draw: impl FnMut(u32, &mut Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let mut output = FirstErrorWriter::new(output);
    let mut encoder = encoder(pixels, size, &mut output);
    encoder.set_animated(count, 0)?;
    // 25 frames per second.
    encoder.set_frame_delay(1, 25)?;
    let mut writer = encoder.write_header()?;
    let mut frame = Vec::new();
    for index in 0..count {
        draw(index, &mut frame)?;
        writer.write_image_data(&frame)?;
    }
    writer.finish()?;
    output.end()
}

fn encoder<W: Write>(pixels: Pixels, [width, height]: [u32; 2], output: W) -> Encoder<'static, W> {
    let mut encoder = Encoder::new(output, width, height);
    let (color, depth) = match pixels {
        Pixels::Gray8 | Pixels::Float => (ColorType::Grayscale, BitDepth::Eight),
        Pixels::Gray16 => (ColorType::Grayscale, BitDepth::Sixteen),
        Pixels::Rgb8 => (ColorType::Rgb, BitDepth::Eight),
    };
    encoder.set_color(color);
    encoder.set_depth(depth);
    if u64::from(width) * u64::from(height) > LARGE {
        encoder.set_compression(Compression::Fast);
    }
    encoder
}

/// Keeps the first write error. The PNG encoder discards errors that occur while it is dropped.
struct FirstErrorWriter<W> {
    inner: W,
    error: Option<io::Error>,
}

impl<W: Write> FirstErrorWriter<W> {
    fn new(inner: W) -> Self {
        Self { inner, error: None }
    }

    /// The first error, if there was one.
    fn end(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }

    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            let kind = error.kind();
            self.error.get_or_insert_with(|| error.raw_os_error().map_or(kind.into(), io::Error::from_raw_os_error));
        })
    }
}

impl<W: Write> Write for FirstErrorWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.inner.write(bytes);
        // `write_all` makes an error of this.
        let result = result.and_then(|count| {
            if count == 0 && !bytes.is_empty() { Err(io::ErrorKind::WriteZero.into()) } else { Ok(count) }
        });
        self.note(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.inner.flush();
        self.note(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const GRAY: [u8; 6] = [0, 10, 128, 13, 254, 255];

    /// An image of 3 by 2 pixels, row by row.
    fn write(format: Format, pixels: Pixels, bytes: &[u8], output: &mut dyn Write) -> io::Result<()> {
        encode(format, pixels, [3, 2], output, |rows| bytes.chunks(bytes.len() / 2).try_for_each(rows))
    }

    fn written(format: Format, pixels: Pixels, bytes: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        write(format, pixels, bytes, &mut output).expect("memory can be written");
        output
    }

    #[test]
    fn a_pgm_is_a_short_header_and_the_pixels() {
        assert_eq!(written(Format::Pgm, Pixels::Gray8, &GRAY), b"P5\n3 2\n255\n\x00\x0a\x80\x0d\xfe\xff");
        let wide: Vec<u8> = (0..12).collect();
        assert_eq!(written(Format::Pgm16, Pixels::Gray16, &wide), [b"P5\n3 2\n65535\n", &wide[..]].concat());
    }

    #[test]
    fn raw_values_have_no_header() {
        let values: Vec<u8> =
            [0.5_f32, -1.0, 3.25, 0.0, 1e-9, 7.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(written(Format::Raw, Pixels::Float, &values), values);
    }

    #[test]
    fn a_png_is_read_back_as_the_same_pixels() {
        let wide: Vec<u8> = (0..12).collect();
        let colors: Vec<u8> = (0..18).collect();
        for (format, pixels, bytes, expected) in [
            (Format::Png, Pixels::Gray8, &GRAY[..], (ColorType::Grayscale, BitDepth::Eight)),
            (Format::Png16, Pixels::Gray16, &wide, (ColorType::Grayscale, BitDepth::Sixteen)),
            (Format::Png, Pixels::Rgb8, &colors, (ColorType::Rgb, BitDepth::Eight)),
        ] {
            let file = written(format, pixels, bytes);
            let mut reader = png::Decoder::new(Cursor::new(file)).read_info().expect("it is a PNG");
            let mut found = vec![0; reader.output_buffer_size().expect("it is small")];
            let info = reader.next_frame(&mut found).expect("it has an image");
            assert_eq!((info.width, info.height), (3, 2));
            assert_eq!((info.color_type, info.bit_depth), expected);
            assert_eq!(found, bytes);
        }
    }

    #[test]
    fn an_animation_is_read_back_frame_by_frame() {
        let mut file = Vec::new();
        encode_frames(Pixels::Gray8, [3, 2], 4, &mut file, |index, frame| {
            *frame = GRAY.map(|shade| shade / (index as u8 + 1)).to_vec();
            Ok(())
        })
        .expect("memory can be written");
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info().expect("it is a PNG");
        assert_eq!(
            reader.info().animation_control.map(|control| (control.num_frames, control.num_plays)),
            Some((4, 0))
        );
        for index in 1..=4 {
            let mut found = vec![0; 6];
            reader.next_frame(&mut found).expect("it has four frames");
            assert_eq!(found, GRAY.map(|shade| shade / index));
        }
    }

    #[test]
    fn a_full_disk_is_an_error_in_every_format() {
        for (format, pixels) in [
            (Format::Pgm, Pixels::Gray8),
            (Format::Png, Pixels::Gray8),
            (Format::Png16, Pixels::Gray16),
            (Format::Raw, Pixels::Float),
        ] {
            let bytes = vec![7; 6 * pixels.bytes()];
            let complete = written(format, pixels, &bytes);
            for room in 0..complete.len() {
                let mut disk = vec![0; room];
                assert!(write(format, pixels, &bytes, &mut disk.as_mut_slice()).is_err(), "{format:?}, {room} bytes");
            }
        }
        let animate = |output: &mut dyn Write| {
            encode_frames(Pixels::Gray8, [3, 2], 2, output, |_, frame| {
                *frame = GRAY.to_vec();
                Ok(())
            })
        };
        let mut complete = Vec::new();
        animate(&mut complete).expect("memory can be written");
        for room in 0..complete.len() {
            let mut disk = vec![0; room];
            assert!(animate(&mut disk.as_mut_slice()).is_err(), "{room} bytes");
        }
    }

    /// Takes one write for a failure, and all others.
    struct Hiccup {
        written: usize,
        fails_at: usize,
    }

    impl Write for Hiccup {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let before = self.written <= self.fails_at;
            self.written += bytes.len();
            if before && self.written > self.fails_at {
                Err(io::ErrorKind::StorageFull.into())
            } else {
                Ok(bytes.len())
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_disk_that_was_full_for_a_moment_is_an_error_too() {
        let complete = written(Format::Png, Pixels::Gray8, &GRAY);
        for fails_at in 0..complete.len() {
            let mut disk = Hiccup { written: 0, fails_at };
            assert!(write(Format::Png, Pixels::Gray8, &GRAY, &mut disk).is_err(), "at byte {fails_at}");
        }
    }

    #[test]
    fn the_ending_chooses_the_format_in_either_case() {
        for (name, format) in [
            ("a.png", Some(Format::Png)),
            ("b/c.PNG", Some(Format::Png)),
            ("d.e.Pgm", Some(Format::Pgm)),
            ("a.raw", Some(Format::Raw)),
            ("a.svg", Some(Format::Svg)),
            ("a.wesl", Some(Format::Wesl)),
            ("a.jpg", None),
            ("png", None),
            (".png", None),
            ("a.png.txt", None),
            ("a.", None),
        ] {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
    }
}
