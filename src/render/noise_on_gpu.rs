//! Tests that shader modules of [`Noise`] compute on the GPU what [`Noise::sample`] computes. They need a driver; one that draws
//! on the processor suffices.

use super::gpu::Gpu;
use crate::noise::{Fade, FractalShape, Noise, NoiseRng, NoiseSettings, OctaveSum, ValueAndGradient};
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

/// What a shader finds at a position.
#[derive(ShaderType, Clone, Copy, Default)]
struct Found {
    with_gradient: Vec4,
    value: f32,
}

/// Evaluates the noise at every position. The uniform is a unit of length.
const MAIN: &str = "
struct Found {
    with_gradient: vec4<f32>,
    value: f32,
}

@group(0) @binding(0) var<uniform> unit: f32;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<Found>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&positions) {
        let p = unit * positions[id.x];
        found[id.x] = Found($all, noise($p));
    }
}
";

const SHAPES: [FractalShape; 5] =
    [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow, FractalShape::Hybrid, FractalShape::Damped];
const FADES: [Fade; 4] = [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic];

/// Cells of about four units in the finest of four octaves. In binary, the frequencies have no end.
fn settings() -> NoiseSettings {
    NoiseSettings { octaves: 4, frequency: 0.03, warp_frequency: 0.02, ..NoiseSettings::unit() }
}

/// A noise in `N` dimensions, and its module.
trait InShader<const N: usize> {
    fn module(&self) -> String;
    fn at(&self, p: [f64; N]) -> ValueAndGradient<N>;
}

macro_rules! in_shader {
    ($n:literal) => {
        impl InShader<$n> for Noise<$n> {
            fn module(&self) -> String {
                self.wesl().expect("a shader can have it")
            }

            fn at(&self, p: [f64; $n]) -> ValueAndGradient<$n> {
                self.sample(p)
            }
        }
    };
}

in_shader!(2);
in_shader!(3);

/// The largest differences of a shader and [`Noise::sample`] at 4096 positions.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    /// Per height scale.
    value: f64,
    /// Per height scale and cell of the finest octave.
    gradient: f64,
}

/// The errors within `reach` units of the origin along each axis, a power of two.
fn errors<const N: usize>(gpu: &Gpu, noise: &impl InShader<N>, settings: &NoiseSettings, reach: f32) -> Errors {
    let all = if N == 2 { "vec4(noise_with_gradient(p.xy), 0.0)" } else { "noise_with_gradient(p.xyz)" };
    let p = if N == 2 { "p.xy" } else { "p.xyz" };
    let shader = noise.module() + &MAIN.replace("$all", all).replace("$p", p);
    let mut random = NoiseRng::new(7, 0);
    let parts: Vec<Vec4> =
        (0..4096).map(|_| Vec4::from_array([1.0; 4].map(|side| random.next_in(-side, side) as f32))).collect();
    let found: Vec<Found> = gpu.compute(&shader, 0, &reach, &parts);
    let finest = settings.octaves().last().map_or(1.0, |(frequency, _)| frequency);
    let height = settings.height_scale.abs();
    let mut errors = Errors::default();
    let mut beside_crease = 0;
    for (part, found) in parts.iter().zip(found) {
        let p: [f64; N] = std::array::from_fn(|axis| f64::from(reach * part[axis]));
        assert_eq!(found.value, found.with_gradient.x, "both functions at {p:?}");
        let error = |expected: ValueAndGradient<N>| Errors {
            value: (f64::from(found.value) - expected.value).abs() / height,
            gradient: (0..N)
                .map(|axis| (f64::from(found.with_gradient[axis + 1]) - expected.gradient[axis]).abs())
                .fold(0.0, f64::max)
                / (height * finest),
        };
        let mut here = error(noise.at(p));
        if here.gradient > GRADIENT {
            // Beside a crease, where slopes jump, rounding may choose the other side.
            beside_crease += 1;
            let aside = f64::from(reach) / f64::from(1 << 21);
            for corner in 0..1_usize << N {
                let beside =
                    std::array::from_fn(|axis| if corner >> axis & 1 == 0 { p[axis] - aside } else { p[axis] + aside });
                here.gradient = here.gradient.min(error(noise.at(beside)).gradient);
            }
        }
        errors.value = errors.value.max(here.value);
        errors.gradient = errors.gradient.max(here.gradient);
    }
    assert!(beside_crease < 40, "{beside_crease} of 4096 gradients differ");
    errors
}

/// The bounds in the docs of `Noise::wesl`, within a thousand cells of the finest octave.
const VALUE: f64 = 2e-4;
const GRADIENT: f64 = 2e-3;

/// Within 983 cells of the finest octave.
const REACH: f32 = 4096.0;

fn check<const N: usize>(gpu: &Gpu, name: &str, noise: &impl InShader<N>, settings: &NoiseSettings) {
    let errors = errors(gpu, noise, settings, REACH);
    println!("{name} in {N} dimensions: {errors:?}");
    // The slopes of a linear fade jump, and the values of `Damped` with them: they have no bound.
    let jumps = settings.shape == FractalShape::Damped && settings.fade == Fade::Linear;
    assert!((errors.value < VALUE || jumps) && errors.gradient < GRADIENT, "{name} in {N} dimensions: {errors:?}");
}

#[test]
fn every_shape_and_fade_is_the_noise_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    for (index, shape) in SHAPES.into_iter().enumerate() {
        for (other, fade) in FADES.into_iter().enumerate() {
            let (name, settings) = (format!("{shape:?} {fade:?}"), NoiseSettings { shape, fade, ..settings() });
            check(&gpu, &name, &Noise::<2>::seeded(&settings, 42, 0), &settings);
            // Shaders for space take long to compile. The shape that needs second derivatives has other code for each fade.
            if other == index % FADES.len() || shape == FractalShape::Damped {
                check(&gpu, &name, &Noise::<3>::seeded(&settings, 42, 0), &settings);
            }
        }
    }
}

#[test]
fn every_sum_exponent_period_and_warp_is_the_noise_of_rust() {
    let Some(gpu) = Gpu::find() else { return };
    let base = settings();
    let periodic = NoiseSettings { period_x: 6, period_y: 5, lacunarity: 2.03, ..base.clone() };
    for (name, settings) in [
        ("raw", NoiseSettings { sum: OctaveSum::Raw, amplitude: 0.7, ..base.clone() }),
        ("clamped", NoiseSettings { sum: OctaveSum::Clamped, amplitude: 2.5, octaves: 2, ..base.clone() }),
        ("height", NoiseSettings { height_scale: -120.0, ..base.clone() }),
        ("exponent", NoiseSettings { exponent: 2.5, height_scale: 3.0, ..base.clone() }),
        ("no offsets", NoiseSettings { offset_octaves: false, ..base.clone() }),
        ("period", periodic.clone()),
        ("rotation", NoiseSettings { rotation: 0.7, stretch_x: 3.0, stretch_z: 2.0, ..base.clone() }),
        ("warp", NoiseSettings { warp_strength: 10.0, ..base.clone() }),
        ("damped warp", NoiseSettings { shape: FractalShape::Damped, warp_strength: 10.0, ..base.clone() }),
        ("periodic warp", NoiseSettings { warp_strength: 10.0, offset_octaves: false, ..periodic }),
        ("none", NoiseSettings { octaves: 0, ..base }),
    ] {
        check(&gpu, name, &Noise::<2>::seeded(&settings, 42, 0), &settings);
        check(&gpu, name, &Noise::<3>::seeded(&settings, 42, 0), &settings);
    }
}
