//! The ground that games ask for: heights, normals, slopes, rays, lines of sight, boxes and triangles, at any position. No chunk
//! needs to be loaded there, and no GPU: a server gets the same answers.
//!
//! All answers are about the triangles of level 0, which chunks near a viewer draw. [`Ground`] has them for one height field, in the
//! terrain's own coordinates, without Bevy. In a game, the system parameter `TerrainGround` has them in world coordinates.
//!
//! # Two surfaces
//!
//! - **The triangles of level 0**: `height`, `normal`, `slope`, rays and boxes. Use them for feet, wheels, trees and bullets, and
//!   with colliders made from level-0 heights. Level 0 is drawn up to at least 1.5 chunk sides from a viewer, about 400 m by
//!   default. Beyond that, the drawn ground differs from these triangles by about `lod.pixel_error` pixels at most. In the first
//!   frames after a teleport, level 0 may reach less far.
//! - **The smooth height field**: `field_height` and `field_normal`. It does not depend on the spacing of the vertices, and a query
//!   takes a quarter of the time.
//!
//! Both surfaces have the same height at every vertex. Between vertices the triangles are flat and the field is not:
//!
//! | terrain | spacing | median difference | 99.9th percentile |
//! | --- | --: | --: | --: |
//! | `rolling_hills` | 4 m | 0.02 m, 1.3 degrees | 0.21 m, 7 degrees |
//! | `islands` | 4 m | 0.04 m, 2.3 degrees | 0.40 m, 13 degrees |
//! | `alps` | 8 m | 0.17 m, 3.4 degrees | 2.2 m, 29 degrees |
//!
//! A third one is what is drawn now: `TerrainGround::surface_at`, and what pointers hit with `TerrainPickingPlugin`. It changes with
//! the viewers.
//!
//! # Tiles
//!
//! Rays and boxes read many neighboring vertices. These are in [tiles](HeightTile): the heights of a chunk, with a maximum mipmap for
//! rays. A tile takes as long as the heights of a chunk. A [`TileCache`] keeps those that were used last, so the first ray in new
//! land takes much longer than the next. After a reload, old tiles are dropped. Single positions are computed without tiles.

mod area;
#[cfg(test)]
mod fixtures;
mod ray;
mod surface;
mod tile;
mod tile_cache;
#[doc(hidden)]
pub mod trace;

pub use area::{AreaError, GroundExtremes, GroundTriangles};
pub use ray::{GroundHit, RaySettings};
pub use surface::Ground;
pub use tile::{HeightTile, TileScratch};
pub use tile_cache::TileCache;
