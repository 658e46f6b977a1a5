//! The operations in SSE2, AVX2 and AVX-512.
//!
//! A value of [`Sse2`], [`Avx2`] or [`Avx512`] proves that the machine has the instructions: only `on_this_machine` makes
//! one, after asking it. So every operation is sound, and `unsafe` says nothing but that. The operations are only fast inside
//! a function that is compiled for their instruction set, because only there they become single instructions: which
//! [`Simd::call`] provides.

#![allow(unsafe_code, reason = "an intrinsic is unsafe to call where the compiler can't know that the machine has it")]

use super::simd::Simd;
use std::slice;

mod avx2;
mod avx512;
mod sse2;

pub(super) use avx2::Avx2;
pub(super) use avx512::Avx512;
pub(super) use sse2::Sse2;

/// Methods that are one expression of intrinsics.
macro_rules! operations {
    ($(fn $name:ident $(<const $bits:ident: i32>)? ($self:ident $(, $arg:ident: $type:ty)*) $(-> $result:ty)? { $body:expr })*) => {
        $(
            #[inline(always)]
            fn $name $(<const $bits: i32>)? ($self $(, $arg: $type)*) $(-> $result)? {
                // SAFETY: `self` proves that the machine has the instructions. Where a slice is read or written, the body
                // has taken a part of it that is as long as what is read or written, and no alignment is asked for. A vector
                // is numbers and nothing else.
                unsafe { $body }
            }
        )*
    };
}
use operations;

/// [`Simd::vectors`] of type `V`.
///
/// # Safety
///
/// A `V` is numbers of four bytes and nothing else.
#[inline(always)]
unsafe fn vectors<V>(numbers: &mut [f32]) -> &mut [V] {
    let first: *mut V = numbers.as_mut_ptr().cast();
    assert!(first.is_aligned(), "vectors begin at a cache line");
    // SAFETY: they are aligned, they are no more than the numbers, and any numbers are vectors: the caller's promise.
    unsafe { slice::from_raw_parts_mut(first, size_of_val(numbers) / size_of::<V>()) }
}

/// [`Simd::put`] where all x components of a row come first.
#[inline(always)]
fn put_planar<S: Simd>(s: S, x: S::F, y: S::F, row: &mut [f32], at: usize) {
    let (xs, ys) = row.split_at_mut(row.len() / 2);
    s.store(x, &mut xs[at..]);
    s.store(y, &mut ys[at..]);
}

/// [`Simd::corners_of_one`] where all x components of a row come first.
#[inline(always)]
fn planar_corners_of_one(row: &[f32], node: usize) -> [[f32; 2]; 2] {
    let (xs, ys) = row.split_at(row.len() / 2);
    let (xs, ys) = (&xs[node..][..2], &ys[node..][..2]);
    [[xs[0], ys[0]], [xs[1], ys[1]]]
}
