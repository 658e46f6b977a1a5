//! The sky, and the step to the farthest ground.

use super::luma::Luma;
use crate::percentile::percentile;

/// For each column of an image, the number of rows of sky above the ground.
pub struct Skyline(Vec<usize>);

/// The detail at which sky ends. The sky is smooth: a cloud has no edges of one pixel.
const DETAIL: f64 = 2.5 / 255.0;

/// The rows beside the skyline that are neither sky nor ground, but both in one pixel.
const MARGIN: usize = 3;

impl Skyline {
    /// The sky ends where a column has its first detail from above.
    pub fn of(luma: &Luma) -> Self {
        let blurred = luma.blur(1);
        let is_detail = |column: usize, row: usize| (luma.at(column, row) - blurred.at(column, row)).abs() > DETAIL;
        let rows = |column| (0..luma.height).find(|&row| is_detail(column, row)).unwrap_or(luma.height);
        Self((0..luma.width).map(rows).collect())
    }

    /// Whether less than one pixel in fifty is sky.
    pub fn is_empty(&self, height: usize) -> bool {
        self.0.iter().sum::<usize>() < self.0.len() * height / 50
    }

    /// The standard deviation of the luma of the sky. `None` without a sky.
    pub fn deviation(&self, luma: &Luma) -> Option<f64> {
        if self.is_empty(luma.height) {
            return None;
        }
        let sky: Vec<f64> = (0..luma.width)
            .flat_map(|column| (0..self.0[column].saturating_sub(MARGIN)).map(move |row| luma.at(column, row)))
            .collect();
        let mean = sky.iter().sum::<f64>() / sky.len() as f64;
        Some((sky.iter().map(|luma| (luma - mean).powi(2)).sum::<f64>() / sky.len() as f64).sqrt())
    }

    /// The median of the steps of the luma from the sky to the ground below it. `None` without a sky or without ground.
    pub fn step(&self, luma: &Luma) -> Option<f64> {
        if self.is_empty(luma.height) {
            return None;
        }
        let step = |(column, end): (usize, &usize)| {
            let below = end + MARGIN;
            (*end > MARGIN && below < luma.height)
                .then(|| (luma.at(column, end - 1 - MARGIN) - luma.at(column, below)).abs())
        };
        percentile(&mut self.0.iter().enumerate().filter_map(step).collect::<Vec<_>>(), 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sky from 0.6 to 0.8 above a ridge of 0.5, with rough ground below.
    fn image() -> Luma {
        let (width, height) = (120, 140);
        let pixels = (0..width * height).map(|index| {
            let (column, row) = (index % width, index / width);
            let ridge = 40 + column / 10;
            match row {
                row if row < ridge => 0.6 + 0.2 * row as f64 / ridge as f64,
                row if row < ridge + 20 => 0.5,
                _ => 0.3 + 0.2 * ((column * 7 + row * 5) % 3) as f64,
            }
        });
        Luma { width, height, pixels: pixels.collect() }
    }

    #[test]
    fn the_sky_ends_at_the_ridge() {
        let luma = image();
        let skyline = Skyline::of(&luma);
        for (column, end) in skyline.0.iter().enumerate() {
            assert!(end.abs_diff(40 + column / 10) <= 2, "column {column}: {end}");
        }
        // Of equal parts from 0.6 to 0.8: 0.2 by the root of 12, less the rows beside the ridge.
        let deviation = skyline.deviation(&luma).expect("there is a sky");
        assert!((deviation - 0.2 / 12_f64.sqrt()).abs() < 0.01, "{deviation}");
        let step = skyline.step(&luma).expect("there is a ridge");
        assert!((step - 0.28).abs() < 0.03, "{step}");
    }

    #[test]
    fn ground_from_above_has_no_sky() {
        let luma = image().crop([0, 80], [120, 60]);
        let skyline = Skyline::of(&luma);
        assert!(skyline.is_empty(luma.height));
        assert_eq!((skyline.deviation(&luma), skyline.step(&luma)), (None, None));
    }

    #[test]
    fn a_sky_without_ground_has_no_step() {
        let luma = image().crop([0, 0], [120, 30]);
        let skyline = Skyline::of(&luma);
        assert!(skyline.deviation(&luma).is_some());
        assert_eq!(skyline.step(&luma), None);
    }
}
