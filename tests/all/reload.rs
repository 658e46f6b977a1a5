//! Changed settings: the old ground stays until the new one is complete, and the two are never drawn together.

mod problems;
mod while_moving;

use bevy::prelude::*;
use bevy_perlin_terrain::chunk::ChunkGeometry;
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;
use testing::app::log::warnings_of;
use testing::app::*;

/// Whether four vertices of a chunk at `position` have the heights of `field`.
fn has_heights_of(field: &HeightField, position: Vec3, surface: &ChunkGeometry) -> bool {
    let last = surface.positions.len() - 1;
    [0, last / 3, last / 2, last].into_iter().all(|at| {
        let [x, y, z] = surface.positions[at];
        field.height(f64::from(position.x + x), f64::from(position.z + z)) == y
    })
}

/// Asserts that all drawn chunks were built from the same one of `settings`, and that they cover every position within `radius` metres
/// of the origin exactly once. Returns the index of these settings.
#[track_caller]
fn assert_one_ground_without_holes(app: &mut App, settings: &[TerrainSettings], radius: f32) -> usize {
    let mut query = app.world_mut().query::<(&TerrainChunk, &Transform, &ChunkSurface, &ChunkDrawn)>();
    let chunks: Vec<_> = query
        .iter(app.world())
        .filter(|(.., drawn)| drawn.is_drawn())
        .map(|(chunk, transform, surface, _)| (chunk.coord.level, transform.translation, &surface.0))
        .collect();
    let fields: Vec<_> = settings.iter().map(|settings| HeightField::new(&settings.field)).collect();
    let fits = |(settings, field): (&TerrainSettings, &HeightField)| {
        chunks.iter().all(|&(level, position, surface)| {
            let spacing = surface.positions[1][0] - surface.positions[0][0];
            spacing == settings.chunks.spacing as f32 * f32::from(1_u16 << level)
                && surface.side == settings.chunks.quads + 1
                && has_heights_of(field, position, surface)
        })
    };
    let built_from = settings.iter().zip(&fields).position(fits);
    let built_from = built_from.expect("all drawn chunks are built from the same settings");
    // None of these positions lies on a border of chunks.
    let positions =
        (-9..=9_i8).flat_map(|z| (-9..=9_i8).map(move |x| Vec2::new(f32::from(x), f32::from(z)) * 8.7 + 0.3));
    for position in positions.filter(|position| position.length() < radius) {
        let containing = chunks.iter().filter(|(_, corner, surface)| {
            let [east, _, south] = surface.positions[surface.positions.len() - 1];
            let inside = position - corner.xz();
            (0.0..east).contains(&inside.x) && (0.0..south).contains(&inside.y)
        });
        assert_eq!(containing.count(), 1, "chunks at {position}");
    }
    built_from
}

/// An app with settled terrain around the origin.
fn settled_app(settings: TerrainSettings) -> (App, Entity) {
    let (app, terrain, _) = settled(headless_app(), settings, 80.0);
    (app, terrain)
}

#[test]
fn every_frame_of_a_reload_shows_one_ground_without_holes() {
    let mut old = small_settings();
    let changes: [fn(&mut TerrainSettings); 6] = [
        |settings| settings.field.seed = 6,
        |settings| settings.field.base_height = -500.0,
        |settings| settings.field.layers.push(NoiseSettings { octaves: 2, ..Default::default() }.into()),
        |settings| settings.chunks.spacing = 2.0,
        |settings| settings.chunks.quads = 16,
        |settings| settings.field.layers.clear(),
    ];
    let (mut app, terrain) = settled_app(old.clone());
    // One chunk per frame, so that the reload takes many frames.
    set_budget(&mut app, |budget| budget.chunks_per_frame = 1);
    for change in changes {
        let mut new = old.clone();
        change(&mut new);
        edit(&mut app, terrain, change);
        let both = [old, new.clone()];
        let mut frames_of = [0, 0];
        pump_until(&mut app, "the reload is done", |app| {
            let built_from = assert_one_ground_without_holes(app, &both, 80.0);
            assert_seamless(app, terrain);
            assert!(frames_of[1] == 0 || built_from == 1, "the old ground was drawn again");
            frames_of[built_from] += 1;
            state(app, terrain).is_settled()
        });
        assert!(frames_of[0] > 1, "the reload ended in its first frame");
        assert!(frames_of[1] >= 1, "the new ground was not drawn");
        assert_eq!(state(&app, terrain).settings(), Some(&new));
        assert_nothing_left(&mut app);
        old = new;
    }
}

#[test]
fn a_burst_of_edits_ends_with_the_last() {
    let (mut app, terrain) = settled_app(small_settings());
    for step in 1..=50 {
        edit(&mut app, terrain, |settings| {
            settings.field.base_height = f64::from(step);
            settings.chunks.spacing = if step % 7 == 0 { 3.0 } else { 4.0 };
        });
        // Some edits share a frame.
        if step % 3 == 0 {
            app.update();
        }
    }
    settle(&mut app, terrain);
    let mut last = small_settings();
    last.field.base_height = 50.0;
    assert_eq!(state(&app, terrain).settings(), Some(&last));
    assert_one_ground_without_holes(&mut app, &[last], 80.0);
    assert_nothing_left(&mut app);
}

#[test]
fn an_edit_that_is_undone_ends_with_the_old_ground() {
    let (mut app, terrain) = settled_app(small_settings());
    edit(&mut app, terrain, |settings| settings.field.seed = 1000);
    app.update();
    edit(&mut app, terrain, |settings| settings.field.seed = 5);
    settle(&mut app, terrain);
    assert_one_ground_without_holes(&mut app, &[small_settings()], 80.0);
}

#[test]
fn a_reload_with_nearly_all_memory_in_use_takes_no_detail_from_the_drawn_ground() {
    let old = settings_with_levels(4.0);
    // Without threads, so that detail does not depend on the load of the machine.
    let (mut app, terrain, _) = settled(app_without_threads(), old.clone(), 700.0);
    let (before, bytes) = (drawn_chunks(&mut app, terrain), stats(&app).bytes_loaded);
    let limit = bytes as f64 * 1.1;
    set_budget(&mut app, |budget| budget.memory_limit = limit / 1e6);
    settle(&mut app, terrain);
    assert_eq!(drawn_chunks(&mut app, terrain), before, "all chunks fit into the limit");
    let mut new = old.clone();
    new.field.seed = 77;
    let both = [old, new];
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    let mut frames_of = [0, 0];
    pump_until(&mut app, "the reload is done", |app| {
        let built_from = assert_one_ground_without_holes(app, &both, 80.0);
        assert_seamless(app, terrain);
        frames_of[built_from] += 1;
        let bytes = stats(app).bytes_loaded as f64;
        assert!(bytes <= 2.0 * limit, "{bytes} bytes of two grounds of {limit}");
        if frames_of[1] == 0 {
            assert_eq!(drawn_chunks(app, terrain), before, "the hidden ground takes nothing from the drawn one");
        }
        state(app, terrain).is_settled()
    });
    assert!(frames_of[0] > 1, "{frames_of:?}");
    settle(&mut app, terrain);
    assert!(!state(&app, terrain).is_limited_by_memory());
    let mut alone = app_without_threads();
    let expected = add_terrain(&mut alone, both[1].clone());
    add_viewer(&mut alone, 0.0, 0.0, 700.0);
    settle(&mut alone, expected);
    let expected: Vec<ChunkCoord> = drawn_chunks(&mut alone, expected).into_keys().collect();
    assert_eq!(drawn_chunks(&mut app, terrain).into_keys().collect::<Vec<_>>(), expected);
    assert_nothing_left(&mut app);
}

/// Starts a reload with so many chunks that it takes very long.
fn begin_endless_reload(app: &mut App, terrain: Entity) {
    set_budget(app, |budget| budget.chunks_per_frame = 4);
    edit(app, terrain, |settings| settings.chunks.spacing = 0.1);
    for _ in 0..3 {
        app.update();
    }
    assert!(state(app, terrain).is_reloading());
}

#[test]
fn undoing_the_edit_cancels_a_reload_that_takes_long() {
    let (mut app, terrain) = settled_app(small_settings());
    let before = drawn_chunks(&mut app, terrain);
    begin_endless_reload(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 4.0);
    for _ in 0..3 {
        app.update();
    }
    assert!(state(&app, terrain).is_settled());
    assert_eq!(drawn_chunks(&mut app, terrain), before, "the old chunks are not rebuilt");
    assert_nothing_left(&mut app);
}

#[test]
fn changing_the_look_the_streaming_or_the_budget_rebuilds_nothing() {
    let (mut app, terrain) = settled_app(small_settings());
    let (chunks, done) = (drawn_chunks(&mut app, terrain), stats(&app).chunks_built);
    edit(&mut app, terrain, |settings| settings.look.water_color = [0.9, 0.1, 0.1]);
    pump(&mut app, 10);
    edit(&mut app, terrain, |settings| settings.stream.look_ahead = 3.0);
    pump(&mut app, 10);
    set_budget(&mut app, |budget| (budget.chunks_per_frame, budget.max_tasks) = (1, 2));
    pump(&mut app, 10);
    let in_use = state(&app, terrain).settings().expect("settings are in use");
    assert_eq!((in_use.look.water_color, in_use.stream.look_ahead), ([0.9, 0.1, 0.1], 3.0));
    assert_eq!((drawn_chunks(&mut app, terrain), stats(&app).chunks_built), (chunks, done));
    assert!(state(&app, terrain).is_settled());
}

#[test]
fn another_handle_reloads_the_terrain() {
    let (mut app, terrain) = settled_app(small_settings());
    let mut new = small_settings();
    new.field.seed = 42;
    set_budget(&mut app, |budget| budget.chunks_per_frame = 1);
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(new.clone());
    app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle;
    let both = [small_settings(), new];
    pump_until(&mut app, "the new ground is drawn", |app| {
        assert_one_ground_without_holes(app, &both, 80.0);
        state(app, terrain).is_settled()
    });
    assert_eq!(assert_one_ground_without_holes(&mut app, &both, 80.0), 1);
}

#[test]
fn while_other_settings_load_the_ground_is_not_ready() {
    let (mut app, terrain) = settled_app(small_settings());
    let mut new = small_settings();
    new.field.seed = 42;
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle.clone();
    for _ in 0..5 {
        app.update();
        assert!(!state(&app, terrain).is_settled(), "the new settings are not loaded yet");
        assert_one_ground_without_holes(&mut app, &[small_settings()], 80.0);
    }
    app.world_mut().resource_mut::<Assets<TerrainSettings>>().insert(&handle, new.clone()).expect("it was reserved");
    settle(&mut app, terrain);
    assert_one_ground_without_holes(&mut app, &[new], 80.0);
}

#[test]
fn a_handle_that_leads_to_no_settings_is_reported_once_and_changes_nothing() {
    let _alone = alone();
    let mut app = headless_app();
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    let warnings = warnings_of(&mut app, |app| {
        app.world_mut().spawn(Terrain::default());
        pump(app, 100);
    });
    assert_eq!(warnings.iter().filter(|line| line.contains("leads to no settings")).count(), 1, "{warnings:?}");

    let (mut app, terrain) = settled_app(small_settings());
    app.world_mut().entity_mut(terrain).insert(Terrain::default());
    pump(&mut app, 10);
    assert!(state(&app, terrain).is_settled(), "the ground of the last handle stays");
    assert_eq!(problems(&app, terrain).len(), 1);
    assert_one_ground_without_holes(&mut app, &[small_settings()], 80.0);
    // Settings are added at the handle.
    let new = settings_with_levels(4.0);
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainSettings>>();
    assets.insert(AssetId::default(), new.clone()).expect("the handle has a place");
    settle(&mut app, terrain);
    assert_eq!(problems(&app, terrain), [""; 0]);
    assert_eq!(state(&app, terrain).settings(), Some(&new));
}

#[test]
fn a_value_that_stays_out_of_its_range_is_logged_once() {
    let _alone = alone();
    let (mut app, terrain) = settled_app(small_settings());
    let warnings = warnings_of(&mut app, |app| {
        for step in 0..120_u8 {
            edit(app, terrain, |settings| settings.look.water_height = 1e6 + f64::from(step));
            app.update();
        }
        edit(app, terrain, |settings| settings.look.water_height = 500.0);
        app.update();
        edit(app, terrain, |settings| settings.look.water_height = 1e6);
        app.update();
    });
    let about = warnings.iter().filter(|line| line.contains("water_height")).count();
    assert_eq!(about, 2, "once for each time that it goes out of its range: {warnings:?}");
}
