//! Messages alone give the level of all ground.

use super::ground_levels::{GroundLevels, app_with_levels, cells};
use super::*;
use bevy_perlin_terrain::chunk::ChunkCoord;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;
use testing::app::messages::TerrainMessages;

#[test]
fn messages_alone_give_the_level_of_all_ground_in_every_frame() {
    let (mut app, terrain, viewer, mut levels) = app_with_levels(settings(), 500.0);
    assert_eq!(levels.areas_hidden, 0, "ground was hidden while its detail grew");
    let mut distance = 0.0;
    let mut fly = |app: &mut App, levels: &mut GroundLevels, frames: u16| {
        let before = levels.areas_shown;
        for _ in 0..frames {
            distance += 4.0;
            move_to(app, viewer, distance, distance / 3.0);
            levels.run_frame(app, terrain);
        }
        levels.settle(app, terrain);
        assert!(levels.areas_shown > before, "the flight showed no new ground");
    };
    fly(&mut app, &mut levels, 200);
    // The level of the coarsest chunks changes.
    for view_distance in [900.0, 200.0, 700.0, 60.0, 500.0] {
        set_view_distance(&mut app, viewer, view_distance);
        fly(&mut app, &mut levels, 60);
    }
    assert!(levels.level_changes > 200, "{} changes", levels.level_changes);
    // A teleport hides all ground and shows other ground in the same frame.
    let ground: Vec<_> = levels.levels.keys().copied().collect();
    move_to(&mut app, viewer, -50_000.0, 3.0);
    levels.run_frame(&mut app, terrain);
    assert!(!levels.levels.is_empty() && ground.iter().all(|cell| !levels.levels.contains_key(cell)));
    levels.settle(&mut app, terrain);
    // New heights hide the old ground and show the new one.
    let before = levels.areas_hidden;
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    levels.settle(&mut app, terrain);
    assert!(levels.areas_hidden > before + 30);
    edit(&mut app, terrain, |settings| settings.chunks.quads = 16);
    levels.settle(&mut app, terrain);
    // The ground of a chunk that a game despawns is not reported as hidden.
    let before = levels.areas_hidden;
    let some = *drawn_chunks(&mut app, terrain).values().next().expect("chunks are drawn");
    app.world_mut().despawn(some);
    levels.settle(&mut app, terrain);
    assert_eq!(levels.areas_hidden, before);
    // The ground of a terrain that a game despawns is.
    app.world_mut().despawn(terrain);
    app.update();
    levels.apply(&take_messages(&mut app), &BTreeMap::new());
}

#[test]
fn messages_alone_give_the_level_of_coarse_ground_of_which_a_part_stays() {
    let (mut app, terrain, viewer, mut levels) = app_with_levels(settings_with_levels(100.0), 900.0);
    // The part of a chunk that stays in view is split, and the rest is hidden.
    for (view_distance, pixel_error) in [(140.0, 5.0), (900.0, 100.0), (250.0, 2.0), (600.0, 60.0)] {
        set_view_distance(&mut app, viewer, view_distance);
        edit(&mut app, terrain, |settings| settings.lod.pixel_error = pixel_error);
        levels.settle(&mut app, terrain);
    }
    assert!(levels.partial_changes > 0);
}

#[test]
fn merging_at_the_horizon_reports_no_drawn_ground_as_shown() {
    let (mut app, terrain, viewer, mut levels) = app_with_levels(settings(), 420.0);
    let mut partly_new = 0;
    for step in 0..600_u16 {
        move_to(&mut app, viewer, f32::from(step) * 3.0, f32::from(step));
        set_view_distance(&mut app, viewer, f32::from(60 + step));
        let before: HashSet<ChunkCoord> = levels.levels.keys().copied().collect();
        app.update();
        let (messages, drawn) = (take_messages(&mut app), drawn_chunks(&mut app, terrain));
        // This asserts that no drawn ground is reported as shown.
        levels.apply(&messages, &drawn);
        let merged = messages.levels.iter().filter(|change| !change.is_finer());
        let is_partly_new = |area| cells(area).iter().any(|cell| !before.contains(cell));
        partly_new += merged.filter(|change| is_partly_new(change.area)).count();
    }
    assert!(partly_new > 0, "no chunk at the horizon was merged with new ground");
}

#[test]
fn chunks_in_the_despawn_queue_cause_no_messages() {
    let mut app = slow_app();
    record_messages(&mut app);
    // Every read of the clock takes longer than a frame, so that chunks are despawned as slowly as possible.
    count_work(&mut app, Duration::from_millis(5));
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 900.0);
    let mut levels = GroundLevels::default();
    levels.settle(&mut app, terrain);
    let mut waiting = 0;
    for (number, x) in [20_000.0, 400.0, -9000.0, 200.0, -700.0, 0.0].into_iter().cycle().take(36).enumerate() {
        move_to(&mut app, viewer, x, 0.0);
        for _ in 0..number % 7 + 1 {
            levels.run_frame(&mut app, terrain);
            waiting += stats(&app).chunks_despawning;
        }
    }
    // A game despawns one of them. It is not rebuilt.
    levels.settle(&mut app, terrain);
    move_to(&mut app, viewer, 90_000.0, 0.0);
    levels.run_frame(&mut app, terrain);
    let mut chunks = app.world_mut().query::<(Entity, &ChunkBounds, &ChunkDrawn)>();
    let is_old = |(_, bounds, _): &(Entity, &ChunkBounds, &ChunkDrawn)| bounds.max.x < 50_000.0;
    let old: Vec<_> =
        chunks.iter(app.world()).filter(is_old).map(|(chunk, _, drawn)| (chunk, drawn.is_drawn())).collect();
    assert!(old.iter().all(|(_, is_drawn)| !is_drawn));
    app.world_mut().despawn(old.first().expect("chunks wait to be despawned").0);
    assert_eq!(take_messages(&mut app), TerrainMessages::default());
    levels.settle(&mut app, terrain);
    assert!(waiting > 100, "only {waiting} chunks waited to be despawned");
}

#[test]
fn removing_the_terrain_component_hides_its_ground() {
    let (mut app, terrain, _, mut levels) = app_with_levels(settings(), 200.0);
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    levels.apply(&take_messages(&mut app), &BTreeMap::new());
}
