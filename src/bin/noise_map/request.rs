//! The command line: which picture is asked for, and where it goes.

use crate::command::OTHER_FORMS;
use crate::destination::Destination;
use bevy_perlin_terrain::noise::Fade;
use clap::Parser;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Pixels along a side: a picture has at most 1 GiB of them.
const SIDE: RangeInclusive<u32> = 1..=32_768;

/// Pixels along a cell. Below 2, pixels are too far apart to show noise; at 1 all lie on nodes, where it is zero. Above the
/// longest side, any picture is a corner of one cell.
const CELL: RangeInclusive<f64> = 2.0..=32_768.0;

/// Nodes in a grid. They take 16 bytes each: 256 MiB.
const MAX_NODES: u64 = 1 << 24;

/// A picture that can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Side of a cell in pixels.
    pub cell_size: f64,
    /// Which noise.
    pub seed: u64,
    /// The curve between nodes.
    pub fade: Fade,
    /// Where the picture goes.
    pub destination: Destination,
}

impl Request {
    /// Cells along each side. The last ones stick out of the picture where the cell size does not divide its side.
    pub fn cells(&self) -> [u32; 2] {
        cells(self.width, self.height, self.cell_size)
    }
}

/// Why there is nothing to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user asked for this text.
    Help(String),
    /// What is wrong: one line, followed by the usage where arguments are missing, unknown or too many.
    Mistake(String),
}

/// Writes a map of Perlin noise as a gray picture.
#[derive(Parser)]
#[command(name = "noise_map", version, after_help = OTHER_FORMS)]
struct Arguments {
    /// Width of the picture in pixels, 1 to 32768
    #[arg(value_name = "imageWidth", value_parser = side, allow_negative_numbers = true)]
    width: u32,
    /// Height of the picture in pixels, 1 to 32768
    #[arg(value_name = "imageHeight", value_parser = side, allow_negative_numbers = true)]
    height: u32,
    /// Side of a cell in pixels, 2 to 32768; a fraction is allowed
    #[arg(value_name = "cellSize", value_parser = cell, allow_negative_numbers = true)]
    cell_size: f64,
    /// Whole number from 0 to 18446744073709551615; the same seed gives the same picture
    #[arg(value_name = "seed", value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Where the picture goes: a .pgm or a .png [default: output/PerlinNoise_{seed}.pgm]
    #[arg(value_name = "outputFile")]
    output: Option<PathBuf>,
    /// The curve between nodes: linear, cubic or quintic
    #[arg(long, value_name = "fade", value_parser = fade, default_value = "quintic")]
    fade: Fade,
}

/// Reads a command line, the program's name first.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, Stop> {
    let Arguments { width, height, cell_size, seed, output, fade } =
        Arguments::try_parse_from(arguments).map_err(|error| stop(&error))?;
    check_nodes(width, height, cell_size).map_err(Stop::Mistake)?;
    let destination = Destination::new(output, &format!("PerlinNoise_{seed}.pgm"))?;
    Ok(Request { width, height, cell_size, seed, fade, destination })
}

/// Reads the side of a picture.
pub fn side(text: &str) -> Result<u32, String> {
    let (least, most) = (SIDE.start(), SIDE.end());
    let value = text.parse().ok().filter(|pixels| SIDE.contains(pixels));
    value.ok_or_else(|| format!("must be a whole number of pixels from {least} to {most}"))
}

/// Reads the side of a cell.
pub fn cell(text: &str) -> Result<f64, String> {
    let (least, most) = (CELL.start(), CELL.end());
    // Not a number is in no range.
    let value = text.parse().ok().filter(|pixels| CELL.contains(pixels));
    value.ok_or_else(|| format!("must be a number of pixels from {least} to {most}"))
}

/// Reads a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

fn fade(text: &str) -> Result<Fade, String> {
    match text {
        "linear" => Ok(Fade::Linear),
        "cubic" => Ok(Fade::Cubic),
        "quintic" => Ok(Fade::Quintic),
        _ => Err("must be linear, cubic or quintic".to_owned()),
    }
}

fn cells(width: u32, height: u32, cell_size: f64) -> [u32; 2] {
    [width, height].map(|pixels| (f64::from(pixels) / cell_size).ceil() as u32)
}

/// Refuses a grid that would fill the memory, and says which cell size would do.
fn check_nodes(width: u32, height: u32, cell_size: f64) -> Result<(), String> {
    let fits = |cell_size| {
        let [columns, rows] = cells(width, height, cell_size);
        (u64::from(columns) + 1) * (u64::from(rows) + 1) <= MAX_NODES
    };
    if fits(cell_size) {
        return Ok(());
    }
    let [columns, rows] = cells(width, height, cell_size);
    let mut enough = cell_size.ceil();
    while !fits(enough) {
        enough += 1.0;
    }
    Err(format!(
        "invalid value '{cell_size}' for '<cellSize>': {columns} by {rows} cells are too many, this picture needs a cell size \
         of at least {enough}"
    ))
}

/// Puts clap's message, which it spreads over several lines, on one.
pub fn stop(error: &clap::Error) -> Stop {
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return Stop::Help(text);
    }
    // Its first paragraph says what is wrong; tips and usage follow.
    let paragraph = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
    let message = paragraph.collect::<Vec<_>>().join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    match text.lines().find(|line| line.starts_with("Usage:")) {
        Some(usage) => Stop::Mistake(format!("{message}\n{usage}")),
        None => Stop::Mistake(message.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Format;

    fn read(line: &str) -> Result<Request, Stop> {
        parse(["noise_map"].into_iter().chain(line.split_whitespace()).map(OsString::from))
    }

    fn mistake(line: &str) -> String {
        match read(line) {
            Err(Stop::Mistake(text)) => text,
            other => panic!("'{line}' is no mistake: {other:?}"),
        }
    }

    #[test]
    fn four_numbers_ask_for_a_pgm_named_after_the_seed() {
        let request = read("1000 900 20 42").unwrap();
        let expected = Request {
            width: 1000,
            height: 900,
            cell_size: 20.0,
            seed: 42,
            fade: Fade::Quintic,
            destination: Destination {
                path: PathBuf::from("output/PerlinNoise_42.pgm"),
                format: Format::Pgm,
                folder_to_create: Some(PathBuf::from("output")),
            },
        };
        assert_eq!(request, expected);
        assert_eq!(request.cells(), [50, 45]);
    }

    #[test]
    fn a_cell_that_does_not_divide_the_picture_adds_one_that_sticks_out() {
        assert_eq!(read("1000 1001 20 1").unwrap().cells(), [50, 51]);
        assert_eq!(read("10 10 7.5 1").unwrap().cells(), [2, 2]);
        assert_eq!(read("1 1 32768 1").unwrap().cells(), [1, 1]);
    }

    #[test]
    fn the_extension_chooses_the_format_in_either_case() {
        for (name, format) in [("a.png", Format::Png), ("b/c.PNG", Format::Png), ("d.e.Pgm", Format::Pgm)] {
            let request = read(&format!("8 8 4 1 {name}")).unwrap();
            assert_eq!(request.destination, Destination { path: name.into(), format, folder_to_create: None });
        }
    }

    #[test]
    fn any_other_extension_is_refused_with_the_two_that_work() {
        for name in ["a.jpg", "a", ".png", "png", "a.png.txt", "a."] {
            let text = mistake(&format!("8 8 4 1 {name}"));
            assert_eq!(text, format!("invalid value '{name}' for '[outputFile]': must end in .pgm or .png"));
        }
    }

    #[test]
    fn the_fade_can_stand_anywhere() {
        assert_eq!(read("--fade linear 8 8 4 1").unwrap().fade, Fade::Linear);
        assert_eq!(read("8 8 4 1 --fade=cubic").unwrap().fade, Fade::Cubic);
        assert_eq!(read("8 8 4 --fade quintic 1 x.png").unwrap().fade, Fade::Quintic);
        assert_eq!(
            mistake("8 8 4 1 --fade round"),
            "invalid value 'round' for '--fade <fade>': must be linear, cubic or quintic"
        );
    }

    #[test]
    fn sides_out_of_range_are_refused_in_one_line() {
        for bad in ["0", "-5", "x", "1.5", "32769", "99999999999999999999", "-1e3"] {
            for (line, name) in [(format!("{bad} 8 4 1"), "imageWidth"), (format!("8 {bad} 4 1"), "imageHeight")] {
                let expected =
                    format!("invalid value '{bad}' for '<{name}>': must be a whole number of pixels from 1 to 32768");
                assert_eq!(mistake(&line), expected);
            }
        }
        assert_eq!(read("32768 1 8 1").unwrap().width, 32_768);
    }

    #[test]
    fn cell_sizes_without_a_picture_in_them_are_refused_in_one_line() {
        for bad in ["0", "1", "1.99", "-20", "-0.5", "x", "NaN", "inf", "1e-300", "1e300", "32769"] {
            let expected =
                format!("invalid value '{bad}' for '<cellSize>': must be a number of pixels from 2 to 32768");
            assert_eq!(mistake(&format!("8 8 {bad} 1")), expected);
        }
    }

    #[test]
    fn a_grid_that_would_fill_the_memory_is_refused_with_the_cell_size_that_works() {
        let text = mistake("32768 32768 2.5 1");
        assert!(text.contains("'2.5'") && text.contains("13108 by 13108") && text.ends_with("at least 9"), "{text}");
        assert!(mistake("32768 32768 8 1").ends_with("at least 9"), "4097 by 4097 nodes are just above the limit");
        assert!(read("32768 32768 9 1").is_ok());
        assert!(read("32768 16 2 1").is_ok(), "a narrow picture may have small cells");
    }

    #[test]
    fn seeds_are_any_64_bits_and_nothing_else() {
        assert_eq!(read("8 8 4 18446744073709551615").unwrap().seed, u64::MAX);
        assert_eq!(read("8 8 4 0").unwrap().seed, 0);
        for bad in ["-1", "x", "1.5", "18446744073709551616"] {
            let expected =
                format!("invalid value '{bad}' for '<seed>': must be a whole number from 0 to 18446744073709551615");
            assert_eq!(mistake(&format!("8 8 4 {bad}")), expected);
        }
    }

    #[test]
    fn missing_and_surplus_arguments_are_named_and_the_usage_follows() {
        for (line, name) in
            [("", "<imageWidth>"), ("8", "<imageHeight>"), ("8 8 4", "<seed>"), ("8 8 4 1 a.png b", "'b'")]
        {
            let text = mistake(line);
            let (first, rest) = text.split_once('\n').unwrap();
            assert!(first.contains(name), "{first}");
            assert!(rest.starts_with("Usage: noise_map") && rest.contains("<cellSize>"), "{rest}");
        }
        assert!(mistake("8 8 4 1 --colour").starts_with("unexpected argument '--colour' found\nUsage:"));
    }

    #[test]
    fn help_and_version_are_no_mistakes() {
        assert!(matches!(read("--help"), Err(Stop::Help(text)) if text.contains("imageHeight")));
        assert!(matches!(read("--version"), Err(Stop::Help(text)) if text.starts_with("noise_map ")));
    }
}
