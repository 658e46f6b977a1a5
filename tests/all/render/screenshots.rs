//! The drawn ground, pixel by pixel. These tests need a driver; one that draws on the processor suffices.

mod clouds;
mod plant_forms;
mod plants;
mod water;

use super::*;
use bevy::anti_alias::taa::TemporalAntiAliasing;
use bevy::core_pipeline::prepass::{DepthPrepass, MotionVectorPrepass, NormalPrepass};
use bevy::light::CascadeShadowConfigBuilder;
use bevy::math::DVec3;
use bevy::render::camera::MipBias;
use bevy_perlin_terrain::chunk::ChunkSettings;
use bevy_perlin_terrain::field::{
    Constant, EditCircle, EditHill, EditShape, FieldSettings, HeightField, HillShape, Layer, LayerKind, Mask,
    PointMask, SegmentMask,
};
use bevy_perlin_terrain::render::{DrawnPlants, SurfaceTextures, TerrainFarMaps};
use bevy_perlin_terrain::stream::{OriginAnchor, WorldOrigin};
use testing::app::render::{SCREENSHOT_SIZE, add_camera, drawing_app, screenshot};

type Pixels = Vec<[u8; 3]>;

/// The color behind the ground.
const BACKGROUND: [u8; 3] = [255, 0, 255];

/// A position with its light.
struct Scene {
    settings: TerrainSettings,
    /// The terrain's position at the world origin.
    origin: [f64; 2],
    camera: Transform,
    view_distance: f32,
    /// From where the sun shines.
    sun: Vec3,
    /// The distance at which shadow maps end.
    shadows: f32,
    /// The side of the maps of far ground in texels. 0 makes none: one camera alone sees them.
    far_map_size: u32,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            settings: settings_with_levels(30.0),
            origin: [0.0; 2],
            camera: Transform::from_xyz(0.0, 80.0, 0.0).with_rotation(Quat::from_rotation_x(-0.5)),
            view_distance: 1500.0,
            sun: Vec3::new(0.6, 0.5, -0.4),
            shadows: 100.0,
            far_map_size: 128,
        }
    }
}

/// The app of a scene, with all that is made in the background, and its camera. `None` without a driver.
fn show(scene: Scene) -> Option<(App, Entity)> {
    // Textures with texels of a few centimetres.
    let mut app = drawing_app(TerrainRenderPlugin { texture_size: 64, far_map_size: scene.far_map_size, ..default() })?;
    let has_plants = !scene.settings.plants.is_empty();
    if scene.settings.look.water || has_plants {
        // Waves and leaves are in the same place in all scenes.
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
    }
    let terrain = add_terrain(&mut app, scene.settings);
    app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(scene.origin[0], scene.origin[1]));
    app.world_mut().spawn((
        DirectionalLight { illuminance: 3000.0, shadow_maps_enabled: true, ..default() },
        CascadeShadowConfigBuilder { maximum_distance: scene.shadows, ..default() }.build(),
        Transform::default().looking_to(-scene.sun, Vec3::Y),
    ));
    app.insert_resource(GlobalAmbientLight { brightness: 200.0, ..default() });
    let camera = add_camera(&mut app, scene.view_distance, scene.camera);
    // A wood would take minutes to draw while it loads.
    app.world_mut().get_mut::<Camera>(camera).expect("it is one").is_active = !has_plants;
    settle(&mut app, terrain);
    pump_until(&mut app, "textures, maps and plants are made", |app| {
        let maps = app.world().get::<TerrainFarMaps>(terrain);
        let plants = app.world().get::<DrawnPlants>(terrain).expect("every terrain has plants");
        maps.is_none_or(TerrainFarMaps::are_complete)
            && plants.are_complete()
            && app.world().resource::<SurfaceTextures>().are_complete()
    });
    app.world_mut().get_mut::<Camera>(camera).expect("it is one").is_active = true;
    Some((app, camera))
}

/// The screenshot of a scene. `None` without a driver.
fn screenshot_of(scene: Scene) -> Option<Pixels> {
    let (mut app, camera) = show(scene)?;
    Some(screenshot(&mut app, camera))
}

/// The largest difference of a channel, of each pixel.
fn differences(a: &Pixels, b: &Pixels) -> Vec<u8> {
    assert_eq!(a.len(), b.len());
    let difference = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|i| a[i].abs_diff(b[i])).max().expect("three channels");
    a.iter().zip(b).map(difference).collect()
}

/// Asserts that two screenshots are the same ground. An edge may fall on the next pixel.
#[track_caller]
fn assert_same_ground(a: &Pixels, b: &Pixels) {
    let colors: HashSet<_> = a.iter().collect();
    assert!(colors.len() > 100, "the screenshot shows nothing: {} colors", colors.len());
    let differences = differences(a, b);
    let visible = differences.iter().filter(|&&difference| difference > 3).count();
    assert!(visible * 100 <= differences.len(), "{visible} pixels differ, the most by {:?}", differences.iter().max());
}

fn luminance([red, green, blue]: [u8; 3]) -> f32 {
    0.2126 * f32::from(red) + 0.7152 * f32::from(green) + 0.0722 * f32::from(blue)
}

#[test]
fn no_background_shows_between_chunks_at_any_morph() {
    let _alone = alone();
    let down = |x: f32| Transform::from_xyz(x, 90.0, 7.0).with_rotation(Quat::from_euler(EulerRot::YXZ, x, -0.75, 0.0));
    let Some((mut app, camera)) = show(Scene { camera: down(0.0), ..default() }) else { return };
    let mut chunks_before = BTreeSet::new();
    let mut levels = BTreeSet::new();
    for step in 0..12 {
        // Morph bands are some hundred metres wide here.
        *app.world_mut().get_mut::<Transform>(camera).expect("a camera") = down(step as f32 * 23.0);
        let screenshot = screenshot(&mut app, camera);
        let gaps = screenshot.iter().filter(|&&pixel| pixel == BACKGROUND).count();
        assert_eq!(gaps, 0, "pixels without ground at step {step}");
        levels.extend(chunks(&mut app).into_iter().map(|(coord, _)| coord.level));
        chunks_before.extend(chunks(&mut app).into_iter().map(|(coord, _)| coord));
    }
    assert!(levels.len() > 2, "{levels:?}");
    assert!(chunks_before.len() > 30, "{} chunks", chunks_before.len());
}

#[test]
fn the_same_ground_is_drawn_before_and_after_an_origin_shift() {
    let _alone = alone();
    let scene = |x: f32, z: f32| Scene {
        origin: [x.into(), z.into()],
        camera: Transform::from_xyz(700.0 - x, 80.0, 300.0 - z).with_rotation(Quat::from_rotation_x(-0.3)),
        ..default()
    };
    let (Some(before), Some(after)) = (screenshot_of(scene(0.0, 0.0)), screenshot_of(scene(1024.0, -512.0))) else {
        return;
    };
    assert_same_ground(&before, &after);
}

#[test]
fn ground_that_is_edited_while_it_is_drawn_looks_as_if_it_had_always_been_there() {
    let _alone = alone();
    let crater = TerrainEdit {
        shape: EditShape::Circle(EditCircle { x: 5.0, z: -120.0, radius: 60.0 }),
        change: EditChange::Hill(EditHill { shape: HillShape::Crater, height: 20.0 }),
        ..TerrainEdit::default()
    };
    let plain = Scene::default();
    let mut edited = Scene::default();
    edited.settings.field.edits = vec![crater.clone()];
    let (Some((mut app, camera)), Some(wanted)) = (show(plain), screenshot_of(edited)) else { return };
    let before = screenshot(&mut app, camera);
    let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
    let terrain = terrains.single(app.world()).expect("one terrain");
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("every terrain has edits");
    edits.set(0, crater).expect("it is allowed");
    let in_its_frame = screenshot(&mut app, camera);
    let changed = |a: &Pixels, b: &Pixels| differences(a, b).iter().filter(|&&difference| difference > 8).count();
    assert!(changed(&before, &in_its_frame) > 200, "{} pixels have changed", changed(&before, &in_its_frame));
    pump_until(&mut app, "the maps of the edited ground are made", |app| {
        app.world().get::<TerrainFarMaps>(terrain).expect("every terrain has maps").are_complete()
    });
    assert_same_ground(&screenshot(&mut app, camera), &wanted);
}

#[test]
fn frames_that_are_added_up_are_found_again_after_an_origin_shift() {
    let _alone = alone();
    let Some((mut app, camera)) = show(Scene::default()) else { return };
    OriginShiftPlugin { threshold: 2000.0 }.build(&mut app);
    let plain = screenshot(&mut app, camera);
    app.world_mut().entity_mut(camera).insert(TemporalAntiAliasing::default());
    // Each of eight positions in a pixel, twice.
    for _ in 0..16 {
        app.update();
    }
    let earlier = screenshot(&mut app, camera);
    let before = screenshot(&mut app, camera);
    app.world_mut().spawn((OriginAnchor, Transform::from_xyz(5000.0, 0.0, -3000.0)));
    let after = screenshot(&mut app, camera);
    assert_eq!(app.world().resource::<WorldOrigin>().0.as_vec3(), Vec3::new(5120.0, 0.0, -3072.0));
    let changed = |a, b| differences(a, b).into_iter().filter(|&difference| difference > 3).count();
    let [smoothed, without_shift, with_shift] = [(&plain, &before), (&earlier, &before), (&before, &after)]
        .map(|(a, b)| changed(a, b) as f32 / plain.len() as f32);
    assert!(smoothed > 0.1, "smoothing changes {smoothed} of the pixels");
    assert!(with_shift < without_shift + 0.05, "{with_shift} of the pixels change, {without_shift} without a shift");
}

#[test]
fn textures_follow_the_mip_bias_of_the_camera() {
    let _alone = alone();
    let Some((mut app, camera)) = show(Scene::default()) else { return };
    let mut biased = |bias: f32| {
        app.world_mut().entity_mut(camera).insert(MipBias(bias));
        screenshot(&mut app, camera)
    };
    let (soft, sharp) = (biased(2.0), biased(-2.0));
    let changed = differences(&soft, &sharp).into_iter().filter(|&difference| difference > 3).count();
    assert!(changed * 50 > soft.len(), "{changed} pixels");
}

#[test]
fn the_passes_before_the_main_one_leave_no_hole() {
    let _alone = alone();
    let above = Scene::default().camera;
    let below = Transform::from_xyz(0.0, -80.0, 0.0).with_rotation(Quat::from_rotation_x(0.5));
    for camera in [above, below] {
        let Some((mut app, camera)) = show(Scene { camera, ..default() }) else { return };
        let plain = screenshot(&mut app, camera);
        app.world_mut().entity_mut(camera).insert((DepthPrepass, NormalPrepass, MotionVectorPrepass));
        let after_passes = screenshot(&mut app, camera);
        assert_same_ground(&plain, &after_passes);
    }
}

/// Two hills and a ridge whose positions are given, so that they can be anywhere.
fn hills(x: f64, z: f64) -> TerrainSettings {
    let layer = |height, mask| Layer { masks: vec![mask], ..Layer::from(LayerKind::Constant(Constant { height })) };
    let hill = |east: f64, south: f64| {
        Mask::Point(PointMask { x: x + east, z: z + south, radius: 5.0, fade: 150.0, ..default() })
    };
    let ridge = SegmentMask {
        x: x - 900.0,
        z: z - 500.0,
        end_x: x + 700.0,
        end_z: z - 900.0,
        radius: 10.0,
        fade: 300.0,
        ..default()
    };
    let layers =
        vec![layer(60.0, hill(-60.0, -200.0)), layer(45.0, hill(120.0, -330.0)), layer(150.0, Mask::Segment(ridge))];
    TerrainSettings {
        field: FieldSettings { base_height: 0.0, layers, ..small_settings().field },
        ..settings_with_levels(30.0)
    }
}

#[test]
fn ground_ten_thousand_kilometres_away_looks_the_same() {
    let _alone = alone();
    // A multiple of the period of the textures.
    let scene = |x: f64, z: f64| Scene { settings: hills(x, z), origin: [x, z], ..default() };
    let (Some(here), Some(there)) = (screenshot_of(scene(0.0, 0.0)), screenshot_of(scene(1e7, -1e7))) else { return };
    assert_same_ground(&here, &there);
}

/// A smooth slope at eye height, with vertices this far apart.
fn slope_at_eye_height(spacing: f64) -> Scene {
    let crest =
        SegmentMask { x: -1000.0, z: -300.0, end_x: 1000.0, end_z: -300.0, radius: 0.0, fade: 600.0, ..default() };
    let layer = Layer { masks: vec![Mask::Segment(crest)], ..LayerKind::Constant(Constant { height: 200.0 }).into() };
    let field = FieldSettings { base_height: 0.0, layers: vec![layer], ..small_settings().field };
    let height = HeightField::new(&field).height(0.0, 0.0);
    Scene {
        settings: TerrainSettings { field, chunks: ChunkSettings { quads: 32, spacing }, ..small_settings() },
        camera: Transform::from_xyz(0.0, height + 1.8, 0.0).with_rotation(Quat::from_euler(
            EulerRot::YXZ,
            1.2,
            -0.1,
            0.0,
        )),
        view_distance: 300.0,
        sun: Vec3::new(0.8, 0.15, 0.6),
        ..default()
    }
}

#[test]
fn triangles_do_not_show_on_a_smooth_slope() {
    let _alone = alone();
    let (Some(fine), Some(coarse)) = (screenshot_of(slope_at_eye_height(1.0)), screenshot_of(slope_at_eye_height(4.0)))
    else {
        return;
    };
    assert_same_ground(&fine, &coarse);
}

#[test]
fn nothing_changes_in_a_still_view() {
    let _alone = alone();
    let Some((mut app, camera)) = show(Scene::default()) else { return };
    // Motion vectors and morphs of the first frames settle.
    app.update();
    let before = screenshot(&mut app, camera);
    for _ in 0..3 {
        let after = screenshot(&mut app, camera);
        assert_eq!(differences(&before, &after).into_iter().max(), Some(0));
    }
}

/// A long wall beside the view. The sun is behind it.
fn beside_a_wall(shadows: f32) -> Scene {
    let wall = SegmentMask { x: 200.0, z: 500.0, end_x: 200.0, end_z: -4000.0, radius: 20.0, fade: 40.0, ..default() };
    let layer = Layer { masks: vec![Mask::Segment(wall)], ..LayerKind::Constant(Constant { height: 150.0 }).into() };
    let mut settings = settings_with_levels(30.0);
    settings.field = FieldSettings { base_height: 0.0, layers: vec![layer], ..settings.field };
    settings.look.variation = 0.0;
    // One color everywhere.
    settings.look.layers.truncate(1);
    Scene {
        settings,
        camera: Transform::from_xyz(0.0, 40.0, 0.0).with_rotation(Quat::from_rotation_x(-0.15)),
        view_distance: 3000.0,
        sun: Vec3::new(1.0, 0.5, 0.0),
        shadows,
        ..default()
    }
}

#[test]
fn the_shade_of_far_ground_continues_that_of_shadow_maps_without_an_edge() {
    let _alone = alone();
    let Some(shaded) = screenshot_of(beside_a_wall(400.0)) else { return };
    let Some(lit) = screenshot_of(Scene { sun: Vec3::new(-1.0, 0.5, 0.0), ..beside_a_wall(400.0) }) else { return };
    let [width, height] = SCREENSHOT_SIZE.map(|side| side as usize);
    // The middle column sees level ground, 70 m to 1.2 km away.
    let rows = height * 36 / 100..height - 1;
    let column = |screenshot: &Pixels| -> Vec<f32> {
        rows.clone().map(|row| luminance(screenshot[row * width + width / 2])).collect()
    };
    let (shaded, lit) = (column(&shaded), column(&lit));
    for (row, (shaded, lit)) in shaded.iter().zip(&lit).enumerate() {
        assert!(*shaded < 0.6 * lit, "row {row}: {shaded} in the shade, {lit} in the sun");
    }
    for column in [shaded, lit] {
        let mean = column.iter().sum::<f32>() / column.len() as f32;
        let step = column.windows(2).map(|rows| (rows[0] - rows[1]).abs()).fold(0.0, f32::max);
        assert!(step < 0.1 * mean, "a step of {step} at a mean of {mean}: {column:?}");
    }
}
