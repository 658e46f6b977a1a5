//! The same tests in the cells of a `BigSpace`.

use super::*;
use bevy_perlin_terrain::plants::PlantLayer;
use big_space::prelude::*;

const EDGE: f32 = 2000.0;

/// An app with a root grid.
fn big_app() -> (App, Entity) {
    let mut app = with_manual_clock(App::new());
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), BigSpaceDefaultPlugins, TerrainMinimalPlugins));
    let root = app.world_mut().spawn(BigSpaceRootBundle { grid: Grid::new(EDGE, 100.0), ..default() }).id();
    finish(&mut app);
    (app, root)
}

/// Spawns a terrain as a child of `parent`.
fn add_terrain_in(app: &mut App, parent: Entity, transform: Transform) -> Entity {
    let terrain = add_terrain(app, repeating_settings());
    app.world_mut().entity_mut(terrain).insert((transform, CellCoord::ZERO, ChildOf(parent)));
    terrain
}

/// Spawns a camera at `position` in a grid.
fn add_camera(app: &mut App, grid: Entity, position: DVec3) -> Entity {
    let (cell, translation) = Grid::new(EDGE, 100.0).translation_to_grid(position);
    app.world_mut().spawn((viewer_at(translation), cell, FloatingOrigin, ChildOf(grid))).id()
}

/// The center of the cell of the floating origin.
fn drawn_center(app: &App, camera: Entity) -> DVec3 {
    let cell = app.world().get::<CellCoord>(camera).expect("it is in a cell");
    DVec3::new(cell.x as f64, cell.y as f64, cell.z as f64) * f64::from(EDGE)
}

/// Asserts that the drawn chunks are in cells of the terrain's grid, and near the centers of their cells.
fn assert_in_cells(app: &mut App, terrain: Entity) {
    let layout = *state(app, terrain).layout().expect("there is ground");
    for (coord, entity) in drawn_chunks(app, terrain) {
        let cell = app.world().get::<CellCoord>(entity).expect("a chunk is in a cell");
        let cell = [cell.x, cell.y, cell.z].map(|count| count as f64 * f64::from(EDGE));
        let within = app.world().get::<Transform>(entity).expect("a chunk has a position").translation;
        assert!(within.abs().max_element() <= EDGE / 2.0 + 100.0, "{coord:?} is at {within} in its cell");
        assert_eq!(DVec3::from_array(cell) + within.as_dvec3(), corner(&layout, coord));
    }
}

#[test]
fn chunks_and_viewers_have_exact_positions_at_any_distance() {
    for position in far_positions() {
        let (mut app, root) = big_app();
        let terrain = add_terrain_in(&mut app, root, Transform::IDENTITY);
        let position = position + VIEWER.as_dvec3();
        let camera = add_camera(&mut app, root, position);
        settle(&mut app, terrain);
        assert_eq!(viewer_position(&app, terrain), position);
        assert_in_cells(&mut app, terrain);
        let center = drawn_center(&app, camera);
        assert!((position - center).length() < 2.0 * f64::from(EDGE));
        assert_drawn_from(&mut app, terrain, center);
        assert_nothing_left(&mut app);
        // The ground below the viewer.
        let drawn = drawn_at(&app, camera);
        let below =
            app.world_mut().run_system_once(move |ground: TerrainGround| ground.height(drawn)).expect("it runs");
        assert_eq!(below, Some(drawn_height(&app, terrain, position)));
    }
}

#[test]
fn repeating_ground_gives_the_same_chunks_at_any_distance() {
    let around = |position: DVec3| {
        let (mut app, root) = big_app();
        let terrain = add_terrain_in(&mut app, root, Transform::IDENTITY);
        add_camera(&mut app, root, position + VIEWER.as_dvec3());
        settle(&mut app, terrain);
        surfaces(&mut app, terrain, position)
    };
    let here = around(DVec3::ZERO);
    for [x, z] in REPEATS {
        assert!(around(DVec3::new(x as f64, 0.0, z as f64)) == here, "the ground differs at {x}, {z}");
    }
}

#[test]
fn a_flight_through_cells_shows_no_hole_and_moves_no_chunk() {
    let (mut app, root) = big_app();
    let terrain = add_terrain_in(&mut app, root, Transform::IDENTITY);
    let mut position = DVec3::new(1e9, 60.0, -1e9);
    let camera = add_camera(&mut app, root, position);
    settle(&mut app, terrain);
    let mut cells = 0;
    for _ in 0..100 {
        let before = drawn_center(&app, camera);
        let step = Vec3::new(-70.5, 0.0, 31.25);
        app.world_mut().get_mut::<Transform>(camera).expect("a camera").translation += step;
        position += step.as_dvec3();
        app.update();
        assert_eq!(viewer_position(&app, terrain), position);
        let center = drawn_center(&app, camera);
        assert_drawn_from(&mut app, terrain, center);
        assert_in_cells(&mut app, terrain);
        cells += u32::from(center != before);
    }
    assert!(cells > 2, "the camera changed its cell only {cells} times");
    let found = ambiguities(&app, PostUpdate, TERRAIN_SETS);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_terrain_can_be_rotated_and_placed_anywhere() {
    for far in [0.0, 1e6, -1e9] {
        let (mut app, root) = big_app();
        let turn = Quat::from_rotation_y(0.7);
        let position = DVec3::new(far + 130.0, 0.0, -far - 900.0);
        let (cell, translation) = Grid::new(EDGE, 100.0).translation_to_grid(position);
        let terrain = add_terrain_in(&mut app, root, Transform::from_translation(translation).with_rotation(turn));
        app.world_mut().entity_mut(terrain).insert((cell, TerrainOrigin::new(-far, 5.0)));
        let from_terrain = DVec3::new(1300.0, 60.0, -2000.0);
        let camera = add_camera(&mut app, root, position + from_terrain);
        settle(&mut app, terrain);
        let position = viewer_position(&app, terrain);
        let expected = turn.as_dquat().inverse() * from_terrain + DVec3::new(-far, 0.0, 5.0);
        // A unit quaternion of `f32` over 2400 m.
        assert!(position.distance(expected) < 1e-3, "{position} for {expected}");
        let layout = *state(&app, terrain).layout().expect("there is ground");
        for (coord, entity) in drawn_chunks(&mut app, terrain) {
            let from_viewer = turn.as_dquat() * (corner(&layout, coord) - position);
            let drawn = (drawn_at(&app, entity) - drawn_at(&app, camera)).as_dvec3();
            assert!(drawn.distance(from_viewer) < 1e-3, "{coord:?}: {drawn} for {from_viewer}");
        }
    }
}

#[test]
fn a_camera_can_be_a_child_of_an_entity_in_a_cell_or_outside_the_space() {
    let (mut app, root) = big_app();
    let terrain = add_terrain_in(&mut app, root, Transform::IDENTITY);
    let (cell, translation) = Grid::new(EDGE, 100.0).translation_to_grid(DVec3::new(1e9, 3.0, 500.0));
    let player = (Transform::from_translation(translation), cell, FloatingOrigin, ChildOf(root));
    let player = app.world_mut().spawn(player).id();
    let camera = app.world_mut().spawn((viewer_at(VIEWER), ChildOf(player))).id();
    settle(&mut app, terrain);
    let position = DVec3::new(1e9, 3.0, 500.0) + VIEWER.as_dvec3();
    assert_eq!(viewer_position(&app, terrain), position);
    // A camera outside the space, at the position where the first one was drawn.
    let drawn = drawn_at(&app, camera);
    app.world_mut().despawn(camera);
    app.world_mut().spawn(viewer_at(drawn));
    settle(&mut app, terrain);
    assert_eq!(viewer_position(&app, terrain), position);
}

#[test]
fn a_terrain_that_is_moved_into_a_space_keeps_its_chunks() {
    let (mut app, root) = big_app();
    app.world_mut().spawn((Transform::IDENTITY, CellCoord::ZERO, FloatingOrigin, ChildOf(root)));
    let terrain = add_terrain(&mut app, repeating_settings());
    app.world_mut().spawn(viewer_at(VIEWER + Vec3::X * 1900.0));
    settle(&mut app, terrain);
    let (before, done) = (drawn_chunks(&mut app, terrain), stats(&app).chunks_built);
    app.world_mut().entity_mut(terrain).insert(ChildOf(root));
    app.update();
    assert_in_cells(&mut app, terrain);
    assert_drawn_from(&mut app, terrain, DVec3::ZERO);
    assert_eq!((drawn_chunks(&mut app, terrain), stats(&app).chunks_built), (before, done));
}

#[test]
fn a_terrain_keeps_its_own_grid() {
    let (mut app, root) = big_app();
    let terrain = add_terrain_in(&mut app, root, Transform::IDENTITY);
    app.world_mut().entity_mut(terrain).insert(Grid::new(500.0, 50.0));
    let position = DVec3::new(-1e9, 60.0, 1e6);
    let camera = add_camera(&mut app, root, position);
    settle(&mut app, terrain);
    assert_eq!(app.world().get::<Grid>(terrain).map(Grid::cell_edge_length), Some(500.0));
    assert_eq!(viewer_position(&app, terrain), position);
    let center = drawn_center(&app, camera);
    assert_drawn_from(&mut app, terrain, center);
}

/// Asserts that many plants are entities, each where it stands. `center` is the position of the terrain at the world origin.
#[track_caller]
fn assert_plants_drawn_from(app: &mut App, center: DVec3) {
    let mut plants = app.world_mut().query::<(&TerrainPlant, &GlobalTransform)>();
    let gaps = plants.iter(app.world()).map(|(plant, place)| {
        let expected = DVec3::from_array(plant.plant.position) - center;
        (place.translation().as_dvec3() - expected).length()
    });
    let gaps: Vec<f64> = gaps.collect();
    assert!(gaps.len() > 30, "{} plants", gaps.len());
    // The precision of `f32` in a cell.
    let largest = gaps.iter().copied().fold(0.0, f64::max);
    assert!(largest < 1e-3, "a plant is {largest} m off");
}

#[test]
fn plants_stand_around_viewers_and_bodies_in_each_frame_and_at_any_distance() {
    let trees = PlantLayer { name: "tree".to_owned(), spacing: 6.0, entities: 50.0, ..default() };
    for position in far_positions() {
        let (mut app, root) = big_app();
        let terrain = add_terrain_in(&mut app, root, Transform::IDENTITY);
        edit(&mut app, terrain, |settings| settings.plants = vec![trees.clone()]);
        let position = position + VIEWER.as_dvec3();
        let camera = add_camera(&mut app, root, position);
        let (cell, translation) = Grid::new(EDGE, 100.0).translation_to_grid(position + DVec3::X * 300.0);
        let body = (KeepGround::default(), Transform::from_translation(translation), cell, ChildOf(root));
        app.world_mut().spawn(body);
        settle(&mut app, terrain);
        let mut plants = app.world_mut().query_filtered::<(), With<TerrainPlant>>();
        pump_until(&mut app, "all plants are there", |app| {
            let count = plants.iter(app.world()).count();
            count > 150
        });
        for _ in 0..30 {
            let center = drawn_center(&app, camera);
            assert_plants_drawn_from(&mut app, center);
            // Across the border of a cell.
            app.world_mut().get_mut::<Transform>(camera).expect("a camera").translation.x -= 50.0;
            app.update();
        }
    }
}
