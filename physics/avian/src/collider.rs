//! Colliders of ground squares.

use avian3d::math::{AdjustPrecision, Scalar, Vector};
use avian3d::parry::shape::{HeightFieldFlags, SharedShape};
use avian3d::parry::utils::Array2;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The collider of a square, for its entity: centered at the square, with heights in metres of the terrain.
///
/// Its triangles have the same diagonal as those of the terrain. They reach one quad beyond the border of the square, so that parry
/// knows both sides of every edge and bodies don't catch on any. [`TerrainColliderPlugin`](crate::TerrainColliderPlugin) leaves the
/// contacts beyond the border to the neighbor.
#[must_use]
pub fn ground_collider(square: &GroundSquare) -> Collider {
    let side = GroundSquare::SIDE;
    // Parry's array is column-major with rows along z, so it needs the transpose of ours.
    let transposed =
        (0..side * side).map(|i| square.heights[(i % side) * side + i / side].adjust_precision()).collect();
    let heights = Array2::new(side, side, transposed);
    let size = square.field_size() as Scalar;
    let scale = Vector::new(size, 1.0, size);
    SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES).into()
}

/// Makes a new square a static body.
pub fn add_collider(added: On<Add, GroundSquare>, squares: Query<&GroundSquare>, mut commands: Commands) {
    if let Ok(square) = squares.get(added.entity) {
        commands.entity(added.entity).try_insert((RigidBody::Static, ground_collider(square)));
    }
}
