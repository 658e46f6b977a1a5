//! Fixtures for tests of quadtrees and plans: a small layout, viewers of the default ground, and their trees.

use super::LodQuadtree;
use crate::chunk::{ChunkLayout, ChunkSettings, LEVELS, LevelErrors, LodRanges, Viewer, ViewerPoint};
use crate::field::{FieldSettings, HeightField};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::LazyLock;

pub fn layout() -> ChunkLayout {
    ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 2.0 })
}

/// The bounds of the ground, in metres. Tighter than those of the default ground, so that more viewers are above or below it.
const BOUNDS: (f32, f32) = (-10.0, 10.0);

/// The errors of all levels on the default ground.
pub static ERRORS: LazyLock<LevelErrors> = LazyLock::new(|| {
    let mut errors = LevelErrors::new();
    errors.measure(&HeightField::new(&FieldSettings::default()), &layout(), LEVELS as u8);
    errors
});

pub fn point_at(x: f64, z: f64, view_distance: f64) -> ViewerPoint {
    ViewerPoint {
        position: [x, 0.0, z],
        forward: [1.0, 0.0],
        view_distance,
        projection_scale: 1000.0,
        is_orthographic: false,
    }
}

pub fn viewer_at(x: f64, z: f64, view_distance: f64) -> Viewer {
    let point = point_at(x, z, view_distance);
    let ranges = LodRanges::wanted(&layout(), Some(&ERRORS), &point, 0.0, 2.0, LodRanges::MAX_CHUNKS);
    Viewer::new(&layout(), point, ranges, BOUNDS)
}

/// One to `max` viewers in a square of 3 km. Half of them are up to 1 km above or below the ground.
pub fn any_viewers(max: usize) -> impl Strategy<Value = Vec<Viewer>> {
    let height = prop_oneof![Just(0.0), -1000.0..1000.0];
    let viewer = (0.0..3000.0, height, 0.0..3000.0, 100.0..1000.0).prop_map(|(x, height, z, view_distance)| {
        let Viewer { point, ranges, .. } = viewer_at(x, z, view_distance);
        Viewer::new(&layout(), ViewerPoint { position: [x, height, z], ..point }, ranges, BOUNDS)
    });
    vec(viewer, 1..=max)
}

pub fn select(viewers: &[Viewer], previous: &LodQuadtree) -> LodQuadtree {
    LodQuadtree::select(&layout(), viewers, previous)
}
