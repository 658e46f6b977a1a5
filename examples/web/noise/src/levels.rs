//! Which values are drawn darkest and lightest.

/// One value in so many is darker than the darkest shade, and one is lighter than the lightest.
const OUTLIERS: usize = 200;

/// The darkest and the lightest value of an image of noises with such `samples`.
///
/// They come from samples far apart and not from the image, so that its shades stay when it moves.
pub fn levels(samples: &mut [f32]) -> [f32; 2] {
    samples.sort_unstable_by(f32::total_cmp);
    let few = samples.len() / OUTLIERS;
    let [low, high] = [samples[few], samples[samples.len() - 1 - few]];
    // A noise that is the same everywhere is gray.
    if low < high { [low, high] } else { [low - 1.0, low + 1.0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_count_and_a_constant_is_in_the_middle() {
        let mut samples: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        samples.reverse();
        samples[3] = 1e9;
        assert_eq!(levels(&mut samples), [5.0, 994.0]);
        assert_eq!(levels(&mut [2.0; 7]), [1.0, 3.0]);
    }
}
