//! Changes to the world, and the time that they take.

use super::select::StreamWork;
use super::showing::Showing;
use super::{Terrain, TerrainChunk, TerrainStandIn, TerrainStats, TerrainSystems};
use bevy::ecs::world::CommandQueue;
use bevy::platform::time::Instant;
use bevy::prelude::*;

/// What the systems of [`TerrainSystems::Apply`] have asked for: chunks that come, are shown, hidden and removed.
///
/// A queue of their own, since only so can be measured what it takes: Bevy runs the commands of all systems together, when it
/// has waited for whatever else is running.
#[derive(Resource, Default)]
pub(super) struct WorldChanges {
    pub queue: CommandQueue,
    /// Chunks that are shown and hidden, after all else.
    pub showing: Showing,
}

/// Makes the changes.
pub(super) fn make_changes(world: &mut World) {
    let mut changes = std::mem::take(&mut *world.resource_mut::<WorldChanges>());
    if !changes.queue.is_empty() || changes.showing.len() > 0 {
        let start = Instant::now();
        changes.queue.apply(world);
        changes.showing.apply(world);
        if world.resource::<StreamWork>().has_lost_terrain {
            despawn_orphans(world);
        }
        let took = start.elapsed();
        world.resource_mut::<TerrainStats>().count(TerrainSystems::Apply, took);
    }
    // For the next frame, with the memory that it has.
    *world.resource_mut::<WorldChanges>() = changes;
}

/// Despawns what was on its way when its terrain went: since then, in this very frame, or as an observer of what was told.
fn despawn_orphans(world: &mut World) {
    let mut parts = world.query::<(Entity, AnyOf<(&TerrainChunk, &TerrainStandIn)>)>();
    let terrains = parts.iter(world).map(|(part, of)| match of {
        (Some(chunk), _) => (part, chunk.terrain),
        (_, Some(stand_in)) => (part, stand_in.terrain),
        (None, None) => (part, Entity::PLACEHOLDER),
    });
    let orphans: Vec<Entity> =
        terrains.filter(|&(_, terrain)| world.get::<Terrain>(terrain).is_none()).map(|(part, _)| part).collect();
    for orphan in orphans {
        let _ = world.try_despawn(orphan);
    }
}
