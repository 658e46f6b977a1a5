//! The figure of the walker.

use bevy::prelude::*;

/// A capsule 1.8 m high, with a visor that shows where ahead is.
pub fn figure() -> Mesh {
    let mut figure = painted(Capsule3d::new(0.35, 1.1), Vec3::Y * 0.9, Color::srgb(0.75, 0.16, 0.12));
    let visor = painted(Cuboid::new(0.5, 0.16, 0.3), Vec3::new(0.0, 1.5, -0.25), Color::srgb(0.05, 0.06, 0.08));
    figure.merge(&visor).expect("both have the same attributes");
    figure
}

/// A shape around `middle`, with one color at all vertices.
fn painted(shape: impl Into<Mesh>, middle: Vec3, color: Color) -> Mesh {
    let mesh: Mesh = shape.into();
    let colors = vec![color.to_linear().to_f32_array(); mesh.count_vertices()];
    mesh.translated_by(middle).with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
}
