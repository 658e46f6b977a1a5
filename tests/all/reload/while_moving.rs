//! Viewers that move or jump during a reload.

use super::*;
use bevy_perlin_terrain::chunk::ChunkSettings;

#[test]
fn a_viewer_that_moves_during_a_reload_never_sees_two_grounds() {
    let old = small_settings();
    let mut new = old.clone();
    new.field.seed = 77;
    let (mut app, terrain) = settled_app(old.clone());
    set_budget(&mut app, |budget| budget.chunks_per_frame = 2);
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    let both = [old, new];
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    for frame in 0..30_u8 {
        move_to(&mut app, viewer, f32::from(frame) * 9.0, 0.0);
        app.update();
        assert_one_ground_without_holes(&mut app, &both, 0.0);
        assert_seamless(&mut app, terrain);
    }
    settle(&mut app, terrain);
    assert_eq!(assert_one_ground_without_holes(&mut app, &both, 0.0), 1);
}

#[test]
fn a_teleport_during_a_reload_ends_with_the_new_ground() {
    let (mut app, terrain) = settled_app(small_settings());
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    app.update();
    move_to(&mut app, viewer, 9000.0, 9000.0);
    settle(&mut app, terrain);
    let mut new = small_settings();
    new.field.seed = 77;
    assert_one_ground_without_holes(&mut app, &[new], 0.0);
    assert_nothing_left(&mut app);
}

#[test]
fn the_old_ground_follows_a_viewer_that_moves_during_a_reload() {
    let (mut app, terrain) = settled_app(small_settings());
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    begin_endless_reload(&mut app, terrain);
    for step in 1..=10_u8 {
        let x = f32::from(step) * 40.0;
        move_to(&mut app, viewer, x, 0.0);
        let here = state(&app, terrain).layout().expect("there is ground").chunk_at(0, f64::from(x), 0.0);
        pump_until(&mut app, "there is ground below the viewer", |app| drawn_chunks(app, terrain).contains_key(&here));
        assert!(state(&app, terrain).is_reloading());
        assert_one_ground_without_holes(&mut app, &[small_settings()], 0.0);
    }
}

#[test]
fn a_reload_ends_while_a_viewer_jumps_every_three_frames() {
    let settings = settings_with_levels(4.0);
    let (mut app, terrain, viewer) = settled(headless_app(), settings.clone(), 600.0);
    let mut grounds = vec![settings];
    for seed in [77, 78, 79] {
        edit(&mut app, terrain, |settings| settings.field.seed = seed);
        grounds.push(grounds[0].clone());
        grounds.last_mut().expect("there is one").field.seed = seed;
        let mut frame = 0_u16;
        pump_until(&mut app, "the new ground is shown to a viewer that jumps", |app| {
            assert_one_ground_without_holes(app, &grounds, 0.0);
            assert_seamless(app, terrain);
            let here = state(app, terrain).viewers().next().expect("a viewer");
            assert!(here.point.view_distance >= 32.0, "there is no ground around the viewer: {here:?}");
            frame += 1;
            if frame.is_multiple_of(3) {
                move_to(app, viewer, f32::from(frame) * 500.0, 0.0);
            }
            !state(app, terrain).is_reloading()
        });
        assert!(frame > 1, "the reload ended in its first frame");
        assert_eq!(assert_one_ground_without_holes(&mut app, &grounds, 0.0), grounds.len() - 1);
    }
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_reload_of_another_grid_ends_while_a_viewer_jumps_every_three_frames() {
    let settings = settings_with_levels(4.0);
    for (quads, spacing) in [(8, 2.0), (8, 8.0), (16, 4.0), (32, 4.0), (16, 3.0)] {
        // Without threads, so that the number of frames does not depend on the load of the machine.
        let (mut app, terrain, viewer) = settled(app_without_threads(), settings.clone(), 600.0);
        edit(&mut app, terrain, |settings| settings.chunks = ChunkSettings { quads, spacing });
        let mut frame = 0_u16;
        pump_until(&mut app, "the new ground is shown to a viewer that jumps", |app| {
            frame += 1;
            if frame.is_multiple_of(3) {
                move_to(app, viewer, f32::from(frame) * 500.0, 0.0);
            }
            let layout = state(app, terrain).layout().expect("there is ground");
            (layout.quads(), layout.spacing(0)) == (quads, spacing)
        });
        assert!(frame > 1, "the reload ended in its first frame");
        assert!(frame < 300, "{quads} quads of {spacing} m: the reload took {frame} frames");
        settle(&mut app, terrain);
    }
}

/// A chunk of 64 quads has 19 kB. So the chunks that are built within the frame of a jump are more than the upload budget.
#[test]
fn a_reload_of_large_chunks_ends_while_another_viewer_jumps() {
    for frames_between in [1, 3] {
        let mut app = app_without_threads();
        set_budget(&mut app, |budget| budget.upload_budget = 0.5);
        let chunks = ChunkSettings { quads: 64, spacing: 1.0 };
        let terrain = add_terrain(&mut app, TerrainSettings { chunks, ..settings_with_levels(4.0) });
        add_viewer(&mut app, 0.0, 0.0, 300.0);
        let jumping = add_viewer(&mut app, 1000.0, 0.0, 300.0);
        settle(&mut app, terrain);
        edit(&mut app, terrain, |settings| settings.field.seed = 77);
        let (mut frame, mut max_uploaded) = (0_u16, 0);
        pump_until(&mut app, "the new ground is drawn", |app| {
            frame += 1;
            assert!(frame < 300, "a jump every {frames_between} frames: the reload takes more than {frame} frames");
            assert_tiled(app, terrain);
            max_uploaded = max_uploaded.max(stats(app).bytes_uploaded);
            if frame.is_multiple_of(frames_between) {
                move_to(app, jumping, 1000.0 + f32::from(frame) * 3000.0, 0.0);
            }
            !state(app, terrain).is_reloading()
        });
        assert!(max_uploaded > 500_000, "only {max_uploaded} bytes were uploaded in a frame");
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}
