//! Tests that `water.wesl` computes on the GPU what [`WaterColor`](super::WaterColor) computes. They need a driver; one that draws on the processor suffices.

use super::{WaterUniform, water_color};
use crate::look::LookSettings;
use crate::noise::NoiseRng;
use crate::render::gpu::Gpu;
use bevy::prelude::*;

/// Evaluates the light that comes back, for depths and cosines.
const MAIN: &str = "
import bevy_perlin_terrain::water::{Water, transmitted};

@group(0) @binding(0) var<uniform> water: Water;
@group(0) @binding(1) var<storage, read> rays: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&rays) {
        found[id.x] = vec4(transmitted(water, rays[id.x].x, rays[id.x].y), 1.0);
    }
}
";

#[test]
fn the_shader_loses_as_much_light_in_water_as_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let mut random = NoiseRng::new(3, 0);
    for (color, clarity) in [([0.05, 0.22, 0.3], 6.0), ([0.3, 0.2, 0.0], 0.3), ([0.0, 0.0, 0.0], 80.0)] {
        let look = LookSettings { water: true, water_color: color, water_clarity: clarity, ..LookSettings::default() };
        let rays: Vec<Vec4> = (0..4096)
            .map(|_| Vec4::new(random.next_in(0.0, 100.0) as f32, random.next_in(0.0, 1.0) as f32, 0.0, 0.0))
            .collect();
        let found: Vec<Vec4> = gpu.compute(MAIN, 0, &WaterUniform::from(&look), &rays);
        let water = water_color(&look);
        for (ray, found) in rays.iter().zip(found) {
            let wanted = Vec3::from(water.transmitted(ray.x, ray.y));
            assert!((found.truncate() - wanted).abs().max_element() < 1e-5, "{found} for {wanted} at {ray}");
        }
    }
}
