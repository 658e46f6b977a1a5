//! The geomorph between levels, with the same arithmetic as the shader.
//!
//! A vertex of level `l` has its own height near a viewer, and moves onto the surface of level `l + 1` as the nearest viewer
//! moves away. The morph *factor* says how far. It depends only on the position and the level of the vertex and on the viewers. So
//! two chunks of a level that share a vertex draw it at the same position.

use super::{LEVELS, Viewer};

/// Computes the morph factors around all viewers.
///
/// Does the same in `f32` as `render/shaders/morph.wesl`, for tests and tools. Its coordinates are relative to a `center` near the
/// viewers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    viewers: Vec<MorphViewer>,
}

/// A viewer in the form that the shader uses.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MorphViewer {
    /// Position along x and z, in metres.
    pub position: [f32; 2],
    /// The square of the viewer's height above or below all ground, in square metres.
    pub height_gap_squared: f32,
    /// For each level: the distance at which its morph band begins, in metres, and one over the width of the band.
    pub bands: [[f32; 2]; LEVELS],
}

impl MorphViewer {
    /// Converts `viewer` to coordinates relative to `center`.
    #[must_use]
    pub fn new(viewer: &Viewer, center: [f64; 2]) -> Self {
        let [x, z] = viewer.xz();
        let band = |level: usize| {
            let [start, end] = viewer.ranges.morph_band(level as u8);
            // Slightly narrower than the band, so that the factor is 1 at its end in spite of rounding. The band of the coarsest
            // level never ends.
            [start as f32, (1.0001 / (end - start)) as f32]
        };
        Self {
            position: [(x - center[0]) as f32, (z - center[1]) as f32],
            height_gap_squared: (viewer.height_gap * viewer.height_gap) as f32,
            bands: std::array::from_fn(band),
        }
    }
}

impl Morph {
    /// No morph: all factors are 0.
    pub const STILL: Self = Self { viewers: Vec::new() };

    /// The morph around `viewers`, in coordinates relative to `center`.
    #[must_use]
    pub fn new(viewers: &[Viewer], center: [f64; 2]) -> Self {
        Self { viewers: viewers.iter().map(|viewer| MorphViewer::new(viewer, center)).collect() }
    }

    /// The viewers.
    #[must_use]
    pub fn viewers(&self) -> &[MorphViewer] {
        &self.viewers
    }

    /// The morph factor of a vertex of `level` at `(x, z)`: 0 is its own height, 1 is the surface of the next coarser level.
    #[must_use]
    pub fn factor(&self, level: u8, [x, z]: [f32; 2]) -> f32 {
        let one = |viewer: &MorphViewer| {
            let (dx, dz) = (x - viewer.position[0], z - viewer.position[1]);
            let distance = (dx * dx + dz * dz + viewer.height_gap_squared).sqrt();
            let [start, per_metre] = viewer.bands[usize::from(level).min(LEVELS - 1)];
            ((distance - start) * per_metre).clamp(0.0, 1.0)
        };
        self.viewers.iter().map(one).reduce(f32::min).unwrap_or(0.0)
    }

    /// Interpolates a height, or a component of a normal, between its own value and that of the next coarser level. Exact for the
    /// factors 0 and 1.
    #[must_use]
    pub fn between(own: f32, coarse: f32, factor: f32) -> f32 {
        own * (1.0 - factor) + coarse * factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LevelErrors, LodRanges, ViewerPoint};

    fn viewer(x: f64, y: f64) -> Viewer {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 });
        let point = ViewerPoint {
            position: [x, y, 0.0],
            forward: [0.0; 2],
            view_distance: 1e4,
            projection_scale: 1000.0,
            is_orthographic: false,
        };
        let errors = LevelErrors::known(&[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]);
        let ranges = LodRanges::wanted(&layout, Some(&errors), &point, 0.0, 1.0, LodRanges::MAX_CHUNKS);
        Viewer::new(&layout, point, ranges, (-5.0, 5.0))
    }

    #[test]
    fn the_factor_grows_from_one_end_of_the_band_to_the_other() {
        let (viewer, morph) = (viewer(0.0, 0.0), Morph::new(&[viewer(0.0, 0.0)], [0.0; 2]));
        for level in 0..6 {
            let [start, end] = viewer.ranges.morph_band(level);
            let at = |distance: f64| morph.factor(level, [0.0, distance as f32]);
            assert_eq!((at(0.0), at(start), at(end), at(2.0 * end)), (0.0, 0.0, 1.0, 1.0));
            assert!((at((start + end) / 2.0) - 0.5).abs() < 1e-3);
        }
    }

    #[test]
    fn the_nearest_viewer_decides_and_height_counts_as_distance() {
        let (near, far) = (viewer(0.0, 0.0), viewer(900.0, 0.0));
        let both = Morph::new(&[far, near], [100.0, 0.0]);
        let alone = [Morph::new(&[near], [100.0, 0.0]), Morph::new(&[far], [100.0, 0.0])];
        for x in -300..1200_i16 {
            let position = [f32::from(x), 3.0];
            let expected = alone[0].factor(1, position).min(alone[1].factor(1, position));
            assert_eq!(both.factor(1, position), expected);
        }
        let high = Morph::new(&[viewer(0.0, 5.0 + 1000.0)], [0.0; 2]);
        assert_eq!(high.factor(0, [0.0; 2]), 1.0);
        assert_eq!(Morph::STILL.factor(0, [1e9, 0.0]), 0.0);
    }

    #[test]
    fn a_level_with_an_empty_range_is_fully_morphed() {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 });
        let morph = Morph::new(&[Viewer { ranges: LodRanges::none(&layout), ..viewer(0.0, 0.0) }], [0.0; 2]);
        assert_eq!(morph.factor(0, [0.0; 2]), 1.0);
    }

    #[test]
    fn a_level_whose_range_grows_from_zero_fades_in() {
        let goal = viewer(0.0, 0.0);
        // The fastest growth of a range in streaming: two chunk sides per second, at 60 frames per second.
        let step = 2.0 / 60.0;
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 });
        let mut now = Viewer { ranges: LodRanges::none(&layout), ..goal };
        let mut steps = 0;
        while now.ranges != goal.ranges {
            let next = Viewer { ranges: now.ranges.toward(&goal.ranges, step), ..goal };
            let [before, after] = [&now, &next].map(|viewer| Morph::new(&[*viewer], [0.0; 2]));
            for level in 0..6 {
                for position in (0..100_u8).map(|i| [f32::from(i) * 10.0, 0.0]) {
                    let moved = after.factor(level, position) - before.factor(level, position);
                    // The factors of a level also change while the next one grows, whose sides are twice as large.
                    let max = 2.0 * step / LodRanges::BAND_WIDTH * 1.01;
                    assert!(f64::from(moved.abs()) < max, "level {level} at {position:?} moves by {moved}");
                }
            }
            now = next;
            steps += 1;
        }
        assert!(steps > 50);
    }

    #[test]
    fn the_interpolation_is_exact_at_both_ends() {
        for (height, coarse) in [(0.1, 1e6), (-3.3e-5, 7.7), (1.0 / 3.0, -2.0 / 3.0)] {
            assert_eq!(Morph::between(height, coarse, 0.0), height);
            assert_eq!(Morph::between(height, coarse, 1.0), coarse);
        }
    }
}
