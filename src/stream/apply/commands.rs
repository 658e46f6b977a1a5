//! Commands of other layers, whose time counts as the terrain's.

use crate::stream::report::{TerrainStats, stage_span};
use crate::stream::schedule::TerrainSystems;
use bevy::ecs::world::CommandQueue;
use bevy::platform::time::Instant;
use bevy::prelude::*;

/// Makes the changes of `queue` when those of `commands` are made, and counts the time that they take as that of `stage`.
pub(crate) fn count_changes(commands: &mut Commands, stage: TerrainSystems, mut queue: CommandQueue) {
    if !queue.is_empty() {
        commands.queue(move |world: &mut World| {
            let _span = stage_span(stage);
            let start = Instant::now();
            queue.apply(world);
            let took = start.elapsed();
            world.resource_mut::<TerrainStats>().count(stage, took);
        });
    }
}
