//! Viewers and bodies that jump: they have level 0 below them in the same frame, the rest follows within the budgets, and other
//! viewers lose nothing.

mod other_viewers;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::plan::PlannedViewer;
use bevy_perlin_terrain::chunk::{ChunkCoord, StreamSettings, quad_height};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::ViewerLens;
use std::collections::BTreeMap;
use std::time::Duration;
use testing::app::*;

/// A settled terrain without threads, and a viewer at the origin with a view distance of 600 m. A frame builds at most four chunks,
/// besides those that it must build at once.
fn settled_app() -> (App, Entity, Entity) {
    settled(with_chunks_per_frame(app_without_threads(), 4), settings_with_levels(4.0), 600.0)
}

/// The largest number of chunks that are built within a frame without threads.
const MAX_WITHOUT_THREADS: usize = 32;

fn position_of(app: &App, entity: Entity) -> [f64; 2] {
    let position = app.world().get::<Transform>(entity).expect("it has a transform").translation.as_dvec3();
    [position.x, position.z]
}

/// The plan of a viewer in the last frame.
fn planned(app: &App, terrain: Entity, viewer: Entity) -> PlannedViewer {
    *state(app, terrain).plan().and_then(|plan| plan.viewer(viewer.to_bits())).expect("it is a viewer")
}

/// The current view distance of a viewer in the last frame, in metres.
fn view(app: &App, terrain: Entity, viewer: Entity) -> f64 {
    planned(app, terrain, viewer).current.point.view_distance
}

/// Asserts that the chunk of level 0 below an entity is drawn, and that ground queries return its surface.
#[track_caller]
fn assert_level_0_below(app: &App, terrain: Entity, entity: Entity) {
    let [x, z] = position_of(app, entity);
    let state = state(app, terrain);
    let (layout, field) = state.layout().zip(state.field()).expect("there is ground");
    let coord = layout.chunk_at(0, x, z);
    let chunk = state.chunk(coord).unwrap_or_else(|| panic!("{coord:?} below {x}, {z} is not drawn"));
    assert!(app.world().get::<ChunkDrawn>(chunk).is_some_and(ChunkDrawn::is_drawn), "{coord:?} is not drawn");
    let surface = &app.world().get::<ChunkSurface>(chunk).expect("it has a surface").0;
    let (origin, spacing) = (layout.origin(coord), layout.spacing(0));
    let along = [(x - origin[0]) / spacing, (z - origin[1]) / spacing];
    let [column, row] = along.map(|along| (along as usize).min(layout.quads() as usize - 1));
    let vertex =
        |dx: usize, dz: usize| f64::from(surface.positions[(row + dz) * layout.vertices() as usize + column + dx][1]);
    let corners = [vertex(0, 0), vertex(1, 0), vertex(0, 1), vertex(1, 1)];
    let drawn = quad_height(corners, along[0] - column as f64, along[1] - row as f64);
    let queried = surface_height(field, layout, x, z);
    assert!((drawn - queried).abs() < 1e-5, "{drawn} m is drawn at {x}, {z}, and the query returns {queried} m");
}

/// The drawn chunks within `radius` metres of a position.
fn drawn_near(app: &mut App, terrain: Entity, position: [f64; 2], radius: f64) -> BTreeMap<ChunkCoord, Entity> {
    let layout = *state(app, terrain).layout().expect("there is ground");
    let near = |chunk: &ChunkCoord| layout.distance(*chunk, position) < radius;
    drawn_chunks(app, terrain).into_iter().filter(|(chunk, _)| near(chunk)).collect()
}

/// Runs frames until the terrain is settled, and returns their number. In every frame, the ground has no hole, level 0 is below
/// `viewer`, its view gets no shorter, and the number of built chunks is within the limits.
#[track_caller]
fn settle_after_jump(app: &mut App, terrain: Entity, viewer: Entity) -> usize {
    let (mut frames, mut longest_view) = (0, -1.0);
    let per_frame = u64::from(app.world().resource::<TerrainBudget>().chunks_per_frame);
    let mut built = stats(app).chunks_built;
    pump_until(app, "settled", |app| {
        frames += 1;
        let now = stats(app);
        assert!(
            now.chunks_built_now <= TerrainBudget::MAX_BUILT_NOW,
            "{} chunks built within a frame",
            now.chunks_built_now
        );
        let total = now.chunks_built - std::mem::replace(&mut built, now.chunks_built);
        assert!(total <= per_frame + now.chunks_built_now as u64, "{total} chunks in a frame");
        if frames % 8 == 1 {
            assert_tiled(app, terrain);
        }
        assert_level_0_below(app, terrain, viewer);
        assert!(view(app, terrain, viewer) >= longest_view, "the view gets shorter");
        longest_view = view(app, terrain, viewer);
        state(app, terrain).is_settled()
    });
    assert_seamless(app, terrain);
    frames
}

#[test]
fn a_jump_shows_level_0_in_the_same_frame_and_all_chunks_later() {
    let (mut app, terrain, viewer) = settled_app();
    // A second viewer with a shorter view jumps to the same position.
    let beside = add_viewer(&mut app, 0.0, 0.0, 60.0);
    settle(&mut app, terrain);
    for (x, z) in [(50_000.0, 20_000.0), (-70_007.0, 3.0), (1.0e7, -2.0e7)] {
        for viewer in [viewer, beside] {
            move_to(&mut app, viewer, x, z);
        }
        app.update();
        assert_seamless(&mut app, terrain);
        for viewer in [viewer, beside] {
            assert_level_0_below(&app, terrain, viewer);
        }
        assert!((20..=MAX_WITHOUT_THREADS).contains(&stats(&app).chunks_built_now), "{:?}", stats(&app));
        assert!((48.0..600.0).contains(&view(&app, terrain, viewer)), "{} m", view(&app, terrain, viewer));
        let frames = settle_after_jump(&mut app, terrain, viewer);
        assert!(frames > 20, "the terrain was settled after only {frames} frames");
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn with_threads_a_jump_shows_level_0_in_the_same_frame() {
    let (mut app, terrain, viewer) = settled(headless_app(), settings_with_levels(4.0), 600.0);
    for jump in 1..=20_u8 {
        move_to(&mut app, viewer, 20_000.0 * f32::from(jump), 7.0);
        app.update();
        assert_seamless(&mut app, terrain);
        assert_level_0_below(&app, terrain, viewer);
        assert!((48..=TerrainBudget::MAX_BUILT_NOW).contains(&stats(&app).chunks_built_now), "{:?}", stats(&app));
    }
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_short_move_or_a_longer_view_distance_keeps_the_view_and_level_0() {
    let (mut app, terrain, viewer) = settled_app();
    let finest = |app: &App| state(app, terrain).quadtree().map_or(0, |tree| tree.leaves_per_level()[0]);
    assert!(finest(&app) > 15, "{}", finest(&app));
    for step in 1..=10_u8 {
        move_to(&mut app, viewer, 90.0 * f32::from(step), 0.0);
        app.update();
        assert_seamless(&mut app, terrain);
        assert_level_0_below(&app, terrain, viewer);
    }
    settle(&mut app, terrain);
    for view_distance in [900.0, 2500.0] {
        let before = view(&app, terrain, viewer);
        set_view_distance(&mut app, viewer, view_distance);
        app.update();
        assert!(view(&app, terrain, viewer) >= before, "{} m", view(&app, terrain, viewer));
        assert_level_0_below(&app, terrain, viewer);
        assert_seamless(&mut app, terrain);
        settle(&mut app, terrain);
        assert_eq!(view(&app, terrain, viewer), f64::from(view_distance));
    }
}

#[test]
fn a_longer_view_distance_costs_no_detail() {
    let (mut app, terrain, viewer) = settled_app();
    let before = drawn_near(&mut app, terrain, [0.0; 2], 550.0);
    set_view_distance(&mut app, viewer, 900.0);
    pump_until(&mut app, "settled", |app| {
        let tree = state(app, terrain).quadtree().expect("there is ground");
        let is_coarser = |chunk: &&ChunkCoord| !tree.is_leaf(**chunk) && !tree.is_split(**chunk);
        assert_eq!(before.keys().filter(is_coarser).collect::<Vec<_>>(), Vec::<&ChunkCoord>::new());
        state(app, terrain).is_settled()
    });
}

#[test]
fn after_a_jump_the_terrain_or_the_viewer_may_despawn_and_the_heights_may_change() {
    let arriving_app = || {
        let (mut app, terrain, viewer) = settled_app();
        move_to(&mut app, viewer, 30_000.0, 0.0);
        pump(&mut app, 3);
        assert!(!state(&app, terrain).is_settled());
        (app, terrain, viewer)
    };
    let (mut app, terrain, _) = arriving_app();
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    assert_eq!(chunk_entities(&mut app), 0);

    let (mut app, terrain, viewer) = arriving_app();
    app.world_mut().despawn(viewer);
    settle(&mut app, terrain);
    assert_eq!(chunk_entities(&mut app), 0);

    let (mut app, terrain, viewer) = arriving_app();
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    settle_after_jump(&mut app, terrain, viewer);
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_jump_during_a_reload_has_ground_in_the_same_frame_and_the_reload_ends() {
    let (mut app, terrain, viewer) = settled_app();
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    pump(&mut app, 5);
    assert!(state(&app, terrain).is_reloading());
    move_to(&mut app, viewer, 30_000.0, 0.0);
    app.update();
    assert_level_0_below(&app, terrain, viewer);
    settle_after_jump(&mut app, terrain, viewer);
    assert_eq!(state(&app, terrain).settings().map(|settings| settings.field.seed), Some(6));
}

#[test]
fn after_a_jump_old_chunks_are_hidden_in_the_same_frame_and_despawned_within_the_budget() {
    let (mut app, terrain, viewer) = settled_app();
    let before = all_chunks(&mut app);
    // Every read of the clock takes longer than a frame.
    count_work(&mut app, Duration::from_millis(5));
    move_to(&mut app, viewer, 9000.0, 0.0);
    let (mut left, mut frames) = (before.len(), 0);
    pump_until(&mut app, "all old chunks are despawned", |app| {
        assert_tiled(app, terrain);
        let now = before.iter().filter(|&&chunk| app.world().get_entity(chunk).is_ok()).count();
        assert!((left - now) <= 8, "{} of {} chunks were despawned in a frame", left - now, before.len());
        (left, frames) = (now, frames + 1);
        let drawn = |&&chunk: &&Entity| app.world().get::<ChunkDrawn>(chunk).is_some_and(ChunkDrawn::is_drawn);
        assert_eq!(before.iter().filter(drawn).count(), 0);
        left == 0
    });
    assert!(frames > 20, "{} chunks in {frames} frames", before.len());
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn without_viewers_all_chunks_are_despawned_within_the_budget() {
    let (mut app, terrain, viewer) = settled_app();
    let before = chunk_entities(&mut app);
    count_work(&mut app, Duration::from_millis(5));
    app.world_mut().despawn(viewer);
    app.update();
    assert!(drawn_chunks(&mut app, terrain).is_empty() && state(&app, terrain).is_settled());
    let (mut left, mut frames) = (before, 0);
    pump_until(&mut app, "all old chunks are despawned", |app| {
        let now = chunk_entities(app);
        assert!(left - now <= 8, "{} of {before} chunks were despawned in a frame", left - now);
        (left, frames) = (now, frames + 1);
        state(app, terrain).is_idle()
    });
    assert!(left == 0 && frames > 20, "{left} of {before} chunks are left after {frames} frames");
}

#[test]
fn a_long_move_with_a_longer_view_distance_keeps_what_is_drawn() {
    let (mut app, terrain, viewer) = settled_app();
    app.world_mut().entity_mut(viewer).insert(TerrainViewer { view_distance: 4000.0 });
    *app.world_mut().get_mut::<Transform>(viewer).expect("it has a transform") = Transform::from_xyz(300.0, 60.0, 0.0);
    app.update();
    // The view reaches as far as the ground that was drawn before.
    assert!(view(&app, terrain, viewer) > 250.0, "{} m", view(&app, terrain, viewer));
    assert_level_0_below(&app, terrain, viewer);
    settle_after_jump(&mut app, terrain, viewer);
}

#[test]
fn a_longer_view_is_drawn_before_its_full_detail() {
    let (mut app, terrain, viewer) = settled_app();
    set_view_distance(&mut app, viewer, 1200.0);
    let (mut drawn_after, mut frames) = (None, 0);
    pump_until(&mut app, "settled", |app| {
        frames += 1;
        assert_level_0_below(app, terrain, viewer);
        if view(app, terrain, viewer) > 1000.0 {
            drawn_after.get_or_insert(frames);
        }
        state(app, terrain).is_settled()
    });
    assert!(drawn_after.is_some_and(|drawn| 5 * drawn < 4 * frames), "{drawn_after:?} of {frames} frames");
}

#[test]
fn a_jump_within_view_keeps_level_0_below_the_viewer_and_leaves_no_hole() {
    let (mut app, terrain, viewer) = settled_app();
    for x in [800.0, 1650.0, 2700.0, 2800.0] {
        move_to(&mut app, viewer, x, 30.0);
        app.update();
        assert_seamless(&mut app, terrain);
        assert_level_0_below(&app, terrain, viewer);
        settle_after_jump(&mut app, terrain, viewer);
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn a_viewer_faster_than_chunks_are_built_has_level_0_below_it_in_every_frame() {
    let (mut app, terrain, viewer) = settled_app();
    let mut short_views = 0;
    for frame in 1..200_u8 {
        move_to(&mut app, viewer, 300.0 * f32::from(frame), 130.0 * f32::from(frame));
        app.update();
        assert_tiled(&mut app, terrain);
        assert_level_0_below(&app, terrain, viewer);
        assert!(stats(&app).chunks_built_now <= MAX_WITHOUT_THREADS);
        short_views += usize::from(view(&app, terrain, viewer) < 300.0);
    }
    assert!(short_views > 100, "the view was short in only {short_views} frames");
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_viewer_that_zooms_while_it_moves_keeps_its_ground_and_its_view() {
    let mut app = app_without_threads();
    let terrain = add_terrain(
        &mut app,
        TerrainSettings { stream: StreamSettings { look_ahead: 0.5 }, ..settings_with_levels(4.0) },
    );
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let mut finest = Vec::new();
    for frame in 0..240_u8 {
        let time = f32::from(frame) / 60.0;
        move_to(&mut app, viewer, 40.0 * time, 10.0 * time);
        // Zooms in to ten times and out again, then switches between the two.
        let zoom =
            if frame < 160 { 1.0 + 9.0 * (time * 1.2).sin().abs() } else { [1.0, 10.0][usize::from(frame / 20 % 2)] };
        let lens = ViewerLens::Perspective { height: 1080.0, field_of_view: std::f32::consts::FRAC_PI_4 / zoom };
        app.world_mut().entity_mut(viewer).insert(lens);
        app.update();
        assert_seamless(&mut app, terrain);
        assert_level_0_below(&app, terrain, viewer);
        assert!(view(&app, terrain, viewer) >= 600.0, "{} m in frame {frame}", view(&app, terrain, viewer));
        assert!(stats(&app).chunks_built_now <= MAX_WITHOUT_THREADS);
        finest.push(state(&app, terrain).quadtree().map_or(0, |tree| tree.leaves_per_level()[0]));
    }
    let (min, max) = (finest.iter().min(), finest.iter().max());
    assert!(max > min.map(|min| 2 * min).as_ref(), "the zoom changed little: {min:?} to {max:?}");
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_viewer_that_returns_within_three_frames_finds_all_its_chunks() {
    let (mut app, terrain, viewer) = settled_app();
    let before: Vec<ChunkCoord> = drawn_chunks(&mut app, terrain).into_keys().collect();
    for far in [800.0, 90_000.0] {
        for frames in [1, 3] {
            move_to(&mut app, viewer, far, 30.0);
            pump(&mut app, frames);
            assert!(!state(&app, terrain).is_settled());
            move_to(&mut app, viewer, 0.0, 0.0);
            app.update();
            let now: Vec<ChunkCoord> = drawn_chunks(&mut app, terrain).into_keys().collect();
            assert_eq!(now, before, "after {frames} frames at {far} m");
            assert_eq!(view(&app, terrain, viewer), 600.0);
            settle(&mut app, terrain);
            assert_nothing_left(&mut app);
        }
    }
}

#[test]
fn chunks_that_a_game_despawns_are_rebuilt_with_level_0_in_the_same_frame() {
    let (mut app, terrain, viewer) = settled_app();
    for x in [0.001, 1.0] {
        // Also those that are not drawn.
        for chunk in all_chunks(&mut app) {
            app.world_mut().despawn(chunk);
        }
        move_to(&mut app, viewer, x, 0.0);
        app.update();
        assert!(stats(&app).chunks_built_now <= MAX_WITHOUT_THREADS);
        assert_level_0_below(&app, terrain, viewer);
        settle_after_jump(&mut app, terrain, viewer);
        settle(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}
