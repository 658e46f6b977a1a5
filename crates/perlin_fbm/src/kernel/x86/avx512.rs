//! AVX-512: vectors of sixteen numbers.

use super::{operations, planar_corners_of_one, put_planar, vectors};
use crate::kernel::simd::{Directions, Nodes, Simd, Work};
use std::arch::x86_64::*;

/// Vectors of sixteen numbers, and twice as many registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The instruction set, if this machine has it.
    pub fn on_this_machine() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

impl Simd for Avx512 {
    const LANES: usize = 16;
    type F = __m512;
    type U = __m512i;
    type W = [__m512i; 2];
    type Steps = __m512i;

    #[inline(always)]
    fn call(self, work: impl Work) {
        #[inline(never)]
        #[target_feature(enable = "avx512f")]
        fn inner<W: Work>(s: Avx512, work: W) {
            work.run(s);
        }
        // SAFETY: `self` proves that the machine has the instructions.
        unsafe { inner(self, work) }
    }

    #[inline(always)]
    fn put(self, x: __m512, y: __m512, row: &mut [f32], at: usize) {
        put_planar(self, x, y, row, at);
    }

    #[inline(always)]
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2] {
        planar_corners_of_one(row, node)
    }

    #[inline(always)]
    fn steps(self, left: &[u32]) -> __m512i {
        self.add_u(self.load_u(left), self.splat_u(left[0].wrapping_neg()))
    }

    operations! {
        fn splat(self, value: f32) -> __m512 { _mm512_set1_ps(value) }
        fn load(self, from: &[f32]) -> __m512 { _mm512_loadu_ps(from[..16].as_ptr()) }
        fn store(self, vector: __m512, to: &mut [f32]) { _mm512_storeu_ps(to[..16].as_mut_ptr(), vector) }
        fn vectors(self, numbers: &mut [f32]) -> &mut [__m512] { vectors(numbers) }
        fn add(self, a: __m512, b: __m512) -> __m512 { _mm512_add_ps(a, b) }
        fn sub(self, a: __m512, b: __m512) -> __m512 { _mm512_sub_ps(a, b) }
        fn mul(self, a: __m512, b: __m512) -> __m512 { _mm512_mul_ps(a, b) }
        fn div(self, a: __m512, b: __m512) -> __m512 { _mm512_div_ps(a, b) }
        fn sqrt(self, a: __m512) -> __m512 { _mm512_sqrt_ps(a) }
        fn min(self, a: __m512, b: __m512) -> __m512 { _mm512_min_ps(a, b) }
        fn max(self, a: __m512, b: __m512) -> __m512 { _mm512_max_ps(a, b) }
        fn where_less(self, a: __m512, b: __m512, value: __m512) -> __m512 { _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), value) }
        fn bits(self, a: __m512) -> __m512i { _mm512_castps_si512(a) }
        fn float_of_bits(self, a: __m512i) -> __m512 { _mm512_castsi512_ps(a) }
        fn splat_u(self, value: u32) -> __m512i { _mm512_set1_epi32(value as i32) }
        fn load_u(self, from: &[u32]) -> __m512i { _mm512_loadu_si512(from[..16].as_ptr().cast()) }
        fn store_u(self, vector: __m512i, to: &mut [u32]) { _mm512_storeu_si512(to[..16].as_mut_ptr().cast(), vector) }
        fn add_u(self, a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi32(a, b) }
        fn mul_u(self, a: __m512i, b: __m512i) -> __m512i { _mm512_mullo_epi32(a, b) }
        fn xor(self, a: __m512i, b: __m512i) -> __m512i { _mm512_xor_si512(a, b) }
        fn and(self, a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
        fn shl<const BITS: i32>(self, a: __m512i) -> __m512i {{
            // The intrinsic's immediate has another type than those of the narrower sets.
            _mm512_sll_epi32(a, _mm_cvtsi32_si128(BITS))
        }}
        fn shr<const BITS: i32>(self, a: __m512i) -> __m512i { _mm512_srl_epi32(a, _mm_cvtsi32_si128(BITS)) }
        fn to_float(self, a: __m512i) -> __m512 { _mm512_cvtepi32_ps(a) }
        fn pick(self, table: &[f32; 8], index: __m512i) -> __m512 {{
            // Twice the same eight: four bits of an index count.
            let half = _mm256_loadu_pd(table.as_ptr().cast());
            _mm512_permutexvar_ps(index, _mm512_castpd_ps(_mm512_broadcast_f64x4(half)))
        }}
        fn splat_w(self, value: u64) -> [__m512i; 2] { [_mm512_set1_epi64(value as i64); 2] }
        fn load_w(self, from: &[u64]) -> [__m512i; 2] {{
            let from = from[..16].as_ptr();
            [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(8).cast())]
        }}
        fn add_w(self, a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] { [_mm512_add_epi64(a[0], b[0]), _mm512_add_epi64(a[1], b[1])] }
        fn mul_w(self, a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] { [_mm512_mul_epu32(a[0], b[0]), _mm512_mul_epu32(a[1], b[1])] }
        fn shr_w<const BITS: i32>(self, a: [__m512i; 2]) -> [__m512i; 2] {{
            let bits = _mm_cvtsi32_si128(BITS);
            [_mm512_srl_epi64(a[0], bits), _mm512_srl_epi64(a[1], bits)]
        }}
        fn halves(self, a: [__m512i; 2]) -> [__m512i; 2] {{
            let [low, high] = unzip_16(_mm512_castsi512_ps(a[0]), _mm512_castsi512_ps(a[1]));
            [_mm512_castps_si512(low), _mm512_castps_si512(high)]
        }}
        fn directions(self, hash: __m512i, directions: &Directions) -> [__m512; 2] {{
            let index = self.shr::<27>(hash);
            let [xs, ys] = [directions.components[0].as_ptr(), directions.components[1].as_ptr()];
            // Two vectors of sixteen hold all 32.
            [
                _mm512_permutex2var_ps(_mm512_loadu_ps(xs), index, _mm512_loadu_ps(xs.add(16))),
                _mm512_permutex2var_ps(_mm512_loadu_ps(ys), index, _mm512_loadu_ps(ys.add(16))),
            ]
        }}
        fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {{
            let [x, y] = unzipped_16(gradients[..16].as_ptr().cast());
            self.put(x, y, row, at);
        }}
        fn corners(self, row: &[f32], nodes: &Nodes<Self>) -> [[__m512; 2]; 2] {{
            let first = nodes.first;
            let (xs, ys) = row.split_at(row.len() / 2);
            if nodes.shared {
                let (xs, ys) = (xs[first..][..17].as_ptr(), ys[first..][..17].as_ptr());
                // Written out: a closure would be compiled for other instructions than its caller.
                [
                    [_mm512_permutexvar_ps(nodes.steps, _mm512_loadu_ps(xs)), _mm512_permutexvar_ps(nodes.steps, _mm512_loadu_ps(ys))],
                    [_mm512_permutexvar_ps(nodes.steps, _mm512_loadu_ps(xs.add(1))), _mm512_permutexvar_ps(nodes.steps, _mm512_loadu_ps(ys.add(1)))],
                ]
            } else {
                let (xs, ys) = (xs[first..][..32].as_ptr(), ys[first..][..32].as_ptr());
                let ([left_x, right_x], [left_y, right_y]) = (unzipped_16(xs), unzipped_16(ys));
                [[left_x, left_y], [right_x, right_y]]
            }
        }}
    }
}

/// The numbers in even positions of 32, and those in odd ones.
///
/// # Safety
///
/// The machine has AVX-512, and there are 32 numbers.
#[inline(always)]
unsafe fn unzipped_16(from: *const f32) -> [__m512; 2] {
    // SAFETY: the caller's promise.
    unsafe { unzip_16(_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16))) }
}

/// The numbers in even positions of two vectors, and those in odd ones.
///
/// # Safety
///
/// The machine has AVX-512.
#[inline(always)]
unsafe fn unzip_16(low: __m512, high: __m512) -> [__m512; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
        [_mm512_permutex2var_ps(low, even, high), _mm512_permutex2var_ps(low, odd, high)]
    }
}
