//! The surface of a patch, beside chunks that are drawn.

use super::walls::Walls;
use super::{GroundPatch, PatchNeighbours};
use crate::chunk::{ChunkBorders, ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, CoverCost};
use crate::field::HeightField;

/// The surface of a [`GroundPatch`] without the ground that chunks are drawn of already.
///
/// Where it ends at chunks, their border has other vertices than its own, and runs above or below it. A wall from the lower to
/// the higher of the two closes the step: nobody looks through between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchSurface {
    /// The vertices of the patch, row by row as those of a chunk, and then those of the walls. None of them moves.
    pub geometry: ChunkGeometry,
    /// Three indices for each triangle. `None` where they are those of a [chunk](crate::chunk::triangle_indices) with as many
    /// vertices, as nothing is left out.
    pub triangles: Option<Vec<u32>>,
}

impl PatchSurface {
    /// Bytes of its vertices and indices on a graphics card.
    #[must_use]
    pub fn mesh_bytes(&self) -> usize {
        let quads = self.geometry.side.saturating_sub(1) as usize;
        let of_a_chunk = 6 * quads * quads * size_of::<u16>();
        let indices = self.triangles.as_ref().map_or(of_a_chunk, |triangles| size_of_val(&**triangles));
        self.geometry.positions.len() * CoverCost::VERTEX_BYTES + indices
    }
}

impl ChunkBuilder {
    /// The surface of `patch` beside its `neighbours`, [no higher than the ground](GroundPatch::make_way) at each of `places`, in
    /// metres along x and z: there, someone stands.
    ///
    /// `borders` knows those of chunks that are there. The others are found out, which takes longer.
    pub fn build_patch<'a>(
        &mut self,
        field: &HeightField,
        layout: &ChunkLayout,
        patch: &GroundPatch,
        neighbours: &PatchNeighbours,
        borders: impl Fn(ChunkCoord) -> Option<&'a ChunkBorders>,
        places: &[[f64; 2]],
    ) -> PatchSurface {
        let mut heights = self.heights(field, &patch.grid(layout, GroundPatch::APRON)).to_vec();
        for &place in places {
            patch.make_way(layout, &mut heights, place, field.height(place[0], place[1]));
        }
        let posts = neighbours.posts();
        let mut geometry = ChunkGeometry::of_patch(layout, patch, &heights, 2 * posts);
        let triangles = (!neighbours.roots.is_empty()).then(|| {
            let left_out = LeftOut::new(layout, patch, &neighbours.roots);
            let mut triangles = Vec::with_capacity(6 * left_out.quads * left_out.quads + 12 * posts);
            left_out.push_quads(&mut triangles);
            let mut walls = Walls { geometry: &mut geometry, triangles: &mut triangles };
            for rim in &neighbours.rims {
                let known = borders(rim.chunk).map(|borders| borders.along(rim.side));
                walls.push(rim, known.unwrap_or_else(|| self.heights(field, &rim.vertices(layout))));
            }
            triangles
        });
        PatchSurface { geometry: geometry.still(), triangles }
    }
}

/// The quads of a patch that are left out.
struct LeftOut {
    /// Quads in a row, and rows.
    quads: usize,
    /// Row by row.
    are_left_out: Vec<bool>,
}

impl LeftOut {
    /// Those that are ground of `roots`.
    fn new(layout: &ChunkLayout, patch: &GroundPatch, roots: &[ChunkCoord]) -> Self {
        let quads = patch.quads as usize;
        let mut left_out = Self { quads, are_left_out: vec![false; quads * quads] };
        for &root in roots {
            let [columns, rows] = patch.quads_of(layout, root);
            for row in rows {
                left_out.are_left_out[row * quads..][columns.clone()].fill(true);
            }
        }
        left_out
    }

    /// The triangles of all quads that are not left out, split as those of a chunk.
    fn push_quads(&self, triangles: &mut Vec<u32>) {
        let side = self.quads as u32 + 1;
        for (row, quads) in (0..).zip(self.are_left_out.chunks(self.quads)) {
            for (column, _) in (0..).zip(quads).filter(|(_, is_left_out)| !**is_left_out) {
                let north_west = row * side + column;
                let [north_east, south_west, south_east] = [1, side, side + 1].map(|more| north_west + more);
                triangles.extend([north_west, south_west, north_east, north_east, south_west, south_east]);
            }
        }
    }
}
