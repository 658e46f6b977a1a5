//! Vectors of numbers: what the kernel is written in.
//!
//! A [`Simd`] value stands for an instruction set that the machine has; its methods are the operations. Every operation works
//! lane by lane and is exact or correctly rounded by IEEE 754, so a formula gives the same bits at every width. There is
//! deliberately no fused multiply-add, no approximate reciprocal and no sum across lanes.

/// An instruction set, and its vectors of `LANES` numbers.
pub trait Simd: Copy {
    /// Numbers in a vector.
    const LANES: usize;
    /// `LANES` floating-point numbers.
    type F: Copy;
    /// `LANES` 32-bit integers.
    type U: Copy;

    /// Does `work` in a function of its own, compiled for this instruction set. In one large function, vectors would spill.
    fn call(self, work: impl Work);

    /// `value` in every lane.
    fn splat(self, value: f32) -> Self::F;
    /// The first `LANES` numbers of `from`.
    fn load(self, from: &[f32]) -> Self::F;
    /// Writes the first `LANES` numbers of `to`.
    fn store(self, vector: Self::F, to: &mut [f32]);
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// The smaller of the two; neither is NaN.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger of the two; neither is NaN.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// The bits of the numbers.
    fn bits(self, a: Self::F) -> Self::U;
    /// The numbers of the bits.
    fn float_of_bits(self, a: Self::U) -> Self::F;

    /// `value` in every lane.
    fn splat_u(self, value: u32) -> Self::U;
    /// The first `LANES` numbers of `from`.
    fn load_u(self, from: &[u32]) -> Self::U;
    /// Wrapping sum.
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U;
    /// Wrapping product.
    fn mul_u(self, a: Self::U, b: Self::U) -> Self::U;
    fn xor(self, a: Self::U, b: Self::U) -> Self::U;
    fn and(self, a: Self::U, b: Self::U) -> Self::U;
    fn shl<const BITS: i32>(self, a: Self::U) -> Self::U;
    /// Logical: zeros come in from the left.
    fn shr<const BITS: i32>(self, a: Self::U) -> Self::U;
    /// Signed integers to the nearest floating-point numbers.
    fn to_float(self, a: Self::U) -> Self::F;

    /// `table[index]` and `table[index + 1]` for every lane. No index is above `LANES - 1`, and the table has more than
    /// `LANES` entries.
    fn neighbours(self, table: &[f32], index: Self::U) -> (Self::F, Self::F);
    /// The first `2 * LANES` numbers of `from`: those in even places, and those in odd ones.
    fn unzip(self, from: &[f32]) -> (Self::F, Self::F);
    /// The entries of `table`, which has eight, that bits 27 to 29 of `bits` choose.
    fn choose8(self, table: &[f32; 8], bits: Self::U) -> Self::F;
}

/// Something to do with vectors of any width.
pub trait Work {
    /// Does it. Must be inlined, so that it is compiled for the instruction set of `s`.
    fn run<S: Simd>(self, s: S);
}

/// The magnitude.
#[inline(always)]
pub(in crate::noise) fn abs<S: Simd>(s: S, a: S::F) -> S::F {
    s.float_of_bits(s.and(s.bits(a), s.splat_u(0x7fff_ffff)))
}
