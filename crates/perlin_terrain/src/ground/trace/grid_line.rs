//! A line over a square grid.

use super::Line;

/// A line over a grid of squares: in sides of a square, from a corner of the grid near it.
///
/// Cells are whole numbers, and every step crosses a line of the grid, so a walk over cells always advances, whatever the rounding.
#[derive(Clone, Copy, Debug)]
pub struct GridLine {
    origin: [f64; 2],
    /// For each metre along the line.
    direction: [f64; 2],
}

/// Where a line leaves a box of cells.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// In metres along the line. Infinite for a vertical line.
    pub distance: f64,
    /// The next cell.
    pub next: [i64; 2],
}

impl GridLine {
    /// A line over the grid with cells of `size` metres and a corner at `corner`.
    pub fn new(line: &Line, corner: [f64; 2], size: f64) -> Self {
        let [x, _, z] = line.origin;
        let [along_x, _, along_z] = line.direction;
        // Both positions are near one another, so their difference is exact.
        Self { origin: [(x - corner[0]) / size, (z - corner[1]) / size], direction: [along_x / size, along_z / size] }
    }

    /// The position after `distance` metres.
    pub fn at(&self, distance: f64) -> [f64; 2] {
        [0, 1].map(|axis| self.origin[axis] + distance * self.direction[axis])
    }

    /// The cell after `distance` metres, within the cells from `low` to before `high`.
    pub fn cell(&self, distance: f64, low: [i64; 2], high: [i64; 2]) -> [i64; 2] {
        let position = self.at(distance);
        [0, 1].map(|axis| (position[axis].floor() as i64).clamp(low[axis], high[axis] - 1))
    }

    /// Where the line leaves the cells from `low` to before `high`.
    pub fn exit(&self, low: [i64; 2], high: [i64; 2]) -> Exit {
        let [x, z] = [0, 1].map(|axis| {
            let (direction, origin) = (self.direction[axis], self.origin[axis]);
            if direction > 0.0 {
                (high[axis] as f64 - origin) / direction
            } else if direction < 0.0 {
                (low[axis] as f64 - origin) / direction
            } else {
                f64::INFINITY
            }
        });
        let (distance, axis) = if x <= z { (x, 0) } else { (z, 1) };
        let mut next = self.cell(distance.min(f64::MAX), low, high);
        next[axis] = if self.direction[axis] > 0.0 { high[axis] } else { low[axis] - 1 };
        Exit { distance, next }
    }

    /// Where the line crosses the diagonal from north-east to south-west of a cell, in metres.
    pub fn diagonal(&self, cell: [usize; 2]) -> f64 {
        ((cell[0] + cell[1] + 1) as f64 - self.origin[0] - self.origin[1]) / (self.direction[0] + self.direction[1])
    }
}
