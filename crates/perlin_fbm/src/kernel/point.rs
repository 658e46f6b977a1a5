//! One point: the same formula as on a grid, with one lane, and so the same bits.

use super::dispatch::NO_GRADIENT;
use super::dual::Dual;
use super::formula::{Nodes, Shape, State, add_octave};
use super::octave::KernelOctave;
use super::output::{Output, apply_output};
use super::planes::{nodes_around, weights_of_planes};
use super::portable::Portable;
use super::rule::{NodeRule, NodeWork};
use super::shape::{Billow, Damped, Fbm, Hybrid, Ridged, WithGradient};
use crate::fixed_coord::{TickCount, fraction_24};
use crate::{Fade, FractalShape};

/// `$result` for the type `$type` of a shape, or `$damped` for `Damped`. Chosen at each octave, not once for a point: all shapes
/// together then need the code of lattices once.
macro_rules! by_shape {
    ($shape:expr, $type:ident => $result:expr, $damped:expr) => {
        match $shape {
            FractalShape::Fbm => {
                type $type = Fbm;
                $result
            }
            FractalShape::Billow => {
                type $type = Billow;
                $result
            }
            FractalShape::Ridged => {
                type $type = Ridged;
                $result
            }
            FractalShape::Hybrid => {
                type $type = Hybrid;
                $result
            }
            FractalShape::Damped => $damped,
        }
    };
    ($shape:expr, $type:ident => $result:expr) => {
        by_shape!($shape, $type => $result, {
            type $type = Damped;
            $result
        })
    };
}

/// The noise at `coord`.
pub(crate) fn value_at<const N: usize>(
    octaves: &[KernelOctave<N>],
    fade: Fade,
    shape: FractalShape,
    output: Output,
    coord: [TickCount; N],
) -> f32 {
    let s = Portable::<1>;
    let slopes = by_shape!(shape, C => <C as Shape<N>>::SLOPES);
    let mut state: State<[f32; 1]> = by_shape!(shape, C => <C as Shape<N>>::START).map(|start| [start]);
    for octave in octaves {
        let ([dx, dy], nodes) = octave.rule.call(s, FindPoint { octave, fade, coord, slopes });
        by_shape!(shape, C => add_octave::<_, C, N>(s, fade, &octave.scale, [dx, dy], &nodes, &mut state));
    }
    apply_output(s, output, Dual { value: state[0], gradient: [] }).value[0]
}

/// The noise at `coord`, and its gradient per unit. Of any shape but `Damped`.
pub(crate) fn value_and_gradient_at<const N: usize>(
    octaves: &[KernelOctave<N>],
    fade: Fade,
    shape: FractalShape,
    output: Output,
    coord: [TickCount; N],
) -> (f32, [f32; N]) {
    let s = Portable::<1>;
    let start = by_shape!(shape, C => <WithGradient<C> as Shape<N>>::START, unreachable!("{NO_GRADIENT}"));
    let mut state: State<[f32; 1]> = start.map(|start| [start]);
    for octave in octaves {
        let ([dx, dy], nodes) = octave.rule.call(s, FindPoint { octave, fade, coord, slopes: true });
        let scale = &octave.scale;
        by_shape!(
            shape,
            C => add_octave::<_, WithGradient<C>, N>(s, fade, scale, [dx, dy], &nodes, &mut state),
            unreachable!("{NO_GRADIENT}")
        );
    }
    let Dual { value: [value], gradient } = apply_output(s, output, Dual::read(&state, 0));
    (value, gradient.map(|[slope]| slope))
}

/// Finds where in its cell a point is, along x and y, and the nodes around it.
struct FindPoint<'a, const N: usize> {
    octave: &'a KernelOctave<N>,
    fade: Fade,
    coord: [TickCount; N],
    /// Whether the shape needs derivatives.
    slopes: bool,
}

impl<const N: usize> NodeWork<Portable<1>, N> for FindPoint<'_, N> {
    type Result = ([[f32; 1]; 2], [Nodes<[f32; 1]>; N]);

    #[inline(always)]
    fn run<R: NodeRule<N>>(self, s: Portable<1>, node_rule: R) -> Self::Result {
        let Self { octave: KernelOctave { rule, axes, .. }, fade, coord, slopes } = self;
        let (mut keys, mut fractions) = ([[[0]; 2]; N], [[0.0]; N]);
        for axis in 0..N {
            let (cell, fraction) = axes[axis].position_of(coord[axis]).split_24();
            fractions[axis] = [fraction_24(fraction)];
            keys[axis] = [cell, cell.wrapping_add(1)].map(|cell| [node_rule.key(axis, rule.wrapped(axis, cell))]);
        }
        let weights = weights_of_planes(s, fade, &fractions, slopes);
        let nodes = nodes_around(s, node_rule, &keys, &weights, slopes);
        // A line has no y.
        ([fractions[0], if N > 1 { fractions[1] } else { [0.0] }], nodes)
    }
}
