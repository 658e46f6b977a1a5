//! A small map of the height field with a histogram. A pure function, so it can run in a task.

use crate::field::{HeightField, NodeGrid, normal_from_neighbors};
use crate::noise::{NoiseScratch, TICKS_PER_UNIT};

/// A map of a square of ground, north up, with a histogram of its heights.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeightMap {
    /// Colors in sRGB, row by row from the north-west corner, [`SIZE`](Self::SIZE) pixels along each side.
    pub pixels: Vec<[u8; 3]>,
    /// The number of pixels in each bin. The bins divide the heights from [`min`](Self::min) to [`max`](Self::max) evenly.
    pub histogram: [u32; Self::BINS],
    /// The lowest height, in metres.
    pub min: f32,
    /// The mean height, in metres.
    pub mean: f32,
    /// The highest height, in metres.
    pub max: f32,
    /// The center of the map on the ground: x and z, in metres.
    pub center: [f64; 2],
    /// The side length of the map on the ground, in metres.
    pub extent: f64,
}

/// Height colors from the lowest to the highest ground, evenly spaced: valley, meadow, dry slope, rock, snow.
const COLORS: [[f32; 3]; 5] =
    [[58.0, 88.0, 62.0], [112.0, 132.0, 76.0], [170.0, 152.0, 108.0], [142.0, 124.0, 112.0], [248.0, 246.0, 242.0]];
const DEEP_WATER: [f32; 3] = [20.0, 52.0, 84.0];
const SHALLOW_WATER: [f32; 3] = [66.0, 124.0, 156.0];

/// The unit vector toward the light: north-west, 45 degrees high, as on printed maps.
const LIGHT: [f32; 3] = [-0.5, std::f32::consts::FRAC_1_SQRT_2, -0.5];

impl HeightMap {
    /// Pixels along each side.
    pub const SIZE: usize = 128;
    /// Bins of the histogram.
    pub const BINS: usize = 32;

    /// Draws a map of `extent` by `extent` metres around `center`, in the height colors of a printed map, lit from the north-west.
    /// Ground below `water` metres is blue.
    ///
    /// The center is rounded to whole pixels, so the pixels of overlapping maps agree. If a value is not finite, or if the extent is
    /// not positive, the map shows one kilometre around the origin.
    #[must_use]
    pub fn new(field: &HeightField, center: [f64; 2], extent: f64, water: Option<f32>) -> Self {
        let is_valid = extent.is_finite() && extent > 0.0 && center.iter().all(|position| position.is_finite());
        let (center, extent) = if is_valid { (center, extent) } else { ([0.0; 2], 1000.0) };
        let size = Self::SIZE;
        let spacing = (extent / size as f64 * TICKS_PER_UNIT as f64).round().max(1.0) / TICKS_PER_UNIT as f64;
        // One more pixel on every side, for the slopes.
        let stride = size + 2;
        let origin = center.map(|position| (position / spacing).round() as i64 - (stride / 2) as i64);
        let mut heights = Vec::new();
        field.fill(
            &NodeGrid { origin, stride: 1, size: [stride; 2], spacing },
            &mut NoiseScratch::default(),
            &mut heights,
        );

        let inside = || (1..=size).flat_map(|row| (1..=size).map(move |column| row * stride + column));
        let (mut min, mut max, mut sum) = (f32::INFINITY, f32::NEG_INFINITY, 0.0);
        for at in inside() {
            min = min.min(heights[at]);
            max = max.max(heights[at]);
            sum += f64::from(heights[at]);
        }
        let range = max - min;
        // Wide, low ground would look flat. Exaggerate the relief to a fifth of the width, at most by ten.
        let lift = (0.2 * extent as f32 / range.max(f32::MIN_POSITIVE)).clamp(1.0, 10.0);
        let mut histogram = [0; Self::BINS];
        let mut pixels = Vec::with_capacity(size * size);
        for at in inside() {
            let height = heights[at];
            let part = if range > 0.0 { (height - min) / range } else { 0.0 };
            histogram[((part * Self::BINS as f32) as usize).min(Self::BINS - 1)] += 1;
            let neighbors = [at - 1, at + 1, at - stride, at + stride].map(|near| heights[near] * lift);
            let normal = normal_from_neighbors(neighbors, spacing as f32);
            pixels.push(match water {
                Some(level) if height < level => sea_color((level - height) / (level - min)),
                // The lowest color is at the shore.
                Some(level) if level > min => land_color((height - level) / (max - level), normal),
                _ => land_color(part, normal),
            });
        }
        let mean = (sum / (size * size) as f64) as f32;
        let center = origin.map(|first| (first + (stride / 2) as i64) as f64 * spacing);
        Self { pixels, histogram, min, mean, max, center, extent }
    }

    /// The position of `(x, z)` on the map: 0 to 1 from west to east and from north to south. Other numbers are outside.
    #[must_use]
    pub fn position(&self, [x, z]: [f64; 2]) -> [f32; 2] {
        [(x - self.center[0]) / self.extent + 0.5, (z - self.center[1]) / self.extent + 0.5].map(|part| part as f32)
    }
}

/// The color of water. `deep` is 1 at the deepest point.
fn sea_color(deep: f32) -> [u8; 3] {
    mix(SHALLOW_WATER, DEEP_WATER, deep.clamp(0.0, 1.0).sqrt()).map(|channel| channel as u8)
}

/// The color of dry ground. `high` is 1 at the highest point.
fn land_color(high: f32, normal: [f32; 3]) -> [u8; 3] {
    let step = if high.is_finite() { high.clamp(0.0, 1.0) } else { 0.0 } * (COLORS.len() - 1) as f32;
    let index = (step as usize).min(COLORS.len() - 2);
    let ground = mix(COLORS[index], COLORS[index + 1], step - index as f32);
    let light: f32 = normal.iter().zip(LIGHT).map(|(n, l)| n * l).sum();
    // Level ground keeps its color.
    let shade = 0.35 + 0.65 * light.max(0.0) / LIGHT[1];
    ground.map(|channel| (channel * shade).clamp(0.0, 255.0) as u8)
}

fn mix(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FieldSettings;

    fn map(center: [f64; 2], extent: f64, water: Option<f32>) -> HeightMap {
        HeightMap::new(&HeightField::new(&FieldSettings::default()), center, extent, water)
    }

    #[test]
    fn the_histogram_counts_every_pixel_and_the_heights_are_those_of_the_field() {
        let map = map([1234.5, -99.0], 4000.0, None);
        assert_eq!(map.pixels.len(), HeightMap::SIZE * HeightMap::SIZE);
        assert_eq!(map.histogram.iter().sum::<u32>() as usize, map.pixels.len());
        assert!(map.histogram[0] > 0 && map.histogram[HeightMap::BINS - 1] > 0, "both ends are reached");
        assert!(map.min < map.mean && map.mean < map.max);
        let field = HeightField::new(&FieldSettings::default());
        let (lowest, highest) = field.bounds();
        assert!(lowest <= map.min && map.max <= highest);
        let step = map.extent / HeightMap::SIZE as f64;
        let corner = field.height(map.center[0] - 64.0 * step, map.center[1] - 64.0 * step);
        assert!((map.min..=map.max).contains(&corner));
    }

    #[test]
    fn flat_ground_has_one_color_and_one_bar() {
        let field = HeightField::new(&FieldSettings { base_height: 12.0, layers: vec![], seed: 0, edits: vec![] });
        let map = HeightMap::new(&field, [0.0; 2], 1000.0, None);
        assert!(map.pixels.iter().all(|pixel| *pixel == map.pixels[0]));
        assert_eq!(map.histogram[0] as usize, map.pixels.len());
        assert_eq!([map.min, map.mean, map.max], [12.0; 3]);
    }

    #[test]
    fn water_is_blue_and_land_is_not() {
        let is_blue = |pixel: &[u8; 3]| pixel[2] > pixel[0] && pixel[2] > pixel[1];
        let dry = map([0.0; 2], 8000.0, None);
        assert!(!dry.pixels.iter().any(is_blue));
        let middle = (dry.min + dry.max) / 2.0;
        let wet = map([0.0; 2], 8000.0, Some(middle)).pixels.iter().filter(|pixel| is_blue(pixel)).count();
        let below: u32 = dry.histogram[..HeightMap::BINS / 2].iter().sum();
        assert!(wet.abs_diff(below as usize) <= 1, "{wet} against {below}");
    }

    #[test]
    fn slopes_toward_the_light_are_brighter() {
        let lit = land_color(0.5, normal_from_neighbors([0.0, 2.0, 0.0, 2.0], 1.0));
        let dark = land_color(0.5, normal_from_neighbors([2.0, 0.0, 2.0, 0.0], 1.0));
        assert!(lit[0] > dark[0] && lit[1] > dark[1]);
    }

    #[test]
    fn the_center_is_in_the_middle_of_the_map() {
        let map = map([5000.0, -3000.0], 2000.0, None);
        for part in map.position([5000.0, -3000.0]) {
            assert!((part - 0.5).abs() < 1.0 / HeightMap::SIZE as f32);
        }
        assert!(map.position([5999.0, -3000.0])[0] > 0.98);
    }

    #[test]
    fn invalid_numbers_do_not_panic() {
        for number in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
            let _ = map([number, 0.0], 1000.0, None);
            let _ = map([0.0, 0.0], number, None);
        }
    }
}
