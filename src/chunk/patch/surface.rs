//! The surface of a patch, beside chunks that are drawn.

use super::GroundPatch;
use super::walls::{Rim, Walls};
use crate::chunk::{ChunkBorders, ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, Cover};
use crate::field::HeightField;

/// The surface of a [`GroundPatch`] without the ground that chunks are drawn of already.
///
/// Where it ends at chunks, their border has other vertices than its own, and runs above or below it. A wall from the lower to
/// the higher of the two closes the step: nobody looks through between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchSurface {
    /// The vertices of the patch, laid out as those of a chunk, and then those of the walls. None of them moves.
    pub geometry: ChunkGeometry,
    /// Three indices for each triangle. `None` where they are those of a [chunk](crate::chunk::triangle_indices), as nothing is
    /// left out.
    pub triangles: Option<Vec<u32>>,
}

/// The chunks that a patch is built beside.
#[derive(Clone, Copy)]
pub struct DrawnBeside<'a> {
    /// Those that are drawn.
    pub cover: &'a Cover,
    /// The borders of those that are there. The others are found out, which takes longer.
    pub borders: &'a dyn Fn(ChunkCoord) -> Option<&'a ChunkBorders>,
}

impl<'a> DrawnBeside<'a> {
    /// The chunks of `cover`, of whose borders nothing is known.
    #[must_use]
    pub const fn new(cover: &'a Cover) -> Self {
        Self { cover, borders: &|_| None }
    }
}

impl ChunkBuilder {
    /// The surface of `patch` beside the chunks `drawn`, [no higher than the ground](GroundPatch::make_way) at each of
    /// `places`, in metres along x and z: there, someone stands.
    ///
    /// The borders of the coarsest of them have to run along vertices of the patch; see [`GroundPatch::fits`].
    pub fn build_patch(
        &mut self,
        field: &HeightField,
        layout: &ChunkLayout,
        patch: &GroundPatch,
        drawn: &DrawnBeside<'_>,
        places: &[[f64; 2]],
    ) -> PatchSurface {
        let left_out = LeftOut::new(layout, patch, drawn.cover);
        let mut heights = self.heights(field, &patch.grid(layout, Self::APRON)).to_vec();
        for &place in places.iter().filter(|&&place| !left_out.has_place(layout, patch, place)) {
            patch.make_way(layout, &mut heights, place, field.height(place[0], place[1]));
        }
        let rims = Rim::all(layout, patch, drawn.cover);
        let posts: usize = rims.iter().map(Rim::posts).sum();
        let mut geometry = self.surface(layout, patch.level, &heights, 2 * posts);
        let triangles = (left_out.is_any() || posts > 0).then(|| {
            let mut triangles = Vec::with_capacity(6 * left_out.quads * left_out.quads + 12 * posts);
            left_out.push_quads(&mut triangles);
            let mut walls = Walls { geometry: &mut geometry, triangles: &mut triangles };
            for rim in &rims {
                let known = (drawn.borders)(rim.chunk).map(|borders| borders.along(rim.side));
                let heights = known.unwrap_or_else(|| self.heights(field, &rim.vertices(layout)));
                walls.push(rim, heights);
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
    fn new(layout: &ChunkLayout, patch: &GroundPatch, drawn: &Cover) -> Self {
        let quads = layout.quads() as usize;
        let mut left_out = Self { quads, are_left_out: vec![false; quads * quads] };
        for &root in drawn.roots() {
            let [columns, rows] = patch.quads_of(layout, root);
            for row in rows {
                left_out.are_left_out[row * quads..][columns.clone()].fill(true);
            }
        }
        left_out
    }

    fn is_any(&self) -> bool {
        self.are_left_out.contains(&true)
    }

    /// Whether `place`, in metres along x and z, lies on one.
    fn has_place(&self, layout: &ChunkLayout, patch: &GroundPatch, place: [f64; 2]) -> bool {
        let (min, spacing) = (patch.corners(layout)[0], layout.spacing(patch.level));
        let [column, row] = [0, 1].map(|axis| ((place[axis] - min[axis]) / spacing).floor());
        // A place that is no number lies nowhere.
        let is_inside = [column, row].iter().all(|along| (0.0..self.quads as f64).contains(along));
        is_inside && self.are_left_out[row as usize * self.quads + column as usize]
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
