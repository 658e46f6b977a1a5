//! The colliders of plants.

use avian3d::math::{RVector, ToRealPrecision};
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::plants::PlantCollider;
use bevy_perlin_terrain::prelude::*;

/// The collider of a plant, for an entity at its foot: in metres of the terrain.
#[must_use]
pub fn plant_collider(shape: PlantCollider) -> Collider {
    match shape {
        PlantCollider::Capsule { radius, from, to } => {
            Collider::capsule_endpoints(radius, Vec3::Y * from, Vec3::Y * to)
        }
        PlantCollider::Ball { radius, height } => {
            let center = RVector::new(0.0, height.real(), 0.0);
            Collider::compound(vec![(center, Quat::IDENTITY, Collider::sphere(radius))])
        }
    }
}

/// The body of the plant was made by this crate, not by the game.
#[derive(Component)]
pub struct PlantBody;

/// Makes a plant a static body, or changes the collider of one that has changed.
pub fn add_plant_collider(
    inserted: On<Insert<TerrainPlant>>,
    plants: Query<(&TerrainPlant, Has<PlantBody>)>,
    mut commands: Commands,
) {
    let Ok((plant, has_body)) = plants.get(inserted.entity) else { return };
    let mut entity = commands.entity(inserted.entity);
    if let Some(shape) = plant.collider {
        entity.try_insert((PlantBody, RigidBody::Static, plant_collider(shape)));
    } else if has_body {
        entity.try_remove::<(PlantBody, RigidBody, Collider)>();
    }
}
