//! The forms of one plant, pixel by pixel: how one turns into the next with the distance, and the shadows of each.

use super::*;
use bevy::camera::{ScalingMode, ShadowLodOrigin};
use bevy_perlin_terrain::plants::{PlantKind, PlantLayer, PlantSize};

/// Where all cards and a quarter of the cards end, in metres.
const ENDS: [f32; 2] = [48.0, 200.0];

/// At so many places of a change of the form, a step of the distance is looked at, in metres: drawing every step would take minutes.
const PLACES: u8 = 12;
const STEP: f32 = 0.1;

/// From behind the plants and from the side.
const SUN: Vec3 = Vec3::new(0.6, 0.5, -0.4);

/// The height of the plants, in metres.
const SIZE: f32 = 10.0;

/// Plants on level ground, and a camera that looks at one of them. A parallel projection shows it the same at any distance.
struct Plants {
    app: App,
    camera: Entity,
    /// The foot of the plant.
    foot: Vec3,
}

impl Plants {
    /// Plants so far apart that the camera sees one alone. `None` without a driver.
    fn show(kind: PlantKind, shadows: f32, sun: Vec3) -> Option<Self> {
        let size = PlantSize { from: SIZE.into(), to: SIZE.into() };
        let layer = PlantLayer { name: "plant".to_owned(), kind, spacing: 60.0, size, ..PlantLayer::default() };
        let settings = settings_with_levels(30.0);
        let field = FieldSettings { base_height: 0.0, layers: Vec::new(), ..settings.field.clone() };
        let settings = TerrainSettings { field, plants: vec![layer], ..settings };
        let (mut app, camera) =
            show(Scene { settings, shadows, sun, view_distance: 400.0, far_map_size: 0, ..default() })?;
        let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
        let terrain = terrains.single(app.world()).expect("there is one");
        let near = state(&app, terrain).plants().expect("it is loaded").in_box(0, [-60.0; 2], [60.0; 2]);
        let foot = near.expect("a box is small").first().expect("plants stand everywhere").position;
        let mut plants = Self { app, camera, foot: DVec3::from_array(foot).as_vec3() };
        // The first picture of a projection is taken before the GPU has all.
        plants.picture(30.0, 0.0, SIZE);
        Some(plants)
    }

    /// A picture from so far away of so much of the height, with the camera so high above the horizon, in radians.
    fn picture(&mut self, distance: f32, above: f32, height: f32) -> Pixels {
        let center = self.foot + 0.5 * SIZE * Vec3::Y;
        let place = center + distance * Vec3::new(0.0, above.sin(), above.cos());
        let [width_in_pixels, height_in_pixels] = SCREENSHOT_SIZE.map(|side| side as f32);
        let projection = OrthographicProjection {
            // The next plants are outside.
            near: distance - 20.0,
            far: distance + 20.0,
            scaling_mode: ScalingMode::Fixed { width: height * width_in_pixels / height_in_pixels, height },
            ..OrthographicProjection::default_3d()
        };
        let place = Transform::from_translation(place).looking_at(center, Vec3::Y);
        self.app.world_mut().entity_mut(self.camera).insert((place, Projection::from(projection)));
        screenshot(&mut self.app, self.camera)
    }

    fn sun(&mut self) -> Mut<'_, DirectionalLight> {
        let world = self.app.world_mut();
        world.query::<&mut DirectionalLight>().single_mut(world).expect("there is one")
    }
}

/// The root of the mean square of the differences in luminance.
fn change(a: &Pixels, b: &Pixels) -> f32 {
    let squares = a.iter().zip(b).map(|(a, b)| (luminance(*a) - luminance(*b)).powi(2));
    (squares.sum::<f32>() / a.len() as f32).sqrt()
}

#[test]
fn no_step_changes_a_plant_by_more_than_a_quarter_of_what_a_sudden_change_of_its_form_would() {
    let _alone = alone();
    for kind in [PlantKind::Conifer, PlantKind::Broadleaf] {
        let Some(mut plants) = Plants::show(kind, 0.5, SUN) else { return };
        for end in ENDS {
            // Without ground. The form changes in the last quarter.
            let mut picture = |distance: f32| plants.picture(distance, 0.0, 0.9 * SIZE);
            let place = |part: f32| end * (0.75 + 0.25 * part);
            let [before, after] = [0.0, 1.0].map(|part| picture(place(part)));
            let sudden = change(&before, &after);
            let mut worst = 0.0_f32;
            for number in 0..PLACES {
                let distance = place((f32::from(number) + 0.5) / f32::from(PLACES));
                worst = worst.max(change(&picture(distance), &picture(distance + STEP)));
            }
            assert!(sudden > 5.0, "{kind:?}: the forms at {end} m look the same: {sudden}");
            assert!(worst <= 0.25 * sudden, "{kind:?} at {end} m: {worst}, and {sudden} at once");
        }
    }
}

#[test]
fn pictures_get_as_much_sunlight_as_the_leaves_before_them() {
    let _alone = alone();
    for kind in [PlantKind::Conifer, PlantKind::Broadleaf] {
        for sun in [SUN, Vec3::new(0.6, 0.5, 0.4), Vec3::new(0.8, 0.5, 0.0)] {
            let Some(mut plants) = Plants::show(kind, 300.0, sun) else { return };
            let [leaves, picture] = [120.0, 250.0].map(|distance| {
                let mut bright = |has_sun: bool| -> f32 {
                    plants.sun().illuminance = if has_sun { 3000.0 } else { 0.0 };
                    plants.picture(distance, 0.0, 0.9 * SIZE).iter().map(|pixel| luminance(*pixel)).sum()
                };
                bright(true) - bright(false)
            });
            let ratio = picture / leaves;
            assert!((0.8..1.2).contains(&ratio), "{kind:?}, sun from {sun}: {ratio} of the sunlight");
        }
    }
}

#[test]
fn a_plant_casts_a_shadow_in_each_form() {
    let _alone = alone();
    let Some(mut plants) = Plants::show(PlantKind::Broadleaf, 300.0, SUN) else { return };
    // A camera of a user interface, which Bevy may take for the one that sees all shadows.
    plants.app.world_mut().spawn((Camera2d, Transform::from_xyz(0.0, 9000.0, 0.0), ShadowLodOrigin));
    for distance in [30.0, 100.0, 250.0] {
        let [with, without] = [true, false].map(|are_on| {
            plants.sun().shadow_maps_enabled = are_on;
            plants.picture(distance, 0.6, 3.0 * SIZE)
        });
        let darker = |(a, b): &(&[u8; 3], &[u8; 3])| luminance(**a) < 0.8 * luminance(**b);
        let count = with.iter().zip(&without).filter(darker).count();
        assert!(count > 100, "{count} pixels are in the shadow at {distance} m");
    }
}
