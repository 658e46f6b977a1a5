//! The walls between a patch and the chunks beside it.

use super::rim::{Rim, vertex_before};
use crate::chunk::ChunkGeometry;

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
            let post = self.push_post(ends, part, border_height(heights, place, rim.chunk.level));
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
/// its vertices, those of `level`, move from where they are, the `heights`, onto the next coarser level.
fn border_height(heights: &[f32], place: i64, level: u8) -> [f32; 2] {
    let span = |vertex: usize| {
        let own = heights[vertex];
        // The coarser level has every second one.
        let coarse = if vertex.is_multiple_of(2) { own } else { (heights[vertex - 1] + heights[vertex + 1]) * 0.5 };
        [own.min(coarse), own.max(coarse)]
    };
    let (vertex, part) = vertex_before(place, level);
    let vertex = vertex as usize;
    if part == 0.0 {
        return span(vertex);
    }
    let (here, next) = (span(vertex), span(vertex + 1));
    [0, 1].map(|end| mix(here[end], next[end], part))
}

fn mix(a: f32, b: f32, part: f32) -> f32 {
    a + (b - a) * part
}
