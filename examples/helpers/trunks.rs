//! Trunks and stones stop those who walk, without a physics engine.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// Moves somebody out of the trunks and stones of a terrain. `feet` is the middle of a circle with this radius, in metres.
pub fn push_out(plants: &TerrainPlants, terrain: Entity, feet: Vec3, radius: f32) -> Vec3 {
    let reach = Vec3::splat(radius);
    let in_the_way = plants.colliders_in(terrain, [feet - reach, feet + reach]).unwrap_or_default();
    in_the_way.iter().fold(feet, |feet, plant| {
        let Some(collider) = plant.collider else { return feet };
        let trunk = plant.transform.translation.with_y(feet.y);
        let least = radius + collider.radius() * plant.transform.scale.x;
        let away = feet - trunk;
        if away.length() < least { trunk + away.normalize_or(Vec3::X) * least } else { feet }
    })
}
