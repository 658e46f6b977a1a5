//! Problems of changed settings, and warnings about them.

use super::*;

#[test]
fn invalid_values_are_refused_and_the_last_valid_ones_stay() {
    let (mut app, terrain) = settled_app(small_settings());
    let chunks = drawn_chunks(&mut app, terrain);
    let done = stats(&app).chunks_built;
    edit(&mut app, terrain, |settings| {
        settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = 40;
        settings.chunks.spacing = f64::NAN;
        settings.field.seed = 123;
    });
    pump(&mut app, 20);
    assert_eq!(
        problems(&app, terrain),
        ["`field.layers[0].kind.octaves` is 40, allowed: 0 to 32", "`chunks.spacing` is NaN, allowed: 0.1 to 100 m",]
    );
    assert_eq!(state(&app, terrain).settings(), Some(&small_settings()));
    assert_eq!((drawn_chunks(&mut app, terrain), stats(&app).chunks_built), (chunks, done));
    // One of two problems is fixed.
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 4.0);
    app.update();
    assert_eq!(problems(&app, terrain), ["`field.layers[0].kind.octaves` is 40, allowed: 0 to 32"]);
    edit(&mut app, terrain, |settings| settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = 3);
    settle(&mut app, terrain);
    assert_eq!(problems(&app, terrain), Vec::<String>::new());
    let mut new = small_settings();
    new.field.seed = 123;
    assert_one_ground_without_holes(&mut app, &[new], 80.0);
}

#[test]
fn octaves_too_fine_for_the_mesh_are_built_with_a_warning() {
    let mut settings = small_settings();
    settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = 5;
    let (mut app, terrain) = settled_app(settings.clone());
    assert_one_ground_without_holes(&mut app, &[settings], 80.0);
    assert_eq!(
        warnings(&app, terrain),
        [
            "`field.layers[0].kind.octaves`: octave 5 has 0.64 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use 4 octaves, or a spacing of at most 3.1 m"
        ]
    );
    assert_eq!(problems(&app, terrain), Vec::<String>::new());
    // A refused value keeps the warning about the values in use.
    edit(&mut app, terrain, |settings| settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = 40);
    app.update();
    assert_eq!((warnings(&app, terrain).len(), problems(&app, terrain).len()), (1, 1));
    edit(&mut app, terrain, |settings| settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = 4);
    app.update();
    assert_eq!(warnings(&app, terrain), Vec::<String>::new());
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 8.0);
    app.update();
    assert!(warnings(&app, terrain)[0].starts_with("`field.layers[0].kind.octaves`: octave 4 has 0.64 cycles"));
}

#[test]
fn values_that_are_invalid_at_the_start_give_no_terrain_until_they_are_fixed() {
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
    assert_one_ground_without_holes(&mut app, &[small_settings()], 80.0);
}

#[test]
fn problems_of_one_asset_do_not_remain_for_the_next() {
    let (mut app, terrain) = settled_app(small_settings());
    edit(&mut app, terrain, |settings| settings.chunks.quads = 9);
    app.update();
    assert_eq!(problems(&app, terrain).len(), 1);
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    app.world_mut().get_mut::<Terrain>(terrain).expect("a terrain").0 = handle;
    app.update();
    assert_eq!(problems(&app, terrain), Vec::<String>::new());
}
