//! What the tests of covers share: a small layout, viewers over the default ground, and their covers.

use super::Cover;
use crate::chunk::{ChunkLayout, ChunkSettings, LEVELS, LevelErrors, Reach, Viewer, ViewerPoint};
use crate::field::{FieldSettings, HeightField};
use std::sync::LazyLock;

pub fn layout() -> ChunkLayout {
    ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 2.0 })
}

/// The errors of all levels on the default ground.
pub static ERRORS: LazyLock<LevelErrors> = LazyLock::new(|| {
    let mut errors = LevelErrors::new();
    errors.measure(&HeightField::new(&FieldSettings::default()), &layout(), LEVELS as u8);
    errors
});

pub fn viewer_at(x: f64, z: f64, view_distance: f64) -> Viewer {
    let point = ViewerPoint { position: [x, 0.0, z], forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
    Viewer::new(point, Reach::wanted(&layout(), &ERRORS, &point, 2.0, 8), (-10.0, 10.0))
}

pub fn select(viewers: &[Viewer], previous: &Cover) -> Cover {
    let top = viewers.iter().map(|v| Cover::top_level(&layout(), v.point.view_distance)).max().unwrap_or(0);
    Cover::select(&layout(), top, viewers, 50.0, previous)
}
