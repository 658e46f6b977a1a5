//! Plants as obstacles.

use bevy::prelude::*;
use bevy_perlin_terrain::plants::{PlantCollider, PlantsError, StandingPlant};
use bevy_perlin_terrain::prelude::*;
use bevy_rerecast::rerecast::{AreaType, TriMesh};
use std::f32::consts::{PI, TAU};

/// The sides of an obstacle.
const SIDES: u8 = 8;

/// The largest distance between two floors of an obstacle, in metres. No agent fits between them.
const HEADROOM: f32 = 0.5;

/// The trunks and stones of `terrain` that reach into the box between two corners, whose heights don't count. Not plants that were removed,
/// and not those that bodies pass through.
///
/// Each is a prism around the plant, with floors that leave no room in it. Agents go around it, unless they are able to climb it. The box of a
/// navigation mesh must reach above the ground by more than they climb: that of [`ground_box`](crate::ground_box) does.
///
/// # Errors
///
/// If there is no such terrain or it has not loaded its settings yet, or if the area is not valid or too large.
pub fn plant_mesh(plants: &TerrainPlants, terrain: Entity, corners: [Vec3; 2]) -> Result<TriMesh, PlantsError> {
    let mut mesh = TriMesh::default();
    for plant in plants.colliders_in(terrain, corners)? {
        if let Some(collider) = plant.collider {
            mesh.extend(obstacle(&plant, collider));
        }
    }
    Ok(mesh)
}

/// A prism around a collider.
fn obstacle(plant: &StandingPlant, collider: PlantCollider) -> TriMesh {
    // The circle is inside of the sides.
    let radius = collider.radius() / (PI / f32::from(SIDES)).cos();
    let corner = |side: u8| Vec2::from_angle(TAU * f32::from(side) / f32::from(SIDES)) * radius;
    let ring = |y: f32| (0..SIDES).map(move |side| corner(side).extend(y).xzy());
    let [bottom, top] = collider.heights();
    let floors = ((top - bottom) * plant.transform.scale.y / HEADROOM).ceil().clamp(1.0, 1000.0) as u16;
    let heights = (0..=floors).map(|floor| bottom + (top - bottom) * f32::from(floor) / f32::from(floors));
    let vertices = heights.flat_map(ring).map(|vertex| plant.transform.transform_point(vertex).into());
    let count = u32::from(SIDES);
    let above = count * u32::from(floors);
    let sides = (0..count).flat_map(|side| {
        let next = (side + 1) % count;
        [UVec3::new(side, next, side + above), UVec3::new(next, next + above, side + above)]
    });
    // Their triangles face down, so that no agent walks on the top.
    let floor = |first: u32| (2..count).map(move |corner| UVec3::new(first, first + corner - 1, first + corner));
    let indices: Vec<UVec3> =
        sides.chain((1..=u32::from(floors)).flat_map(|floor_of| floor(floor_of * count))).collect();
    TriMesh { vertices: vertices.collect(), area_types: vec![AreaType::NOT_WALKABLE; indices.len()], indices }
}
