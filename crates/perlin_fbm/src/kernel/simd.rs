//! Vectors of numbers: what the kernel is written in.
//!
//! A [`Simd`] value stands for an instruction set that the machine has; its methods are the operations. Every operation works
//! lane by lane and is exact or correctly rounded by IEEE 754, so a formula gives the same bits at every width. There is
//! deliberately no fused multiply-add, no approximate reciprocal and no sum across lanes.

/// Numbers in the widest vector.
pub const MAX_LANES: usize = 16;

/// An instruction set, and its vectors of `LANES` numbers.
///
/// A row of lattice nodes has a gradient for each node. How it lies in memory is a matter of the instruction set alone: all x
/// components and then all y components, where vectors can be permuted by an index, or pairs, where they can't.
pub trait Simd: Copy {
    /// Numbers in a vector, at most [`MAX_LANES`].
    const LANES: usize;
    /// `LANES` floating-point numbers.
    type F: Copy;
    /// `LANES` 32-bit integers.
    type U: Copy;
    /// `LANES` 64-bit integers.
    type W: Copy;
    /// How far each of `LANES` nodes lies from the first one of them.
    type Steps: Copy;

    /// Does `work` in a function of its own, compiled for this instruction set. In one large function, vectors would spill.
    fn call(self, work: impl Work);

    /// `value` in every lane.
    fn splat(self, value: f32) -> Self::F;
    /// The first `LANES` numbers of `from`.
    fn load(self, from: &[f32]) -> Self::F;
    /// Writes the first `LANES` numbers of `to`.
    fn store(self, vector: Self::F, to: &mut [f32]);
    /// Numbers as vectors, in place. They must begin at a cache line, as those of a `Buffer` do: then
    /// an instruction of SSE2 can take one from memory.
    fn vectors(self, numbers: &mut [f32]) -> &mut [Self::F];
    /// `a + b`.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b`.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a / b`.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// The square root.
    fn sqrt(self, a: Self::F) -> Self::F;
    /// The smaller of the two; neither is NaN.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger of the two; neither is NaN.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// `value` in the lanes where `a < b`, and 0 in the others.
    fn where_less(self, a: Self::F, b: Self::F, value: Self::F) -> Self::F;
    /// The bits of the numbers.
    fn bits(self, a: Self::F) -> Self::U;
    /// The numbers of the bits.
    fn float_of_bits(self, a: Self::U) -> Self::F;

    /// `value` in every lane.
    fn splat_u(self, value: u32) -> Self::U;
    /// The first `LANES` numbers of `from`.
    fn load_u(self, from: &[u32]) -> Self::U;
    /// Writes the first `LANES` numbers of `to`.
    fn store_u(self, vector: Self::U, to: &mut [u32]);
    /// Wrapping sum.
    fn add_u(self, a: Self::U, b: Self::U) -> Self::U;
    /// Wrapping product.
    fn mul_u(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a ^ b`.
    fn xor(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a & b`.
    fn and(self, a: Self::U, b: Self::U) -> Self::U;
    /// `a << BITS`.
    fn shl<const BITS: i32>(self, a: Self::U) -> Self::U;
    /// Logical: zeros come in from the left.
    fn shr<const BITS: i32>(self, a: Self::U) -> Self::U;
    /// Signed integers to the nearest floating-point numbers.
    fn to_float(self, a: Self::U) -> Self::F;

    /// The numbers of `table` that the lowest three bits of `index` choose.
    fn pick(self, table: &[f32; 8], index: Self::U) -> Self::F;

    /// `value` in every lane.
    fn splat_w(self, value: u64) -> Self::W;
    /// The first `LANES` numbers of `from`.
    fn load_w(self, from: &[u64]) -> Self::W;
    /// Wrapping sum.
    fn add_w(self, a: Self::W, b: Self::W) -> Self::W;
    /// The product of the low halves.
    fn mul_w(self, a: Self::W, b: Self::W) -> Self::W;
    /// Logical: zeros come in from the left.
    fn shr_w<const BITS: i32>(self, a: Self::W) -> Self::W;
    /// The low halves and the high halves.
    fn halves(self, a: Self::W) -> [Self::U; 2];

    /// The directions that the top five bits of `hash` choose, as x and y.
    fn directions(self, hash: Self::U, directions: &Directions) -> [Self::F; 2];
    /// Writes the gradients of `LANES` nodes, from node `at` on, into a row of nodes.
    fn put(self, x: Self::F, y: Self::F, row: &mut [f32], at: usize);
    /// Writes the directions that the top five bits of `hash` choose, as [`put`](Self::put) does.
    #[inline(always)]
    fn put_directions(self, hash: Self::U, directions: &Directions, row: &mut [f32], at: usize) {
        let [x, y] = self.directions(hash, directions);
        self.put(x, y, row, at);
    }
    /// Writes `LANES` gradients, as [`put`](Self::put) does.
    fn put_pairs(self, gradients: &[[f32; 2]], row: &mut [f32], at: usize);
    /// The gradients of a node of a row and of the next one, each as x and y.
    fn corners_of_one(self, row: &[f32], node: usize) -> [[f32; 2]; 2];
    /// How far each of the first `LANES` nodes of `left` lies from the first one. They ascend.
    fn steps(self, left: &[u32]) -> Self::Steps;
    /// The gradients of the nodes on the left and on the right of `LANES` samples, each as x and y.
    fn corners(self, row: &[f32], nodes: &Nodes<Self>) -> [[Self::F; 2]; 2];
}

/// Which nodes of a row lie beside `LANES` samples: `node[i]` and `node[i] + 1` for each.
#[derive(Clone, Copy)]
pub struct Nodes<S: Simd> {
    /// Of the first lane, the node on the left.
    pub first: usize,
    /// How far those of all lanes lie from it: less than `LANES` where samples share nodes, less than twice as far elsewhere.
    pub steps: S::Steps,
    /// Whether samples share nodes; if not, each has two of its own, one after the other.
    pub shared: bool,
}

/// 32 unit vectors, for a hash to choose from.
pub struct Directions {
    /// The x components in the first quadrant; the y components are the same ones backwards.
    pub quadrant: [f32; 8],
    /// All of them: bit 4 and bit 3 of an index are the signs.
    pub all: [[f32; 2]; 32],
    /// All x components, and all y components.
    pub components: [[f32; 32]; 2],
}

/// Something to do with vectors of any width.
pub trait Work {
    /// Runs the work. Must be inlined, so that it is compiled for the instruction set of `s`.
    fn run<S: Simd>(self, s: S);
}

/// The magnitude.
#[inline(always)]
pub fn abs<S: Simd>(s: S, a: S::F) -> S::F {
    s.float_of_bits(s.and(s.bits(a), s.splat_u(0x7fff_ffff)))
}
