//! Numbers of sixteen bits, as textures have them.

/// The bytes of the `f16` (IEEE 754-2008) nearest to a number from -65504 to 65504. Larger numbers count as these.
#[must_use]
pub fn half(number: f32) -> [u8; 2] {
    const LARGEST: f32 = 65_504.0;
    // Moves the exponent to that of the smaller format, where its bits have the same order. The rest is cut, after rounding.
    let bits = (number.abs().min(LARGEST) * f32::from_bits(0x0780_0000)).to_bits() + 0x1000;
    let sign = if number < 0.0 { 0x8000 } else { 0 };
    (((bits >> 13) as u16) | sign).to_le_bytes()
}

/// The number of an `f16`.
#[must_use]
pub fn from_half(bytes: [u8; 2]) -> f32 {
    let bits = i32::from(u16::from_le_bytes(bytes));
    let (exponent, fraction) = ((bits >> 10) & 31, (bits & 1023) as f32 / 1024.0);
    let size =
        if exponent == 0 { fraction * 2.0_f32.powi(-14) } else { (1.0 + fraction) * 2.0_f32.powi(exponent - 15) };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_the_nearest_numbers_of_sixteen_bits() {
        for number in [0.0, 1.0, -1.0, 0.5, -0.25, 65_504.0, 1024.0] {
            assert_eq!(from_half(half(number)), number);
        }
        for step in -10_000..=10_000_i16 {
            for scale in [1e-4, 1.0, 6.0] {
                let wanted = f32::from(step) * scale;
                let found = from_half(half(wanted));
                // Eleven bits of precision.
                assert!((found - wanted).abs() <= wanted.abs() / 2048.0 + 1e-7, "{found} for {wanted}");
            }
        }
        assert_eq!([1e6, -1e9].map(|number| from_half(half(number))), [65_504.0, -65_504.0]);
    }
}
