//! AVX2: vectors of eight numbers.

use super::{operations, planar_corners_of_one, put_planar, vectors};
use crate::kernel::simd::{Directions, Nodes, Simd, Work};
use std::arch::x86_64::*;

/// Vectors of eight numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The instruction set, if this machine has it.
    pub fn on_this_machine() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = __m256;
    type U = __m256i;
    type W = [__m256i; 2];
    type Steps = __m256i;

    #[inline(always)]
    fn call(self, work: impl Work) {
        #[inline(never)]
        #[target_feature(enable = "avx2")]
        fn inner<W: Work>(s: Avx2, work: W) {
            work.run(s);
        }
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { inner(self, work) }
    }

    #[inline(always)]
    fn put(self, x: __m256, y: __m256, row: &mut [f32], at: usize) {
        put_planar(self, x, y, row, at);
    }

    #[inline(always)]
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2] {
        planar_corners_of_one(row, node)
    }

    #[inline(always)]
    fn steps(self, left: &[u32]) -> __m256i {
        self.add_u(self.load_u(left), self.splat_u(left[0].wrapping_neg()))
    }

    operations! {
        fn splat(self, value: f32) -> __m256 { _mm256_set1_ps(value) }
        fn load(self, from: &[f32]) -> __m256 { _mm256_loadu_ps(from[..8].as_ptr()) }
        fn store(self, vector: __m256, to: &mut [f32]) { _mm256_storeu_ps(to[..8].as_mut_ptr(), vector) }
        fn vectors(self, numbers: &mut [f32]) -> &mut [__m256] { vectors(numbers) }
        fn add(self, a: __m256, b: __m256) -> __m256 { _mm256_add_ps(a, b) }
        fn sub(self, a: __m256, b: __m256) -> __m256 { _mm256_sub_ps(a, b) }
        fn mul(self, a: __m256, b: __m256) -> __m256 { _mm256_mul_ps(a, b) }
        fn div(self, a: __m256, b: __m256) -> __m256 { _mm256_div_ps(a, b) }
        fn sqrt(self, a: __m256) -> __m256 { _mm256_sqrt_ps(a) }
        fn min(self, a: __m256, b: __m256) -> __m256 { _mm256_min_ps(a, b) }
        fn max(self, a: __m256, b: __m256) -> __m256 { _mm256_max_ps(a, b) }
        fn where_less(self, a: __m256, b: __m256, value: __m256) -> __m256 { _mm256_and_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b), value) }
        fn bits(self, a: __m256) -> __m256i { _mm256_castps_si256(a) }
        fn float_of_bits(self, a: __m256i) -> __m256 { _mm256_castsi256_ps(a) }
        fn splat_u(self, value: u32) -> __m256i { _mm256_set1_epi32(value as i32) }
        fn load_u(self, from: &[u32]) -> __m256i { _mm256_loadu_si256(from[..8].as_ptr().cast()) }
        fn store_u(self, vector: __m256i, to: &mut [u32]) { _mm256_storeu_si256(to[..8].as_mut_ptr().cast(), vector) }
        fn add_u(self, a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi32(a, b) }
        fn mul_u(self, a: __m256i, b: __m256i) -> __m256i { _mm256_mullo_epi32(a, b) }
        fn xor(self, a: __m256i, b: __m256i) -> __m256i { _mm256_xor_si256(a, b) }
        fn and(self, a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        fn shl<const BITS: i32>(self, a: __m256i) -> __m256i { _mm256_slli_epi32::<BITS>(a) }
        fn shr<const BITS: i32>(self, a: __m256i) -> __m256i { _mm256_srli_epi32::<BITS>(a) }
        fn to_float(self, a: __m256i) -> __m256 { _mm256_cvtepi32_ps(a) }
        fn pick(self, table: &[f32; 8], index: __m256i) -> __m256 { _mm256_permutevar8x32_ps(_mm256_loadu_ps(table.as_ptr()), index) }
        fn splat_w(self, value: u64) -> [__m256i; 2] { [_mm256_set1_epi64x(value as i64); 2] }
        fn load_w(self, from: &[u64]) -> [__m256i; 2] {{
            let from = from[..8].as_ptr();
            [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(4).cast())]
        }}
        fn add_w(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] { [_mm256_add_epi64(a[0], b[0]), _mm256_add_epi64(a[1], b[1])] }
        fn mul_w(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] { [_mm256_mul_epu32(a[0], b[0]), _mm256_mul_epu32(a[1], b[1])] }
        fn shr_w<const BITS: i32>(self, a: [__m256i; 2]) -> [__m256i; 2] { [_mm256_srli_epi64::<BITS>(a[0]), _mm256_srli_epi64::<BITS>(a[1])] }
        fn halves(self, a: [__m256i; 2]) -> [__m256i; 2] {{
            let [low, high] = unzip_8(_mm256_castsi256_ps(a[0]), _mm256_castsi256_ps(a[1]));
            [_mm256_castps_si256(low), _mm256_castps_si256(high)]
        }}
        fn directions(self, hash: __m256i, directions: &Directions) -> [__m256; 2] {{
            // Of an index only the lowest three bits count.
            let (quadrant, index) = (_mm256_loadu_ps(directions.quadrant.as_ptr()), _mm256_srli_epi32::<27>(hash));
            let x = _mm256_permutevar8x32_ps(quadrant, index);
            let y = _mm256_permutevar8x32_ps(quadrant, _mm256_xor_si256(index, _mm256_set1_epi32(7)));
            let sign = self.splat_u(0x8000_0000);
            let (x_sign, y_sign) = (self.and(hash, sign), self.and(self.shl::<1>(hash), sign));
            let x = self.float_of_bits(self.xor(self.bits(x), x_sign));
            [x, self.float_of_bits(self.xor(self.bits(y), y_sign))]
        }}
        fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {{
            let [x, y] = unzipped_8(gradients[..8].as_ptr().cast());
            self.put(x, y, row, at);
        }}
        fn corners(self, row: &[f32], nodes: &Nodes<Self>) -> [[__m256; 2]; 2] {{
            let first = nodes.first;
            let (xs, ys) = row.split_at(row.len() / 2);
            if nodes.shared {
                let (xs, ys) = (xs[first..][..9].as_ptr(), ys[first..][..9].as_ptr());
                // Written out: a closure would be compiled for other instructions than its caller.
                [
                    [_mm256_permutevar8x32_ps(_mm256_loadu_ps(xs), nodes.steps), _mm256_permutevar8x32_ps(_mm256_loadu_ps(ys), nodes.steps)],
                    [_mm256_permutevar8x32_ps(_mm256_loadu_ps(xs.add(1)), nodes.steps), _mm256_permutevar8x32_ps(_mm256_loadu_ps(ys.add(1)), nodes.steps)],
                ]
            } else {
                let (xs, ys) = (xs[first..][..16].as_ptr(), ys[first..][..16].as_ptr());
                let ([left_x, right_x], [left_y, right_y]) = (unzipped_8(xs), unzipped_8(ys));
                [[left_x, left_y], [right_x, right_y]]
            }
        }}
    }
}

/// The numbers in even positions of 16, and those in odd ones.
///
/// # Safety
///
/// The machine has AVX2, and there are 16 numbers.
#[inline(always)]
unsafe fn unzipped_8(from: *const f32) -> [__m256; 2] {
    // SAFETY: the caller's promise.
    unsafe { unzip_8(_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))) }
}

/// The numbers in even positions of two vectors, and those in odd ones.
///
/// # Safety
///
/// The machine has AVX2.
#[inline(always)]
unsafe fn unzip_8(low: __m256, high: __m256) -> [__m256; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        // Within the halves first: 0 2 8 10 | 4 6 12 14, then the halves' pairs into their order.
        let even = _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
        let odd = _mm256_castps_pd(_mm256_shuffle_ps::<0b11_01_11_01>(low, high));
        [
            _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(even)),
            _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(odd)),
        ]
    }
}
