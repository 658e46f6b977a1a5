//! Colliders have the heights, the diagonal and the place of the terrain's triangles, and live as long as their squares.

use crate::common::*;
use avian3d::math::{RVector, ToRealPrecision};
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

fn colliders(app: &mut App) -> Vec<(Collider, RVector, Quat, GroundSquare)> {
    let mut squares = app.world_mut().query::<(&Collider, &Position, &Rotation, &GroundSquare)>();
    squares
        .iter(app.world())
        .map(|(collider, place, rotation, square)| (collider.clone(), place.0, rotation.0, square.clone()))
        .collect()
}

#[test]
fn every_vertex_has_the_bits_of_the_terrain_and_its_place() {
    for origin in [[0.0, 0.0], [1e6, -3e5], [1e9, 1e9]] {
        let mut app = app();
        let terrain = add_terrain(&mut app, rough(), origin);
        app.world_mut().spawn((Transform::from_xyz(10.0, 0.0, -40.0), KeepGround { radius: 70.0, ..default() }));
        start(&mut app);
        let field = app.world().get::<TerrainState>(terrain).and_then(TerrainState::field).expect("a ground").clone();
        let colliders = colliders(&mut app);
        assert!(colliders.len() >= 6);
        for (collider, place, _, square) in &colliders {
            let heights = collider.shape().as_heightfield().expect("a height field");
            assert_eq!(*place, (square.bounds.center().with_y(0.0) - app_origin(origin)).as_vec3().real());
            // Asymmetric: a mirrored array has other heights.
            for (column, row) in [(0, 0), (34, 0), (3, 20), (20, 3), (17, 34), (33, 1)] {
                let at = |min: f64, i: usize| min + 2.0 * (i as f64 - 1.0);
                let height = field.height(at(square.bounds.min.x, column), at(square.bounds.min.z, row));
                assert_eq!(heights.heights()[(row, column)], height.real(), "{column}, {row} of {square:?}");
            }
        }
    }
}

fn app_origin([x, z]: [f64; 2]) -> bevy::math::DVec3 {
    bevy::math::DVec3::new(x, 0.0, z)
}

#[test]
fn rays_hit_the_triangles_that_are_drawn_also_of_a_moved_and_scaled_terrain() {
    let moved = Transform::from_xyz(100.0, 5.0, -20.0)
        .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    for transform in [Transform::IDENTITY, moved] {
        let mut app = app();
        let terrain = add_terrain(&mut app, rough(), [0.0; 2]);
        app.world_mut().entity_mut(terrain).insert(transform);
        app.world_mut().spawn((Transform::from_xyz(10.0, 0.0, -40.0), KeepGround { radius: 30.0, ..default() }));
        start(&mut app);
        run(&mut app, 0.1);
        for number in 0..500_u16 {
            // Places on no border, where a ray may miss both triangles.
            let (x, z) = (
                10.0131 + 0.0937 * (f32::from(number) - 250.0),
                -40.0073 + 0.0571 * (f32::from(number * 7 % 500) - 250.0),
            );
            let mut hit = None;
            for (collider, place, rotation, _) in colliders(&mut app) {
                let from = Vec3::new(x, 500.0, z).real();
                let ray = collider.cast_ray(place, rotation, from, Vec3::NEG_Y, 1000.0, true);
                hit = hit.or(ray.map(|(distance, _)| 500.0 - f64::from(distance)));
            }
            let expected = app
                .world_mut()
                .run_system_cached_with(
                    |In(at): In<Vec3>, ground: TerrainGround| ground.height(at),
                    Vec3::new(x, 0.0, z),
                )
                .expect("the system runs");
            let (hit, expected) = (hit.expect("a hit"), f64::from(expected.expect("a height")));
            // The precision of `f32` at the start of the ray.
            assert!((hit - expected).abs() < 2e-3, "{hit} and {expected} at {x}, {z}");
        }
    }
}

#[test]
fn a_collider_leaves_with_its_square() {
    let mut app = app();
    let terrain = add_terrain(&mut app, rough(), [0.0; 2]);
    let body = app.world_mut().spawn((Transform::default(), KeepGround::default())).id();
    start(&mut app);
    assert!(!colliders(&mut app).is_empty());
    app.world_mut().despawn(body);
    app.update();
    assert!(colliders(&mut app).is_empty());
    app.world_mut().spawn((Transform::default(), KeepGround::default()));
    settle(&mut app);
    assert!(!colliders(&mut app).is_empty());
    app.world_mut().despawn(terrain);
    assert!(colliders(&mut app).is_empty());
    run(&mut app, 0.1);
}
