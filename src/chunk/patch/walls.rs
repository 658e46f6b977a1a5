//! The walls between a patch and the chunks beside it.

use super::GroundPatch;
use crate::chunk::{ChunkCoord, ChunkGeometry, ChunkLayout, Cover, Side};
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
    stride: i64,
    length: i64,
}

impl Rim {
    /// Those of all chunks that `drawn` draws beside `patch`.
    pub fn all(layout: &ChunkLayout, patch: &GroundPatch, drawn: &Cover) -> Vec<Self> {
        let is_beside = |leaf: &&ChunkCoord| patch.touches(layout, &GroundPatch::of_chunk(layout, **leaf));
        let ends = drawn.leaves().iter().filter(is_beside).flat_map(|&leaf| {
            let root = leaf.ancestor(drawn.top());
            let is_end = move |side: &Side| {
                let [dx, dz] = side.step();
                let beyond = leaf.neighbour(dx, dz).ancestor(root.level);
                beyond != root && !drawn.contains(beyond)
            };
            Side::ALL.into_iter().filter(is_end).map(move |side| (leaf, side))
        });
        ends.filter_map(|(leaf, side)| Self::on(layout, patch, leaf, side)).collect()
    }

    /// That on one side of `chunk`, if any of it is on `patch`.
    fn on(layout: &ChunkLayout, patch: &GroundPatch, chunk: ChunkCoord, side: Side) -> Option<Self> {
        let step = side.step();
        let (axis, across) = if step[0] == 0 { (0, 1) } else { (1, 0) };
        let quads = i64::from(layout.quads());
        let (stride, length) = (1_i64 << chunk.level, 1_i64 << patch.level);
        let mut start = layout.grid(chunk, 0).origin;
        start[across] = start[across].wrapping_add(quads * stride * step[across].max(0));
        let corner = patch.grid(layout, 0).origin;
        let from = [0, 1].map(|axis| start[axis].wrapping_sub(corner[axis]));
        let line = from[across] / length;
        let (first, last) = (0.max(-from[axis]), (quads * stride).min(quads * length - from[axis]));
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
    fn places(&self) -> impl Iterator<Item = i64> + use<> {
        (self.first..=self.last).step_by(self.stride.min(self.length) as usize)
    }

    /// How many such places there are.
    pub fn posts(&self) -> usize {
        self.places().count()
    }

    /// The vertices of the patch between which a place lies, in a patch with so many along each side, and the part of the way
    /// from the first to the second.
    fn on_patch(&self, place: i64, side: i64) -> ([usize; 2], f32) {
        let at = self.from[self.axis] + place;
        let (here, part) = (at / self.length, at % self.length);
        let vertex = |along: i64| if self.axis == 0 { self.line * side + along } else { along * side + self.line };
        let ends = [vertex(here), vertex(here + i64::from(part > 0))];
        (ends.map(|vertex| vertex as usize), part as f32 / self.length as f32)
    }
}

/// The walls of a patch: each as high as the step between the patch and a chunk beside it.
pub(super) struct Walls<'a> {
    /// The vertices of the patch, and after them those of the walls.
    pub geometry: &'a mut ChunkGeometry,
    pub triangles: &'a mut Vec<u32>,
}

impl Walls<'_> {
    /// Builds the wall along `rim`, where the vertices of the chunk's border stand at `heights`.
    pub fn push(&mut self, rim: &Rim, heights: &[f32]) {
        let mut before = None;
        for place in rim.places() {
            let (ends, part) = rim.on_patch(place, self.geometry.side.into());
            let post = self.push_post(ends, part, border_height(heights, place, rim.stride));
            if let Some(before) = before.replace(post) {
                self.push_panel(before, post);
            }
        }
    }

    /// Pushes the lowest and the highest vertex of a wall `part` of the way between two vertices of the patch, where the chunk
    /// beside it is drawn between the heights `lowest` and `highest`.
    fn push_post(&mut self, [from, to]: [usize; 2], part: f32, [lowest, highest]: [f32; 2]) -> [u32; 2] {
        let ChunkGeometry { positions, normals, height_range: [min, max], .. } = &mut *self.geometry;
        let between = |a: [f32; 3], b: [f32; 3]| std::array::from_fn(|i| mix(a[i], b[i], part));
        let [x, own, z] = between(positions[from], positions[to]);
        let (bottom, top) = (lowest.min(own), highest.max(own));
        (*min, *max) = (min.min(bottom), max.max(top));
        let first = positions.len() as u32;
        positions.extend([[x, bottom, z], [x, top, z]]);
        normals.extend([between(normals[from], normals[to]); 2]);
        [first, first + 1]
    }

    /// Pushes the piece of a wall from one post to the next. Either side of a border may be the higher one: both are seen.
    fn push_panel(&mut self, [bottom, top]: [u32; 2], [next_bottom, next_top]: [u32; 2]) {
        self.triangles.extend([bottom, next_bottom, top, top, next_bottom, next_top]);
        self.triangles.extend([bottom, top, next_bottom, next_bottom, top, next_top]);
    }
}

/// The lowest and the highest that the border of a chunk is ever drawn at a place so far along it, in vertices of level 0, while
/// its vertices, every `stride`-th, move from where they are, the `heights`, onto the next coarser level.
fn border_height(heights: &[f32], place: i64, stride: i64) -> [f32; 2] {
    let span = |vertex: usize| {
        let own = heights[vertex];
        // The coarser level has every second one.
        let coarse = if vertex % 2 == 0 { own } else { (heights[vertex - 1] + heights[vertex + 1]) * 0.5 };
        [own.min(coarse), own.max(coarse)]
    };
    let (vertex, part) = ((place / stride) as usize, (place % stride) as f32 / stride as f32);
    if part == 0.0 {
        return span(vertex);
    }
    let (here, next) = (span(vertex), span(vertex + 1));
    [0, 1].map(|end| mix(here[end], next[end], part))
}

fn mix(a: f32, b: f32, part: f32) -> f32 {
    a + (b - a) * part
}
