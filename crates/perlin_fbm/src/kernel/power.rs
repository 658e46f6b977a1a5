//! Powers in single precision, from sums and products alone, so that they have the same bits everywhere.

use super::simd::{Simd, abs};

/// Below this, a power of 0.1 would still count; everything above it is a normal number.
pub(super) const SMALLEST: f32 = 1e-35;

/// `sign(v) |v|^exponent` for `|v|` up to 2^60 and an `exponent` from 0.1 to 8; 0 stays 0. Off by less than 1e-6 of the result
/// or of 1, whichever is more, for `|v|` up to 1.
///
/// `|v| = 2^e m` with `m` in [sqrt(1/2), sqrt(2)); the logarithm of m is `2 atanh((m - 1) / (m + 1))`, an odd series in a
/// number below 0.172, cut off after its ninth power (the next term is below 5e-10); `2^f` for `f` in [-1/2, 1/2] is its Taylor
/// series up to the seventh power (the next term is below 6e-9).
#[inline(always)]
pub(super) fn signed_power<S: Simd>(s: S, v: S::F, exponent: f32) -> S::F {
    let c = |value: f32| s.splat(value);
    let magnitude = s.max(abs(s, v), c(SMALLEST));

    // The exponent of two, so that what is left lies in [sqrt(1/2), sqrt(2)): 0x3f3504f3 are the bits of sqrt(1/2).
    let bits = s.bits(magnitude);
    let from_root = s.add_u(bits, s.splat_u(0x3f80_0000_u32.wrapping_sub(0x3f35_04f3)));
    let exponent_bits = s.and(from_root, s.splat_u(0xff80_0000));
    // As signed integers, without a shift that keeps the sign: the biased exponent is positive.
    let e = s.sub(s.to_float(s.shr::<23>(exponent_bits)), c(127.0));
    let unbiased = s.add_u(exponent_bits, s.splat_u(0x3f80_0000_u32.wrapping_neg()));
    let m = s.float_of_bits(s.add_u(bits, negated(s, unbiased)));

    let one = c(1.0);
    let z = s.div(s.sub(m, one), s.add(m, one));
    let z2 = s.mul(z, z);
    let series = s.add(c(2.0 / 5.0), s.mul(z2, s.add(c(2.0 / 7.0), s.mul(z2, c(2.0 / 9.0)))));
    let series = s.add(c(2.0), s.mul(z2, s.add(c(2.0 / 3.0), s.mul(z2, series))));
    let log2 = s.add(e, s.mul(s.mul(z, series), c(std::f32::consts::LOG2_E)));

    // 2^-126 is the smallest normal number, and 2^127 the largest power.
    let power = s.min(s.max(s.mul(log2, c(exponent)), c(-126.0)), c(127.0));
    // Adding and taking away 1.5 * 2^23 rounds to the nearest whole number, whose last bits are those of the sum.
    let shifted = s.add(power, c(12_582_912.0));
    let whole = s.sub(shifted, c(12_582_912.0));
    let f = s.mul(s.sub(power, whole), c(std::f32::consts::LN_2));
    let exp = s.add(c(1.0 / 120.0), s.mul(f, s.add(c(1.0 / 720.0), s.mul(f, c(1.0 / 5040.0)))));
    let exp = s.add(c(1.0 / 6.0), s.mul(f, s.add(c(1.0 / 24.0), s.mul(f, exp))));
    let exp = s.add(one, s.mul(f, s.add(one, s.mul(f, s.add(c(0.5), s.mul(f, exp))))));
    let scale = s.float_of_bits(s.shl::<23>(s.add_u(s.bits(shifted), s.splat_u(127))));
    let result = s.mul(exp, scale);

    // The sign of v, and nothing where v is nothing.
    let sign = s.and(s.bits(v), s.splat_u(0x8000_0000));
    let signed = s.float_of_bits(s.xor(s.bits(result), sign));
    s.mul(signed, s.min(s.mul(abs(s, v), c(1e35)), one))
}

/// Two's complement.
#[inline(always)]
fn negated<S: Simd>(s: S, a: S::U) -> S::U {
    s.add_u(s.xor(a, s.splat_u(u32::MAX)), s.splat_u(1))
}

#[cfg(test)]
mod tests {
    use super::super::portable::Portable;
    use super::*;
    use crate::NoiseRng;

    fn power(v: f32, exponent: f32) -> f32 {
        signed_power(Portable::<1>, [v], exponent)[0]
    }

    #[test]
    fn powers_are_as_good_as_single_precision_needs() {
        let mut rng = NoiseRng::new(5, 0);
        let mut worst = 0.0_f64;
        for _ in 0..200_000 {
            let v = (rng.next_unit() * 2.0 - 1.0) as f32;
            let exponent = (0.1 + 7.9 * rng.next_unit()) as f32;
            let exact = libm::pow(f64::from(v.abs()), f64::from(exponent)).copysign(f64::from(v));
            worst = worst.max((f64::from(power(v, exponent)) - exact).abs());
        }
        // The logarithm is rounded to 2^-24 of its size L, and then multiplied by the exponent c: the result, 2^(cL), is
        // off by c L 2^-24 of itself at most, and c L 2^-cL has its maximum of 0.53.
        assert!(worst < 4e-7, "{worst}");
    }

    #[test]
    fn the_ends_and_the_middle_are_exact() {
        for exponent in [0.1, 0.5, 1.0, 1.15, 3.0, 8.0] {
            assert_eq!([power(0.0, exponent), power(1.0, exponent), power(-1.0, exponent)], [0.0, 1.0, -1.0]);
        }
    }

    #[test]
    fn a_larger_value_never_has_a_smaller_power() {
        for exponent in [0.3_f32, 1.15, 4.0] {
            let powers: Vec<f32> = (0..=4096).map(|i| power(i as f32 / 4096.0, exponent)).collect();
            // 2^-12 apart, powers differ by more than their rounding wherever they are above it.
            assert!(powers.windows(2).all(|pair| pair[0] <= pair[1] + 2e-7), "{exponent}");
        }
    }
}
