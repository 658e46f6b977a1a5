//! Fine structure of the ground: the local contrast of bands of detail (Peli 1990, "Contrast in complex images").

use super::luma::Luma;

/// The contrast of the two finest bands of detail in the bottom third of an image: of about 2 and 4 pixels.
///
/// A band is the difference of two blurred images (Burt and Adelson 1983). Its contrast is the root of the mean square of its part
/// of the coarser one.
pub fn ground_bands(luma: &Luma) -> [f64; 2] {
    let rows = (luma.height / 3).max(1);
    let ground = luma.crop([0, luma.height - rows], [luma.width, rows]);
    let fine = ground.blur(1);
    [contrast(&ground, &fine), contrast(&fine, &fine.blur(2))]
}

fn contrast(sharp: &Luma, blurred: &Luma) -> f64 {
    let parts =
        sharp.pixels.iter().zip(&blurred.pixels).map(|(sharp, blurred)| (sharp - blurred) / blurred.max(1.0 / 255.0));
    (parts.map(|part| part * part).sum::<f64>() / sharp.pixels.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(luma: impl Fn(usize, usize) -> f64) -> Luma {
        let pixels = (0..96 * 96).map(|index| luma(index % 96, index / 96)).collect();
        Luma { width: 96, height: 96, pixels }
    }

    #[test]
    fn a_checkerboard_is_in_the_finest_band_alone() {
        // The blur gives the mean, so each pixel differs from it by a fifth.
        let [fine, coarse] = ground_bands(&image(|column, row| if (column + row) % 2 == 0 { 0.6 } else { 0.4 }));
        assert!((fine - 0.2).abs() < 0.01, "{fine}");
        assert!(coarse < 0.01, "{coarse}");
    }

    #[test]
    fn coarser_detail_is_in_the_second_band() {
        let [fine, coarse] = ground_bands(&image(|column, _| 0.5 + 0.1 * (column as f64 * 0.6).sin()));
        assert!(coarse > 2.0 * fine && coarse > 0.04, "{fine}, {coarse}");
    }

    #[test]
    fn smooth_ground_and_the_sky_have_no_bands() {
        let bands = ground_bands(&image(|_, row| if row < 60 { (row % 2) as f64 } else { 0.2 + 0.001 * row as f64 }));
        assert!(bands.iter().all(|band| *band < 0.002), "{bands:?}");
    }
}
