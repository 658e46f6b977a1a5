//! Ground for bodies, with or without a view.

use bevy::prelude::*;

/// Keeps the ground around an entity loaded and drawn at full detail, level 0, wherever it goes.
///
/// For bodies that must not fall through: a player far from the camera, a car, a crate, or anything on a server without
/// viewers. When the entity is put somewhere else, its ground is built in the same frame, as for a
/// [`TerrainViewer`](crate::stream::TerrainViewer): up to 64 chunks a frame for all of them together.
///
/// Each body counts as a viewer in the morph between levels, which serves 16 of them.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// fn spawn_car(mut commands: Commands) {
///     commands.spawn((Transform::from_xyz(5000.0, 0.0, 0.0), KeepGround { radius: 50.0 }));
/// }
/// # bevy::ecs::system::assert_is_system(spawn_car);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct KeepGround {
    /// The distance within which ground is kept, in metres of the world. Default: 32.
    pub radius: f32,
}

impl Default for KeepGround {
    fn default() -> Self {
        Self { radius: 32.0 }
    }
}
