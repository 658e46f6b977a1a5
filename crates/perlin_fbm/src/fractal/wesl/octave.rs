//! One octave of a shader module, as text: from a position to the hash of a node.

use super::parts::Parts;
use crate::lattice::fast_hash::{COSINES, FINISH, FULL, SPREAD};
use crate::{Fade, FractalShape};
use std::f64::consts::FRAC_1_SQRT_2;

impl<const N: usize> Parts<N> {
    /// An octave, down to the hash of a node.
    pub fn octave(&self) -> String {
        let is_damped = self.shape == FractalShape::Damped;
        let kind = if is_damped { "Jet" } else { "$num<f32>" };
        let (period, wrapped) = if self.has_periods { (", period: $vec<i32>", true) } else { ("", false) };
        let mut text = String::new();
        if is_damped {
            text += "
// An octave: its value and gradient, its slopes per cell, and their derivative along each axis.
struct Octave {
    noise: $num<f32>,
    slopes: $vec<f32>,
    hessian: $mat<f32>,
}

// A value with its slopes per cell, and the second derivatives.
struct Jet {
    value: $num<f32>,
    hessian: $mat<f32>,
}
";
        }
        let output = if is_damped { "Octave" } else { "$num<f32>" };
        text += &format!(
            "
// One octave: Perlin noise over nodes whose gradients a hash chooses. `first` is the cell at the offset.
fn octave(p: $vec<f32>, frequency: $vec<f32>, offset: $vec<f32>, first: $vec<i32>{period}, key: u32) -> {output} {{
    let q = p * frequency + offset;
    let cell = floor(q);
    let d = q - cell;
"
        );
        text += if wrapped {
            "    let near = wrapped($vec<i32>(cell) + first, period);
    let far = wrapped($vec<i32>(cell) + first + 1, period);
"
        } else {
            "    let near = $vec<i32>(cell) + first;
    let far = near + 1;
"
        };
        text += match N {
            2 => {
                "    let x = vec2(near.x, far.x);
    let low = row(x, d, row_key(key, near.y));
    let high = row(x, d - vec2(0.0, 1.0), row_key(key, far.y));
    let n = blend(low, high, d.y, vec2(0.0, 1.0));
"
            }
            _ => {
                "    let x = vec2(near.x, far.x);
    let low = row_key(key, near.y);
    let high = row_key(key, far.y);
    let back = blend(
        row(x, d, row_key(low, near.z)),
        row(x, d - vec3(0.0, 1.0, 0.0), row_key(high, near.z)),
        d.y,
        vec3(0.0, 1.0, 0.0),
    );
    let front = blend(
        row(x, d - vec3(0.0, 0.0, 1.0), row_key(low, far.z)),
        row(x, d - vec3(0.0, 1.0, 1.0), row_key(high, far.z)),
        d.y,
        vec3(0.0, 1.0, 0.0),
    );
    let n = blend(back, front, d.z, vec3(0.0, 0.0, 1.0));
"
            }
        };
        text += match (is_damped, N) {
            (false, _) => "    return n * $num(1.0, frequency);\n}\n",
            (true, 2) => {
                "    let hessian = mat2x2(n.hessian[0] * frequency.x, n.hessian[1] * frequency.y);
    return Octave(n.value * vec3(1.0, frequency), n.value.yz, hessian);
}
"
            }
            (true, _) => {
                "    let hessian = mat3x3(n.hessian[0] * frequency.x, n.hessian[1] * frequency.y, n.hessian[2] * frequency.z);
    return Octave(n.value * vec4(1.0, frequency), n.value.yzw, hessian);
}
"
            }
        };
        if wrapped {
            text += "
// The node of the first period that repeats at a node. A period of 0 is none.
fn wrapped(node: $vec<i32>, period: $vec<i32>) -> $vec<i32> {
    let rest = node % max(period, $vec(1));
    // No selection of parts: WebGL 2 has none for integers.
    let first = rest + period * $vec<i32>(rest < $vec(0));
    return node + (first - node) * $vec<i32>(period > $vec(0));
}
";
        }
        let across = if N == 2 { "vec2(1.0, 0.0)" } else { "vec3(1.0, 0.0, 0.0)" };
        text += &format!(
            "
// Two nodes of a row, blended. `d` leads from the first node to the position.
fn row(x: vec2<i32>, d: $vec<f32>, key: u32) -> {kind} {{
    let right = {across};
    return blend(corner(gradient(x.x, key), d), corner(gradient(x.y, key), d - right), d.x, right);
}}
"
        );
        text += &self.blend();
        text += &self.corner();
        text += &self.fade();
        text += if N == 2 { DIRECTIONS } else { EDGES };
        text += HASH;
        let cosines = COSINES.map(|cosine| format!("{:?}", cosine as f32)).join(", ");
        let text = text.replace("$cosines", &cosines).replace("$part", &format!("{:?}", FRAC_1_SQRT_2 as f32));
        let text = [("$spread", SPREAD), ("$finish", FINISH), ("$first", FULL[0]), ("$second", FULL[1])]
            .into_iter()
            .fold(text, |text, (name, number)| text.replace(name, &format!("{number:#x}u")));
        self.filled(&text)
    }

    /// The step from one node to the next.
    fn blend(&self) -> String {
        if self.shape == FractalShape::Damped {
            "
// From `near` at t = 0 to `far` at t = 1, along an axis.
fn blend(near: Jet, far: Jet, t: f32, axis: $vec<f32>) -> Jet {
    let s = fade(t);
    let rise = far.value - near.value;
    let slope = $num(0.0, s.y * axis);
    let turn = outer(axis, s.y * rise.$grad + 0.5 * s.z * rise.x * axis);
    let hessian = near.hessian + s.x * (far.hessian - near.hessian) + turn + transpose(turn);
    return Jet(near.value + s.x * rise + rise.x * slope, hessian);
}
"
            .to_owned()
                + match N {
                    2 => {
                        "
fn outer(a: vec2<f32>, b: vec2<f32>) -> mat2x2<f32> {
    return mat2x2(a * b.x, a * b.y);
}
"
                    }
                    _ => {
                        "
fn outer(a: vec3<f32>, b: vec3<f32>) -> mat3x3<f32> {
    return mat3x3(a * b.x, a * b.y, a * b.z);
}
"
                    }
                }
        } else {
            "
// From `near` at t = 0 to `far` at t = 1, along an axis.
fn blend(near: $num<f32>, far: $num<f32>, t: f32, axis: $vec<f32>) -> $num<f32> {
    let s = fade(t);
    let rise = far - near;
    return near + s.x * rise + rise.x * $num(0.0, s.y * axis);
}
"
            .to_owned()
        }
    }

    /// What a node contributes.
    fn corner(&self) -> String {
        match (self.shape == FractalShape::Damped, self.fade == Fade::MinimalCubic) {
            (false, false) => {
                "
// The plane of a node.
fn corner(gradient: $vec<f32>, d: $vec<f32>) -> $num<f32> {
    return $num(dot(gradient, d), gradient);
}
"
            }
            (true, false) => {
                "
// The plane of a node.
fn corner(gradient: $vec<f32>, d: $vec<f32>) -> Jet {
    return Jet($num(dot(gradient, d), gradient), $mat<f32>());
}
"
            }
            (false, true) => {
                "
// The plane of a node, bent so that its blend is a cubic: with d / (1 + 2 |d|) for distances.
fn corner(gradient: $vec<f32>, d: $vec<f32>) -> $num<f32> {
    let bend = 1.0 + 2.0 * abs(d);
    return $num(dot(gradient, d / bend), gradient / (bend * bend));
}
"
            }
            (true, true) => {
                "
// The plane of a node, bent so that its blend is a cubic: with d / (1 + 2 |d|) for distances.
fn corner(gradient: $vec<f32>, d: $vec<f32>) -> Jet {
    let bend = 1.0 + 2.0 * abs(d);
    let curvature = select($vec(-4.0), $vec(4.0), d < $vec(0.0)) * gradient / (bend * bend * bend);
    return Jet($num(dot(gradient, d / bend), gradient / (bend * bend)), diagonal(curvature));
}
"
            }
        }
        .to_owned()
            + match (self.shape == FractalShape::Damped && self.fade == Fade::MinimalCubic, N) {
                (false, _) => "",
                (true, 2) => {
                    "
fn diagonal(v: vec2<f32>) -> mat2x2<f32> {
    return mat2x2(v.x, 0.0, 0.0, v.y);
}
"
                }
                (true, _) => {
                    "
fn diagonal(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3(v.x, 0.0, 0.0, 0.0, v.y, 0.0, 0.0, 0.0, v.z);
}
"
                }
            }
    }

    /// The curve of the fade, with the derivatives that the shape needs.
    fn fade(&self) -> String {
        let [value, slope, curvature] = match self.fade {
            Fade::Linear => ["t", "1.0", "0.0"],
            Fade::Cubic | Fade::MinimalCubic => ["t * t * (3.0 - 2.0 * t)", "6.0 * t * (1.0 - t)", "6.0 - 12.0 * t"],
            Fade::Quintic => [
                "t * t * t * (t * (6.0 * t - 15.0) + 10.0)",
                "30.0 * t * t * (1.0 - t) * (1.0 - t)",
                "60.0 * t * (1.0 - t) * (1.0 - 2.0 * t)",
            ],
        };
        if self.shape == FractalShape::Damped {
            format!(
                "
// The fade, its slope and its curvature.
fn fade(t: f32) -> vec3<f32> {{
    return vec3({value}, {slope}, {curvature});
}}
"
            )
        } else {
            format!(
                "
// The fade and its slope.
fn fade(t: f32) -> vec2<f32> {{
    return vec2({value}, {slope});
}}
"
            )
        }
    }
}

/// Gradients in the plane.
const DIRECTIONS: &str = "
const COSINES = array<f32, 8>($cosines);

// The gradient of a node: one of 32 directions.
fn gradient(node: i32, key: u32) -> vec2<f32> {
    let h = hash(node, key);
    let angle = (h >> 27u) & 7u;
    let v = vec2(COSINES[angle], COSINES[7u - angle]);
    return select(v, -v, vec2(h >> 31u, (h >> 30u) & 1u) == vec2(1u));
}
";

/// Gradients in space.
const EDGES: &str = "
// The gradient of a node: one of the 12 edges of a cube.
fn gradient(node: i32, key: u32) -> vec3<f32> {
    let h = hash(node, key);
    // 12 h / 2^32.
    let edge = (12u * (h >> 16u) + ((12u * (h & 0xffffu)) >> 16u)) >> 16u;
    let s = select(vec2($part), vec2(-$part), vec2(edge & 1u, (edge >> 1u) & 1u) == vec2(1u));
    return select(select(vec3(s, 0.0), vec3(s.x, 0.0, s.y), edge < 8u), vec3(0.0, s), edge < 4u);
}
";

/// The hash. Integer arithmetic is the same on every device.
const HASH: &str = "
// The random number of a node.
fn hash(node: i32, key: u32) -> u32 {
    let h = (u32(node) * $spread) ^ key;
    return (h ^ (h >> 15u)) * $finish;
}

// What the nodes of a row have in common: a key mixed with their next coordinate.
fn row_key(key: u32, node: i32) -> u32 {
    var h = key ^ (u32(node) * $spread);
    h = (h ^ (h >> 16u)) * $first;
    h = (h ^ (h >> 13u)) * $second;
    return h ^ (h >> 16u);
}
";
