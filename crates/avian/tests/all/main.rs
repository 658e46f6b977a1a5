//! Bodies of avian on terrain, without a window.

mod alone;

use avian3d::math::{RVector, ToF32Precision, ToRealPrecision};
use avian3d::parry::shape::{HeightFieldFlags, SharedShape};
use avian3d::parry::utils::Array2;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::{MayGoBelow, TerrainColliderPlugin};
use testing::bodies::{Engine, Shape};

struct Avian;

testing::body_tests!(Avian);

impl Engine for Avian {
    const WAYS: &'static [fn(&mut App)] = &[|app| {
        Self::add_physics(app);
        app.add_plugins(TerrainColliderPlugin);
    }];

    type Collider = (Collider, Position, Rotation);

    fn add_physics(app: &mut App) {
        app.add_plugins(PhysicsPlugins::default());
    }

    fn body(shape: Shape) -> impl Bundle {
        let collider = match shape {
            Shape::Ball { radius } => Collider::sphere(radius),
            Shape::Capsule { radius, length } => Collider::capsule(radius, length),
            Shape::Cylinder { radius, length } => Collider::cylinder(radius, length),
            Shape::Cube { side } => Collider::cuboid(side, side, side),
        };
        (RigidBody::Dynamic, collider)
    }

    fn motion(linear: Vec3, angular: Vec3) -> impl Bundle {
        (LinearVelocity(linear), AngularVelocity(angular))
    }

    fn friction(coefficient: f32) -> impl Bundle {
        Friction::new(coefficient)
    }

    fn upright() -> impl Bundle {
        LockedAxes::ROTATION_LOCKED
    }

    fn awake() -> impl Bundle {
        SleepingDisabled
    }

    fn apart() -> impl Bundle {
        CollisionLayers::from_bits(2, 1)
    }

    fn interpolated() -> impl Bundle {
        TransformInterpolation
    }

    fn disabled() -> impl Bundle {
        RigidBodyDisabled
    }

    fn may_go_below() -> impl Bundle {
        MayGoBelow
    }

    fn height_field(heights: &[f32], side: usize, size: f32) -> impl Bundle {
        let heights = Array2::new(side, side, heights.iter().map(ToRealPrecision::real).collect());
        let scale = RVector::new(size.real(), 1.0, size.real());
        let shape = SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES);
        (RigidBody::Static, Collider::from(shape))
    }

    fn place(app: &App, body: Entity) -> Vec3 {
        app.world().get::<Position>(body).expect("a body").f32()
    }

    fn velocity(app: &App, body: Entity) -> Vec3 {
        app.world().get::<LinearVelocity>(body).expect("a body").0
    }

    fn sleeps(app: &App, body: Entity) -> bool {
        app.world().get::<Sleeping>(body).is_some()
    }

    fn colliders(app: &mut App) -> Vec<(Self::Collider, ColliderTile)> {
        let mut tiles = app.world_mut().query::<(&Collider, &Position, &Rotation, &ColliderTile)>();
        let tiles = tiles.iter(app.world());
        tiles.map(|(collider, at, rotation, tile)| ((collider.clone(), *at, *rotation), tile.clone())).collect()
    }

    fn center((_, at, _): &Self::Collider) -> Vec3 {
        at.f32()
    }

    fn height((collider, ..): &Self::Collider, column: usize, row: usize) -> f64 {
        collider.shape().as_heightfield().expect("a height field").heights()[(row, column)].into()
    }

    fn ray_down((collider, at, rotation): &Self::Collider, from: Vec3) -> Option<f64> {
        let hit = collider.cast_ray(at.0, *rotation, from.real(), Vec3::NEG_Y, 1000.0, true);
        hit.map(|(distance, _)| distance.into())
    }
}
