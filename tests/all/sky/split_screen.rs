//! Two cameras with different skies, as on a split screen. The test needs a driver; one that draws on the processor suffices.

use super::*;
use bevy::render::renderer::RenderAdapter;
use bevy_perlin_terrain::light::Clouds;
use bevy_perlin_terrain::render::CloudPattern;
use testing::app::render::{add_camera, drawing_app, screenshot};
use testing::skip;

type Pixels = Vec<[u8; 3]>;

/// The screenshots of cameras with these skies, in one app. `None` without a driver, and if it can't draw such skies.
fn screenshots(method: SkyMethod, skies: &[SkySettings]) -> Option<Vec<Pixels>> {
    let mut app = drawing_app(TerrainRenderPlugin { texture_size: 0, far_map_size: 0, ..default() })?;
    let driver = app.sub_app(RenderApp).world().resource::<RenderAdapter>().get_info().driver_info;
    if method == SkyMethod::Atmosphere && driver.starts_with("Mesa 22") {
        skip(&format!("{driver} crashes over Bevy's atmosphere"));
        return None;
    }
    app.insert_resource(method);
    // Clouds are in the same place in all apps.
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let cameras: Vec<Entity> = skies
        .iter()
        .map(|sky| {
            let sky = app.world_mut().resource_mut::<Assets<SkySettings>>().add(sky.clone());
            let up = Transform::from_xyz(0.0, 100.0, 0.0).looking_to(Vec3::new(1.0, 0.3, 0.0), Vec3::Y);
            let camera = add_camera(&mut app, 2000.0, up);
            // Temporal anti-aliasing would add up frames.
            let mut entity = app.world_mut().entity_mut(camera);
            // The color behind the air is that of the sky.
            entity.get_mut::<Camera>().expect("a camera").clear_color = ClearColorConfig::Default;
            entity.insert((Smaa::default(), TerrainSky(sky)));
            camera
        })
        .collect();
    pump_until(&mut app, "clouds are made", |app| app.world().resource::<CloudPattern>().is_complete());
    pump(&mut app, 5);
    Some(cameras.into_iter().map(|camera| screenshot(&mut app, camera)).collect())
}

fn mean_difference(a: &Pixels, b: &Pixels) -> f32 {
    let sum: f32 = a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| f32::from(a.abs_diff(*b))).sum();
    sum / a.as_flattened().len() as f32
}

#[test]
fn each_half_of_a_split_screen_has_its_own_sky() {
    let cover = |cover: f64| Clouds { cover, ..Clouds::default() };
    let clear = SkySettings { clouds: cover(0.2), ..sun_at(0.4) };
    let dusty = SkySettings { air: 6.0, ozone: 0.0, far_ground: [0.9, 0.3, 0.1], clouds: cover(0.6), ..sun_at(0.4) };
    for method in [SkyMethod::Dome, SkyMethod::Atmosphere] {
        let draw = |skies: &[&SkySettings]| screenshots(method, &skies.iter().copied().cloned().collect::<Vec<_>>());
        let (Some(both), Some(one), Some(other)) = (draw(&[&clear, &dusty]), draw(&[&clear]), draw(&[&dusty])) else {
            continue;
        };
        let [one, other] = [&one[0], &other[0]];
        let apart = mean_difference(one, other);
        assert!(apart > 5.0, "{method:?}: both skies look alike: they differ by {apart} of 255");
        for (number, (in_both, alone)) in both.iter().zip([one, other]).enumerate() {
            let difference = mean_difference(in_both, alone);
            assert!(difference < 0.5, "{method:?}: the sky {number} of two differs from itself alone by {difference}");
        }
    }
}

#[test]
fn clouds_are_drawn_over_the_sky_with_both_methods() {
    for method in [SkyMethod::Dome, SkyMethod::Atmosphere] {
        let draw = |cover: f64| {
            // The pattern is made for the second sky in any case.
            let sky = |cover: f64| SkySettings { clouds: Clouds { cover, ..Clouds::default() }, ..sun_at(0.7) };
            Some(screenshots(method, &[sky(cover), sky(0.5)])?.swap_remove(0))
        };
        let (Some(clear), Some(fair), Some(closed)) = (draw(0.0), draw(0.5), draw(1.0)) else { continue };
        let [some, all] = [&fair, &closed].map(|cloudy| mean_difference(&clear, cloudy));
        assert!(some > 4.0 && all > some, "{method:?}: clouds change the sky by {some} and {all} of 255");
        // A cloud is gray, and the sky behind it is blue.
        let blue = |pixels: &Pixels| pixels.iter().filter(|[red, _, blue]| *blue > red.saturating_add(60)).count();
        let [clear, fair, closed] = [&clear, &fair, &closed].map(blue);
        assert!(closed * 10 < clear && fair < clear, "{method:?}: {clear}, {fair} and {closed} pixels are blue");
    }
}
