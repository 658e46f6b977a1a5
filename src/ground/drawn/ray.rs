//! Rays against the triangles that are drawn now.

use super::{DrawnChunk, DrawnTerrain, DrawnTriangle};
use crate::chunk::{ChunkCoord, ChunkLayout};
use crate::ground::HeightTile;
use perlin_terrain::ground::trace::{Crossing, Line, Progress, Side, TileTrace, follow, within_bounds};
use std::cell::LazyCell;

impl DrawnTerrain<'_> {
    /// The first hit of a ray from above, and its chunk. `direction` may have any length. `None` if a number is not finite.
    ///
    /// `bounds` are the lowest and the highest height of the ground. `tile` returns the heights of a visible leaf; a leaf without
    /// them is not drawn.
    pub fn first_hit<'t>(
        &self,
        [origin, direction]: [[f64; 3]; 2],
        bounds: (f32, f32),
        tile: impl Fn(ChunkCoord) -> Option<&'t HeightTile>,
    ) -> Option<(Line, Crossing, ChunkCoord)> {
        // No view is longer than the side of a root.
        let line = Line::new(origin, direction, self.layout.chunk_size(ChunkLayout::ROOT_LEVEL))?;
        let (progress, end) = within_bounds(&line, bounds, None, false)?;
        let mut hit = None;
        let crossing = follow(
            self.layout,
            &line,
            progress,
            end,
            |chunk| self.square(chunk),
            |square, to, progress| {
                hit = Some(square);
                let Some(tile) = self.tree.is_leaf(square).then(|| tile(square)).flatten() else {
                    // Nothing is drawn here, so the line may get below the ground and not cross it.
                    *progress = Progress { distance: to, side: None, ..*progress };
                    return None;
                };
                let trace = TileTrace::new(tile, &line, to);
                let chunk = LazyCell::new(|| self.chunk(square));
                trace.descend(1, progress, |quad, to, progress| chunk.cross(&trace, quad, to, progress))
            },
        );
        Some((line, crossing?, hit?))
    }

    /// The visible leaf around a chunk of level 0, or the largest square around it without a visible leaf.
    fn square(&self, chunk: ChunkCoord) -> ChunkCoord {
        if let Some(&leaf) = self.tree.leaves_in(chunk).first() {
            return leaf;
        }
        let above = (0..=ChunkLayout::ROOT_LEVEL).map(|level| chunk.ancestor(level));
        above.take_while(|&square| self.tree.leaves_in(square).is_empty()).last().unwrap_or(chunk)
    }
}

/// The part of a line over a triangle.
struct Span {
    triangle: DrawnTriangle,
    /// The ends, from 0 to 1 along the line through the square.
    ends: [f64; 2],
    /// The height of the line above the plane of the triangle at 0 and at 1, in metres.
    gaps: [f64; 2],
}

impl DrawnChunk {
    /// Follows a line through the square of two by two quads around `quad`, up to the distance `to`. The first crossing.
    ///
    /// Over a triangle, the height of the line above it is linear.
    fn cross(&self, trace: &TileTrace, quad: [usize; 2], to: f64, progress: &mut Progress) -> Option<Crossing> {
        let from = progress.distance;
        let mut spans: Vec<Span> =
            self.triangles(trace.tile, quad).filter_map(|triangle| triangle.span(trace, [from, to])).collect();
        spans.sort_by(|a, b| a.ends[0].total_cmp(&b.ends[0]));
        let mut done = 0.0;
        for Span { triangle, ends: [start, end], gaps } in spans {
            // Two triangles overlap along their edge, within a margin. A line along an edge is over both.
            let start = f64::max(start, done);
            if end < start {
                continue;
            }
            done = end;
            let gap = |part: f64| gaps[0] + part * (gaps[1] - gaps[0]);
            let crossing = (gaps[0] / (gaps[0] - gaps[1])).clamp(start, end);
            for (part, side) in [(start, Side::of(gap(start))), (crossing, Side::of(gap(end)))] {
                if let Some(side) = progress.cross_to(side) {
                    let distance = from + part * (to - from);
                    return Some(Crossing { distance, normal: triangle.normal(trace.tile.spacing()), from: side });
                }
            }
        }
        progress.distance = to;
        None
    }
}

impl DrawnTriangle {
    /// The part of the line over the triangle between two distances. `None` if it passes beside it.
    fn span(self, trace: &TileTrace, distances: [f64; 2]) -> Option<Span> {
        let [first, last] = distances.map(|distance| self.weights(trace.position(distance)));
        let mut ends = [0.0_f64, 1.0];
        for (first, last) in first.into_iter().zip(last) {
            let [first, last] = [first, last].map(|weight| weight + Self::MARGIN);
            let edge = first / (first - last);
            match [first < 0.0, last < 0.0] {
                [true, true] => return None,
                [true, false] => ends[0] = ends[0].max(edge),
                [false, true] => ends[1] = ends[1].min(edge),
                [false, false] => {}
            }
        }
        let [near, far] = distances.map(|distance| trace.line.height(distance));
        let gaps = [near - self.height(first), far - self.height(last)];
        (ends[0] <= ends[1]).then_some(Span { triangle: self, ends, gaps })
    }
}

#[cfg(test)]
mod tests;
