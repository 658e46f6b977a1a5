//! Contacts at the borders of tiles.
//!
//! Parry clamps the normal of a contact at an edge between the normals of both triangles, so that bodies don't catch on flat ground.
//! At the border of a height field it knows one triangle only. So the height fields of neighbors overlap by one quad, and the contacts
//! in that quad are removed: the neighbor has the same triangle there, with the same normal.
//!
//! Rejected, by measurements against one large height field:
//!
//! - Height fields that end at the border. In rapier, bodies cross it without loss, but some balls that land beside it are thrown
//!   sideways with up to 2 m/s. With the hooks, the largest difference is 0.05 m/s.
//! - Height fields that overlap, without hooks. The same, and boxes near the border have every contact twice: half of those that
//!   land there differ by more than 1 m/s.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::prelude::*;

/// Contacts so far beyond the border are kept, in metres: the precision of a contact.
const MARGIN: f32 = 1e-3;

/// The physics hooks with which bodies cross the borders between collider tiles. Give them to rapier's plugin:
/// `RapierPhysicsPlugin::<TerrainHooks>::default()`.
///
/// An app has hooks of one type. If the game has its own, put these into them, and call
/// [`leave_to_neighbors`](Self::leave_to_neighbors):
///
/// ```
/// use bevy::ecs::system::SystemParam;
/// use bevy::prelude::*;
/// use bevy_perlin_terrain_rapier::TerrainHooks;
/// use bevy_rapier3d::prelude::*;
///
/// #[derive(Component)]
/// struct Ice;
///
/// #[derive(SystemParam)]
/// struct MyHooks<'w, 's> {
///     terrain: TerrainHooks<'w, 's>,
///     ice: Query<'w, 's, (), With<Ice>>,
/// }
///
/// impl BevyPhysicsHooks for MyHooks<'_, '_> {
///     fn modify_solver_contacts(&self, mut contacts: ContactModificationContextView) {
///         self.terrain.leave_to_neighbors(&mut contacts);
///         if self.ice.contains(contacts.collider1()) || self.ice.contains(contacts.collider2()) {
///             if let Some(rigid) = contacts.raw.rigid_mut() {
///                 *rigid.friction = 0.0;
///             }
///         }
///     }
/// }
///
/// # let _ =
/// RapierPhysicsPlugin::<MyHooks>::default()
/// # ;
/// ```
#[derive(SystemParam)]
pub struct TerrainHooks<'w, 's> {
    tiles: Query<'w, 's, (), With<ColliderTile>>,
}

impl TerrainHooks<'_, '_> {
    /// Removes the contacts of a collider tile beyond its border. The neighbor has them too.
    pub fn leave_to_neighbors(&self, contacts: &mut ContactModificationContextView) {
        let is_first = self.tiles.contains(contacts.collider1());
        if !is_first && !self.tiles.contains(contacts.collider2()) {
            return;
        }
        let contacts = &mut *contacts.raw;
        let tile = &contacts.colliders[if is_first { contacts.collider1 } else { contacts.collider2 }];
        // Its size in metres of the world.
        let Some(size) = tile.shape().as_heightfield().map(|field| field.scale().x) else {
            return;
        };
        let half = size / 2.0 * ColliderTile::QUADS as f32 / (ColliderTile::SIDE - 1) as f32 + MARGIN;
        let position = *tile.position();
        // Ground is no soft body.
        let Some(rigid) = contacts.rigid_mut() else {
            return;
        };
        rigid.solver_contacts.retain(|contact| {
            let anchor = if is_first { contact.anchor1 } else { contact.anchor2 };
            let at = position.inverse_transform_point(anchor);
            at.x.abs().max(at.z.abs()) <= half
        });
    }
}

impl BevyPhysicsHooks for TerrainHooks<'_, '_> {
    fn modify_solver_contacts(&self, mut contacts: ContactModificationContextView) {
        self.leave_to_neighbors(&mut contacts);
    }
}
