//! The distances within which each level of detail is used.
//!
//! A chunk of level `l` is split into its four children if it is nearer than `split(l)` to a viewer. Its vertices morph onto the
//! surface of the next coarser level while their distance grows from the start of the [`morph_band`](LodRanges::morph_band) to its
//! end, which is `split(l + 1)`:
//!
//! ```text
//!            chunks of level l - 1    |  chunks of level l ...........|  chunks of level l + 1
//!   viewer --------------------------split(l)----[ band: morph ]-----split(l + 1)------->  distance
//! ```
//!
//! The gaps between these distances guarantee three properties of a [`LodQuadtree`](super::LodQuadtree) that is selected with them,
//! for any ground and any viewers. Below, `s(l)` is the side of a chunk of level `l`, and `d(l) = sqrt(2) s(l)` is its diagonal.
//!
//! - **Neighbors differ by one level at most** (a restricted quadtree, Pajarola 1998). Take a chunk of level `l - 1`. Its
//!   parent is split, so the parent lies within `split(l) + HYSTERESIS s(l)`. A chunk of level `l + 1` that touches the first chunk
//!   also touches the parent, so it lies within `split(l) + HYSTERESIS s(l) + d(l)`. That is less than `split(l + 1)`, so the chunk
//!   is split.
//! - **A vertex that chunks of two levels share has one position.** Take chunks of levels `l` and `l + 1` with a common border. The
//!   parent of the finer chunk has level `l + 1` and is split, so all of it lies within
//!   `split(l + 1) + HYSTERESIS s(l + 1) + d(l + 1)`. The morph band of level `l + 1` starts beyond that distance, so the coarser
//!   chunk does not morph at the border. The finer chunk morphs onto the surface of level `l + 1`, which contains the shared
//!   vertices, so its morph does not move them.
//! - **Chunks split and merge without a visible change** (geomorphs, Hoppe 1998; distance bands, CDLOD, Strugar 2009). An
//!   unsplit chunk of level `l + 1` has no ground nearer than `split(l + 1)`. The morph band of level `l` ends there, so its
//!   children would draw exactly its surface.
//!
//! With several viewers, the smallest morph factor counts. The same proofs hold.

use super::{ChunkLayout, LEVELS, LevelErrors, ViewerPoint};

/// The distances from one viewer at which the chunks of each level are split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LodRanges {
    split: [f64; LEVELS],
    /// Side of a chunk of level 0, in metres.
    side: f64,
}

impl LodRanges {
    /// A split chunk stays split until its distance exceeds the split distance by this part of its side. So a viewer that moves back
    /// and forth across a split distance causes no changes.
    pub const HYSTERESIS: f64 = 0.1;

    /// The morph band starts this far beyond the split distance, in sides: a diagonal, the hysteresis and a margin for rounding.
    const BAND_START: f64 = std::f64::consts::SQRT_2 + Self::HYSTERESIS + 0.05;

    /// The minimum width of a morph band, in sides.
    pub const BAND_WIDTH: f64 = 0.5;

    /// The minimum gap between the split distances of two levels, in sides of the finer one.
    const GAP: f64 = Self::BAND_START + Self::BAND_WIDTH;

    /// The approximate maximum number of chunks around one viewer. Extreme settings reduce the detail instead of exhausting the
    /// memory.
    pub const MAX_CHUNKS: f64 = 8192.0;

    /// Ranges that split no chunk.
    #[must_use]
    pub fn none(layout: &ChunkLayout) -> Self {
        Self { split: [0.0; LEVELS], side: layout.chunk_size(0) }
    }

    /// The smallest ranges with level `finest` under the viewer. All coarser levels start as near as the gaps allow.
    #[must_use]
    pub fn minimal(layout: &ChunkLayout, finest: u8) -> Self {
        let mut ranges = Self::none(layout);
        for level in usize::from(finest) + 1..LEVELS {
            ranges.split[level] = ranges.split[level - 1] + Self::GAP * ranges.side_of(level - 1);
        }
        ranges
    }

    /// The ranges at which the geometric error of every level is at most `pixel_error` pixels on the screen of `viewer`, which is
    /// `height_gap` metres above or below all ground. With 0 pixels, everything within the view distance has level 0. Levels whose
    /// errors are not measured have the [minimal](Self::minimal) ranges. In an orthographic image, all ground has the same level,
    /// which can be a coarse one.
    ///
    /// If the ranges need more than about `max_chunks` chunks, larger errors are allowed, down to the minimal ranges with level 0
    /// under the viewer. If these need more too, the view must end earlier; see [`view_within`](Self::view_within). Only if a view of
    /// [`MIN_VIEW`](Self::MIN_VIEW) sides still needs more, the finest levels are left out.
    #[must_use]
    pub fn wanted(
        layout: &ChunkLayout,
        errors: Option<&LevelErrors>,
        viewer: &ViewerPoint,
        height_gap: f64,
        pixel_error: f64,
        max_chunks: f64,
    ) -> Self {
        let view = viewer.view_distance.min(Self::farthest_view(layout));
        let farthest = libm::hypot(view, height_gap);
        let coarsest = layout.coarsest_level(view);
        let with_error = |pixel_error: f64| {
            // Only the gaps count if the error is not measured, and above the coarsest level.
            let known = |level: u8| errors.filter(|errors| level <= coarsest.min(errors.measured()));
            let needed = |level: u8| {
                known(level).map_or(0.0, |errors| viewer.distance_of_error(errors.of(level), pixel_error).min(farthest))
            };
            let is_needless = |level: &u8| viewer.is_orthographic && known(*level).is_some() && needed(*level) <= 0.0;
            let finest = (1..LEVELS as u8).take_while(is_needless).last().unwrap_or(0);
            let mut ranges = Self::minimal(layout, finest);
            for level in usize::from(finest) + 1..LEVELS {
                let min = ranges.split[level - 1] + Self::GAP * ranges.side_of(level - 1);
                ranges.split[level] = min.max(needed(level as u8));
            }
            ranges
        };
        let ranges = with_error(pixel_error);
        if ranges.estimated_chunks(view) <= max_chunks {
            return ranges;
        }
        // Try errors up to 2^60 times as large, in steps of a factor of 2^(1/8).
        let try_step = |step: i32| with_error(pixel_error.max(1e-6) * libm::exp2(f64::from(step) / 8.0));
        let (mut too_many, mut few_enough) = (-1, 480);
        while few_enough - too_many > 1 {
            let middle = (too_many + few_enough) / 2;
            let fits = try_step(middle).estimated_chunks(view) <= max_chunks;
            *(if fits { &mut few_enough } else { &mut too_many }) = middle;
        }
        let ranges = try_step(few_enough);
        let min_view = view.min(ranges.min_view());
        let coarsest = layout.coarsest_level(min_view);
        let coarser = (1..=coarsest).map(|finest| Self::minimal(layout, finest));
        let fits = |ranges: &Self| ranges.estimated_chunks(min_view) <= max_chunks;
        std::iter::once(ranges).chain(coarser).find(fits).unwrap_or_else(|| Self::minimal(layout, coarsest))
    }

    /// The shortest view, in sides of a chunk of level 0, for which memory is taken from the distance and not from detail.
    pub const MIN_VIEW: f64 = 2.0;

    fn min_view(&self) -> f64 {
        Self::MIN_VIEW * self.side
    }

    /// The longest view distance up to `view` metres that needs no more than about `max_chunks` chunks, but at least
    /// [`MIN_VIEW`](Self::MIN_VIEW) sides, or `view`.
    #[must_use]
    pub fn view_within(&self, max_chunks: f64, view: f64) -> f64 {
        let (mut near, mut far) = (view.min(self.min_view()), view);
        if self.estimated_chunks(far) <= max_chunks {
            return far;
        }
        // To a thousandth.
        for _ in 0..10 {
            let middle = (near + far) / 2.0;
            *(if self.estimated_chunks(middle) <= max_chunks { &mut near } else { &mut far }) = middle;
        }
        near
    }

    /// The maximum view distance, in metres: half the side of a root.
    #[must_use]
    pub fn farthest_view(layout: &ChunkLayout) -> f64 {
        layout.chunk_size(ChunkLayout::ROOT_LEVEL) / 2.0
    }

    fn side_of(&self, level: usize) -> f64 {
        self.side * (1_u64 << level) as f64
    }

    /// The split distance of `level`, in metres: a chunk is split if it is nearer than this.
    #[must_use]
    pub fn split(&self, level: u8) -> f64 {
        self.split.get(usize::from(level)).copied().unwrap_or(f64::INFINITY)
    }

    /// The distance up to which a split chunk of `level` stays split, in metres.
    #[must_use]
    pub fn stay_split(&self, level: u8) -> f64 {
        let split = self.split(level);
        if split > 0.0 { split + Self::HYSTERESIS * self.side_of(level.into()) } else { 0.0 }
    }

    /// The distances, in metres, at which the vertices of a chunk of `level` start to morph, and at which they lie on the surface of
    /// the next coarser level. The first distance can be negative: the band keeps its minimum width, so that a level whose range
    /// grows from 0 fades in.
    #[must_use]
    pub fn morph_band(&self, level: u8) -> [f64; 2] {
        let (side, end) = (self.side_of(level.into()), self.split(level + 1));
        let start = self.split(level) + Self::BAND_START * side;
        [start.min(end - Self::BAND_WIDTH * side), end]
    }

    /// The approximate number of chunks that a viewer with this view distance draws.
    #[must_use]
    pub fn estimated_chunks(&self, view_distance: f64) -> f64 {
        let mut chunks = 0.0;
        let mut inner = 0.0;
        for level in 0..LEVELS - 1 {
            let side = self.side_of(level);
            let outer = self.split(level as u8 + 1).min(view_distance);
            // A disc of chunks extends half a diagonal beyond the disc that it covers.
            let disc = |radius: f64| std::f64::consts::PI * radius * radius;
            if outer > inner || level == 0 && view_distance >= 0.0 {
                chunks += (disc(outer + 0.7 * side) - disc(inner)) / (side * side);
                inner = outer;
            }
        }
        chunks
    }

    /// The ranges, larger by `sides` chunk sides at every level with a range.
    #[must_use]
    pub fn widened(mut self, sides: f64) -> Self {
        for level in 1..LEVELS {
            if self.split[level] > 0.0 {
                self.split[level] += sides * self.side_of(level);
            }
        }
        self
    }

    /// Limits the range of `level` to `distance` metres.
    pub fn limit(&mut self, level: u8, distance: f64) {
        if let Some(split) = self.split.get_mut(usize::from(level)) {
            *split = split.min(distance.max(0.0));
        }
    }

    /// Shortens the ranges of finer levels until all gaps are large enough.
    pub fn keep_apart(&mut self) {
        for level in (1..LEVELS - 1).rev() {
            // A slightly smaller gap, so that rounding does not shorten ranges whose gaps are just large enough.
            let max = self.split[level + 1] - Self::GAP * (1.0 - 1e-9) * self.side_of(level);
            self.split[level] = self.split[level].min(max).max(0.0);
        }
    }

    /// The ranges `goal`, but no level grows by more than `sides` of its chunk sides relative to `self`. Ranges shrink at once.
    #[must_use]
    pub fn toward(&self, goal: &Self, sides: f64) -> Self {
        let mut next = *goal;
        for level in 1..LEVELS {
            next.limit(level as u8, self.split[level] + sides * self.side_of(level));
        }
        next.keep_apart();
        next
    }

    /// The larger of both at every level. The gaps stay.
    #[must_use]
    pub fn max(mut self, other: &Self) -> Self {
        for (here, there) in self.split.iter_mut().zip(&other.split) {
            *here = here.max(*there);
        }
        self
    }

    /// The smaller of both at every level. The gaps stay.
    #[must_use]
    pub fn min(mut self, other: &Self) -> Self {
        for (here, there) in self.split.iter_mut().zip(&other.split) {
            *here = here.min(*there);
        }
        self
    }

    /// Converts ranges for the layout `from` to ranges for the layout `to`. At every distance, the spacing of vertices is not larger
    /// than before. The gaps can be too small for selecting a quadtree.
    #[must_use]
    pub fn in_layout(&self, from: &ChunkLayout, to: &ChunkLayout) -> Self {
        // The coarsest level of `to` with vertices as close together as those of level 0 of `from`.
        let shift = libm::floor(libm::log2(from.spacing(0) / to.spacing(0))) as isize;
        let mut ranges = Self::none(to);
        for level in 1..LEVELS {
            let same = level.checked_add_signed(-shift).filter(|&same| same > 0);
            ranges.split[level] = same.map_or(0.0, |same| self.split[same.min(LEVELS - 1)]);
        }
        ranges
    }

    /// Whether no level has a smaller range than `other` has.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.split.iter().zip(&other.split).all(|(here, there)| here >= there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::{FieldSettings, HeightField};

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 })
    }

    fn viewer(view_distance: f64) -> ViewerPoint {
        ViewerPoint {
            position: [0.0; 3],
            forward: [1.0, 0.0],
            view_distance,
            projection_scale: 1000.0,
            is_orthographic: false,
        }
    }

    fn errors() -> LevelErrors {
        let mut errors = LevelErrors::new();
        errors.measure(&HeightField::new(&FieldSettings::default()), &layout(), 10);
        errors
    }

    fn assert_apart(ranges: &LodRanges) {
        for level in 1..LEVELS as u8 - 1 {
            let (here, next) = (ranges.split(level), ranges.split(level + 1));
            assert!(
                here == 0.0 || next >= here + LodRanges::GAP * 0.999_999 * ranges.side_of(level.into()),
                "{ranges:?}"
            );
        }
    }

    #[test]
    fn beyond_its_range_no_level_shows_more_than_the_error_that_is_allowed() {
        for pixel_error in [0.25, 1.0, 4.0] {
            let (viewer, errors) = (viewer(1e5), errors());
            let ranges = LodRanges::wanted(&layout(), Some(&errors), &viewer, 0.0, pixel_error, LodRanges::MAX_CHUNKS);
            assert_apart(&ranges);
            for level in 1..10 {
                let pixels = errors.of(level) * viewer.projection_scale / ranges.split(level);
                assert!(
                    pixels <= pixel_error * 1.000_001 || ranges.split(level) >= 1e5,
                    "level {level}: {pixels} pixels"
                );
            }
        }
    }

    #[test]
    fn without_an_error_everything_in_view_is_of_the_finest_level() {
        let ranges = LodRanges::wanted(&layout(), Some(&errors()), &viewer(3000.0), 0.0, 0.0, LodRanges::MAX_CHUNKS);
        assert!((1..10).all(|level| ranges.split(level) >= 3000.0));
        assert_apart(&ranges);
    }

    #[test]
    fn extreme_settings_cost_detail_and_not_memory() {
        let rough = LevelErrors::known(&[1e6]);
        for (view_distance, pixel_error) in [(1e5, 0.01), (1e6, 0.0), (3e4, 1.0)] {
            let viewer = viewer(view_distance);
            let ranges = LodRanges::wanted(&layout(), Some(&rough), &viewer, 0.0, pixel_error, LodRanges::MAX_CHUNKS);
            let chunks = ranges.estimated_chunks(view_distance);
            assert!((LodRanges::MAX_CHUNKS * 0.4..=LodRanges::MAX_CHUNKS).contains(&chunks), "{chunks} chunks");
            assert_apart(&ranges);
        }
    }

    #[test]
    fn limits_and_growth_keep_the_levels_apart() {
        let goal = LodRanges::wanted(&layout(), Some(&errors()), &viewer(8000.0), 0.0, 1.0, LodRanges::MAX_CHUNKS);
        let mut ranges = LodRanges::none(&layout());
        let mut steps = 0;
        while ranges != goal {
            let next = ranges.toward(&goal, 0.2);
            assert!(next.covers(&ranges));
            assert_apart(&next);
            ranges = next;
            steps += 1;
            assert!(steps < 1000, "the ranges never reach the goal: {ranges:?}, {goal:?}");
        }
        assert!(steps > 5);
        let mut limited = goal;
        limited.limit(2, 300.0);
        limited.keep_apart();
        assert_apart(&limited);
        assert_eq!(limited.split(2), 300.0);
        assert_eq!(limited.split(3), goal.split(3));
        assert_eq!(ranges.toward(&limited, 0.2), limited, "ranges shrink at once");
    }

    #[test]
    fn a_small_allowance_costs_detail_then_the_far_end_of_the_view_and_then_the_finest_levels() {
        let mut before = f64::INFINITY;
        let mut all = Vec::new();
        for max in [1000.0, 400.0, 200.0, 100.0, 50.0, 20.0, 8.0] {
            let ranges = LodRanges::wanted(&layout(), Some(&errors()), &viewer(8000.0), 0.0, 1.0, max);
            assert_apart(&ranges);
            let view = ranges.view_within(max, 8000.0);
            let chunks = ranges.estimated_chunks(view);
            assert!(chunks <= max.min(before), "{chunks} chunks of {max}");
            before = chunks;
            let finest = (0..20).find(|&level| ranges.split(level + 1) > 0.0).expect("some level is split");
            all.push((view.round() as u32, finest));
        }
        let [all, less, short @ .., few] = &all[..] else { panic!("seven of them") };
        assert_eq!([*all, *less], [(8000, 0); 2], "larger errors are allowed");
        assert!(short[..3].is_sorted_by(|one, other| one.0 >= other.0) && short[1].0 < 8000, "{short:?}");
        assert!(short[..3].iter().all(|&(_, finest)| finest == 0), "{short:?}");
        assert!(few.0 >= 512 && few.1 > 0, "{few:?}");
    }

    #[test]
    fn in_an_orthographic_image_everything_in_view_has_the_coarsest_level_that_is_good_enough() {
        let errors = errors();
        for (pixels_per_metre, pixel_error) in [(20.0, 1.0), (1.0, 1.0), (0.1, 1.0), (0.1, 0.01), (1.0, 0.0)] {
            let viewer = ViewerPoint { projection_scale: pixels_per_metre, is_orthographic: true, ..viewer(3000.0) };
            for height_gap in [0.0, 2500.0] {
                let ranges = LodRanges::wanted(
                    &layout(),
                    Some(&errors),
                    &viewer,
                    height_gap,
                    pixel_error,
                    LodRanges::MAX_CHUNKS,
                );
                assert_apart(&ranges);
                let farthest = 3000.0_f64.hypot(height_gap);
                let finest = (0..20).find(|&level| ranges.split(level + 1) > 0.0).expect("some level is split");
                assert!(ranges.split(finest + 1) >= farthest, "{ranges:?}");
                assert!(errors.of(finest) * pixels_per_metre <= pixel_error, "level {finest}");
                let coarser = errors.of(finest + 1) * pixels_per_metre;
                assert!(coarser > pixel_error || finest >= 4, "level {finest}: {coarser} pixels would do");
            }
        }
    }

    #[test]
    fn in_another_grid_no_distance_has_coarser_vertices() {
        let grid = |quads, spacing| ChunkLayout::new(&ChunkSettings { quads, spacing });
        let from = grid(64, 4.0);
        let ranges = LodRanges::wanted(&from, Some(&errors()), &viewer(8000.0), 0.0, 1.0, LodRanges::MAX_CHUNKS);
        let spacing_at = |ranges: &LodRanges, grid: &ChunkLayout, distance: f64| {
            let level = (0..20).find(|&level| distance < ranges.split(level + 1));
            grid.spacing(level.expect("some level reaches there"))
        };
        for to in
            [grid(64, 4.0), grid(32, 4.0), grid(64, 2.0), grid(64, 1.5), grid(64, 7.0), grid(16, 8.0), grid(64, 33.0)]
        {
            let there = ranges.in_layout(&from, &to);
            for distance in [1.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0] {
                let (max, found) = (spacing_at(&ranges, &from, distance), spacing_at(&there, &to, distance));
                // If the layout has no vertices as close together, its level 0 counts.
                assert!(found <= max.max(to.spacing(0)), "{found} m instead of {max} m at {distance} m");
                assert!(
                    found > max / 2.0 || found > max.max(to.spacing(0)) / 2.0,
                    "more than is needed at {distance} m"
                );
            }
        }
        assert_eq!(ranges.in_layout(&from, &from), ranges);
    }

    #[test]
    fn the_larger_and_the_smaller_of_two_ranges_keep_the_gaps() {
        let one = LodRanges::wanted(&layout(), Some(&errors()), &viewer(8000.0), 0.0, 1.0, LodRanges::MAX_CHUNKS);
        let mut other = one;
        other.limit(3, 900.0);
        other.keep_apart();
        let min = LodRanges::minimal(&layout(), 1);
        for ranges in [other.max(&min), other.min(&min), one.max(&other)] {
            assert_apart(&ranges);
        }
        assert!(other.max(&min).covers(&min) && min.covers(&other.min(&min)));
    }
}
