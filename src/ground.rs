//! The ground in a game: the system parameter [`TerrainGround`] answers in world coordinates, and pointers hover and click the ground.
//!
//! The rest of this module is [`perlin_terrain::ground`], the same without Bevy. Its page says which surface an answer is about.

mod drawn;
#[cfg(feature = "picking")]
mod picking;
mod plugin;
mod terrain_ground;

#[doc(no_inline)]
pub use perlin_terrain::ground::{
    AreaError, Ground, GroundExtremes, GroundHit, GroundTriangles, HeightTile, RaySettings, TileCache, TileScratch,
};
#[cfg(feature = "picking")]
pub use picking::{TerrainPick, TerrainPickingPlugin};
pub use plugin::{TerrainGroundPlugin, TerrainTiles};
pub use terrain_ground::{
    DrawnGround, GroundAreaError, GroundNotLoaded, GroundPoint, TerrainGround, TerrainHit, WorldTriangles,
};
