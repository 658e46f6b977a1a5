//! Light: what a camera with a sky gets, and changes of its file. Without a window and a GPU, skies are domes.

mod split_screen;

use crate::common::render::render_app;
use crate::common::{pump, pump_until, with_manual_clock};
use crate::folder::Folder;
use bevy::anti_alias::smaa::Smaa;
use bevy::anti_alias::taa::TemporalAntiAliasing;
use bevy::camera::Exposure;
use bevy::camera::visibility::VisibleEntities;
use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass};
use bevy::extract::sync_world::SyncWorldPlugin;
use bevy::light::{CascadeShadowConfig, EnvironmentMapLight};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::camera::{MipBias, TemporalJitter};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{TerrainQuality, TerrainRenderPlugin};
use bevy_perlin_terrain::sky::{SkyMethod, SkySettings, Sun, SunAngles, TerrainSkyPlugin, TerrainSun};
use std::any::TypeId;

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
    suns.iter(app.world()).map(|(place, light)| (place.back().as_vec3(), light.illuminance)).collect()
}

#[test]
fn a_camera_gets_light_haze_and_exposure_by_its_sky() {
    let (mut app, camera, sky) = app_with_sky(sun_at(0.8));
    let ev = |app: &App| app.world().get::<Exposure>(camera).expect("an exposure").ev100;
    let (noon, fog) = (ev(&app), app.world().get::<DistanceFog>(camera).expect("haze").color);
    assert!(app.world().get::<EnvironmentMapLight>(camera).is_some_and(|light| light.intensity > 1000.0));
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
        meshes.map(|&dome| domes.get(app.world(), dome).expect("it has a place").translation()).collect()
    };
    assert_eq!([first, second, without].map(&mut seen), [vec![Vec3::ZERO], vec![far.translation], vec![]]);
    // Also in the frame in which the camera jumps.
    app.world_mut().get_mut::<Transform>(second).expect("a place").translation.x = -9000.0;
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

/// The anti-aliasing of a camera, a letter for each component: T for TAA with jitter and mip bias, S for SMAA, d for depth
/// and m for motion that are drawn first.
fn anti_aliasing(app: &App, camera: Entity) -> String {
    let camera = app.world().entity(camera);
    let taa =
        [camera.contains::<TemporalAntiAliasing>(), camera.contains::<TemporalJitter>(), camera.contains::<MipBias>()];
    assert!(taa == [taa[0]; 3], "{taa:?}");
    let parts = [
        taa[0],
        camera.contains::<Smaa>(),
        camera.contains::<DepthPrepass>(),
        camera.contains::<MotionVectorPrepass>(),
    ];
    "TSdm".chars().zip(parts).filter(|(_, is_there)| *is_there).map(|(letter, _)| letter).collect()
}

#[test]
fn anti_aliasing_follows_the_quality() {
    let mut app = render_app(TerrainRenderPlugin::default());
    // Without it, Bevy's own components can't be removed.
    SyncWorldPlugin::<RenderApp>::default().build(&mut app);
    app.insert_resource(SkyMethod::Atmosphere);
    let mut add_camera = |own: &dyn Fn(&mut EntityWorldMut)| {
        let mut camera = app.world_mut().spawn(Camera3d::default());
        own(&mut camera);
        camera.insert(TerrainSky::default()).id()
    };
    let flat = || Projection::from(OrthographicProjection::default_3d());
    let cameras = [
        add_camera(&|_| ()),
        add_camera(&|camera| _ = camera.insert(DepthPrepass)),
        add_camera(&|camera| _ = camera.insert(MotionVectorPrepass)),
        add_camera(&|camera| _ = camera.insert(flat())),
        add_camera(&|camera| _ = camera.insert(Smaa::default())),
        add_camera(&|camera| _ = camera.insert(TemporalAntiAliasing::default())),
    ];
    let high = ["Tdm", "Tdm", "Tdm", "S", "S", "Tdm"];
    let low = ["S", "Sd", "Sm", "S", "S", "Tdm"];
    for (quality, expected) in [(TerrainQuality::High, high), (TerrainQuality::Low, low), (TerrainQuality::High, high)]
    {
        app.insert_resource(quality);
        pump(&mut app, 1);
        assert_eq!(cameras.map(|camera| anti_aliasing(&app, camera)), expected, "{quality:?}");
    }
    let msaa = cameras.map(|camera| app.world().get::<Msaa>(camera).copied());
    assert_eq!(msaa, [Some(Msaa::Off); 6]);
    // It follows the projection, and goes with the sky.
    app.world_mut().entity_mut(cameras[0]).insert(flat());
    pump(&mut app, 1);
    assert_eq!(anti_aliasing(&app, cameras[0]), "S");
    cameras.iter().for_each(|&camera| _ = app.world_mut().entity_mut(camera).remove::<TerrainSky>());
    pump(&mut app, 1);
    assert_eq!(cameras.map(|camera| anti_aliasing(&app, camera)), ["", "d", "m", "", "S", "Tdm"]);
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
    app.finish();
    app.cleanup();
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
