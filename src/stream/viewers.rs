//! Viewers: their positions in the coordinates of a terrain, and their velocities.

mod collect;
mod keep_ground;
mod place;
mod velocity;

pub(super) use collect::{Scene, ViewerCollector};
pub use keep_ground::KeepGround;
#[cfg(feature = "inspector")]
pub(crate) use place::ViewerPlaces;
pub(super) use velocity::Velocity;
