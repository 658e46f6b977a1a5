//! The plugin.

use crate::collider::add_collider;
use crate::hold::{hold_new, hold_waiting, release};
use crate::plants::add_plant_collider;
use crate::rescue::{MayGoBelow, put_on_top};
use crate::seams::leave_to_neighbors;
use crate::shift::shift_bodies;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainStreamPlugin;

/// Gives the ground and the plants around bodies colliders, and keeps bodies from falling through it. See the [crate docs](crate).
///
/// It needs avian's `PhysicsPlugins` and the terrain's plugins, in any order.
///
/// # Panics
///
/// When the app starts, if one of them is missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainColliderPlugin;

impl Plugin for TerrainColliderPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<MayGoBelow>()
            .add_observer(add_collider)
            .add_observer(add_plant_collider)
            .add_observer(hold_waiting)
            .add_observer(hold_new)
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

    fn finish(&self, app: &mut App) {
        assert!(
            app.world().contains_resource::<Time<Physics>>(),
            "add avian's `PhysicsPlugins` to the app: without them, `TerrainColliderPlugin` moves no body"
        );
        assert!(
            app.is_plugin_added::<TerrainStreamPlugin>(),
            "add `TerrainMinimalPlugins` or `TerrainPlugins` to the app: without them, `TerrainColliderPlugin` has no ground"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "add avian's `PhysicsPlugins` to the app")]
    fn an_app_without_physics_says_so() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()));
        app.add_plugins((TerrainMinimalPlugins, TerrainColliderPlugin)).finish();
    }

    #[test]
    #[should_panic(expected = "add `TerrainMinimalPlugins` or `TerrainPlugins` to the app")]
    fn an_app_without_terrain_says_so() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()));
        app.add_plugins((PhysicsPlugins::default(), TerrainColliderPlugin)).finish();
    }
}
