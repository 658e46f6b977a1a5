//! Holds bodies until their ground is there.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::prelude::*;

/// The body was disabled because it waits for ground, not by the game.
#[derive(Component, Clone, Copy)]
pub struct Held;

type Enabled = (With<RigidBody>, Without<RigidBodyDisabled>);

/// Disables a body that waits for ground. It keeps its velocity.
pub fn hold(added: On<Add<WaitsForGround>>, bodies: Query<(), Enabled>, mut commands: Commands) {
    if bodies.contains(added.entity) {
        commands.entity(added.entity).try_insert((Held, RigidBodyDisabled));
    }
}

/// Enables a body that waits no longer.
pub fn release(removed: On<Remove<WaitsForGround>>, held: Query<(), With<Held>>, mut commands: Commands) {
    if held.contains(removed.entity) {
        commands.entity(removed.entity).try_remove::<(Held, RigidBodyDisabled)>();
    }
}

/// Drops the movement of characters that wait for ground.
pub fn hold_characters(mut characters: Query<&mut KinematicCharacterController, With<WaitsForGround>>) {
    for mut character in &mut characters {
        if character.translation.is_some() {
            character.translation = None;
        }
    }
}
