//! Contacts at the borders of tiles.
//!
//! Parry clamps the normal of a contact at an edge between the normals of both triangles, so that bodies don't catch on flat ground.
//! At the border of a height field it knows one triangle only, and a body that crosses the border loses speed: in avian 0.7, at 60 m/s,
//! a ball 12 % and a capsule 80 %. So the height fields of neighbors overlap by one quad, and the contacts in that quad are removed:
//! the neighbor has the same triangle there, with the same normal. Then bodies lose less than 0.1 %.
//!
//! Rejected: a ring that is sunk by 2 cm, which helps up to 10 m/s; and a ring that is sunk by 50 cm, which costs 1 to 4 % at any
//! speed. A `CollisionHooks` would do too, but an app can have only one, and it is the game's.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// Contacts so far beyond the border are kept, in metres: the precision of a contact.
const MARGIN: f64 = 1e-3;

/// Removes the contacts of tiles beyond their border. The neighbor has them too.
pub fn leave_to_neighbors(
    mut contacts: ResMut<ContactGraph>,
    tiles: Query<(&ColliderTile, &Collider, &Rotation, &ComputedCenterOfMass)>,
) {
    for pair in contacts.iter_active_touching_mut() {
        let is_first = tiles.contains(pair.collider1);
        let tile = if is_first { pair.collider1 } else { pair.collider2 };
        let Ok((tile, collider, rotation, center)) = tiles.get(tile) else {
            continue;
        };
        let half = (tile.size() / 2.0 + MARGIN) as f32 * collider.scale().x;
        for manifold in &mut pair.manifolds {
            manifold.points.retain(|point| {
                let anchor = if is_first { point.anchor1 } else { point.anchor2 };
                let at = rotation.inverse() * anchor + center.0;
                at.x.abs().max(at.z.abs()) <= half
            });
        }
    }
}
