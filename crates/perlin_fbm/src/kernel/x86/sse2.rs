//! SSE2: vectors of four numbers. Every x86-64 machine has it. It can't permute by an index, so gradients lie in pairs.

use super::{operations, vectors};
use crate::kernel::simd::{Directions, Nodes, Simd, Work};
use std::arch::x86_64::*;

/// Vectors of four numbers. Every x86-64 machine has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2(());

impl Sse2 {
    /// The instruction set, if this machine has it.
    pub fn on_this_machine() -> Option<Self> {
        is_x86_feature_detected!("sse2").then_some(Self(()))
    }
}

impl Simd for Sse2 {
    const LANES: usize = 4;
    type F = __m128;
    type U = __m128i;
    type W = [__m128i; 2];
    /// Of all lanes but the first.
    type Steps = [usize; 3];

    #[inline(always)]
    fn call(self, work: impl Work) {
        #[inline(never)]
        #[target_feature(enable = "sse2")]
        fn inner<W: Work>(s: Sse2, work: W) {
            work.run(s);
        }
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { inner(self, work) }
    }

    #[inline(always)]
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2] {
        let four = &row[2 * node..][..4];
        [[four[0], four[1]], [four[2], four[3]]]
    }

    #[inline(always)]
    fn steps(self, left: &[u32]) -> [usize; 3] {
        // The mask changes nothing; with it, one check of a bound is enough for all corners.
        let step = |lane: usize| (left[lane].wrapping_sub(left[0]) & 7) as usize;
        [step(1), step(2), step(3)]
    }

    operations! {
        fn splat(self, value: f32) -> __m128 { _mm_set1_ps(value) }
        fn load(self, from: &[f32]) -> __m128 { _mm_loadu_ps(from[..4].as_ptr()) }
        fn store(self, vector: __m128, to: &mut [f32]) { _mm_storeu_ps(to[..4].as_mut_ptr(), vector) }
        fn vectors(self, numbers: &mut [f32]) -> &mut [__m128] { vectors(numbers) }
        fn add(self, a: __m128, b: __m128) -> __m128 { _mm_add_ps(a, b) }
        fn sub(self, a: __m128, b: __m128) -> __m128 { _mm_sub_ps(a, b) }
        fn mul(self, a: __m128, b: __m128) -> __m128 { _mm_mul_ps(a, b) }
        fn div(self, a: __m128, b: __m128) -> __m128 { _mm_div_ps(a, b) }
        fn sqrt(self, a: __m128) -> __m128 { _mm_sqrt_ps(a) }
        fn min(self, a: __m128, b: __m128) -> __m128 { _mm_min_ps(a, b) }
        fn max(self, a: __m128, b: __m128) -> __m128 { _mm_max_ps(a, b) }
        fn where_less(self, a: __m128, b: __m128, value: __m128) -> __m128 { _mm_and_ps(_mm_cmplt_ps(a, b), value) }
        fn bits(self, a: __m128) -> __m128i { _mm_castps_si128(a) }
        fn float_of_bits(self, a: __m128i) -> __m128 { _mm_castsi128_ps(a) }
        fn splat_u(self, value: u32) -> __m128i { _mm_set1_epi32(value as i32) }
        fn load_u(self, from: &[u32]) -> __m128i { _mm_loadu_si128(from[..4].as_ptr().cast()) }
        fn store_u(self, vector: __m128i, to: &mut [u32]) { _mm_storeu_si128(to[..4].as_mut_ptr().cast(), vector) }
        fn add_u(self, a: __m128i, b: __m128i) -> __m128i { _mm_add_epi32(a, b) }
        fn mul_u(self, a: __m128i, b: __m128i) -> __m128i {{
            // SSE2 multiplies two lanes at a time, to 64 bits.
            let even = _mm_mul_epu32(a, b);
            let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            _mm_unpacklo_epi32(_mm_shuffle_epi32::<0b00_00_10_00>(even), _mm_shuffle_epi32::<0b00_00_10_00>(odd))
        }}
        fn xor(self, a: __m128i, b: __m128i) -> __m128i { _mm_xor_si128(a, b) }
        fn and(self, a: __m128i, b: __m128i) -> __m128i { _mm_and_si128(a, b) }
        fn shl<const BITS: i32>(self, a: __m128i) -> __m128i { _mm_slli_epi32::<BITS>(a) }
        fn shr<const BITS: i32>(self, a: __m128i) -> __m128i { _mm_srli_epi32::<BITS>(a) }
        fn to_float(self, a: __m128i) -> __m128 { _mm_cvtepi32_ps(a) }
        fn pick(self, table: &[f32; 8], index: __m128i) -> __m128 {{
            let (low, high) = (_mm_cvtsi128_si64(index) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(index, index)) as u64);
            let one = |index: u64| table[(index & 7) as usize];
            _mm_setr_ps(one(low), one(low >> 32), one(high), one(high >> 32))
        }}
        fn splat_w(self, value: u64) -> [__m128i; 2] { [_mm_set1_epi64x(value as i64); 2] }
        fn load_w(self, from: &[u64]) -> [__m128i; 2] {{
            let from = from[..4].as_ptr();
            [_mm_loadu_si128(from.cast()), _mm_loadu_si128(from.add(2).cast())]
        }}
        fn add_w(self, a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] { [_mm_add_epi64(a[0], b[0]), _mm_add_epi64(a[1], b[1])] }
        fn mul_w(self, a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] { [_mm_mul_epu32(a[0], b[0]), _mm_mul_epu32(a[1], b[1])] }
        fn shr_w<const BITS: i32>(self, a: [__m128i; 2]) -> [__m128i; 2] { [_mm_srli_epi64::<BITS>(a[0]), _mm_srli_epi64::<BITS>(a[1])] }
        fn halves(self, a: [__m128i; 2]) -> [__m128i; 2] {{
            let [a, b] = [_mm_castsi128_ps(a[0]), _mm_castsi128_ps(a[1])];
            [_mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b)), _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b))]
        }}
        fn directions(self, hash: __m128i, directions: &Directions) -> [__m128; 2] {{
            let index = _mm_srli_epi32::<27>(hash);
            let (low, high) = (_mm_cvtsi128_si64(index) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(index, index)) as u64);
            // The mask changes nothing; it spares checks of the bound.
            let one = |index: u64| _mm_loadl_epi64(directions.all[(index & 31) as usize].as_ptr().cast());
            let two = |indices: u64| _mm_castsi128_ps(_mm_unpacklo_epi64(one(indices), one(indices >> 32)));
            let (low, high) = (two(low), two(high));
            [_mm_shuffle_ps::<0b10_00_10_00>(low, high), _mm_shuffle_ps::<0b11_01_11_01>(low, high)]
        }}
        fn put(self, x: __m128, y: __m128, row: &mut [f32], at: usize) {{
            let row = row[2 * at..][..8].as_mut_ptr();
            _mm_storeu_ps(row, _mm_unpacklo_ps(x, y));
            _mm_storeu_ps(row.add(4), _mm_unpackhi_ps(x, y));
        }}
        fn put_directions(self, hash: __m128i, directions: &Directions, row: &mut [f32], at: usize) {{
            let (row, index) = (row[2 * at..][..8].as_mut_ptr(), _mm_srli_epi32::<27>(hash));
            let (low, high) = (_mm_cvtsi128_si64(index) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(index, index)) as u64);
            // The mask changes nothing; it spares checks of the bound.
            let one = |index: u64| _mm_loadl_epi64(directions.all[(index & 31) as usize].as_ptr().cast());
            let two = |indices: u64| _mm_unpacklo_epi64(one(indices), one(indices >> 32));
            _mm_storeu_si128(row.cast(), two(low));
            _mm_storeu_si128(row.add(4).cast(), two(high));
        }}
        fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {{
            let (from, row) = (gradients[..4].as_ptr().cast::<f32>(), row[2 * at..][..8].as_mut_ptr());
            _mm_storeu_ps(row, _mm_loadu_ps(from));
            _mm_storeu_ps(row.add(4), _mm_loadu_ps(from.add(4)));
        }}
        fn corners(self, row: &[f32], nodes: &Nodes<Self>) -> [[__m128; 2]; 2] {{
            // Two neighbors are four numbers in a row. Four of those, as a matrix, have to be transposed.
            let near = &row[2 * nodes.first..2 * nodes.first + 18];
            let two = |step: usize| _mm_loadu_ps(near[2 * step..][..4].as_ptr());
            let (a, b, c, d) = (_mm_loadu_ps(near.as_ptr()), two(nodes.steps[0]), two(nodes.steps[1]), two(nodes.steps[2]));
            let (left_ab, left_cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (right_ab, right_cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            [
                [_mm_movelh_ps(left_ab, left_cd), _mm_movehl_ps(left_cd, left_ab)],
                [_mm_movelh_ps(right_ab, right_cd), _mm_movehl_ps(right_cd, right_ab)],
            ]
        }}
    }
}
