//! Boxes that can't be answered for.

use super::Plants;

/// A box whose plants can't be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlantAreaError {
    /// A number is not finite, too far away, or out of order.
    #[error("an area needs finite numbers up to 8e12 m from the origin, and a minimum that is not above its maximum")]
    Invalid,
    /// The box has more cells than [`Plants::MAX_CELLS`].
    #[error(
        "the area has {cells} cells for plants, at most {} are allowed: use a smaller area, or a larger spacing",
        Plants::MAX_CELLS
    )]
    TooLarge {
        /// The number of cells.
        cells: u64,
    },
}
