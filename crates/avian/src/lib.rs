//! Ground of [`bevy_perlin_terrain`] that bodies of [`avian3d`] stand on.
//!
//! ```no_run
//! use avian3d::prelude::*;
//! use bevy::prelude::*;
//! use bevy_perlin_terrain::prelude::*;
//! use bevy_perlin_terrain_avian::TerrainColliderPlugin;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, TerrainMinimalPlugins, PhysicsPlugins::default(), TerrainColliderPlugin))
//!         .add_systems(Startup, setup)
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
//!     // `KeepGround` on everything that must not fall through the ground.
//!     commands.spawn((
//!         RigidBody::Dynamic,
//!         Collider::sphere(0.5),
//!         KeepGround::default(),
//!         Transform::from_xyz(0.0, 300.0, 0.0),
//!     ));
//! }
//! ```
//!
//! # What the plugin does
//!
//! - **Colliders.** Every [`ColliderTile`](bevy_perlin_terrain::stream::ColliderTile) is a static body with a height field: the
//!   triangles that the terrain draws near a viewer, with the same diagonal and the same heights to the bit. No camera, chunk or
//!   GPU is needed, so a server has the same colliders. They do not depend on the level of detail.
//! - **Plants.** Trunks and stones are static bodies: [`plant_collider`]. They stand around a body with `KeepGround` in the frame in which
//!   it has its ground. A layer of plants with `collider: false` has none.
//! - **No seams.** Bodies cross the border between two tiles as if it were not there.
//! - **Nothing falls through.** A body with `KeepGround` has ground in the frame in which it is spawned or teleported, and waits if
//!   it isn't there. After each step, a body whose position is below the ground is put on top of it and loses its velocity into
//!   the ground, unless it has [`MayGoBelow`]. There is no promise for bodies without `KeepGround`.
//! - **Edits.** Where the ground is edited, its tiles get other colliders in the same frame, and sleeping bodies wake up.
//! - **Origin shifts** move all bodies in one tick, with the ends of interpolated positions. Sleeping bodies wake up.
//!
//! # A character
//!
//! The module `walk` has a capsule that walks, runs and jumps over the ground. It needs positions in `f32`, the default.
//!
//! # Precision
//!
//! For positions in `f64`, use this crate with `default-features = false`, and avian3d with its feature `parry-f64`. Bevy's transforms
//! are `f32`, and avian copies positions from them, so stay near the origin with it too: with `OriginShiftPlugin` or `TerrainOrigin`.

mod collider;
mod hold;
mod plants;
mod plugin;
mod rescue;
mod seams;
mod shift;
#[cfg(feature = "f32")]
pub mod walk;

pub use collider::ground_collider;
pub use plants::plant_collider;
pub use plugin::TerrainColliderPlugin;
pub use rescue::MayGoBelow;
