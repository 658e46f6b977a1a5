//! Plants, pixel by pixel.

use super::*;
use bevy_perlin_terrain::plants::{PlantKind, PlantLayer, PlantSize};

/// A wood of spruces and oaks with bushes and stones, seen from the height of the eyes at its border.
fn wood(origin: [f64; 2], camera: Transform) -> Scene {
    let layer = |name: &str, kind, spacing, [from, to]: [f64; 2]| PlantLayer {
        name: name.to_owned(),
        kind,
        spacing,
        size: PlantSize { from, to },
        ..PlantLayer::default()
    };
    let plants = vec![
        layer("oak", PlantKind::Broadleaf, 14.0, [8.0, 14.0]),
        layer("spruce", PlantKind::Conifer, 11.0, [9.0, 16.0]),
        layer("hazel", PlantKind::Bush, 9.0, [1.0, 2.5]),
        layer("stone", PlantKind::Stone, 8.0, [0.5, 2.0]),
    ];
    Scene { settings: TerrainSettings { plants, ..small_settings() }, origin, camera, ..default() }
}

/// A camera so high above the ground at the terrain's x and z, in the world.
fn above([x, z]: [f64; 2], height: f64, origin: [f64; 2]) -> Transform {
    let settings = small_settings();
    let ground = HeightField::new(&settings.field).height(x, z);
    Transform::from_xyz((x - origin[0]) as f32, (f64::from(ground) + height) as f32, (z - origin[1]) as f32)
        .with_rotation(Quat::from_rotation_x(-0.05))
}

#[test]
fn plants_hide_what_is_behind_them_and_have_colors_of_their_own() {
    let _alone = alone();
    let camera = above([0.0; 2], 1.7, [0.0; 2]);
    let Some((mut app, camera)) = show(wood([0.0; 2], camera)) else { return };
    let with = screenshot(&mut app, camera);
    let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
    let terrain = terrains.single(app.world()).expect("there is one");
    edit(&mut app, terrain, |settings| settings.plants.clear());
    pump(&mut app, 3);
    let without = screenshot(&mut app, camera);
    let sky = |pixels: &Pixels| pixels.iter().filter(|&&pixel| pixel == BACKGROUND).count();
    assert!(sky(&with) * 10 < sky(&without) * 9, "{} of {} pixels of the sky", sky(&with), sky(&without));
    let changed = differences(&with, &without).into_iter().filter(|difference| *difference > 8).count();
    assert!(changed * 5 > with.len(), "{changed} pixels differ");
    // Leaves in the light and in the shade, bark and stone.
    let colors: HashSet<_> = with.iter().collect();
    assert!(colors.len() > 1000, "{} colors", colors.len());
}

#[test]
fn the_same_wood_is_drawn_before_and_after_an_origin_shift_also_far_away() {
    let _alone = alone();
    for far in [0.0, 1e7] {
        let place = [far, -far];
        let [before, after] = [[0.0, 0.0], [512.0, -1024.0]].map(|shift: [f64; 2]| {
            let origin = [0, 1].map(|axis| place[axis] + shift[axis]);
            // The texels of shadow maps lie on a grid of the world, which does not move with the origin.
            let scene = Scene { shadows: 0.5, ..wood(origin, above(place, 1.7, origin)) };
            let (mut app, camera) = show(scene)?;
            Some(screenshot(&mut app, camera))
        });
        let (Some(before), Some(after)) = (before, after) else { return };
        assert_same_ground(&before, &after);
    }
}

#[test]
fn each_half_of_a_split_screen_shows_the_wood_as_if_it_were_alone() {
    let _alone = alone();
    // The near trees of the second player stand in the view of the first one, and the far ones behind them.
    let cameras = [[0.0, 0.0], [10.0, -70.0]].map(|place| above(place, 1.7, [0.0; 2]));
    let scene = |camera: Transform| Scene { far_map_size: 0, shadows: 0.5, ..wood([0.0; 2], camera) };
    let mut alone = Vec::new();
    for camera in cameras {
        let Some((mut app, camera)) = show(scene(camera)) else { return };
        alone.push(screenshot(&mut app, camera));
    }
    let Some((mut app, first)) = show(scene(cameras[0])) else { return };
    let second = add_camera(&mut app, Scene::default().view_distance, cameras[1]);
    app.world_mut().get_mut::<Camera>(second).expect("it is one").is_active = false;
    let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
    let terrain = terrains.single(app.world()).expect("there is one");
    pump(&mut app, 1);
    settle(&mut app, terrain);
    pump_until(&mut app, "the plants around both are drawn", |app| {
        app.world().get::<DrawnPlants>(terrain).expect("every terrain has plants").are_complete()
    });
    app.world_mut().get_mut::<Camera>(second).expect("it is one").is_active = true;
    for (camera, alone) in [first, second].into_iter().zip(&alone) {
        assert_same_ground(&screenshot(&mut app, camera), alone);
    }
    assert!(differences(&alone[0], &alone[1]).into_iter().filter(|difference| *difference > 8).count() > 1000);
}
