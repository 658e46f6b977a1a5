//! Colliders of ground squares.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::parry::shape::{HeightFieldFlags, SharedShape};
use bevy_rapier3d::parry::utils::Array2;
use bevy_rapier3d::prelude::*;

/// The collider of a square, for its entity: centered at the square, with heights in metres of the terrain.
///
/// Its triangles have the same diagonal as those of the terrain. They reach one quad beyond the border of the square, so that parry
/// knows both sides of every edge and bodies don't catch on any. [`TerrainHooks`](crate::TerrainHooks) leave the contacts beyond the
/// border to the neighbor.
#[must_use]
pub fn ground_collider(square: &GroundSquare) -> Collider {
    let side = GroundSquare::SIDE;
    // Parry's array is column-major with rows along z, so it needs the transpose of ours.
    let transposed = (0..side * side).map(|i| square.heights[(i % side) * side + i / side]).collect();
    let heights = Array2::new(side, side, transposed);
    let size = square.field_size() as f32;
    let scale = Vec3::new(size, 1.0, size);
    SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES).into()
}

/// Gives a new square its collider.
///
/// In rapier, a collider without a rigid body never moves. A fixed body would do the same, but rapier would write the `Transform`
/// of the square in each frame, which belongs to the terrain.
pub fn add_collider(added: On<Add, GroundSquare>, squares: Query<&GroundSquare>, mut commands: Commands) {
    if let Ok(square) = squares.get(added.entity) {
        commands.entity(added.entity).try_insert((ground_collider(square), ActiveHooks::MODIFY_SOLVER_CONTACTS));
    }
}
