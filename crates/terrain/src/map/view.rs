//! A map on its ground, seen from the south, as a model of the land on a table.

use super::pictures::{Frame, Picture};
use perlin_terrain::chunk::{ChunkLayout, ChunkSettings};
use perlin_terrain::field::HeightField;
use perlin_terrain::ground::{Ground, RaySettings, TileCache};
use perlin_terrain::settings::TerrainSettings;
use std::sync::Arc;

/// The longest side of a square that can be seen from the side, in metres. Rays through a larger one would be longer than rays may be.
pub const MAX_METRES: f64 = 60_000.0;

/// How far the camera looks down: 30 degrees.
const DOWN: [f64; 2] = [0.866_025_403_784_438_6, 0.5];

/// The tangents of half of the horizontal and of the vertical field of view.
const HALF_VIEW: [f64; 2] = [0.4, 0.225];

/// Rays along each side of a pixel.
const RAYS: usize = 2;

const BACKGROUND: [u8; 3] = [206, 214, 222];
const CUT_GROUND: [u8; 3] = [112, 99, 88];
const CUT_WATER: [u8; 3] = [58, 90, 112];

/// The block of land that a map shows, with a camera south of it.
struct Model<'a> {
    map: &'a Picture,
    frame: &'a Frame,
    ground: Ground,
    /// The heights at the pixels of the map.
    heights: Vec<f32>,
    water: Option<f64>,
    /// The lowest and the highest corner of the block.
    corners: [[f64; 3]; 2],
    camera: [f64; 3],
}

/// Draws `map`, a picture of `frame`, on the ground of `settings`. `water` is the height of the water that the map shows.
pub fn view(map: &Picture, frame: &Frame, settings: &TerrainSettings, water: Option<f64>) -> Picture {
    let model = Model::new(map, frame, settings, water);
    let size = [map.size[0], (map.size[0] * 9 / 16).max(1)];
    let mut pixels = Vec::with_capacity(size[0] * size[1]);
    for row in 0..size[1] {
        for column in 0..size[0] {
            let mut sum = [0_u32; 3];
            for ray in 0..RAYS * RAYS {
                let part = |pixel: usize, ray: usize, pixels: usize| {
                    let sample = (pixel * RAYS + ray) as f64 + 0.5;
                    2.0 * sample / (pixels * RAYS) as f64 - 1.0
                };
                let at = [part(column, ray % RAYS, size[0]), -part(row, ray / RAYS, size[1])];
                let color = model.color(at);
                (0..3).for_each(|channel| sum[channel] += u32::from(color[channel]));
            }
            pixels.push(sum.map(|sum| (sum / (RAYS * RAYS) as u32) as u8));
        }
    }
    Picture { size, pixels, caption: map.caption.clone() }
}

impl<'a> Model<'a> {
    fn new(map: &'a Picture, frame: &'a Frame, settings: &TerrainSettings, water: Option<f64>) -> Self {
        let heights = frame.heights(settings);
        let (mut low, mut high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &height| {
            (low.min(height.into()), high.max(height.into()))
        });
        if let Some(level) = water {
            (low, high) = (low.min(level), high.max(level));
        }
        let [west, north, east, south] = frame.edges();
        let width = east - west;
        // A foot below the lowest ground, so valleys at the edge have something to stand on.
        let corners = [[west, low - 0.03 * width, north], [east, high + 1.0, south]];
        let layout = ChunkLayout::new(&ChunkSettings { spacing: frame.spacing(), ..ChunkSettings::default() });
        let tiles = Arc::new(TileCache::new(usize::MAX));
        let ground = Ground::with_tiles(Arc::new(HeightField::new(&settings.field)), layout, tiles);
        let center: [f64; 3] = std::array::from_fn(|axis| (corners[0][axis] + corners[1][axis]) / 2.0);
        // As near as it sees all corners of the block.
        let distance = (0..8).map(|corner| {
            let offset: [f64; 3] = std::array::from_fn(|axis| corners[corner >> axis & 1][axis] - center[axis]);
            let [along, up] = [-offset[2] * DOWN[0] - offset[1] * DOWN[1], offset[1] * DOWN[0] - offset[2] * DOWN[1]];
            (offset[0].abs() / HALF_VIEW[0]).max(up.abs() / HALF_VIEW[1]) * 1.03 - along
        });
        let distance = distance.fold(0.0, f64::max);
        let camera = [center[0], center[1] + distance * DOWN[1], center[2] + distance * DOWN[0]];
        Self { map, frame, ground, heights, water, corners, camera }
    }

    /// The color at a position of the image, from -1 to 1 to the right and up.
    fn color(&self, [right, up]: [f64; 2]) -> [u8; 3] {
        let [right, up] = [right * HALF_VIEW[0], up * HALF_VIEW[1]];
        let direction = [right, up * DOWN[0] - DOWN[1], -DOWN[0] - up * DOWN[1]];
        let Some([enters, leaves]) = self.inside(direction) else { return BACKGROUND };
        let at =
            |distance: f64| -> [f64; 3] { std::array::from_fn(|axis| self.camera[axis] + direction[axis] * distance) };
        let entry = at(enters);
        // Far sooner found than on the ground, for each of many rays.
        if self.between_pixels(entry, |pixel| [self.heights[pixel].into()])[0] >= entry[1] {
            return CUT_GROUND;
        }
        if self.water.is_some_and(|level| level >= entry[1]) {
            return CUT_WATER;
        }
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        let hit = self.ground.ray(entry, direction, &RaySettings::up_to((leaves - enters) * length));
        let hit = hit.map(|hit| hit.position);
        let water = self.water.and_then(|level| {
            let distance = (level - self.camera[1]) / direction[1];
            (enters..leaves).contains(&distance).then(|| at(distance))
        });
        // Of both, the nearer one.
        match (hit, water) {
            (Some(hit), Some(water)) => self.on_map(if hit[2] > water[2] { hit } else { water }),
            (Some(hit), None) | (None, Some(hit)) => self.on_map(hit),
            // It leaves above the ground, or below it through the far side.
            (None, None) => BACKGROUND,
        }
    }

    /// The distances at which a ray from the camera enters and leaves the block, as multiples of `direction`.
    fn inside(&self, direction: [f64; 3]) -> Option<[f64; 2]> {
        let mut range = [0.0, f64::INFINITY];
        for (axis, along) in direction.into_iter().enumerate() {
            let ends = self.corners.map(|corner| (corner[axis] - self.camera[axis]) / along);
            range = [range[0].max(ends[0].min(ends[1])), range[1].min(ends[0].max(ends[1]))];
        }
        (range[0] < range[1]).then_some(range)
    }

    /// The color of the map at a position.
    fn on_map(&self, position: [f64; 3]) -> [u8; 3] {
        self.between_pixels(position, |pixel| self.map.pixels[pixel].map(f64::from))
            .map(|channel| (channel + 0.5) as u8)
    }

    /// The mean of what the four nearest pixels of the map have, as far as a position is near to each.
    fn between_pixels<const N: usize>(&self, [x, _, z]: [f64; 3], of: impl Fn(usize) -> [f64; N]) -> [f64; N] {
        let [west, north, ..] = self.frame.edges();
        let size = self.map.size[0];
        let [column, row] = [x - west, z - north].map(|metres| (metres / self.frame.spacing()).max(0.0));
        let [left, top] = [column as usize, row as usize];
        let [across, down] = [column.fract(), row.fract()];
        let pixel = |column: usize, row: usize| of(row.min(size - 1) * size + column.min(size - 1));
        let corners = [pixel(left, top), pixel(left + 1, top), pixel(left, top + 1), pixel(left + 1, top + 1)];
        let mix = |a: f64, b: f64, part: f64| a + (b - a) * part;
        std::array::from_fn(|channel| {
            let [north_west, north_east, south_west, south_east] = corners.map(|corner| corner[channel]);
            mix(mix(north_west, north_east, across), mix(south_west, south_east, across), down)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str, metres: f64, water: Option<f64>) -> Picture {
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let frame = Frame::new([300.0, -200.0], metres, 80);
        let map = Picture { size: [80; 2], pixels: vec![[10, 200, 30]; 80 * 80], caption: "a map".to_owned() };
        view(&map, &frame, &settings, water)
    }

    fn at(picture: &Picture, column: usize, row: usize) -> [u8; 3] {
        picture.pixels[row * picture.size[0] + column]
    }

    /// The part of the pixels with a color.
    fn part(picture: &Picture, color: [u8; 3]) -> f64 {
        picture.pixels.iter().filter(|pixel| **pixel == color).count() as f64 / picture.pixels.len() as f64
    }

    #[test]
    fn all_of_the_square_is_in_the_picture_with_a_cut_in_front() {
        for metres in [100.0, 8000.0, MAX_METRES] {
            let picture = seen("(field: (base_height: 7.0, layers: []))", metres, None);
            assert_eq!(picture.size, [80, 45]);
            assert_eq!(at(&picture, 40, 22), [10, 200, 30]);
            let map = part(&picture, [10, 200, 30]);
            assert!((0.3..0.8).contains(&map), "{metres} m: {map}");
            assert!((0.02..0.2).contains(&part(&picture, CUT_GROUND)), "{metres} m");
            let corners = [[0, 0], [79, 0], [0, 44], [79, 44]].map(|[column, row]| at(&picture, column, row));
            assert_eq!(corners, [BACKGROUND; 4], "{metres} m");
        }
    }

    #[test]
    fn a_hill_hides_what_is_behind_it_and_stands_out_at_the_edge() {
        let hill = |z: f64| {
            let mask = format!("masks: [Point(x: 300.0, z: {z}, radius: 1.0, fade: 900.0)]");
            seen(&format!("(field: (layers: [({mask}, kind: Constant(height: 900.0))]))"), 4000.0, None)
        };
        // A hill in the middle of the southern edge is cut in two.
        let cut = part(&hill(1800.0), CUT_GROUND) - part(&hill(-200.0), CUT_GROUND);
        assert!(cut > 0.03, "{cut}");
        let above = |picture: &Picture| {
            let is_ground = |row: &usize| at(picture, 40, *row) == [10, 200, 30];
            (0..45).find(is_ground).expect("there is ground")
        };
        let flat = seen("(field: (base_height: 450.0, layers: []))", 4000.0, None);
        assert!(above(&hill(-2100.0)) < above(&flat), "a hill at the northern edge rises into the background");
    }

    #[test]
    fn water_covers_low_ground() {
        let sea = seen("(field: (base_height: -400.0, layers: []))", 4000.0, Some(0.0));
        assert_eq!(at(&sea, 40, 22), [10, 200, 30]);
        assert!(part(&sea, CUT_WATER) > 0.05 && part(&sea, CUT_GROUND) > 0.01);
        let land = seen("(field: (base_height: 40.0, layers: []))", 4000.0, Some(0.0));
        assert_eq!(part(&land, CUT_WATER), 0.0);
    }
}
