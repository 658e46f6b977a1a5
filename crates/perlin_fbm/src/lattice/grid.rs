//! Lattice: one stored gradient for every node of a grid that repeats.

use super::{Lattice, gradient_list::GradientList};
use crate::NoiseRng;
use crate::cell::each_corner;

/// A grid of unit gradients of random directions in `N` dimensions, repeated over all of them. Any period along each axis, not
/// only powers of 2.
///
/// Node `(x, y)` has the gradient of `(x mod size_x, y mod size_y)`, with a remainder that is never negative, so that the
/// noise tiles with period `[size_x, size_y]` on both sides of zero:
///
/// ```text
///   (0,0) (1,0) (2,0) | (0,0) (1,0) ..      size [3, 2]
///   (0,1) (1,1) (2,1) | (0,1) (1,1) ..
///   ------------------+---------------
///   (0,0) (1,0) (2,0) | (0,0) (1,0) ..
/// ```
///
/// A node takes 8 bytes per dimension. Clones share the memory. All nodes of a period are independent.
/// [`TableGradients`](super::TableGradients) always takes 4.5 KiB in the plane, but its period is 256, and gradients repeat within
/// it.
///
/// Source: *Perlin noise*, ip76.ru (2025), `InitializeGrid`. Negative nodes wrap as in the source. Negative coordinates are
/// rounded down; the source truncates them. The generator is ours.
///
/// ```
/// use perlin_fbm::{Fade, GridGradients, Perlin, NoiseRng};
///
/// let noise = Perlin::new(GridGradients::new(&mut NoiseRng::new(42, 0), [12, 5]), Fade::Quintic);
/// assert_eq!(noise.value([0.25, 0.5]), noise.value([0.25 - 12.0, 0.5 + 5.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GridGradients<const N: usize = 2> {
    size: [u32; N],
    /// Row by row: the first coordinate changes fastest.
    gradients: GradientList<N>,
}

impl<const N: usize> GridGradients<N> {
    /// A grid of `size` nodes: columns by rows, and so on. It is filled row by row with the next directions of `rng`, which are
    /// uniform on the sphere: -1 or 1 on a line, random angles in [0, 2 pi) in the plane. A size of 0 counts as 1.
    ///
    /// # Panics
    ///
    /// If the nodes don't fit in the address space.
    #[must_use]
    pub fn new(rng: &mut NoiseRng, size: [u32; N]) -> Self {
        let (size, nodes) = checked_size(size);
        Self { size, gradients: GradientList::random(rng, nodes) }
    }

    /// A grid of `size` nodes with gradients of your own: node `n` has the gradient `gradient(n)`, where `n` is below `size` along
    /// every axis. `gradient` is called once for each node, row by row. A size of 0 counts as 1.
    ///
    /// Gradients may have any length. Components are clamped to \[-10^6, 10^6\], and NaN counts as 0.
    ///
    /// # Panics
    ///
    /// If the nodes don't fit in the address space.
    ///
    /// ```
    /// use perlin_fbm::{Fade, GridGradients, Perlin};
    ///
    /// // The slopes 1, -2 and 3 at the nodes 0, 1 and 2 of a line, and again from node 3 on.
    /// let slopes = [1.0, -2.0, 3.0];
    /// let noise = Perlin::new(GridGradients::from_fn([3], |[x]| [slopes[x as usize]]), Fade::Quintic);
    /// assert_eq!(noise.sample([4.0]).gradient, [-2.0]);
    /// ```
    #[must_use]
    pub fn from_fn(size: [u32; N], mut gradient: impl FnMut([u32; N]) -> [f64; N]) -> Self {
        let (size, nodes) = checked_size(size);
        let mut next = [0; N];
        let gradients = (0..nodes).map(|_| {
            let node = next;
            for axis in 0..N {
                next[axis] += 1;
                if next[axis] < size[axis] {
                    break;
                }
                next[axis] = 0;
            }
            gradient(node)
        });
        Self { size, gradients: GradientList::from_gradients(gradients) }
    }

    /// The same grid with gradients that have turned: from 0 to 1 they flow, and 1 is 0 again. See
    /// [`NoiseSettings::flow`](crate::NoiseSettings::flow).
    #[must_use]
    pub fn flowed(self, flow: f64) -> Self {
        Self { gradients: self.gradients.flowed(flow), ..self }
    }

    /// The nodes along each axis, which is the period of the noise in cells.
    #[must_use]
    pub fn size(&self) -> [u32; N] {
        self.size
    }

    /// How far each coordinate of `node` moves its gradient in the list.
    #[inline]
    fn steps(&self, node: [i64; N]) -> [usize; N] {
        // Below the number of nodes, which is a length in memory.
        let mut stride = 1;
        std::array::from_fn(|axis| {
            let nodes = i64::from(self.size[axis]);
            let step = node[axis].rem_euclid(nodes) * stride;
            stride *= nodes;
            step as usize
        })
    }

    /// The gradients of one period, row by row.
    pub(crate) fn gradients(&self) -> &[[f64; N]] {
        self.gradients.as_slice()
    }
}

/// `size` with at least one node along each axis, and the number of nodes in all.
fn checked_size<const N: usize>(size: [u32; N]) -> ([u32; N], u64) {
    let size = size.map(|nodes| nodes.max(1));
    let nodes = size.iter().try_fold(1, |product: u64, &nodes| product.checked_mul(nodes.into()));
    (size, nodes.expect("the nodes of a grid fit in the address space"))
}

impl<const N: usize> Lattice<N> for GridGradients<N> {
    #[inline]
    fn gradient(&self, node: [i64; N]) -> [f64; N] {
        let steps = self.steps(node);
        self.gradients()[steps.iter().sum::<usize>()]
    }

    #[inline]
    fn corners(&self, sides: [[i64; 2]; N]) -> [[f64; N]; 16] {
        let [near, far] = [0, 1].map(|side| self.steps(sides.map(|axis| axis[side])));
        each_corner::<N, _>([0.0; N], |corner| {
            let step = |axis: usize| if corner >> axis & 1 == 0 { near[axis] } else { far[axis] };
            self.gradients()[(0..N).map(step).sum::<usize>()]
        })
    }

    fn max_length(&self) -> f64 {
        self.gradients.max_length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fade, Perlin};
    use std::f64::consts::TAU;

    fn grid(seed: u64, size: [u32; 2]) -> GridGradients {
        GridGradients::new(&mut NoiseRng::new(seed, 0), size)
    }

    #[test]
    fn angles_are_drawn_row_by_row() {
        let grid = grid(2, [5, 3]);
        let mut rng = NoiseRng::new(2, 0);
        for y in 0..3 {
            for x in 0..5 {
                let angle = rng.next_unit() * TAU;
                assert_eq!(grid.gradient([x, y]), [libm::cos(angle), libm::sin(angle)], "at {x}, {y}");
            }
        }
    }

    #[test]
    fn noise_tiles_with_any_period_on_both_sides_of_zero() {
        for size in [[7, 12], [1, 5], [100, 3], [256, 8]] {
            let [period_x, period_y] = size.map(f64::from);
            let noise = Perlin::new(grid(3, size), Fade::Quintic);
            let mut rng = NoiseRng::new(4, 0);
            for _ in 0..2000 {
                // Multiples of 2^-10: exact in f64, and so is their sum with a whole number of periods.
                let position = |rng: &mut NoiseRng| f64::from(rng.next_u32() % 400_000) / 1024.0 - 195.0;
                let (x, y) = (position(&mut rng), position(&mut rng));
                let here = noise.value([x, y]).to_bits();
                for (tile_x, tile_y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (-60.0, 75.0)] {
                    let there = noise.value([x + tile_x * period_x, y + tile_y * period_y]).to_bits();
                    assert_eq!(here, there, "size {size:?}, at {x}, {y}, tile {tile_x}, {tile_y}");
                }
                let there = noise.value([x - period_x, y + period_y]).to_bits();
                assert_eq!(noise.value([x, y]).to_bits(), there, "size {size:?}, at {x}, {y}");
            }
        }
    }

    #[test]
    fn nodes_are_row_by_row_and_wrap_in_every_dimension() {
        fn check<const N: usize>(size: [u32; N]) {
            let grid = GridGradients::new(&mut NoiseRng::new(7, 0), size);
            let mut node = [0; N];
            for gradient in grid.gradients() {
                for periods in [0, 3, -2] {
                    let there = std::array::from_fn(|axis| node[axis] + periods * i64::from(size[axis]));
                    assert_eq!(grid.gradient(there), *gradient, "size {size:?} at {there:?}");
                }
                // The next node: one further along x, or at the start of the next row, and so on.
                for axis in 0..N {
                    node[axis] = (node[axis] + 1) % i64::from(size[axis]);
                    if node[axis] > 0 {
                        break;
                    }
                }
            }
            assert_eq!(node, [0; N], "the grid has every node once");
        }
        check([9]);
        check([4, 3]);
        check([2, 5, 3]);
        check([3, 2, 4, 5]);
    }

    #[test]
    fn own_gradients_are_those_of_the_function() {
        fn check<const N: usize>(size: [u32; N]) {
            let gradient = |node: [u32; N]| -> [f64; N] {
                let number = node.iter().rev().fold(0.0, |number, &c| number * 10.0 + f64::from(c));
                std::array::from_fn(|axis| number * 0.001 - axis as f64)
            };
            let grid = GridGradients::from_fn(size, gradient);
            let mut rng = NoiseRng::new(8, 0);
            let mut longest = 0.0_f64;
            for _ in 0..500 {
                let node: [i64; N] = std::array::from_fn(|_| i64::from(rng.next_u32() % 100) - 50);
                let expected = gradient(std::array::from_fn(|axis| node[axis].rem_euclid(size[axis].into()) as u32));
                assert_eq!(grid.gradient(node), expected, "size {size:?} at {node:?}");
                longest = longest.max(expected.iter().map(|c| c * c).sum::<f64>().sqrt());
            }
            assert_eq!(grid.max_length(), longest, "of {size:?} nodes, which 500 positions all hit");
        }
        check([9]);
        check([4, 3]);
        check([2, 5, 3]);
        check([3, 2, 1, 4]);
    }

    #[test]
    fn own_gradients_of_any_size_give_finite_noise_on_grids_too() {
        use crate::{FractalShape, Noise, NoiseSettings};
        for size in [0.0, 1e-300, 1e-7, 1e6, 1e300, f64::INFINITY, f64::NAN] {
            let grid = GridGradients::from_fn([3, 3], |[x, y]| [size, -size * f64::from(x + 2 * y)]);
            assert!(grid.max_length().is_finite() && grid.max_length() > 0.0);
            for shape in [FractalShape::Fbm, FractalShape::Ridged, FractalShape::Hybrid, FractalShape::Damped] {
                let settings = NoiseSettings { shape, frequency: 0.3, ..NoiseSettings::default() };
                let noise = Noise::new(grid.clone(), &settings);
                for i in 0..20 {
                    let (x, y) = (f64::from(i) * 0.77, f64::from(i) * -0.31);
                    let (fast, exact) = (noise.value([x, y]), noise.sample([x, y]).value);
                    assert!(fast.is_finite() && exact.is_finite(), "{shape:?} of {size}: {fast}, {exact}");
                }
            }
        }
    }

    #[test]
    fn no_shorter_period_hides_in_a_grid() {
        let grid = grid(5, [12, 12]);
        for shift in 1..12 {
            let same = |dx, dy| grid.gradient([dx, dy]) == grid.gradient([0, 0]);
            assert!(!same(shift, 0) && !same(0, shift), "shift {shift}");
        }
    }

    #[test]
    fn seeds_give_different_grids() {
        assert_eq!(grid(3, [9, 4]), grid(3, [9, 4]));
        let (one, other) = (grid(3, [9, 4]), grid(4, [9, 4]));
        let at = |grid: &GridGradients, node: i64| grid.gradient([node % 9, node / 9]);
        let same = (0..36).filter(|&node| at(&one, node) == at(&other, node)).count();
        assert_eq!(same, 0, "of 36 nodes, with 2^32 angles to choose from");
    }

    #[test]
    fn a_size_of_zero_counts_as_one() {
        let grid = grid(6, [0, 0]);
        assert_eq!(grid.size(), [1, 1]);
        assert_eq!(grid.gradient([-7, 12]), grid.gradient([0, 0]));
        assert!(grid.gradient([i64::MIN, i64::MAX])[0].is_finite());
    }
}
