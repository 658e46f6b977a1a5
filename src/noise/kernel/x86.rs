//! The operations in SSE2, AVX2 and AVX-512.
//!
//! A value of [`Sse2`], [`Avx2`] or [`Avx512`] proves that the machine has the instructions: only [`on_this_machine`] makes
//! one, after asking it. So every operation is sound, and `unsafe` says nothing but that. The operations are only fast inside
//! a function that is compiled for their instruction set, because only there they become single instructions: which
//! [`Simd::call`] provides.

#![allow(unsafe_code, reason = "an intrinsic is unsafe to call where the compiler can't know that the machine has it")]

use super::simd::{Directions, Nodes, Simd, Work};
use std::arch::x86_64::*;

/// Vectors of four numbers. Every x86-64 machine has them.
#[derive(Clone, Copy, Debug)]
pub(in crate::noise) struct Sse2(());

/// Vectors of eight numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::noise) struct Avx2(());

/// Vectors of sixteen numbers, and twice as many registers.
#[derive(Clone, Copy, Debug)]
pub(in crate::noise) struct Avx512(());

impl Sse2 {
    /// The instruction set, if this machine has it.
    pub fn on_this_machine() -> Option<Self> {
        is_x86_feature_detected!("sse2").then_some(Self(()))
    }
}

impl Avx2 {
    /// The instruction set, if this machine has it.
    pub fn on_this_machine() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

impl Avx512 {
    /// The instruction set, if this machine has it.
    pub fn on_this_machine() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

/// Methods that are one expression of intrinsics.
macro_rules! operations {
    ($(fn $name:ident $(<const $bits:ident: i32>)? ($self:ident $(, $arg:ident: $type:ty)*) $(-> $result:ty)? { $body:expr })*) => {
        $(
            #[inline(always)]
            fn $name $(<const $bits: i32>)? ($self $(, $arg: $type)*) $(-> $result)? {
                // SAFETY: `self` proves that the machine has the instructions. Where a slice is read or written, the body
                // has taken a part of it that is as long as what is read or written, and no alignment is asked for.
                unsafe { $body }
            }
        )*
    };
}

impl Simd for Sse2 {
    const LANES: usize = 4;
    type F = __m128;
    type U = __m128i;

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

    operations! {
        fn splat(self, value: f32) -> __m128 { _mm_set1_ps(value) }
        fn load(self, from: &[f32]) -> __m128 { _mm_loadu_ps(from[..4].as_ptr()) }
        fn store(self, vector: __m128, to: &mut [f32]) { _mm_storeu_ps(to[..4].as_mut_ptr(), vector) }
        fn add(self, a: __m128, b: __m128) -> __m128 { _mm_add_ps(a, b) }
        fn sub(self, a: __m128, b: __m128) -> __m128 { _mm_sub_ps(a, b) }
        fn mul(self, a: __m128, b: __m128) -> __m128 { _mm_mul_ps(a, b) }
        fn div(self, a: __m128, b: __m128) -> __m128 { _mm_div_ps(a, b) }
        fn min(self, a: __m128, b: __m128) -> __m128 { _mm_min_ps(a, b) }
        fn max(self, a: __m128, b: __m128) -> __m128 { _mm_max_ps(a, b) }
        fn bits(self, a: __m128) -> __m128i { _mm_castps_si128(a) }
        fn float_of_bits(self, a: __m128i) -> __m128 { _mm_castsi128_ps(a) }
        fn splat_u(self, value: u32) -> __m128i { _mm_set1_epi32(value as i32) }
        fn load_u(self, from: &[u32]) -> __m128i { _mm_loadu_si128(from[..4].as_ptr().cast()) }
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
        fn put(self, x: __m128, y: __m128, row: &mut [f32], at: usize) {{
            let row = row[2 * at..][..8].as_mut_ptr();
            _mm_storeu_ps(row, _mm_unpacklo_ps(x, y));
            _mm_storeu_ps(row.add(4), _mm_unpackhi_ps(x, y));
        }}
        fn put_directions(self, hash: __m128i, directions: &Directions, row: &mut [f32], at: usize) {{
            let (row, index) = (&mut row[2 * at..][..8], _mm_srli_epi32::<27>(hash));
            // The mask changes nothing; it spares a check of the bound.
            let at = |index: i32| directions.all[(index & 31) as usize];
            row[..2].copy_from_slice(&at(_mm_cvtsi128_si32(index)));
            row[2..4].copy_from_slice(&at(_mm_cvtsi128_si32(_mm_shuffle_epi32::<1>(index))));
            row[4..6].copy_from_slice(&at(_mm_cvtsi128_si32(_mm_shuffle_epi32::<2>(index))));
            row[6..].copy_from_slice(&at(_mm_cvtsi128_si32(_mm_shuffle_epi32::<3>(index))));
        }}
        fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {{
            let (from, row) = (gradients[..4].as_ptr().cast::<f32>(), row[2 * at..][..8].as_mut_ptr());
            _mm_storeu_ps(row, _mm_loadu_ps(from));
            _mm_storeu_ps(row.add(4), _mm_loadu_ps(from.add(4)));
        }}
        fn corners(self, row: &[f32], nodes: &Nodes<'_, Self>) -> [[__m128; 2]; 2] {{
            // Two neighbours are four numbers in a row. Four of those, as a matrix, have to be transposed.
            let left = &nodes.left[..4];
            let two = |node: u32| _mm_loadu_ps(row[2 * (node - nodes.row_start) as usize..][..4].as_ptr());
            let (a, b, c, d) = (two(left[0]), two(left[1]), two(left[2]), two(left[3]));
            let (left_ab, left_cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (right_ab, right_cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            [
                [_mm_movelh_ps(left_ab, left_cd), _mm_movehl_ps(left_cd, left_ab)],
                [_mm_movelh_ps(right_ab, right_cd), _mm_movehl_ps(right_cd, right_ab)],
            ]
        }}
    }
}

impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = __m256;
    type U = __m256i;

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
        let (xs, ys) = row.split_at_mut(row.len() / 2);
        self.store(x, &mut xs[at..]);
        self.store(y, &mut ys[at..]);
    }

    #[inline(always)]
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2] {
        let (xs, ys) = row.split_at(row.len() / 2);
        let (xs, ys) = (&xs[node..][..2], &ys[node..][..2]);
        [[xs[0], ys[0]], [xs[1], ys[1]]]
    }

    operations! {
        fn splat(self, value: f32) -> __m256 { _mm256_set1_ps(value) }
        fn load(self, from: &[f32]) -> __m256 { _mm256_loadu_ps(from[..8].as_ptr()) }
        fn store(self, vector: __m256, to: &mut [f32]) { _mm256_storeu_ps(to[..8].as_mut_ptr(), vector) }
        fn add(self, a: __m256, b: __m256) -> __m256 { _mm256_add_ps(a, b) }
        fn sub(self, a: __m256, b: __m256) -> __m256 { _mm256_sub_ps(a, b) }
        fn mul(self, a: __m256, b: __m256) -> __m256 { _mm256_mul_ps(a, b) }
        fn div(self, a: __m256, b: __m256) -> __m256 { _mm256_div_ps(a, b) }
        fn min(self, a: __m256, b: __m256) -> __m256 { _mm256_min_ps(a, b) }
        fn max(self, a: __m256, b: __m256) -> __m256 { _mm256_max_ps(a, b) }
        fn bits(self, a: __m256) -> __m256i { _mm256_castps_si256(a) }
        fn float_of_bits(self, a: __m256i) -> __m256 { _mm256_castsi256_ps(a) }
        fn splat_u(self, value: u32) -> __m256i { _mm256_set1_epi32(value as i32) }
        fn load_u(self, from: &[u32]) -> __m256i { _mm256_loadu_si256(from[..8].as_ptr().cast()) }
        fn add_u(self, a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi32(a, b) }
        fn mul_u(self, a: __m256i, b: __m256i) -> __m256i { _mm256_mullo_epi32(a, b) }
        fn xor(self, a: __m256i, b: __m256i) -> __m256i { _mm256_xor_si256(a, b) }
        fn and(self, a: __m256i, b: __m256i) -> __m256i { _mm256_and_si256(a, b) }
        fn shl<const BITS: i32>(self, a: __m256i) -> __m256i { _mm256_slli_epi32::<BITS>(a) }
        fn shr<const BITS: i32>(self, a: __m256i) -> __m256i { _mm256_srli_epi32::<BITS>(a) }
        fn to_float(self, a: __m256i) -> __m256 { _mm256_cvtepi32_ps(a) }
        fn put_directions(self, hash: __m256i, directions: &Directions, row: &mut [f32], at: usize) {{
            // Of an index only the lowest three bits count.
            let (quadrant, index) = (_mm256_loadu_ps(directions.quadrant.as_ptr()), _mm256_srli_epi32::<27>(hash));
            let x = _mm256_permutevar8x32_ps(quadrant, index);
            let y = _mm256_permutevar8x32_ps(quadrant, _mm256_xor_si256(index, _mm256_set1_epi32(7)));
            let sign = self.splat_u(0x8000_0000);
            let (x_sign, y_sign) = (self.and(hash, sign), self.and(self.shl::<1>(hash), sign));
            let x = self.float_of_bits(self.xor(self.bits(x), x_sign));
            self.put(x, self.float_of_bits(self.xor(self.bits(y), y_sign)), row, at);
        }}
        fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {{
            let [x, y] = unzipped_8(gradients[..8].as_ptr().cast());
            self.put(x, y, row, at);
        }}
        fn corners(self, row: &[f32], nodes: &Nodes<'_, Self>) -> [[__m256; 2]; 2] {{
            let first = (nodes.left[0] - nodes.row_start) as usize;
            let (xs, ys) = row.split_at(row.len() / 2);
            if nodes.shared {
                let (xs, ys) = (xs[first..][..9].as_ptr(), ys[first..][..9].as_ptr());
                // Written out: a closure would be compiled for other instructions than its caller.
                [
                    [_mm256_permutevar8x32_ps(_mm256_loadu_ps(xs), nodes.from_first), _mm256_permutevar8x32_ps(_mm256_loadu_ps(ys), nodes.from_first)],
                    [_mm256_permutevar8x32_ps(_mm256_loadu_ps(xs.add(1)), nodes.from_first), _mm256_permutevar8x32_ps(_mm256_loadu_ps(ys.add(1)), nodes.from_first)],
                ]
            } else {
                let (xs, ys) = (xs[first..][..16].as_ptr(), ys[first..][..16].as_ptr());
                let ([left_x, right_x], [left_y, right_y]) = (unzipped_8(xs), unzipped_8(ys));
                [[left_x, left_y], [right_x, right_y]]
            }
        }}
    }
}

impl Simd for Avx512 {
    const LANES: usize = 16;
    type F = __m512;
    type U = __m512i;

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
        let (xs, ys) = row.split_at_mut(row.len() / 2);
        self.store(x, &mut xs[at..]);
        self.store(y, &mut ys[at..]);
    }

    #[inline(always)]
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2] {
        let (xs, ys) = row.split_at(row.len() / 2);
        let (xs, ys) = (&xs[node..][..2], &ys[node..][..2]);
        [[xs[0], ys[0]], [xs[1], ys[1]]]
    }

    operations! {
        fn splat(self, value: f32) -> __m512 { _mm512_set1_ps(value) }
        fn load(self, from: &[f32]) -> __m512 { _mm512_loadu_ps(from[..16].as_ptr()) }
        fn store(self, vector: __m512, to: &mut [f32]) { _mm512_storeu_ps(to[..16].as_mut_ptr(), vector) }
        fn add(self, a: __m512, b: __m512) -> __m512 { _mm512_add_ps(a, b) }
        fn sub(self, a: __m512, b: __m512) -> __m512 { _mm512_sub_ps(a, b) }
        fn mul(self, a: __m512, b: __m512) -> __m512 { _mm512_mul_ps(a, b) }
        fn div(self, a: __m512, b: __m512) -> __m512 { _mm512_div_ps(a, b) }
        fn min(self, a: __m512, b: __m512) -> __m512 { _mm512_min_ps(a, b) }
        fn max(self, a: __m512, b: __m512) -> __m512 { _mm512_max_ps(a, b) }
        fn bits(self, a: __m512) -> __m512i { _mm512_castps_si512(a) }
        fn float_of_bits(self, a: __m512i) -> __m512 { _mm512_castsi512_ps(a) }
        fn splat_u(self, value: u32) -> __m512i { _mm512_set1_epi32(value as i32) }
        fn load_u(self, from: &[u32]) -> __m512i { _mm512_loadu_si512(from[..16].as_ptr().cast()) }
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
        fn put_directions(self, hash: __m512i, directions: &Directions, row: &mut [f32], at: usize) {{
            // The eight twice: of an index the lowest four bits count, and the highest of those changes nothing.
            let eight = _mm256_castps_pd(_mm256_loadu_ps(directions.quadrant.as_ptr()));
            let (quadrant, index) = (_mm512_castpd_ps(_mm512_broadcast_f64x4(eight)), self.shr::<27>(hash));
            let x = _mm512_permutexvar_ps(index, quadrant);
            let y = _mm512_permutexvar_ps(_mm512_xor_si512(index, _mm512_set1_epi32(7)), quadrant);
            let sign = self.splat_u(0x8000_0000);
            let (x_sign, y_sign) = (self.and(hash, sign), self.and(self.shl::<1>(hash), sign));
            let x = self.float_of_bits(self.xor(self.bits(x), x_sign));
            self.put(x, self.float_of_bits(self.xor(self.bits(y), y_sign)), row, at);
        }}
        fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {{
            let [x, y] = unzipped_16(gradients[..16].as_ptr().cast());
            self.put(x, y, row, at);
        }}
        fn corners(self, row: &[f32], nodes: &Nodes<'_, Self>) -> [[__m512; 2]; 2] {{
            let first = (nodes.left[0] - nodes.row_start) as usize;
            let (xs, ys) = row.split_at(row.len() / 2);
            if nodes.shared {
                let (xs, ys) = (xs[first..][..17].as_ptr(), ys[first..][..17].as_ptr());
                // Written out: a closure would be compiled for other instructions than its caller.
                [
                    [_mm512_permutexvar_ps(nodes.from_first, _mm512_loadu_ps(xs)), _mm512_permutexvar_ps(nodes.from_first, _mm512_loadu_ps(ys))],
                    [_mm512_permutexvar_ps(nodes.from_first, _mm512_loadu_ps(xs.add(1))), _mm512_permutexvar_ps(nodes.from_first, _mm512_loadu_ps(ys.add(1)))],
                ]
            } else {
                let (xs, ys) = (xs[first..][..32].as_ptr(), ys[first..][..32].as_ptr());
                let ([left_x, right_x], [left_y, right_y]) = (unzipped_16(xs), unzipped_16(ys));
                [[left_x, left_y], [right_x, right_y]]
            }
        }}
    }
}

/// The numbers in even places of 16, and those in odd ones.
///
/// # Safety
///
/// The machine has AVX2, and there are 16 numbers.
#[inline(always)]
unsafe fn unzipped_8(from: *const f32) -> [__m256; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let (low, high) = (_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8)));
        // Within the halves first: 0 2 8 10 | 4 6 12 14, then the halves' pairs into their order.
        let even = _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
        let odd = _mm256_castps_pd(_mm256_shuffle_ps::<0b11_01_11_01>(low, high));
        [
            _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(even)),
            _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(odd)),
        ]
    }
}

/// The numbers in even places of 32, and those in odd ones.
///
/// # Safety
///
/// The machine has AVX-512, and there are 32 numbers.
#[inline(always)]
unsafe fn unzipped_16(from: *const f32) -> [__m512; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let (low, high) = (_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16)));
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
        [_mm512_permutex2var_ps(low, even, high), _mm512_permutex2var_ps(low, odd, high)]
    }
}
