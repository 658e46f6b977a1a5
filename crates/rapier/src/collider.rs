//! The colliders of tiles.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::parry::shape::{HeightFieldFlags, SharedShape};
use bevy_rapier3d::parry::utils::Array2;
use bevy_rapier3d::prelude::*;

/// The collider of a tile, for its entity: centered at the tile, with heights in metres of the terrain.
///
/// Its triangles have the same diagonal as those of the terrain. They reach one quad beyond the border of the tile, so that parry
/// knows both sides of every edge and bodies don't catch on any. [`TerrainHooks`](crate::TerrainHooks) leave the contacts beyond the
/// border to the neighbor.
#[must_use]
pub fn ground_collider(tile: &ColliderTile) -> Collider {
    height_field(&tile.heights, ColliderTile::SIDE, tile.field_size())
}

/// A height field over `size` by `size` metres, from `side` by `side` heights, row by row.
fn height_field(heights: &[f32], side: usize, size: f64) -> Collider {
    // Parry's array is column-major with rows along z, so it needs the transpose of ours.
    let transposed = (0..side * side).map(|i| heights[(i % side) * side + i / side]).collect();
    let heights = Array2::new(side, side, transposed);
    let scale = Vec3::new(size as f32, 1.0, size as f32);
    SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES).into()
}

/// Gives a new tile its collider.
///
/// In rapier, a collider without a rigid body never moves. A fixed body would do the same, but rapier would write the `Transform`
/// of the tile in each frame, which belongs to the terrain.
pub fn add_collider(added: On<Add<ColliderTile>>, tiles: Query<&ColliderTile>, mut commands: Commands) {
    if let Ok(tile) = tiles.get(added.entity) {
        commands.entity(added.entity).try_insert((ground_collider(tile), ActiveHooks::MODIFY_SOLVER_CONTACTS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::time::Instant;

    /// Prints what docs/performance.md has on colliders.
    #[test]
    #[ignore = "it measures, and tests nothing"]
    fn collider_cost() {
        for (what, side) in [("a tile", ColliderTile::SIDE), ("64 by 64 quads", 65)] {
            let heights: Vec<f32> = (0..side * side).map(|i| 50.0 * (i as f32).sin()).collect();
            let times = (0..2000).map(|_| {
                let start = Instant::now();
                black_box(height_field(black_box(&heights), side, 100.0));
                start.elapsed().as_secs_f64() * 1e6
            });
            let mut times: Vec<f64> = times.collect();
            times.sort_by(f64::total_cmp);
            println!("a collider of {what}, {side} by {side} heights: {:.1} µs", times[times.len() / 2]);
        }
    }
}
