//! The colliders of plants.

use bevy::prelude::*;
use bevy_perlin_terrain::plants::PlantCollider;
use bevy_perlin_terrain::prelude::*;
use bevy_rapier3d::prelude::*;

/// The collider of a plant, for an entity at its foot: in metres of the terrain.
#[must_use]
pub fn plant_collider(shape: PlantCollider) -> Collider {
    match shape {
        PlantCollider::Capsule { radius, from, to } => Collider::capsule(Vec3::Y * from, Vec3::Y * to, radius),
        PlantCollider::Ball { radius, height } => {
            Collider::compound(vec![(Vec3::Y * height, Quat::IDENTITY, Collider::ball(radius))])
        }
    }
}

/// The collider of the plant was made by this crate, not by the game.
#[derive(Component)]
pub struct OwnCollider;

/// Gives a plant its collider, or another one if it has changed. As the ground, it has no rigid body.
pub fn add_plant_collider(
    inserted: On<Insert<TerrainPlant>>,
    plants: Query<(&TerrainPlant, Has<OwnCollider>)>,
    mut commands: Commands,
) {
    let Ok((plant, has_collider)) = plants.get(inserted.entity) else { return };
    let mut entity = commands.entity(inserted.entity);
    if let Some(shape) = plant.collider {
        entity.try_insert((OwnCollider, plant_collider(shape)));
    } else if has_collider {
        entity.try_remove::<(OwnCollider, Collider)>();
    }
}
