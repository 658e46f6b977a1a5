//! Keeps ground loaded around bodies that are not viewers.

use bevy::prelude::*;

/// Keeps the ground around an entity loaded and drawn at full detail (level 0) as it moves.
///
/// Use it for bodies that must not fall through the ground: a player far from the camera, a car, a crate, or anything on a server
/// without viewers. After a teleport, the ground is built in the same frame, as for a
/// [`TerrainViewer`](crate::stream::TerrainViewer). The limit is [`TerrainBudget::MOST_BUILT_NOW`] chunks per frame for all viewers
/// and bodies together.
///
/// [`TerrainBudget::MOST_BUILT_NOW`]: crate::stream::TerrainBudget::MOST_BUILT_NOW
///
/// Each body counts as a viewer for the geomorph, which supports up to 16 viewers.
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
    /// The ground within this distance stays loaded, in metres of the world. Default: 32.
    pub radius: f32,
}

impl Default for KeepGround {
    fn default() -> Self {
        Self { radius: 32.0 }
    }
}
