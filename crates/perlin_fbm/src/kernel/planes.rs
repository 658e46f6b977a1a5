//! Lattice planes: in space, a position lies between two of them, in four dimensions between four.
//!
//! The nodes above one another are blended before anything is known of x and y. What is left is noise in the plane, between nodes that
//! have values.

use super::formula::{Node, Nodes, SlopeWeights, Weights, slope_weights, weights};
use super::rule::NodeRule;
use super::simd::Simd;
use crate::Fade;

/// The weights of the lattice planes on both sides of a position, along the axes beyond x and y: of two in space, of four in four
/// dimensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneWeights<F> {
    /// Of gradients along x and y.
    gradient: [F; 4],
    /// Of their components along each of the other axes, which give a node its value.
    value: [[F; 4]; 2],
}

impl PlaneWeights<[f32; 1]> {
    /// The same weights in every lane.
    #[inline(always)]
    pub fn splat<S: Simd>(&self, s: S) -> PlaneWeights<S::F> {
        let none = [s.splat(0.0); 4];
        let mut planes = PlaneWeights { gradient: none, value: [none; 2] };
        let mut q = 0;
        while q < 4 {
            planes.gradient[q] = s.splat(self.gradient[q][0]);
            planes.value[0][q] = s.splat(self.value[0][q][0]);
            planes.value[1][q] = s.splat(self.value[1][q][0]);
            q += 1;
        }
        planes
    }
}

/// The gradients in all lattice planes of nodes with the keys `inner` along x and y, and `outer` along the other axes.
#[inline(always)]
pub(super) fn plane_gradients<S: Simd, R: NodeRule<N>, const N: usize>(
    s: S,
    rule: R,
    seeds: S::U,
    inner: [S::U; 2],
    outer: &[[S::U; 2]; N],
) -> [[S::F; N]; 4] {
    let mut keys = [inner[0]; N];
    if N > 1 {
        keys[1] = inner[1];
    }
    let mut gradients = [[s.splat(0.0); N]; 4];
    let mut plane = 0;
    while plane < planes(N) {
        let mut axis = 2;
        while axis < N {
            keys[axis] = outer[axis][plane >> (axis - 2) & 1];
            axis += 1;
        }
        gradients[plane] = rule.gradient(s, seeds, keys);
        plane += 1;
    }
    gradients
}

/// The nodes around positions with these keys below and above along each axis, blended with `weights`: those of the noise, and
/// from the third on those of its derivatives along z and w, with `slopes`.
#[inline(always)]
pub(super) fn nodes_around<S: Simd, R: NodeRule<N>, const N: usize>(
    s: S,
    rule: R,
    seeds: S::U,
    keys: &[[S::U; 2]; N],
    weights: &[PlaneWeights<S::F>; 3],
    slopes: bool,
) -> [Nodes<S::F>; N] {
    let zero = s.splat(0.0);
    let mut nodes = [[[Node { x: zero, y: zero, value: zero }; 2]; 2]; N];
    let mut corner = 0;
    while corner < 4 {
        let (row, column) = (corner >> 1, corner & 1);
        let row_key = if N > 1 { keys[1][row] } else { keys[0][column] };
        let gradients = plane_gradients(s, rule, seeds, [keys[0][column], row_key], keys);
        nodes[0][row][column] = blend_planes(s, &weights[0], &gradients);
        let mut axis = 2;
        while slopes && axis < N {
            nodes[axis][row][column] = blend_planes(s, &weights[axis - 1], &gradients);
            axis += 1;
        }
        corner += 1;
    }
    nodes
}

/// The lattice planes around a position: one in the plane, two in space, four in four dimensions.
const fn planes(dimensions: usize) -> usize {
    if dimensions > 2 { 1 << (dimensions - 2) } else { 1 }
}

/// The weights of the lattice planes around `fractions`, and their derivatives along z and w, with `slopes`.
#[inline(always)]
pub(super) fn weights_of_planes<S: Simd, const N: usize>(
    s: S,
    fade: Fade,
    fractions: &[S::F; N],
    slopes: bool,
) -> [PlaneWeights<S::F>; 3] {
    let one = s.splat(1.0);
    let none = Weights { x: [s.splat(0.0); 2], y: [s.splat(0.0); 2] };
    let mut along = [none; N];
    let mut axis = 2;
    while axis < N {
        along[axis] = weights(s, fade, fractions[axis], one);
        axis += 1;
    }
    let mut all = [plane_weights(s, &along); 3];
    let mut axis = 2;
    while slopes && axis < N {
        let own = along[axis];
        along[axis] = as_weights(s, &slope_weights(s, fade, fractions[axis], one));
        all[axis - 1] = plane_weights(s, &along);
        along[axis] = own;
        axis += 1;
    }
    all
}

/// The weights of lattice planes, from those along each axis, of which x and y do not count.
///
/// ```text
/// noise = sum_q W_q(z, w) (g_q.x dx + g_q.y dy) + g_q.z Z_q(z, w) + g_q.w V_q(z, w)      q: the lattice planes
/// ```
///
/// `W_q` is the product of the weights along z and w, as a column has them along x for the y component. In `Z_q` the factor of z is
/// that of the x component, in `V_q` the factor of w. With the derivatives of the weights of one axis in place of these, the result
/// is the derivative along that axis.
#[inline(always)]
fn plane_weights<S: Simd, const N: usize>(s: S, along: &[Weights<S::F>; N]) -> PlaneWeights<S::F> {
    let none = [s.splat(0.0); 4];
    let mut planes = PlaneWeights { gradient: none, value: [none; 2] };
    let mut q = 0;
    while N > 2 && q < 1 << (N - 2) {
        let (z, side) = (&along[2], q & 1);
        if N == 3 {
            planes.gradient[q] = z.y[side];
            planes.value[0][q] = z.x[side];
        } else {
            let (w, w_side) = (&along[3], q >> 1);
            planes.gradient[q] = s.mul(z.y[side], w.y[w_side]);
            planes.value[0][q] = s.mul(z.x[side], w.y[w_side]);
            planes.value[1][q] = s.mul(z.y[side], w.x[w_side]);
        }
        q += 1;
    }
    planes
}

/// The derivatives of weights, in the form of weights.
#[inline(always)]
fn as_weights<S: Simd>(s: S, slopes: &SlopeWeights<S::F>) -> Weights<S::F> {
    Weights { x: slopes.x, y: [s.sub(s.splat(0.0), slopes.y), slopes.y] }
}

/// The node of a plane between lattice planes, with the gradient of each.
#[inline(always)]
pub(super) fn blend_planes<S: Simd, const N: usize>(
    s: S,
    weights: &PlaneWeights<S::F>,
    gradients: &[[S::F; N]; 4],
) -> Node<S::F> {
    let zero = s.splat(0.0);
    if N <= 2 {
        let [gradient, ..] = gradients;
        return Node { x: gradient[0], y: if N == 2 { gradient[1] } else { zero }, value: zero };
    }
    let mut node = Node { x: zero, y: zero, value: zero };
    let mut q = 0;
    while q < 1 << (N - 2) {
        let gradient = &gradients[q];
        let (x, y) = (s.mul(gradient[0], weights.gradient[q]), s.mul(gradient[1], weights.gradient[q]));
        let mut value = s.mul(gradient[2], weights.value[0][q]);
        if N == 4 {
            value = s.add(value, s.mul(gradient[3], weights.value[1][q]));
        }
        node = if q == 0 {
            Node { x, y, value }
        } else {
            Node { x: s.add(node.x, x), y: s.add(node.y, y), value: s.add(node.value, value) }
        };
        q += 1;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::super::formula::{MAX_STATE, OctaveScale, Shape, State, add_octave};
    use super::super::portable::Portable;
    use super::super::simd::MAX_LANES;
    use super::*;

    /// Keeps the noise and its slopes of the octave that was added last.
    #[derive(Clone, Copy)]
    struct Kept;

    impl<const N: usize> Shape<N> for Kept {
        const STATES: usize = 1 + N;
        const SLOPES: bool = true;

        fn add<S: Simd>(_: S, state: &mut State<S::F>, _: &OctaveScale, noise: S::F, slopes: [S::F; N]) {
            state[0] = noise;
            state[1..=N].copy_from_slice(&slopes);
        }
    }

    /// A rule whose gradients are any numbers.
    #[derive(Clone, Copy)]
    struct AnyNumbers;

    impl<const N: usize> NodeRule<N> for AnyNumbers {
        fn key(self, _: usize, cell: i64) -> u32 {
            cell as u32
        }

        fn keys<S: Simd>(self, _: S, _: S::U, _: usize, cells: S::U) -> S::U {
            cells
        }

        fn gradient<S: Simd>(self, s: S, _: S::U, keys: [S::U; N]) -> [S::F; N] {
            let mut node = [0; MAX_LANES];
            let mut hash = 0_u32;
            for key in keys {
                s.store_u(key, &mut node);
                hash = (hash ^ node[0]).wrapping_mul(0x9e37_79b1).rotate_left(13);
            }
            std::array::from_fn(|axis| s.splat((hash.rotate_left(7 * axis as u32) % 2001) as f32 / 1000.0 - 1.0))
        }
    }

    fn check_slopes<const N: usize>(curve: Fade) {
        let s = Portable::<1>;
        let scale = OctaveScale { gradients: 0.25, amplitude: 1.0, persistence: 1.0, frequencies: [1.0; 4] };
        let at = |t: [f32; N]| {
            let t = t.map(|t| [t]);
            let weights = weights_of_planes(s, curve, &t, true);
            let nodes = nodes_around(s, AnyNumbers, [0], &[[[3], [4]]; N], &weights, true);
            let mut state = [[0.0]; MAX_STATE];
            add_octave::<_, Kept, N>(s, curve, &scale, [t[0], if N > 1 { t[1] } else { [0.0] }], &nodes, &mut state);
            state.map(|[number]| number)
        };
        let step = 1.0 / 256.0;
        for t in [[0.2, 0.3, 0.6, 0.4], [0.7, 0.4, 0.1, 0.8], [0.5, 0.9, 0.5, 0.3]] {
            let t: [f32; N] = std::array::from_fn(|axis| t[axis]);
            for axis in 0..N {
                let moved = |by: f32| at(std::array::from_fn(|i| if i == axis { t[i] + by } else { t[i] }))[0];
                let (slope, difference) = (at(t)[1 + axis], (moved(step) - moved(-step)) / (2.0 * step));
                // Third derivatives are below 60 / 4: 15 step^2 / 6 is 4e-5, and values are rounded by 3e-8 / step.
                assert!(
                    (slope - difference).abs() < 1e-4,
                    "{curve:?}, axis {axis} at {t:?}: {slope}, not {difference}"
                );
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_value_at_any_scale() {
        for curve in [Fade::Linear, Fade::Cubic, Fade::Quintic, Fade::MinimalCubic] {
            check_slopes::<1>(curve);
            check_slopes::<2>(curve);
            check_slopes::<3>(curve);
            check_slopes::<4>(curve);
        }
    }
}
