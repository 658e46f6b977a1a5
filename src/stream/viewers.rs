//! Viewers: their positions in the coordinates of a terrain, and their velocities.

mod collect;
mod main_viewer;
mod velocity;
mod viewer_positions;

pub(super) use collect::{Scene, ViewerCollector};
pub(super) use main_viewer::choose_main_viewer;
pub(crate) use main_viewer::{MainViewer, choose};
pub(super) use velocity::Velocity;
pub(crate) use viewer_positions::ViewerPositions;
