//! All presets side by side, with captions.

use crate::canvas::Canvas;
use crate::encode::Pixels;
use crate::font;
use crate::sampler::Sampler;
use crate::sheet::Sheet;
use crate::source::Source;
use crate::stop::Stop;
use crate::watch::Watch;
use perlin_terrain::noise::NoisePreset;
use std::io;

/// Side of a tile in pixels.
const TILE: u32 = 168;
/// Pixels below a tile for its caption.
const CAPTION: u32 = 40;
const SHEET: Sheet =
    Sheet { columns: 5, count: NoisePreset::ALL.len() as u32, tile: [TILE, TILE], cell: [TILE, TILE + CAPTION] };
/// The seed of all tiles.
const SEED: u64 = 42;

/// Shades of a tile. More are barely visible, and enlarge the file.
const SHADES: f32 = 40.0;
/// The darkest and the lightest shade of a tile.
const RANGE: [f32; 2] = [12.0, 244.0];
const TITLE: u8 = 236;
const NAME: u8 = 156;
const CREDIT: u8 = 124;

/// An empty sheet with room for all presets.
pub fn canvas() -> Result<Canvas, Stop> {
    SHEET.canvas(Pixels::Gray8)
}

/// Draws all presets.
pub fn draw(sheet: &mut Canvas, watch: &mut Watch) -> io::Result<()> {
    for (preset, index) in NoisePreset::ALL.iter().zip(0..) {
        watch.note_progress(f64::from(index) / f64::from(SHEET.count))?;
        let [left, top] = SHEET.position(index);
        sheet.put([left, top], TILE, &tile(preset));
        let line = top + TILE + 8;
        sheet.write([left, line], 2, TITLE, preset.title);
        let line = line + 2 * font::HEIGHT + 8;
        sheet.write([left, line], 1, NAME, preset.name);
        let right = left + TILE - font::width(preset.credit);
        sheet.write([right, line], 1, CREDIT, preset.credit);
    }
    Ok(())
}

/// Pixels along a cell of the first octave: as published, but a tile shows three cells at least. A noise that repeats within
/// a few cells is shown repeating once along each side.
fn cell_size(preset: &NoisePreset) -> f64 {
    let (settings, tile) = (preset.settings(), f64::from(TILE));
    match settings.period_x {
        period @ 1..=8 => tile / (2.0 * f64::from(period)),
        _ => (1.0 / settings.first_frequency()).min(tile / 3.0),
    }
}

/// The noise of a preset, with shades stretched from its lowest to its highest values.
fn tile(preset: &NoisePreset) -> Vec<u8> {
    let (side, mut values) = (TILE as usize, Vec::new());
    let mut source = Source::preset(preset, SEED);
    source.settings = source.settings.with_cells_of(cell_size(preset));
    Sampler::new(&source, None).in_units_of(1.0).fill([0.0; 2], side, side, &mut values);
    let [low, high] = extremes(&values);
    let shade = |value: &f32| {
        let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
        let step = (t * (SHADES - 1.0)).round() / (SHADES - 1.0);
        (RANGE[0] + (RANGE[1] - RANGE[0]) * step).round() as u8
    };
    values.iter().map(shade).collect()
}

/// The 0.5 % and the 99.5 % quantile of `values`.
fn extremes(values: &[f32]) -> [f32; 2] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let few = sorted.len() / 200;
    [sorted[few], sorted[sorted.len() - 1 - few]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn() -> Canvas {
        let mut sheet = canvas().expect("it is small");
        draw(&mut sheet, &mut Watch::start()).expect("nothing fails");
        sheet
    }

    #[test]
    fn every_caption_fits_below_its_tile_in_letters_that_there_are() {
        for NoisePreset { name, title, credit, .. } in NoisePreset::ALL {
            assert!(2 * font::width(title) <= TILE, "{title}");
            assert!(font::width(name) + font::ADVANCE + font::width(credit) <= TILE, "{name} {credit}");
            for letter in [name, title, credit].into_iter().flat_map(|text| text.chars()) {
                assert!(font::has(letter), "the font has no '{letter}'");
            }
        }
    }

    #[test]
    fn a_sheet_has_a_tile_of_full_contrast_for_every_preset() {
        let sheet = drawn();
        assert_eq!(sheet.size, [924, 14 + SHEET.count.div_ceil(5) * 222]);
        for index in 0..SHEET.count {
            let [left, top] = SHEET.position(index);
            let shades = (0..TILE * TILE).map(|i| {
                let (x, y) = (left + i % TILE, top + i / TILE);
                sheet.bytes[(y * 924 + x) as usize]
            });
            let [min, max] = [shades.clone().min(), shades.max()];
            assert_eq!([min, max], [Some(12), Some(244)], "{}", NoisePreset::ALL[index as usize].name);
        }
    }

    #[test]
    fn the_image_in_the_docs_is_what_is_drawn() {
        drawn().assert_is_in_docs("noise_gallery.png", "--gallery");
    }

    #[test]
    fn the_darkest_and_the_lightest_few_do_not_count() {
        let values: Vec<f32> = (0..400_i16).map(f32::from).collect();
        assert_eq!(extremes(&values), [2.0, 397.0]);
    }
}
