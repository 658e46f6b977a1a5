//! The systems that keep tiles around bodies.

use super::anchor::AnchorCollector;
use super::{ColliderTile, KeepGround, TileSet, WaitsForGround};
use crate::chunk::ChunkCoord;
use crate::stream::build::StreamThreads;
use crate::stream::position::{TerrainPlace, TerrainPosition, TerrainPositionItem};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use bevy::time::Real;

/// Finds the tiles that bodies need, and takes those that tasks have finished.
pub(in crate::stream) fn select_tiles(
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    mut collector: AnchorCollector,
    time: Option<Res<Time<Real>>>,
    mut stats: ResMut<TerrainStats>,
) {
    let seconds = time.map_or(0.0, |time| time.delta_secs_f64());
    stats.time(TerrainSystems::Select, |_| {
        for (terrain, mut state) in &mut terrains {
            let TerrainState { drawn, incoming, anchors, .. } = &mut *state;
            let Some(layout) = drawn.as_ref().map(|streamed| *streamed.collider_tiles.layout()) else {
                continue;
            };
            let has_changed = collector.collect(terrain, &layout, seconds, anchors);
            for streamed in drawn.iter_mut().chain(incoming) {
                if has_changed || !streamed.collider_tiles.is_complete() {
                    streamed.collider_tiles.update(&streamed.field, anchors.bodies());
                }
            }
        }
    });
}

/// Builds the tiles under bodies, spawns what is built, despawns what is not needed, and marks the bodies that wait.
pub(in crate::stream) fn apply_tiles(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainState, TerrainPosition), With<Terrain>>,
    bodies: Query<(Entity, Has<WaitsForGround>), With<KeepGround>>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Apply, |stats| {
        stats.collider_tiles_loaded = 0;
        // Whether there are terrains, but none of them has ground yet.
        let (mut lacks_ground, mut waiting) = (!terrains.is_empty(), EntityHashSet::default());
        for (terrain, mut state, position) in &mut terrains {
            for tile in state.despawning_tiles.drain(..) {
                commands.entity(tile).try_despawn();
            }
            let TerrainState { drawn: Some(streamed), anchors, .. } = &mut *state else { continue };
            lacks_ground = false;
            let tiles = &mut streamed.collider_tiles;
            if !tiles.is_complete() {
                let max = ColliderTile::MAX_BUILT_NOW.saturating_sub(stats.collider_tiles_built_now);
                stats.collider_tiles_built_now += tiles.build_now(&streamed.field, threads.0, max);
                stats.collider_tiles_built += spawn_built(&mut commands, terrain, &position, tiles);
                waiting.extend(anchors.bodies.iter().filter(|(_, body)| !tiles.holds(body)).map(|(entity, _)| *entity));
            }
            for tile in tiles.take_unneeded() {
                commands.entity(tile).try_despawn();
            }
            stats.collider_tiles_loaded += tiles.len();
        }
        stats.bodies_waiting = 0;
        for (body, is_waiting) in &bodies {
            let must_wait = lacks_ground || waiting.contains(&body);
            stats.bodies_waiting += usize::from(must_wait);
            match (must_wait, is_waiting) {
                (true, false) => _ = commands.entity(body).try_insert(WaitsForGround),
                (false, true) => _ = commands.entity(body).try_remove::<WaitsForGround>(),
                _ => {}
            }
        }
    });
}

/// Spawns the tiles that are built. Returns their number.
fn spawn_built(commands: &mut Commands, terrain: Entity, position: &TerrainPositionItem, tiles: &mut TileSet) -> u64 {
    let built = tiles.take_built();
    let count = built.len() as u64;
    for (coord, heights) in built {
        let bounds = ColliderTile::bounds(tiles.layout(), coord, &heights);
        let ChunkCoord { x, z, .. } = coord;
        let mut tile = commands.spawn((Name::new(format!("Collider tile {x} {z}")), ChildOf(terrain)));
        TerrainPlace::level(bounds.center()).on(position).put(&mut tile);
        // Last, so that observers find the other components.
        tile.insert(ColliderTile { terrain, coord: [x, z], bounds, heights });
        let replaced = tiles.insert(coord, tile.id());
        // After the new one, so that bodies always have ground.
        replaced.into_iter().for_each(|tile| commands.entity(tile).try_despawn());
    }
    count
}

/// Starts background tasks for tiles, if there are threads.
pub(in crate::stream) fn start_tile_tasks(
    mut terrains: Query<&mut TerrainState, With<Terrain>>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    if threads.0 {
        stats.time(TerrainSystems::Generate, |_| {
            for mut state in &mut terrains {
                for streamed in state.all_streamed().filter(|streamed| !streamed.collider_tiles.is_complete()) {
                    streamed.collider_tiles.start_tasks(&streamed.field);
                }
            }
        });
    }
}

/// Forgets a tile that something other than the terrain despawned, so that it is built again.
pub(in crate::stream) fn forget_tile(
    removed: On<Remove<ColliderTile>>,
    tiles: Query<&ColliderTile>,
    mut terrains: Query<&mut TerrainState>,
) {
    if let Ok(tile) = tiles.get(removed.entity)
        && let Ok(mut state) = terrains.get_mut(tile.terrain)
        && let Some(streamed) = &mut state.drawn
    {
        let [x, z] = tile.coord;
        streamed.collider_tiles.forget(ChunkCoord::finest(x, z), removed.entity);
    }
}
