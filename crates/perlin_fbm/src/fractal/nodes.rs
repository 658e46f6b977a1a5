//! Lattice nodes and single octaves of a sum, for drawings.

use super::Fractal;
use crate::fixed_coord::{AxisMap, FixedCoord, TickCount};
use crate::{Lattice, ValueAndGradient};

/// A node of an octave's lattice, where the noise of that octave is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LatticeNode<const N: usize = 2> {
    /// Coordinates along each axis, in units. A domain warp moves the noise, but not the nodes.
    pub position: [f64; N],
    /// The gradient at the node, per cell, rotated with the noise. At most 1 long for unit gradients, and at most sqrt(N) for the other lattices of this
    /// crate. Your own gradients may be longer.
    pub gradient: [f64; N],
}

impl<L: Lattice<N>, const N: usize> Fractal<L, N> {
    /// Returns the lattice nodes of octave `octave` between `min` and `max`, both included. The first coordinate of the noise changes
    /// fastest. Empty if there is no such octave.
    ///
    /// ```
    /// use perlin_fbm::{Fractal, NoiseSettings};
    ///
    /// // Cells of 20 units on a line.
    /// let settings = NoiseSettings { frequency: 0.05, offset_octaves: false, ..NoiseSettings::unit() };
    /// let nodes: Vec<_> = Fractal::<_, 1>::seeded(&settings, 42, 0).nodes(0, [0.0], [50.0]).collect();
    /// assert_eq!(nodes.len(), 3);
    /// assert!((nodes[2].position[0] - 40.0).abs() < 1e-9);
    /// ```
    pub fn nodes(&self, octave: usize, min: [f64; N], max: [f64; N]) -> impl Iterator<Item = LatticeNode<N>> {
        let (low, high) = self.rotated_box(min, max);
        self.unrotated_nodes(octave, low, high).filter_map(move |LatticeNode { position, gradient }| {
            let Some(rotation) = self.rotation() else { return Some(LatticeNode { position, gradient }) };
            let position = rotation.back(position);
            let is_within = (0..N).all(|axis| (min[axis]..=max[axis]).contains(&position[axis]));
            is_within.then(|| LatticeNode { position, gradient: rotation.back(gradient) })
        })
    }

    /// The smallest box of the noise around a box of the world.
    fn rotated_box(&self, min: [f64; N], max: [f64; N]) -> ([f64; N], [f64; N]) {
        if self.rotation().is_none() {
            return (min, max);
        }
        let corners = (0..1_usize << N)
            .map(|corner| self.rotated(std::array::from_fn(|axis| [min, max][corner >> axis & 1][axis])));
        corners.fold(([f64::INFINITY; N], [f64::NEG_INFINITY; N]), |(low, high), corner| {
            (
                std::array::from_fn(|axis| low[axis].min(corner[axis])),
                std::array::from_fn(|axis| high[axis].max(corner[axis])),
            )
        })
    }

    /// The nodes in a box of the noise, where they are in the noise.
    fn unrotated_nodes(&self, octave: usize, min: [f64; N], max: [f64; N]) -> impl Iterator<Item = LatticeNode<N>> {
        self.octaves().get(octave).into_iter().flat_map(move |octave| {
            let along = move |axis: usize| nodes_along(octave.axes[axis], min[axis], max[axis]);
            let mut axes: [_; N] = std::array::from_fn(along);
            let mut next = axes.each_mut().map(Iterator::next);
            std::iter::from_fn(move || {
                let (mut cell, mut position) = ([0; N], [0.0; N]);
                for axis in 0..N {
                    (cell[axis], position[axis]) = next[axis]?;
                }
                for axis in 0..N {
                    next[axis] = axes[axis].next();
                    // After the last node along the last axis there is none.
                    if next[axis].is_some() || axis + 1 == N {
                        break;
                    }
                    axes[axis] = along(axis);
                    next[axis] = axes[axis].next();
                }
                Some(LatticeNode { position, gradient: octave.lattice.gradient(octave.wrapped(cell)) })
            })
        })
    }

    /// The noise of octave `octave` alone at `p`, in units, with its gradient per unit: `n_i` in the formulas of [`Fractal`],
    /// before amplitude, shape, sum, exponent and domain warp. `None` beyond the last octave.
    #[must_use]
    pub fn octave(&self, octave: usize, p: [f64; N]) -> Option<ValueAndGradient<N>> {
        let octave = self.octaves().get(octave)?;
        let ValueAndGradient { value, gradient } = octave.at(self.main.fade, self.rotated(p).map(TickCount::from));
        let frequencies = octave.frequencies();
        let gradient = std::array::from_fn(|axis| gradient[axis] * frequencies[axis]);
        Some(self.rotated_back(ValueAndGradient { value, gradient }))
    }
}

/// The nodes of one axis from `min` to `max`: the index in the lattice and the coordinate of each.
fn nodes_along(axis: AxisMap, min: f64, max: f64) -> impl Iterator<Item = (i64, f64)> {
    let (cell, fraction) = axis.position(FixedCoord::from(min)).split_f64();
    let frequency = axis.frequency();
    // Whole cells from `min` to each node; `min` itself may be a node.
    let first = i64::from(fraction > 0.0);
    // The coordinate alone does not end the list: far from the origin, adding a cell may not change it. `as` saturates. A
    // frequency of zero or NaN has no nodes.
    let last = if frequency > 0.0 { ((max - min) * frequency + 1.0).ceil() as i64 } else { -1 };
    (first..=last)
        .map(move |cells| (cell.wrapping_add(cells), min + (cells as f64 - fraction) / frequency))
        .take_while(move |&(_, coordinate)| coordinate <= max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;
    use crate::{AnyLattice, Fade, NoiseSettings};

    fn settings(fade: Fade) -> NoiseSettings {
        NoiseSettings { octaves: 3, frequency: 0.05, height_scale: 1.0, fade, ..Default::default() }
    }

    #[test]
    fn octaves_are_zero_at_their_nodes_and_rise_by_their_gradients_in_every_dimension() {
        fn check<const N: usize>(fade: Fade)
        where
            AnyLattice<N>: Lattice<N>,
        {
            let fractal = Fractal::<_, N>::seeded(&settings(fade), 3, 0);
            for octave in 0..3 {
                let frequency = 0.05 * f64::from(1 << octave);
                // Cells of 20 units and less: two to four and more along each axis.
                let nodes: Vec<_> = fractal.nodes(octave, [-30.0; N], [30.0; N]).collect();
                let columns = 3_usize << octave;
                assert!(
                    (columns.pow(N as u32)..=(columns + 1).pow(N as u32)).contains(&nodes.len()),
                    "{}",
                    nodes.len()
                );
                let position = |node: &LatticeNode<N>| node.position.map(f64::to_bits);
                let mut positions: Vec<_> = nodes.iter().map(position).collect();
                positions.sort_unstable();
                positions.dedup();
                assert_eq!(positions.len(), nodes.len(), "each node is there once");
                assert!(N == 1 || nodes[0].position[1..] == nodes[1].position[1..], "the first coordinate is fastest");
                for LatticeNode { position, gradient } in nodes {
                    let at = fractal.octave(octave, position).expect("there are three octaves");
                    assert!(at.value.abs() < 1e-9, "{fade:?}: {} at {position:?}", at.value);
                    for (found, expected) in at.gradient.iter().zip(gradient.map(|slope| slope * frequency)) {
                        assert!((found - expected).abs() < 1e-9, "{fade:?} at {position:?}: {found}, not {expected}");
                    }
                }
            }
            assert_eq!(fractal.nodes(3, [0.0; N], [9.0; N]).count(), 0);
            // No node along one axis, so none at all.
            let mut max = [30.0; N];
            max[N - 1] = -31.0;
            assert_eq!(fractal.nodes(0, [-30.0; N], max).count(), 0);
        }
        let mut fade = Fade::Linear;
        for index in 0..fade.alternatives().len() {
            fade.choose(index);
            // The slopes of the linear fade jump at nodes.
            if fade != Fade::Linear {
                check::<1>(fade);
                check::<2>(fade);
                check::<3>(fade);
                check::<4>(fade);
            }
        }
    }
}
