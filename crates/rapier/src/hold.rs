//! Holds bodies until their ground is there.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::prelude::*;

/// The body was disabled because it waits for ground, not by the game.
#[derive(Component, Clone, Copy)]
pub struct Held;

type Waiting = (With<RigidBody>, With<WaitsForGround>, Without<RigidBodyDisabled>);

/// Holds a body from when it waits for ground.
pub fn hold_waiting(added: On<Add<WaitsForGround>>, bodies: Query<(), Waiting>, commands: Commands) {
    hold(added.entity, &bodies, commands);
}

/// Holds what becomes a body while it waits: a game may load the model of its player meanwhile.
pub fn hold_new(added: On<Add<RigidBody>>, bodies: Query<(), Waiting>, commands: Commands) {
    hold(added.entity, &bodies, commands);
}

/// Disables a body. It keeps its velocity.
fn hold(body: Entity, bodies: &Query<(), Waiting>, mut commands: Commands) {
    if bodies.contains(body) {
        commands.entity(body).try_insert((Held, RigidBodyDisabled));
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
