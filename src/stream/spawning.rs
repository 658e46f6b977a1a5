//! Chunks come.

use super::chunk_place::ChunkPlace;
use super::finish::{BuiltChunk, SurfaceFinish};
use super::frame::TerrainPlaceItem;
use super::generation::{ChunkBody, Generation, LoadedChunk};
use super::pace::Pace;
use super::{ChunkBounds, ChunkEdges, ChunkShown, StreamThreads, TerrainChunk, TerrainStats};
use crate::chunk::Edges;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// How chunks are built that can't wait for a task.
#[derive(SystemParam)]
pub(super) struct BuildingMeans<'w> {
    pub finish: Res<'w, SurfaceFinish>,
    pub threads: Res<'w, StreamThreads>,
}

/// Puts chunks that were `built` into the world, unseen.
pub(super) fn spawn_chunks(
    commands: &mut Commands,
    terrain: Entity,
    place: &TerrainPlaceItem,
    generation: &mut Generation,
    built: Vec<BuiltChunk>,
    pace: &mut Pace,
    stats: &mut TerrainStats,
) {
    stats.tasks_done += built.len() as u64;
    stats.bytes_uploaded += (built.len() * generation.bytes_per_chunk()) as u64;
    pace.bring(built.len(), || {
        for chunk in built {
            spawn_chunk(commands, terrain, place, generation, chunk);
        }
    });
}

fn spawn_chunk(
    commands: &mut Commands,
    terrain: Entity,
    place: &TerrainPlaceItem,
    generation: &mut Generation,
    built: BuiltChunk,
) {
    let BuiltChunk { coord, coarse_error, height_range, borders, finished } = built;
    let bounds = ChunkBounds::new(&generation.layout, coord, height_range);
    let mut chunk = ChunkPlace::new(place, &bounds).spawn(
        commands,
        (
            Name::new(format!("Chunk {} {} (level {})", coord.x, coord.z, coord.level)),
            TerrainChunk { terrain, coord },
            ChunkEdges(Edges::NONE),
            ChunkShown(false),
            bounds,
            ChildOf(terrain),
        ),
    );
    finished.give_to(&mut chunk);
    let bytes = generation.bytes_per_chunk();
    let body = ChunkBody { entity: chunk.id(), heights: height_range };
    generation.insert(coord, LoadedChunk { body, bytes, borders }, coarse_error);
}
