//! Bodies of rapier on terrain, without a window.

mod alone;

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_rapier::{MayGoBelow, TerrainColliderPlugin, TerrainHooks};
use bevy_rapier3d::parry::query::Ray;
use bevy_rapier3d::parry::shape::{HeightFieldFlags, SharedShape};
use bevy_rapier3d::parry::utils::Array2;
use bevy_rapier3d::prelude::*;
use bevy_rapier3d::rapier::geometry;
use testing::bodies::{Engine, HZ, Shape};

struct Rapier;

testing::body_tests!(Rapier);

impl Engine for Rapier {
    const WAYS: &'static [fn(&mut App)] = &[
        |app| {
            app.add_plugins((RapierPhysicsPlugin::<TerrainHooks>::default(), TerrainColliderPlugin::default()));
        },
        // In `FixedUpdate`.
        |app| {
            let physics = RapierPhysicsPlugin::<TerrainHooks>::default().in_fixed_schedule();
            app.add_plugins((physics, TerrainColliderPlugin::default().in_fixed_schedule()))
                .insert_resource(TimestepMode::Fixed { dt: 1.0 / HZ as f32, substeps: 1 });
        },
    ];

    type Collider = geometry::Collider;

    fn add_physics(app: &mut App) {
        app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default());
    }

    fn body(shape: Shape) -> impl Bundle {
        let collider = match shape {
            Shape::Ball { radius } => Collider::ball(radius),
            Shape::Capsule { radius, length } => Collider::capsule_y(length / 2.0, radius),
            Shape::Cylinder { radius, length } => Collider::cylinder(length / 2.0, radius),
            Shape::Cube { side } => Collider::cuboid(side / 2.0, side / 2.0, side / 2.0),
        };
        (RigidBody::Dynamic, collider)
    }

    fn motion(linear: Vec3, angular: Vec3) -> impl Bundle {
        Velocity { linear, angular }
    }

    fn friction(coefficient: f32) -> impl Bundle {
        Friction::coefficient(coefficient)
    }

    fn upright() -> impl Bundle {
        LockedAxes::ROTATION_LOCKED
    }

    fn awake() -> impl Bundle {
        Sleeping::disabled()
    }

    fn apart() -> impl Bundle {
        CollisionGroups::new(Group::GROUP_2, Group::GROUP_1)
    }

    fn interpolated() -> impl Bundle {
        TransformInterpolation::default()
    }

    fn disabled() -> impl Bundle {
        RigidBodyDisabled
    }

    fn may_go_below() -> impl Bundle {
        MayGoBelow
    }

    fn height_field(heights: &[f32], side: usize, size: f32) -> impl Bundle {
        let heights = Array2::new(side, side, heights.to_vec());
        let scale = Vec3::new(size, 1.0, size);
        Collider::from(SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES))
    }

    fn place(app: &App, body: Entity) -> Vec3 {
        app.world().get::<Transform>(body).expect("a body").translation
    }

    fn velocity(app: &App, body: Entity) -> Vec3 {
        app.world().get::<Velocity>(body).expect("a body").linear
    }

    fn sleeps(app: &App, body: Entity) -> bool {
        let link = app.world().get::<RapierContextEntityLink>(body).expect("a body");
        let handle = app.world().get::<RapierRigidBodyHandle>(body).expect("a body");
        let set = app.world().get::<RapierRigidBodySet>(link.0).expect("a world");
        set.bodies.get(handle.0).expect("a body").is_sleeping()
    }

    /// Those in rapier, not the components.
    fn colliders(app: &mut App) -> Vec<(Self::Collider, ColliderTile)> {
        let mut contexts = app.world_mut().query::<&RapierContextColliders>();
        let colliders = contexts.single(app.world()).expect("one context").colliders.iter();
        let tile = |(_, collider): (_, &geometry::Collider)| {
            let tile = app.world().get::<ColliderTile>(RapierContextColliders::entity_from_collider(collider))?;
            Some((collider.clone(), tile.clone()))
        };
        colliders.filter_map(tile).collect()
    }

    fn center(collider: &Self::Collider) -> Vec3 {
        collider.position().translation
    }

    fn height(collider: &Self::Collider, column: usize, row: usize) -> f64 {
        collider.shape().as_heightfield().expect("a height field").heights()[(row, column)].into()
    }

    fn ray_down(collider: &Self::Collider, from: Vec3) -> Option<f64> {
        let ray = Ray::new(from, Vec3::NEG_Y);
        collider.shape().cast_ray(collider.position(), &ray, 1000.0, true).map(f64::from)
    }
}
