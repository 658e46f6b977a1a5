//! The anti-aliasing that the sky gives to cameras.

use super::*;
use bevy::anti_alias::taa::TemporalAntiAliasing;
use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass};
use bevy::render::camera::{MipBias, TemporalJitter};

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
    // Before all plugins are built, the method is not known.
    let early = app.world_mut().spawn((Camera3d::default(), TerrainSky::default())).id();
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
    assert_eq!(anti_aliasing(&app, early), "Tdm");
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
