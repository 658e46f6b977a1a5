//! Shade of the ground beyond the reach of shadow maps: how much of the sky a place sees, and whether hills hide the sun from it.

use crate::field::{HeightField, NodeGrid};
use crate::noise::NoiseScratch;

/// A square map of shade around a viewer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShadeMap {
    /// x and z of the corner of the first texel, in metres.
    pub corner: [f64; 2],
    /// The width of a texel in metres.
    pub texel: f64,
    /// Two bytes for each texel: how open it is to the sky, and how much of the sun it sees.
    pub texels: Vec<u8>,
}

impl ShadeMap {
    /// The number of texels along a side.
    pub(crate) const SIZE: usize = 512;

    /// Computes the map around `center`. `sun` is the unit vector toward the sun, with y up.
    pub(crate) fn new(field: &HeightField, center: [f64; 2], texel: f64, sun: [f32; 3]) -> Self {
        let first = center.map(|place| (place / texel).round() as i64 - Self::SIZE as i64 / 2);
        let mut heights = Vec::new();
        let grid = NodeGrid { origin: first, stride: 1, size: [Self::SIZE; 2], spacing: texel };
        field.fill(&grid, &mut NoiseScratch::default(), &mut heights);
        Self {
            // A height is in the middle of its texel.
            corner: first.map(|index| (index as f64 - 0.5) * texel),
            texel,
            texels: Relief { heights, texel: texel as f32 }.shade(sun),
        }
    }

    /// The side of the map in metres.
    pub(crate) fn extent(&self) -> f64 {
        Self::SIZE as f64 * self.texel
    }
}

/// The heights of a map, in metres.
struct Relief {
    heights: Vec<f32>,
    texel: f32,
}

impl Relief {
    /// The distances in texels at which a place looks for the horizon.
    const STEPS: [f32; 8] = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0];

    fn shade(&self, sun: [f32; 3]) -> Vec<u8> {
        let size = ShadeMap::SIZE;
        let byte = |part: f32| (part * 255.0 + 0.5) as u8;
        let mut texels = Vec::with_capacity(2 * size * size);
        for row in 0..size {
            for column in 0..size {
                texels.push(byte(self.openness(column, row)));
                texels.push(byte(self.sunlit(column, row, sun)));
            }
        }
        texels
    }

    /// The height `steps` texels from a place, at the nearest texel. `None` outside of the map.
    fn height(&self, column: f32, row: f32) -> Option<f32> {
        let size = ShadeMap::SIZE as f32;
        let is_inside = |index: f32| (-0.5..size - 0.5).contains(&index);
        (is_inside(column) && is_inside(row))
            .then(|| self.heights[(row + 0.5) as usize * ShadeMap::SIZE + (column + 0.5) as usize])
    }

    /// The part of the light of an even sky that arrives at a place: the mean of `cos²` of the horizon's height over eight
    /// directions.
    fn openness(&self, column: usize, row: usize) -> f32 {
        const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
        let directions: [[f32; 2]; 8] = [
            [1.0, 0.0],
            [DIAGONAL, DIAGONAL],
            [0.0, 1.0],
            [-DIAGONAL, DIAGONAL],
            [-1.0, 0.0],
            [-DIAGONAL, -DIAGONAL],
            [0.0, -1.0],
            [DIAGONAL, -DIAGONAL],
        ];
        let (x, z) = (column as f32, row as f32);
        let here = self.heights[row * ShadeMap::SIZE + column];
        let open = directions.map(|[dx, dz]| {
            let horizon = Self::STEPS
                .into_iter()
                .map_while(|step| Some((self.height(x + step * dx, z + step * dz)? - here) / (step * self.texel)))
                .fold(0.0, f32::max);
            1.0 / (1.0 + horizon * horizon)
        });
        open.iter().sum::<f32>() / 8.0
    }

    /// How much of the sun a place sees. Its edge is softer than in nature, because the heights are coarse.
    fn sunlit(&self, column: usize, row: usize, [sun_x, sun_y, sun_z]: [f32; 3]) -> f32 {
        const SOFTNESS: f32 = 0.03;
        let level = sun_x.hypot(sun_z);
        if sun_y <= 0.0 {
            return 0.0;
        }
        if level < 1e-3 {
            return 1.0;
        }
        let (dx, dz, rise) = (sun_x / level, sun_z / level, sun_y / level);
        let (x, z) = (column as f32, row as f32);
        let here = self.heights[row * ShadeMap::SIZE + column];
        let mut horizon = f32::NEG_INFINITY;
        // The slope of the place itself shades it too, so the first step is wide.
        let mut step = 2.0;
        while let Some(height) = self.height(x + step * dx, z + step * dz) {
            horizon = horizon.max((height - here) / (step * self.texel));
            step *= 1.09;
        }
        ((rise - horizon) / SOFTNESS + 0.5).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A relief with a wall of 320 m from column 300 to 315, on texels of 16 m.
    fn wall() -> Relief {
        let size = ShadeMap::SIZE;
        let heights = (0..size * size).map(|i| if (300..316).contains(&(i % size)) { 320.0 } else { 0.0 }).collect();
        Relief { heights, texel: 16.0 }
    }

    #[test]
    fn a_wall_hides_the_sun_as_far_as_its_shadow_reaches() {
        // The sun is in the east, at 26.6 degrees: the shadow is twice as long as the wall is high, which is 40 texels.
        let sun = [2.0 / 5.0_f32.sqrt(), 1.0 / 5.0_f32.sqrt(), 0.0];
        let at = |column| wall().sunlit(column, 200, sun);
        assert_eq!([at(297), at(280), at(266)], [0.0, 0.0, 0.0]);
        assert_eq!([at(250), at(100), at(318)], [1.0, 1.0, 1.0]);
        let evening = [1.0, -0.01, 0.0];
        assert_eq!(wall().sunlit(100, 200, evening), 0.0, "the sun has set");
        assert_eq!(wall().sunlit(298, 200, [0.0, 1.0, 0.0]), 1.0, "the sun is in the zenith");
    }

    #[test]
    fn places_below_a_wall_see_less_of_the_sky() {
        let at = |column| wall().openness(column, 200);
        assert_eq!(at(100), 1.0);
        assert!(at(298) < at(290) && at(290) < at(280) && at(280) < 1.0);
        // Half of the directions are nearly closed.
        assert!((0.5..0.7).contains(&at(299)), "{}", at(299));
    }

    #[test]
    fn a_map_has_the_heights_around_its_center_and_the_same_values_wherever_it_lies() {
        use crate::field::{FieldSettings, Layer};
        let field = HeightField::new(&FieldSettings { layers: vec![Layer::default()], ..FieldSettings::default() });
        let sun = [0.8, 0.36, 0.48];
        let map = ShadeMap::new(&field, [1000.0, -500.0], 16.0, sun);
        assert_eq!(map.corner, [(63.0 - 256.5) * 16.0, (-31.0 - 256.5) * 16.0]);
        assert_eq!(map.texels.len(), 2 * ShadeMap::SIZE * ShadeMap::SIZE);
        // Another map is the same where both are far from a border.
        let other = ShadeMap::new(&field, [1000.0 + 16.0 * 8.0, -500.0], 16.0, sun);
        let open = |map: &ShadeMap, column: usize| map.texels[2 * (256 * ShadeMap::SIZE + column)];
        for column in 100..300 {
            assert_eq!(open(&map, column), open(&other, column - 8));
        }
    }
}
