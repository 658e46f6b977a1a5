//! The words of the command line that belong to no option: four numbers, and the file to write.

use crate::arguments::{Arguments, mistake_with_usage};
use crate::names::nearest;
use crate::stop::Stop;
use crate::values::{self, Seed};
use perlin_terrain::noise::NoisePreset;
use std::ffi::OsString;

/// Nodes in a grid. They take 24 bytes each: 384 MiB.
const MAX_NODES: u64 = 1 << 24;

/// The names of the four numbers.
const NUMBERS: [&str; 4] = ["imageWidth", "imageHeight", "cellSize", "seed"];

/// Four numbers, as an exercise has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Pixels along a cell.
    pub cell_size: f64,
    /// Which noise.
    pub seed: Seed,
}

/// The words of the command line that belong to no option.
pub struct Words {
    /// The noise, if numbers say which.
    pub numbers: Option<Numbers>,
    /// The file to write.
    pub file: Option<OsString>,
}

impl Words {
    /// Tells numbers and file apart, and refuses what makes no sense beside the options.
    pub fn sort(arguments: &Arguments) -> Result<Self, Stop> {
        let Arguments { words, preset, layer_of, layer, gallery, layer_gallery, list, .. } = arguments;
        let named = preset.as_ref().map(|name| format!("--preset {name}"));
        let named = named.or(layer_of.as_ref().map(|path| format!("--layer-of {}", path.display())));
        if preset.is_some() && layer_of.is_some() {
            return Err(mistake_with_usage("--preset and --layer-of are two sources: type one of them"));
        }
        if layer.is_some() && layer_of.is_none() {
            return Err(mistake_with_usage("--layer needs --layer-of with the file of a terrain"));
        }
        match named {
            _ if *list => match words.first() {
                None => Ok(Self { numbers: None, file: None }),
                Some(_) => Err(mistake_with_usage(&format!("--list writes no file: drop '{}'", text(words, 0)))),
            },
            Some(source) => Self::beside(&source, words, true),
            None if *gallery => Self::beside("--gallery", words, false),
            None if *layer_gallery => Self::beside("--layer-gallery", words, false),
            None => Self::four_numbers(words),
        }
    }

    /// The words beside an option that says what to draw: at most a file. Four numbers are another source if it `is_source`.
    fn beside(option: &str, words: &[OsString], is_source: bool) -> Result<Self, Stop> {
        if words.len() <= 1 {
            return Ok(Self { numbers: None, file: words.first().cloned() });
        }
        if is_source && Numbers::read(words).is_ok() {
            let [width, height, cell, seed] = [0, 1, 2, 3].map(|index| text(words, index));
            let options = format!("{option} --size {width}x{height} --cell {cell} --seed {seed}");
            let wrong = format!("{option} and four numbers are two sources: type one, as in noise_map {options}");
            return Err(mistake_with_usage(&wrong));
        }
        Err(mistake_with_usage(&format!("{option} takes one file: drop '{}'", text(words, 1))))
    }

    /// Four numbers, and at most a file.
    fn four_numbers(words: &[OsString]) -> Result<Self, Stop> {
        let first = text(words, 0);
        match words.len() {
            0 => Err(mistake_with_usage(
                "which noise? type a preset, as in noise_map --preset ridged, or four numbers, as in \
                 noise_map 1000 1000 20 42; noise_map --list names the presets",
            )),
            _ if NoisePreset::find(&first).is_some() => {
                Err(mistake_with_usage(&format!("'{first}' is a preset: type noise_map --preset {first}")))
            }
            1 if nearest_preset(&first).is_some() => {
                let name = nearest_preset(&first).unwrap_or_default();
                Err(mistake_with_usage(&format!(
                    "'{first}' is no preset, did you mean '{name}'? type noise_map --preset {name}"
                )))
            }
            count @ 1..=3 => {
                let missing = NUMBERS[count..].join(" ");
                let wrong = format!("four numbers are needed, {missing} missing, as in noise_map 1000 1000 20 42");
                Err(mistake_with_usage(&wrong))
            }
            4 | 5 => {
                Ok(Self { numbers: Some(Numbers::read(words).map_err(Stop::Mistake)?), file: words.get(4).cloned() })
            }
            _ => Err(mistake_with_usage(&format!("after four numbers, one file: drop '{}'", text(words, 5)))),
        }
    }
}

/// The preset that `word` was meant to name. None for a number.
fn nearest_preset(word: &str) -> Option<&'static str> {
    nearest(NoisePreset::ALL.iter().map(|preset| preset.name), word)
}

/// A word as text. Empty if there is no such word.
fn text(words: &[OsString], index: usize) -> String {
    words.get(index).map_or(String::new(), |word| word.to_string_lossy().into_owned())
}

impl Numbers {
    fn read(words: &[OsString]) -> Result<Self, String> {
        let text = |index: usize| text(words, index);
        let wrong = |index: usize| {
            move |error: String| format!("invalid value '{}' for <{}>: {error}", text(index), NUMBERS[index])
        };
        let size = [values::side(&text(0)).map_err(wrong(0))?, values::side(&text(1)).map_err(wrong(1))?];
        let cell_size = values::cell(&text(2)).map_err(wrong(2))?;
        let seed = values::seed(&text(3)).map_err(wrong(3))?;
        check_nodes(size, cell_size).map_err(wrong(2))?;
        Ok(Self { size, cell_size, seed })
    }
}

/// Nodes along each side. The last ones stick out of the image where the cell size does not divide its side.
pub fn nodes(size: [u32; 2], cell_size: f64) -> [u32; 2] {
    // A cell size that was a frequency in between may be off by a rounding, which must not add a cell.
    size.map(|pixels| (f64::from(pixels) / cell_size - 1e-7).ceil() as u32 + 1)
}

/// Refuses a grid that would fill the memory, and says which cell size would do.
pub fn check_nodes(size: [u32; 2], cell_size: f64) -> Result<(), String> {
    let fits = |cell_size| {
        let [columns, rows] = nodes(size, cell_size).map(u64::from);
        columns * rows <= MAX_NODES
    };
    if fits(cell_size) {
        return Ok(());
    }
    let mut enough = cell_size.ceil();
    while !fits(enough) {
        // In steps of a hundredth, so that huge images are no long search.
        enough = (enough * 1.01).ceil();
    }
    let [columns, rows] = nodes(size, cell_size).map(|nodes| nodes - 1);
    Err(format!("{columns} by {rows} cells are too many, this image needs a cell size of at least {enough}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_does_not_divide_the_image_adds_one_that_sticks_out() {
        assert_eq!(nodes([1000, 1001], 20.0), [51, 52]);
        assert_eq!(nodes([10, 10], 7.5), [3, 3]);
        assert_eq!(nodes([1, 1], 32_768.0), [2, 2]);
        assert_eq!(nodes([16_777_216, 1], 1e6), [18, 2]);
        for cell_size in 2..1000 {
            let rounded = 1.0 / (1.0 / f64::from(cell_size));
            assert_eq!(nodes([17 * cell_size, cell_size], rounded), [18, 2], "cells of {cell_size}");
        }
    }
}
