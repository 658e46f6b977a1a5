//! Light: what a camera with a sky gets, and changes of its file. Without a window and a GPU, skies are domes.

mod anti_aliasing;
mod mirror;
mod shade;
mod split_screen;
mod water;

use bevy::anti_alias::smaa::Smaa;
use bevy::camera::Exposure;
use bevy::camera::visibility::{RenderLayers, VisibleEntities};
use bevy::extract::sync_world::SyncWorldPlugin;
use bevy::light::{Atmosphere, CascadeShadowConfig, EnvironmentMapLight, NotShadowCaster};
use bevy::pbr::AtmosphereSettings;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::view::ColorGrading;
use bevy_perlin_terrain::light::{Clouds, SkySettings, Sun, SunAngles, Wind};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{TerrainQuality, TerrainRenderPlugin, TerrainWind};
use bevy_perlin_terrain::sky::{SkyMethod, TerrainSkyPlugin, TerrainSun};
use std::any::TypeId;
use testing::Folder;
use testing::app::log::warnings_of;
use testing::app::render::render_app;
use testing::app::{alone, finish, pump, pump_until, with_manual_clock};

/// The settings of a sky with the sun at `elevation`.
fn sun_at(elevation: f64) -> SkySettings {
    SkySettings { sun: Sun::Angles(SunAngles { azimuth: 1.0, elevation }), ..default() }
}

/// An app with a camera that has this sky.
fn app_with_sky(settings: SkySettings) -> (App, Entity, Handle<SkySettings>) {
    let mut app = render_app(TerrainRenderPlugin::default());
    let sky = app.world_mut().resource_mut::<Assets<SkySettings>>().add(settings);
    let camera = app.world_mut().spawn((Camera3d::default(), TerrainSky(sky.clone()))).id();
    pump(&mut app, 2);
    (app, camera, sky)
}

/// The suns: their directions and their light in lux.
fn suns(app: &mut App) -> Vec<(Vec3, f32)> {
    let mut suns = app.world_mut().query_filtered::<(&Transform, &DirectionalLight), With<TerrainSun>>();
    suns.iter(app.world()).map(|(position, light)| (position.back().as_vec3(), light.illuminance)).collect()
}

#[test]
fn a_camera_gets_light_haze_and_exposure_by_its_sky() {
    let (mut app, camera, sky) = app_with_sky(sun_at(0.8));
    let ev = |app: &App| app.world().get::<Exposure>(camera).expect("an exposure").ev100;
    let (noon, fog) = (ev(&app), app.world().get::<DistanceFog>(camera).expect("haze").color);
    assert!(app.world().get::<EnvironmentMapLight>(camera).is_some_and(|light| light.intensity == 1.0));
    assert_eq!(app.world().get::<AmbientLight>(camera).expect("an ambient light").brightness, 0.0);
    let [(direction, lux)] = suns(&mut app)[..] else { panic!("one sun") };
    assert!(direction.abs_diff_eq(Vec3::from_array(sun_at(0.8).sun.direction().map(|n| n as f32)), 1e-5));

    *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") = sun_at(0.1);
    pump(&mut app, 2);
    assert!(ev(&app) < noon - 0.5, "the camera opens in the evening");
    let [(direction, evening)] = suns(&mut app)[..] else { panic!("one sun") };
    assert!((direction.y - 0.1_f32.sin()).abs() < 1e-5 && evening < 0.8 * lux);
    assert_ne!(app.world().get::<DistanceFog>(camera).expect("haze").color, fog);

    let meshes = |app: &mut App| app.world_mut().query::<&Mesh3d>().iter(app.world()).count();
    assert_eq!(meshes(&mut app), 1, "the dome");
}

#[test]
fn the_wind_is_that_of_the_sky_until_a_game_changes_it() {
    let blowing = |speed: f64| SkySettings { wind: Wind { speed, toward: 2.0 }, ..sun_at(0.8) };
    let (mut app, camera, sky) = app_with_sky(blowing(9.0));
    let wind = |app: &App| *app.world().resource::<TerrainWind>();
    assert_eq!(wind(&app), TerrainWind { speed: 9.0, toward: 2.0 });
    let calm = TerrainWind { speed: 0.0, toward: 1.0 };
    app.insert_resource(calm);
    pump(&mut app, 2);
    assert_eq!(wind(&app), calm);
    // Another camera with the same sky.
    app.world_mut().spawn((Camera3d::default(), TerrainSky(sky.clone())));
    app.world_mut().get_mut::<Camera>(camera).expect("a camera").is_active = false;
    pump(&mut app, 3);
    assert_eq!(wind(&app), calm);
    *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") = blowing(12.0);
    pump(&mut app, 2);
    assert_eq!(wind(&app), TerrainWind { speed: 12.0, toward: 2.0 });
    // Settings that are not allowed change nothing.
    *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") = blowing(f64::NAN);
    pump(&mut app, 2);
    assert_eq!(wind(&app), TerrainWind { speed: 12.0, toward: 2.0 });
}

#[test]
fn a_camera_opens_below_clouds_and_its_sun_grows_dim() {
    let below = |cover: f64| SkySettings { clouds: Clouds { cover, ..Clouds::default() }, ..sun_at(0.8) };
    let (mut app, camera, sky) = app_with_sky(below(0.0));
    let mut before = (f32::MAX, f32::MAX);
    // As one who drags a slider.
    for step in 0..=30 {
        let sky_now = below(f64::from(step) / 30.0);
        *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") = sky_now;
        pump(&mut app, 1);
        let [(_, lux)] = suns(&mut app)[..] else { panic!("one sun") };
        let now = (app.world().get::<Exposure>(camera).expect("an exposure").ev100, lux);
        assert!(now.0 <= before.0 && now.1 <= before.1, "{now:?} after {before:?} at {step}");
        before = now;
    }
    let skies = app.world().resource::<Assets<SkySettings>>().len();
    let meshes = app.world_mut().query::<&Mesh3d>().iter(app.world()).count();
    assert_eq!((skies, meshes), (1, 1), "nothing is left behind");
}

#[test]
fn a_game_has_its_own_sun_and_each_camera_its_own_haze() {
    let (mut app, _, sky) = app_with_sky(sun_at(0.8));
    let near = SkySettings { visibility: 2.0, ..sun_at(0.8) };
    let near = app.world_mut().resource_mut::<Assets<SkySettings>>().add(near);
    let near = app.world_mut().spawn((Camera3d::default(), TerrainSky(near))).id();
    let far = (Camera3d::default(), TerrainViewer { view_distance: 20_000.0 }, TerrainSky(sky));
    let far = app.world_mut().spawn(far).id();
    pump(&mut app, 2);
    assert_eq!(suns(&mut app).len(), 1, "a second camera brings no second sun");
    let density = |camera| match app.world().get::<DistanceFog>(camera).expect("haze").falloff {
        FogFalloff::ExponentialSquared { density } => density,
        _ => panic!("the haze grows with the square of the distance"),
    };
    assert!((density(near) / density(far) - 10.0).abs() < 1e-3, "2 km and 20 km");
}

#[test]
fn each_camera_sees_its_own_dome_alone_and_it_is_where_the_camera_is() {
    let (mut app, first, sky) = app_with_sky(sun_at(0.8));
    let far = Transform::from_xyz(30_000.0, 5.0, -7.0);
    let second = app.world_mut().spawn((Camera3d::default(), far, TerrainSky(sky))).id();
    let without = app.world_mut().spawn(Camera3d::default()).id();
    pump(&mut app, 2);
    let mut seen = |camera| -> Vec<Vec3> {
        let visible = app.world().get::<VisibleEntities>(camera).expect("every camera has them").clone();
        let mut domes = app.world_mut().query_filtered::<&GlobalTransform, With<Mesh3d>>();
        let meshes = visible.iter(TypeId::of::<Mesh3d>());
        meshes.map(|&dome| domes.get(app.world(), dome).expect("it has a position").translation()).collect()
    };
    assert_eq!([first, second, without].map(&mut seen), [vec![Vec3::ZERO], vec![far.translation], vec![]]);
    // Also in the frame in which the camera jumps.
    app.world_mut().get_mut::<Transform>(second).expect("a position").translation.x = -9000.0;
    pump(&mut app, 1);
    let mut domes = app.world_mut().query_filtered::<&GlobalTransform, With<Mesh3d>>();
    assert!(domes.iter(app.world()).any(|dome| dome.translation().x == -9000.0));
}

#[test]
fn the_shadow_maps_of_the_sun_follow_the_quality() {
    let (mut app, ..) = app_with_sky(sun_at(0.8));
    let ends = |app: &mut App| {
        let mut suns = app.world_mut().query_filtered::<&CascadeShadowConfig, With<TerrainSun>>();
        suns.iter(app.world()).map(|cascades| cascades.bounds.last().map(|end| end.round())).collect::<Vec<_>>()
    };
    assert_eq!(ends(&mut app), [Some(1000.0)]);
    app.insert_resource(TerrainQuality::Low);
    pump(&mut app, 1);
    assert_eq!(ends(&mut app), [Some(200.0)]);
}

#[test]
fn a_sky_file_is_reloaded_and_a_broken_one_changes_nothing() {
    let files = Folder::new();
    files.write("day.sky.ron", b"(visibility: 10.0)");
    let mut app = with_manual_clock(App::new());
    let file_path = files.path("").to_str().expect("the path is UTF-8").to_owned();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin { file_path, ..default() },
        TerrainMinimalPlugins,
        TerrainSkyPlugin::default(),
    ));
    finish(&mut app);
    let sky: Handle<SkySettings> = app.world().resource::<AssetServer>().load("day.sky.ron");
    app.world_mut().spawn(TerrainSky(sky.clone()));
    let visibility =
        |app: &App| app.world().resource::<Assets<SkySettings>>().get(&sky).map(|settings| settings.visibility);
    pump_until(&mut app, "the file is loaded", |app| visibility(app) == Some(10.0));
    files.write("day.sky.ron", b"(visibility: -3.0)");
    pump(&mut app, 200);
    assert_eq!(visibility(&app), Some(10.0));
    files.write("day.sky.ron", b"(visibility: 30.0)");
    pump_until(&mut app, "the corrected file is loaded", |app| visibility(app) == Some(30.0));
}

#[test]
fn values_out_of_their_range_change_no_light_and_are_reported_once() {
    let _alone = alone();
    let (mut app, camera, sky) = app_with_sky(SkySettings::default());
    let seen = |app: &mut App| {
        let entity = app.world().entity(camera);
        let grading = entity.get::<ColorGrading>().expect("it has one").shadows;
        let fog = entity.get::<DistanceFog>().expect("it has one").color;
        ([entity.get::<Exposure>().expect("it has one").ev100, grading.gain, grading.gamma], fog, suns(app))
    };
    let before = seen(&mut app);
    let changes: [(&str, fn(&mut SkySettings)); 4] = [
        ("contrast", |sky| sky.contrast = 0.0),
        ("exposure", |sky| sky.exposure = f64::NAN),
        ("exposure", |sky| sky.exposure = 1e9),
        ("air", |sky| sky.air = -50.0),
    ];
    for (name, change) in changes {
        let mut settings = SkySettings::default();
        change(&mut settings);
        let warnings = warnings_of(&mut app, |app| {
            *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("it is there") = settings;
            pump(app, 3);
            assert_eq!(seen(app), before, "{name}");
            *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("it is there") =
                SkySettings::default();
            pump(app, 2);
        });
        assert_eq!(warnings.iter().filter(|line| line.contains(name)).count(), 1, "{name}: {warnings:?}");
    }
    // A camera that sees infinitely far has a dome of some size, and it is not made again in every frame.
    app.world_mut().entity_mut(camera).insert(TerrainViewer { view_distance: f32::NAN });
    pump(&mut app, 2);
    app.world_mut().clear_trackers();
    let meshes = count_modified_meshes(&mut app, 5);
    assert_eq!(meshes, 0);
}

/// How many times a mesh is changed in so many frames.
fn count_modified_meshes(app: &mut App, frames: usize) -> usize {
    let mut cursor = app.world().resource::<Messages<AssetEvent<Mesh>>>().get_cursor_current();
    let mut count = 0;
    for _ in 0..frames {
        app.update();
        let events = app.world().resource::<Messages<AssetEvent<Mesh>>>();
        count += cursor.read(events).filter(|event| matches!(event, AssetEvent::Modified { .. })).count();
    }
    count
}

#[test]
fn a_running_hour_moves_the_sun_in_every_frame_and_changes_no_mesh() {
    let (mut app, _, sky) = app_with_sky(sun_at(0.3));
    let mut directions = Vec::new();
    let mut changes = 0;
    for frame in 1..=40_u8 {
        let elevation = 0.3 + 2e-5 * f64::from(frame);
        *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("it is there") = sun_at(elevation);
        changes += count_modified_meshes(&mut app, 1);
        directions.push(suns(&mut app)[0].0.y);
        assert!((f64::from(directions[directions.len() - 1]) - elevation.sin()).abs() < 1e-6);
    }
    assert!(directions.is_sorted_by(|one, other| one < other), "{directions:?}");
    assert_eq!(changes, 0, "the dome stays");
}

#[test]
fn a_camera_keeps_the_light_and_the_fog_that_the_game_gave_it() {
    let mut app = render_app(TerrainRenderPlugin::default());
    // Without it, Bevy's own components can't be removed.
    SyncWorldPlugin::<RenderApp>::default().build(&mut app);
    let own_fog = Color::srgb(1.0, 0.0, 0.0);
    let own = (
        AmbientLight { brightness: 500.0, ..default() },
        DistanceFog { color: own_fog, ..default() },
        EnvironmentMapLight { intensity: 7.0, ..default() },
        AtmosphereSettings { aerial_view_lut_max_distance: 7.0, ..default() },
    );
    let with_own = app.world_mut().spawn((Camera3d::default(), own, TerrainSky::default())).id();
    let without = app.world_mut().spawn((Camera3d::default(), TerrainSky::default())).id();
    pump(&mut app, 2);
    let has = |app: &App, camera: Entity| {
        let camera = app.world().entity(camera);
        (
            camera.get::<AmbientLight>().map(|light| light.brightness),
            camera.get::<DistanceFog>().map(|fog| fog.color),
            camera.get::<EnvironmentMapLight>().map(|light| light.intensity),
            camera.get::<AtmosphereSettings>().map(|settings| settings.aerial_view_lut_max_distance),
        )
    };
    let of_game = (Some(500.0), Some(own_fog), Some(7.0), Some(7.0));
    assert_eq!(has(&app, with_own), of_game, "while there is a sky");
    let (ambient, fog, environment, _) = has(&app, without);
    assert!(ambient == Some(0.0) && fog.is_some() && environment.is_some());
    for camera in [with_own, without] {
        app.world_mut().entity_mut(camera).remove::<TerrainSky>();
    }
    pump(&mut app, 2);
    assert_eq!(has(&app, with_own), of_game, "without the sky");
    assert_eq!(has(&app, without), (None, None, None, None));
}

#[test]
fn the_sun_is_that_of_an_active_camera_and_of_the_one_that_is_left() {
    let mut app = render_app(TerrainRenderPlugin::default());
    // Without it, cameras can't be despawned.
    SyncWorldPlugin::<RenderApp>::default().build(&mut app);
    let mut add = |elevation: f64, is_active: bool| {
        let sky = app.world_mut().resource_mut::<Assets<SkySettings>>().add(sun_at(elevation));
        let camera = Camera { is_active, ..default() };
        let camera = app.world_mut().spawn((Camera3d::default(), camera, TerrainSky(sky))).id();
        pump(&mut app, 2);
        camera
    };
    let inactive = add(0.9, false);
    let [noon, evening] = [1.2, 0.1].map(|elevation| add(elevation, true));
    let height = |app: &mut App| {
        let suns = suns(app);
        assert_eq!(suns.len(), 1);
        f64::from(suns[0].0.y).asin()
    };
    let assert_height = |app: &mut App, expected: f64, why: &str| {
        pump(app, 2);
        let found = height(app);
        assert!((found - expected).abs() < 1e-3, "{found}, {why}");
    };
    assert_height(&mut app, 1.2, "the first active one");
    app.world_mut().get_mut::<Camera>(noon).expect("a camera").is_active = false;
    assert_height(&mut app, 0.1, "the other active one");
    app.world_mut().get_mut::<Camera>(noon).expect("a camera").is_active = true;
    assert_height(&mut app, 0.1, "it stays");
    app.world_mut().despawn(evening);
    assert_height(&mut app, 1.2, "the other one is gone");
    app.world_mut().despawn(noon);
    assert_height(&mut app, 0.9, "no other is left");
    app.world_mut().entity_mut(inactive).remove::<TerrainSky>();
    pump(&mut app, 2);
    assert_eq!(suns(&mut app), [], "it goes with the last sky");
    app.world_mut().entity_mut(inactive).insert(TerrainSky::default());
    pump(&mut app, 2);
    assert_eq!(suns(&mut app).len(), 1);
}

/// Bevy makes new tables for each new medium, which takes long.
#[test]
fn behind_an_atmosphere_it_is_black_unless_a_game_has_another_color() {
    let mut app = render_app(TerrainRenderPlugin::default());
    // Without it, Bevy's own components can't be removed.
    SyncWorldPlugin::<RenderApp>::default().build(&mut app);
    app.insert_resource(SkyMethod::Atmosphere);
    let red = ClearColorConfig::Custom(Color::srgb(1.0, 0.0, 0.0));
    let cameras = [ClearColorConfig::Default, red, ClearColorConfig::Default].map(|clear_color| {
        let camera = Camera { clear_color, ..default() };
        app.world_mut().spawn((Camera3d::default(), camera, TerrainSky::default())).id()
    });
    let color = |app: &App, camera| app.world().get::<Camera>(camera).expect("a camera").clear_color;
    let colors = |app: &App| cameras.map(|camera| format!("{:?}", color(app, camera)));
    pump(&mut app, 2);
    let black = ClearColorConfig::Custom(Color::BLACK);
    assert_eq!(colors(&app), [black, red, black].map(|color| format!("{color:?}")));
    // A game chooses a color while the sky is there.
    app.world_mut().get_mut::<Camera>(cameras[2]).expect("a camera").clear_color = red;
    cameras.iter().for_each(|&camera| _ = app.world_mut().entity_mut(camera).remove::<TerrainSky>());
    pump(&mut app, 2);
    assert_eq!(colors(&app), [ClearColorConfig::Default, red, red].map(|color| format!("{color:?}")));
}

#[test]
fn an_atmosphere_gets_another_medium_for_other_air_alone() {
    let (mut app, _, sky) = app_with_sky(sun_at(0.8));
    app.insert_resource(SkyMethod::Atmosphere);
    let mut medium = |settings: SkySettings| {
        *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") = settings;
        pump(&mut app, 2);
        let mut atmospheres = app.world_mut().query::<&Atmosphere>();
        let atmosphere = atmospheres.single(app.world()).expect("one camera has one");
        (atmosphere.medium.id(), atmosphere.ground_albedo)
    };
    let first = medium(sun_at(0.7));
    let of_wind = medium(SkySettings { wind: Wind { speed: 20.0, ..default() }, ..sun_at(0.5) });
    assert_eq!(of_wind, first);
    let of_ground = medium(SkySettings { far_ground: [0.1, 0.1, 0.1], ..sun_at(0.5) });
    assert!(of_ground.0 == first.0 && of_ground.1 != first.1);
    assert_ne!(medium(SkySettings { air: 2.0, ..sun_at(0.5) }).0, first.0);
}

#[test]
fn the_default_handle_brings_the_default_sky_back() {
    let (mut app, camera, _) = app_with_sky(SkySettings { exposure: 3.0, ..sun_at(0.8) });
    let exposure = |app: &App| app.world().get::<Exposure>(camera).expect("a camera").ev100;
    let before = exposure(&app);
    app.world_mut().entity_mut(camera).insert(TerrainSky::default());
    pump(&mut app, 2);
    assert_eq!(exposure(&app), SkySettings::default().exposure_value() as f32);
    assert_ne!(exposure(&app), before);
}

#[test]
fn dome_and_sun_follow_the_layers_of_the_cameras() {
    let (mut app, camera, _) = app_with_sky(SkySettings::default());
    let other = app.world_mut().spawn((Camera3d::default(), TerrainSky::default(), RenderLayers::layer(5))).id();
    pump(&mut app, 2);
    let layers = |app: &mut App| {
        let of = |layers: Option<&RenderLayers>| layers.cloned().unwrap_or_default();
        let mut suns = app.world_mut().query_filtered::<Option<&RenderLayers>, With<TerrainSun>>();
        let sun = of(suns.single(app.world()).expect("one sun"));
        let mut domes =
            app.world_mut().query_filtered::<Option<&RenderLayers>, (With<Mesh3d>, With<NotShadowCaster>)>();
        let mut domes: Vec<_> = domes.iter(app.world()).map(of).collect();
        domes.sort();
        (sun, domes)
    };
    let [zero, one, five] = [0, 1, 5].map(RenderLayers::layer);
    assert_eq!(layers(&mut app), (RenderLayers::from_layers(&[0, 5]), vec![zero.clone(), five.clone()]));
    app.world_mut().entity_mut(camera).insert(one.clone());
    pump(&mut app, 2);
    assert_eq!(layers(&mut app), (RenderLayers::from_layers(&[1, 5]), vec![one.clone(), five]));
    app.world_mut().entity_mut(other).remove::<RenderLayers>();
    pump(&mut app, 2);
    assert_eq!(layers(&mut app), (RenderLayers::from_layers(&[0, 1]), vec![zero, one]));
}
