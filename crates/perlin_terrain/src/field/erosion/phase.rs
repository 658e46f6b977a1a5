//! The phase of the gullies of one octave: plane waves around lattice nodes, blended.

use super::Octave;
use crate::noise::internal::Simd;

/// Bits of the fraction of a cell in [`CellPosition`].
pub(super) const FRACTION_BITS: u32 = 30;
const HALF: u32 = 1 << (FRACTION_BITS - 1);
const FRACTION_MASK: u32 = (1 << FRACTION_BITS) - 1;

/// How soft the change is from full gullies to none where the waves of the nodes cancel.
const SOFTNESS: f32 = 0.06;
/// sqrt(1 + SOFTNESS): stretches a phase in which all nodes agree to length 1.
const MAX_LENGTH: f32 = 1.029_563;

/// Positions along one axis, in cells of an octave: whole cells, wrapping, and a fraction of [`FRACTION_BITS`].
pub(super) struct CellPosition<S: Simd> {
    pub cell: S::U,
    pub fraction: S::U,
}

impl<S: Simd> CellPosition<S> {
    /// The positions in the next octave, whose cells are half as wide, and which has a random `offset`. Exact.
    #[inline(always)]
    pub fn next(self, s: S, offset: u32) -> Self {
        // Less than 3 * 2^30: it fits.
        let fraction = s.add_u(s.shl::<1>(self.fraction), s.splat_u(offset));
        Self {
            cell: s.add_u(s.shl::<1>(self.cell), s.shr::<{ FRACTION_BITS as i32 }>(fraction)),
            fraction: s.and(fraction, s.splat_u(FRACTION_MASK)),
        }
    }

    /// The nearest nodes, and where the positions are from there: -1/2 to 1/2.
    #[inline(always)]
    fn nearest(&self, s: S) -> (S::U, S::F) {
        let beyond = s.add_u(self.fraction, s.splat_u(HALF));
        let node = s.add_u(self.cell, s.shr::<{ FRACTION_BITS as i32 }>(beyond));
        let from_node = s.add_u(s.and(beyond, s.splat_u(FRACTION_MASK)), s.splat_u(HALF.wrapping_neg()));
        (node, s.mul(s.to_float(from_node), s.splat(1.0 / (1_u32 << FRACTION_BITS) as f32)))
    }
}

/// The phase as a complex number, real and imaginary, no longer than 1: 1 on a crest, -1 in a crease, and the imaginary part
/// positive on one wall and negative on the other. `wave` is in turns per cell, 0.7 at most.
///
/// Each node of the lattice is the origin of a plane wave with a random phase. Nine of them are blended, by weights that are 0
/// 1.5 cells away with their first two derivatives.
#[inline(always)]
pub(super) fn phase<S: Simd>(s: S, octave: &Octave, wave: [S::F; 2], [x, z]: &[CellPosition<S>; 2]) -> [S::F; 2] {
    let one = s.splat(1.0);
    let (column, x) = x.nearest(s);
    let (row, z) = z.nearest(s);
    let column = s.mul_u(column, s.splat_u(SPREAD));
    let row = s.mul_u(row, s.splat_u(SPREAD));
    let (next, last) = (s.splat_u(SPREAD), s.splat_u(SPREAD.wrapping_neg()));
    let columns = [s.add_u(column, last), column, s.add_u(column, next)];
    // The weight of a node is (1 - (x² + z²) / 2.25)³.
    let (x_left, x_right) = (s.add(x, one), s.sub(x, one));
    let across = [
        s.sub(one, s.mul(s.mul(x_left, x_left), s.splat(1.0 / 2.25))),
        s.sub(one, s.mul(s.mul(x, x), s.splat(1.0 / 2.25))),
        s.sub(one, s.mul(s.mul(x_right, x_right), s.splat(1.0 / 2.25))),
    ];
    let step_x = cosine_and_sine(s, wrapped(s, wave[0]));
    let step_z = cosine_and_sine(s, wrapped(s, wave[1]));

    let lower = row_sum(s, octave.seed, columns, across, step_x, s.add_u(row, last), s.add(z, one));
    let middle = row_sum(s, octave.seed, columns, across, step_x, row, z);
    let upper = row_sum(s, octave.seed, columns, across, step_x, s.add_u(row, next), s.sub(z, one));
    let weight = s.add(s.add(lower[2], upper[2]), middle[2]);
    let sum = turned(s, [lower[0], lower[1]], [middle[0], middle[1]], [upper[0], upper[1]], step_z);

    // From the nearest node to the position. At most 0.7 * sqrt(1/2) turns, so there is nothing to wrap.
    let [cos, sin] = cosine_and_sine(s, s.add(s.mul(x, wave[0]), s.mul(z, wave[1])));
    let re = s.sub(s.mul(sum[0], cos), s.mul(sum[1], sin));
    let im = s.add(s.mul(sum[0], sin), s.mul(sum[1], cos));
    // The last product has length 1, so the length is known before it.
    let squared = s.add(s.mul(sum[0], sum[0]), s.mul(sum[1], sum[1]));
    let squared = s.add(squared, s.mul(s.mul(weight, weight), s.splat(SOFTNESS)));
    let scale = s.div(s.splat(MAX_LENGTH), s.sqrt(squared));
    [s.mul(re, scale), s.mul(im, scale)]
}

/// The sum of the three nodes of a row, real and imaginary, and the sum of their weights. `z` is where the position is from the row.
#[inline(always)]
fn row_sum<S: Simd>(
    s: S,
    seed: u32,
    columns: [S::U; 3],
    across: [S::F; 3],
    step: [S::F; 2],
    row: S::U,
    z: S::F,
) -> [S::F; 3] {
    let key = row_key(s, row, seed);
    let along = s.mul(s.mul(z, z), s.splat(1.0 / 2.25));
    let (w_left, left) = node(s, columns[0], key, s.sub(across[0], along));
    let (w_middle, middle) = node(s, columns[1], key, s.sub(across[1], along));
    let (w_right, right) = node(s, columns[2], key, s.sub(across[2], along));
    let [re, im] = turned(s, left, middle, right, step);
    [re, im, s.add(s.add(w_left, w_right), w_middle)]
}

/// The weight of a node, and its phase times that.
#[inline(always)]
fn node<S: Simd>(s: S, column: S::U, row: S::U, nearness: S::F) -> (S::F, [S::F; 2]) {
    let nearness = s.max(nearness, s.splat(0.0));
    let weight = s.mul(s.mul(nearness, nearness), nearness);
    let hash = node_hash(s, column, row);
    let index = s.shr::<28>(hash);
    let signed = s.float_of_bits(s.xor(s.bits(weight), s.and(hash, s.splat_u(0x8000_0000))));
    (weight, [s.mul(s.pick(&COSINES, index), signed), s.mul(s.pick(&SINES, index), signed)])
}

/// `before * step + middle + after / step`, for complex numbers. `step` has length 1.
#[inline(always)]
fn turned<S: Simd>(s: S, before: [S::F; 2], middle: [S::F; 2], after: [S::F; 2], [cos, sin]: [S::F; 2]) -> [S::F; 2] {
    let re = s.add(s.mul(s.add(before[0], after[0]), cos), s.mul(s.sub(after[1], before[1]), sin));
    let im = s.add(s.mul(s.add(before[1], after[1]), cos), s.mul(s.sub(before[0], after[0]), sin));
    [s.add(middle[0], re), s.add(middle[1], im)]
}

/// 2^32 divided by the golden ratio, made odd: spreads neighbors far apart.
const SPREAD: u32 = 0x9e37_79b1;

/// The part that the nodes of a row have in common. `row` is multiplied by [`SPREAD`].
#[inline(always)]
fn row_key<S: Simd>(s: S, row: S::U, seed: u32) -> S::U {
    let h = s.xor(row, s.splat_u(seed));
    let h = s.mul_u(s.xor(h, s.shr::<16>(h)), s.splat_u(0xc2b2_ae35));
    s.xor(h, s.shr::<13>(h))
}

/// The hash of a node, of which the top four bits are used. `column` is multiplied by [`SPREAD`].
#[inline(always)]
fn node_hash<S: Simd>(s: S, column: S::U, row_key: S::U) -> S::U {
    let h = s.xor(column, row_key);
    s.mul_u(s.xor(h, s.shr::<15>(h)), s.splat_u(0x85eb_ca6b))
}

/// The phases of nodes in half of a circle, at `(i + 1/2) * 22.5` degrees; a sign gives the other half. Sixteen phases look like
/// any phase: nine nodes and a wave are between them and the eye. Eight numbers fit into a vector of every wide instruction set.
const SINES: [f32; 8] =
    [0.195_090_32, 0.555_570_24, 0.831_469_6, 0.980_785_25, 0.980_785_25, 0.831_469_6, 0.555_570_24, 0.195_090_32];
const COSINES: [f32; 8] =
    [0.980_785_25, 0.831_469_6, 0.555_570_24, 0.195_090_32, -0.195_090_32, -0.555_570_24, -0.831_469_6, -0.980_785_25];

/// Turns without whole ones: -1/2 to 1/2. For less than 2^21 turns.
#[inline(always)]
fn wrapped<S: Simd>(s: S, turns: S::F) -> S::F {
    // Adding and taking away 1.5 * 2^23 rounds to the nearest whole number.
    let whole = s.sub(s.add(turns, s.splat(12_582_912.0)), s.splat(12_582_912.0));
    s.sub(turns, whole)
}

/// The cosine and the sine of -1/2 to 1/2 turns, off by less than 6e-6. At both ends they have the same bits, but for the sign
/// of a sine of zero: nothing jumps there.
///
/// Both come from the half angle: `cos 2a = 1 - 2 sin² a` and `sin 2a = 2 sin a cos a`. A polynomial gives `sqrt(2) sin a / y`,
/// and another one `sqrt(2) cos a / (1 - 4 y²)` with `a = pi y`, so that the cosine is exactly zero at the ends. Both were fitted
/// for the least error.
#[inline(always)]
fn cosine_and_sine<S: Simd>(s: S, y: S::F) -> [S::F; 2] {
    let one = s.splat(1.0);
    let y2 = s.mul(y, y);
    let sin = s.add(s.splat(3.597_788_8), s.mul(y2, s.splat(-0.791_238_25)));
    let sin = s.add(s.splat(-7.307_818), s.mul(y2, sin));
    let sin = s.mul(y, s.add(s.splat(4.442_879_7), s.mul(y2, sin)));
    let cos = s.add(s.splat(0.451_171_34), s.mul(y2, s.splat(-0.076_603_785)));
    let cos = s.add(s.splat(-1.321_976_4), s.mul(y2, cos));
    let cos = s.add(s.splat(1.414_213_3), s.mul(y2, cos));
    let cos = s.mul(s.sub(one, s.mul(s.splat(4.0), y2)), cos);
    [s.sub(one, s.mul(sin, sin)), s.mul(sin, cos)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::NoiseRng;
    use crate::noise::internal::Portable;

    const ONE: Portable<1> = Portable;

    #[test]
    fn cosines_and_sines_are_good_and_meet_at_half_a_turn() {
        let mut worst = 0.0_f64;
        for i in -50_000..=50_000 {
            let y = i as f32 / 100_000.0;
            let [[cos], [sin]] = cosine_and_sine(ONE, [y]);
            let (exact_sin, exact_cos) = libm::sincos(std::f64::consts::TAU * f64::from(y));
            worst = worst.max((f64::from(cos) - exact_cos).abs()).max((f64::from(sin) - exact_sin).abs());
        }
        assert!(worst < 6e-6, "{worst}");
        assert_eq!(cosine_and_sine(ONE, [0.5]), cosine_and_sine(ONE, [-0.5]));
        assert_eq!(cosine_and_sine(ONE, [0.0]), [[1.0], [0.0]]);
    }

    #[test]
    fn turns_lose_whole_ones() {
        for turns in [0.0_f32, 0.3, 0.5, 0.7, -0.7, 0.499_999_97] {
            let [left] = wrapped(ONE, [turns]);
            assert!(left.abs() <= 0.5 && (turns - left).round() == turns - left, "{turns}: {left}");
        }
    }

    #[test]
    fn phases_of_nodes_are_one_half_of_a_circle() {
        for i in 0..8 {
            let (sin, cos) = libm::sincos((i as f64 + 0.5) * std::f64::consts::PI / 8.0);
            assert_eq!([COSINES[i], SINES[i]], [cos as f32, sin as f32]);
        }
        assert_eq!(MAX_LENGTH, libm::sqrtf(1.0 + SOFTNESS));
    }

    /// The phase of a node, by the hash alone.
    fn node_phase(seed: u32, column: i32, row: i32) -> [f64; 2] {
        let [column, row] = [column, row].map(|i| [(i as u32).wrapping_mul(SPREAD)]);
        let (_, [[re], [im]]) = node(ONE, column, row_key(ONE, row, seed), [1.0]);
        [f64::from(re), f64::from(im)]
    }

    #[test]
    fn phases_of_neighbors_are_independent() {
        let mut rng = NoiseRng::new(3, 0);
        const SIDE: i32 = 200;
        let mut worst = 0.0_f64;
        for _ in 0..4 {
            let seed = rng.next_u32();
            for (dx, dy) in (-3..=3).flat_map(|dx| (0..=3).map(move |dy| (dx, dy))).filter(|&step| step != (0, 0)) {
                // The products of a phase and its neighbor's, and of a phase and the opposite of it, average to 0.
                let mut sums = [0.0; 4];
                for (column, row) in (0..SIDE).flat_map(|column| (0..SIDE).map(move |row| (column, row))) {
                    let [a, b] = [node_phase(seed, column, row), node_phase(seed, column + dx, row + dy)];
                    for (sum, product) in sums.iter_mut().zip([a[0] * b[0], a[1] * b[1], a[0] * b[1], a[1] * b[0]]) {
                        *sum += product;
                    }
                }
                for sum in sums {
                    // Each product has variance 1/4.
                    worst = worst.max(sum.abs() / (0.5 * f64::from(SIDE)));
                }
            }
        }
        // 4 * 27 * 4 sums: the worst of so many is below 5 standard deviations but once in 4000 times.
        assert!(worst < 5.0, "{worst} standard deviations");
    }

    #[test]
    fn a_phase_does_not_jump_where_the_nearest_node_changes() {
        let mut rng = NoiseRng::new(8, 0);
        let octave = Octave { seed: 5, next_offset: [0; 2], amplitude: 1.0, turn: 1.0, rounding: [0.0; 2] };
        for _ in 0..2000 {
            let angle = std::f64::consts::TAU * rng.next_unit();
            let wave = [0.7 * libm::cos(angle) as f32, 0.7 * libm::sin(angle) as f32];
            let along = rng.next_u32() >> 2;
            let at = |fraction: u32| {
                let position = [
                    CellPosition::<Portable<1>> { cell: [7], fraction: [fraction] },
                    CellPosition { cell: [u32::MAX], fraction: [along] },
                ];
                phase(ONE, &octave, wave.map(|w| [w]), &position).map(|[part]| part)
            };
            // 2^-25 cells to each side.
            let [before, after] = [at(HALF - 32), at(HALF + 32)];
            for (before, after) in before.into_iter().zip(after) {
                assert!((before - after).abs() < 2e-5, "{before} and {after}");
            }
        }
    }

    #[test]
    fn a_position_moves_on_exactly() {
        let mut rng = NoiseRng::new(4, 0);
        for _ in 0..1000 {
            let [cell, fraction, offset] = [rng.next_u32(), rng.next_u32() >> 2, rng.next_u32() >> 2];
            let next = CellPosition::<Portable<1>> { cell: [cell], fraction: [fraction] }.next(ONE, offset);
            let both = |cell: u32, fraction: u32| u64::from(cell) << FRACTION_BITS | u64::from(fraction);
            let expected = (2 * both(cell, fraction) + u64::from(offset)) & ((1 << 62) - 1);
            assert_eq!(both(next.cell[0], next.fraction[0]), expected);
        }
    }
}
