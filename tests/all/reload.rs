//! Changed settings: old ground stays until the new is ready, they never stand side by side, and nothing is built in vain.

use crate::common::*;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkGeometry, ChunkSettings};
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;

/// Whether the vertices of a chunk at `place` stand on `field`: a few of them, which no other field has by chance.
fn stands_on(field: &HeightField, place: Vec3, surface: &ChunkGeometry) -> bool {
    let last = surface.positions.len() - 1;
    [0, last / 3, last / 2, last].into_iter().all(|at| {
        let [x, y, z] = surface.positions[at];
        field.height(f64::from(place.x + x), f64::from(place.z + z)) == y
    })
}

/// Asserts that every chunk that is shown was made from the same one of `settings`, and that ground covers every place
/// within `reach` of the origin exactly once. Says which of `settings` it was.
#[track_caller]
fn assert_one_generation_without_holes(app: &mut App, settings: &[TerrainSettings], reach: f32) -> usize {
    let mut query = app.world_mut().query::<(&TerrainChunk, &Transform, &ChunkSurface, &ChunkDrawn)>();
    let chunks: Vec<_> = query
        .iter(app.world())
        .filter(|(.., drawn)| drawn.is_drawn())
        .map(|(chunk, transform, surface, _)| (chunk.coord.level, transform.translation, &surface.0))
        .collect();
    let fields: Vec<_> = settings.iter().map(|settings| HeightField::new(&settings.field)).collect();
    let fits = |(settings, field): (&TerrainSettings, &HeightField)| {
        chunks.iter().all(|&(level, place, surface)| {
            let spacing = surface.positions[1][0] - surface.positions[0][0];
            spacing == settings.chunks.spacing as f32 * f32::from(1_u16 << level)
                && surface.side == settings.chunks.quads + 1
                && stands_on(field, place, surface)
        })
    };
    let made_from = settings.iter().zip(&fields).position(fits);
    let made_from = made_from.expect("the chunks that are shown are all made from the same settings");
    // Places that lie on no border of any layout here.
    let places = (-9..=9_i8).flat_map(|z| (-9..=9_i8).map(move |x| Vec2::new(f32::from(x), f32::from(z)) * 8.7 + 0.3));
    for place in places.filter(|place| place.length() < reach) {
        let over = chunks.iter().filter(|(_, corner, surface)| {
            let [east, _, south] = surface.positions[surface.positions.len() - 1];
            let inside = place - corner.xz();
            (0.0..east).contains(&inside.x) && (0.0..south).contains(&inside.y)
        });
        assert_eq!(over.count(), 1, "chunks over {place}");
    }
    made_from
}

/// An app with settled terrain around the origin.
fn settled_app(settings: TerrainSettings) -> (App, Entity) {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    settle(&mut app, terrain);
    (app, terrain)
}

#[test]
fn every_frame_of_a_reload_shows_one_generation_without_holes() {
    let mut old = small_settings();
    let changes: [fn(&mut TerrainSettings); 6] = [
        |settings| settings.field.seed = 6,
        |settings| settings.field.base_height = -500.0,
        |settings| settings.field.layers.push(NoiseSettings { octaves: 2, ..Default::default() }),
        |settings| settings.chunks.spacing = 2.0,
        |settings| settings.chunks.quads = 16,
        |settings| settings.field.layers.clear(),
    ];
    let (mut app, terrain) = settled_app(old.clone());
    // One chunk a frame, so that the reload takes many frames.
    set_budget(&mut app, |budget| budget.chunks_per_frame = 1);
    for change in changes {
        let mut new = old.clone();
        change(&mut new);
        edit(&mut app, terrain, change);
        let both = [old, new.clone()];
        let mut frames_of = [0, 0];
        pump_until(&mut app, "the reload is done", |app| {
            let made_from = assert_one_generation_without_holes(app, &both, 80.0);
            assert_seamless(app, terrain);
            assert!(frames_of[1] == 0 || made_from == 1, "the old ground came back");
            frames_of[made_from] += 1;
            state(app, terrain).is_settled()
        });
        assert!(frames_of[0] > 1, "the reload was over at once, which tests nothing");
        assert!(frames_of[1] >= 1, "the new ground never came");
        assert_eq!(state(&app, terrain).settings(), Some(&new));
        assert_nothing_left(&mut app);
        old = new;
    }
}

#[test]
fn a_viewer_that_moves_during_a_reload_never_sees_two_generations() {
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
        assert_one_generation_without_holes(&mut app, &both, 0.0);
        assert_seamless(&mut app, terrain);
    }
    settle(&mut app, terrain);
    assert_eq!(assert_one_generation_without_holes(&mut app, &both, 0.0), 1);
}

#[test]
fn a_teleport_during_a_reload_settles_in_the_new_ground() {
    let (mut app, terrain) = settled_app(small_settings());
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    app.update();
    move_to(&mut app, viewer, 9000.0, 9000.0);
    settle(&mut app, terrain);
    let mut new = small_settings();
    new.field.seed = 77;
    assert_one_generation_without_holes(&mut app, &[new], 0.0);
    assert_nothing_left(&mut app);
}

#[test]
fn a_burst_of_edits_ends_in_the_last() {
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
    assert_one_generation_without_holes(&mut app, &[last], 80.0);
    assert_nothing_left(&mut app);
}

#[test]
fn an_edit_that_is_taken_back_ends_where_it_began() {
    let (mut app, terrain) = settled_app(small_settings());
    edit(&mut app, terrain, |settings| settings.field.seed = 1000);
    app.update();
    edit(&mut app, terrain, |settings| settings.field.seed = 5);
    settle(&mut app, terrain);
    assert_one_generation_without_holes(&mut app, &[small_settings()], 80.0);
}

#[test]
fn a_reload_ends_while_a_viewer_jumps_every_three_frames() {
    let settings = settings_with_levels(4.0);
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, settings.clone());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let mut generations = vec![settings];
    for seed in [77, 78, 79] {
        edit(&mut app, terrain, |settings| settings.field.seed = seed);
        generations.push(generations[0].clone());
        generations.last_mut().expect("there is one").field.seed = seed;
        let mut frame = 0_u16;
        pump_until(&mut app, "the new ground is shown to a viewer that jumps", |app| {
            assert_one_generation_without_holes(app, &generations, 0.0);
            assert_seamless(app, terrain);
            let here = state(app, terrain).viewers().next().expect("a viewer");
            assert!(here.point.view_distance >= 32.0, "there is no ground around the viewer: {here:?}");
            frame += 1;
            if frame.is_multiple_of(3) {
                move_to(app, viewer, f32::from(frame) * 500.0, 0.0);
            }
            !state(app, terrain).is_reloading()
        });
        assert!(frame > 1, "the reload was over at once, which tests nothing");
        assert_eq!(assert_one_generation_without_holes(&mut app, &generations, 0.0), generations.len() - 1);
    }
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn a_reload_of_another_grid_ends_while_a_viewer_jumps_every_three_frames() {
    let settings = settings_with_levels(4.0);
    for (quads, spacing) in [(8, 2.0), (8, 8.0), (16, 4.0), (32, 4.0), (16, 3.0)] {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, settings.clone());
        let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
        settle(&mut app, terrain);
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
        assert!(frame > 1, "the reload was over at once, which tests nothing");
        assert!(frame < 300, "{quads} quads of {spacing} m: the reload took {frame} frames");
        settle(&mut app, terrain);
    }
}

#[test]
fn a_reload_ends_with_more_than_half_of_the_memory_in_use_and_detail_comes_back() {
    let old = settings_with_levels(4.0);
    // Without threads, so that detail does not wait for a busy machine.
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, old.clone());
    add_viewer(&mut app, 0.0, 0.0, 700.0);
    settle(&mut app, terrain);
    let (before, bytes) = (shown(&mut app, terrain), stats(&app).bytes_loaded);
    let limit = bytes as f64 * 1.6;
    set_budget(&mut app, |budget| budget.memory_limit = limit / 1e6);
    settle(&mut app, terrain);
    assert_eq!(shown(&mut app, terrain), before, "all of it fits");
    let mut new = old.clone();
    new.field.seed = 77;
    let both = [old, new];
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    let mut frames_of = [0, 0];
    pump_until(&mut app, "the reload is done", |app| {
        let made_from = assert_one_generation_without_holes(app, &both, 80.0);
        assert_seamless(app, terrain);
        frames_of[made_from] += 1;
        let bytes = stats(app).bytes_loaded as f64;
        assert!(bytes <= limit, "{bytes} bytes of {limit}");
        state(app, terrain).is_settled()
    });
    assert!(frames_of[0] > 1 && frames_of[1] > 1, "{frames_of:?}");
    // By then, the new ground has all the memory, and the detail comes back.
    settle(&mut app, terrain);
    assert!(!state(&app, terrain).is_limited_by_memory());
    let mut alone = app_without_threads();
    let expected = add_terrain(&mut alone, both[1].clone());
    add_viewer(&mut alone, 0.0, 0.0, 700.0);
    settle(&mut alone, expected);
    let expected: Vec<ChunkCoord> = shown(&mut alone, expected).into_keys().collect();
    assert_eq!(shown(&mut app, terrain).into_keys().collect::<Vec<_>>(), expected);
    assert_nothing_left(&mut app);
}

/// Cuts the ground into so many chunks that the reload takes very long.
fn begin_endless_reload(app: &mut App, terrain: Entity) {
    set_budget(app, |budget| budget.chunks_per_frame = 4);
    edit(app, terrain, |settings| settings.chunks.spacing = 0.1);
    for _ in 0..3 {
        app.update();
    }
    assert!(state(app, terrain).is_reloading());
}

#[test]
fn a_reload_that_takes_too_long_is_given_up_when_the_edit_is_taken_back() {
    let (mut app, terrain) = settled_app(small_settings());
    let before = shown(&mut app, terrain);
    begin_endless_reload(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 4.0);
    for _ in 0..3 {
        app.update();
    }
    assert!(state(&app, terrain).is_settled());
    assert_eq!(shown(&mut app, terrain), before, "the ground that was shown is not built again");
    assert_nothing_left(&mut app);
}

#[test]
fn the_old_ground_goes_on_in_front_of_a_viewer_that_moves_during_a_reload() {
    let (mut app, terrain) = settled_app(small_settings());
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    begin_endless_reload(&mut app, terrain);
    for step in 1..=10_u8 {
        let x = f32::from(step) * 40.0;
        move_to(&mut app, viewer, x, 0.0);
        let here = state(&app, terrain).layout().expect("there is ground").chunk_at(0, f64::from(x), 0.0);
        pump_until(&mut app, "there is ground under the viewer", |app| shown(app, terrain).contains_key(&here));
        assert!(state(&app, terrain).is_reloading());
        assert_one_generation_without_holes(&mut app, &[small_settings()], 0.0);
    }
}

#[test]
fn changing_the_look_the_streaming_or_the_budget_rebuilds_nothing() {
    let (mut app, terrain) = settled_app(small_settings());
    let (chunks, done) = (shown(&mut app, terrain), stats(&app).chunks_built);
    edit(&mut app, terrain, |settings| settings.look.grass = [0.9, 0.1, 0.1]);
    pump(&mut app, 10);
    edit(&mut app, terrain, |settings| settings.stream.look_ahead = 3.0);
    pump(&mut app, 10);
    set_budget(&mut app, |budget| (budget.chunks_per_frame, budget.max_tasks) = (1, 2));
    pump(&mut app, 10);
    let in_use = state(&app, terrain).settings().expect("settings are in use");
    assert_eq!((in_use.look.grass, in_use.stream.look_ahead), ([0.9, 0.1, 0.1], 3.0));
    assert_eq!((shown(&mut app, terrain), stats(&app).chunks_built), (chunks, done));
    assert!(state(&app, terrain).is_settled());
}

#[test]
fn invalid_values_are_refused_and_the_last_good_ones_stay() {
    let (mut app, terrain) = settled_app(small_settings());
    let chunks = shown(&mut app, terrain);
    let done = stats(&app).chunks_built;
    edit(&mut app, terrain, |settings| {
        settings.field.layers[0].octaves = 40;
        settings.chunks.spacing = f64::NAN;
        settings.field.seed = 123;
    });
    pump(&mut app, 20);
    assert_eq!(
        problems(&app, terrain),
        ["`field.layers[0].octaves` is 40, allowed: 0 to 32", "`chunks.spacing` is NaN, allowed: 0.1 to 100 m",]
    );
    assert_eq!(state(&app, terrain).settings(), Some(&small_settings()));
    assert_eq!((shown(&mut app, terrain), stats(&app).chunks_built), (chunks, done));
    // Half mended is not mended.
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 4.0);
    app.update();
    assert_eq!(problems(&app, terrain), ["`field.layers[0].octaves` is 40, allowed: 0 to 32"]);
    edit(&mut app, terrain, |settings| settings.field.layers[0].octaves = 3);
    settle(&mut app, terrain);
    assert_eq!(problems(&app, terrain), Vec::<String>::new());
    let mut new = small_settings();
    new.field.seed = 123;
    assert_one_generation_without_holes(&mut app, &[new], 80.0);
}

#[test]
fn octaves_too_fine_for_the_mesh_are_told_until_they_are_gone_and_built_all_the_same() {
    let mut settings = small_settings();
    settings.field.layers[0].octaves = 5;
    let (mut app, terrain) = settled_app(settings.clone());
    assert_one_generation_without_holes(&mut app, &[settings], 80.0);
    assert_eq!(
        warnings(&app, terrain),
        [
            "`field.layers[0].octaves`: octave 5 has 0.64 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use 4 octaves, or a spacing of at most 3.1 m"
        ]
    );
    assert_eq!(problems(&app, terrain), Vec::<String>::new());
    // A value that is refused leaves the warning about those in use.
    edit(&mut app, terrain, |settings| settings.field.layers[0].octaves = 40);
    app.update();
    assert_eq!((warnings(&app, terrain).len(), problems(&app, terrain).len()), (1, 1));
    edit(&mut app, terrain, |settings| settings.field.layers[0].octaves = 4);
    app.update();
    assert_eq!(warnings(&app, terrain), Vec::<String>::new());
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 8.0);
    app.update();
    assert!(warnings(&app, terrain)[0].starts_with("`field.layers[0].octaves`: octave 4 has 0.64 cycles"));
}

#[test]
fn invalid_values_from_the_start_give_no_terrain_until_they_are_mended() {
    let mut app = headless_app();
    let mut settings = small_settings();
    settings.chunks.quads = 9;
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    pump(&mut app, 20);
    assert_eq!(problems(&app, terrain), ["`chunks.quads` is 9, allowed: a power of two, 8 to 128"]);
    assert_eq!(chunk_entities(&mut app), 0);
    edit(&mut app, terrain, |settings| settings.chunks.quads = 8);
    settle(&mut app, terrain);
    assert_one_generation_without_holes(&mut app, &[small_settings()], 80.0);
}

#[test]
fn another_handle_is_followed_as_a_reload_is() {
    let (mut app, terrain) = settled_app(small_settings());
    let mut new = small_settings();
    new.field.seed = 42;
    set_budget(&mut app, |budget| budget.chunks_per_frame = 1);
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(new.clone());
    app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle;
    let both = [small_settings(), new];
    pump_until(&mut app, "the new ground is there", |app| {
        assert_one_generation_without_holes(app, &both, 80.0);
        state(app, terrain).is_settled()
    });
    assert_eq!(assert_one_generation_without_holes(&mut app, &both, 80.0), 1);
}

#[test]
fn while_other_settings_are_on_their_way_the_ground_is_not_ready() {
    let (mut app, terrain) = settled_app(small_settings());
    let mut new = small_settings();
    new.field.seed = 42;
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle.clone();
    for _ in 0..5 {
        app.update();
        assert!(!state(&app, terrain).is_settled(), "what is shown is not what was asked for");
        assert_one_generation_without_holes(&mut app, &[small_settings()], 80.0);
    }
    app.world_mut().resource_mut::<Assets<TerrainSettings>>().insert(&handle, new.clone()).expect("it was reserved");
    settle(&mut app, terrain);
    assert_one_generation_without_holes(&mut app, &[new], 80.0);
}

#[test]
fn what_is_wrong_with_one_asset_is_not_told_of_the_next() {
    let (mut app, terrain) = settled_app(small_settings());
    edit(&mut app, terrain, |settings| settings.chunks.quads = 9);
    app.update();
    assert_eq!(problems(&app, terrain).len(), 1);
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle;
    app.update();
    assert_eq!(problems(&app, terrain), Vec::<String>::new());
}
