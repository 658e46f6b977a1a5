//! Ground of [`bevy_perlin_terrain`] that bodies of [`bevy_rapier3d`] stand on.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_perlin_terrain::prelude::*;
//! use bevy_perlin_terrain_rapier::{TerrainColliderPlugin, TerrainHooks};
//! use bevy_rapier3d::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, TerrainMinimalPlugins))
//!         .add_plugins((RapierPhysicsPlugin::<TerrainHooks>::default(), TerrainColliderPlugin::default()))
//!         .add_systems(Startup, setup)
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
//!     // `KeepGround` on everything that must not fall through the ground.
//!     commands.spawn((
//!         RigidBody::Dynamic,
//!         Collider::ball(0.5),
//!         KeepGround::default(),
//!         Transform::from_xyz(0.0, 300.0, 0.0),
//!     ));
//! }
//! ```
//!
//! With `RapierPhysicsPlugin::in_fixed_schedule`, add `TerrainColliderPlugin::default().in_fixed_schedule()`.
//!
//! # What the plugin does
//!
//! - **Colliders.** Every [`ColliderTile`](bevy_perlin_terrain::stream::ColliderTile) has a height field: the triangles that the
//!   terrain draws near a viewer, with the same diagonal and the same heights to the bit. No camera, chunk or GPU is needed, so a
//!   server has the same colliders. They do not depend on the level of detail.
//! - **Plants.** Trunks and stones have colliders: [`plant_collider`]. They stand around a body with `KeepGround` in the frame in which it
//!   has its ground. A layer of plants with `collider: false` has none.
//! - **No seams.** With [`TerrainHooks`], bodies cross the border between two tiles as if it were not there. An app has physics
//!   hooks of one type; if the game has its own, they [call these](TerrainHooks) in one line. Without them, bodies lose speed at
//!   the borders, and the log warns.
//! - **Nothing falls through.** A body with `KeepGround` has ground in the frame in which it is spawned or teleported, and waits if
//!   it isn't there. After each step, a body whose position is below the ground is put on top of it and loses its velocity into
//!   the ground, unless it has [`MayGoBelow`]. The same holds for a collider without a body that a `KinematicCharacterController`
//!   moves. There is no promise for bodies without `KeepGround`.
//! - **Origin shifts** move all bodies in one tick, with the ends of interpolated positions. Sleeping bodies wake up.
//!
//! # Limits
//!
//! - Rapier computes in `f32` here. So stay near the origin, with `OriginShiftPlugin` or `TerrainOrigin`.
//! - A ball that falls exactly onto a vertex of perfectly level ground may get no contact from rapier. It sinks until its center is
//!   below the ground, and is put on top then.

mod collider;
mod hold;
mod plants;
mod plugin;
mod rescue;
mod seams;
mod shift;

pub use collider::ground_collider;
pub use plants::plant_collider;
pub use plugin::TerrainColliderPlugin;
pub use rescue::MayGoBelow;
pub use seams::TerrainHooks;
