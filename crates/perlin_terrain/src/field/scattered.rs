//! Heights at any positions, many at once.

use super::HeightField;
use super::positions::AnyPositions;
use super::positions::MAX_PLANES;
use crate::noise::FixedCoord;

/// Positions at a time: those that the noise takes at once.
const BLOCK: usize = 128;

impl HeightField {
    /// Writes the height at each of `positions`, as x and z in metres, into `heights`: the same bits as [`height`](Self::height),
    /// several times as fast. Allocates nothing.
    ///
    /// Use it for positions that are not on a grid, and give it many at once. It is fastest if neighbors in the list lie within
    /// 2000 km.
    ///
    /// # Panics
    ///
    /// If `heights` does not have one element for each of `positions`.
    ///
    /// ```
    /// use perlin_terrain::field::{FieldSettings, HeightField};
    ///
    /// let field = HeightField::new(&FieldSettings::default());
    /// let mut heights = [0.0; 3];
    /// field.heights_at(&[[0.5, 7.25], [1e6, -3.0], [12.0, 99.9]], &mut heights);
    /// assert_eq!(heights[1], field.height(1e6, -3.0));
    /// ```
    pub fn heights_at(&self, positions: &[[f64; 2]], heights: &mut [f32]) {
        assert_eq!(positions.len(), heights.len(), "one height for each position");
        let mut coords = [[FixedCoord::default(); 2]; BLOCK];
        let mut planes = [[0.0; BLOCK]; MAX_PLANES];
        let planes = planes.as_flattened_mut();
        for (positions, heights) in positions.chunks(BLOCK).zip(heights.chunks_mut(BLOCK)) {
            let coords = &mut coords[..positions.len()];
            coords.iter_mut().zip(positions).for_each(|(coord, position)| *coord = position.map(FixedCoord::from));
            self.program.run(&mut AnyPositions(coords), planes);
            heights.copy_from_slice(&planes[..positions.len()]);
            self.edits.apply_at(coords, heights, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::stack_tests::any_field;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use testing::for_all;

    #[test]
    fn heights_at_any_positions_have_the_bits_of_the_height_at_each() {
        let position = || (select(&[1e4, 1e9]), -0.5..0.5).prop_map(|(range, part)| range * part);
        let positions = vec((position(), position()), 0..300);
        for_all(100, (any_field(), positions), |(settings, positions)| {
            let field = HeightField::new(&settings);
            let positions: Vec<[f64; 2]> = positions.into_iter().map(Into::into).collect();
            let mut heights = vec![f32::NAN; positions.len()];
            field.heights_at(&positions, &mut heights);
            for (&[x, z], height) in positions.iter().zip(&heights) {
                assert_eq!(height.to_bits(), field.height(x, z).to_bits(), "at {x}, {z}");
            }
        });
    }
}
