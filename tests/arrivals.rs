//! Viewers that are put somewhere else: one patch of ground at once, and chunks in time.

mod common;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::ChunkCoord;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{StreamSettings, TerrainOrigin, TerrainStandIn};
use common::*;
use std::collections::BTreeMap;

/// Settings with levels of detail, and one chunk a frame.
fn one_chunk_a_frame() -> TerrainSettings {
    settings_with(StreamSettings { chunks_per_frame: 1, ..small_settings().stream })
}

/// A settled terrain that builds one chunk a frame, and a viewer at the origin that sees 600 m far.
fn settled_app() -> (App, Entity, Entity) {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, one_chunk_a_frame());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    assert!(state(&app, terrain).stand_ins().next().is_none());
    (app, terrain, viewer)
}

/// Runs frames until nothing stands in for chunks, and returns how many those were and the most chunks built in one.
#[track_caller]
fn arrive(app: &mut App, terrain: Entity) -> (usize, u64) {
    let (mut frames, mut most, mut before) = (0, 0, stats(app).tasks_done);
    pump_until(app, "the roots are there", |app| {
        most = most.max(stats(app).tasks_done - std::mem::replace(&mut before, stats(app).tasks_done));
        assert_seamless(app, terrain);
        frames += 1;
        state(app, terrain).stand_ins().next().is_none()
    });
    (frames, most)
}

#[test]
fn a_jump_shows_one_patch_at_once_and_all_chunks_in_time() {
    let (mut app, terrain, viewer) = settled_app();
    // It jumps along, and sees a few of the roots.
    let beside = add_viewer(&mut app, 0.0, 0.0, 60.0);
    settle(&mut app, terrain);
    let roots = state(&app, terrain).cover().roots().len();
    assert!(roots > 10, "{roots} roots would be few enough");
    for viewer in [viewer, beside] {
        move_to(&mut app, viewer, 50_000.0, 20_000.0);
    }
    app.update();
    assert!(state(&app, terrain).stand_ins().next().is_some() && state(&app, terrain).cover().leaves().is_empty());
    assert_seamless(&mut app, terrain);
    let (frames, most) = arrive(&mut app, terrain);
    assert_eq!(most, 1, "chunks in a frame");
    assert!((10..=roots + 10).contains(&frames), "the roots, one a frame, came after {frames} frames");
    settle(&mut app, terrain);
    assert_seamless(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn the_patch_is_the_ground() {
    let (mut app, terrain, viewer) = settled_app();
    move_to(&mut app, viewer, -70_007.0, 3.0);
    app.update();
    let stand_in = state(&app, terrain).stand_ins().next().expect("something stands in for chunks");
    let field = state(&app, terrain).field().expect("there is ground").clone();
    let bounds = *app.world().get::<ChunkBounds>(stand_in).expect("it has bounds");
    let surface = &app.world().get::<ChunkSurface>(stand_in).expect("it has a surface").0;
    assert_eq!(surface.coarse_error, 0.0, "it does not move");
    let place = app.world().get::<Transform>(stand_in).expect("it has a place").translation.as_dvec3();
    let mut heights = [f32::INFINITY, f32::NEG_INFINITY];
    for &position in &surface.positions {
        let at = place + Vec3::from_array(position).as_dvec3();
        let (ground, distance) = (field.height(at.x, at.z), at.with_y(0.0).distance(DVec3::new(-70_007.0, 0.0, 3.0)));
        // The viewer is to stand on it, so it may be lower around it.
        let is_near = distance < 4.0 * f64::from(surface.positions[1][0]);
        assert!(
            position[1] == ground || is_near && position[1] < ground,
            "{} m at {at}, and not {ground}",
            position[1]
        );
        heights = [heights[0].min(position[1]), heights[1].max(position[1])];
    }
    assert_eq!(place, bounds.min.with_y(0.0));
    assert_eq!([bounds.min.y, bounds.max.y], heights.map(f64::from));
    let last = surface.positions.last().expect("there are vertices");
    assert_eq!(place + DVec3::new(last[0].into(), 0.0, last[2].into()), bounds.max.with_y(0.0));
}

#[test]
fn a_jump_of_one_viewer_costs_another_no_detail() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, settings_with(small_settings().stream));
    let jumper = add_viewer(&mut app, 0.0, 0.0, 600.0);
    add_viewer(&mut app, -9000.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let near_the_other = |app: &mut App| -> Vec<_> {
        let layout = *state(app, terrain).layout().expect("there is ground");
        let near = |chunk: &ChunkCoord| layout.distance(*chunk, [-9000.0, 0.0]) < 500.0;
        shown(app, terrain).into_iter().filter(|(chunk, _)| near(chunk)).collect()
    };
    let before = near_the_other(&mut app);
    assert!(before.len() > 20);
    // Far away, where the other is, and so near to it that both see a part of the same ground.
    for (x, has_stand_in) in [(50_000.0, true), (-9000.0, false), (20_000.0, true), (-8000.0, true)] {
        let built = stats(&app).tasks_done;
        move_to(&mut app, jumper, x, 0.0);
        app.update();
        assert_tiled(&mut app, terrain);
        assert_sees_everything(&mut app, terrain, jumper);
        assert_eq!(state(&app, terrain).stand_ins().next().is_some(), has_stand_in, "after a jump to {x}");
        assert_eq!(stats(&app).tasks_done, built, "chunks that were built in the frame of a jump to {x}");
        let now = near_the_other(&mut app);
        assert!(before.iter().filter(|chunk| now.contains(chunk)).count() > before.len() * 9 / 10);
        pump_until(&mut app, "settled", |app| {
            let now = near_the_other(app);
            let kept = before.iter().filter(|chunk| now.contains(chunk)).count();
            // Who comes near may want more detail than there was, and so may all when rougher ground was seen elsewhere.
            let all = before.len();
            assert!(kept > all * 9 / 10 || x == -8000.0, "{kept} chunks stayed of {all} near the other");
            assert_tiled(app, terrain);
            state(app, terrain).is_settled()
        });
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn who_comes_beside_another_costs_it_no_detail() {
    let mut app = app_without_threads();
    // All that is seen is of the finest level: every coarser one would reach further than anybody sees.
    let mut settings = small_settings();
    settings.stream.chunks_per_frame = 4;
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    settle(&mut app, terrain);
    let near = |app: &mut App| -> BTreeMap<ChunkCoord, Entity> {
        let layout = *state(app, terrain).layout().expect("there is ground");
        let shown = shown(app, terrain).into_iter();
        shown.filter(|&(chunk, _)| layout.distance(chunk, [0.0; 2]) < 350.0).collect()
    };
    let before = near(&mut app);
    assert!(before.len() > 350 && before.keys().all(|chunk| chunk.level == 0));
    for x in [680.0, -600.0] {
        let viewer = add_viewer(&mut app, x, 70.0, 400.0);
        let (mut frames, mut waits) = (0, 0);
        pump_until(&mut app, "settled", |app| {
            assert_tiled(app, terrain);
            if frames % 10 == 0 {
                assert_seamless(app, terrain);
            }
            assert_sees_everything(app, terrain, viewer);
            assert!(near(app) == before, "somebody came to {x}, and other chunks are shown near another viewer");
            frames += 1;
            waits += usize::from(state(app, terrain).stand_ins().next().is_some());
            state(app, terrain).is_settled()
        });
        // Who comes waits for what the other wants of the new ground, and for no more.
        assert!(waits > 5 && waits < frames / 5, "waits for {waits} of {frames} frames");
        app.world_mut().despawn(viewer);
        settle(&mut app, terrain);
    }
}

#[test]
fn who_goes_a_little_further_or_comes_to_see_further_keeps_what_is_shown() {
    let (mut app, terrain, viewer) = settled_app();
    let finest = |app: &App| state(app, terrain).cover().leaves().iter().filter(|leaf| leaf.level == 0).count();
    assert!(finest(&app) > 20);
    for step in 1..=10_u8 {
        move_to(&mut app, viewer, 90.0 * f32::from(step), 0.0);
        app.update();
        assert!(state(&app, terrain).stand_ins().next().is_none() && !state(&app, terrain).viewers().is_empty());
        assert_seamless(&mut app, terrain);
    }
    settle(&mut app, terrain);
    let before = finest(&app);
    for view_distance in [900.0, 2500.0] {
        app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer").view_distance = view_distance;
        app.update();
        assert!(state(&app, terrain).stand_ins().next().is_none() && finest(&app) >= before);
        assert_seamless(&mut app, terrain);
    }
}

#[test]
fn a_patch_puts_off_tasks_and_what_is_left_behind_by_no_more_than_a_frame() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, settings_with(small_settings().stream));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let before = shown(&mut app, terrain);
    for jump in 1..=6_u8 {
        move_to(&mut app, viewer, 20_000.0 * f32::from(jump), 0.0);
        app.update();
        assert_eq!(state(&app, terrain).stand_ins().count(), 1);
        let begun = stats(&app).tasks_in_flight;
        assert_eq!(begun == 0, jump % 2 == 1, "{begun} tasks in the frame of jump {jump}");
        let left = shown(&mut app, terrain).iter().filter(|chunk| before.get(chunk.0) == Some(chunk.1)).count();
        let expected = if jump == 1 { before.len() - 16 } else { 0 };
        assert_eq!(left, expected, "of {} chunks, in the frame of jump {jump}", before.len());
    }
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_patch_that_is_taken_away_or_left_behind_is_replaced() {
    let (mut app, terrain, viewer) = settled_app();
    move_to(&mut app, viewer, 30_000.0, 0.0);
    app.update();
    let first = state(&app, terrain).stand_ins().next().expect("something stands in for chunks");
    app.update();
    assert_eq!(state(&app, terrain).stand_ins().next(), Some(first), "it stays while it is enough");
    // A game despawns it.
    app.world_mut().despawn(first);
    app.update();
    let second = state(&app, terrain).stand_ins().next().expect("something stands in for chunks");
    assert_ne!(first, second);
    assert_seamless(&mut app, terrain);
    // The viewer goes on.
    move_to(&mut app, viewer, 30_100.0, 0.0);
    app.update();
    let third = state(&app, terrain).stand_ins().next().expect("something stands in for chunks");
    assert!(app.world().get_entity(second).is_err() && second != third);
    assert_seamless(&mut app, terrain);
    // The terrain stands elsewhere, and the patch where it belongs.
    app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(30_000.0, 0.0));
    move_to(&mut app, viewer, 100.0, 0.0);
    app.update();
    let bounds = *app.world().get::<ChunkBounds>(third).expect("it is the same");
    let place = app.world().get::<Transform>(third).expect("it has a place").translation;
    assert_eq!(place.as_dvec3() + DVec3::new(30_000.0, 0.0, 0.0), bounds.min.with_y(0.0));
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_patch_goes_with_its_terrain_its_viewers_and_its_heights() {
    let stand_ins = |app: &mut App| app.world_mut().query::<&TerrainStandIn>().iter(app.world()).count();
    let arriving_app = || {
        let (mut app, terrain, viewer) = settled_app();
        move_to(&mut app, viewer, 30_000.0, 0.0);
        pump(&mut app, 3);
        assert_eq!(stand_ins(&mut app), 1);
        (app, terrain, viewer)
    };
    let (mut app, terrain, _) = arriving_app();
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    assert_eq!((stand_ins(&mut app), chunk_entities(&mut app)), (0, 0));

    let (mut app, terrain, viewer) = arriving_app();
    app.world_mut().despawn(viewer);
    settle(&mut app, terrain);
    assert_eq!((stand_ins(&mut app), chunk_entities(&mut app)), (0, 0));

    let (mut app, terrain, _) = arriving_app();
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    pump_until(&mut app, "settled", |app| {
        assert_seamless(app, terrain);
        state(app, terrain).is_settled()
    });
    assert_eq!(stand_ins(&mut app), 0);
    assert_nothing_left(&mut app);
}

#[test]
fn what_is_left_behind_goes_bit_by_bit_and_at_once_where_other_ground_comes() {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, settings_with(StreamSettings { time_budget: 0.05, ..small_settings().stream }));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let before = shown(&mut app, terrain);
    let left =
        |app: &mut App| shown(app, terrain).into_iter().filter(|chunk| before.get(&chunk.0) == Some(&chunk.1)).count();
    move_to(&mut app, viewer, 9000.0, 0.0);
    let (mut frames, mut most) = (0, before.len());
    pump_until(&mut app, "all is gone", |app| {
        assert_seamless(app, terrain);
        assert!(left(app) <= most, "chunks come back");
        most = left(app);
        frames += usize::from(most > 0);
        most == 0
    });
    assert!(frames > 3, "{} chunks went in {frames} frames", before.len());
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);

    // Some are still there when the viewer is back, and give way at once to what is shown then.
    move_to(&mut app, viewer, 0.0, 0.0);
    settle(&mut app, terrain);
    for (step, x) in [5000.0, 300.0, -4000.0, -500.0].into_iter().enumerate() {
        let before = shown(&mut app, terrain).len();
        move_to(&mut app, viewer, x, 0.0);
        app.update();
        assert_seamless(&mut app, terrain);
        assert!(step > 0 || shown(&mut app, terrain).len() > before / 2, "all went at once");
        pump(&mut app, 1);
        assert_seamless(&mut app, terrain);
    }
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

/// Asserts that a viewer sees ground as far as it asks for, in the frame that was just run.
#[track_caller]
fn assert_sees_everything(app: &mut App, terrain: Entity, viewer: Entity) {
    let place = app.world().get::<Transform>(viewer).expect("a place").translation.as_dvec3();
    let view = f64::from(app.world().get::<TerrainViewer>(viewer).expect("a viewer").view_distance) * 0.999;
    let mut chunks = app.world_mut().query::<(&ChunkBounds, &TerrainChunk, &ChunkShown)>();
    let here = chunks.iter(app.world()).filter(|(_, chunk, shown)| chunk.terrain == terrain && shown.is_shown());
    let bounds: Vec<ChunkBounds> = here.map(|(&bounds, ..)| bounds).collect();
    let stand_ins = stand_ins(app, terrain);
    for step in 0..64_u8 {
        let (distance, angle) = (view * f64::from(step % 4 + 1) / 4.0, f64::from(step));
        let (x, z) = (place.x + distance * angle.cos(), place.z + distance * angle.sin());
        let chunks = bounds.iter().filter(|bounds| bounds.contains(x, z)).count();
        let grounds = chunks + stand_ins.iter().filter(|stand_in| stand_in.has(x, z)).count();
        assert_eq!(grounds, 1, "grounds at {x}, {z}");
    }
}

#[test]
fn who_comes_and_sees_further_than_others_sees_all_at_once() {
    for x in [700.0, 20_000.0] {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, settings_with(small_settings().stream));
        add_viewer(&mut app, 0.0, 0.0, 200.0);
        settle(&mut app, terrain);
        let detail = |app: &App| {
            let state = state(app, terrain);
            let layout = state.layout().expect("there is ground");
            (0..=state.cover().top()).find(|&level| state.cover().is_leaf(layout.chunk_at(level, 1.0, 1.0)))
        };
        let before = detail(&app);
        let far_sighted = add_viewer(&mut app, x, 0.0, 3000.0);
        // Beside it, some that see less far than any.
        let near_sighted = [30.0, 60.0].map(|view| add_viewer(&mut app, x + 100.0, view, view));
        pump_until(&mut app, "settled", |app| {
            for viewer in near_sighted.into_iter().chain([far_sighted]) {
                assert_sees_everything(app, terrain, viewer);
            }
            assert_tiled(app, terrain);
            // Who comes beside another has to have roots at once.
            assert!(x < 1000.0 || detail(app) <= before, "{:?} where {before:?} was", detail(app));
            state(app, terrain).is_settled()
        });
        assert_eq!(detail(&app), before);
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn who_moves_far_and_sees_further_at_once_keeps_what_is_shown() {
    let (mut app, terrain, viewer) = settled_app();
    let before = shown(&mut app, terrain).len();
    app.world_mut().entity_mut(viewer).insert(TerrainViewer { view_distance: 4000.0 });
    // Further than half a root, and not so high that much of the detail could not be seen.
    *app.world_mut().get_mut::<Transform>(viewer).expect("a place") = Transform::from_xyz(300.0, 60.0, 0.0);
    app.update();
    assert!(state(&app, terrain).stand_ins().next().is_none() && shown(&mut app, terrain).len() > before / 4);
    assert_tiled(&mut app, terrain);
}

#[test]
fn who_jumps_as_its_view_changes_sees_a_patch_and_costs_no_chunk_at_once() {
    for (view_distance, frames_between, others) in
        [(1500.0, 0, 0_u8), (1500.0, 3, 0), (200.0, 0, 0), (200.0, 1, 0), (1500.0, 0, 4)]
    {
        let (mut app, terrain, viewer) = settled_app();
        for other in 1..=others {
            add_viewer(&mut app, -10_000.0 * f32::from(other), 0.0, 300.0);
        }
        settle(&mut app, terrain);
        app.world_mut().entity_mut(viewer).insert(TerrainViewer { view_distance });
        pump(&mut app, frames_between);
        let built = stats(&app).tasks_done;
        let before = shown(&mut app, terrain);
        move_to(&mut app, viewer, 50_000.0, 20_000.0);
        app.update();
        assert!(state(&app, terrain).stand_ins().next().is_some());
        let layout = *state(&app, terrain).layout().expect("there is ground");
        let of_others = |chunk: &ChunkCoord| layout.origin(*chunk)[0] < -9000.0;
        let now = shown(&mut app, terrain);
        assert!(
            before.keys().filter(|chunk| of_others(chunk)).all(|chunk| now.contains_key(chunk)),
            "others lose ground"
        );
        assert!(stats(&app).tasks_done <= built + 1, "{} chunks in one frame", stats(&app).tasks_done - built);
        assert_tiled(&mut app, terrain);
        let (_, most) = arrive(&mut app, terrain);
        assert_eq!(most, 1, "chunks in a frame");
        settle(&mut app, terrain);
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn when_nobody_looks_any_more_the_ground_goes_bit_by_bit() {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, settings_with(StreamSettings { time_budget: 0.05, ..small_settings().stream }));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let before = shown(&mut app, terrain).len();
    assert!(before > 100, "{before} chunks");
    app.world_mut().despawn(viewer);
    app.update();
    let after = shown(&mut app, terrain);
    assert!((before / 2..before).contains(&after.len()), "{} of {before} chunks are drawn after a frame", after.len());
    assert!(after.keys().any(|chunk| chunk.level > 0), "all but the finest went at once");
    settle(&mut app, terrain);
    assert!(shown(&mut app, terrain).is_empty());
    pump_until(&mut app, "all are gone", |app| chunk_entities(app) == 0);
}

#[test]
fn a_longer_view_is_shown_before_all_of_its_detail_is_there() {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, one_chunk_a_frame());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 300.0);
    settle(&mut app, terrain);
    app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer").view_distance = 1200.0;
    let (mut until_seen, mut frames) = (None, 0);
    pump_until(&mut app, "settled", |app| {
        frames += 1;
        if state(app, terrain).viewers()[0].point.view_distance > 1000.0 {
            until_seen.get_or_insert(frames);
            if frames % 20 == 0 {
                assert_sees_everything(app, terrain, viewer);
            }
        }
        state(app, terrain).is_settled()
    });
    assert!(until_seen.is_some_and(|until| 5 * until < 4 * frames), "{until_seen:?} of {frames} frames");
}

#[test]
fn who_jumps_again_and_again_keeps_nobody_else_waiting() {
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, settings_with(small_settings().stream));
    let steady = add_viewer(&mut app, 0.0, 0.0, 300.0);
    let restless = add_viewer(&mut app, 500.0, 0.0, 300.0);
    let mut waited = 0;
    for jump in 0..200_u8 {
        move_to(&mut app, restless, 5000.0 + 3000.0 * f32::from(jump), 0.0);
        app.update();
        assert_tiled(&mut app, terrain);
        assert_sees_everything(&mut app, terrain, restless);
        waited += usize::from(state(&app, terrain).viewers().is_empty());
    }
    assert!(waited < 100, "the viewer that stays saw a patch for {waited} frames");
    app.world_mut().despawn(restless);
    settle(&mut app, terrain);
    assert_sees_everything(&mut app, terrain, steady);
}

#[test]
fn chunks_come_to_where_a_viewer_is_put_also_during_a_reload() {
    let (mut app, terrain, viewer) = settled_app();
    let wanted = state(&app, terrain).chunks_wanted();
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    pump(&mut app, 5);
    move_to(&mut app, viewer, 30_000.0, 0.0);
    app.update();
    assert!(state(&app, terrain).stand_ins().next().is_some() && state(&app, terrain).is_reloading());
    let (frames, _) = arrive(&mut app, terrain);
    assert!(frames < wanted / 5, "{frames} frames, as long as all of the reload");
    settle(&mut app, terrain);
    assert_seamless(&mut app, terrain);
}

#[test]
fn who_is_put_where_some_of_the_ground_is_in_view_keeps_it() {
    let (mut app, terrain, viewer) = settled_app();
    for x in [800.0, 1650.0, 2700.0] {
        let (before, place) = (shown(&mut app, terrain), state(&app, terrain).viewers()[0].place());
        let built = stats(&app).tasks_done;
        move_to(&mut app, viewer, x, 30.0);
        app.update();
        let stand_in = state(&app, terrain).stand_ins().next().expect("something stands in for the rest");
        assert_seamless(&mut app, terrain);
        assert_eq!(shown(&mut app, terrain), before, "all that was shown still is, after a jump to {x}");
        assert!(stats(&app).tasks_done <= built + 1, "more than one chunk in the frame of a jump to {x}");
        assert_eq!(state(&app, terrain).viewers()[0].place(), place, "detail is where the viewer was");
        // A wall closes every step from what stands in for chunks to chunks.
        let surface = &app.world().get::<ChunkSurface>(stand_in).expect("it has a surface").0;
        assert!(surface.positions.len() > (surface.side * surface.side) as usize);
        let (frames, most) = arrive(&mut app, terrain);
        assert!(frames > 2 && most == 1, "{most} chunks in one of {frames} frames");
        assert_eq!(state(&app, terrain).viewers()[0].place(), [f64::from(x), 30.0]);
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
    // A step, for which no more than a few roots are missing, is no jump.
    move_to(&mut app, viewer, 2800.0, 30.0);
    app.update();
    assert!(state(&app, terrain).stand_ins().next().is_none());
    assert_sees_everything(&mut app, terrain, viewer);
}

#[test]
fn who_flies_faster_than_chunks_are_built_sees_ground_all_the_way() {
    let (mut app, terrain, viewer) = settled_app();
    let (mut most, mut with_stand_in) = (0, 0);
    for frame in 1..200_u8 {
        let built = stats(&app).tasks_done;
        move_to(&mut app, viewer, 300.0 * f32::from(frame), 130.0 * f32::from(frame));
        app.update();
        assert_seamless(&mut app, terrain);
        assert_sees_everything(&mut app, terrain, viewer);
        most = most.max(stats(&app).tasks_done - built);
        with_stand_in += usize::from(state(&app, terrain).stand_ins().next().is_some());
    }
    // One that was waited for, and two that are built rather than a patch.
    assert!(most <= 3, "{most} chunks in a frame");
    assert!((20..199).contains(&with_stand_in), "something stood in for chunks in {with_stand_in} frames");
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn who_comes_back_at_once_finds_all_as_it_was() {
    let (mut app, terrain, viewer) = settled_app();
    let before = shown(&mut app, terrain);
    for frames in [1, 3] {
        move_to(&mut app, viewer, 800.0, 30.0);
        pump(&mut app, frames);
        assert!(state(&app, terrain).stand_ins().next().is_some());
        move_to(&mut app, viewer, 0.0, 0.0);
        app.update();
        assert_eq!(shown(&mut app, terrain), before, "after {frames} frames");
        assert!(state(&app, terrain).stand_ins().next().is_none());
        pump_until(&mut app, "settled", |app| {
            assert_eq!(shown(app, terrain), before, "after {frames} frames");
            state(app, terrain).is_settled()
        });
        assert_nothing_left(&mut app);
    }
}

#[test]
fn chunks_that_a_game_takes_away_come_again_bit_by_bit() {
    let (mut app, terrain, viewer) = settled_app();
    for x in [0.001, 1.0] {
        // Those that are split too.
        let mut chunks = app.world_mut().query_filtered::<Entity, With<TerrainChunk>>();
        for chunk in chunks.iter(app.world()).collect::<Vec<_>>() {
            app.world_mut().despawn(chunk);
        }
        let built = stats(&app).tasks_done;
        move_to(&mut app, viewer, x, 0.0);
        app.update();
        assert!(stats(&app).tasks_done <= built + 3, "{} chunks at once", stats(&app).tasks_done - built);
        assert_seamless(&mut app, terrain);
        assert_sees_everything(&mut app, terrain, viewer);
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn who_jumps_within_view_while_another_jumps_far_away_costs_no_chunk_at_once() {
    let (mut app, terrain, viewer) = settled_app();
    let other = add_viewer(&mut app, 100.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let built = stats(&app).tasks_done;
    move_to(&mut app, viewer, 800.0, 30.0);
    move_to(&mut app, other, 90_000.0, 0.0);
    app.update();
    assert!(stats(&app).tasks_done <= built + 1 && state(&app, terrain).stand_ins().next().is_some());
    for viewer in [viewer, other] {
        assert_sees_everything(&mut app, terrain, viewer);
    }
    arrive(&mut app, terrain);
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn viewers_that_jump_apart_with_others_between_them_see_a_patch_each_and_cost_no_chunk_at_once() {
    let (mut app, terrain, steady) = settled_app();
    let jumping = [0.0, 50.0, 100.0].map(|x| add_viewer(&mut app, x, 0.0, 600.0));
    settle(&mut app, terrain);
    let before = shown(&mut app, terrain);
    let built = stats(&app).tasks_done;
    // Two of them beside each other.
    for (viewer, x) in jumping.into_iter().zip([-60_000.0, 90_000.0, 91_000.0]) {
        move_to(&mut app, viewer, x, 30.0);
    }
    app.update();
    assert_eq!(stand_ins(&mut app, terrain).len(), 2);
    assert!(stats(&app).tasks_done <= built + 1, "{} chunks at once", stats(&app).tasks_done - built);
    let here: Vec<Entity> = state(&app, terrain).stand_ins().collect();
    for &stand_in in &here {
        let size = app.world().get::<ChunkBounds>(stand_in).expect("it has bounds").size().x;
        assert!(size < 2.0 * (2.0 * 600.0 + 1000.0), "a patch of {size} m, for a party that sees 2200 m at most");
    }
    app.update();
    assert_eq!(state(&app, terrain).stand_ins().collect::<Vec<_>>(), here, "they stay while they are enough");
    // A game despawns one: that alone is built again.
    app.world_mut().despawn(here[0]);
    app.update();
    let now: Vec<Entity> = state(&app, terrain).stand_ins().collect();
    assert!(now.len() == 2 && now.contains(&here[1]) && !now.contains(&here[0]));
    pump_until(&mut app, "the roots are there", |app| {
        for viewer in jumping.into_iter().chain([steady]) {
            assert_sees_everything(app, terrain, viewer);
        }
        assert_seamless(app, terrain);
        state(app, terrain).stand_ins().next().is_none()
    });
    assert!(before.keys().filter(|chunk| state(&app, terrain).chunk(**chunk).is_some()).count() > before.len() / 2);
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}
