//! Clouds and their shade, pixel by pixel.

use super::*;
use bevy_perlin_terrain::light::{Clouds, SkySettings, Sun, SunAngles};
use bevy_perlin_terrain::render::CloudPattern;

/// A scene below clouds of a sky with a high sun, while the time stands.
struct Below {
    scene: Scene,
    clouds: Clouds,
}

impl Below {
    /// Ground at sea level, without relief and with one color, so that nothing but light differs from place to place.
    fn level_ground() -> Self {
        let mut scene = Scene { settings: settings_with_levels(30.0), ..default() };
        scene.settings.field = FieldSettings { base_height: 0.0, layers: Vec::new(), ..scene.settings.field };
        scene.settings.look.variation = 0.0;
        // Small clouds, so that their edges are in view.
        Self { scene, clouds: Clouds { cover: 0.5, height: 400.0, size: 300.0 } }
    }

    fn looking(self, y: f32, pitch: f32) -> Self {
        let camera = Transform::from_xyz(0.0, y, 0.0).with_rotation(Quat::from_rotation_x(pitch));
        Self { scene: Scene { camera, ..self.scene }, ..self }
    }

    /// The app, its camera and its sky. `None` without a driver.
    fn show(self) -> Option<(App, Entity, Handle<SkySettings>)> {
        let (mut app, camera) = show(self.scene)?;
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        // The sun of the sky takes the place of that of the scene.
        let mut suns = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
        let sun = suns.single(app.world()).expect("one sun");
        app.world_mut().despawn(sun);
        let has_clouds = self.clouds.cover > 0.0;
        let sun = Sun::Angles(SunAngles { azimuth: 1.0, elevation: 1.2 });
        // The screenshots have no tone mapping. With less light, nothing is white.
        let settings = SkySettings { sun, clouds: self.clouds, exposure: -2.5, ..default() };
        let sky = app.world_mut().resource_mut::<Assets<SkySettings>>().add(settings);
        app.world_mut().entity_mut(camera).insert(TerrainSky(sky.clone()));
        pump_until(&mut app, "clouds and maps are made", |app| {
            let maps = app.world_mut().query::<&TerrainFarMaps>().iter(app.world()).all(TerrainFarMaps::are_complete);
            maps && (!has_clouds || app.world().resource::<CloudPattern>().is_complete())
        });
        Some((app, camera, sky))
    }

    fn screenshot(self) -> Option<Pixels> {
        let (mut app, camera, _) = self.show()?;
        Some(screenshot(&mut app, camera))
    }
}

/// Which pixels lie in the shade of clouds: those that are darker than in a screenshot below a clear sky, compared with the others.
fn shaded(cloudy: &Pixels, clear: &Pixels) -> Vec<bool> {
    let light = |(&cloudy, &clear): (&[u8; 3], &[u8; 3])| luminance(cloudy) / luminance(clear).max(1.0);
    let light: Vec<f32> = cloudy.iter().zip(clear).map(light).collect();
    // A tenth of the pixels at least is in the sun.
    let mut sorted = light.clone();
    sorted.sort_by(f32::total_cmp);
    let sunlit = sorted[sorted.len() * 9 / 10];
    light.iter().map(|light| *light < 0.75 * sunlit).collect()
}

#[test]
fn clouds_shade_the_ground_in_the_same_places_as_the_water_over_it() {
    let _alone = alone();
    let down = |depth: f64, cover: f64| {
        let mut below = Below::level_ground().looking(120.0, -1.3);
        below.clouds.cover = cover;
        below.scene.settings.field.base_height = -depth;
        let look = &mut below.scene.settings.look;
        // What is in murky water is lit as the bottom is, and the surface mirrors little from straight above.
        (look.water, look.water_height, look.waves, look.water_clarity) = (depth > 0.0, 0.0, 0.0, 0.3);
        look.water_color = [0.6; 3];
        below.screenshot()
    };
    let [Some(dry), Some(clear_dry), Some(wet), Some(clear_wet)] =
        [down(0.0, 0.5), down(0.0, 0.0), down(8.0, 0.5), down(8.0, 0.0)]
    else {
        return;
    };
    let (on_ground, on_water) = (shaded(&dry, &clear_dry), shaded(&wet, &clear_wet));
    let (all, dark) = (on_ground.len(), on_ground.iter().filter(|&&shaded| shaded).count());
    assert!(dark * 10 > all && dark * 10 < 9 * all, "{dark} of {all} pixels are in the shade");
    let differ = on_ground.iter().zip(&on_water).filter(|(ground, water)| ground != water).count();
    assert!(differ * 16 < all, "{differ} of {all} pixels are shaded on one and not on the other");
}

#[test]
fn clouds_ten_thousand_kilometres_away_and_after_an_origin_shift_look_the_same() {
    let _alone = alone();
    let at = |x: f64, z: f64, shift: [f32; 2]| {
        let mut below = Below::level_ground().looking(60.0, 0.25);
        below.scene.origin = [x + f64::from(shift[0]), z + f64::from(shift[1])];
        below.scene.camera.translation -= Vec3::new(shift[0], 0.0, shift[1]);
        below.screenshot()
    };
    // Far away in whole periods, since other places have other clouds.
    let [Some(here), Some(far), Some(shifted)] =
        [at(0.0, 0.0, [0.0; 2]), at(1e7, -1e7, [0.0; 2]), at(1e7, -1e7, [1024.0, -512.0])]
    else {
        return;
    };
    assert_same_ground(&here, &far);
    assert_same_ground(&here, &shifted);
}

#[test]
fn a_cloudy_sky_has_no_steps_from_row_to_row() {
    let _alone = alone();
    let up = |cover: f64| {
        let mut below = Below::level_ground().looking(2.0, 0.4);
        below.clouds = Clouds { cover, height: 1500.0, size: 3000.0 };
        below.screenshot()
    };
    let [Some(clear), Some(cloudy)] = [up(0.0), up(0.5)] else { return };
    let width = SCREENSHOT_SIZE[0] as usize;
    let changed = differences(&clear, &cloudy).into_iter().filter(|&difference| difference > 20).count();
    assert!(changed * 5 > clear.len(), "{changed} pixels are clouds");
    // Above the horizon.
    let rows = SCREENSHOT_SIZE[1] as usize / 2;
    // The edge of a cloud crosses some columns. A band would be the same step in most of them.
    for row in 1..rows {
        let step =
            |column: usize| luminance(cloudy[(row - 1) * width + column]) - luminance(cloudy[row * width + column]);
        let signs = (0..width).map(step).map(|step| if step.abs() > 5.0 { step.signum() } else { 0.0 });
        let sum: f32 = signs.sum();
        assert!(sum.abs() * 2.0 < width as f32, "a step from row to row in {sum} of {width} columns at row {row}");
    }
}

#[test]
fn clouds_stand_when_the_time_does_and_follow_their_cover_without_an_empty_frame() {
    let _alone = alone();
    let Some((mut app, camera, sky)) = Below::level_ground().looking(60.0, 0.25).show() else { return };
    let before = screenshot(&mut app, camera);
    let still = screenshot(&mut app, camera);
    assert_eq!(differences(&before, &still).into_iter().max(), Some(0));
    // As one who drags a slider.
    let images = app.world().resource::<Assets<Image>>().len();
    for step in 0..30 {
        let mut skies = app.world_mut().resource_mut::<Assets<SkySettings>>();
        skies.get_mut(&sky).expect("the sky").clouds.cover = f64::from(step) / 29.0;
        let pixels = screenshot(&mut app, camera);
        assert!(!pixels.contains(&BACKGROUND), "the sky is never empty");
    }
    pump(&mut app, 3);
    let now = app.world().resource::<Assets<Image>>().len();
    assert!(now <= images + 3, "{now} images after {images}");
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky").clouds.cover = 0.5;
    pump(&mut app, 60);
    let later = screenshot(&mut app, camera);
    let moved = differences(&before, &later).into_iter().filter(|&difference| difference > 3).count();
    assert!(moved * 20 > before.len(), "{moved} pixels have moved");
}
