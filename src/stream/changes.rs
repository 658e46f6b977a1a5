//! Changes to the world, and the time that they take.

use super::{TerrainStats, TerrainSystems};
use bevy::ecs::world::CommandQueue;
use bevy::platform::time::Instant;
use bevy::prelude::*;

/// What the systems of [`TerrainSystems::Apply`] have asked for: chunks that come, are shown, hidden and removed.
///
/// A queue of their own, since only so can be measured what it takes: Bevy runs the commands of all systems together, when it
/// has waited for whatever else is running.
#[derive(Resource, Default)]
pub(super) struct WorldChanges(pub CommandQueue);

/// Makes the changes.
pub(super) fn make_changes(world: &mut World) {
    let mut queue = std::mem::take(&mut world.resource_mut::<WorldChanges>().0);
    if queue.is_empty() {
        return;
    }
    let start = Instant::now();
    queue.apply(world);
    let took = start.elapsed();
    world.resource_mut::<WorldChanges>().0 = queue;
    world.resource_mut::<TerrainStats>().count(TerrainSystems::Apply, took);
}
