//! Some trees, which stay on the ground.

use bevy::prelude::*;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;

#[derive(Component)]
pub struct Tree;

const TREES: usize = 300;

/// They stand in a square with this side, in metres.
const SIDE: f64 = 500.0;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, plant.run_if(not(any_with_component::<Tree>))).add_observer(follow_ground);
}

/// Plants the trees as soon as there is ground.
fn plant(ground: TerrainGround, mut commands: Commands) {
    let mut random = NoiseRng::new(7, 0);
    for _ in 0..TREES {
        let [x, z] = [(); 2].map(|()| random.next_in(-SIDE / 2.0, SIDE / 2.0) as f32);
        if let Some(height) = ground.height(Vec3::new(x, 0.0, z)) {
            commands.spawn((Tree, Transform::from_xyz(x, height, z)));
        }
    }
}

/// Moves the trees on edited ground up or down.
fn follow_ground(
    edited: On<GroundEdited>,
    terrains: Query<TerrainPosition>,
    ground: TerrainGround,
    mut trees: Query<&mut Transform, With<Tree>>,
) {
    let Ok(terrain) = terrains.get(edited.terrain) else { return };
    let frame = terrain.frame();
    for mut tree in &mut trees {
        let position = frame.to_terrain(tree.translation);
        if edited.bounds.contains(position.x, position.z)
            && let Some(height) = ground.height(tree.translation)
        {
            tree.translation.y = height;
        }
    }
}
