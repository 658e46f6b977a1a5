//! Jumps cost other viewers nothing.

use super::*;
use bevy_perlin_terrain::chunk::ChunkSettings;

#[test]
fn a_jump_costs_another_viewer_no_detail() {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    let jumper = add_viewer(&mut app, 0.0, 0.0, 600.0);
    let steady = add_viewer(&mut app, -9000.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let before = planned(&app, terrain, steady);
    let chunks = drawn_near(&mut app, terrain, [-9000.0, 0.0], 500.0);
    assert!(chunks.len() > 20);
    // Far away, to the other viewer, and so near to it that both see a part of the same ground.
    for x in [50_000.0, -9000.0, 20_000.0, -8000.0, -8500.0, 9000.0] {
        move_to(&mut app, jumper, x, 0.0);
        let mut frames = 0;
        pump_until(&mut app, "settled", |app| {
            frames += 1;
            assert_tiled(app, terrain);
            assert_eq!(planned(app, terrain, steady), before, "the other viewer, {frames} frames after a jump to {x}");
            assert!(frames > 1 || view(app, terrain, jumper) > 0.0, "the viewer sees nothing after a jump to {x}");
            let now = drawn_near(app, terrain, [-9000.0, 0.0], 500.0);
            // Near the other viewer, the one that jumps may want more detail.
            assert!(x < -5000.0 || now == chunks, "{frames} frames after a jump to {x}");
            for coord in chunks.keys() {
                let tree = state(app, terrain).quadtree().expect("there is ground");
                assert!(tree.is_leaf(*coord) || tree.is_split(*coord), "{coord:?} is coarser after a jump to {x}");
            }
            state(app, terrain).is_settled()
        });
        assert_level_0_below(&app, terrain, jumper);
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn a_viewer_that_spawns_beside_another_costs_it_no_detail() {
    let mut app = with_chunks_per_frame(app_without_threads(), 4);
    // Everything in view has the finest level.
    let terrain = add_terrain(&mut app, small_settings());
    let first = add_viewer(&mut app, 0.0, 0.0, 400.0);
    settle(&mut app, terrain);
    let before = drawn_near(&mut app, terrain, [0.0; 2], 350.0);
    assert!(before.len() > 350 && before.keys().all(|chunk| chunk.level == 0));
    for x in [680.0, -600.0] {
        let viewer = add_viewer(&mut app, x, 70.0, 400.0);
        let mut frames = 0;
        pump_until(&mut app, "settled", |app| {
            assert_tiled(app, terrain);
            let now = drawn_near(app, terrain, [0.0; 2], 350.0);
            assert!(now == before, "a viewer at {x} changed the chunks near the first viewer");
            assert_eq!(view(app, terrain, first), 400.0);
            assert!(view(app, terrain, viewer) >= 0.0, "the viewer at {x} sees nothing in frame {frames}");
            frames += 1;
            state(app, terrain).is_settled()
        });
        assert!(frames > 20, "the terrain was settled after only {frames} frames");
        assert_seamless(&mut app, terrain);
        assert_level_0_below(&app, terrain, viewer);
        app.world_mut().despawn(viewer);
        settle(&mut app, terrain);
    }
}

#[test]
fn a_new_viewer_with_a_longer_view_costs_another_no_detail() {
    for x in [700.0, 20_000.0] {
        let (mut app, terrain, first) = settled(app_without_threads(), settings_with_levels(4.0), 200.0);
        let before = planned(&app, terrain, first).current;
        let long_view = add_viewer(&mut app, x, 0.0, 3000.0);
        // Two more beside it, with shorter views than the first.
        let short_views = [30.0, 60.0].map(|view| add_viewer(&mut app, x + 100.0, view, view));
        pump_until(&mut app, "settled", |app| {
            for viewer in short_views.into_iter().chain([long_view]) {
                assert_level_0_below(app, terrain, viewer);
            }
            assert_tiled(app, terrain);
            assert_level_0_below(app, terrain, first);
            // More coarse levels are measured for the long view. They do not change the first viewer's point.
            let now = planned(app, terrain, first).current;
            assert_eq!(now.point, before.point);
            assert!(now.ranges.covers(&before.ranges), "{now:?} after {before:?}");
            state(app, terrain).is_settled()
        });
        assert_seamless(&mut app, terrain);
    }
}

#[test]
fn a_jump_with_another_view_distance_shows_level_0_and_costs_others_no_detail() {
    for (view_distance, frames_between, others) in
        [(1200.0, 0, 0_u8), (1200.0, 3, 0), (200.0, 0, 0), (200.0, 1, 0), (1200.0, 0, 4)]
    {
        let (mut app, terrain, viewer) = settled_app();
        let others: Vec<Entity> =
            (1..=others).map(|other| add_viewer(&mut app, -10_000.0 * f32::from(other), 0.0, 300.0)).collect();
        settle(&mut app, terrain);
        app.world_mut().entity_mut(viewer).insert(TerrainViewer { view_distance });
        pump(&mut app, frames_between);
        let before: Vec<PlannedViewer> = others.iter().map(|&other| planned(&app, terrain, other)).collect();
        move_to(&mut app, viewer, 50_000.0, 20_000.0);
        app.update();
        assert!(stats(&app).chunks_built_now <= MAX_WITHOUT_THREADS);
        let now: Vec<PlannedViewer> = others.iter().map(|&other| planned(&app, terrain, other)).collect();
        assert_eq!(now, before);
        settle_after_jump(&mut app, terrain, viewer);
    }
}

/// Asserts that a position stays ready, and that another one becomes ready, while a viewer jumps in every frame.
fn assert_ready_beside_jumps(settings: TerrainSettings, jumps: u8) {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, settings);
    let steady = add_viewer(&mut app, 0.0, 0.0, 300.0);
    let jumping = add_viewer(&mut app, 500.0, 0.0, 300.0);
    settle(&mut app, terrain);
    let is_ready = |app: &mut App| {
        let ready = |state: TerrainStreamState| [0.0, -2000.0].map(|x| state.is_ready(Vec3::new(x, 0.0, 0.0), 250.0));
        app.world_mut().run_system_once(ready).expect("the query runs")
    };
    let before = planned(&app, terrain, steady);
    for jump in 0..jumps {
        move_to(&mut app, jumping, 5000.0 + 3000.0 * f32::from(jump), 0.0);
        app.update();
        assert_tiled(&mut app, terrain);
        assert_level_0_below(&app, terrain, jumping);
        assert_eq!(planned(&app, terrain, steady), before, "jump {jump}");
        assert!(is_ready(&mut app)[0], "jump {jump}");
        assert!(!state(&app, terrain).is_settled());
    }
    // A viewer that is spawned meanwhile is settled as well.
    let late = add_viewer(&mut app, -2000.0, 0.0, 300.0);
    let mut jump = 0.0;
    pump_until(&mut app, "the late viewer is settled", |app| {
        jump += 1.0;
        move_to(app, jumping, 5000.0 + 3000.0 * jump, 5000.0);
        assert!(jump < 300.0, "it is not settled after {jump} frames: {:?}", planned(app, terrain, late));
        planned(app, terrain, late).is_settled()
    });
    app.update();
    assert_eq!(is_ready(&mut app), [true; 2]);
}

#[test]
fn positions_are_ready_while_another_viewer_jumps_in_every_frame() {
    assert_ready_beside_jumps(settings_with_levels(4.0), 200);
}

/// A chunk of 64 quads has 150 kB. So the chunks that are built within the frame of a jump are more than the default upload budget.
#[test]
fn places_of_large_chunks_are_ready_while_another_viewer_jumps_in_every_frame() {
    let chunks = ChunkSettings { quads: 64, spacing: 1.0 };
    assert_ready_beside_jumps(TerrainSettings { chunks, ..settings_with_levels(4.0) }, 50);
}

#[test]
fn viewers_that_jump_apart_share_the_chunks_of_a_frame_and_all_have_ground() {
    let (mut app, terrain, steady) = settled_app();
    let jumping = [0.0, 50.0, 100.0].map(|x| add_viewer(&mut app, x, 0.0, 400.0));
    settle(&mut app, terrain);
    let before = planned(&app, terrain, steady);
    // Two of them jump to positions beside each other.
    for (viewer, x) in jumping.into_iter().zip([-60_000.0, 90_000.0, 91_000.0]) {
        move_to(&mut app, viewer, x, 30.0);
    }
    let mut frames = 0;
    pump_until(&mut app, "settled", |app| {
        frames += 1;
        if frames % 8 == 1 {
            assert_tiled(app, terrain);
        }
        assert!(stats(app).chunks_built_now <= MAX_WITHOUT_THREADS);
        for viewer in jumping {
            assert!(view(app, terrain, viewer) >= 0.0);
            assert_level_0_below(app, terrain, viewer);
        }
        assert_eq!(planned(app, terrain, steady), before);
        state(app, terrain).is_settled()
    });
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

/// Moves `viewers` viewers to other positions in one frame, and asserts that all get ground in time.
fn respawn(mut app: App, viewers: u8) {
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    let viewers: Vec<Entity> =
        (0..viewers).map(|number| add_viewer(&mut app, 300.0 * f32::from(number), 0.0, 60.0)).collect();
    settle(&mut app, terrain);
    for (number, &viewer) in (0_u8..).zip(&viewers) {
        move_to(&mut app, viewer, 0.0, 20_000.0 + 1000.0 * f32::from(number));
    }
    let mut frames = 0;
    pump_until(&mut app, "all have ground", |app| {
        frames += 1;
        assert!(stats(app).chunks_built_now <= TerrainBudget::MAX_BUILT_NOW);
        assert_tiled(app, terrain);
        assert!(frames > 1 || stats(app).chunks_built_now >= 24, "{:?}", stats(app));
        viewers.iter().all(|&viewer| {
            let [x, z] = position_of(app, viewer);
            let layout = *state(app, terrain).layout().expect("there is ground");
            state(app, terrain).chunk(layout.chunk_at(0, x, z)).is_some()
        })
    });
    assert!(frames < 60, "{frames} frames until all have ground");
    viewers.iter().for_each(|&viewer| assert_level_0_below(&app, terrain, viewer));
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_hundred_viewers_that_respawn_in_one_frame_all_get_ground() {
    respawn(headless_app(), 100);
}

#[test]
fn without_threads_a_hundred_viewers_that_respawn_in_one_frame_all_get_ground() {
    respawn(app_without_threads(), 100);
}
