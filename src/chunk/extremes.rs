//! The largest and smallest numbers of a chunk, found eight at a time.

/// Columns that are followed apart. A single running minimum would wait for itself at every vertex.
const LANES: usize = 8;

/// The lowest and the highest of many heights, and the largest distance from the coarser surface.
#[derive(Clone, Copy, Debug)]
pub struct Extremes {
    lowest: [f32; LANES],
    highest: [f32; LANES],
    error: [f32; LANES],
}

impl Extremes {
    /// Of nothing.
    pub const fn new() -> Self {
        Self { lowest: [f32::INFINITY; LANES], highest: [f32::NEG_INFINITY; LANES], error: [0.0; LANES] }
    }

    /// Takes in the `heights` of some vertices and those that the coarser level shows there.
    pub fn take_in(&mut self, heights: &[f32], coarse: &[f32]) {
        let (heights, last_heights) = heights.as_chunks::<LANES>();
        let (coarse, last_coarse) = coarse.as_chunks::<LANES>();
        for (heights, coarse) in heights.iter().zip(coarse) {
            for lane in 0..LANES {
                self.take_in_one(lane, heights[lane], coarse[lane]);
            }
        }
        for (lane, (&height, &coarse)) in last_heights.iter().zip(last_coarse).enumerate() {
            self.take_in_one(lane, height, coarse);
        }
    }

    fn take_in_one(&mut self, lane: usize, height: f32, coarse: f32) {
        self.lowest[lane] = self.lowest[lane].min(height);
        self.highest[lane] = self.highest[lane].max(height);
        self.error[lane] = self.error[lane].max((height - coarse).abs());
    }

    /// The lowest and the highest height.
    pub fn height_range(&self) -> [f32; 2] {
        [
            self.lowest.into_iter().fold(f32::INFINITY, f32::min),
            self.highest.into_iter().fold(f32::NEG_INFINITY, f32::max),
        ]
    }

    /// The largest distance from the coarser surface.
    pub fn error(&self) -> f32 {
        self.error.into_iter().fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_are_found_in_every_lane_and_in_the_rest() {
        for count in 1..20 {
            for place in 0..count {
                let mut heights = vec![5.0; count];
                let coarse = heights.clone();
                heights[place] = -2.0;
                let mut extremes = Extremes::new();
                extremes.take_in(&heights, &coarse);
                assert_eq!(extremes.error(), 7.0, "{place} of {count}");
                assert_eq!(extremes.height_range(), [-2.0, if count == 1 { -2.0 } else { 5.0 }], "{place} of {count}");
                heights[place] = 50.0;
                extremes.take_in(&heights, &heights);
                assert_eq!((extremes.error(), extremes.height_range()), (7.0, [-2.0, 50.0]), "{place} of {count}");
            }
        }
    }

    #[test]
    fn heights_that_are_equal_lie_no_distance_apart_however_large() {
        let mut extremes = Extremes::new();
        extremes.take_in(&[f32::INFINITY; 9], &[f32::INFINITY; 9]);
        assert_eq!(extremes.error(), 0.0);
    }
}
