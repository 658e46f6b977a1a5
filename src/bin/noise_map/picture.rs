//! The picture: noise sampled at every pixel, as shades of gray.

use crate::request::Request;
use bevy_perlin_terrain::noise::{GradientGrid, NoiseRng, Perlin};

/// Shades of gray, row by row from the top: 0 is black.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// `width * height` of them.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Samples the noise at `(X / cell_size, Y / cell_size)` for every pixel `(X, Y)`.
    ///
    /// The first pixel of a cell lies on its node, where noise is zero. The noise is drawn as it is, not stretched to the full
    /// range: it stays within sqrt(1/2), which is shades 37 to 218.
    pub fn draw(request: &Request) -> Self {
        let nodes = request.cells().map(|cells| cells + 1);
        let lattice = GradientGrid::new(&mut NoiseRng::new(request.seed, 0), nodes);
        let noise = Perlin::new(lattice, request.fade);
        let (width, height) = (request.width, request.height);
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            let y = f64::from(y) / request.cell_size;
            pixels.extend((0..width).map(|x| gray(noise.value([f64::from(x) / request.cell_size, y]))));
        }
        Self { width, height, pixels }
    }
}

/// -1 is black, 1 white; what lies beyond is clamped.
pub fn gray(value: f64) -> u8 {
    (255.0 * (value + 1.0) / 2.0).round().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::parse;
    use bevy_perlin_terrain::noise::{Fade, Lattice};

    fn request(line: &str) -> Request {
        parse(["noise_map"].into_iter().chain(line.split_whitespace()).map(Into::into)).unwrap()
    }

    fn draw(line: &str) -> Picture {
        Picture::draw(&request(line))
    }

    #[test]
    fn shades_run_from_black_to_white_and_are_clamped() {
        let shades = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0].map(gray);
        // Zero is 127.5, which rounds away from zero.
        assert_eq!(shades, [0, 0, 64, 128, 191, 255, 255]);
    }

    #[test]
    fn the_first_pixel_of_every_cell_is_middle_gray() {
        let picture = draw("100 60 20 42");
        assert_eq!(picture.pixels.len(), 6000);
        for (x, y) in (0..5).flat_map(|x| (0..3).map(move |y| (x * 20, y * 20))) {
            assert_eq!(picture.pixels[y * 100 + x], 128, "at {x}, {y}");
        }
        assert!(picture.pixels.iter().any(|&shade| shade != 128));
    }

    #[test]
    fn a_pixel_on_a_grid_line_depends_on_its_two_neighbors_alone() {
        // 3 by 2 cells have 4 by 3 nodes, filled row by row.
        let grid = GradientGrid::new(&mut NoiseRng::new(7, 0), [4, 3]);
        let picture = draw("30 20 10 7 --fade linear");
        for x in 0..30_u32 {
            let (cell, t) = (i64::from(x / 10), f64::from(x % 10) / 10.0);
            let (left, right) = (grid.gradient([cell, 1])[0], grid.gradient([cell + 1, 1])[0]);
            let expected = gray((1.0 - t) * left * t + t * right * (t - 1.0));
            assert!(picture.pixels[300 + x as usize].abs_diff(expected) <= 1, "at {x}: rounding alone may differ");
        }
    }

    #[test]
    fn the_middle_of_a_cell_is_the_mean_of_its_four_corners() {
        let grid = GradientGrid::new(&mut NoiseRng::new(9, 0), [2, 2]);
        let corners = [(0, 0, 1.0, 1.0), (1, 0, -1.0, 1.0), (0, 1, 1.0, -1.0), (1, 1, -1.0, -1.0)];
        let mean = corners.map(|(x, y, sx, sy)| {
            let [gx, gy] = grid.gradient([x, y]);
            (gx * sx + gy * sy) * 0.5 / 4.0
        });
        for fade in ["linear", "cubic", "quintic"] {
            let picture = draw(&format!("10 10 10 9 --fade {fade}"));
            assert!(picture.pixels[55].abs_diff(gray(mean.iter().sum())) <= 1, "{fade}");
        }
    }

    #[test]
    fn seeds_and_fades_change_the_picture_and_nothing_else_does() {
        let first = draw("64 64 16 1");
        assert_eq!(first, draw("64 64 16 1 elsewhere.png"));
        assert_ne!(first, draw("64 64 16 2"));
        let [linear, cubic] = [Fade::Linear, Fade::Cubic].map(|fade| Request { fade, ..request("64 64 16 1") });
        assert_ne!(first, Picture::draw(&linear));
        assert_ne!(Picture::draw(&cubic), Picture::draw(&linear));
    }

    #[test]
    fn neighboring_pixels_differ_little() {
        let picture = draw("400 300 50 3");
        for row in picture.pixels.chunks(400) {
            for pair in row.windows(2) {
                // The quintic's slope is at most 15/8 and the corners' planes differ by up to 2 sqrt(2): below 7 units a cell,
                // 7 * 127.5 / 50 = 18 shades a pixel.
                assert!(pair[0].abs_diff(pair[1]) <= 18);
            }
        }
    }

    #[test]
    fn a_picture_smaller_than_its_cell_is_drawn() {
        assert_eq!(draw("3 2 1000.5 5").pixels.len(), 6);
        assert_eq!(draw("1 1 2 5").pixels, [128]);
    }
}
