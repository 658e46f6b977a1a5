//! Follows a line from chunk to chunk.

mod grid_line;
mod tile;

use super::ray::Crossing;
use super::tile::HeightTile;
use crate::chunk::{ChunkCoord, ChunkLayout};
use grid_line::GridLine;
use std::sync::Arc;
use tile::TileTrace;

/// A part of a ray: all numbers are finite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// x, y and z in metres.
    pub origin: [f64; 3],
    /// Has unit length.
    pub direction: [f64; 3],
    /// In metres.
    pub length: f64,
}

impl Line {
    /// See [`Ground::FARTHEST`](super::Ground::FARTHEST).
    pub const FARTHEST: f64 = 8e12;

    /// A line along `direction`, which may have any length. `None` if a number is not finite, other than an infinite `length`.
    pub fn new(origin: [f64; 3], direction: [f64; 3], length: f64) -> Option<Self> {
        let largest = direction.iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
        let is_finite = origin.iter().chain(&direction).all(|number| number.is_finite());
        let is_near = origin[0].abs() <= Self::FARTHEST && origin[2].abs() <= Self::FARTHEST;
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
    fn height(&self, distance: f64) -> f64 {
        self.origin[1] + distance * self.direction[1]
    }
}

/// A side of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

/// The chunk whose triangles count at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub chunk: ChunkCoord,
    /// No triangle of it is higher, in metres.
    pub highest: f64,
}

/// How far a line has come, and on which side of the ground it was seen last.
///
/// A line that was above and is now below has crossed the ground in between, whatever rounding did there. So nothing leaks, not at
/// the borders of quads and not between tiles.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// In metres.
    distance: f64,
    /// `None` before the first look.
    side: Option<Side>,
}

/// What a line can hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trace<'a> {
    pub layout: &'a ChunkLayout,
    /// The lowest and the highest ground, in metres.
    pub bounds: [f32; 2],
    pub is_two_sided: bool,
}

impl Trace<'_> {
    /// The first crossing along `line`. Starts on the side `start`, or on the side where its origin is.
    ///
    /// `leaf` has the chunk at a place, which is given as a chunk of level 0. The line ends where there is none.
    pub fn first_hit(
        &self,
        line: &Line,
        start: Option<Side>,
        leaf: impl Fn(ChunkCoord) -> Option<Leaf>,
        tile: impl Fn(ChunkCoord) -> Arc<HeightTile>,
    ) -> Option<Crossing> {
        let (mut progress, end) = self.within_bounds(line, start)?;
        let first = self.layout.chunk_at(0, line.origin[0], line.origin[2]);
        // In sides of a chunk, from the corner of the first one.
        let chunks = GridLine::new(line, self.layout.origin(first), self.layout.chunk_size(0));
        let mut at = chunks.cell(progress.distance, [i64::MIN / 2; 2], [i64::MAX / 2; 2]);
        loop {
            let here = leaf(first.neighbor(at[0], at[1]))?;
            let west_north = [here.chunk.x, here.chunk.z].map(|along| along << here.chunk.level);
            let low = [west_north[0] - first.x, west_north[1] - first.z];
            let high = low.map(|along| along + (1 << here.chunk.level));
            let exit = chunks.exit(low, high);
            let to = exit.distance.clamp(progress.distance, end);
            if line.height(progress.distance).min(line.height(to)) > here.highest && progress.side != Some(Side::Below)
            {
                progress = Progress { distance: to, side: Some(Side::Above) };
            } else {
                let tile = TileTrace::new(&tile(here.chunk), line, to, self.is_two_sided).first_hit(&mut progress);
                if tile.is_some() {
                    return tile;
                }
            }
            if exit.distance >= end {
                return None;
            }
            at = exit.next;
        }
    }

    /// The part of `line` between the lowest and the highest ground: its start and its end. `None` if it hits nothing.
    fn within_bounds(&self, line: &Line, start: Option<Side>) -> Option<(Progress, f64)> {
        // Level ground has no height between its bounds.
        let [low, high] = [f64::from(self.bounds[0]) - 1.0, f64::from(self.bounds[1]) + 1.0];
        let ([_, from, _], [_, slope, _]) = (line.origin, line.direction);
        let [to_low, to_high] = [low, high].map(|height| (height - from) / slope);
        let (distance, side, end) = if from > high {
            (to_high, Some(Side::Above), to_low)
        } else if from < low && start.is_none() {
            (to_low, Some(Side::Below), to_high)
        } else {
            (
                0.0,
                start,
                if slope > 0.0 {
                    to_high
                } else if slope < 0.0 {
                    to_low
                } else {
                    f64::INFINITY
                },
            )
        };
        // From above or from below and not toward the ground, `distance` is negative or infinite.
        let end = end.max(0.0).min(line.length);
        (distance >= 0.0 && distance <= end).then_some((Progress { distance, side }, end))
    }
}
