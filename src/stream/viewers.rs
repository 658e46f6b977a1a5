//! Viewers: their positions in the coordinates of a terrain, and their velocities.

mod collect;
mod main_viewer;
mod place;
mod velocity;

pub(super) use collect::{Scene, ViewerCollector};
pub(super) use main_viewer::choose_main_viewer;
pub(crate) use main_viewer::{MainViewer, choose};
pub(crate) use place::ViewerPlaces;
pub(super) use velocity::Velocity;
