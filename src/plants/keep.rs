//! The systems that make plants near viewers and bodies entities.

use super::needs::Around;
use super::tile::{Tile, center};
use super::tiles::{MAX_PLANTS, PlantTiles};
use super::{EDITED_AROUND, RemovedPlants};
use crate::stream::{
    GroundEdited, StreamThreads, Terrain, TerrainPlace, TerrainPosition, TerrainPositionItem, TerrainState,
    TerrainStats, TerrainSystems,
};
use bevy::ecs::name::NameOrEntityItem;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;

/// After so many new plants, a frame spawns no further tile.
const SPAWNED_IN_A_FRAME: usize = 64;

/// Spawns the plants that viewers and bodies need, and despawns the others.
pub(super) fn keep_plants(
    mut commands: Commands,
    mut terrains: Query<
        (NameOrEntity, &TerrainState, TerrainPosition, &mut PlantTiles, Ref<RemovedPlants>),
        With<Terrain>,
    >,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
    mut around: Local<Around>,
) {
    for (name, state, position, mut tiles, removed) in &mut terrains {
        let tiles = tiles.bypass_change_detection();
        let Some(plants) = state.plants() else { continue };
        around.update(state, plants);
        if !tiles.is_current(plants, &around) || removed.is_changed() {
            stats.time(TerrainSystems::Apply, |_| {
                for tile in tiles.update(plants, &around) {
                    commands.entity(tile.entity).try_despawn();
                }
                keep_tiles(&mut commands, (&name, &position), tiles, &removed, threads.0);
            });
        }
    }
}

/// Despawns plants that are not needed any longer or were removed, spawns those that are missing, and looks for more.
fn keep_tiles(
    commands: &mut Commands,
    (name, position): (&NameOrEntityItem, &TerrainPositionItem<'_, '_>),
    tiles: &mut PlantTiles,
    removed: &Ref<RemovedPlants>,
    has_threads: bool,
) {
    let terrain = name.entity;
    let PlantTiles { needs, tiles: all, .. } = tiles;
    for (_, tile) in all.extract_if(|coord, _| !needs.contains_key(coord)) {
        commands.entity(tile.entity).try_despawn();
    }
    for (coord, tile) in all.iter_mut() {
        let kept = needs.get(coord).map_or(0, |need| need.kept);
        let is_too_much = tile.layers & !kept != 0;
        if is_too_much {
            tile.keep(kept);
        }
        if is_too_much || tile.has_old_layers || removed.is_changed() {
            tile.spawn(commands, terrain, *coord, removed);
        }
    }
    if removed.is_changed() {
        tiles.make_room();
    }
    let now = tiles.find_now(has_threads);
    spawn_found(commands, (terrain, position), tiles, &now, removed);
    tiles.look_for_missing(has_threads);
    tiles.warn_if_full(name);
}

/// Spawns the nearest tiles that were found, and all of those that can't wait: `now`.
fn spawn_found(
    commands: &mut Commands,
    (terrain, position): (Entity, &TerrainPositionItem<'_, '_>),
    tiles: &mut PlantTiles,
    now: &HashSet<[i64; 2]>,
    removed: &RemovedPlants,
) {
    let mut order: Vec<(f64, [i64; 2])> = tiles.to_spawn().collect();
    order.sort_unstable_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
    let (mut count, mut spawned) = (tiles.count(), 0);
    for (distance, coord) in order {
        if spawned >= SPAWNED_IN_A_FRAME && !now.contains(&coord) {
            continue;
        }
        let Some(more) = tiles.found.get(&coord).map(|(_, found)| found.len()) else { continue };
        // Those of a stale tile are replaced.
        count -= tiles.tiles.get(&coord).filter(|tile| tile.is_stale).map_or(0, Tile::len);
        // The nearest count.
        while count + more > MAX_PLANTS
            && let Some(tile) = tiles.take_farther(distance)
        {
            count -= tile.len();
            commands.entity(tile.entity).try_despawn();
        }
        if count + more > MAX_PLANTS {
            // Old plants would stand on ground that is gone.
            for (_, tile) in tiles.tiles.extract_if(|other, tile| *other == coord && tile.is_stale) {
                commands.entity(tile.entity).try_despawn();
            }
            tiles.stop(distance);
            break;
        }
        let Some((layers, found)) = tiles.found.remove(&coord) else { continue };
        let tile = tiles.tiles.entry(coord).or_insert_with(|| {
            let [x, z] = coord;
            let mut tile = commands.spawn((Name::new(format!("Plants {x} {z}")), ChildOf(terrain)));
            TerrainPlace::level(center(coord)).on(position).put(&mut tile);
            #[cfg(feature = "render")]
            tile.insert(Visibility::default());
            Tile::new(tile.id())
        });
        if tile.is_stale {
            // Its other layers are not needed any longer.
            tile.keep(layers);
            (tile.is_stale, tile.is_edited) = (false, false);
        }
        tile.take(layers, found);
        spawned += tile.spawn(commands, terrain, coord, removed);
        count = tiles.count();
    }
}

/// Looks for the plants on edited ground again.
pub(super) fn follow_edits(edited: On<GroundEdited>, mut terrains: Query<&mut PlantTiles>) {
    if let Ok(mut tiles) = terrains.get_mut(edited.terrain) {
        let [min, max] = [edited.bounds.min, edited.bounds.max].map(|corner| [corner.x, corner.z]);
        tiles.edit(min.map(|along| along - EDITED_AROUND), max.map(|along| along + EDITED_AROUND));
    }
}

/// Despawns the plants of an entity that is no terrain any longer.
pub(super) fn forget_removed_terrain(
    removed: On<Remove<Terrain>>,
    mut terrains: Query<&mut PlantTiles>,
    mut commands: Commands,
) {
    if let Ok(mut tiles) = terrains.get_mut(removed.entity) {
        for (_, tile) in std::mem::take(&mut *tiles).tiles {
            commands.entity(tile.entity).try_despawn();
        }
    }
}
