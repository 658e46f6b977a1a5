//! The values of options, from text. Errors say what is allowed.

use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;

/// Pixels along a side. A row of them fits in the memory of any machine.
const SIDE: RangeInclusive<u32> = 1..=16_777_216;

/// Pixels along a cell. Below 2, pixels are too far apart to show noise; at 1 all lie on nodes, where it is zero. Above a
/// million, the frequency is below its range.
pub const CELL: RangeInclusive<f64> = 2.0..=1e6;

/// The largest coordinate. There, neighboring numbers are 1e-4 pixels apart. Far beyond, pixels would coincide.
const MAX_COORDINATE: f64 = 1e12;

/// Frames of an animation.
const FRAMES: RangeInclusive<u32> = 2..=10_000;

/// Reads the side of an image in pixels.
pub fn side(text: &str) -> Result<u32, String> {
    let (min, max) = (SIDE.start(), SIDE.end());
    let value = text.parse().ok().filter(|pixels| SIDE.contains(pixels));
    value.ok_or_else(|| format!("must be a whole number of pixels from {min} to {max}"))
}

/// Reads width and height.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("must be width and height, such as 640x480")?;
    match (side(width), side(height)) {
        (Ok(width), Ok(height)) => Ok([width, height]),
        (Err(error), _) | (_, Err(error)) => Err(format!("each side {error}, as in 640x480")),
    }
}

/// Reads the side of a cell in pixels.
pub fn cell(text: &str) -> Result<f64, String> {
    let (min, max) = (CELL.start(), CELL.end());
    // Not a number is in no range.
    let value = text.parse().ok().filter(|pixels| CELL.contains(pixels));
    value.ok_or_else(|| format!("must be a number of pixels from {min} to {max}"))
}

/// The dimensions of a noise in a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// Two.
    Plane,
    /// Three.
    Space,
}

/// Reads the number of dimensions.
pub fn dimensions(text: &str) -> Result<Dimensions, String> {
    match text {
        "2" => Ok(Dimensions::Plane),
        "3" => Ok(Dimensions::Space),
        _ => Err("must be 2, for the plane, or 3, for space".to_owned()),
    }
}

/// A seed on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The seed.
    pub value: u64,
    /// Whether it is random, so that the program prints it.
    pub is_random: bool,
}

/// Reads a seed, or draws one.
pub fn seed(text: &str) -> Result<Seed, String> {
    if text == "random" {
        // The hasher of the standard library has random keys.
        return Ok(Seed { value: RandomState::new().hash_one(0), is_random: true });
    }
    let value = text.parse().map_err(|_| format!("must be a whole number from 0 to {}, or random", u64::MAX))?;
    Ok(Seed { value, is_random: false })
}

/// Reads a number of frames.
pub fn frames(text: &str) -> Result<u32, String> {
    let (min, max) = (FRAMES.start(), FRAMES.end());
    let value = text.parse().ok().filter(|frames| FRAMES.contains(frames));
    value.ok_or_else(|| format!("must be a whole number from {min} to {max}"))
}

/// Reads a coordinate.
pub fn coordinate(text: &str) -> Result<f64, String> {
    // Not a number is in no range.
    let value = text.parse().ok().filter(|value: &f64| value.abs() <= MAX_COORDINATE);
    value.ok_or_else(|| format!("must be a number from -{MAX_COORDINATE:e} to {MAX_COORDINATE:e}"))
}

/// Reads a position.
pub fn position(text: &str) -> Result<[f64; 2], String> {
    match coordinates(text)?[..] {
        [x, y] => Ok([x, y]),
        _ => Err("must be x and y, such as 100,-20.5".to_owned()),
    }
}

/// Reads a movement: x and y, and z where it is given.
pub fn movement(text: &str) -> Result<Movement, String> {
    match coordinates(text)?[..] {
        [x, y] => Ok(Movement { plane: [x, y], z: None }),
        [x, y, z] => Ok(Movement { plane: [x, y], z: Some(z) }),
        _ => Err("must be x and y, such as 1,0, or x, y and z, such as 0,0,0.5".to_owned()),
    }
}

/// How far the image moves from frame to frame, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movement {
    /// Along x and y.
    pub plane: [f64; 2],
    /// Through space.
    pub z: Option<f64>,
}

fn coordinates(text: &str) -> Result<Vec<f64>, String> {
    let wrong = format!("must be numbers from -{MAX_COORDINATE:e} to {MAX_COORDINATE:e} with commas between");
    text.split(',').map(|number| coordinate(number).map_err(|_| wrong.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_sides_and_say_which_numbers_they_take() {
        assert_eq!(size("640x480"), Ok([640, 480]));
        assert_eq!(size("16777216x1"), Ok([16_777_216, 1]));
        let range = "each side must be a whole number of pixels from 1 to 16777216, as in 640x480";
        for text in ["-5x5", "5x-5", "0x5", "5x16777217", "5x1.5", "x", "axb", "1e3x5"] {
            assert_eq!(size(text), Err(range.to_owned()), "{text}");
        }
        assert_eq!(size("640"), Err("must be width and height, such as 640x480".to_owned()));
    }

    #[test]
    fn cells_have_pixels_in_them() {
        assert_eq!((cell("2"), cell("7.5"), cell("1000000")), (Ok(2.0), Ok(7.5), Ok(1e6)));
        for text in ["0", "1", "1.99", "-20", "x", "NaN", "inf", "1e-300", "1e300", "1000001"] {
            assert_eq!(cell(text), Err("must be a number of pixels from 2 to 1000000".to_owned()), "{text}");
        }
    }

    #[test]
    fn seeds_are_any_64_bits_or_random() {
        assert_eq!(seed("18446744073709551615"), Ok(Seed { value: u64::MAX, is_random: false }));
        for text in ["-1", "x", "1.5", "18446744073709551616", ""] {
            assert_eq!(seed(text), Err("must be a whole number from 0 to 18446744073709551615, or random".to_owned()));
        }
        let [one, other] = [seed("random"), seed("random")].map(|seed| seed.expect("it can be drawn"));
        assert!(one.is_random && one.value != other.value);
    }

    #[test]
    fn places_and_movements_are_lists_of_numbers() {
        assert_eq!(position("-3,4.5"), Ok([-3.0, 4.5]));
        assert_eq!(movement("1,0"), Ok(Movement { plane: [1.0, 0.0], z: None }));
        assert_eq!(movement("0,0,-0.5"), Ok(Movement { plane: [0.0; 2], z: Some(-0.5) }));
        assert!(position("1,2,3").unwrap_err().contains("100,-20.5"));
        assert!(movement("1").unwrap_err().contains("1,0"));
        for text in ["", "1;2", "1,x", "1,inf", "NaN,1", "1e300,0", "0,-1.1e12"] {
            let wrong = "must be numbers from -1e12 to 1e12 with commas between";
            assert_eq!(position(text), Err(wrong.to_owned()), "{text}");
        }
        assert_eq!(position("-1e12,1e12"), Ok([-1e12, 1e12]));
        assert_eq!(coordinate("1e13"), Err("must be a number from -1e12 to 1e12".to_owned()));
    }

    #[test]
    fn animations_have_two_frames_at_least() {
        assert_eq!(frames("60"), Ok(60));
        assert_eq!(frames("1"), Err("must be a whole number from 2 to 10000".to_owned()));
    }
}
