//! The plugin.

use crate::collider::add_collider;
use crate::hold::{hold, release};
use crate::rescue::{MayGoBelow, put_on_top};
use crate::seams::leave_to_neighbors;
use crate::shift::shift_bodies;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// Gives the ground around bodies colliders, and keeps bodies from falling through it. See the [crate docs](crate).
///
/// Add it after avian's `PhysicsPlugins` and the terrain's plugins.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainColliderPlugin;

impl Plugin for TerrainColliderPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<MayGoBelow>()
            .add_observer(add_collider)
            .add_observer(hold)
            .add_observer(release)
            .add_systems(
                PhysicsSchedule,
                leave_to_neighbors.after(PhysicsStepSystems::NarrowPhase).before(PhysicsStepSystems::Solver),
            )
            .add_systems(PhysicsSchedule, put_on_top.in_set(PhysicsStepSystems::Last))
            .add_systems(
                PostUpdate,
                shift_bodies.in_set(TerrainSystems::Last).run_if(resource_exists::<Messages<OriginShifted>>),
            );
    }
}
