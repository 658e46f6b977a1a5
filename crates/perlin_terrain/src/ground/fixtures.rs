//! The ground of the tests.

use super::Ground;
use crate::chunk::{ChunkLayout, ChunkSettings};
use crate::field::{FieldSettings, HeightField};
use crate::noise::NoiseSettings;
use std::sync::Arc;

/// Round spacings, and spacings that are not a multiple of 1/1024 m.
pub const SPACINGS: [f64; 4] = [4.0, 0.1, 1.0 / 3.0, 7.7];

/// How far from the origin to test, in metres.
pub const POSITIONS: [f64; 3] = [0.0, 1e7, 1e9];

/// Ground that is so rough that no two triangles are in one plane. It has slopes up to 2.
pub fn ground(spacing: f64) -> Ground {
    let rough = NoiseSettings { frequency: 0.1 / spacing, height_scale: 10.0 * spacing, ..Default::default() };
    let settings = FieldSettings { layers: vec![rough.into()], base_height: 10.0, ..Default::default() };
    let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing });
    Ground::new(Arc::new(HeightField::new(&settings)), layout)
}

/// Level ground at this height.
pub fn level_ground(height: f64) -> Ground {
    let settings = FieldSettings { layers: vec![], base_height: height, ..Default::default() };
    Ground::new(Arc::new(HeightField::new(&settings)), ChunkLayout::new(&ChunkSettings::default()))
}
