//! A contact sheet: tiles with captions.

use crate::canvas::Canvas;
use crate::encode::Pixels;
use crate::stop::Stop;

/// Pixels between tiles and around all of them.
pub const GAP: u32 = 14;

const BACKGROUND: u8 = 22;

/// Where tiles lie on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Tiles side by side.
    pub columns: u32,
    /// The number of tiles.
    pub count: u32,
    /// Width and height of a tile.
    pub tile: [u32; 2],
    /// Width and height of a tile with the caption below it.
    pub cell: [u32; 2],
}

impl Sheet {
    /// An empty sheet.
    pub fn canvas(&self, pixels: Pixels) -> Result<Canvas, Stop> {
        let counts = [self.columns, self.count.div_ceil(self.columns)];
        let gap = u64::from(GAP);
        let size = [0, 1].map(|axis| gap + u64::from(counts[axis]) * (u64::from(self.cell[axis]) + gap));
        Canvas::new(size, pixels, BACKGROUND)
    }

    /// The upper left corner of tile `index`, on a sheet that has been made.
    pub fn position(&self, index: u32) -> [u32; 2] {
        let at = [index % self.columns, index / self.columns];
        [0, 1].map(|axis| GAP + at[axis] * (self.cell[axis] + GAP))
    }
}
