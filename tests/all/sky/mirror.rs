//! The sky that surfaces mirror.

use super::*;

/// The images of a camera's light: of all of it, and of what surfaces mirror.
fn light_maps(app: &App, camera: Entity) -> [AssetId<Image>; 2] {
    let light = app.world().get::<EnvironmentMapLight>(camera).expect("light from all sides");
    [light.diffuse_map.id(), light.specular_map.id()]
}

#[test]
fn surfaces_mirror_the_sky_and_keep_the_last_one_until_the_next_is_whole() {
    let (mut app, camera, sky) = app_with_sky(sun_at(0.8));
    let is_made = move |app: &mut App| {
        let [diffuse, specular] = light_maps(app, camera);
        diffuse != specular
    };
    pump_until(&mut app, "the mirrored sky is made", is_made);
    let [_, noon] = light_maps(&app, camera);
    assert!(app.world().resource::<Assets<Image>>().contains(noon));
    // The sun moves in every frame, faster than skies are made.
    for step in 0..30 {
        let evening = sun_at(0.7 - f64::from(step) * 0.02);
        *app.world_mut().resource_mut::<Assets<SkySettings>>().get_mut(&sky).expect("the sky") = evening;
        app.update();
        let [diffuse, specular] = light_maps(&app, camera);
        assert_ne!(diffuse, specular, "the mirror is never empty");
    }
    pump_until(&mut app, "the sky of the evening is made", |app| {
        let [diffuse, specular] = light_maps(app, camera);
        assert_ne!(diffuse, specular, "the mirror is never empty");
        specular != noon
    });
    pump(&mut app, 2);
    assert!(!app.world().resource::<Assets<Image>>().contains(noon), "the old sky is gone");
    app.world_mut().entity_mut(camera).remove::<TerrainSky>();
    pump(&mut app, 2);
    assert!(!app.world().entity(camera).contains::<EnvironmentMapLight>());
    assert_eq!(
        app.world()
            .resource::<Assets<Image>>()
            .iter()
            .filter(|(_, image)| image.texture_descriptor.mip_level_count == 6)
            .count(),
        0
    );
}
