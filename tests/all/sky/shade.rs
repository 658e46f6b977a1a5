//! What the light of the sky alone reaches, pixel by pixel. The test needs a driver; one that draws on the processor suffices.

use super::*;
use testing::app::render::{SCREENSHOT_SIZE, add_camera, drawing_app, screenshot};

/// The mean brightness of the middle of a screenshot, from 0 to 255.
fn brightness(app: &mut App, camera: Entity) -> f32 {
    let pixels = screenshot(app, camera);
    let [width, height] = SCREENSHOT_SIZE.map(|side| side as usize);
    let middle = (height / 2 - 4..height / 2 + 4).flat_map(|y| (width / 2 - 4..width / 2 + 4).map(move |x| (x, y)));
    let colors: Vec<f32> = middle.flat_map(|(x, y)| pixels[y * width + x]).map(f32::from).collect();
    colors.iter().sum::<f32>() / colors.len() as f32
}

#[test]
fn shade_has_light_in_each_frame_while_the_sky_changes() {
    let _alone = alone();
    let Some(mut app) = drawing_app(TerrainRenderPlugin { texture_size: 0, far_map_size: 0, ..default() }) else {
        return;
    };
    // The sun is behind the wall.
    let of_air = |air: f64| {
        let sun = Sun::Angles(SunAngles { azimuth: 0.0, elevation: 0.5 });
        SkySettings { sun, air, clouds: Clouds { cover: 0.0, ..default() }, ..default() }
    };
    let sky = app.world_mut().resource_mut::<Assets<SkySettings>>().add(of_air(1.0));
    let wall = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(20.0, 20.0, 1.0));
    let white = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::WHITE);
    app.world_mut().spawn((Mesh3d(wall), MeshMaterial3d(white), Transform::from_xyz(0.0, 0.0, -8.0)));
    let camera = add_camera(&mut app, 2000.0, Transform::default());
    app.world_mut().entity_mut(camera).insert((Smaa::default(), TerrainSky(sky.clone())));
    pump_until(&mut app, "the mirrored sky is made", |app| {
        app.world().get::<EnvironmentMapLight>(camera).is_some_and(|light| light.diffuse_map != light.specular_map)
    });
    pump(&mut app, 3);
    let first = brightness(&mut app, camera);
    assert!(first > 20.0, "{first}");
    for step in 1..=30 {
        *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") =
            of_air(1.0 + 0.002 * f64::from(step));
        let now = brightness(&mut app, camera);
        assert!((now / first - 1.0).abs() < 0.1, "{now} after {first} in step {step}");
    }
}
