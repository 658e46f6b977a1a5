//! Where heights are computed.

use crate::noise::{FixedCoord, Noise, NoiseScratch, SampleGrid};
use std::ops::Range;

/// Positions at a time in work that needs their coordinates.
pub(super) const BLOCK: usize = 80;

/// The largest number of planes, each with one number for each position. Layers that would need more have no effect; see
/// [`FieldSettings::check_layers`](super::FieldSettings::check_layers).
pub(super) const MAX_PLANES: usize = 48;

/// Positions in the plane, in a fixed order.
pub(super) trait Positions {
    /// The number of positions.
    fn count(&self) -> usize;

    /// The coordinates of position number `index`.
    fn coord(&self, index: usize) -> [FixedCoord; 2];

    /// Moves all positions by a number of ticks along x and z.
    fn shift(&mut self, ticks: [i64; 2]);

    /// Writes `noise` at each position.
    fn fill(&mut self, noise: &Noise, values: &mut [f32]);

    /// Adds `noise` at each position.
    fn add(&mut self, noise: &Noise, values: &mut [f32]);
}

/// The positions of a grid, row by row.
pub(super) struct GridPositions<'a> {
    pub grid: SampleGrid,
    pub scratch: &'a mut NoiseScratch,
}

impl Positions for GridPositions<'_> {
    fn count(&self) -> usize {
        self.grid.size[0] * self.grid.size[1]
    }

    fn coord(&self, index: usize) -> [FixedCoord; 2] {
        let columns = self.grid.size[0];
        self.grid.coord([index % columns, index / columns])
    }

    fn shift(&mut self, ticks: [i64; 2]) {
        shift(&mut self.grid.origin, ticks);
    }

    fn fill(&mut self, noise: &Noise, values: &mut [f32]) {
        noise.fill(&self.grid, self.scratch, values);
    }

    fn add(&mut self, noise: &Noise, values: &mut [f32]) {
        noise.add_to(&self.grid, self.scratch, values);
    }
}

/// One position.
pub(super) struct OnePosition(pub [FixedCoord; 2]);

impl Positions for OnePosition {
    fn count(&self) -> usize {
        1
    }

    fn coord(&self, _: usize) -> [FixedCoord; 2] {
        self.0
    }

    fn shift(&mut self, ticks: [i64; 2]) {
        shift(&mut self.0, ticks);
    }

    fn fill(&mut self, noise: &Noise, values: &mut [f32]) {
        values[0] = noise.value_at(self.0);
    }

    fn add(&mut self, noise: &Noise, values: &mut [f32]) {
        values[0] += noise.value_at(self.0);
    }
}

/// Any positions.
pub(super) struct AnyPositions<'a>(pub &'a mut [[FixedCoord; 2]]);

impl Positions for AnyPositions<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn coord(&self, index: usize) -> [FixedCoord; 2] {
        self.0[index]
    }

    fn shift(&mut self, ticks: [i64; 2]) {
        self.0.iter_mut().for_each(|position| shift(position, ticks));
    }

    fn fill(&mut self, noise: &Noise, values: &mut [f32]) {
        noise.values_at(self.0, values);
    }

    fn add(&mut self, noise: &Noise, values: &mut [f32]) {
        noise.add_values_at(self.0, values);
    }
}

fn shift(position: &mut [FixedCoord; 2], ticks: [i64; 2]) {
    for (coord, ticks) in position.iter_mut().zip(ticks) {
        coord.ticks = coord.ticks.wrapping_add(ticks);
    }
}

/// Calls `work` with the coordinates and the indices of up to [`BLOCK`] positions at a time, until all positions are done.
pub(super) fn in_blocks(positions: &impl Positions, mut work: impl FnMut(&[[FixedCoord; 2]], Range<usize>)) {
    let count = positions.count();
    let mut coords = [[FixedCoord::default(); 2]; BLOCK];
    for first in (0..count).step_by(BLOCK) {
        let here = first..count.min(first + BLOCK);
        let coords = &mut coords[..here.len()];
        coords.iter_mut().zip(here.clone()).for_each(|(coord, index)| *coord = positions.coord(index));
        work(coords, here);
    }
}
