//! Follows a line through a tile.

use super::grid_line::GridLine;
use super::{Crossing, Line, Progress, Side};
use crate::chunk::{SurfacePoint, quad_height};
use crate::ground::tile::HeightTile;

/// A line through a tile.
#[derive(Clone, Copy, Debug)]
pub struct TileTrace<'a> {
    tile: &'a HeightTile,
    line: &'a Line,
    /// In quads, from the corner of the tile.
    quads: GridLine,
    /// Where the line leaves the tile, in metres.
    end: f64,
    is_two_sided: bool,
}

impl<'a> TileTrace<'a> {
    /// The part of `line` in `tile` up to `end` metres.
    pub fn new(tile: &'a HeightTile, line: &'a Line, end: f64, is_two_sided: bool) -> Self {
        let quads = GridLine::new(line, tile.grid().position(0, 0), tile.spacing());
        Self { tile, line, quads, end, is_two_sided }
    }

    /// The first crossing after `progress`, which moves to the end of this part.
    pub fn first_hit(&self, progress: &mut Progress) -> Option<Crossing> {
        let size = self.tile.grid().size.map(|vertices| vertices as i64 - 1);
        let maxima = self.tile.maxima();
        let mut level = maxima.top();
        let mut quad = self.quads.cell(progress.distance, [0; 2], size);
        loop {
            let low = quad.map(|along| along >> level << level);
            let high = [0, 1].map(|axis| (low[axis] + (1 << level)).min(size[axis]));
            let exit = self.quads.exit(low, high);
            let to = exit.distance.clamp(progress.distance, self.end);
            let place = quad.map(|along| along as usize);
            if level > 0 && !self.is_over(progress.distance, to, maxima.around(level, place)) {
                level -= 1;
                // The cell is that of the place where the line enters the square.
                continue;
            }
            let hit = if level == 0 {
                self.cross_quad(place, to, progress)
            } else {
                self.cross_to(Side::Above, place, progress)
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

    /// Whether the line is higher than `highest` between two distances.
    fn is_over(&self, from: f64, to: f64, highest: f64) -> bool {
        self.line.height(from).min(self.line.height(to)) > highest
    }

    /// The line is now on this `side`, in this quad: the crossing, if it was on the other one.
    fn cross_to(&self, side: Side, quad: [usize; 2], progress: &mut Progress) -> Option<Crossing> {
        let from = progress.side.replace(side)?;
        let counts = from != side && (from == Side::Above || self.is_two_sided);
        counts.then(|| {
            let place = self.place_in(quad, progress.distance);
            let point = SurfacePoint::in_quad(self.tile.corners(quad), place, self.tile.spacing());
            Crossing { distance: progress.distance, point, from }
        })
    }

    /// The place in a quad after `distance` metres: from 0 to 1 along x and along z.
    fn place_in(&self, quad: [usize; 2], distance: f64) -> [f64; 2] {
        let place = self.quads.at(distance);
        [0, 1].map(|axis| (place[axis] - quad[axis] as f64).clamp(0.0, 1.0))
    }

    /// Follows the line through one quad, up to the distance `to`.
    ///
    /// Between the border and the diagonal of a quad, the ground is flat, so the height of the line above it is linear.
    fn cross_quad(&self, quad: [usize; 2], to: f64, progress: &mut Progress) -> Option<Crossing> {
        let corners = self.tile.corners(quad);
        let above = |distance: f64| {
            let [u, v] = self.place_in(quad, distance);
            self.line.height(distance) - quad_height(corners, u, v)
        };
        let side = |gap: f64| if gap < 0.0 { Side::Below } else { Side::Above };
        let mut gap = above(progress.distance);
        if let Some(hit) = self.cross_to(side(gap), quad, progress) {
            return Some(hit);
        }
        let diagonal = self.quads.diagonal(quad);
        let is_between = diagonal > progress.distance && diagonal < to;
        for next in [is_between.then_some(diagonal), Some(to)].into_iter().flatten() {
            let next_gap = above(next);
            let from = std::mem::replace(&mut progress.distance, next);
            if side(next_gap) != side(gap) {
                progress.distance = from + (next - from) * (gap / (gap - next_gap));
                if let Some(hit) = self.cross_to(side(next_gap), quad, progress) {
                    return Some(hit);
                }
                progress.distance = next;
            }
            gap = next_gap;
        }
        None
    }
}
