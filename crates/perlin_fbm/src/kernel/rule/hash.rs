//! [`HashGradients`]: one integer hash for each component.

use super::NodeRule;
use crate::kernel::simd::Simd;
use crate::lattice::hash::PRIMES;
use crate::{HashGradients, IntegerHash};

/// The gradients of the nodes of a row in the plane.
#[inline(always)]
pub(super) fn gradients<S: Simd>(s: S, lattice: HashGradients, columns: &[u32], row_key: u32, row: &mut [f32]) {
    // The key of a component is `column * prime + row * other prime + seed`: all but the column is the same along the row.
    let rest = |primes: [i32; 4]| row_key.wrapping_mul(primes[1] as u32).wrapping_add(lattice.seed() as u32);
    let rest = [s.splat_u(rest(PRIMES[0])), s.splat_u(rest(PRIMES[1]))];
    match lattice.hash() {
        IntegerHash::Ward => both::<S, Ward>(s, rest, columns, row),
        IntegerHash::Shift => both::<S, Shift>(s, rest, columns, row),
        IntegerHash::ShiftMult => both::<S, ShiftMult>(s, rest, columns, row),
    }
}

impl<const N: usize> NodeRule<N> for HashGradients {
    #[inline(always)]
    fn key(self, _: usize, cell: i64) -> u32 {
        cell as u32
    }

    #[inline(always)]
    fn keys<S: Simd>(self, _: S, _: S::U, _: usize, cells: S::U) -> S::U {
        cells
    }

    #[inline(always)]
    fn gradient<S: Simd>(self, s: S, seeds: S::U, keys: [S::U; N]) -> [S::F; N] {
        let mut rest = [seeds; N];
        let mut component = 0;
        while component < N {
            let mut axis = 1;
            while axis < N {
                let prime = s.splat_u(PRIMES[component][axis] as u32);
                rest[component] = s.add_u(s.mul_u(keys[axis], prime), rest[component]);
                axis += 1;
            }
            component += 1;
        }
        match self.hash() {
            IntegerHash::Ward => components::<S, Ward, N>(s, rest, keys[0]),
            IntegerHash::Shift => components::<S, Shift, N>(s, rest, keys[0]),
            IntegerHash::ShiftMult => components::<S, ShiftMult, N>(s, rest, keys[0]),
        }
    }
}

/// A hash function of many keys. A trait rather than a function that is passed along: that would be compiled for other
/// instructions than its caller.
trait Hash {
    fn hash<S: Simd>(s: S, k: S::U) -> S::U;
}

#[inline(always)]
fn both<S: Simd, H: Hash>(s: S, rest: [S::U; 2], columns: &[u32], row: &mut [f32]) {
    for (i, columns) in columns.chunks_exact(S::LANES).enumerate() {
        let [x, y] = components::<S, H, 2>(s, rest, s.load_u(columns));
        s.put(x, y, row, i * S::LANES);
    }
}

#[inline(always)]
fn components<S: Simd, H: Hash, const N: usize>(s: S, rest: [S::U; N], columns: S::U) -> [S::F; N] {
    let mut components = [s.splat(0.0); N];
    let mut i = 0;
    while i < N {
        components[i] = component::<S, H>(s, columns, PRIMES[i][0], rest[i]);
        i += 1;
    }
    components
}

#[inline(always)]
fn component<S: Simd, H: Hash>(s: S, columns: S::U, prime: i32, rest: S::U) -> S::F {
    let h = H::hash(s, s.add_u(s.mul_u(columns, s.splat_u(prime as u32)), rest));
    let h = s.to_float(s.and(h, s.splat_u(0x7fff_ffff)));
    s.sub(s.mul(h, s.splat(2.0 / 2_147_483_647.0)), s.splat(1.0))
}

struct Ward;

impl Hash for Ward {
    #[inline(always)]
    fn hash<S: Simd>(s: S, k: S::U) -> S::U {
        let k = s.xor(s.shl::<13>(k), k);
        let inner = s.add_u(s.mul_u(s.mul_u(k, k), s.splat_u(15_731)), s.splat_u(789_221));
        s.add_u(s.mul_u(k, inner), s.splat_u(1_376_312_589))
    }
}

struct Shift;

impl Hash for Shift {
    #[inline(always)]
    fn hash<S: Simd>(s: S, k: S::U) -> S::U {
        let k = s.add_u(s.xor(k, s.splat_u(u32::MAX)), s.shl::<15>(k));
        let k = s.xor(k, s.shr::<12>(k));
        let k = s.add_u(k, s.shl::<2>(k));
        let k = s.xor(k, s.shr::<4>(k));
        let k = s.mul_u(k, s.splat_u(2057));
        s.xor(k, s.shr::<16>(k))
    }
}

struct ShiftMult;

impl Hash for ShiftMult {
    #[inline(always)]
    fn hash<S: Simd>(s: S, k: S::U) -> S::U {
        let k = s.xor(s.xor(k, s.splat_u(61)), s.shr::<16>(k));
        let k = s.add_u(k, s.shl::<3>(k));
        let k = s.xor(k, s.shr::<4>(k));
        let k = s.mul_u(k, s.splat_u(668_265_261));
        s.xor(k, s.shr::<15>(k))
    }
}
