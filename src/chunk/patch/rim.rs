//! Where a patch ends at a chunk.

use super::GroundPatch;
use crate::chunk::{ChunkCoord, ChunkLayout, Side};
use crate::field::NodeGrid;

/// The part of a chunk's border at which nothing is drawn beside the chunk but a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rim {
    pub chunk: ChunkCoord,
    pub side: Side,
    /// 0 where it leads along x, 1 where along z.
    axis: usize,
    /// The first vertex of the border, in vertices of level 0 from that of the world and from the corner of the patch.
    start: [i64; 2],
    from: [i64; 2],
    /// The line of the patch's vertices that it is on.
    line: i64,
    /// Where the rim begins on the border, and where it ends, in vertices of level 0.
    first: i64,
    last: i64,
    /// The level of the patch.
    level: u8,
}

impl Rim {
    /// That on one side of `chunk`, if any of it is on `patch`.
    pub fn on(layout: &ChunkLayout, patch: &GroundPatch, chunk: ChunkCoord, side: Side) -> Option<Self> {
        let step = side.step();
        let (axis, across) = if step[0] == 0 { (0, 1) } else { (1, 0) };
        let (quads, patch_quads) = (i64::from(layout.quads()), i64::from(patch.quads));
        let (stride, length) = (1_i64 << chunk.level, 1_i64 << patch.level);
        let mut start = layout.grid(chunk, 0).origin;
        start[across] = start[across].wrapping_add(quads * stride * step[across].max(0));
        let corner = patch.grid(layout, 0).origin;
        let from = [0, 1].map(|axis| start[axis].wrapping_sub(corner[axis]));
        let line = from[across] / length;
        // Far apart, numbers end: then there is none.
        let first = from[axis].saturating_neg().max(0);
        let last = (quads * stride).min((patch_quads * length).saturating_sub(from[axis]));
        let has_quads_beyond = (0..patch_quads).contains(&(line + step[across].min(0)));
        let rim = Self { chunk, side, axis, start, from, line, first, last, level: patch.level };
        (has_quads_beyond && first < last).then_some(rim)
    }

    /// The vertices of the whole border.
    pub fn vertices(&self, layout: &ChunkLayout) -> NodeGrid {
        let mut size = [1; 2];
        size[self.axis] = layout.vertices() as usize;
        NodeGrid { origin: self.start, stride: 1 << self.chunk.level, size, spacing: layout.spacing(0) }
    }

    /// How far along the border the chunk or the patch has a vertex, from where the rim begins to where it ends.
    pub fn places(&self) -> impl Iterator<Item = i64> + use<> {
        (self.first..=self.last).step_by(1 << self.finer_level())
    }

    /// How many such places there are.
    pub fn posts(&self) -> usize {
        ((self.last - self.first) >> self.finer_level()) as usize + 1
    }

    /// The level of the chunk or of the patch, whichever is finer.
    fn finer_level(&self) -> u8 {
        self.chunk.level.min(self.level)
    }

    /// The vertices of the patch between which a place lies, in a patch with so many along each side, and the part of the way
    /// from the first to the second.
    pub fn on_patch(&self, place: i64, side: i64) -> ([usize; 2], f32) {
        let (here, part) = vertex_before(self.from[self.axis] + place, self.level);
        let vertex = |along: i64| if self.axis == 0 { self.line * side + along } else { along * side + self.line };
        let ends = [vertex(here), vertex(here + i64::from(part > 0.0))];
        (ends.map(|vertex| vertex as usize), part)
    }
}

/// The number of the last vertex of `level` that is no further along than `place`, which is in vertices of level 0, and the part
/// of the way to the next one that the place is beyond it.
pub(super) fn vertex_before(place: i64, level: u8) -> (i64, f32) {
    let length = 1_i64 << level;
    // There are thousands of places in a frame: lengths are powers of two, and needn't be divided by.
    (place >> level, (place & (length - 1)) as f32 / length as f32)
}
