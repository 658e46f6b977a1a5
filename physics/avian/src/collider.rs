//! Colliders of ground squares.

use avian3d::math::{Scalar, Vector};
use avian3d::parry::shape::{HeightFieldFlags, SharedShape};
use avian3d::parry::utils::Array2;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The collider of a square, for its entity: centered at the square, with heights in metres of the terrain.
///
/// Its triangles have the same diagonal as those of the terrain, and its inner edges don't catch bodies that slide over them.
#[must_use]
pub fn ground_collider(square: &GroundSquare) -> Collider {
    height_field(&square.heights, GroundSquare::VERTICES, square.size() as Scalar)
}

/// A height field of `side * side` heights, row by row from north to south, over a square of `size` metres.
fn height_field(heights: &[f32], side: usize, size: Scalar) -> Collider {
    // Parry's array is column-major with rows along z, so it needs the transpose of ours.
    let transposed = (0..side * side).map(|i| Scalar::from(heights[(i % side) * side + i / side])).collect();
    let heights = Array2::new(side, side, transposed);
    let scale = Vector::new(size, 1.0, size);
    SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES).into()
}

/// Makes a new square a static body.
pub fn add_collider(added: On<Add, GroundSquare>, squares: Query<&GroundSquare>, mut commands: Commands) {
    if let Ok(square) = squares.get(added.entity) {
        commands.entity(added.entity).try_insert((RigidBody::Static, ground_collider(square)));
    }
}
