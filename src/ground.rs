//! The ground.

mod area;
#[cfg(test)]
mod fixtures;
mod ray;
mod surface;
#[cfg(feature = "bevy")]
mod terrain_ground;
mod tile;
mod tile_cache;
mod trace;

pub use area::{AreaError, GroundExtremes, GroundTriangles};
pub use ray::{GroundHit, RaySettings};
pub use surface::Ground;
#[cfg(feature = "bevy")]
pub use terrain_ground::TerrainGround;
pub use tile::{HeightTile, TileScratch};
pub use tile_cache::TileCache;
