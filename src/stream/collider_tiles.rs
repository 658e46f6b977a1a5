//! Collider tiles: the level-0 heights around bodies, for physics engines.
//!
//! Every entity with [`KeepGround`] has tiles of 32 by 32 level-0 quads around it. They need no viewer, no chunk and no GPU,
//! and they don't depend on the drawn level. In each frame:
//!
//! 1. **Select**: collect the bodies, find the tiles near each of them and on its way (`needs`), and take the tiles that
//!    tasks have finished.
//! 2. **Apply**: build the tiles under bodies that are still missing, spawn what is ready, despawn what no body needs.
//! 3. **Generate**: start tasks for the nearest missing tiles.
//!
//! Two bodies share a tile. A reload builds its tiles in tasks too, and replaces all of them in the frame in which the ground
//! is swapped. Rejected: colliders from drawn chunks. They are late, they change with the level of detail, and a server has none.

mod anchor;
mod collider_tile;
mod keep;
mod keep_ground;
mod needs;
mod tile_set;

pub(super) use anchor::Anchors;
pub use collider_tile::{ColliderTile, WaitsForGround};
pub(super) use keep::{apply_tiles, forget_tile, select_tiles, start_tile_tasks};
pub use keep_ground::KeepGround;
pub(crate) use needs::Body;
pub(super) use tile_set::TileSet;
