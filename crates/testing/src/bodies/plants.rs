//! Bodies bump into the trunks of trees and into stones. No test has a viewer, so a server has the same colliders.

use super::*;
use crate::app::{add_terrain_at, edit, pump_until};
use bevy::ecs::system::SystemState;
use bevy_perlin_terrain::field::{EditChange, EditCircle, EditHeight, EditShape, TerrainEdit};
use bevy_perlin_terrain::plants::{PlantKind, PlantLayer, PlantSize, StandingPlant};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{OriginAnchor, WorldOrigin};

/// Metres per second.
const SPEED: f32 = 30.0;

/// How far before a plant a body starts, in metres.
const START: f32 = 6.0;

/// The height of the trees, and the width of the stones, in metres.
const SIZE: f32 = 8.0;

/// Level ground with one layer of plants that are far from each other.
fn wood(kind: PlantKind) -> TerrainSettings {
    let size = PlantSize { from: SIZE.into(), to: SIZE.into() };
    let layer = PlantLayer { name: "tree".to_owned(), kind, spacing: 40.0, size, ..PlantLayer::default() };
    TerrainSettings { plants: vec![layer], ..flat() }
}

fn with_plants<T>(app: &mut App, ask: impl FnOnce(&mut TerrainPlants) -> T) -> T {
    let mut state: SystemState<TerrainPlants> = SystemState::new(app.world_mut());
    let answer = ask(&mut state.get_mut(app.world_mut()).expect("the parameter is valid"));
    state.apply(app.world_mut());
    answer
}

/// The plant that is nearest to a position of the world.
fn plant_near(app: &mut App, terrain: Entity, at: Vec3) -> StandingPlant {
    let all = with_plants(app, |plants| plants.near(terrain, 0, at, 100.0)).expect("it is loaded");
    let distance = |plant: &StandingPlant| plant.transform.translation.xz().distance(at.xz());
    all.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("plants stand there")
}

/// How far beyond a plant [`BALL`] gets within half a second that flies at it from the west, a metre above the ground: in metres along x.
fn flight<E: Engine>(app: &mut App, foot: Vec3) -> f32 {
    let from = foot + Vec3::new(-START, 1.0, 0.0);
    let ball = (E::body(BALL), E::motion(Vec3::X * SPEED, Vec3::ZERO), E::friction(0.0), E::awake());
    let ball = app.world_mut().spawn((ball, Transform::from_translation(from), KeepGround::default())).id();
    let mut farthest = f32::NEG_INFINITY;
    for _ in 0..HZ / 2 {
        app.update();
        farthest = farthest.max(E::place(app, ball).x - foot.x);
    }
    app.world_mut().despawn(ball);
    farthest
}

/// How far a ball may get into a trunk, or may stop before it, in metres: half of its way in a tick.
const STEP: f32 = 0.5 * SPEED / HZ as f32;

#[track_caller]
fn assert_stops<E: Engine>(app: &mut App, foot: Vec3) {
    let beyond = flight::<E>(app, foot);
    let touches = -PlantKind::Conifer.trunk_radius(SIZE) - 0.5;
    assert!((beyond - touches).abs() < STEP, "it got to {beyond} m, not to {touches} m");
}

#[track_caller]
fn assert_passes<E: Engine>(app: &mut App, foot: Vec3) {
    let beyond = flight::<E>(app, foot);
    assert!(beyond > 0.5 * SPEED - START - 3.0, "it got to {beyond} m");
}

pub fn a_trunk_stops_a_body_unless_it_was_removed<E: Engine>() {
    for way in E::WAYS {
        let mut app = app_with(way);
        let terrain = add_terrain_at(&mut app, wood(PlantKind::Conifer), [0.0; 2]);
        start(&mut app);
        let [tree, other] = [Vec3::ZERO, Vec3::new(900.0, 0.0, 0.0)].map(|at| plant_near(&mut app, terrain, at));
        let foot = tree.transform.translation;
        assert_stops::<E>(&mut app, foot);
        // Beside it, there is nothing.
        assert_passes::<E>(&mut app, foot + Vec3::Z * 1.0);
        // A body that is far away needs no time either.
        assert_stops::<E>(&mut app, other.transform.translation);
        assert!(with_plants(&mut app, |plants| plants.remove(terrain, tree.plant.id)));
        assert_passes::<E>(&mut app, foot);
        // It stands near a body, and falls there.
        app.world_mut().spawn((Transform::from_translation(foot), KeepGround::default()));
        assert!(with_plants(&mut app, |plants| plants.restore(terrain, tree.plant.id)));
        assert_stops::<E>(&mut app, foot);
        assert!(with_plants(&mut app, |plants| plants.remove(terrain, tree.plant.id)));
        assert_passes::<E>(&mut app, foot);
    }
}

pub fn trunks_are_where_they_stand_after_a_shift<E: Engine>() {
    let mut app = app::<E>();
    app.add_plugins(OriginShiftPlugin { threshold: 1500.0 });
    let terrain = add_terrain_at(&mut app, wood(PlantKind::Broadleaf), [0.0; 2]);
    let anchor = app.world_mut().spawn((OriginAnchor, Transform::default())).id();
    start(&mut app);
    let tree = plant_near(&mut app, terrain, Vec3::new(800.0, 0.0, 40.0));
    // Its collider is there before the shift.
    app.world_mut().spawn((Transform::from_translation(tree.transform.translation), KeepGround::default()));
    assert_stops::<E>(&mut app, tree.transform.translation);
    app.world_mut().get_mut::<Transform>(anchor).expect("it has one").translation.x = 1600.0;
    run(&mut app, 0.1);
    let origin = app.world().resource::<WorldOrigin>().0;
    assert_ne!(origin.x, 0.0, "the origin was shifted");
    let foot = tree.transform.translation - origin.as_vec3();
    assert_stops::<E>(&mut app, foot);
    assert_passes::<E>(&mut app, tree.transform.translation);
}

pub fn a_trunk_follows_the_ground_and_the_settings<E: Engine>() {
    let mut app = app::<E>();
    let terrain = add_terrain_at(&mut app, wood(PlantKind::Umbrella), [0.0; 2]);
    start(&mut app);
    let tree = plant_near(&mut app, terrain, Vec3::ZERO);
    let foot = tree.transform.translation;
    app.world_mut().spawn((Transform::from_translation(foot), KeepGround::default()));
    assert_stops::<E>(&mut app, foot);
    // A hill as high as the tree, from the next frame on.
    let level = TerrainEdit {
        shape: EditShape::Circle(EditCircle { x: foot.x.into(), z: foot.z.into(), radius: 20.0 }),
        change: EditChange::Flatten(EditHeight::above_zero(60.0)),
        ..TerrainEdit::default()
    };
    app.world_mut().get_mut::<TerrainEdits>(terrain).expect("it has edits").set(1, level).expect("it is allowed");
    assert_stops::<E>(&mut app, foot.with_y(60.0));
    edit(&mut app, terrain, |settings| settings.plants[0].collider = false);
    pump_until(&mut app, "the trees have no colliders", |app| {
        let mut plants = app.world_mut().query::<&TerrainPlant>();
        plants.iter(app.world()).all(|plant| plant.collider.is_none())
    });
    assert_passes::<E>(&mut app, foot.with_y(60.0));
}

pub fn a_stone_stops_a_body<E: Engine>() {
    let mut app = app::<E>();
    let terrain = add_terrain_at(&mut app, wood(PlantKind::Stone), [0.0; 2]);
    start(&mut app);
    let stone = plant_near(&mut app, terrain, Vec3::ZERO);
    // It starts a metre above the ground beside the stone, which is 7.2 m wide and 5.2 m high.
    let beyond = flight::<E>(&mut app, stone.transform.translation);
    assert!((-4.2..-3.9).contains(&beyond), "it got to {beyond} m");
}
