//! The contact sheet: all presets side by side, with captions.

use crate::font;
use crate::picture::Picture;
use crate::preset_map::values;
use bevy_perlin_terrain::noise::NoisePreset;

/// Tiles side by side.
const COLUMNS: u32 = 5;
/// Side of a tile in pixels.
const TILE: u32 = 168;
/// Pixels between tiles and around all of them.
const GAP: u32 = 14;
/// Pixels below a tile for its caption.
const CAPTION: u32 = 40;
/// The seed of all tiles.
const SEED: u64 = 42;

/// Shades of a tile. More would hardly be seen, and the file would grow.
const SHADES: f32 = 40.0;
/// The darkest and the lightest shade of a tile.
const RANGE: [f32; 2] = [12.0, 244.0];
const BACKGROUND: u8 = 22;
const TITLE: u8 = 236;
const NAME: u8 = 156;
const CREDIT: u8 = 124;

/// Draws all presets.
pub fn draw() -> Picture {
    let rows = (NoisePreset::ALL.len() as u32).div_ceil(COLUMNS);
    let (width, height) = (GAP + COLUMNS * (TILE + GAP), GAP + rows * (TILE + CAPTION + GAP));
    let mut sheet = Picture { width, height, pixels: vec![BACKGROUND; (width * height) as usize] };
    for (preset, index) in NoisePreset::ALL.iter().zip(0..) {
        let left = GAP + index % COLUMNS * (TILE + GAP);
        let top = GAP + index / COLUMNS * (TILE + CAPTION + GAP);
        draw_tile(&mut sheet, [left, top], preset);
        let line = top + TILE + 8;
        draw_text(&mut sheet, [left, line], 2, TITLE, preset.title);
        let line = line + 2 * font::HEIGHT + 8;
        draw_text(&mut sheet, [left, line], 1, NAME, preset.name);
        let right = left + TILE - font::width(preset.credit);
        draw_text(&mut sheet, [right, line], 1, CREDIT, preset.credit);
    }
    sheet
}

/// Pixels along a cell of the first octave: as published, but a tile shows three cells at least. A noise that repeats within
/// a few cells is shown repeating once along each side.
fn cell_size(preset: &NoisePreset) -> f64 {
    let (settings, tile) = (preset.settings(), f64::from(TILE));
    match settings.period_x {
        period @ 1..=8 => tile / (2.0 * f64::from(period)),
        _ => (1.0 / settings.frequency).min(tile / 3.0),
    }
}

/// Draws the noise of a preset with shades stretched from its lowest to its highest values.
fn draw_tile(sheet: &mut Picture, [left, top]: [u32; 2], preset: &NoisePreset) {
    let mut tile = Vec::new();
    values(&preset.noise_with_cells_of(cell_size(preset), SEED), [TILE, TILE], |row| tile.extend_from_slice(row));
    let [low, high] = extremes(&tile);
    for (row, y) in tile.chunks(TILE as usize).zip(top..) {
        let start = (y * sheet.width + left) as usize;
        for (pixel, value) in sheet.pixels[start..].iter_mut().zip(row) {
            let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
            let step = (t * (SHADES - 1.0)).round() / (SHADES - 1.0);
            *pixel = (RANGE[0] + (RANGE[1] - RANGE[0]) * step).round() as u8;
        }
    }
}

/// What all but one in two hundred of `values` are above, and what all but one in two hundred are below.
fn extremes(values: &[f32]) -> [f32; 2] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let few = sorted.len() / 200;
    [sorted[few], sorted[sorted.len() - 1 - few]]
}

/// Writes `text` with its upper left corner at a pixel, in letters `scale` times as large.
fn draw_text(sheet: &mut Picture, [left, top]: [u32; 2], scale: u32, shade: u8, text: &str) {
    for (x, y) in font::pixels(text) {
        for (dx, dy) in (0..scale).flat_map(|dy| (0..scale).map(move |dx| (dx, dy))) {
            let (x, y) = (left + x * scale + dx, top + y * scale + dy);
            sheet.pixels[(y * sheet.width + x) as usize] = shade;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::BufReader;

    #[test]
    fn every_caption_fits_below_its_tile_in_letters_that_there_are() {
        for NoisePreset { name, title, credit, .. } in NoisePreset::ALL {
            assert!(2 * font::width(title) <= TILE, "{title}");
            assert!(font::width(name) + font::ADVANCE + font::width(credit) <= TILE, "{name} {credit}");
            for letter in [name, title, credit].into_iter().flat_map(|text| text.chars()) {
                // A letter that is missing is drawn as a full block.
                assert!(font::pixels(&letter.to_string()).count() < 35, "the font has no '{letter}'");
            }
        }
    }

    #[test]
    fn a_sheet_has_a_tile_of_full_contrast_for_every_preset() {
        let sheet = draw();
        assert_eq!((sheet.width, sheet.height), (924, 902));
        assert_eq!(sheet.pixels.len(), 924 * 902);
        for index in 0..NoisePreset::ALL.len() as u32 {
            let (left, top) = (14 + index % 5 * 182, 14 + index / 5 * 222);
            let shades = (0..TILE * TILE).map(|i| {
                let (x, y) = (left + i % TILE, top + i / TILE);
                sheet.pixels[(y * sheet.width + x) as usize]
            });
            let [least, most] = [shades.clone().min().unwrap(), shades.max().unwrap()];
            assert_eq!([least, most], [12, 244], "{}", NoisePreset::ALL[index as usize].name);
        }
    }

    #[test]
    fn the_picture_in_the_readme_is_what_is_drawn() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pictures/noise_gallery.png");
        let Ok(file) = File::open(path) else {
            // The published package comes without pictures.
            return;
        };
        assert!(file.metadata().unwrap().len() < 300_000, "a front page should load at once");
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert!(pixels == draw().pixels, "draw it anew: noise_map --gallery {path}");
    }

    #[test]
    fn the_darkest_and_the_lightest_few_do_not_count() {
        let values: Vec<f32> = (0..400_i16).map(f32::from).collect();
        assert_eq!(extremes(&values), [2.0, 397.0]);
    }
}
