//! Heights at any places, many at once.

use super::HeightField;
use super::places::AnyPlaces;
use super::places::MAX_PLANES;
use crate::noise::FixedCoord;

/// Places at a time: those that the noise takes at once.
const BLOCK: usize = 128;

impl HeightField {
    /// Writes the height at each of `places`, as x and z in metres, into `heights`: the same bits as [`height`](Self::height),
    /// several times as fast. Allocates nothing.
    ///
    /// Use it for places that are not on a grid, and give it many at once. It is fastest if neighbors in the list lie within
    /// 2000 km.
    ///
    /// # Panics
    ///
    /// If `heights` does not have one element for each of `places`.
    ///
    /// ```
    /// use bevy_perlin_terrain::field::{FieldSettings, HeightField};
    ///
    /// let field = HeightField::new(&FieldSettings::default());
    /// let mut heights = [0.0; 3];
    /// field.heights_at(&[[0.5, 7.25], [1e6, -3.0], [12.0, 99.9]], &mut heights);
    /// assert_eq!(heights[1], field.height(1e6, -3.0));
    /// ```
    pub fn heights_at(&self, places: &[[f64; 2]], heights: &mut [f32]) {
        assert_eq!(places.len(), heights.len(), "one height for each place");
        let mut coords = [[FixedCoord::default(); 2]; BLOCK];
        let mut planes = [[0.0; BLOCK]; MAX_PLANES];
        let planes = planes.as_flattened_mut();
        for (places, heights) in places.chunks(BLOCK).zip(heights.chunks_mut(BLOCK)) {
            let coords = &mut coords[..places.len()];
            coords.iter_mut().zip(places).for_each(|(coord, place)| *coord = place.map(FixedCoord::from));
            self.program.run(&mut AnyPlaces(coords), planes);
            heights.copy_from_slice(&planes[..places.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::stack_tests::any_field;
    use crate::property::for_all;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    #[test]
    fn heights_at_any_places_have_the_bits_of_the_height_at_each() {
        let place = || (select(&[1e4, 1e9]), -0.5..0.5).prop_map(|(range, part)| range * part);
        let places = vec((place(), place()), 0..300);
        for_all(100, (any_field(), places), |(settings, places)| {
            let field = HeightField::new(&settings);
            let places: Vec<[f64; 2]> = places.into_iter().map(Into::into).collect();
            let mut heights = vec![f32::NAN; places.len()];
            field.heights_at(&places, &mut heights);
            for (&[x, z], height) in places.iter().zip(&heights) {
                assert_eq!(height.to_bits(), field.height(x, z).to_bits(), "at {x}, {z}");
            }
        });
    }
}
