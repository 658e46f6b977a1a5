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
    /// Vertices of level 0 from one vertex to the next: of the chunk, and of the patch.
    pub stride: i64,
    length: i64,
}

impl Rim {
    /// That on one side of `chunk`, if any of it is on `patch`.
    pub fn on(layout: &ChunkLayout, patch: &GroundPatch, chunk: ChunkCoord, side: Side) -> Option<Self> {
        let step = side.step();
        let (axis, across) = if step[0] == 0 { (0, 1) } else { (1, 0) };
        let quads = i64::from(layout.quads());
        let (stride, length) = (1_i64 << chunk.level, 1_i64 << patch.level);
        let mut start = layout.grid(chunk, 0).origin;
        start[across] = start[across].wrapping_add(quads * stride * step[across].max(0));
        let corner = patch.grid(layout, 0).origin;
        let from = [0, 1].map(|axis| start[axis].wrapping_sub(corner[axis]));
        let line = from[across] / length;
        // Far apart, numbers end: then there is none.
        let first = from[axis].saturating_neg().max(0);
        let last = (quads * stride).min((quads * length).saturating_sub(from[axis]));
        let has_quads_beyond = (0..quads).contains(&(line + step[across].min(0)));
        let rim = Self { chunk, side, axis, start, from, line, first, last, stride, length };
        (has_quads_beyond && first < last).then_some(rim)
    }

    /// The vertices of the whole border.
    pub fn vertices(&self, layout: &ChunkLayout) -> NodeGrid {
        let mut size = [1; 2];
        size[self.axis] = layout.vertices() as usize;
        NodeGrid { origin: self.start, stride: self.stride, size, spacing: layout.spacing(0) }
    }

    /// How far along the border the chunk or the patch has a vertex, from where the rim begins to where it ends.
    pub fn places(&self) -> impl Iterator<Item = i64> + use<> {
        (self.first..=self.last).step_by(self.stride.min(self.length) as usize)
    }

    /// How many such places there are.
    pub fn posts(&self) -> usize {
        self.places().count()
    }

    /// The vertices of the patch between which a place lies, in a patch with so many along each side, and the part of the way
    /// from the first to the second.
    pub fn on_patch(&self, place: i64, side: i64) -> ([usize; 2], f32) {
        let at = self.from[self.axis] + place;
        let (here, part) = (at / self.length, at % self.length);
        let vertex = |along: i64| if self.axis == 0 { self.line * side + along } else { along * side + self.line };
        let ends = [vertex(here), vertex(here + i64::from(part > 0))];
        (ends.map(|vertex| vertex as usize), part as f32 / self.length as f32)
    }
}
