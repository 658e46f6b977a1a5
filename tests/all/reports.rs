//! Statistics, tracing spans, seam reports and costs.

use bevy::diagnostic::{DiagnosticPath, DiagnosticsPlugin, DiagnosticsStore};
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::LodCost;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{
    SeamWatch, TerrainDiagnosticsPlugin, TerrainHistory, TerrainHistoryPlugin, TerrainSeamPlugin,
};
use testing::app::log::terrain_spans_of;
use testing::app::*;

#[test]
fn statistics_and_diagnostics_count_the_chunks() {
    let mut app = headless_app();
    app.add_plugins((DiagnosticsPlugin, TerrainDiagnosticsPlugin));
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 80.0);
    settle(&mut app, terrain);
    app.update();
    let (count, loaded) = (drawn_chunks(&mut app, terrain).len(), chunk_entities(&mut app));
    let TerrainStats { chunks_drawn, chunks_loaded, chunks_incoming, chunks_despawning, tasks_in_flight, .. } =
        stats(&app);
    assert_eq!((chunks_drawn, chunks_loaded), (count, loaded));
    assert_eq!((chunks_incoming, chunks_despawning, tasks_in_flight), (0, 0, 0));
    let built = stats(&app).chunks_built;
    assert_eq!(built, loaded as u64, "every built chunk is loaded");
    let value = |app: &App, path: &DiagnosticPath| {
        app.world().resource::<DiagnosticsStore>().get_measurement(path).map(|measurement| measurement.value)
    };
    assert_eq!(value(&app, &TerrainDiagnosticsPlugin::CHUNKS_DRAWN), Some(count as f64));
    assert_eq!(value(&app, &TerrainDiagnosticsPlugin::TASKS_IN_FLIGHT), Some(0.0));
    assert_eq!(value(&app, &TerrainDiagnosticsPlugin::CHUNKS_BUILT), Some(built as f64));
    assert!(value(&app, &TerrainDiagnosticsPlugin::FRAME_TIME).is_some());
    move_to(&mut app, viewer, 9000.0, 0.0);
    settle(&mut app, terrain);
    let stats = stats(&app);
    assert!(stats.chunks_removed >= built);
    assert_eq!(stats.chunks_removed + chunk_entities(&mut app) as u64, stats.chunks_built);
}

#[test]
fn building_a_chunk_has_a_named_tracing_span() {
    let mut app = app_without_threads();
    let spans = terrain_spans_of(&mut app, |app| {
        let terrain = add_terrain(app, small_settings());
        add_viewer(app, 0.0, 0.0, 80.0);
        settle(app, terrain);
    });
    assert!(spans.contains("terrain_build_chunk"), "{spans:?}");
}

#[test]
fn a_watched_terrain_is_checked_for_seams_as_the_viewer_moves() {
    let mut app = headless_app();
    app.add_plugins(TerrainSeamPlugin);
    let terrain = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 150.0);
    app.world_mut().entity_mut(terrain).insert(SeamWatch::default());
    let mut borders = Vec::new();
    for x in [0.0, 45.0] {
        move_to(&mut app, viewer, x, 0.0);
        settle(&mut app, terrain);
        let expected = assert_seamless(&mut app, terrain);
        pump_until(&mut app, "the report is that of the quadtree", |app| {
            let watch = app.world().get::<SeamWatch>(terrain).expect("it is watched");
            watch.report.as_ref() == Some(&expected)
        });
        borders.push(expected.borders);
    }
    assert!(borders.iter().all(|&borders| borders > 50) && borders[0] != borders[1], "{borders:?}");
    // Other ground, or vertices without a morph, are checked again for the same viewers.
    let changes: [fn(&mut TerrainSettings); 2] =
        [|settings| settings.field.seed += 1, |settings| settings.lod.morph = false];
    for change in changes {
        let mut watch = app.world_mut().get_mut::<SeamWatch>(terrain).expect("it is watched");
        let report = watch.report.as_mut().expect("it was checked");
        report.borders = 0;
        edit(&mut app, terrain, change);
        app.update();
        settle(&mut app, terrain);
        pump_until(&mut app, "it is checked again", |app| {
            let watch = app.world().get::<SeamWatch>(terrain).expect("it is watched");
            watch.report.as_ref().is_some_and(|report| report.borders == borders[1])
        });
    }
}

#[test]
fn the_expected_cost_of_a_viewer_is_its_cost_when_settled() {
    let mut app = headless_app();
    for (pixel_error, view_distance) in [(0.0, 300.0), (100.0, 1500.0)] {
        let settings = settings_with_levels(pixel_error);
        let terrain = add_terrain(&mut app, settings.clone());
        let viewer = add_viewer(&mut app, 70.0, -20.0, view_distance);
        settle(&mut app, terrain);
        let state = state(&app, terrain);
        let (field, layout) = state.field().zip(state.layout()).expect("there is ground");
        let point = state.viewers().next().expect("a viewer").point;
        let tree = state.quadtree().expect("there is ground");
        let expected = LodCost::expected(field, layout, &settings.lod, &point);
        assert_eq!(expected, LodCost::of(tree, state.chunks_loaded(), layout));
        assert_eq!(chunk_entities(&mut app), expected.resident);
        app.world_mut().despawn(terrain);
        app.world_mut().despawn(viewer);
    }
}

#[test]
fn the_history_has_the_statistics_of_every_frame() {
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    app.add_plugins(TerrainHistoryPlugin);
    add_terrain(&mut app, settings_with_levels(30.0));
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    let mut expected = Vec::new();
    for _ in 0..TerrainHistory::FRAMES + 20 {
        app.update();
        expected.push(stats(&app));
    }
    let history = app.world().resource::<TerrainHistory>();
    assert!(history.frames().eq(&expected[20..]));
    assert!(history.frames().any(|frame| frame.chunks_drawn > 0));
}
