//! Converts between a terrain's own coordinates and world coordinates, also far from the origin.

#[cfg(feature = "big_space")]
mod big_space;
mod bounds;
mod frame;
mod origin;
mod origin_shift;
mod terrain_place;
mod transform_check;

#[cfg(feature = "big_space")]
pub(super) use big_space::build as build_big_space;
pub use bounds::ChunkBounds;
pub(crate) use frame::TerrainPositionItem;
pub use frame::{TerrainFrame, TerrainPosition};
pub use origin::TerrainOrigin;
pub use origin_shift::{OriginAnchor, OriginFixed, OriginShiftPlugin, OriginShifted, WorldOrigin};
pub(super) use terrain_place::follow_origins;
pub(crate) use terrain_place::{MovedTerrain, TerrainPlace};
pub(super) use transform_check::check_transforms;
