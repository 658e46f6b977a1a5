//! Collider tiles around bodies: in the frame of a jump, ahead of motion, through reloads and origin shifts, and without viewers.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::surface_height;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::TerrainStreamPlugin;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use testing::app::log::warnings_of;
use testing::app::*;

/// The side of a tile of the small settings, in metres.
const SIZE: f64 = 128.0;

fn add_body(app: &mut App, x: f32, z: f32, radius: f32) -> Entity {
    app.world_mut().spawn((Transform::from_xyz(x, 300.0, z), KeepGround { radius, ahead: 1.0 })).id()
}

/// The tiles of all terrains, by their coordinates.
fn tiles(app: &mut App) -> BTreeMap<[i64; 2], ColliderTile> {
    let mut query = app.world_mut().query::<&ColliderTile>();
    let tiles: Vec<_> = query.iter(app.world()).cloned().collect();
    let by_coord: BTreeMap<_, _> = tiles.iter().map(|tile| (tile.coord, tile.clone())).collect();
    assert_eq!(by_coord.len(), tiles.len(), "a tile is there twice");
    by_coord
}

fn coords(app: &mut App) -> BTreeSet<[i64; 2]> {
    tiles(app).into_keys().collect()
}

fn has_tile_at(app: &mut App, x: f64, z: f64) -> bool {
    coords(app).contains(&[x, z].map(|at| (at / SIZE).floor() as i64))
}

fn is_waiting(app: &App, body: Entity) -> bool {
    app.world().get::<WaitsForGround>(body).is_some()
}

/// Runs frames until the terrain has a ground and all tiles of the bodies.
fn settle_tiles(app: &mut App) {
    pump_until(app, "all tiles are there", |app| {
        let mut states = app.world_mut().query::<&TerrainState>();
        states.iter(app.world()).all(|state| state.has_all_collider_tiles() && !state.is_reloading())
    });
}

/// Checks that every tile has the heights of the terrain's field at its vertices, and is where it should be.
fn assert_heights(app: &mut App, terrain: Entity) {
    let field = state(app, terrain).field().expect("a ground").clone();
    let layout = *state(app, terrain).layout().expect("a ground");
    let tiles = tiles(app);
    assert!(!tiles.is_empty());
    for tile in tiles.values() {
        let (bounds, spacing) = (tile.bounds, layout.spacing(0));
        assert_eq!(tile.heights.len(), ColliderTile::SIDE * ColliderTile::SIDE);
        assert_eq!(bounds.min.x, tile.coord[0] as f64 * tile.size());
        assert_eq!(tile.size(), 32.0 * spacing);
        for (column, row) in [(0, 0), (5, 0), (0, 9), (32, 32), (7, 21)] {
            let [x, z] = [bounds.min.x + spacing * column as f64, bounds.min.z + spacing * row as f64];
            let height = tile.heights[(row + 1) * ColliderTile::SIDE + column + 1];
            assert_eq!(f64::from(height), surface_height(&field, &layout, x, z), "{column}, {row} of {tile:?}");
            assert!(bounds.min.y <= f64::from(height) && f64::from(height) <= bounds.max.y);
        }
    }
}

#[test]
fn a_body_has_the_squares_within_its_radius_without_a_viewer() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let body = add_body(&mut app, 64.0, 64.0, 32.0);
    app.update();
    assert!(!is_waiting(&app, body), "tiles under a body are built in its first frame");
    settle_tiles(&mut app);
    assert_eq!(coords(&mut app), [[0, 0]].into());
    assert_heights(&mut app, terrain);
    assert_eq!(stats(&app).collider_tiles_loaded, 1);
    assert_eq!(state(&app, terrain).chunks_loaded(), 0, "no chunk is needed");
    // A second body nearby shares the tile.
    let second = add_body(&mut app, 120.0, 100.0, 32.0);
    settle_tiles(&mut app);
    assert_eq!(coords(&mut app), [[0, 0], [0, 1], [1, 0], [1, 1]].into());
    app.world_mut().despawn(second);
    app.update();
    assert_eq!(coords(&mut app), [[0, 0]].into());
    app.world_mut().entity_mut(body).remove::<KeepGround>();
    app.update();
    assert!(tiles(&mut app).is_empty());
}

#[test]
fn a_body_that_jumps_has_its_ground_in_the_frame_of_the_jump() {
    for with_threads in [true, false] {
        let mut app = if with_threads { headless_app() } else { app_without_threads() };
        let terrain = add_terrain(&mut app, small_settings());
        let body = add_body(&mut app, 64.0, 64.0, 32.0);
        settle_tiles(&mut app);
        for (x, z) in [(50_000.0, 0.0), (50_127.0, 129.0), (-1.0e6, 70_000.0), (0.0, 0.0)] {
            move_to(&mut app, body, x, z);
            app.update();
            assert!(has_tile_at(&mut app, x.into(), z.into()), "{x}, {z}");
            assert!(!is_waiting(&app, body));
            assert!(stats(&app).collider_tiles_built_now >= 1);
            assert_heights(&mut app, terrain);
        }
        settle_tiles(&mut app);
        assert_eq!(coords(&mut app), [[-1, -1], [-1, 0], [0, -1], [0, 0]].into());
    }
}

#[test]
fn a_hundred_bodies_that_jump_together_wait_until_their_squares_are_there() {
    let mut app = headless_app();
    add_terrain(&mut app, small_settings());
    let bodies: Vec<Entity> = (0..100).map(|_| add_body(&mut app, 64.0, 64.0, 32.0)).collect();
    settle_tiles(&mut app);
    assert_eq!(tiles(&mut app).len(), 1);
    for (number, &body) in bodies.iter().enumerate() {
        move_to(&mut app, body, 10_000.0 + 1024.0 * number as f32 + 64.0, 64.0);
    }
    app.update();
    assert_eq!(stats(&app).collider_tiles_built_now, ColliderTile::MAX_BUILT_NOW);
    let waiting = bodies.iter().filter(|&&body| is_waiting(&app, body)).count();
    assert_eq!((waiting, stats(&app).bodies_waiting), (84, 84));
    pump_until(&mut app, "no body waits", |app| {
        let tiles = coords(app);
        for (number, &body) in (0..).zip(&bodies) {
            let has_ground = tiles.contains(&[(10_000 + 1024 * number + 64) / SIZE as i64, 0]);
            assert_ne!(has_ground, is_waiting(app, body), "body {number}");
        }
        stats(app).bodies_waiting == 0
    });
    settle_tiles(&mut app);
    assert_eq!(tiles(&mut app).len(), 100);
}

#[test]
fn tiles_are_built_ahead_of_a_moving_body_and_removed_behind_it() {
    let mut app = headless_app();
    add_terrain(&mut app, small_settings());
    let body = add_body(&mut app, 0.0, 64.0, 32.0);
    settle_tiles(&mut app);
    for frame in 0..1200_u16 {
        let x = f32::from(frame);
        move_to(&mut app, body, x, 64.0);
        app.update();
        assert!(!is_waiting(&app, body));
        assert!(has_tile_at(&mut app, x.into(), 64.0), "at {x}");
        if frame > 120 {
            assert_eq!(stats(&app).collider_tiles_built_now, 0, "at {x}: tasks are ahead of the motion");
            // Time stands still, so the body keeps its velocity however many frames the tasks need.
            app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
            settle_tiles(&mut app);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
            assert!(has_tile_at(&mut app, f64::from(x) + 55.0, 64.0), "60 m ahead of {x}");
            assert!(!has_tile_at(&mut app, f64::from(x) - 1.5 * 32.0 - SIZE, 64.0), "behind {x}");
        }
    }
}

#[test]
fn bodies_wait_while_a_terrain_has_no_settings() {
    let mut app = headless_app();
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().reserve_handle();
    let body = add_body(&mut app, 0.0, 0.0, 32.0);
    app.update();
    assert!(!is_waiting(&app, body), "there is no terrain");
    app.world_mut().spawn(Terrain(handle.clone()));
    pump(&mut app, 3);
    assert!(is_waiting(&app, body));
    app.world_mut().entity_mut(body).remove::<KeepGround>();
    assert!(!is_waiting(&app, body), "it needs no ground any more");
    app.world_mut().entity_mut(body).insert(KeepGround::default());
    app.update();
    assert!(is_waiting(&app, body));
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainSettings>>();
    assets.insert(&handle, small_settings()).expect("the handle is reserved");
    pump_until(&mut app, "the ground is there", |app| !is_waiting(app, body));
    assert!(has_tile_at(&mut app, 0.0, 0.0));
}

#[test]
fn bodies_with_ground_are_not_held_by_another_terrain_without_settings() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    let body = add_body(&mut app, 5.0, 5.0, 32.0);
    settle_tiles(&mut app);
    assert!(state(&app, terrain).has_all_collider_tiles() && !is_waiting(&app, body));
    let loading = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    let mut invalid = small_settings();
    invalid.chunks.spacing = -1.0;
    let invalid = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(invalid);
    let missing = app.world().resource::<AssetServer>().load("no_such_file.terrain.ron");
    for (handle, name) in
        [(loading, "loading"), (invalid, "invalid"), (missing, "missing"), (Handle::default(), "default")]
    {
        let other = app.world_mut().spawn((Terrain(handle), Transform::from_xyz(0.0, -500.0, 0.0))).id();
        for _ in 0..20 {
            app.update();
            assert!(!is_waiting(&app, body), "it is held by a terrain that is {name}");
        }
        let new = add_body(&mut app, 40.0, 5.0, 32.0);
        pump_until(&mut app, "it has ground", |app| state(app, terrain).has_all_collider_tiles());
        pump(&mut app, 2);
        assert!(!is_waiting(&app, new), "a new body is held by a terrain that is {name}");
        app.world_mut().despawn(other);
    }
}

#[test]
fn a_reload_replaces_all_squares_in_the_frame_in_which_the_ground_is_swapped() {
    for with_viewer in [true, false] {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, small_settings());
        if with_viewer {
            add_viewer(&mut app, 0.0, 0.0, 200.0);
        }
        for number in 0..30_u8 {
            add_body(&mut app, 1000.0 * f32::from(number), 0.0, 40.0);
        }
        settle_tiles(&mut app);
        for spacing in [4.0, 2.0] {
            let before = tiles(&mut app);
            edit(&mut app, terrain, |settings| {
                settings.field.base_height += 7.0;
                settings.chunks.spacing = spacing;
            });
            let old = state(&app, terrain).field().expect("a ground").clone();
            pump_until(&mut app, "the ground is swapped", |app| {
                let is_swapped = !std::sync::Arc::ptr_eq(state(app, terrain).field().expect("a ground"), &old);
                if is_swapped {
                    assert_heights(app, terrain);
                    assert!(stats(app).bodies_waiting == 0);
                } else {
                    assert_eq!(tiles(app), before, "the old tiles stay until then");
                }
                is_swapped
            });
            settle_tiles(&mut app);
            assert_heights(&mut app, terrain);
            if spacing == 4.0 {
                assert!(before.keys().eq(tiles(&mut app).keys()));
            }
        }
    }
}

#[test]
fn tiles_leave_with_their_terrain_in_the_same_frame() {
    let mut app = headless_app();
    for despawns in [true, false] {
        let terrain = add_terrain(&mut app, small_settings());
        let body = add_body(&mut app, 0.0, 0.0, 100.0);
        settle_tiles(&mut app);
        assert!(tiles(&mut app).len() >= 4);
        if despawns {
            app.world_mut().despawn(terrain);
        } else {
            app.world_mut().entity_mut(terrain).remove::<Terrain>();
        }
        app.world_mut().flush();
        assert!(tiles(&mut app).is_empty());
        pump(&mut app, 3);
        assert!(tiles(&mut app).is_empty());
        app.world_mut().despawn(body);
    }
}

#[test]
fn a_tile_that_a_game_despawns_is_built_again() {
    let mut app = headless_app();
    add_terrain(&mut app, small_settings());
    let body = add_body(&mut app, 0.0, 0.0, 32.0);
    settle_tiles(&mut app);
    let before = coords(&mut app);
    let entities: Vec<Entity> =
        app.world_mut().query_filtered::<Entity, With<ColliderTile>>().iter(app.world()).collect();
    for tile in entities {
        app.world_mut().despawn(tile);
    }
    app.update();
    assert_eq!(coords(&mut app), before, "all four are under the body");
    assert!(!is_waiting(&app, body));
}

#[test]
fn an_origin_shift_moves_squares_in_its_frame_and_keeps_their_entities() {
    let mut app = headless_app();
    app.add_plugins(OriginShiftPlugin { threshold: 2000.0 });
    add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 100.0);
    let body = add_body(&mut app, 64.0, 64.0, 32.0);
    settle_tiles(&mut app);
    let positions = |app: &mut App| -> BTreeMap<Entity, Vec3> {
        let mut query = app.world_mut().query_filtered::<(Entity, &GlobalTransform), With<ColliderTile>>();
        query.iter(app.world()).map(|(entity, position)| (entity, position.translation())).collect()
    };
    let before = positions(&mut app);
    assert_eq!(before.values().copied().collect::<Vec<_>>(), [Vec3::new(64.0, 0.0, 64.0)], "the center");
    move_to(&mut app, viewer, 2050.0, 0.0);
    app.update();
    assert_eq!(app.world().get::<Transform>(body).map(|position| position.translation.x), Some(64.0 - 2048.0));
    let expected: BTreeMap<_, _> = before.iter().map(|(&tile, &at)| (tile, at - 2048.0 * Vec3::X)).collect();
    assert_eq!(positions(&mut app), expected);
}

#[test]
fn tiles_of_a_moved_rotated_and_scaled_terrain_lie_under_its_bodies() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    app.world_mut().entity_mut(terrain).insert(moved_and_rotated());
    let body = add_body(&mut app, 700.0, -2300.0, 20.0);
    settle_tiles(&mut app);
    let position = app.world().get::<GlobalTransform>(terrain).expect("a terrain").affine().inverse();
    let at = position.transform_point3(app.world().get::<Transform>(body).expect("a body").translation);
    assert!(has_tile_at(&mut app, at.x.into(), at.z.into()));
    assert_heights(&mut app, terrain);
}

#[test]
fn tiles_have_the_same_bits_far_away_in_every_order_and_with_and_without_threads() {
    let positions = [(0.0, 0.0), (3.0e6, -2.0e6), (100.0, -300.0), (-2000.0, 5.0)];
    let mut all = Vec::new();
    for (threads, reversed) in [(true, false), (false, true)] {
        let mut app = with_manual_clock(App::new());
        let terrain = TerrainMinimalPlugins.build().set(TerrainStreamPlugin { threads, ..default() });
        app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), terrain));
        let terrain = add_terrain(&mut app, small_settings());
        app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(1e9, 1e7));
        let mut positions = positions;
        if reversed {
            positions.reverse();
        }
        for (x, z) in positions {
            add_body(&mut app, x, z, 60.0);
            pump(&mut app, 2);
        }
        settle_tiles(&mut app);
        let tiles = tiles(&mut app).into_iter();
        all.push(tiles.map(|(coord, tile)| (coord, tile.heights.to_vec())).collect::<Vec<_>>());
    }
    assert!(all[0].len() > 10);
    assert!(all[0] == all[1]);
}

#[test]
fn a_body_with_a_wrong_position_or_radius_gets_no_ground_or_a_clear_warning() {
    let _alone = alone();
    let mut app = headless_app();
    add_terrain(&mut app, small_settings());
    let warnings = warnings_of(&mut app, |app| {
        add_body(app, f32::NAN, 0.0, 32.0);
        add_body(app, f32::INFINITY, 0.0, 32.0);
        add_body(app, 0.0, 0.0, f32::NAN);
        pump(app, 5);
        assert!(tiles(app).is_empty());
        assert_eq!(stats(app).bodies_waiting, 0);
        add_body(app, 0.0, 0.0, 1e9);
        add_body(app, 0.0, 0.0, -5.0);
        add_body(app, f32::MAX, -f32::MAX, 40.0);
        settle_tiles(app);
    });
    let lines = warnings.iter().filter(|line| line.contains("KeepGround")).count();
    assert_eq!(lines, 5, "a line for each body: {warnings:?}");
    assert!(
        warnings.iter().any(|line| line.contains("finite")) && warnings.iter().any(|line| line.contains("4 to 1024 m"))
    );
    let count = tiles(&mut app).len();
    assert!((200..700).contains(&count), "{count}: at most 8 tiles in every direction, and half as many more are kept");
}
