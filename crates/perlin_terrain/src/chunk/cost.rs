//! The cost of a quadtree: triangles and memory.

use super::{ChunkHeights, ChunkLayout, LevelErrors, LodQuadtree, LodRanges, LodSettings, Viewer, ViewerPoint};
use crate::field::HeightField;

/// The GPU cost of a quadtree: triangles to draw, and memory.
///
/// The leaves of the quadtree are drawn. Two more kinds of chunks stay in memory: split chunks, which replace their children when
/// the viewer moves away, and chunks that the viewer will need [soon](Viewer::ahead).
///
/// ```
/// use perlin_terrain::chunk::{ChunkLayout, ChunkSettings, LodCost, LodSettings, ViewerPoint};
/// use perlin_terrain::field::{FieldSettings, HeightField};
///
/// let field = HeightField::new(&FieldSettings::default());
/// let layout = ChunkLayout::new(&ChunkSettings::default());
/// let projection_scale = ViewerPoint::projection_scale(1080.0, std::f64::consts::FRAC_PI_4);
/// let viewer = ViewerPoint { position: [0.0; 3], forward: [1.0, 0.0], view_distance: 8000.0, projection_scale, is_orthographic: false };
/// let cost = LodCost::expected(&field, &layout, &LodSettings::default(), &viewer);
/// assert!(cost.triangles < 10_000_000 && cost.megabytes() < 200.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LodCost {
    /// Drawn chunks.
    pub chunks: usize,
    /// Chunks in memory: drawn chunks, their ancestors, and chunks that are built ahead.
    pub resident: usize,
    /// Drawn triangles. Includes the degenerate triangles of stitched borders.
    pub triangles: usize,
    /// Bytes of the heights of all resident chunks.
    pub bytes: usize,
}

impl LodCost {
    /// Bytes of the [heights](ChunkHeights) of one chunk, from which a vertex shader draws it.
    #[must_use]
    pub const fn bytes_per_chunk(layout: &ChunkLayout) -> usize {
        let width = ChunkHeights::width(layout) as usize;
        width * width * size_of::<f32>()
    }

    /// The cost of drawing the leaves of `drawn` and of keeping `resident` chunks in memory. `resident` includes the leaves.
    #[must_use]
    pub fn of(drawn: &LodQuadtree, resident: usize, layout: &ChunkLayout) -> Self {
        let chunks = drawn.leaves().len();
        let triangles = chunks * 2 * (layout.quads() as usize).pow(2);
        Self { chunks, resident, triangles, bytes: resident * Self::bytes_per_chunk(layout) }
    }

    /// Estimates the cost of a viewer at `point` once all its chunks are loaded. Use it to preview settings. Takes some milliseconds,
    /// because it measures the geometric errors of all levels.
    ///
    /// The real cost is higher if the ground is rougher than the samples of `field`. Edits do not change it. While a viewer moves, streaming
    /// also keeps some of the coarsest chunks behind it. The cost is 0 if a number of `point` is not finite.
    #[must_use]
    pub fn expected(field: &HeightField, layout: &ChunkLayout, lod: &LodSettings, point: &ViewerPoint) -> Self {
        if !point.is_finite() {
            return Self::default();
        }
        let field = &field.without_edits();
        let mut errors = LevelErrors::new();
        errors.measure(field, layout, layout.coarsest_level(point.view_distance));
        let ranges = LodRanges::wanted(
            layout,
            Some(&errors),
            point,
            point.height_gap(field.bounds()),
            lod.pixel_error,
            LodRanges::MAX_CHUNKS,
        );
        let viewer = Viewer::new(layout, *point, ranges, field.bounds());
        let [drawn, loaded] = [viewer, viewer.ahead(layout)]
            .map(|viewer| LodQuadtree::select(layout, &[viewer], &LodQuadtree::default()));
        Self::of(&drawn, loaded.visible_chunks().count(), layout)
    }

    /// Memory for heights, in megabytes of 10^6 bytes.
    #[must_use]
    pub const fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkSettings, StitchMask, triangle_indices};
    use crate::field::FieldSettings;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 4.0 })
    }

    fn field() -> HeightField {
        HeightField::new(&FieldSettings::default())
    }

    fn point(view_distance: f64) -> ViewerPoint {
        ViewerPoint {
            position: [10.0, 0.0, -70.0],
            forward: [1.0, 0.0],
            view_distance,
            projection_scale: 1000.0,
            is_orthographic: false,
        }
    }

    fn expected(pixel_error: f64, view_distance: f64) -> LodCost {
        LodCost::expected(
            &field(),
            &layout(),
            &LodSettings { pixel_error, ..Default::default() },
            &point(view_distance),
        )
    }

    #[test]
    fn the_estimate_equals_the_cost_of_the_built_chunks() {
        let mut errors = LevelErrors::new();
        errors.measure(&field(), &layout(), layout().coarsest_level(600.0));
        let ranges = LodRanges::wanted(&layout(), Some(&errors), &point(600.0), 0.0, 1.0, LodRanges::MAX_CHUNKS);
        let viewer = Viewer::new(&layout(), point(600.0), ranges, field().bounds());
        let select = |viewer| LodQuadtree::select(&layout(), &[viewer], &LodQuadtree::default());
        let (drawn, loaded) = (select(viewer), select(viewer.ahead(&layout())));
        let (field, mut builder, mut cost) = (field(), ChunkBuilder::default(), LodCost::default());
        for chunk in loaded.visible_chunks() {
            let heights = builder.heights(&field, &layout(), chunk);
            let indices = triangle_indices(heights.side, StitchMask::NONE);
            cost.resident += 1;
            cost.bytes += size_of_val(&*heights.heights);
            if drawn.is_leaf(chunk) {
                cost.chunks += 1;
                cost.triangles += indices.len() / 3;
            }
        }
        assert!(drawn.visible_chunks().all(|chunk| loaded.shows(chunk)), "what is drawn is loaded");
        assert!(cost.resident > drawn.visible_chunks().count(), "the test needs chunks that are built ahead");
        assert_eq!(expected(1.0, 600.0), cost);
        assert_eq!(LodCost::of(&drawn, cost.resident, &layout()), cost);
        assert_eq!(cost.megabytes(), cost.bytes as f64 / 1e6);
    }

    #[test]
    fn an_empty_quadtree_costs_nothing() {
        assert_eq!(LodCost::of(&LodQuadtree::default(), 0, &layout()), LodCost::default());
        assert_eq!(expected(1.5, f64::NAN), LodCost::default());
    }

    #[test]
    fn a_view_ten_times_as_far_costs_far_less_than_ten_times_as_much() {
        let [near, far] = [2000.0, 20_000.0].map(|distance| expected(2.0, distance));
        assert!(near.triangles < far.triangles && far.triangles < 5 * near.triangles, "{near:?}, {far:?}");
    }

    #[test]
    fn a_larger_pixel_error_costs_less_and_zero_draws_full_detail() {
        let costs = [0.0, 1.0, 4.0].map(|pixel_error| expected(pixel_error, 1500.0));
        assert!(costs.windows(2).all(|pair| pair[0].triangles > pair[1].triangles), "{costs:?}");
        let in_view = std::f64::consts::PI * 1500.0 * 1500.0 / layout().chunk_size(0).powi(2);
        assert!(costs[0].chunks as f64 > in_view, "{} chunks for {in_view}", costs[0].chunks);
    }
}
