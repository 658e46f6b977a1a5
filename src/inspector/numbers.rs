//! Formats numbers with their significant digits.

use crate::chunk::LodCost;

/// Groups digits by thousands: `1 234 567`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Formats a large number in millions, `1.50 M`, and a small one with all digits.
pub(super) fn millions(number: usize) -> String {
    match number {
        0..100_000 => grouped(number),
        100_000..10_000_000 => format!("{:.2} M", number as f64 / 1e6),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// Formats the memory of a cost: `31 MB`, or `3.1 MB` below ten megabytes.
pub(super) fn megabytes(cost: &LodCost) -> String {
    let megabytes = cost.megabytes();
    if megabytes < 10.0 { format!("{megabytes:.1} MB") } else { format!("{megabytes:.0} MB") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped_or_rounded() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([8192, 123_456, 45_000_000].map(millions), ["8 192", "0.12 M", "45.0 M"]);
    }
}
