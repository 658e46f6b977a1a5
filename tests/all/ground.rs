//! Ground queries return the drawn ground.

use crate::common::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{StitchMask, triangle_indices};
use bevy_perlin_terrain::prelude::*;

#[test]
fn ground_queries_return_the_height_of_every_vertex() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 500.0, -500.0, 60.0);
    let height = app.world_mut().run_system_once(|ground: TerrainGround| ground.height(Vec3::ZERO));
    assert_eq!(height.expect("the query runs"), None);
    settle(&mut app, terrain);
    app.update();
    let mut chunks = app.world_mut().query::<(&TerrainChunk, &ChunkSurface, &GlobalTransform)>();
    let mut vertices = Vec::new();
    for (chunk, surface, transform) in chunks.iter(app.world()) {
        for (&position, &normal) in surface.0.positions.iter().zip(&surface.0.normals) {
            let vertex = transform.transform_point(Vec3::from_array(position));
            // Normals of coarser levels are smoother, so they are not compared.
            vertices.push((vertex, (chunk.coord.level == 0).then_some(Vec3::from_array(normal))));
        }
    }
    assert!(vertices.len() > 500);
    app.world_mut()
        .run_system_once(move |ground: TerrainGround| {
            for &(vertex, normal) in &vertices {
                let above = vertex + Vec3::Y * 1000.0;
                assert_eq!(ground.height(above), Some(vertex.y), "at {vertex}");
                assert_eq!(ground.field_height(above), Some(vertex.y), "at {vertex}");
                let queried = ground.field_normal(above).expect("there is ground");
                let off = normal.map_or(0.0, |normal| queried.distance(normal));
                assert!(off < 1e-6, "the normal at {vertex} differs by {off}");
            }
            let heights = [ground.height(Vec3::NAN), ground.field_height(Vec3::NAN)];
            assert_eq!((heights, ground.normal(Vec3::INFINITY)), ([None; 2], None));
        })
        .expect("the query runs");
}

/// Near a viewer, feet stand on the drawn triangles. The smooth field differs from them between vertices.
#[test]
fn between_vertices_ground_queries_return_the_drawn_triangle() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    // A game may rotate, tilt and scale the terrain.
    let rotation = Quat::from_euler(EulerRot::YXZ, 0.7, 0.02, -0.01);
    let transform = Transform::from_xyz(30.0, -20.0, 10.0).with_rotation(rotation).with_scale(Vec3::splat(1.5));
    app.world_mut().entity_mut(terrain).insert(transform);
    add_viewer(&mut app, 0.0, 0.0, 60.0);
    settle(&mut app, terrain);
    app.update();
    let mut chunks = app.world_mut().query::<(&TerrainChunk, &ChunkSurface, &GlobalTransform)>();
    let mut triangles = Vec::new();
    for (_, surface, transform) in chunks.iter(app.world()).filter(|(chunk, ..)| chunk.coord.level == 0) {
        let indices = triangle_indices(surface.0.side, StitchMask::NONE);
        let vertex =
            |&index: &u16| transform.transform_point(Vec3::from_array(surface.0.positions[usize::from(index)]));
        triangles.extend(indices.chunks(3).map(|triangle| [0, 1, 2].map(|i| vertex(&triangle[i]))));
    }
    assert!(triangles.len() > 500);
    let curved = app
        .world_mut()
        .run_system_once(move |ground: TerrainGround| {
            let mut curved = 0;
            for [a, b, c] in &triangles {
                let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize());
                let off = ground.normal(middle).expect("there is ground").distance(normal);
                assert!(off < 1e-3, "the normal at {middle} differs by {off}");
                let off = (ground.height(middle).expect("there is ground") - middle.y).abs();
                assert!(off < 1e-3, "the height at {middle} differs by {off} m");
                let field = ground.field_height(middle).expect("there is ground");
                curved += usize::from((field - middle.y).abs() > 2e-2);
            }
            curved
        })
        .expect("the query runs");
    assert!(curved > 100, "the field differs from {curved} triangles");
}
