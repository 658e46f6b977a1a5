//! Keeps collider tiles around bodies.

use super::WaitsForGround;
use crate::chunk::ChunkLayout;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

/// Keeps the heights of the ground around a body ready for a physics engine: as [`ColliderTile`](super::ColliderTile)s, at full
/// detail (level 0), with or without a viewer.
///
/// Put it on everything that must not fall through the ground: the player, cars, crates. The tiles under the body are there in
/// the frame in which it is spawned or teleported; if that takes more than
/// [`ColliderTile::MAX_BUILT_NOW`](super::ColliderTile::MAX_BUILT_NOW) tiles, the body
/// [`WaitsForGround`](super::WaitsForGround). Other tiles are built in tasks, ahead of the motion. Tiles farther than 1.5 times
/// the radius from every body and its way are despawned.
///
/// The trunks and stones around the body are entities in the same frame, to the radius and at most 32 m, within the limits that the module
/// [`plants`](crate::plants#entities) names. No body waits for them.
///
/// The crates `bevy_perlin_terrain_avian` and `bevy_perlin_terrain_rapier` give every tile, trunk and stone a collider. For heights
/// alone, use [`TerrainGround`](crate::ground::TerrainGround), which needs no tiles.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// fn spawn_car(mut commands: Commands) {
///     commands.spawn((Transform::from_xyz(5000.0, 300.0, 0.0), KeepGround { radius: 50.0, ..default() }));
/// }
/// # bevy::ecs::system::assert_is_system(spawn_car);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[component(on_remove = stop_waiting)]
#[require(Transform)]
pub struct KeepGround {
    /// Tiles within this distance are kept, in metres of the world. \[Limit: 1 quad to 8 tiles, with the default spacing of
    /// 4 m: 4 to 1024\] Default: 32.
    ///
    /// Tiles within a quarter of it are built at once, so it should be at least four times the size of the body.
    pub radius: f32,
    /// Tiles that the body will need within this time are built in advance, in seconds. The way ahead ends after 8 tiles.
    /// \[Limit: 0 to 10\] Default: 1.
    pub ahead: f32,
}

/// A body without [`KeepGround`] does not wait.
fn stop_waiting(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    world.commands().entity(entity).try_remove::<WaitsForGround>();
}

impl Default for KeepGround {
    fn default() -> Self {
        Self { radius: 32.0, ahead: 1.0 }
    }
}

impl KeepGround {
    /// The largest radius, and the longest way ahead, in tiles.
    pub(super) const MAX_TILES: f64 = 8.0;

    /// The longest time ahead, in seconds.
    pub(super) const MAX_AHEAD: f64 = 10.0;

    /// The smallest and the largest radius over a grid of tiles, in metres.
    pub(super) fn radii(layout: &ChunkLayout) -> [f64; 2] {
        [layout.spacing(0), Self::MAX_TILES * layout.chunk_size(0)]
    }

    /// The problem, if a value is out of range in a terrain with this `scale`. `None` also for values that are not finite.
    pub(super) fn problem(&self, layout: &ChunkLayout, scale: f64) -> Option<String> {
        let Self { radius, ahead } = *self;
        let [min, max] = Self::radii(layout).map(|metres| metres * scale);
        let is_allowed =
            (min..=max).contains(&f64::from(radius)) && (0.0..=Self::MAX_AHEAD).contains(&f64::from(ahead));
        (!is_allowed && radius.is_finite() && ahead.is_finite()).then(|| {
            format!(
                "`KeepGround {{ radius: {radius}, ahead: {ahead} }}` is out of range, so the nearest allowed values are used: \
                 `radius` is {min} to {max} m over this terrain, `ahead` 0 to {} s",
                Self::MAX_AHEAD
            )
        })
    }
}
