//! Ground, positions and layers for tests.

use perlin_terrain::chunk::{ChunkLayout, ChunkSettings};
use perlin_terrain::field::{FieldSettings, HeightField};
use perlin_terrain::ground::Ground;
use perlin_terrain::look::{SurfaceLayer, SurfaceSample};
use perlin_terrain::noise::NoiseSettings;
use perlin_terrain::param::{ParamMut, ParamVisitor, Params};
use std::array::from_fn;
use std::sync::Arc;

/// Ground that is so rough that no two triangles are in one plane. It has slopes up to 2.
#[must_use]
pub fn rough_ground(spacing: f64) -> Ground {
    let rough = NoiseSettings { frequency: 0.1 / spacing, height_scale: 10.0 * spacing, ..Default::default() };
    let settings = FieldSettings { layers: vec![rough.into()], base_height: 10.0, ..Default::default() };
    let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing });
    Ground::new(Arc::new(HeightField::new(&settings)), layout)
}

/// A position from ten numbers between 0 and 1.
#[must_use]
pub fn surface_sample_of(parts: &[f64]) -> SurfaceSample {
    let [height, slope, azimuth, curvature, drainage, noise @ ..] = parts else { panic!("too few numbers") };
    let (slope, azimuth) = (slope * 1.5, azimuth * 6.3);
    let normal = [slope.sin() * azimuth.sin(), slope.cos(), slope.sin() * azimuth.cos()];
    SurfaceSample {
        height: (height * 2000.0 - 500.0) as f32,
        normal: normal.map(|part| part as f32),
        curvature: (curvature * 2.0 - 1.0) as f32,
        drainage: (drainage * 2.0 - 1.0) as f32,
        noise: from_fn(|i| noise[i] as f32 - 0.5),
    }
}

/// A layer of the ground with any ranges, from numbers between 0 and 1.
#[must_use]
pub fn surface_layer_of(parts: &[f64]) -> SurfaceLayer {
    let mut layer = SurfaceLayer::default();
    let mut parts = parts.iter().cycle();
    layer.visit(&mut ParamVisitor::new(&mut |path, param, value| {
        let Some(part) = parts.next() else { return };
        match value {
            ParamMut::Float(value) => {
                let max = if path.starts_with("height") { 1500.0 } else { param.max };
                let min = if param.name == "fade" { 0.1 * max } else { param.min.max(-500.0) };
                *value = min + (max - min) * part;
            }
            ParamMut::Switch(value) => *value = *part < 0.25,
            _ => {}
        }
    }));
    layer
}
