//! The operations in plain Rust, for machines without an instruction set of their own here: the compiler makes NEON or wasm's
//! vectors of them where it can. With one lane it is the reference that the others are compared with.

use super::simd::{Directions, Nodes, Simd, Work};

/// Vectors of `N` numbers in plain Rust.
#[derive(Clone, Copy, Debug)]
pub struct Portable<const N: usize>;

/// `[$e for each lane i]`, without a closure, which would not be compiled for the instruction set of its caller.
macro_rules! lanes {
    ($zero:expr, $i:ident => $e:expr) => {{
        let mut result = [$zero; N];
        let mut $i = 0;
        while $i < N {
            result[$i] = $e;
            $i += 1;
        }
        result
    }};
}

impl<const N: usize> Simd for Portable<N> {
    const LANES: usize = N;
    type F = [f32; N];
    type U = [u32; N];
    type W = [u64; N];
    type Steps = [usize; N];

    #[inline(never)]
    fn call(self, work: impl Work) {
        work.run(self);
    }

    #[inline(always)]
    fn splat(self, value: f32) -> [f32; N] {
        [value; N]
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> [f32; N] {
        let from = &from[..N];
        lanes!(0.0, i => from[i])
    }
    #[inline(always)]
    fn store(self, vector: [f32; N], to: &mut [f32]) {
        to[..N].copy_from_slice(&vector);
    }
    #[inline(always)]
    fn vectors(self, numbers: &mut [f32]) -> &mut [[f32; N]] {
        numbers.as_chunks_mut().0
    }
    #[inline(always)]
    fn add(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => a[i] + b[i])
    }
    #[inline(always)]
    fn sub(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => a[i] - b[i])
    }
    #[inline(always)]
    fn mul(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => a[i] * b[i])
    }
    #[inline(always)]
    fn div(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => a[i] / b[i])
    }
    #[inline(always)]
    fn sqrt(self, a: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => a[i].sqrt())
    }
    #[inline(always)]
    fn min(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn where_less(self, a: [f32; N], b: [f32; N], value: [f32; N]) -> [f32; N] {
        lanes!(0.0, i => if a[i] < b[i] { value[i] } else { 0.0 })
    }
    #[inline(always)]
    fn bits(self, a: [f32; N]) -> [u32; N] {
        lanes!(0, i => a[i].to_bits())
    }
    #[inline(always)]
    fn float_of_bits(self, a: [u32; N]) -> [f32; N] {
        lanes!(0.0, i => f32::from_bits(a[i]))
    }

    #[inline(always)]
    fn splat_u(self, value: u32) -> [u32; N] {
        [value; N]
    }
    #[inline(always)]
    fn load_u(self, from: &[u32]) -> [u32; N] {
        let from = &from[..N];
        lanes!(0, i => from[i])
    }
    #[inline(always)]
    fn store_u(self, vector: [u32; N], to: &mut [u32]) {
        to[..N].copy_from_slice(&vector);
    }
    #[inline(always)]
    fn add_u(self, a: [u32; N], b: [u32; N]) -> [u32; N] {
        lanes!(0, i => a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn mul_u(self, a: [u32; N], b: [u32; N]) -> [u32; N] {
        lanes!(0, i => a[i].wrapping_mul(b[i]))
    }
    #[inline(always)]
    fn xor(self, a: [u32; N], b: [u32; N]) -> [u32; N] {
        lanes!(0, i => a[i] ^ b[i])
    }
    #[inline(always)]
    fn and(self, a: [u32; N], b: [u32; N]) -> [u32; N] {
        lanes!(0, i => a[i] & b[i])
    }
    #[inline(always)]
    fn shl<const BITS: i32>(self, a: [u32; N]) -> [u32; N] {
        lanes!(0, i => a[i] << BITS)
    }
    #[inline(always)]
    fn shr<const BITS: i32>(self, a: [u32; N]) -> [u32; N] {
        lanes!(0, i => a[i] >> BITS)
    }
    #[inline(always)]
    fn to_float(self, a: [u32; N]) -> [f32; N] {
        lanes!(0.0, i => a[i] as i32 as f32)
    }

    #[inline(always)]
    fn pick(self, table: &[f32; 8], index: [u32; N]) -> [f32; N] {
        lanes!(0.0, i => table[(index[i] & 7) as usize])
    }

    #[inline(always)]
    fn splat_w(self, value: u64) -> [u64; N] {
        [value; N]
    }
    #[inline(always)]
    fn load_w(self, from: &[u64]) -> [u64; N] {
        let from = &from[..N];
        lanes!(0, i => from[i])
    }
    #[inline(always)]
    fn add_w(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        lanes!(0, i => a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn mul_w(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        lanes!(0, i => (a[i] & 0xffff_ffff) * (b[i] & 0xffff_ffff))
    }
    #[inline(always)]
    fn shr_w<const BITS: i32>(self, a: [u64; N]) -> [u64; N] {
        lanes!(0, i => a[i] >> BITS)
    }
    #[inline(always)]
    fn halves(self, a: [u64; N]) -> [[u32; N]; 2] {
        [lanes!(0, i => a[i] as u32), lanes!(0, i => (a[i] >> 32) as u32)]
    }

    #[inline(always)]
    fn directions(self, hash: [u32; N], directions: &Directions) -> [[f32; N]; 2] {
        let mut found = [[0.0; N]; 2];
        let mut i = 0;
        while i < N {
            [found[0][i], found[1][i]] = directions.all[(hash[i] >> 27) as usize];
            i += 1;
        }
        found
    }
    #[inline(always)]
    fn put(self, x: [f32; N], y: [f32; N], row: &mut [f32], at: usize) {
        let row = &mut row[2 * at..][..2 * N];
        let mut i = 0;
        while i < N {
            row[2 * i] = x[i];
            row[2 * i + 1] = y[i];
            i += 1;
        }
    }
    #[inline(always)]
    fn put_directions(self, hash: [u32; N], directions: &Directions, row: &mut [f32], at: usize) {
        let row = &mut row[2 * at..][..2 * N];
        let mut i = 0;
        while i < N {
            [row[2 * i], row[2 * i + 1]] = directions.all[(hash[i] >> 27) as usize];
            i += 1;
        }
    }
    #[inline(always)]
    fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize) {
        row[2 * at..][..2 * N].copy_from_slice(gradients[..N].as_flattened());
    }
    #[inline(always)]
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2] {
        let four = &row[2 * node..][..4];
        [[four[0], four[1]], [four[2], four[3]]]
    }
    #[inline(always)]
    fn steps(self, left: &[u32]) -> [usize; N] {
        let left = &left[..N];
        // The mask changes nothing; with it, one check of a bound is enough for all corners.
        lanes!(0, i => (left[i].wrapping_sub(left[0]) as usize) & (2 * N - 1))
    }
    #[inline(always)]
    fn corners(self, row: &[f32], nodes: &Nodes<Self>) -> [[[f32; N]; 2]; 2] {
        let near = &row[2 * nodes.first..2 * nodes.first + 4 * N + 2];
        let mut corners = [[[0.0; N]; 2]; 2];
        let mut i = 0;
        while i < N {
            let four = &near[2 * nodes.steps[i]..][..4];
            corners[0][0][i] = four[0];
            corners[0][1][i] = four[1];
            corners[1][0][i] = four[2];
            corners[1][1][i] = four[3];
            i += 1;
        }
        corners
    }
}
