//! Colliders have the heights, the diagonal and the place of the terrain's triangles, and live as long as their tiles.

use super::*;
use crate::app::{add_terrain_at, moved_and_rotated, state};
use bevy::math::DVec3;
use bevy_perlin_terrain::prelude::*;

pub fn every_vertex_has_the_bits_of_the_terrain_and_its_place<E: Engine>() {
    for [x, z] in [[0.0, 0.0], [1e6, -3e5], [1e9, 1e9]] {
        let mut app = app::<E>();
        let terrain = add_terrain_at(&mut app, rough(), [x, z]);
        app.world_mut().spawn((Transform::from_xyz(10.0, 0.0, -40.0), KeepGround { radius: 70.0, ..default() }));
        start(&mut app);
        let field = state(&app, terrain).field().expect("a ground").clone();
        let colliders = E::colliders(&mut app);
        assert!(colliders.len() >= 6);
        for (collider, tile) in &colliders {
            let center = tile.bounds.center().with_y(0.0) - DVec3::new(x, 0.0, z);
            assert_eq!(E::center(collider), center.as_vec3());
            // Asymmetric: a mirrored array has other heights.
            for (column, row) in [(0, 0), (34, 0), (3, 20), (20, 3), (17, 34), (33, 1)] {
                let at = |min: f64, i: usize| min + 2.0 * (i as f64 - 1.0);
                let height = field.height(at(tile.bounds.min.x, column), at(tile.bounds.min.z, row));
                assert_eq!(E::height(collider, column, row), height.into(), "{column}, {row} of {tile:?}");
            }
        }
    }
}

pub fn rays_hit_the_triangles_that_are_drawn_also_of_a_moved_and_scaled_terrain<E: Engine>() {
    let moved = moved_and_rotated().with_translation(Vec3::new(100.0, 5.0, -20.0));
    for transform in [Transform::IDENTITY, moved] {
        let mut app = app::<E>();
        let terrain = add_terrain_at(&mut app, rough(), [0.0; 2]);
        app.world_mut().entity_mut(terrain).insert(transform);
        app.world_mut().spawn((Transform::from_xyz(10.0, 0.0, -40.0), KeepGround { radius: 30.0, ..default() }));
        start(&mut app);
        run(&mut app, 0.1);
        let colliders = E::colliders(&mut app);
        for number in 0..500_u16 {
            // Places on no border, where a ray may miss both triangles.
            let from = Vec3::new(
                10.0131 + 0.0937 * (f32::from(number) - 250.0),
                500.0,
                -40.0073 + 0.0571 * (f32::from(number * 7 % 500) - 250.0),
            );
            let hit = colliders.iter().find_map(|(collider, _)| E::ray_down(collider, from));
            let ask = |In(at): In<Vec3>, ground: TerrainGround| ground.height(at);
            let expected = app.world_mut().run_system_cached_with(ask, from).expect("the system runs");
            let (hit, expected) = (500.0 - hit.expect("a hit"), f64::from(expected.expect("a height")));
            // The precision of `f32` at the start of the ray.
            assert!((hit - expected).abs() < 2e-3, "{hit} and {expected} below {from}");
        }
    }
}

pub fn a_collider_leaves_with_its_tile<E: Engine>() {
    let mut app = app::<E>();
    let terrain = add_terrain_at(&mut app, rough(), [0.0; 2]);
    let body = app.world_mut().spawn((Transform::default(), KeepGround::default())).id();
    start(&mut app);
    assert!(!E::colliders(&mut app).is_empty());
    app.world_mut().despawn(body);
    app.update();
    assert!(E::colliders(&mut app).is_empty());
    app.world_mut().spawn((Transform::default(), KeepGround::default()));
    wait_for_ground(&mut app);
    assert!(!E::colliders(&mut app).is_empty());
    app.world_mut().despawn(terrain);
    assert!(E::colliders(&mut app).is_empty());
    run(&mut app, 0.1);
}
