//! Holds bodies until their ground is there.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The body is disabled because it waits for ground, and not by the game.
#[derive(Component)]
pub struct Held;

/// Disables a body that waits for ground.
pub fn hold(added: On<Add, WaitsForGround>, disabled: Query<(), With<RigidBodyDisabled>>, mut commands: Commands) {
    if !disabled.contains(added.entity) {
        commands.entity(added.entity).try_insert((RigidBodyDisabled, Held));
    }
}

/// Enables a body that waits no longer.
pub fn release(removed: On<Remove, WaitsForGround>, held: Query<(), With<Held>>, mut commands: Commands) {
    if held.contains(removed.entity) {
        commands.entity(removed.entity).try_remove::<(RigidBodyDisabled, Held)>();
    }
}
