//! The heights along the borders of a chunk.

use super::{ChunkGeometry, Side};

/// The heights of the vertices along the four borders of a chunk, in metres: what is to be known of it to build beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkBorders {
    /// Those of the four sides, in the order of [`Side::ALL`], each along x or z.
    heights: Box<[f32]>,
}

impl ChunkBorders {
    /// The borders of the chunk with this surface.
    #[must_use]
    pub fn of(geometry: &ChunkGeometry) -> Self {
        let quads = geometry.side.saturating_sub(1);
        let height = |[column, row]: [u32; 2]| geometry.positions[(row * geometry.side + column) as usize][1];
        let along = |side: Side| (0..geometry.side).map(move |along| height(side.vertex(along, quads)));
        Self { heights: Side::ALL.into_iter().flat_map(along).collect() }
    }

    /// The heights along one of them, in the direction of x or z.
    #[must_use]
    pub fn along(&self, side: Side) -> &[f32] {
        let vertices = self.heights.len() / Side::ALL.len();
        &self.heights[side as usize * vertices..][..vertices]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, ChunkSettings};
    use crate::field::{FieldSettings, HeightField};

    #[test]
    fn chunks_side_by_side_have_a_border_in_common() {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 3.0 });
        let (field, mut builder) = (HeightField::new(&FieldSettings::default()), ChunkBuilder::default());
        let mut borders = |chunk| ChunkBorders::of(&builder.build(&field, &layout, chunk));
        let chunk = ChunkCoord { level: 2, x: -1, z: 7 };
        let here = borders(chunk);
        let [west, north] = layout.origin(chunk);
        for side in Side::ALL {
            let [dx, dz] = side.step();
            assert_eq!(here.along(side), borders(chunk.neighbour(dx, dz)).along(side.opposite()), "{side:?}");
            for (&height, along) in here.along(side).iter().zip(0..) {
                let [x, z] = side.vertex(along, 16).map(|index| 12.0 * f64::from(index));
                assert_eq!(height, field.height(west + x, north + z), "{side:?}, {along}");
            }
        }
    }
}
