//! Vectors of three numbers, and directions.

pub type Vec3 = [f32; 3];

/// The angle of the golden ratio, in radians: places that are turned by it never line up.
pub const GOLDEN_ANGLE: f32 = 2.399_963;

pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scaled(a: Vec3, by: f32) -> Vec3 {
    a.map(|along| along * by)
}

pub fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector with the length 1, or `otherwise` if it has none.
pub fn unit_or(a: Vec3, otherwise: Vec3) -> Vec3 {
    let length = dot(a, a).sqrt();
    if length > 1e-6 { scaled(a, 1.0 / length) } else { otherwise }
}

/// The vector with the length 1, or straight up.
pub fn unit(a: Vec3) -> Vec3 {
    unit_or(a, [0.0, 1.0, 0.0])
}

pub fn mix(a: Vec3, b: Vec3, part: f32) -> Vec3 {
    add(scaled(a, 1.0 - part), scaled(b, part))
}
