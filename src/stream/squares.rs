//! Ground squares: the level-0 heights around bodies, for physics engines.
//!
//! Every entity with [`KeepGround`] has squares of 32 by 32 level-0 quads around it. They need no viewer, no chunk and no GPU,
//! and they don't depend on the drawn level. In each frame:
//!
//! 1. **Select**: collect the bodies, find the squares near each of them and on its way (`needs`), and take the squares that
//!    tasks have finished.
//! 2. **Apply**: build the squares under bodies that are still missing, spawn what is ready, despawn what no body needs.
//! 3. **Generate**: start tasks for the nearest missing squares.
//!
//! Two bodies share a square. A reload builds its squares in tasks too, and replaces all of them in the frame in which the ground
//! is swapped. Rejected: colliders from drawn chunks. They are late, they change with the level of detail, and a server has none.

mod anchor;
mod ground_square;
mod keep;
mod keep_ground;
mod needs;
mod square_set;

pub(super) use anchor::Anchors;
pub use ground_square::{GroundSquare, WaitsForGround};
pub(super) use keep::{apply_squares, forget_square, select_squares, start_square_tasks};
pub use keep_ground::KeepGround;
pub(super) use square_set::SquareSet;
