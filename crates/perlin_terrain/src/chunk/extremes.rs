//! The lowest and the highest height of a chunk, found eight heights at a time.

/// The number of independent minimums and maximums. With a single one, every step would wait for the previous one.
const LANES: usize = 8;

/// The lowest and the highest of many heights.
#[derive(Clone, Copy, Debug)]
pub struct Extremes {
    lowest: [f32; LANES],
    highest: [f32; LANES],
}

impl Extremes {
    /// The extremes of no heights.
    pub const fn new() -> Self {
        Self { lowest: [f32::INFINITY; LANES], highest: [f32::NEG_INFINITY; LANES] }
    }

    /// Adds `heights`.
    pub fn add(&mut self, heights: &[f32]) {
        let (heights, last_heights) = heights.as_chunks::<LANES>();
        for heights in heights {
            for (lane, &height) in heights.iter().enumerate() {
                self.add_one(lane, height);
            }
        }
        for (lane, &height) in last_heights.iter().enumerate() {
            self.add_one(lane, height);
        }
    }

    fn add_one(&mut self, lane: usize, height: f32) {
        self.lowest[lane] = self.lowest[lane].min(height);
        self.highest[lane] = self.highest[lane].max(height);
    }

    /// The lowest and the highest height.
    pub fn height_range(&self) -> [f32; 2] {
        [
            self.lowest.into_iter().fold(f32::INFINITY, f32::min),
            self.highest.into_iter().fold(f32::NEG_INFINITY, f32::max),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_found_in_every_lane_and_in_the_remainder() {
        for count in 1..20 {
            for index in 0..count {
                let mut heights = vec![5.0; count];
                heights[index] = -2.0;
                let mut extremes = Extremes::new();
                extremes.add(&heights);
                assert_eq!(extremes.height_range(), [-2.0, if count == 1 { -2.0 } else { 5.0 }], "{index} of {count}");
                heights[index] = 50.0;
                extremes.add(&heights);
                assert_eq!(extremes.height_range(), [-2.0, 50.0], "{index} of {count}");
            }
        }
    }
}
