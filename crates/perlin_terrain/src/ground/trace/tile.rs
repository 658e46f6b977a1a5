//! Follows a line through a tile.

use super::grid_line::GridLine;
use super::{Crossing, Line, Progress, Side};
use crate::chunk::{SurfacePoint, quad_height};
use crate::ground::tile::HeightTile;

/// A line through a tile.
#[derive(Clone, Copy, Debug)]
pub struct TileTrace<'a> {
    pub tile: &'a HeightTile,
    pub line: &'a Line,
    /// In quads, from the corner of the tile.
    quads: GridLine,
    /// Where the line leaves the tile, in metres.
    end: f64,
}

impl<'a> TileTrace<'a> {
    /// The part of `line` in `tile` up to `end` metres.
    pub fn new(tile: &'a HeightTile, line: &'a Line, end: f64) -> Self {
        let quads = GridLine::new(line, tile.grid().position(0, 0), tile.spacing());
        Self { tile, line, quads, end }
    }

    /// The first crossing after `progress`, which moves to the end of this part.
    pub fn first_hit(&self, progress: &mut Progress) -> Option<Crossing> {
        self.descend(0, progress, |quad, to, progress| self.cross_quad(quad, to, progress))
    }

    /// Goes along the line, and calls `cross` for the squares of level `finest` that it may hit, with the first quad where it is in
    /// the square, and where it leaves the square. Level `l` has squares of 2^l by 2^l quads.
    pub fn descend(
        &self,
        finest: u32,
        progress: &mut Progress,
        mut cross: impl FnMut([usize; 2], f64, &mut Progress) -> Option<Crossing>,
    ) -> Option<Crossing> {
        let size = self.tile.grid().size.map(|vertices| vertices as i64 - 1);
        let maxima = self.tile.maxima();
        let mut level = maxima.top();
        let mut quad = self.quads.cell(progress.distance, [0; 2], size);
        loop {
            let low = quad.map(|along| along >> level << level);
            let high = [0, 1].map(|axis| (low[axis] + (1 << level)).min(size[axis]));
            let exit = self.quads.exit(low, high);
            let to = exit.distance.clamp(progress.distance, self.end);
            let position = quad.map(|along| along as usize);
            let is_over = level > 0 && self.is_over(progress.distance, to, maxima.around(level, position));
            if level > finest && !is_over {
                level -= 1;
                // The cell is that of the position where the line enters the square.
                continue;
            }
            let hit = if is_over {
                let from = progress.cross_to(Side::Above);
                from.map(|from| self.crossing(position, progress.distance, from))
            } else {
                cross(position, to, progress)
            };
            if hit.is_some() {
                return hit;
            }
            progress.distance = to;
            let [x, z] = exit.next;
            if exit.distance >= self.end || x < 0 || z < 0 || x >= size[0] || z >= size[1] {
                return None;
            }
            // Up by one level where the line leaves the square above.
            let leaves = (0..2).any(|axis| quad[axis] >> (level + 1) != exit.next[axis] >> (level + 1));
            level = (level + u32::from(leaves)).min(maxima.top());
            quad = exit.next;
        }
    }

    /// The position after `distance` metres, in quads from the corner of the tile.
    pub fn position(&self, distance: f64) -> [f64; 2] {
        self.quads.at(distance)
    }

    /// Whether the line is higher than `highest` between two distances.
    fn is_over(&self, from: f64, to: f64, highest: f64) -> bool {
        self.line.height(from).min(self.line.height(to)) > highest
    }

    /// A crossing in a quad after `distance` metres.
    fn crossing(&self, quad: [usize; 2], distance: f64, from: Side) -> Crossing {
        let position = self.position_in(quad, distance);
        let point = SurfacePoint::in_quad(self.tile.corners(quad), position, self.tile.spacing());
        Crossing { distance, normal: point.normal, from }
    }

    /// The position in a quad after `distance` metres: from 0 to 1 along x and along z.
    fn position_in(&self, quad: [usize; 2], distance: f64) -> [f64; 2] {
        let position = self.position(distance);
        [0, 1].map(|axis| (position[axis] - quad[axis] as f64).clamp(0.0, 1.0))
    }

    /// Follows the line through one quad, up to the distance `to`.
    ///
    /// Between the border and the diagonal of a quad, the ground is flat, so the height of the line above it is linear.
    fn cross_quad(&self, quad: [usize; 2], to: f64, progress: &mut Progress) -> Option<Crossing> {
        let corners = self.tile.corners(quad);
        let above = |distance: f64| {
            let [u, v] = self.position_in(quad, distance);
            self.line.height(distance) - quad_height(corners, u, v)
        };
        let mut gap = above(progress.distance);
        if let Some(from) = progress.cross_to(Side::of(gap)) {
            return Some(self.crossing(quad, progress.distance, from));
        }
        let diagonal = self.quads.diagonal(quad);
        let is_between = diagonal > progress.distance && diagonal < to;
        for next in [is_between.then_some(diagonal), Some(to)].into_iter().flatten() {
            let next_gap = above(next);
            let from = std::mem::replace(&mut progress.distance, next);
            if Side::of(next_gap) != Side::of(gap) {
                progress.distance = from + (next - from) * (gap / (gap - next_gap));
                if let Some(from) = progress.cross_to(Side::of(next_gap)) {
                    return Some(self.crossing(quad, progress.distance, from));
                }
                progress.distance = next;
            }
            gap = next_gap;
        }
        None
    }
}
