//! Felled trees, and their stumps.

use crate::player::Player;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_perlin_terrain::plants::StandingPlant;
use bevy_perlin_terrain::prelude::*;

/// The layer of the settings that can be felled.
pub const TREES: &str = "beech";
/// How far the axe reaches, in metres.
pub const REACH: f32 = 2.5;

/// What is left of a felled tree. Its `Transform` is at its foot, and its scale is the size of the tree.
#[derive(Component)]
pub struct Stump;

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (fell.run_if(input_just_pressed(KeyCode::KeyF)), leave_stumps.run_if(has_removals)).chain(),
    );
}

/// A run condition: whether plants were removed, or a save was loaded.
pub fn has_removals(removed: Query<(), Changed<RemovedPlants>>) -> bool {
    !removed.is_empty()
}

/// Fells the nearest tree in front of the player.
fn fell(terrain: Single<Entity, With<Terrain>>, mut plants: TerrainPlants, player: Single<&Transform, With<Player>>) {
    let Some(trees) = plants.layer(*terrain, TREES) else { return };
    let distance = |tree: &StandingPlant| tree.transform.translation.distance(player.translation);
    let is_ahead = |tree: &&StandingPlant| player.forward().dot(tree.transform.translation - player.translation) > 0.0;
    let near = plants.near(*terrain, trees, player.translation, REACH).unwrap_or_default();
    let nearest = near.iter().filter(is_ahead).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    if let Some(tree) = nearest {
        plants.remove(*terrain, tree.plant.id);
    }
}

/// Each felled tree has a stump, also one of a save. A larger game does so for those near the player.
fn leave_stumps(
    mut commands: Commands,
    terrain: Single<Entity, With<Terrain>>,
    plants: TerrainPlants,
    stumps: Query<Entity, With<Stump>>,
) {
    stumps.iter().for_each(|stump| commands.entity(stump).despawn());
    let trees = plants.layer(*terrain, TREES);
    let Some(removed) = plants.removed(*terrain) else { return };
    for plant in removed.ids().filter_map(|id| plants.get(*terrain, id)).filter(|plant| Some(plant.layer) == trees) {
        let size = Vec3::splat(plant.plant.size);
        commands.spawn((Stump, plant.transform.with_scale(size)));
    }
}
