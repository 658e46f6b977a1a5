//! Water, pixel by pixel.

use super::*;
use bevy::light::EnvironmentMapLight;
use bevy_perlin_terrain::render::TerrainWind;

/// Two hills and a ridge in water that is as high as their feet, while the time stands.
fn lake(x: f64, z: f64) -> Scene {
    let mut settings = hills(x, z);
    settings.field.base_height = -8.0;
    settings.look.water = true;
    Scene { settings, origin: [x, z], ..default() }
}

/// The same with water over a level bottom, so that nothing but the surface differs from place to place.
fn open_water() -> Scene {
    let mut scene = Scene { settings: settings_with_levels(30.0), ..default() };
    scene.settings.field = FieldSettings { base_height: -60.0, layers: Vec::new(), ..scene.settings.field };
    scene.settings.look.water = true;
    scene
}

/// How many pixels differ visibly.
fn changed(a: &Pixels, b: &Pixels) -> usize {
    differences(a, b).into_iter().filter(|&difference| difference > 3).count()
}

/// The mean color of a part of a screenshot, in rows from the top.
fn mean(pixels: &Pixels, rows: std::ops::Range<usize>) -> [f32; 3] {
    let width = SCREENSHOT_SIZE[0] as usize;
    let part = &pixels[rows.start * width..rows.end * width];
    std::array::from_fn(|i| part.iter().map(|pixel| f32::from(pixel[i])).sum::<f32>() / part.len() as f32)
}

#[test]
fn water_ten_thousand_kilometres_away_looks_the_same() {
    let _alone = alone();
    let (Some(here), Some(there)) = (screenshot_of(lake(0.0, 0.0)), screenshot_of(lake(1e7, -1e7))) else { return };
    assert_same_ground(&here, &there);
}

#[test]
fn the_same_water_is_drawn_before_and_after_an_origin_shift() {
    let _alone = alone();
    let scene = |x: f64, z: f64| Scene {
        origin: [x, z],
        camera: Transform::from_xyz(-x as f32, 80.0, -z as f32).with_rotation(Quat::from_rotation_x(-0.5)),
        ..lake(0.0, 0.0)
    };
    let (Some(before), Some(after)) = (screenshot_of(scene(0.0, 0.0)), screenshot_of(scene(1024.0, -512.0))) else {
        return;
    };
    assert_same_ground(&before, &after);
}

#[test]
fn waves_move_with_the_time_and_stand_when_it_stands() {
    let _alone = alone();
    let Some((mut app, camera)) = show(open_water()) else { return };
    app.update();
    let before = screenshot(&mut app, camera);
    let still = screenshot(&mut app, camera);
    assert_eq!(differences(&before, &still).into_iter().max(), Some(0));
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    pump(&mut app, 60);
    let later = screenshot(&mut app, camera);
    assert!(changed(&before, &later) * 20 > before.len(), "{} pixels have moved", changed(&before, &later));
}

#[test]
fn no_line_shows_between_sheets_of_different_levels() {
    let _alone = alone();
    let calm = |x: f32| {
        let mut scene = open_water();
        scene.settings.look.waves = 0.0;
        scene.camera = Transform::from_xyz(x, 90.0, 7.0).with_rotation(Quat::from_rotation_x(-0.45));
        scene
    };
    let Some((mut app, camera)) = show(calm(0.0)) else { return };
    // A bright sky, in which a gap is dark.
    let sky = EnvironmentMapLight::solid_color(&mut app.world_mut().resource_mut::<Assets<Image>>(), Color::WHITE);
    app.world_mut().entity_mut(camera).insert(sky.with_intensity(20_000.0));
    let mut levels = BTreeSet::new();
    for step in 0..12 {
        *app.world_mut().get_mut::<Transform>(camera).expect("a camera") = calm(step as f32 * 23.0).camera;
        let pixels = screenshot(&mut app, camera);
        levels.extend(chunks(&mut app).into_iter().map(|(coord, _)| coord.level));
        // Calm water over a level bottom has the same color along each row, nearly. A gap would leave a pixel without its mirror.
        let width = SCREENSHOT_SIZE[0] as usize;
        for (row, pixels) in pixels.chunks_exact(width).enumerate().skip(SCREENSHOT_SIZE[1] as usize / 3) {
            for pair in pixels.windows(2) {
                let step = (0..3).map(|i| pair[0][i].abs_diff(pair[1][i])).max();
                assert!(step <= Some(4), "{pair:?} beside each other in row {row}");
            }
        }
    }
    assert!(levels.len() > 2, "{levels:?}");
}

#[test]
fn clear_water_shows_the_bottom_and_murky_water_hides_it() {
    let _alone = alone();
    let shallow = |clarity: f64| {
        let mut scene = open_water();
        scene.settings.field.base_height = -3.0;
        (scene.settings.look.waves, scene.settings.look.water_clarity) = (0.0, clarity);
        scene.camera = Transform::from_xyz(0.0, 30.0, 0.0).with_rotation(Quat::from_rotation_x(-1.4));
        scene
    };
    let mut dry = shallow(6.0);
    dry.settings.look.water = false;
    let [Some(dry), Some(clear), Some(murky)] = [dry, shallow(80.0), shallow(0.5)].map(screenshot_of) else { return };
    let [dry, clear, murky] = [&dry, &clear, &murky].map(|pixels| luminance(mean(pixels, 20..60).map(|n| n as u8)));
    // A wet bottom is half as bright as a dry one, in linear light.
    assert!(clear > 0.5 * dry && murky < 0.7 * clear, "{dry}, {clear} and {murky}");
}

#[test]
fn from_below_the_sky_shows_overhead_and_the_water_around_it() {
    let _alone = alone();
    let mut scene = open_water();
    (scene.settings.look.waves, scene.settings.look.water_clarity) = (0.0, 80.0);
    // The upper edge of the view is nearly overhead, and the lower one nearly level.
    scene.camera = Transform::from_xyz(0.0, -10.0, 0.0).with_rotation(Quat::from_rotation_x(0.75));
    let Some(pixels) = screenshot_of(scene) else { return };
    let background = BACKGROUND.map(f32::from);
    let [overhead, around] = [0..8, 40..60].map(|rows| mean(&pixels, rows));
    let distance = |color: [f32; 3]| (0..3).map(|i| (color[i] - background[i]).abs()).fold(0.0, f32::max);
    assert!(distance(overhead) < 40.0, "the sky is behind the water: {overhead:?}");
    assert!(distance(around) > 100.0, "the water mirrors itself: {around:?}");
}

#[test]
fn waves_follow_the_wind() {
    let _alone = alone();
    let Some((mut app, camera)) = show(open_water()) else { return };
    let before = screenshot(&mut app, camera);
    *app.world_mut().resource_mut::<TerrainWind>() = TerrainWind { speed: 15.0, toward: 3.0 };
    app.update();
    let after = screenshot(&mut app, camera);
    assert!(changed(&before, &after) * 20 > before.len(), "{} pixels differ", changed(&before, &after));
}
