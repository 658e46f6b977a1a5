//! Tests that `pattern_noise.wesl` computes on the GPU what [`noises`] computes. They need a driver; one that draws on the
//! processor suffices.

use super::uniform::TerrainUniform;
use crate::look::pattern::noises;
use crate::noise::NoiseRng;
use crate::render::TerrainView;
use crate::render::gpu::Gpu;
use crate::stream::{TerrainFrame, TerrainOrigin};
use bevy::prelude::*;

/// Evaluates the four noises at every position, in the uniform of a terrain.
const MAIN: &str = "
import bevy_perlin_terrain::pattern_noise::pattern_noise;

@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&positions) {
        let position = positions[id.x].xyz;
        found[id.x] = vec4(
            pattern_noise(position, 0u, 0.0),
            pattern_noise(position, 1u, 0.0),
            pattern_noise(position, 2u, 0.0),
            pattern_noise(position, 3u, 0.0),
        );
    }
}
";

#[test]
fn the_shader_has_the_noise_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let mut random = NoiseRng::new(5, 0);
    for [x, z] in [[0.0, 0.0], [-12_345.6, 98_765.4], [1e9, -1e9]] {
        let frame = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::new(x, z));
        let positions: Vec<Vec4> = (0..4096)
            .map(|_| Vec4::from_array([500.0, 2000.0, 500.0, 0.0].map(|size| random.next_in(-size, size) as f32)))
            .collect();
        let uniform = TerrainUniform::new(&[], &frame, TerrainView::Look);
        let found: Vec<Vec4> = gpu.compute(MAIN, 101, &uniform, &positions);
        for (position, found) in positions.iter().zip(found) {
            let wanted = Vec4::from(noises(frame.to_terrain(position.truncate()).to_array()));
            // The shader has the precision of `f32` in metres, where the smallest cells have 5 metres.
            assert!((wanted - found).abs().max_element() < 2e-3, "{wanted} and {found} at {position} from {x}, {z}");
        }
    }
}
