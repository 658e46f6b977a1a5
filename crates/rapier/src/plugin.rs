//! The plugin.

use crate::collider::add_collider;
use crate::hold::{hold_characters, hold_new, hold_waiting, release};
use crate::plants::add_plant_collider;
use crate::rescue::{MayGoBelow, put_on_top};
use crate::shift::{Shifted, keep_interpolation, restore_interpolation};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::transform::systems::mark_dirty_trees;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainStreamPlugin;
use bevy_rapier3d::prelude::*;

/// Gives the ground and the plants around bodies colliders, and keeps bodies from falling through it. See the [crate docs](crate).
///
/// It needs a `RapierPhysicsPlugin`, best one with [`TerrainHooks`](crate::TerrainHooks), and the terrain's plugins, in any order. Give
/// it the schedule of that plugin; it is `PostUpdate` by default.
///
/// # Panics
///
/// When the app starts, if one of them is missing.
#[derive(Clone, Copy, Debug)]
pub struct TerrainColliderPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for TerrainColliderPlugin {
    fn default() -> Self {
        Self { schedule: PostUpdate.intern() }
    }
}

impl TerrainColliderPlugin {
    /// For `RapierPhysicsPlugin::in_fixed_schedule`.
    #[must_use]
    pub fn in_fixed_schedule(self) -> Self {
        self.in_schedule(FixedUpdate)
    }

    /// For `RapierPhysicsPlugin::in_schedule`.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for TerrainColliderPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<MayGoBelow>()
            .init_resource::<Shifted>()
            .add_observer(add_collider)
            .add_observer(add_plant_collider)
            .add_observer(hold_waiting)
            .add_observer(hold_new)
            .add_observer(release)
            // In `PostUpdate`, a body has its ground before the first step.
            .configure_sets(self.schedule, PhysicsSet::SyncBackend.after(TerrainSystems::Last))
            .add_systems(
                self.schedule,
                (
                    hold_characters.before(PhysicsSet::SyncBackend),
                    // bevy_rapier3d 0.37 propagates transforms without it. Then tiles would be where they are a frame late.
                    mark_dirty_trees.in_set(PhysicsSet::SyncBackend).before(RapierTransformPropagateSet),
                    restore_interpolation.after(PhysicsSet::SyncBackend).before(PhysicsSet::StepSimulation),
                    put_on_top.after(PhysicsSet::StepSimulation).before(PhysicsSet::Writeback),
                ),
            )
            .add_systems(
                PostUpdate,
                keep_interpolation.in_set(TerrainSystems::Last).run_if(resource_exists::<Messages<OriginShifted>>),
            );
    }

    fn finish(&self, app: &mut App) {
        // Every `RapierPhysicsPlugin` has these messages, whatever its hooks, schedule and systems are.
        assert!(
            app.world().contains_resource::<Messages<CollisionEvent>>(),
            "add `RapierPhysicsPlugin::<TerrainHooks>::default()` to the app: without it, `TerrainColliderPlugin` moves no body"
        );
        assert!(
            app.is_plugin_added::<TerrainStreamPlugin>(),
            "add `TerrainMinimalPlugins` or `TerrainPlugins` to the app: without them, `TerrainColliderPlugin` has no ground"
        );
        if app.is_plugin_added::<RapierPhysicsPlugin<NoUserData>>() {
            warn!(
                "bodies lose speed at the borders of collider tiles: add `RapierPhysicsPlugin::<TerrainHooks>::default()` instead \
                 of one with `NoUserData`"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TerrainHooks;
    use bevy::app::Plugins;

    /// Starts an app without a window, with these plugins.
    fn start<M>(plugins: impl Plugins<M>) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default())).add_plugins(plugins).finish();
    }

    #[test]
    #[should_panic(expected = "add `RapierPhysicsPlugin::<TerrainHooks>::default()` to the app")]
    fn an_app_without_physics_says_so() {
        start((TerrainMinimalPlugins, TerrainColliderPlugin::default()));
    }

    #[test]
    #[should_panic(expected = "add `TerrainMinimalPlugins` or `TerrainPlugins` to the app")]
    fn an_app_without_terrain_says_so() {
        start((RapierPhysicsPlugin::<TerrainHooks>::default(), TerrainColliderPlugin::default()));
    }

    #[test]
    fn physics_of_any_kind_can_be_added_before_and_after() {
        let ground = || (TerrainMinimalPlugins, TerrainColliderPlugin::default());
        let physics = RapierPhysicsPlugin::<TerrainHooks>::default;
        start((ground(), physics()));
        start((physics(), ground()));
        start((ground(), RapierPhysicsPlugin::<NoUserData>::default().with_default_system_setup(false)));
    }
}
