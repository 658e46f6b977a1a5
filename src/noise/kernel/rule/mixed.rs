//! [`MixedGradients`](crate::noise::MixedGradients): two multiplications a node.

use crate::noise::kernel::simd::Simd;
use crate::noise::lattice::mixed::{COSINES, FINISH, SPREAD};

/// The cosines of the eight directions of a quadrant; their sines are the same ones backwards.
const X: [f32; 8] = {
    let mut x = [0.0; 8];
    let mut i = 0;
    while i < 8 {
        x[i] = COSINES[i] as f32;
        i += 1;
    }
    x
};
const Y: [f32; 8] = [X[7], X[6], X[5], X[4], X[3], X[2], X[1], X[0]];

/// The gradients of the nodes of a row.
#[inline(always)]
pub(super) fn gradients<S: Simd>(s: S, columns: &[u32], row: u32, x: &mut [f32], y: &mut [f32]) {
    let row = s.splat_u(row);
    let vectors = columns.chunks_exact(S::LANES);
    for ((columns, x), y) in vectors.zip(x.chunks_exact_mut(S::LANES)).zip(y.chunks_exact_mut(S::LANES)) {
        let h = s.xor(s.mul_u(s.load_u(columns), s.splat_u(SPREAD)), row);
        let h = s.mul_u(s.xor(h, s.shr::<15>(h)), s.splat_u(FINISH));
        let sign = s.splat_u(0x8000_0000);
        let (x_sign, y_sign) = (s.and(h, sign), s.and(s.shl::<1>(h), sign));
        s.store(s.float_of_bits(s.xor(s.bits(s.choose8(&X, h)), x_sign)), x);
        s.store(s.float_of_bits(s.xor(s.bits(s.choose8(&Y, h)), y_sign)), y);
    }
}
