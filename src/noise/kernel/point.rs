//! One point: the same formula as on a grid, with one lane, and so the same bits.

use super::formula::{Billow, Damped, Fbm, Hybrid, Ridged, Shape, State, add_octave};
use super::octave::KernelOctave;
use super::output::{Output, apply_output};
use super::portable::Portable;
use crate::noise::fixed_coord::{FixedCoord, fraction_24};
use crate::noise::{Fade, FractalShape};

/// The noise at `coord`.
pub(in crate::noise) fn value_at(
    octaves: &[KernelOctave],
    fade: Fade,
    shape: FractalShape,
    output: Output,
    coord: [FixedCoord; 2],
) -> f32 {
    match shape {
        FractalShape::Fbm => sum::<Fbm>(octaves, fade, output, coord),
        FractalShape::Billow => sum::<Billow>(octaves, fade, output, coord),
        FractalShape::Ridged => sum::<Ridged>(octaves, fade, output, coord),
        FractalShape::Hybrid => sum::<Hybrid>(octaves, fade, output, coord),
        FractalShape::Damped => sum::<Damped>(octaves, fade, output, coord),
    }
}

fn sum<C: Shape>(octaves: &[KernelOctave], fade: Fade, output: Output, coord: [FixedCoord; 2]) -> f32 {
    let s = Portable::<1>;
    let mut state: State<[f32; 1]> = C::START.map(|start| [start]);
    for KernelOctave { rule, axes, scale } in octaves {
        let split = |axis: usize| {
            let (cell, fraction) = axes[axis].position(coord[axis]).split_24();
            (cell, [fraction_24(fraction)])
        };
        let ((cell_x, dx), (cell_y, dy)) = (split(0), split(1));
        let columns = [rule.column_key(cell_x), rule.column_key(cell_x.wrapping_add(1))];
        let corners = |cell_y: i64| {
            let mut row = [0.0; 4];
            rule.gradients(s, &columns, rule.row_key(cell_y), &mut row);
            let [left_x, left_y, right_x, right_y] = row.map(|component| [component]);
            [[left_x, left_y], [right_x, right_y]]
        };
        let corners = [corners(cell_y), corners(cell_y.wrapping_add(1))];
        add_octave::<_, C>(s, fade, scale, [dx, dy], corners, &mut state);
    }
    apply_output(s, output, state[0])[0]
}
