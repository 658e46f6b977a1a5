//! One axis of a grid, for one octave: which lattice nodes its samples lie between, and where.

use super::buffer::Buffer;
use super::formula::{row, slope_weights, weights};
use super::simd::Simd;
use crate::Fade;
use crate::fixed_coord::{AxisMap, FixedCoord, fraction_24};

/// The samples along one axis of a grid: `count` samples, `step_ticks` apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Samples {
    pub first: FixedCoord,
    pub step_ticks: i64,
    pub count: usize,
}

/// The positions of the samples of one axis in the lattice of one octave.
///
/// If samples are less than a cell apart, the axis lists every node from the first to the last once, and neighboring samples
/// share nodes. If samples are further apart, each has two nodes of its own:
///
/// ```text
///   shared    nodes    0   1   2   3          apart    nodes    0 1     2 3     4 5
///             samples   x x  x  x x                    samples   x       x       x
/// ```
#[derive(Clone, Debug, Default)]
pub(super) struct Axis {
    /// The cells of all nodes, filled up to whole vectors.
    pub cells: Buffer<i64>,
    /// Whether samples are less than a cell apart.
    pub shared: bool,
    /// For every sample, the node before it. Those beyond the last sample fill up the last vector.
    pub nodes: Buffer<u32>,
    /// For every sample, where between its nodes it lies: a multiple of 2^-24 in [0, 1).
    fractions: Buffer<f32>,
    /// See [`columns`](Self::columns) and [`rows`](Self::rows).
    pub numbers: Buffer<f32>,
    /// Of rows alone: for every sample, the first one after it that lies between other nodes.
    pub ends: Buffer<u32>,
}

impl Axis {
    /// Vectors of numbers of a vector of columns, without slopes and with them.
    pub const fn column_numbers(slopes: bool) -> usize {
        if slopes { 7 } else { 4 }
    }

    /// Finds nodes and fractions, filled up to whole vectors of `lanes`.
    #[inline(always)]
    fn locate(&mut self, map: &AxisMap, samples: Samples, lanes: usize) {
        let Samples { first, step_ticks, count } = samples;
        let padded = count.next_multiple_of(lanes);
        let start = map.position(first).rounded();
        let step = map.step(step_ticks);
        self.shared = step < 1 << 64;
        self.nodes.resize(padded.next_multiple_of(4));
        self.fractions.resize(padded.next_multiple_of(4));
        let first_cell = (start >> 64) as i64;
        if map.is_corrected() {
            self.locate_corrected(map, samples, lanes);
            return;
        }

        // Four at a time, so that no sum waits for the one before it.
        let mut positions = [0, 1, 2, 3].map(|i| u128::from(start as u64).wrapping_add(step.wrapping_mul(i)));
        let nodes = self.nodes.as_mut_slice().as_chunks_mut::<4>().0;
        let fractions = self.fractions.as_mut_slice().as_chunks_mut::<4>().0;
        for (nodes, fractions) in nodes.iter_mut().zip(fractions) {
            let mut i = 0;
            while i < 4 {
                nodes[i] = (positions[i] >> 64) as u32;
                fractions[i] = fraction_24((positions[i] as u64 >> 40) as u32);
                positions[i] = positions[i].wrapping_add(step << 2);
                i += 1;
            }
        }
        self.nodes.resize(padded);
        self.fractions.resize(padded);
        let nodes = self.nodes.as_mut_slice();
        if !self.shared {
            for (i, node) in nodes.iter_mut().enumerate() {
                *node = 2 * i as u32;
            }
        }

        self.cells.resize((nodes[padded - 1] as usize + 2).next_multiple_of(lanes));
        let cells = self.cells.as_mut_slice();
        if self.shared {
            let mut cell = first_cell;
            for slot in cells {
                *slot = cell;
                cell = cell.wrapping_add(1);
            }
        } else {
            let mut position = start;
            for pair in cells.chunks_mut(2) {
                let cell = (position >> 64) as i64;
                pair[0] = cell;
                if let Some(right) = pair.get_mut(1) {
                    *right = cell.wrapping_add(1);
                }
                position = position.wrapping_add(step);
            }
        }
    }

    /// Like [`locate`](Self::locate), for an axis whose samples are not all as far apart.
    fn locate_corrected(&mut self, map: &AxisMap, samples: Samples, lanes: usize) {
        let Samples { first, step_ticks, count } = samples;
        let padded = count.next_multiple_of(lanes);
        self.nodes.resize(padded);
        self.fractions.resize(padded);
        let (nodes, fractions) = (self.nodes.as_mut_slice(), self.fractions.as_mut_slice());
        let (first_cell, _) = map.position(first).split_24();
        for (i, position) in map.walk(first, step_ticks).take(padded).enumerate() {
            let (cell, fraction) = position.split_24();
            nodes[i] = if self.shared { cell.wrapping_sub(first_cell) as u32 } else { 2 * i as u32 };
            fractions[i] = fraction_24(fraction);
        }
        self.cells.resize((nodes[padded - 1] as usize + 2).next_multiple_of(lanes));
        let cells = self.cells.as_mut_slice();
        if self.shared {
            for (i, slot) in cells.iter_mut().enumerate() {
                *slot = first_cell.wrapping_add(i as i64);
            }
        } else {
            for (pair, position) in cells.chunks_mut(2).zip(map.walk(first, step_ticks)) {
                let (cell, _) = position.split_24();
                pair[0] = cell;
                if let Some(right) = pair.get_mut(1) {
                    *right = cell.wrapping_add(1);
                }
            }
        }
    }

    /// The tables of columns. `numbers` holds, for every vector of columns, the [`Weights`](super::formula::Weights) as
    /// vectors, two for x and two for y, and with `slopes` their derivatives, two and one, all multiplied by `scale`.
    #[inline(always)]
    pub fn columns<S: Simd>(&mut self, s: S, map: &AxisMap, samples: Samples, fade: Fade, scale: f32, slopes: bool) {
        self.locate(map, samples, S::LANES);
        let fractions = self.fractions.as_slice();
        let stride = Self::column_numbers(slopes) * S::LANES;
        self.numbers.resize(fractions.len() / S::LANES * stride);
        let mut vectors = self.numbers.as_mut_slice().chunks_exact_mut(stride);
        for dx in fractions.chunks_exact(S::LANES) {
            let Some(numbers) = vectors.next() else { break };
            let (dx, scale) = (s.load(dx), s.splat(scale));
            let w = weights(s, fade, dx, scale);
            s.store(w.x[0], numbers);
            s.store(w.x[1], &mut numbers[S::LANES..]);
            s.store(w.y[0], &mut numbers[2 * S::LANES..]);
            s.store(w.y[1], &mut numbers[3 * S::LANES..]);
            if slopes {
                let w = slope_weights(s, fade, dx, scale);
                s.store(w.x[0], &mut numbers[4 * S::LANES..]);
                s.store(w.x[1], &mut numbers[5 * S::LANES..]);
                s.store(w.y, &mut numbers[6 * S::LANES..]);
            }
        }
    }

    /// The tables of rows: one list after the other, each as long as `nodes`, of the numbers of a [`Row`](super::formula::Row). The
    /// derivatives are there only with `slopes`.
    #[inline(always)]
    pub fn rows<S: Simd>(&mut self, s: S, map: &AxisMap, samples: Samples, fade: Fade, slopes: bool) {
        self.locate(map, samples, S::LANES);
        let fractions = self.fractions.as_slice();
        let length = fractions.len();
        self.numbers.resize(5 * length);
        let numbers = self.numbers.as_mut_slice();
        for first in (0..length).step_by(S::LANES) {
            let r = row(s, fade, s.load(&fractions[first..]));
            s.store(r.dy, &mut numbers[first..]);
            s.store(r.t, &mut numbers[length + first..]);
            s.store(r.t_dy, &mut numbers[2 * length + first..]);
            if slopes {
                s.store(r.t_slope, &mut numbers[3 * length + first..]);
                s.store(r.t_dy_slope, &mut numbers[4 * length + first..]);
            }
        }
        let nodes = self.nodes.as_slice();
        self.ends.resize(nodes.len());
        let mut end = nodes.len();
        for (i, slot) in self.ends.as_mut_slice().iter_mut().enumerate().rev() {
            if nodes.get(i + 1).is_some_and(|&next| next != nodes[i]) {
                end = i + 1;
            }
            *slot = end as u32;
        }
    }

    /// The numbers of all rows, in the order of a [`Row`](super::formula::Row).
    #[inline(always)]
    pub fn row_numbers(&self) -> [&[f32]; 5] {
        let length = self.nodes.as_slice().len();
        let (dy, numbers) = self.numbers.as_slice().split_at(length);
        let (t, numbers) = numbers.split_at(length);
        let (t_dy, numbers) = numbers.split_at(length);
        let (t_slope, t_dy_slope) = numbers.split_at(length);
        [dy, t, t_dy, t_slope, t_dy_slope]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::portable::Portable;

    #[test]
    fn every_sample_has_the_position_of_its_own_coordinate() {
        // A step of 0.37 cells shares nodes, one of 3.7 cells does not.
        let free = [(0.37, 1024), (3.7, 1024), (1e-5, 1), (0.999, 1024)]
            .map(|(frequency, step_ticks)| (AxisMap::new(frequency, 200.7), step_ticks));
        // Periods of 70 and of 700 units, and steps within them and beyond.
        let periodic = [(3.0, 70.0, 1024), (2000.0, 700.0, 1024), (1.0, 70.0, 5), (3.0, 70.0, 1_000_000)];
        let periodic = periodic.map(|(cells, units, step_ticks)| {
            (AxisMap::new(cells / units, 200.7).with_period(units, cells as i64), step_ticks)
        });
        assert!(periodic.iter().all(|(map, _)| map.is_corrected()));
        for (map, step_ticks) in free.into_iter().chain(periodic) {
            let first = FixedCoord { ticks: -123_456_789, fraction: 0.3 };
            let samples = Samples { first, step_ticks, count: 100_001 };
            let mut axis = Axis::default();
            axis.rows(Portable::<4>, &map, samples, Fade::Quintic, false);
            let [dy, ..] = axis.row_numbers();
            let (cells, nodes) = (axis.cells.as_slice(), axis.nodes.as_slice());
            for i in 0..samples.count {
                let coord = FixedCoord { ticks: first.ticks + i as i64 * step_ticks, ..first };
                let (cell, bits) = map.position(coord).split_24();
                assert_eq!((cells[nodes[i] as usize], dy[i]), (cell, fraction_24(bits)), "sample {i} of {map:?}");
                assert_eq!(cells[nodes[i] as usize + 1], cell + 1);
            }
        }
    }
}
