//! Far from the origin, the ground is where it belongs and looks as it does near it: to the bit.

#[cfg(feature = "big_space")]
mod in_big_space;

use crate::common::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkCoord, ChunkGeometry, ChunkLayout, LodSettings};
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{ChunkBounds, OriginAnchor, OriginFixed, OriginShifted, TerrainPlace, WorldOrigin};
use std::collections::{BTreeMap, BTreeSet};

/// Ground in chunks of several levels, which repeats every 1024 m along x and z.
fn repeating_settings() -> TerrainSettings {
    let mut settings = small_settings();
    settings.lod = LodSettings { pixel_error: 25.0, ..default() };
    settings.field.layers = vec![NoiseSettings {
        octaves: 3,
        frequency: 1.0 / 64.0,
        height_scale: 40.0,
        lacunarity: 2.0,
        period_x: 16,
        period_y: 16,
        ..default()
    }];
    settings
}

/// Whole kilometres, thousands and millions of them, on both sides, and never as many along x as along z.
fn far_places() -> Vec<DVec3> {
    let mut places = vec![DVec3::ZERO];
    for metres in [1e3, 1e6, 1e9] {
        places.extend([
            DVec3::new(metres, 0.0, -0.5 * metres),
            DVec3::new(-metres, 0.0, -metres),
            DVec3::new(250.0, 0.0, metres),
            DVec3::new(-metres, 0.0, metres - 375.0),
        ]);
    }
    places
}

/// Where the viewer is, from what is near it.
const VIEWER: Vec3 = Vec3::new(3.5, 60.0, -7.25);

const VIEW_DISTANCE: f32 = 400.0;

fn viewer_at(translation: Vec3) -> impl Bundle {
    (TerrainViewer { view_distance: VIEW_DISTANCE }, Transform::from_translation(translation))
}

/// The corner of a chunk, worked out in integers.
fn corner(layout: &ChunkLayout, chunk: ChunkCoord) -> DVec3 {
    let steps = ((layout.spacing(0) * 1024.0) as i128 * i128::from(layout.quads())) << chunk.level;
    let metres = |index: i64| (i128::from(index) * steps) as f64 / 1024.0;
    DVec3::new(metres(chunk.x), 0.0, metres(chunk.z))
}

fn drawn_at(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<GlobalTransform>(entity).expect("it is somewhere").translation()
}

/// Asserts that the chunks of a terrain that is not turned are drawn, to the bit, where they lie from `center`, the place of
/// the terrain that is drawn at the world's origin, and that neighbors meet as they are drawn.
#[track_caller]
fn assert_drawn_from(app: &mut App, terrain: Entity, center: DVec3) {
    assert_seamless(app, terrain);
    let shown = shown(app, terrain);
    assert!(shown.len() > 10, "only {} chunks are shown", shown.len());
    let layout = *state(app, terrain).layout().expect("there is ground");
    let mut borders = 0;
    for (&coord, &entity) in &shown {
        let (expected, drawn) = (corner(&layout, coord), drawn_at(app, entity));
        let told = app.world().get::<ChunkBounds>(entity).expect("a chunk has bounds");
        assert_eq!(told.min.with_y(0.0), expected, "{coord:?}");
        assert_eq!(drawn.as_dvec3(), expected - center, "{coord:?} is drawn elsewhere");
        let side = layout.chunk_size(coord.level) as f32;
        for (dx, dz, axis) in [(1, 0, Vec3::X), (0, 1, Vec3::Z)] {
            if let Some(&neighbor) = shown.get(&coord.neighbor(dx, dz)) {
                // As a graphics card adds them.
                assert_eq!(drawn + axis * side, drawn_at(app, neighbor), "{coord:?} and its neighbor do not meet");
                borders += 1;
            }
        }
    }
    assert!(borders > 10, "only {borders} borders");
}

/// Where the terrain knows its only viewer to be.
fn viewer_place(app: &App, terrain: Entity) -> DVec3 {
    let mut viewers = state(app, terrain).viewers();
    assert_eq!(viewers.len(), 1);
    DVec3::from_array(viewers.next().expect("a viewer").point.position)
}

/// What is shown around a place: every chunk, counted from there, with its surface.
fn surfaces(app: &mut App, terrain: Entity, from: DVec3) -> BTreeMap<ChunkCoord, ChunkGeometry> {
    let layout = *state(app, terrain).layout().expect("there is ground");
    let shown = shown(app, terrain);
    let counted = |coord: ChunkCoord| {
        let size = layout.chunk_size(coord.level);
        let [x, z] = [from.x / size, from.z / size];
        assert_eq!((x.fract(), z.fract()), (0.0, 0.0), "the place lies between chunks of level {}", coord.level);
        ChunkCoord { x: coord.x - x as i64, z: coord.z - z as i64, ..coord }
    };
    let surface = |entity| app.world().get::<ChunkSurface>(entity).expect("a chunk has a surface").0.clone();
    shown.into_iter().map(|(coord, entity)| (counted(coord), surface(entity))).collect()
}

/// Places that are a whole number of times away at which [`repeating_settings`] repeat, and chunks of any level begin.
const REPEATS: [[i64; 2]; 6] = [
    [1 << 10, -3 << 10],
    [-1 << 10, 1 << 11],
    [1 << 20, 1 << 19],
    [-5 << 20, -1 << 20],
    [1 << 30, -3 << 30],
    [-1 << 30, 1 << 12],
];

/// The height of the triangles of level 0 at a place of the terrain.
fn drawn_height(app: &App, terrain: Entity, place: DVec3) -> f32 {
    let ground = state(app, terrain).field().zip(state(app, terrain).layout());
    ground.map(|(field, layout)| surface_height(field, layout, place.x, place.z) as f32).expect("there is ground")
}

#[test]
fn with_a_far_origin_chunks_and_viewers_are_where_they_belong() {
    for place in far_places() {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, repeating_settings());
        let origin = TerrainOrigin::new(place.x + 0.3, place.z - 0.7);
        app.world_mut().entity_mut(terrain).insert(origin);
        app.world_mut().spawn(viewer_at(VIEWER));
        settle(&mut app, terrain);
        assert_eq!(viewer_place(&app, terrain), origin.place() + VIEWER.as_dvec3());
        assert_drawn_from(&mut app, terrain, origin.place());
        assert_nothing_left(&mut app);
        // The ground below the viewer.
        let below = app.world_mut().run_system_once(|ground: TerrainGround| ground.height(VIEWER)).expect("it runs");
        let place = origin.place() + VIEWER.as_dvec3();
        assert_eq!(below, Some(drawn_height(&app, terrain, place)));
    }
}

#[test]
fn the_same_ground_is_the_same_chunks_wherever_it_is() {
    let around = |place: DVec3| {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, repeating_settings());
        app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(place.x, place.z));
        app.world_mut().spawn(viewer_at(VIEWER));
        settle(&mut app, terrain);
        surfaces(&mut app, terrain, place)
    };
    let here = around(DVec3::ZERO);
    let levels: BTreeSet<u8> = here.keys().map(|coord| coord.level).collect();
    assert!(levels.len() > 2, "all of it is at levels {levels:?}");
    for [x, z] in REPEATS {
        assert!(around(DVec3::new(x as f64, 0.0, z as f64)) == here, "the ground differs at {x}, {z}");
    }
}

#[test]
fn chunks_follow_the_origin_at_once_and_are_not_built_anew() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, repeating_settings());
    let viewer = app.world_mut().spawn(viewer_at(VIEWER)).id();
    settle(&mut app, terrain);
    let (before, done) = (shown(&mut app, terrain), stats(&app).chunks_built);
    // The terrain stands elsewhere, and the viewer goes along.
    let origin = TerrainOrigin::new(-700.25, 90.0);
    app.world_mut().entity_mut(terrain).insert(origin);
    app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation -= origin.place().as_vec3();
    app.update();
    assert!(state(&app, terrain).is_settled());
    assert_eq!((shown(&mut app, terrain), stats(&app).chunks_built), (before, done));
    assert_drawn_from(&mut app, terrain, origin.place());
    assert_eq!(viewer_place(&app, terrain), VIEWER.as_dvec3());
}

fn shifting_app() -> App {
    let mut app = headless_app();
    app.add_plugins(OriginShiftPlugin { threshold: 2000.0 });
    app
}

/// All that was told of shifts so far.
fn shifts(app: &App) -> Vec<Vec3> {
    let messages = app.world().resource::<Messages<OriginShifted>>();
    messages.get_cursor().read(messages).map(|shift| shift.offset).collect()
}

#[test]
fn a_shift_moves_everything_in_one_frame_and_builds_nothing() {
    let mut app = shifting_app();
    let terrain = add_terrain(&mut app, repeating_settings());
    let turned = add_terrain(&mut app, repeating_settings());
    let transform = Transform::from_xyz(5.0, 300.0, -9.0).with_rotation(Quat::from_rotation_y(0.7));
    app.world_mut().entity_mut(turned).insert((transform, TerrainOrigin::new(1e9, 77.0)));
    let viewer = app.world_mut().spawn(viewer_at(VIEWER)).id();
    let rock = app.world_mut().spawn(Transform::from_xyz(4.0, 5.0, 6.0)).id();
    // A part of the terrain that is no chunk of it, though it knows where one lies.
    let bounds = ChunkBounds { min: DVec3::new(64.0, 0.0, 0.0), max: DVec3::new(128.0, 9.0, 64.0) };
    let fence = app.world_mut().spawn((Transform::from_xyz(7.0, 8.0, 9.0), bounds, ChildOf(terrain))).id();
    let moss = app.world_mut().spawn((Transform::from_xyz(1.0, 1.0, 1.0), ChildOf(rock))).id();
    let sky = app.world_mut().spawn((Transform::from_xyz(1.0, 2.0, 3.0), OriginFixed)).id();
    settle(&mut app, terrain);
    settle(&mut app, turned);
    let [before, before_turned] = [terrain, turned].map(|terrain| shown(&mut app, terrain));
    let drawn = |app: &App, chunks: &BTreeMap<ChunkCoord, Entity>| -> Vec<Vec3> {
        chunks.values().map(|&chunk| drawn_at(app, chunk) - drawn_at(app, viewer)).collect()
    };
    let [places, turned_places] = [&before, &before_turned].map(|chunks| drawn(&app, chunks));
    let points = [terrain, turned].map(|terrain| state(&app, terrain).viewers().collect::<Vec<_>>());
    let done = stats(&app).chunks_built;
    assert_eq!(shifts(&app), []);

    // Somebody far away is followed from now on.
    app.world_mut().spawn((OriginAnchor, Transform::from_xyz(5000.0, 9000.0, -3000.0)));
    app.update();
    let offset = Vec3::new(5120.0, 0.0, -3072.0);
    assert_eq!(shifts(&app), [offset]);
    assert_eq!(app.world().resource::<WorldOrigin>().0, offset.as_dvec3());
    let place = |entity| app.world().get::<Transform>(entity).expect("it has a place").translation;
    assert_eq!([place(viewer), place(rock)], [VIEWER - offset, Vec3::new(4.0, 5.0, 6.0) - offset]);
    assert_eq!([place(moss), place(sky)], [Vec3::ONE, Vec3::new(1.0, 2.0, 3.0)]);
    assert_eq!(place(fence), Vec3::new(7.0, 8.0, 9.0));
    assert_eq!(place(terrain), Vec3::ZERO);
    assert_eq!(drawn_at(&app, moss), Vec3::new(5.0, 6.0, 7.0) - offset);
    // The terrains are what they were, around a viewer who has not moved in them.
    assert!([terrain, turned].iter().all(|&terrain| state(&app, terrain).is_settled()));
    assert_eq!(stats(&app).chunks_built, done);
    assert_eq!(shown(&mut app, terrain), before);
    assert_eq!(shown(&mut app, turned), before_turned);
    assert!(state(&app, terrain).viewers().eq(points[0].iter().copied()));
    let gap = viewer_place(&app, turned).distance(DVec3::from_array(points[1][0].point.position));
    assert!(gap < 2e-3, "the viewer moved by {gap} m over the turned terrain");
    assert_eq!(drawn(&app, &before), places);
    assert_drawn_from(&mut app, terrain, offset.as_dvec3());
    for (now, then) in drawn(&app, &before_turned).into_iter().zip(turned_places) {
        // Steps of `f32` at 6000 m.
        assert!(now.distance(then) < 2e-3, "{now} was {then}");
    }
    app.update();
    assert_eq!(app.world().resource::<WorldOrigin>().0, offset.as_dvec3(), "one shift is enough");
}

#[test]
fn a_long_way_with_shifts_is_the_same_way_and_shows_no_hole() {
    let mut app = shifting_app();
    let terrain = add_terrain(&mut app, repeating_settings());
    let viewer = app.world_mut().spawn(viewer_at(VIEWER)).id();
    settle(&mut app, terrain);
    let (mut way, mut shifts) = (VIEWER.as_dvec3(), 0);
    let mut before = WorldOrigin::default();
    for frame in 0..400 {
        let step = Vec3::new(70.5, 0.0, -31.25) * if frame < 300 { 1.0 } else { -1.5 };
        app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation += step;
        way += step.as_dvec3();
        app.update();
        let place = app.world().get::<Transform>(viewer).expect("a viewer").translation;
        assert!(place.x.abs() <= 2000.0 && place.z.abs() <= 2000.0, "the viewer is at {place}");
        let origin = *app.world().resource::<WorldOrigin>();
        assert_eq!(origin.0 + place.as_dvec3(), way);
        assert_eq!(viewer_place(&app, terrain), way);
        if origin != before {
            shifts += 1;
            assert_drawn_from(&mut app, terrain, origin.0);
        } else {
            assert_seamless(&mut app, terrain);
        }
        before = origin;
    }
    assert!(shifts > 10, "only {shifts} shifts");
    settle(&mut app, terrain);
    assert_drawn_from(&mut app, terrain, before.0);
    assert_nothing_left(&mut app);
}

#[test]
fn the_origin_stays_where_a_shift_would_not_help() {
    let mut app = shifting_app();
    app.update();
    // Nobody to follow, nobody far away, and somebody who does not move.
    app.world_mut().spawn(viewer_at(Vec3::new(1999.0, 1e6, -1999.0)));
    app.update();
    app.world_mut().spawn((OriginAnchor, OriginFixed, Transform::from_xyz(1e5, 0.0, 0.0)));
    app.update();
    assert_eq!(shifts(&app), []);
    assert_eq!(*app.world().resource::<WorldOrigin>(), WorldOrigin::default());
    let found = ambiguities(&app, PostUpdate, TERRAIN_SETS);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_viewer_is_found_whatever_it_and_the_terrain_are_children_of() {
    let mut app = headless_app();
    let carrier = Transform::from_xyz(40.0, 2.0, -16.0).with_rotation(Quat::from_rotation_y(1.1));
    let ship = app.world_mut().spawn(carrier).id();
    let terrain = add_terrain(&mut app, repeating_settings());
    let stand =
        Transform::from_xyz(-30.0, 5.0, 8.0).with_rotation(Quat::from_rotation_y(-0.4)).with_scale(Vec3::splat(2.0));
    app.world_mut().entity_mut(terrain).insert((stand, TerrainOrigin::new(1e6, -1e6), ChildOf(ship)));
    let mast = Transform::from_xyz(3.0, 10.0, 4.0);
    let viewer = app.world_mut().spawn((viewer_at(VIEWER), ChildOf(ship))).id();
    app.world_mut().entity_mut(viewer).insert(mast);
    settle(&mut app, terrain);
    let expected =
        stand.to_matrix().inverse().transform_point3(mast.translation).as_dvec3() + DVec3::new(1e6, 0.0, -1e6);
    assert!((viewer_place(&app, terrain) - expected).length() < 1e-4);
    // A viewer that is a child of the terrain.
    app.world_mut().entity_mut(viewer).insert(ChildOf(terrain));
    settle(&mut app, terrain);
    assert_eq!(viewer_place(&app, terrain), mast.translation.as_dvec3() + DVec3::new(1e6, 0.0, -1e6));
    // The frame says the same of what is drawn.
    let drawn = drawn_at(&app, viewer);
    let place = app
        .world_mut()
        .run_system_once(move |terrains: Query<TerrainPlace>| {
            terrains.single().map(|place| place.frame().to_terrain(drawn))
        })
        .expect("it runs")
        .expect("there is a terrain");
    assert!((place - viewer_place(&app, terrain)).length() < 1e-4);
}
