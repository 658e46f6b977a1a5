//! Follows a line from chunk to chunk.
//!
//! The caller decides what lies in a chunk: the triangles of level 0, or those that are drawn.

mod grid_line;
mod tile;

use super::Ground;
use crate::chunk::{ChunkCoord, ChunkLayout};
use grid_line::GridLine;
pub use tile::TileTrace;

/// A part of a ray: all numbers are finite.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// x, y and z in metres.
    pub origin: [f64; 3],
    /// Has unit length.
    pub direction: [f64; 3],
    /// In metres.
    pub length: f64,
}

impl Line {
    /// See [`Ground::MAX_COORDINATE`](super::Ground::MAX_COORDINATE).
    pub const MAX_COORDINATE: f64 = 8e12;

    /// A line along `direction`, which may have any length. `None` if a number is not finite, other than an infinite `length`.
    pub fn new(origin: [f64; 3], direction: [f64; 3], length: f64) -> Option<Self> {
        let largest = direction.iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
        let is_finite = origin.iter().chain(&direction).all(|number| number.is_finite());
        let is_near = origin[0].abs() <= Self::MAX_COORDINATE && origin[2].abs() <= Self::MAX_COORDINATE;
        // Divided by the largest part first: no square is too large or too small for a number.
        let direction = direction.map(|part| part / largest);
        let norm = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        (is_finite && is_near && largest > 0.0 && length >= 0.0).then(|| Self {
            origin,
            direction: direction.map(|part| part / norm),
            length,
        })
    }

    /// The position after `distance` metres.
    pub fn at(&self, distance: f64) -> [f64; 3] {
        std::array::from_fn(|axis| self.origin[axis] + distance * self.direction[axis])
    }

    /// The height after `distance` metres.
    pub fn height(&self, distance: f64) -> f64 {
        self.origin[1] + distance * self.direction[1]
    }
}

/// A side of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Above,
    Below,
}

impl Side {
    /// The side of a line that is `gap` metres above the ground.
    pub fn of(gap: f64) -> Self {
        if gap < 0.0 { Self::Below } else { Self::Above }
    }
}

/// Where a line crosses a triangle of a tile.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Metres from the origin of the line.
    pub distance: f64,
    /// The unit normal of the triangle.
    pub normal: [f32; 3],
    pub from: Side,
}

/// How far a line has come, and on which side of the ground it was seen last.
///
/// A line that was above and is now below has crossed the ground in between, whatever rounding did there. So nothing leaks, not at
/// the borders of quads and not between tiles.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// In metres.
    pub distance: f64,
    /// `None` before the first look.
    pub side: Option<Side>,
    /// Whether crossings from below count too.
    pub is_two_sided: bool,
}

impl Progress {
    /// The line is now on this `side`. The other one, if that is a crossing that counts.
    pub fn cross_to(&mut self, side: Side) -> Option<Side> {
        let from = self.side.replace(side)?;
        (from != side && (from == Side::Above || self.is_two_sided)).then_some(from)
    }
}

/// The first crossing of the level-0 triangles along `line`. Starts on the side `start`, or on the side where its origin is.
pub fn first_hit(ground: &Ground, line: &Line, start: Option<Side>, is_two_sided: bool) -> Option<Crossing> {
    let (progress, end) = within_bounds(line, ground.field().bounds(), start, is_two_sided)?;
    follow(
        ground.layout(),
        line,
        progress,
        end,
        |chunk| chunk,
        |chunk, to, progress| TileTrace::new(&ground.tile(chunk), line, to).first_hit(progress),
    )
}

/// Visits squares along `line` from `progress` to `end`, the nearest first, until `cross` returns a crossing.
///
/// `square` returns the square to visit around a chunk of level 0: that chunk, or one that contains it. `cross` also gets the
/// distance at which the line leaves the square.
pub fn follow(
    layout: &ChunkLayout,
    line: &Line,
    mut progress: Progress,
    end: f64,
    square: impl Fn(ChunkCoord) -> ChunkCoord,
    mut cross: impl FnMut(ChunkCoord, f64, &mut Progress) -> Option<Crossing>,
) -> Option<Crossing> {
    let first = layout.chunk_at(0, line.origin[0], line.origin[2]);
    // In sides of a chunk, from the corner of the first one.
    let chunks = GridLine::new(line, layout.origin(first), layout.chunk_size(0));
    let mut at = chunks.cell(progress.distance, [i64::MIN / 2; 2], [i64::MAX / 2; 2]);
    loop {
        let square = square(first.neighbor(at[0], at[1]));
        let low = [(square.x << square.level) - first.x, (square.z << square.level) - first.z];
        let exit = chunks.exit(low, low.map(|along| along + (1 << square.level)));
        let to = exit.distance.clamp(progress.distance, end);
        let hit = cross(square, to, &mut progress);
        if hit.is_some() || exit.distance >= end {
            return hit;
        }
        at = exit.next;
    }
}

/// The part of `line` between the lowest and the highest ground: its start and its end. `None` if it hits nothing.
pub fn within_bounds(
    line: &Line,
    (lowest, highest): (f32, f32),
    start: Option<Side>,
    is_two_sided: bool,
) -> Option<(Progress, f64)> {
    // Level ground has no height between its bounds.
    let [low, high] = [f64::from(lowest) - 1.0, f64::from(highest) + 1.0];
    let ([_, from, _], [_, slope, _]) = (line.origin, line.direction);
    let [to_low, to_high] = [low, high].map(|height| (height - from) / slope);
    let (distance, side, end) = if from > high {
        (to_high, Some(Side::Above), to_low)
    } else if from < low && start.is_none() {
        (to_low, Some(Side::Below), to_high)
    } else if slope == 0.0 {
        (0.0, start, f64::INFINITY)
    } else {
        (0.0, start, if slope > 0.0 { to_high } else { to_low })
    };
    let end = end.max(0.0).min(line.length);
    // From above or from below and not toward the ground, `distance` is negative or infinite.
    (distance >= 0.0 && distance <= end).then_some((Progress { distance, side, is_two_sided }, end))
}
