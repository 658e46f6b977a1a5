//! The plugin that shifts the world origin.

use super::*;
use bevy_perlin_terrain::stream::{OriginAnchor, OriginFixed, OriginShifted, WorldOrigin};
use std::time::Duration;
use testing::app::log::warnings_of;

fn shifting_app() -> App {
    let mut app = headless_app();
    app.add_plugins(OriginShiftPlugin { threshold: 2000.0 });
    app
}

/// The offsets of all shifts so far.
fn shifts(app: &App) -> Vec<Vec3> {
    let messages = app.world().resource::<Messages<OriginShifted>>();
    messages.get_cursor().read(messages).map(|shift| shift.offset).collect()
}

#[test]
fn a_shift_moves_everything_in_one_frame_and_builds_nothing() {
    let mut app = shifting_app();
    let terrain = add_terrain(&mut app, repeating_settings());
    let rotated = add_terrain(&mut app, repeating_settings());
    let transform = Transform::from_xyz(5.0, 300.0, -9.0).with_rotation(Quat::from_rotation_y(0.7));
    app.world_mut().entity_mut(rotated).insert((transform, TerrainOrigin::new(1e9, 77.0)));
    let viewer = app.world_mut().spawn(viewer_at(VIEWER)).id();
    let rock = app.world_mut().spawn(Transform::from_xyz(4.0, 5.0, 6.0)).id();
    // A child of the terrain that is not a chunk, but has the bounds of one.
    let bounds = ChunkBounds { min: DVec3::new(64.0, 0.0, 0.0), max: DVec3::new(128.0, 9.0, 64.0) };
    let fence = app.world_mut().spawn((Transform::from_xyz(7.0, 8.0, 9.0), bounds, ChildOf(terrain))).id();
    let moss = app.world_mut().spawn((Transform::from_xyz(1.0, 1.0, 1.0), ChildOf(rock))).id();
    let sky = app.world_mut().spawn((Transform::from_xyz(1.0, 2.0, 3.0), OriginFixed)).id();
    settle(&mut app, terrain);
    settle(&mut app, rotated);
    let [before, before_rotated] = [terrain, rotated].map(|terrain| drawn_chunks(&mut app, terrain));
    let drawn = |app: &App, chunks: &BTreeMap<ChunkCoord, Entity>| -> Vec<Vec3> {
        chunks.values().map(|&chunk| drawn_at(app, chunk) - drawn_at(app, viewer)).collect()
    };
    let [positions, rotated_positions] = [&before, &before_rotated].map(|chunks| drawn(&app, chunks));
    let points = [terrain, rotated].map(|terrain| state(&app, terrain).viewers().collect::<Vec<_>>());
    let done = stats(&app).chunks_built;
    assert_eq!(shifts(&app), []);

    // From now on, the plugin follows an entity far away.
    app.world_mut().spawn((OriginAnchor, Transform::from_xyz(5000.0, 9000.0, -3000.0)));
    app.update();
    let offset = Vec3::new(5120.0, 0.0, -3072.0);
    assert_eq!(shifts(&app), [offset]);
    assert_eq!(app.world().resource::<WorldOrigin>().0, offset.as_dvec3());
    let position = |entity| app.world().get::<Transform>(entity).expect("it has a position").translation;
    assert_eq!([position(viewer), position(rock)], [VIEWER - offset, Vec3::new(4.0, 5.0, 6.0) - offset]);
    assert_eq!([position(moss), position(sky)], [Vec3::ONE, Vec3::new(1.0, 2.0, 3.0)]);
    assert_eq!(position(fence), Vec3::new(7.0, 8.0, 9.0));
    assert_eq!(position(terrain), Vec3::ZERO);
    assert_eq!(drawn_at(&app, moss), Vec3::new(5.0, 6.0, 7.0) - offset);
    // The terrains are unchanged, and the viewer has not moved in their coordinates.
    assert!([terrain, rotated].iter().all(|&terrain| state(&app, terrain).is_settled()));
    assert_eq!(stats(&app).chunks_built, done);
    assert_eq!(drawn_chunks(&mut app, terrain), before);
    assert_eq!(drawn_chunks(&mut app, rotated), before_rotated);
    assert!(state(&app, terrain).viewers().eq(points[0].iter().copied()));
    let gap = viewer_position(&app, rotated).distance(DVec3::from_array(points[1][0].point.position));
    assert!(gap < 2e-3, "the viewer moved by {gap} m over the rotated terrain");
    assert_eq!(drawn(&app, &before), positions);
    assert_drawn_from(&mut app, terrain, offset.as_dvec3());
    for (now, then) in drawn(&app, &before_rotated).into_iter().zip(rotated_positions) {
        // Steps of `f32` at 6000 m.
        assert!(now.distance(then) < 2e-3, "{now} was {then}");
    }
    app.update();
    assert_eq!(app.world().resource::<WorldOrigin>().0, offset.as_dvec3(), "one shift is enough");
}

#[test]
fn a_shift_moves_hidden_and_despawning_chunks_too() {
    // Without threads, so that the chunks of a frame do not depend on the load of the machine.
    let mut app = app_without_threads();
    app.add_plugins(OriginShiftPlugin { threshold: 2000.0 });
    let terrain = add_terrain(&mut app, repeating_settings());
    let viewer = app.world_mut().spawn(viewer_at(Vec3::new(1990.0, 60.0, 0.0))).id();
    settle(&mut app, terrain);
    // Every read of the clock takes longer than a frame, so that chunks are despawned as slowly as possible.
    count_work(&mut app, Duration::from_millis(5));
    set_view_distance(&mut app, viewer, 200.0);
    pump_until(&mut app, "chunks wait to be despawned", |app| stats(app).chunks_despawning > 30);
    assert_eq!(shifts(&app), []);
    move_to(&mut app, viewer, 2010.0, 0.0);
    app.update();
    assert_eq!(shifts(&app), [Vec3::new(2048.0, 0.0, 0.0)]);
    assert!(stats(&app).chunks_despawning > 10, "{:?}", stats(&app));
    let mut chunks = app.world_mut().query::<(&TerrainChunk, &ChunkDrawn)>();
    let plan = state(&app, terrain).plan().expect("there is ground");
    let is_hidden =
        |(chunk, drawn): &(&TerrainChunk, &ChunkDrawn)| !drawn.is_drawn() && plan.wanted().shows(chunk.coord);
    let hidden = chunks.iter(app.world()).filter(is_hidden).count();
    assert!(hidden > 3, "only {hidden} wanted chunks are hidden");
    // This checks all chunks.
    assert_drawn_from(&mut app, terrain, DVec3::new(2048.0, 0.0, 0.0));
}

#[test]
fn a_long_flight_with_shifts_keeps_its_path_and_shows_no_hole() {
    let mut app = shifting_app();
    let terrain = add_terrain(&mut app, repeating_settings());
    let viewer = app.world_mut().spawn(viewer_at(VIEWER)).id();
    settle(&mut app, terrain);
    let (mut path, mut shifts) = (VIEWER.as_dvec3(), 0);
    let mut before = WorldOrigin::default();
    for frame in 0..400 {
        let step = Vec3::new(70.5, 0.0, -31.25) * if frame < 300 { 1.0 } else { -1.5 };
        app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation += step;
        path += step.as_dvec3();
        app.update();
        let position = app.world().get::<Transform>(viewer).expect("a viewer").translation;
        assert!(position.x.abs() <= 2000.0 && position.z.abs() <= 2000.0, "the viewer is at {position}");
        let origin = *app.world().resource::<WorldOrigin>();
        assert_eq!(origin.0 + position.as_dvec3(), path);
        assert_eq!(viewer_position(&app, terrain), path);
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
fn several_viewers_without_an_anchor_warn_once() {
    let _alone = alone();
    let warnings = |viewers: usize, anchors: usize| {
        let mut app = shifting_app();
        let entities: Vec<Entity> = (0..viewers).map(|_| app.world_mut().spawn(viewer_at(VIEWER)).id()).collect();
        for &entity in entities.iter().rev().take(anchors) {
            app.world_mut().entity_mut(entity).insert(OriginAnchor);
        }
        let mut warnings = warnings_of(&mut app, |app| {
            for step in 0..5_u8 {
                move_to(app, entities[0], 1500.0 * f32::from(step), 0.0);
                app.update();
            }
        });
        warnings.retain(|line| line.contains("`OriginAnchor`"));
        (warnings, entities.first().copied())
    };
    let (warned, first) = warnings(3, 0);
    let first = first.expect("there are viewers");
    assert_eq!(warned.len(), 1, "{warned:?}");
    assert!(warned[0].contains(&format!("follows {first}, one of several viewers")), "{warned:?}");
    for (viewers, anchors) in [(1, 0), (3, 1), (3, 3)] {
        assert_eq!(warnings(viewers, anchors).0, [""; 0], "{viewers} viewers, {anchors} anchors");
    }
}

#[test]
fn the_origin_does_not_shift_when_that_would_not_help() {
    let mut app = shifting_app();
    app.update();
    // No viewer, a viewer within the threshold, and an anchor that a shift does not move.
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
fn of_several_anchors_one_is_followed_for_as_long_as_it_lives() {
    for order in [[0, 1], [1, 0]] {
        let mut app = shifting_app();
        let anchors = [(); 2].map(|()| app.world_mut().spawn(Transform::default()).id());
        let [first, second] = order.map(|number| anchors[number]);
        app.world_mut().entity_mut(first).insert(OriginAnchor);
        app.update();
        app.world_mut().entity_mut(second).insert((OriginAnchor, Transform::from_xyz(9000.0, 0.0, 0.0)));
        app.update();
        assert_eq!(app.world().resource::<WorldOrigin>().0, DVec3::ZERO, "it follows the first one");
        app.world_mut().despawn(first);
        app.update();
        assert!(app.world().resource::<WorldOrigin>().0.x > 8000.0, "the other one is left");
    }
}
