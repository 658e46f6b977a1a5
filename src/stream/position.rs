//! Converts between a terrain's own coordinates and world coordinates, also far from the origin.

#[cfg(feature = "big_space")]
mod big_space;
mod bounds;
mod chunk_position;
mod frame;
mod origin;
mod origin_shift;
mod transform_check;

#[cfg(feature = "big_space")]
pub(super) use big_space::build as build_big_space;
pub use bounds::ChunkBounds;
pub(super) use chunk_position::follow_origins;
pub(crate) use chunk_position::{ChunkPosition, MovedTerrain};
pub(crate) use frame::TerrainPositionItem;
pub use frame::{TerrainFrame, TerrainPosition};
pub use origin::TerrainOrigin;
pub use origin_shift::{OriginAnchor, OriginFixed, OriginShiftPlugin, OriginShifted, WorldOrigin};
pub(super) use transform_check::check_transforms;
