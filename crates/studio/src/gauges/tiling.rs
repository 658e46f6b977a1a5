//! Repetition in images of ground from above.

use super::luma::Luma;
use super::spectrum::{Complex, transform_square};

/// Closer, detail may be like itself.
const MIN_DISTANCE: usize = 12;

/// The greatest correlation of the middle of an image with itself, moved by more than 12 pixels and up to a quarter of its side.
///
/// 1 is a pattern that repeats; random ground has less than 0.1. Slow changes of the brightness are taken out before. `None` if
/// the image is too small or has no detail.
pub fn tiling(luma: &Luma) -> Option<f64> {
    let largest = luma.width.min(luma.height);
    if largest < 64 {
        return None;
    }
    let size = 1 << largest.ilog2();
    let square = luma.crop([(luma.width - size) / 2, (luma.height - size) / 2], [size, size]);
    let smooth = square.blur(1).blur(2).blur(4).blur(8);
    let detail: Vec<f64> = square.pixels.iter().zip(&smooth.pixels).map(|(luma, smooth)| luma - smooth).collect();

    // The autocorrelation is the transform of the power spectrum (Wiener and Khinchin). Zeros around the square keep opposite
    // borders apart.
    let padded = 2 * size;
    let mut values: Vec<Complex> = vec![[0.0; 2]; padded * padded];
    for (index, detail) in detail.iter().enumerate() {
        values[index / size * padded + index % size] = [*detail, 0.0];
    }
    transform_square(&mut values, padded);
    values.iter_mut().for_each(|value| *value = [value[0].powi(2) + value[1].powi(2), 0.0]);
    transform_square(&mut values, padded);

    // Each by the number of pixels that overlap.
    let correlation =
        |across: usize, down: usize, index: usize| values[index][0] / ((size - across) * (size - down)) as f64;
    let variance = correlation(0, 0, 0);
    if variance <= 1e-9 * (padded * padded) as f64 {
        return None;
    }
    let farthest = size / 4;
    let mut greatest = 0.0_f64;
    for down in 0..=farthest {
        for across in (0..=farthest).filter(|across| across.pow(2) + down.pow(2) > MIN_DISTANCE.pow(2)) {
            let left = (padded - across) % padded;
            for column in [across, left] {
                greatest = greatest.max(correlation(across, down, down * padded + column) / variance);
            }
        }
    }
    Some(greatest)
}

#[cfg(test)]
mod tests {
    use super::super::spectrum::tests::waves;
    use super::*;

    #[test]
    fn random_ground_has_no_tiles() {
        let found = tiling(&waves(256, -1.2)).expect("the image has detail");
        assert!(found < 0.1, "{found}");
    }

    #[test]
    fn a_repeated_tile_is_found_also_at_an_angle() {
        let tile = waves(64, -1.2);
        // Rows of tiles, each moved by 20 pixels against the last one.
        let at = |index: usize| tile.at((index % 256 + index / 256 / 64 * 20) % 64, index / 256 % 64);
        let tiled = Luma { width: 256, height: 256, pixels: (0..256 * 256).map(at).collect() };
        let found = tiling(&tiled).expect("the image has detail");
        assert!(found > 0.95, "{found}");
        // Half of the contrast in tiles, on random ground.
        let mixed = tiled.pixels.iter().zip(&waves(256, -1.2).pixels).map(|(tile, other)| tile + other).collect();
        let found = tiling(&Luma { pixels: mixed, ..tiled }).expect("the image has detail");
        assert!((0.2..0.8).contains(&found), "{found}");
    }

    #[test]
    fn a_single_color_has_no_tiles() {
        assert_eq!(tiling(&Luma { width: 64, height: 64, pixels: vec![0.4; 64 * 64] }), None);
    }
}
