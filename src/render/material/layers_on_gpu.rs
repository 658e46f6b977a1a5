//! Tests that `layers.wesl` computes on the GPU what [`SurfaceLayers`] computes. They need a driver; one that draws on the
//! processor suffices.

use super::LookUniform;
use crate::look::{HeightRange, LookSettings, SurfaceLayer, SurfaceLayers, SurfaceSample};
use crate::noise::NoiseRng;
use crate::render::gpu::Gpu;
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use testing::{surface_layer_of, surface_sample_of};

/// Runs `strongest` for every sample.
const MAIN: &str = "
import bevy_perlin_terrain::layers::{Pair, SurfaceSample, strongest};

@group(0) @binding(1) var<storage, read> samples: array<SurfaceSample>;
@group(0) @binding(2) var<storage, read_write> pairs: array<Pair>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&samples) {
        pairs[id.x] = strongest(samples[id.x]);
    }
}
";

/// Runs `ramp` for every value, with the heights of one layer after the other.
const RAMPS: &str = "
import bevy_perlin_terrain::layers::{look, ramp};

@group(0) @binding(1) var<storage, read> heights: array<f32>;
@group(0) @binding(2) var<storage, read_write> ramps: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&heights) {
        let layer = look.layers[id.x % u32(look.detail.y)];
        ramps[id.x] = ramp(layer.height, (layer.inverted & 1u) != 0u, heights[id.x]);
    }
}
";

/// `SurfaceSample` of the shader.
#[derive(ShaderType)]
struct SampleUniform {
    form: Vec4,
    lean: Vec2,
    noise: Vec4,
}

impl From<&SurfaceSample> for SampleUniform {
    fn from(sample: &SurfaceSample) -> Self {
        Self {
            form: Vec4::new(sample.height, sample.slope(), sample.curvature, sample.drainage),
            lean: Vec2::new(sample.normal[0], sample.normal[2]),
            noise: sample.noise.into(),
        }
    }
}

/// `Pair` of the shader.
#[derive(ShaderType, Clone, Copy, Debug, Default)]
struct Pair {
    first: u32,
    second: u32,
    part: f32,
}

/// The two strongest layers of every sample, as the shader computes them.
fn strongest_on_gpu(gpu: &Gpu, look: &LookSettings, samples: &[SurfaceSample]) -> Vec<Pair> {
    let samples: Vec<SampleUniform> = samples.iter().map(SampleUniform::from).collect();
    gpu.compute(MAIN, 0, &LookUniform::from(look), &samples)
}

#[test]
fn the_shader_has_the_bands_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let layers: Vec<SurfaceLayer> = (0..LookSettings::MAX_LAYERS)
        .map(|bits| {
            let mut height = HeightRange { fade: 40.0, invert: bits & 1 == 1, ..HeightRange::default() };
            height.from = if bits & 2 == 2 { 100.0 } else { height.from };
            height.to = if bits & 4 == 4 { 300.0 } else { height.to };
            SurfaceLayer { height, ..SurfaceLayer::default() }
        })
        .collect();
    let look = LookSettings { layers, ..LookSettings::default() };
    let ground = SurfaceLayers::new(&look);
    let heights: Vec<f32> = (0..8000).map(|i| i as f32 * 0.1 - 200.0).collect();
    let found: Vec<f32> = gpu.compute(RAMPS, 0, &LookUniform::from(&look), &heights);
    let bands = ground.placed().iter().map(|placed| placed.bands[0]).cycle();
    for ((band, height), found) in bands.zip(heights).zip(found) {
        // An open end is far away, and the rest of its digits do not matter.
        let [found, expected] = [found, band.ramp(height)].map(|ramp| ramp.clamp(-50.0, 50.0));
        assert!((found - expected).abs() < 1e-4, "{found} instead of {expected} at {height} m of {band:?}");
    }
}

#[test]
fn the_shader_finds_the_strongest_layers_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let mut random = NoiseRng::new(7, 0);
    let (mut mixed, mut of_three) = (0, 0);
    for count in (1..=LookSettings::MAX_LAYERS).cycle().take(64) {
        let mut numbers = |count: usize| -> Vec<f64> { (0..count).map(|_| random.next_unit()).collect() };
        // A layer with six random ranges lies nearly nowhere, so most of them are open.
        let layers = (0..count).map(|_| {
            let (mut layer, open, closed) = (surface_layer_of(&numbers(40)), SurfaceLayer::default(), numbers(6));
            let is_open = |range: usize| closed[range] < 0.7;
            layer.height = if is_open(0) { open.height } else { layer.height };
            layer.slope = if is_open(1) { open.slope } else { layer.slope };
            layer.aspect = if is_open(2) { open.aspect } else { layer.aspect };
            layer.curvature = if is_open(3) { open.curvature } else { layer.curvature };
            layer.drainage = if is_open(4) { open.drainage } else { layer.drainage };
            layer.noise = if is_open(5) { open.noise } else { layer.noise };
            layer
        });
        let look = LookSettings { layers: layers.collect(), ..LookSettings::default() };
        let ground = SurfaceLayers::new(&look);
        let samples: Vec<SurfaceSample> = (0..256).map(|_| surface_sample_of(&numbers(9))).collect();
        let found = strongest_on_gpu(&gpu, &look, &samples);
        assert_eq!(found.len(), samples.len());
        for (sample, pair) in samples.iter().zip(found) {
            let weights = ground.weights(sample);
            let mut sorted = weights;
            sorted.sort_by(|a, b| b.total_cmp(a));
            let [first, second, third, ..] = sorted;
            let at = |index: u32| weights[index as usize];
            // Layers that cover the same may change places.
            let order = (at(pair.first) - first).abs().max((at(pair.second) - second).abs());
            assert!(count == 1 || order < 1e-4, "{pair:?} of {weights:?}");
            let rest = (first - third) + (second - third);
            if rest > 1e-2 {
                let part = (first - third) / rest;
                assert!((pair.part - part).abs() < 1e-3, "{pair:?} of {weights:?}, expected {part}");
                mixed += usize::from(part < 0.99);
                of_three += usize::from(third > 0.01);
            }
        }
    }
    assert!(mixed > 1000 && of_three > 300, "{mixed} samples have two layers, {of_three} three");
}
