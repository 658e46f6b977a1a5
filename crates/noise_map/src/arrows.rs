//! The gradients of a lattice, as arrows over a map.

use perlin_terrain::noise::Noise;

/// Cells of fewer pixels have no room for arrows.
pub const MIN_CELL: f64 = 12.0;

/// The length of an arrow for a gradient of length 1, in cells.
const LENGTH: f32 = 0.42;

const COLOR: [f32; 3] = [255.0, 186.0, 40.0];
const EDGE: [f32; 3] = [24.0, 22.0, 20.0];
/// The dark edge around strokes, in pixels.
const EDGE_WIDTH: f32 = 1.2;

/// The gradients of the first octave of a noise.
pub struct Arrows {
    noise: Noise,
    cell: f32,
    /// Half the width of strokes, in pixels.
    half_width: f32,
}

type Point = [f32; 2];

impl Arrows {
    /// The gradients of `noise`, whose cells are `cell_size` pixels wide.
    pub fn new(noise: Noise, cell_size: f64) -> Self {
        let cell = cell_size as f32;
        Self { noise, cell, half_width: (cell / 64.0).clamp(0.6, 1.5) }
    }

    /// Draws all arrows that reach into a band of `columns` by `rows` pixels of red, green and blue, the first of which lies
    /// at `origin`.
    pub fn draw(&self, origin: [f64; 2], [columns, rows]: [usize; 2], bytes: &mut [u8]) {
        let mut band = Band { columns, rows, bytes };
        // No gradient is longer than sqrt(2).
        let reach = f64::from(self.cell * LENGTH) * 1.5 + 8.0;
        let max = [origin[0] + columns as f64 + reach, origin[1] + rows as f64 + reach];
        for node in self.noise.nodes(0, origin.map(|coordinate| coordinate - reach), max) {
            let at = [0, 1].map(|axis| (node.position[axis] - origin[axis]) as f32);
            let arrow = node.gradient.map(|component| component as f32 * self.cell * LENGTH);
            self.draw_arrow(&mut band, at, arrow);
        }
    }

    fn draw_arrow(&self, band: &mut Band<'_>, at: Point, arrow: Point) {
        let tip = [at[0] + arrow[0], at[1] + arrow[1]];
        // Two strokes, a third of the arrow long, turned by 30 degrees to either side.
        let (cos, sin) = (0.866_025_4 * 0.34, 0.5 * 0.34);
        let head = |sin: f32| [tip[0] - cos * arrow[0] + sin * arrow[1], tip[1] - cos * arrow[1] - sin * arrow[0]];
        let strokes = [(at, tip), (tip, head(sin)), (tip, head(-sin))];
        let dot = self.half_width + 1.2;
        for (edge, color) in [(EDGE_WIDTH, EDGE), (0.0, COLOR)] {
            for (from, to) in strokes {
                band.stroke(from, to, self.half_width + edge, color);
            }
            band.stroke(at, at, dot + edge, color);
        }
    }
}

/// Rows of pixels to draw on.
struct Band<'a> {
    columns: usize,
    rows: usize,
    bytes: &'a mut [u8],
}

impl Band<'_> {
    /// Draws a line with round ends and soft edges. Pixel centers lie at whole numbers.
    fn stroke(&mut self, from: Point, to: Point, half_width: f32, color: [f32; 3]) {
        let reach = half_width + 1.0;
        let range = |axis: usize, count: usize| {
            let (low, high) = (from[axis].min(to[axis]) - reach, from[axis].max(to[axis]) + reach);
            // `as` saturates: what lies above or to the left of the band begins at 0.
            low.ceil() as usize..((high + 1.0).floor() as usize).min(count)
        };
        for y in range(1, self.rows) {
            for x in range(0, self.columns) {
                let covered = (half_width + 0.5 - distance([x as f32, y as f32], from, to)).clamp(0.0, 1.0);
                if covered > 0.0 {
                    let start = (y * self.columns + x) * 3;
                    for (byte, channel) in self.bytes[start..start + 3].iter_mut().zip(color) {
                        let old = f32::from(*byte);
                        *byte = (old + covered * (channel - old)).round() as u8;
                    }
                }
            }
        }
    }
}

/// The distance of `point` from the line between two points.
fn distance(point: Point, from: Point, to: Point) -> f32 {
    let [along, away] = [[to[0] - from[0], to[1] - from[1]], [point[0] - from[0], point[1] - from[1]]];
    let length = along[0] * along[0] + along[1] * along[1];
    let t = if length > 0.0 { ((along[0] * away[0] + along[1] * away[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    let [x, y] = [away[0] - t * along[0], away[1] - t * along[1]];
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_terrain::noise::NoisePreset;

    fn arrows() -> (Noise, Arrows) {
        let preset = NoisePreset::find("one_octave").expect("the name of a preset");
        let noise = preset.noise_with_cells_of(40.0, 42);
        (noise.clone(), Arrows::new(noise, 40.0))
    }

    #[test]
    fn an_arrow_leaves_every_node_along_its_gradient() {
        let (noise, arrows) = arrows();
        let mut bytes = vec![0; 220 * 180 * 3];
        arrows.draw([-30.0, -30.0], [220, 180], &mut bytes);
        let is_lit =
            |x: f64, y: f64| bytes[((y + 30.0).round() as usize * 220 + (x + 30.0).round() as usize) * 3] > 150;
        let mut count = 0;
        for node in noise.nodes(0, [0.0; 2], [160.0, 120.0]) {
            let [x, y] = node.position;
            let [gx, gy] = node.gradient.map(|component| component * 40.0 * f64::from(LENGTH) * 0.8);
            assert!(is_lit(x, y) && is_lit(x + gx, y + gy), "at {x}, {y}");
            assert!(!is_lit(x - gx, y - gy), "at {x}, {y}");
            count += 1;
        }
        assert_eq!(count, 20);
    }

    #[test]
    fn bands_meet() {
        let (_, arrows) = arrows();
        let mut whole = vec![90; 100 * 90 * 3];
        arrows.draw([3.0, 7.0], [100, 90], &mut whole);
        let mut bands = Vec::new();
        for first in [0, 30, 60] {
            let mut band = vec![90; 100 * 30 * 3];
            arrows.draw([3.0, 7.0 + f64::from(first)], [100, 30], &mut band);
            bands.extend(band);
        }
        // Positions are rounded to pixels of the band.
        let apart = whole.iter().zip(&bands).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(apart <= Some(1), "{apart:?}");
    }

    #[test]
    fn distances_end_at_the_ends_of_a_line() {
        let line = |point| distance(point, [0.0, 0.0], [10.0, 0.0]);
        assert_eq!([line([5.0, 3.0]), line([-4.0, 3.0]), line([13.0, 4.0])], [3.0, 5.0, 5.0]);
        assert_eq!(distance([3.0, 4.0], [0.0; 2], [0.0; 2]), 5.0);
    }
}
