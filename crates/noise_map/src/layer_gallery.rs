//! Every kind of layer, blend and mask side by side, lit from the upper left.

use crate::canvas::Canvas;
use crate::encode::Pixels;
use crate::font;
use crate::sheet::Sheet;
use crate::stop::Stop;
use crate::watch::Watch;
use perlin_terrain::field::{HeightField, NodeGrid, normal_from_neighbors};
use perlin_terrain::noise::NoiseScratch;
use perlin_terrain::settings::TerrainSettings;
use std::io;

/// Side of a tile in pixels.
const TILE: u32 = 168;
/// Pixels below a tile for its caption.
const CAPTION: u32 = 28;
const SHEET: Sheet = Sheet { columns: 5, count: GROUNDS.len() as u32, tile: [TILE; 2], cell: [TILE, TILE + CAPTION] };
/// Metres from one pixel to the next.
const PIXEL: f64 = 12.0;

/// Shades of a tile. More are barely visible, and enlarge the file.
const SHADES: f32 = 40.0;
/// The direction to the light.
const LIGHT: [f32; 3] = [-0.6, 0.53, -0.6];
const TITLE: u8 = 236;

/// A title, and the layers of a tile as a settings file has them.
pub const GROUNDS: [(&str, &str); 25] = [
    ("Noise, Fbm", "(kind: Noise(frequency: 0.001, octaves: 7, height_scale: 400.0))"),
    (
        "Noise, Ridged",
        "(kind: Noise(shape: Ridged, frequency: 0.001, octaves: 6, persistence: 0.4, height_scale: 180.0))",
    ),
    ("Noise, Hybrid", "(kind: Noise(shape: Hybrid, frequency: 0.001, octaves: 6, height_scale: 500.0))"),
    ("Noise, Damped", "(kind: Noise(shape: Damped, frequency: 0.001, octaves: 8, height_scale: 600.0))"),
    (
        "Noise, Billow",
        "(kind: Noise(shape: Billow, frequency: 0.002, octaves: 4, persistence: 0.4, height_scale: 150.0))",
    ),
    (
        "Scatter, Cone",
        "(kind: Scatter(spacing: 600.0, chance: 0.8, radius_min: 150.0, radius_max: 500.0, height_min: 50.0, height_max: 180.0))",
    ),
    (
        "Scatter, Dome",
        "(kind: Scatter(shape: Dome, spacing: 500.0, chance: 0.6, radius_min: 60.0, radius_max: 220.0, height_min: 20.0, height_max: 110.0))",
    ),
    (
        "Scatter, Crater",
        "(kind: Scatter(shape: Crater, spacing: 700.0, chance: 0.8, radius_min: 250.0, radius_max: 600.0, height_min: 90.0, height_max: 220.0, crater_radius: 0.3))",
    ),
    ("Dunes", "(kind: Dunes(wavelength: 190.0, height: 26.0, direction: 0.6, bend_length: 700.0))"),
    (
        "Carve, V",
        "(kind: Carve(bed: -90.0, depth: 90.0, width: 300.0, bed_width: 20.0, wavelength: 700.0, octaves: 3, shape: V))",
    ),
    ("Carve, U", "(kind: Carve(bed: -110.0, depth: 110.0, width: 420.0, bed_width: 90.0, wavelength: 800.0))"),
    (
        "Group, warped",
        "(kind: Group(warp_strength: 160.0, warp_frequency: 0.002, layers: [(kind: Noise(frequency: 0.002, octaves: 3, height_scale: 220.0))]))",
    ),
    (
        "Terrace",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (kind: Terrace(height: 45.0, riser: 0.15))",
    ),
    (
        "Curve",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (kind: Curve(points: [(from: -60.0, to: -20.0), (from: 0.0, to: 0.0), (from: 25.0, to: 110.0), (from: 120.0, to: 140.0)]))",
    ),
    (
        "Erosion",
        "(kind: Noise(frequency: 0.0007, octaves: 3, persistence: 0.4, height_scale: 700.0)), (kind: Erosion(gully_length: 260.0, strength: 0.08, full_slope: 0.5))",
    ),
    (
        "Max",
        "(kind: Noise(frequency: 0.001, octaves: 5, height_scale: 400.0)), (blend: Max, kind: Constant(height: 0.0))",
    ),
    (
        "Max with a radius",
        "(kind: Noise(frequency: 0.001, octaves: 5, height_scale: 400.0)), (blend: Max, blend_radius: 120.0, kind: Constant(height: 0.0))",
    ),
    (
        "Min",
        "(kind: Noise(frequency: 0.001, octaves: 5, height_scale: 400.0)), (blend: Min, kind: Constant(height: 0.0))",
    ),
    (
        "Replace, opacity 0.7",
        "(kind: Noise(frequency: 0.001, octaves: 5, height_scale: 400.0)), (blend: Replace, opacity: 0.7, kind: Constant(height: 0.0))",
    ),
    (
        "Mask, Height",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (masks: [Height(from: 20.0, fade: 20.0)], kind: Noise(frequency: 0.01, octaves: 3, height_scale: 50.0))",
    ),
    (
        "Mask, Slope",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (masks: [Slope(from: 0.35, fade: 0.1)], kind: Noise(frequency: 0.01, octaves: 3, height_scale: 50.0))",
    ),
    (
        "Mask, Noise",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (masks: [Noise(noise: (frequency: 0.0025, octaves: 2))], kind: Noise(frequency: 0.01, octaves: 3, height_scale: 50.0))",
    ),
    (
        "Mask, Point",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (masks: [Point(radius: 400.0, fade: 300.0)], blend: Replace, kind: Constant(height: 0.0))",
    ),
    (
        "Mask, Segment",
        "(kind: Noise(frequency: 0.001, octaves: 4, persistence: 0.4, height_scale: 500.0)), (masks: [Segment(x: -900.0, z: -500.0, end_x: 900.0, end_z: 600.0, radius: 100.0, fade: 150.0)], blend: Replace, kind: Constant(height: 0.0))",
    ),
    (
        "Mask, Layer",
        "(name: \"plateaus\", blend: Max, blend_radius: 20.0, kind: Noise(frequency: 0.001, octaves: 3, persistence: 0.4, height_scale: 500.0)), (masks: [Layer(layer: \"plateaus\", from: 50.0, fade: 30.0)], kind: Noise(shape: Ridged, frequency: 0.006, octaves: 3, height_scale: 40.0))",
    ),
];

/// An empty sheet with room for all grounds.
pub fn canvas() -> Result<Canvas, Stop> {
    SHEET.canvas(Pixels::Gray8)
}

/// Draws all grounds.
pub fn draw(sheet: &mut Canvas, watch: &mut Watch) -> io::Result<()> {
    for ((title, layers), index) in GROUNDS.iter().zip(0..) {
        watch.note_progress(f64::from(index) / f64::from(SHEET.count))?;
        let [left, top] = SHEET.position(index);
        sheet.put([left, top], TILE, &tile(layers));
        let middle = left + (TILE - font::width(title)) / 2;
        sheet.write([middle, top + TILE + 8], 1, TITLE, title);
    }
    Ok(())
}

/// The light on the ground that `layers` make.
fn tile(layers: &str) -> Vec<u8> {
    let settings = TerrainSettings::from_ron(&format!("(version: 2, field: (seed: 3, layers: [{layers}]))"));
    let field = HeightField::new(&settings.expect("a test reads all of them").field);
    // A row and a column more on each side, for the slopes.
    let side = TILE as usize + 2;
    let half = -i64::from(TILE / 2);
    let grid = NodeGrid { origin: [half; 2], stride: 1, size: [side; 2], spacing: PIXEL };
    let mut heights = Vec::new();
    field.fill(&grid, &mut NoiseScratch::default(), &mut heights);
    let at = |x: usize, z: usize| heights[z * side + x];
    let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
    let shade = |x: usize, z: usize| {
        let normal = normal_from_neighbors([at(x - 1, z), at(x + 1, z), at(x, z + 1), at(x, z - 1)], PIXEL as f32);
        let light: f32 = normal.iter().zip(LIGHT).map(|(normal, light)| normal * light).sum();
        // Ground in the shade has a shape too. Higher ground is lighter.
        let high = (at(x, z) - low) / (high - low).max(1.0);
        let shade = (0.5 + 0.5 * light) * (0.55 + 0.45 * high);
        ((shade.clamp(0.0, 1.0) * (SHADES - 1.0)).round() / (SHADES - 1.0) * 250.0) as u8
    };
    (1..side - 1).flat_map(|z| (1..side - 1).map(move |x| (x, z))).map(|(x, z)| shade(x, z)).collect()
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
    fn every_title_fits_below_its_tile_in_letters_that_there_are() {
        for (title, _) in GROUNDS {
            assert!(font::width(title) <= TILE, "{title}");
            assert_eq!(title.chars().find(|&letter| !font::has(letter)), None, "{title}");
        }
    }

    #[test]
    fn the_image_in_the_docs_is_what_is_drawn() {
        drawn().assert_is_in_docs("layer_gallery.png", "--layer-gallery");
    }
}
