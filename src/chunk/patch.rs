//! A square of ground that lies anywhere on the world grid.

mod neighbours;
mod rim;
mod surface;
#[cfg(test)]
mod tests;
mod walls;

pub use neighbours::PatchNeighbours;
pub use surface::PatchSurface;

use super::{ChunkCoord, ChunkLayout, LEVELS, quad_height};
use crate::field::NodeGrid;
use std::ops::Range;

/// A square with vertices as far apart as those of a chunk of its level, that begins at any vertex of that level.
///
/// One is enough for all that a viewer sees, where as many as nine chunks would be needed: these begin where their level's grid
/// has them begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundPatch {
    /// The level of the vertices.
    pub level: u8,
    /// Index of the north-west vertex along x and z, in vertices of the level.
    pub corner: [i64; 2],
    /// Quads along each side, 255 at most.
    pub quads: u32,
}

impl GroundPatch {
    /// Vertices that are sampled beyond each side: a normal reaches this far.
    pub const APRON: u32 = 1;

    /// Quads along each side of what is made [around](Self::around) some ground, however large chunks are: few enough to be built
    /// within a frame. 31.5 of them are sure to lie over that ground: with spacings of powers of two metres, views of 1, 2, 4 or
    /// 8 km get vertices a fifteenth of the view apart, and all others an eighth of it at most.
    pub const QUADS: u32 = 33;

    /// By how much a patch is larger than what it is made for, in distances between its vertices: one to begin at a vertex, and
    /// a half so that a viewer may move on a little.
    const SLACK: f64 = 1.5;

    /// The finest patch of [`Self::QUADS`] over all places from `min` to `max`, in metres along x and z. `None` where no level is
    /// coarse enough.
    #[must_use]
    pub fn around(layout: &ChunkLayout, min: [f64; 2], max: [f64; 2]) -> Option<Self> {
        let quads = Self::QUADS;
        let extent = (max[0] - min[0]).max(max[1] - min[1]);
        let size = |level: u8| layout.spacing(level) * f64::from(quads);
        let level = (0..LEVELS as u8 - 1).find(|&level| size(level) >= extent + Self::SLACK * layout.spacing(level))?;
        let corner = [0, 1].map(|axis| {
            let start = (min[axis] + max[axis] - size(level)) / 2.0;
            (start / layout.spacing(level)).round() as i64
        });
        Some(Self { level, corner, quads })
    }

    /// The patch that is `chunk`.
    #[must_use]
    pub fn of_chunk(layout: &ChunkLayout, chunk: ChunkCoord) -> Self {
        let corner = [chunk.x, chunk.z].map(|place| place.wrapping_mul(layout.quads().into()));
        Self { level: chunk.level, corner, quads: layout.quads() }
    }

    /// Its vertices in the world grid, with `apron` more of its own stride on every side.
    #[must_use]
    pub fn grid(&self, layout: &ChunkLayout, apron: u32) -> NodeGrid {
        let stride = 1_i64 << self.level.min(62);
        let size = (self.quads + 1 + 2 * apron) as usize;
        NodeGrid {
            origin: self.corner.map(|first| first.wrapping_sub(apron.into()).wrapping_mul(stride)),
            stride,
            size: [size; 2],
            spacing: layout.spacing(0),
        }
    }

    /// Its north-west and its south-east corner, in metres along x and z.
    #[must_use]
    pub fn corners(&self, layout: &ChunkLayout) -> [[f64; 2]; 2] {
        let min = self.grid(layout, 0).position(0, 0);
        [min, min.map(|start| start + layout.spacing(self.level) * f64::from(self.quads))]
    }

    /// Whether all places from `min` to `max`, in metres along x and z, lie on it.
    #[must_use]
    pub fn contains(&self, layout: &ChunkLayout, min: [f64; 2], max: [f64; 2]) -> bool {
        let [first, last] = self.corners(layout);
        (0..2).all(|axis| first[axis] <= min[axis] && max[axis] <= last[axis])
    }

    /// How far around a place the ground makes way by all that is needed, and from where on by nothing, in distances between
    /// vertices. The first reaches all corners of the quad that the place is in.
    const WAY: [f32; 2] = [1.5, 4.0];

    /// Lowers the `heights` of the patch and its [apron](Self::APRON) around `place`, in metres along x and z, so that
    /// the surface is no higher there than `ground`. A coarse surface goes through valleys: who stands in one would be below it.
    ///
    /// # Panics
    ///
    /// When there are fewer heights than those.
    pub fn make_way(&self, layout: &ChunkLayout, heights: &mut [f32], place: [f64; 2], ground: f32) {
        let apron = f64::from(Self::APRON);
        let width = (self.quads + 1 + 2 * Self::APRON) as usize;
        let (min, spacing) = (self.corners(layout)[0], layout.spacing(self.level));
        let at = [0, 1].map(|axis| (place[axis] - min[axis]) / spacing + apron);
        let last = width as f64 - 1.0;
        if !at.iter().all(|along| (0.0..last).contains(along)) {
            return;
        }
        let [column, row] = at.map(|along| along as usize);
        let height = |dx: usize, dz: usize| f64::from(heights[(row + dz) * width + column + dx]);
        let corners = [height(0, 0), height(1, 0), height(0, 1), height(1, 1)];
        let surface = quad_height(corners, at[0] - column as f64, at[1] - row as f64) as f32;
        let drop = surface - ground;
        if drop > 0.0 {
            let [full, none] = Self::WAY;
            let around = |middle: usize| {
                let far = none.ceil() as usize;
                middle.saturating_sub(far)..(middle + far + 2).min(width)
            };
            for (z, x) in around(row).flat_map(|z| around(column).map(move |x| (z, x))) {
                let distance = libm::hypot(x as f64 - at[0], z as f64 - at[1]) as f32;
                heights[z * width + x] -= drop * ((none - distance) / (none - full)).clamp(0.0, 1.0);
            }
        }
    }

    /// The columns and the rows of its quads that are ground of `root`, where those are whole ones.
    fn quads_of(&self, layout: &ChunkLayout, root: ChunkCoord) -> [Range<usize>; 2] {
        let quads = i64::from(layout.quads());
        let side = if root.level < self.level {
            quads.checked_shr(u32::from(self.level - root.level)).unwrap_or_default()
        } else {
            quads << (root.level - self.level)
        };
        [0, 1].map(|axis| {
            let first = [root.x, root.z][axis].wrapping_mul(side).wrapping_sub(self.corner[axis]);
            let [start, end] =
                [first, first.saturating_add(side)].map(|place| place.clamp(0, self.quads.into()) as usize);
            start..end
        })
    }

    /// Whether both share ground, or at least a border or a corner.
    #[must_use]
    pub fn touches(&self, layout: &ChunkLayout, other: &Self) -> bool {
        let [[first, last], [others_first, others_last]] = [self, other].map(|patch| patch.corners(layout));
        (0..2).all(|axis| first[axis] <= others_last[axis] && others_first[axis] <= last[axis])
    }

    /// Whether any ground is part of both. Two that share no more than a border don't overlap.
    #[must_use]
    pub fn overlaps(&self, layout: &ChunkLayout, other: &Self) -> bool {
        let [[first, last], [others_first, others_last]] = [self, other].map(|patch| patch.corners(layout));
        (0..2).all(|axis| first[axis] < others_last[axis] && others_first[axis] < last[axis])
    }
}
