//! Percentiles of measurements.

/// The value that a part of the values, from 0 to 1, are below: the nearest rank. `None` without values.
pub fn percentile(values: &mut [f64], part: f64) -> Option<f64> {
    let rank = (part * values.len().saturating_sub(1) as f64).round() as usize;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(rank, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let mut values = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|part| percentile(&mut values, part)), [1.0, 3.0, 5.0, 5.0].map(Some));
        assert_eq!(percentile(&mut [], 0.5), None);
    }
}
