//! The functions of a shader module that do not depend on the lattice, as text.
//!
//! Values with gradients are vectors: the value first, then its derivative along each axis. A shader that uses the value alone
//! has no code for the rest, since compilers for shaders inline all functions and drop what is unused.
//!
//! Placeholders: `$vec` is a position, `$num` a value with its gradient, `$mat` a square matrix, `$grad` the gradient of a
//! `$num`.

use super::super::HYBRID_OFFSET;
use crate::{Fade, FractalShape};

/// What the functions depend on.
pub(super) struct Parts<const N: usize> {
    pub shape: FractalShape,
    pub fade: Fade,
    pub has_periods: bool,
    /// One divided by the bound of an octave.
    pub scale: String,
    pub is_clamped: bool,
    /// Unless it is 1.
    pub exponent: Option<String>,
    pub height_scale: String,
    /// Cosine and sine of the rotation, if there is one.
    pub rotation: Option<[String; 2]>,
}

impl<const N: usize> Parts<N> {
    /// `text` with its placeholders filled in.
    pub fn filled(&self, text: &str) -> String {
        let [vec, num, mat, grad] = match N {
            2 => ["vec2", "vec3", "mat2x2", "yz"],
            _ => ["vec3", "vec4", "mat3x3", "yzw"],
        };
        text.replace("$vec", vec).replace("$num", num).replace("$mat", mat).replace("$grad", grad)
    }

    /// What the module is.
    pub fn head(&self, octaves: usize, is_warped: bool) -> String {
        let Self { shape, fade, .. } = self;
        let place = if N == 2 { "the plane" } else { "space" };
        let warp = if is_warped { ", with a domain warp" } else { "" };
        format!(
            "// Noise in {place}, written by the crate perlin_fbm: {octaves} octaves, {shape:?}, {fade:?}{warp}.\n\n"
        )
    }

    /// The functions that other modules import.
    pub fn result(&self, is_warped: bool) -> String {
        let mut text = String::from(
            "// The value at p.
fn noise(p: $vec<f32>) -> f32 {
    return noise_with_gradient(p).x;
}

// The value at p, and its derivative along each axis.
",
        );
        if let Some([cos, sin]) = &self.rotation {
            let [z, w] = if N == 2 { ["", ""] } else { [", p.z", ", v.w"] };
            text += &format!(
                "fn noise_with_gradient(p: $vec<f32>) -> $num<f32> {{
    let c = {cos};
    let s = {sin};
    let v = unrotated($vec(c * p.x + s * p.y, c * p.y - s * p.x{z}));
    return $num(v.x, c * v.y - s * v.z, s * v.y + c * v.z{w});
}}

// The same at a position along the axes of the noise.
fn unrotated"
            );
        } else {
            text += "fn noise_with_gradient";
        }
        text += "(p: $vec<f32>) -> $num<f32> {\n";
        let scale = if self.height_scale == "1.0" { String::new() } else { format!("{} * ", self.height_scale) };
        let steps = self.warp(is_warped)
            + if self.is_clamped { "    v = clamped(v, -1.0, 1.0);\n" } else { "" }
            + if self.exponent.is_some() { "    v = signed_power(v);\n" } else { "" };
        text += &if steps.is_empty() {
            format!("    return {scale}sum(p);\n}}\n\n")
        } else if is_warped {
            format!("{steps}    return {scale}v;\n}}\n\n")
        } else {
            format!("    var v = sum(p);\n{steps}    return {scale}v;\n}}\n\n")
        };
        if let Some(exponent) = &self.exponent {
            text += &format!(
                "// sign(v) |v|^c. Its slope at zero counts as 0.
fn signed_power(v: $num<f32>) -> $num<f32> {{
    let c = {exponent};
    let size = abs(v.x);
    if size == 0.0 {{
        return $num(0.0);
    }}
    let power = pow(size, c);
    return $num(select(power, -power, v.x < 0.0), c * power / size * v.$grad);
}}

"
            );
        }
        let needs_clamp = matches!(self.shape, FractalShape::Ridged | FractalShape::Hybrid);
        if self.is_clamped || needs_clamp {
            text += "fn clamped(v: $num<f32>, low: f32, high: f32) -> $num<f32> {
    let value = clamp(v.x, low, high);
    return select($num(value, $vec(0.0)), v, v.x == value);
}

";
        }
        self.filled(&(text + &self.shape()))
    }

    /// The sum at the warped position.
    fn warp(&self, is_warped: bool) -> String {
        let text = match (is_warped, N) {
            (false, _) => "",
            (true, 2) => {
                "    let x = warp_x(p);
    let y = warp_y(p);
    var v = sum(p + vec2(x.x, y.x));
    // The chain rule.
    v = vec3(v.x, v.yz + v.y * x.yz + v.z * y.yz);
"
            }
            (true, _) => {
                "    let x = warp_x(p);
    let y = warp_y(p);
    let z = warp_z(p);
    var v = sum(p + vec3(x.x, y.x, z.x));
    // The chain rule.
    v = vec4(v.x, v.yzw + v.y * x.yzw + v.z * y.yzw + v.w * z.yzw);
"
            }
        };
        text.to_owned()
    }

    /// What the shape makes of an octave.
    fn shape(&self) -> String {
        let Self { scale, .. } = self;
        let one = "const ONE = $num<f32>(1.0, $vec(0.0));\n\n";
        let state = "// The sum so far, and the weight of the next octave.
struct State {
    sum: $num<f32>,
    weight: $num<f32>,
}

// A product, with its gradient.
fn times(a: $num<f32>, b: $num<f32>) -> $num<f32> {
    return $num(a.x * b.x, a.x * b.$grad + b.x * a.$grad);
}

";
        match self.shape {
            FractalShape::Fbm => String::new(),
            FractalShape::Billow => format!(
                "{one}// Round lumps, and creases where the noise is zero.
fn billow(n: $num<f32>) -> $num<f32> {{
    let m = {scale} * n;
    return 2.0 * select(m, -m, m.x < 0.0) - ONE;
}}

"
            ),
            FractalShape::Ridged => format!(
                "{one}{state}// Crests where the noise is zero, weighted by the crest of the octave before.
fn ridged(state: State, amplitude: f32, n: $num<f32>) -> State {{
    let m = {scale} * n;
    let crest = ONE - select(m, -m, m.x < 0.0);
    let ridge = 2.0 * times(state.weight, times(crest, crest));
    return State(state.sum + amplitude * (ridge - ONE), clamped(ridge, 0.0, 1.0));
}}

"
            ),
            FractalShape::Hybrid => format!(
                "{one}{state}// Weak where the octaves before are low.
fn hybrid(state: State, amplitude: f32, persistence: f32, n: $num<f32>) -> State {{
    let height = times(state.weight, {scale} * n + {offset:?} * ONE);
    return State(state.sum + amplitude * (height - {offset:?} * ONE), clamped(persistence * height, 0.0, 1.0));
}}

",
                offset = HYBRID_OFFSET as f32,
            ),
            FractalShape::Damped => {
                "// The sum so far, the sum of the slopes per cell, and its derivative along each axis.
struct State {
    sum: $num<f32>,
    slopes: $vec<f32>,
    hessian: $mat<f32>,
}

// Weak where the octaves so far are steep.
fn damped(state: State, amplitude: f32, n: Octave) -> State {
    let slopes = state.slopes + n.slopes;
    let hessian = state.hessian + n.hessian;
    let steepness = 1.0 + dot(slopes, slopes);
    let value = n.noise.x / steepness;
    let gradient = (n.noise.$grad - 2.0 * value * (slopes * hessian)) / steepness;
    return State(state.sum + amplitude * $num(value, gradient), slopes, hessian);
}

"
                .to_owned()
            }
        }
    }
}
