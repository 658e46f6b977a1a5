//! Viewers: their positions in the coordinates of a terrain, and their velocities.

mod collect;
mod place;
mod velocity;

pub(super) use collect::{Scene, ViewerCollector};
pub(crate) use place::ViewerPlaces;
pub(super) use velocity::Velocity;
