//! The color of water: what it scatters, and what it absorbs.

/// The refractive index of water, squared.
pub const INDEX_SQUARED: f32 = 1.777;

/// How water colors what is in it.
///
/// Water looks like its color where it is deep. Where it is shallow, the bottom shows, as far as the water is clear: light of a color
/// that deep water scatters back is also absorbed least, so red is lost first in blue water.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaterColor {
    /// The part of the light that deep water scatters back, for red, green and blue.
    pub scattered: [f32; 3],
    /// How much of the light is lost on its way, per metre: a part `1 - exp(-absorption * metres)`.
    pub absorption: [f32; 3],
}

impl WaterColor {
    /// Water of this color, as linear red, green and blue from 0 to 1. The tenth part of the light of the bottom comes back from a
    /// depth of `clarity` metres, of the color that is absorbed least.
    #[must_use]
    pub fn new(color: [f32; 3], clarity: f32) -> Self {
        // The root, and a limit, keep water of a strong color from painting what lies in it.
        const MOST: f32 = 6.0;
        let brightest = color.into_iter().fold(0.0, f32::max);
        let least = std::f32::consts::LN_10 / (2.0 * clarity);
        let absorption = color.map(|part| if part > 0.0 { (brightest / part).sqrt().min(MOST) } else { MOST });
        let absorption = if brightest > 0.0 { absorption } else { [1.0; 3] };
        Self { scattered: color, absorption: absorption.map(|factor| least * factor) }
    }

    /// The part of the light of a bottom `depth` metres below the surface that comes back to the air along a ray with this cosine to the
    /// vertical. Light goes down, and comes back along the ray, which bends at the surface.
    #[must_use]
    pub fn transmitted(&self, depth: f32, cosine: f32) -> [f32; 3] {
        let path = depth * (1.0 + 1.0 / (1.0 - (1.0 - cosine * cosine) / INDEX_SQUARED).sqrt());
        self.absorption.map(|absorption| libm::expf(-path * absorption))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEA: [f32; 3] = [0.004, 0.04, 0.073];

    #[test]
    fn at_the_depth_of_its_clarity_a_tenth_of_the_bottom_comes_back() {
        for clarity in [0.3, 6.0, 80.0] {
            let [red, green, blue] = WaterColor::new(SEA, clarity).transmitted(clarity, 1.0);
            assert!((blue - 0.1).abs() < 1e-4, "{blue} at {clarity} m");
            assert!(red < green && green < blue, "blue water keeps blue longest");
        }
    }

    #[test]
    fn light_is_lost_with_depth_and_less_in_clearer_water_and_where_one_looks_straight_down() {
        let left = |clarity, depth, cosine| WaterColor::new(SEA, clarity).transmitted(depth, cosine);
        for i in 0..3 {
            let depths: Vec<f32> = (0..40).map(|step| left(6.0, step as f32 * 0.5, 0.7)[i]).collect();
            assert!(depths.windows(2).all(|pair| pair[1] < pair[0]), "{depths:?}");
            assert_eq!(depths[0], 1.0);
            assert!(left(12.0, 2.0, 0.7)[i] > left(6.0, 2.0, 0.7)[i]);
            assert!(left(6.0, 2.0, 1.0)[i] > left(6.0, 2.0, 0.1)[i]);
            // The ray bends, so even along the surface the way back is only half as long again.
            assert!(left(6.0, 2.0, 0.0)[i] > left(6.0, 2.0, 1.0)[i].powf(1.3));
        }
    }

    #[test]
    fn any_color_gives_numbers() {
        for color in [[0.0; 3], [1.0; 3], [1.0, 0.0, 0.0], [1e-30, 0.5, 1.0]] {
            let water = WaterColor::new(color, 0.3);
            assert!(water.absorption.iter().all(|part| part.is_finite() && *part > 0.0), "{water:?}");
        }
    }
}
