//! Cameras below the surface of water.

use super::*;

/// Settings of water around a camera at the origin.
fn in_water() -> TerrainSettings {
    let mut settings = testing::app::small_settings();
    (settings.look.water, settings.look.water_height) = (true, 100.0);
    settings
}

#[test]
fn below_the_surface_the_color_of_the_water_takes_the_place_of_haze() {
    let (mut app, camera, _) = app_with_sky(sun_at(0.8));
    let terrain = testing::app::add_terrain(&mut app, in_water());
    let falloff = |app: &App| app.world().get::<DistanceFog>(camera).expect("haze").falloff.clone();
    let put = |app: &mut App, y: f32| {
        app.world_mut().get_mut::<Transform>(camera).expect("a camera").translation.y = y;
        pump(app, 3);
    };
    put(&mut app, 101.0);
    assert!(matches!(falloff(&app), FogFalloff::ExponentialSquared { .. }));
    put(&mut app, 99.0);
    let FogFalloff::Atmospheric { extinction, .. } = falloff(&app) else { panic!("{:?}", falloff(&app)) };
    assert!(extinction.x > extinction.z, "red is lost first");
    put(&mut app, 101.0);
    assert!(matches!(falloff(&app), FogFalloff::ExponentialSquared { .. }));
    // Of a terrain twice as large, 50 m higher, the surface is at 250 m.
    let twice = Transform::from_xyz(0.0, 50.0, 0.0).with_scale(Vec3::splat(2.0));
    app.world_mut().entity_mut(terrain).insert(twice);
    put(&mut app, 251.0);
    assert!(matches!(falloff(&app), FogFalloff::ExponentialSquared { .. }));
    put(&mut app, 249.0);
    let FogFalloff::Atmospheric { extinction: of_twice, .. } = falloff(&app) else { panic!("{:?}", falloff(&app)) };
    assert!(of_twice.abs_diff_eq(extinction / 2.0, 1e-6), "{of_twice} and {extinction}");
    // What the camera doesn't see changes nothing.
    let is_in_water = |app: &mut App| {
        pump(app, 3);
        matches!(falloff(app), FogFalloff::Atmospheric { .. })
    };
    for hidden in [Visibility::Hidden, Visibility::Inherited] {
        app.world_mut().entity_mut(terrain).insert(hidden);
        assert_eq!(is_in_water(&mut app), hidden != Visibility::Hidden);
    }
    for layer in [1, 0] {
        app.world_mut().entity_mut(terrain).insert(RenderLayers::layer(layer));
        assert_eq!(is_in_water(&mut app), layer == 0);
    }
    app.world_mut().entity_mut(camera).insert(Projection::from(OrthographicProjection::default_3d()));
    assert!(!is_in_water(&mut app));
    app.world_mut().entity_mut(camera).remove::<TerrainSky>();
    pump(&mut app, 2);
    assert!(!app.world().entity(camera).contains::<DistanceFog>());
}
