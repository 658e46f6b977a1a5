//! The systems that keep squares around bodies.

use super::anchor::AnchorCollector;
use super::{GroundSquare, KeepGround, SquareSet, WaitsForGround};
use crate::chunk::ChunkCoord;
use crate::stream::build::StreamThreads;
use crate::stream::place::{ChunkPlace, TerrainPlace, TerrainPlaceItem};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use bevy::time::Real;

/// Finds the squares that bodies need, and takes those that tasks have finished.
pub(in crate::stream) fn select_squares(
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    mut collector: AnchorCollector,
    time: Option<Res<Time<Real>>>,
    mut stats: ResMut<TerrainStats>,
) {
    let seconds = time.map_or(0.0, |time| time.delta_secs_f64());
    stats.time(TerrainSystems::Select, |_| {
        for (terrain, mut state) in &mut terrains {
            let TerrainState { ground, incoming, anchors, .. } = &mut *state;
            let Some(layout) = ground.as_ref().map(|ground| *ground.squares.layout()) else {
                continue;
            };
            let has_changed = collector.collect(terrain, &layout, seconds, anchors);
            for ground in ground.iter_mut().chain(incoming) {
                if has_changed || !ground.squares.is_complete() {
                    ground.squares.update(anchors.bodies.iter().map(|(_, body)| body));
                }
            }
        }
    });
}

/// Builds the squares under bodies, spawns what is built, despawns what is not needed, and marks the bodies that wait.
pub(in crate::stream) fn apply_squares(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TerrainState, TerrainPlace), With<Terrain>>,
    bodies: Query<(Entity, Has<WaitsForGround>), With<KeepGround>>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Apply, |stats| {
        stats.squares_loaded = 0;
        // Whether there are terrains, but none of them has ground yet.
        let (mut lacks_ground, mut waiting) = (!terrains.is_empty(), EntityHashSet::default());
        for (terrain, mut state, place) in &mut terrains {
            for square in state.despawning_squares.drain(..) {
                commands.entity(square).try_despawn();
            }
            let TerrainState { ground: Some(ground), anchors, .. } = &mut *state else { continue };
            lacks_ground = false;
            let squares = &mut ground.squares;
            if !squares.is_complete() {
                let most = GroundSquare::MOST_BUILT_NOW.saturating_sub(stats.squares_built_now);
                stats.squares_built_now += squares.build_now(&ground.field, threads.0, most);
                stats.squares_built += spawn_built(&mut commands, terrain, &place, squares);
                waiting
                    .extend(anchors.bodies.iter().filter(|(_, body)| !squares.holds(body)).map(|(entity, _)| *entity));
            }
            for square in squares.take_unneeded() {
                commands.entity(square).try_despawn();
            }
            stats.squares_loaded += squares.len();
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

/// Spawns the squares that are built. Returns their number.
fn spawn_built(commands: &mut Commands, terrain: Entity, place: &TerrainPlaceItem, squares: &mut SquareSet) -> u64 {
    let built = squares.take_built();
    let count = built.len() as u64;
    for (coord, heights) in built {
        let bounds = GroundSquare::bounds(squares.layout(), coord, &heights);
        let ChunkCoord { x, z, .. } = coord;
        let mut square = commands.spawn((Name::new(format!("Ground square {x} {z}")), ChildOf(terrain)));
        ChunkPlace::new(place, bounds.center()).put(&mut square);
        // Last, so that observers find the other components.
        square.insert(GroundSquare { terrain, coord: [x, z], bounds, heights });
        squares.insert(coord, square.id());
    }
    count
}

/// Starts background tasks for squares, if there are threads.
pub(in crate::stream) fn start_square_tasks(
    mut terrains: Query<&mut TerrainState, With<Terrain>>,
    threads: Res<StreamThreads>,
    mut stats: ResMut<TerrainStats>,
) {
    if threads.0 {
        stats.time(TerrainSystems::Generate, |_| {
            for mut state in &mut terrains {
                for ground in state.grounds().filter(|ground| !ground.squares.is_complete()) {
                    ground.squares.start_tasks(&ground.field);
                }
            }
        });
    }
}

/// Forgets a square that something other than the terrain despawned, so that it is built again.
pub(in crate::stream) fn forget_square(
    removed: On<Remove<GroundSquare>>,
    squares: Query<&GroundSquare>,
    mut terrains: Query<&mut TerrainState>,
) {
    if let Ok(square) = squares.get(removed.entity)
        && let Ok(mut state) = terrains.get_mut(square.terrain)
        && let Some(ground) = &mut state.ground
    {
        let [x, z] = square.coord;
        ground.squares.forget(ChunkCoord::finest(x, z), removed.entity);
    }
}
