//! Holds bodies until their ground is there.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The components that a body gets back when it waits no longer.
#[derive(Component, Clone, Copy)]
pub struct Held {
    linear: LinearVelocity,
    angular: AngularVelocity,
    axes: Option<LockedAxes>,
}

type Motion = (Option<&'static LinearVelocity>, Option<&'static AngularVelocity>, Option<&'static LockedAxes>);
type Waiting = (With<RigidBody>, With<WaitsForGround>, Without<Held>);

/// Holds a body from when it waits for ground.
pub fn hold_waiting(added: On<Add<WaitsForGround>>, bodies: Query<Motion, Waiting>, commands: Commands) {
    hold(added.entity, &bodies, commands);
}

/// Holds what becomes a body while it waits: a game may load the model of its player meanwhile.
pub fn hold_new(added: On<Add<RigidBody>>, bodies: Query<Motion, Waiting>, commands: Commands) {
    hold(added.entity, &bodies, commands);
}

/// Stops a body and locks all its axes.
///
/// Not by `RigidBodyDisabled`: in avian 0.7 at least, bodies that were disabled while others slept break its islands.
fn hold(body: Entity, bodies: &Query<Motion, Waiting>, mut commands: Commands) {
    if let Ok((linear, angular, axes)) = bodies.get(body) {
        let (linear, angular) = (linear.copied().unwrap_or_default(), angular.copied().unwrap_or_default());
        let held = Held { linear, angular, axes: axes.copied() };
        let still = (LinearVelocity::ZERO, AngularVelocity::ZERO, LockedAxes::ALL_LOCKED);
        commands.entity(body).try_insert((held, still));
    }
}

/// Lets a body go that waits no longer, with the velocity that it had.
pub fn release(removed: On<Remove<WaitsForGround>>, held: Query<&Held>, mut commands: Commands) {
    if let Ok(&Held { linear, angular, axes }) = held.get(removed.entity) {
        let mut body = commands.entity(removed.entity);
        body.try_remove::<(Held, LockedAxes)>().try_insert((linear, angular));
        if let Some(axes) = axes {
            body.try_insert(axes);
        }
    }
}
