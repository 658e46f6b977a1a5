//! A square of ground that lies anywhere on the world grid.

use super::{ChunkBuilder, ChunkCoord, ChunkLayout, LEVELS, quad_height};
use crate::field::NodeGrid;

/// A square with the vertices of a chunk of its level, that begins at any vertex of that level: chunks begin at every
/// `quads`-th.
///
/// One is enough for all that a viewer sees, where as many as nine chunks as large would be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundPatch {
    /// The level of the vertices.
    pub level: u8,
    /// Index of the north-west vertex along x and z, in vertices of the level.
    pub corner: [i64; 2],
}

impl GroundPatch {
    /// By how much a patch is larger than what it is made for, in distances between its vertices: one to begin at a vertex, and
    /// a half so that a viewer may move on a little.
    const SLACK: f64 = 1.5;

    /// The finest patch over all places from `min` to `max`, in metres along x and z. `None` where no level is coarse enough.
    #[must_use]
    pub fn around(layout: &ChunkLayout, min: [f64; 2], max: [f64; 2]) -> Option<Self> {
        let extent = (max[0] - min[0]).max(max[1] - min[1]);
        let level = (0..LEVELS as u8 - 1)
            .find(|&level| layout.chunk_size(level) >= extent + Self::SLACK * layout.spacing(level))?;
        let corner = [0, 1].map(|axis| {
            let start = (min[axis] + max[axis] - layout.chunk_size(level)) / 2.0;
            (start / layout.spacing(level)).round() as i64
        });
        Some(Self { level, corner })
    }

    /// The patch that is `chunk`.
    #[must_use]
    pub fn of_chunk(layout: &ChunkLayout, chunk: ChunkCoord) -> Self {
        let quads = i64::from(layout.quads());
        Self { level: chunk.level, corner: [chunk.x, chunk.z].map(|place| place.wrapping_mul(quads)) }
    }

    /// Its vertices in the world grid, with `apron` more of its own stride on every side.
    #[must_use]
    pub fn grid(&self, layout: &ChunkLayout, apron: u32) -> NodeGrid {
        let stride = 1_i64 << self.level.min(62);
        let size = (layout.vertices() + 2 * apron) as usize;
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
        [min, min.map(|start| start + layout.chunk_size(self.level))]
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

    /// Lowers the `heights` of the patch and its [apron](ChunkBuilder::APRON) around `place`, in metres along x and z, so that
    /// the surface is no higher there than `ground`. A coarse surface goes through valleys: who stands in one would be below it.
    ///
    /// # Panics
    ///
    /// When there are fewer heights than those.
    pub fn make_way(&self, layout: &ChunkLayout, heights: &mut [f32], place: [f64; 2], ground: f32) {
        let apron = f64::from(ChunkBuilder::APRON);
        let width = (layout.vertices() + 2 * ChunkBuilder::APRON) as usize;
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

    /// Whether any ground is part of both. Two that share no more than a border don't overlap.
    #[must_use]
    pub fn overlaps(&self, layout: &ChunkLayout, other: &Self) -> bool {
        let [[first, last], [others_first, others_last]] = [self, other].map(|patch| patch.corners(layout));
        (0..2).all(|axis| first[axis] < others_last[axis] && others_first[axis] < last[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::{FieldSettings, HeightField};
    use crate::noise::TerrainRng;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 })
    }

    #[test]
    fn a_patch_holds_what_it_is_made_for_and_no_finer_one_would() {
        let (layout, mut rng) = (layout(), TerrainRng::new(4, 0));
        for far in [0.0, 1e4, 1e9] {
            for _ in 0..500 {
                let min = [0, 1].map(|_| far * (rng.next_unit() - 0.5));
                let max = min.map(|start| start + 1e5 * rng.next_unit().powi(4));
                let patch = GroundPatch::around(&layout, min, max).expect("it is not too large");
                assert!(patch.contains(&layout, min, max), "{patch:?} from {min:?} to {max:?}");
                let extent = (max[0] - min[0]).max(max[1] - min[1]);
                let spacing = layout.spacing(patch.level);
                assert!(patch.level == 0 || extent + 0.75 * spacing > layout.chunk_size(patch.level - 1));
                // A little aside, it still holds it.
                let aside = |place: [f64; 2]| place.map(|along| along + 0.24 * spacing);
                assert!(patch.contains(&layout, aside(min), aside(max)));
                assert!(!patch.contains(&layout, min, max.map(|end| end + layout.chunk_size(patch.level))));
            }
        }
        assert_eq!(GroundPatch::around(&layout, [0.0; 2], [1e13; 2]), None);
        assert_eq!(GroundPatch::around(&layout, [f64::NAN; 2], [f64::NAN; 2]), None);
    }

    #[test]
    fn whoever_stands_on_a_patch_is_not_below_it() {
        let (layout, field) = (layout(), HeightField::new(&FieldSettings::default()));
        let (mut builder, mut rng) = (ChunkBuilder::default(), TerrainRng::new(5, 0));
        let patch = GroundPatch { level: 6, corner: [-20, 1000] };
        let [min, _] = patch.corners(&layout);
        let plain = builder.build_patch(&field, &layout, &patch, &[]);
        let (spacing, mut lowered) = (layout.spacing(6), 0);
        for _ in 0..200 {
            let places = [0, 1].map(|_| min.map(|start| start + layout.chunk_size(6) * rng.next_unit()));
            let surface = builder.build_patch(&field, &layout, &patch, &places);
            for place in places {
                let at = [0, 1].map(|axis| (place[axis] - min[axis]) / spacing);
                let [column, row] = at.map(|along| along as usize);
                let height = |dx: usize, dz: usize| f64::from(surface.positions[(row + dz) * 65 + column + dx][1]);
                let corners = [height(0, 0), height(1, 0), height(0, 1), height(1, 1)];
                let here = quad_height(corners, at[0] - column as f64, at[1] - row as f64);
                let ground = f64::from(field.height(place[0], place[1]));
                assert!(here < ground + 1e-3, "the surface is at {here} m, the ground at {ground} m");
            }
            for (now, then) in surface.positions.iter().zip(&plain.positions) {
                assert!(now[1] <= then[1]);
                let far = |place: &[f64; 2]| {
                    libm::hypot(f64::from(now[0]) + min[0] - place[0], f64::from(now[2]) + min[1] - place[1])
                        > 4.0 * spacing
                };
                assert!(now == then || !places.iter().all(far), "far away, all is as it was");
                lowered += usize::from(now != then);
            }
        }
        assert!(lowered > 1000, "{lowered} vertices make way");
        // Who is not on it changes nothing.
        assert_eq!(builder.build_patch(&field, &layout, &patch, &[[1e9, 0.0], [f64::NAN, 0.0]]), plain);
    }

    #[test]
    fn chunks_are_patches_that_overlap_none_of_their_neighbours() {
        let layout = layout();
        for chunk in [ChunkCoord { level: 3, x: -4, z: 9 }, ChunkCoord { level: 0, x: 1 << 40, z: -1 }] {
            let patch = GroundPatch::of_chunk(&layout, chunk);
            assert_eq!(patch.corners(&layout)[0], layout.origin(chunk));
            assert_eq!(patch.grid(&layout, 2), layout.grid(chunk, 2));
            assert!(patch.overlaps(&layout, &patch));
            for [dx, dz] in [[1, 0], [-1, 1], [0, -1]] {
                let beside = GroundPatch::of_chunk(&layout, chunk.neighbour(dx, dz));
                assert!(!patch.overlaps(&layout, &beside) && !beside.overlaps(&layout, &patch));
            }
            let shifted = GroundPatch { corner: patch.corner.map(|first| first + 63), ..patch };
            assert!(patch.overlaps(&layout, &shifted) && shifted.overlaps(&layout, &patch));
            let below = GroundPatch::of_chunk(&layout, chunk.parent());
            assert!(patch.overlaps(&layout, &below) && below.overlaps(&layout, &patch));
        }
    }
}
