//! The amplitude spectrum of the ground.
//!
//! The amplitudes of photographs of nature fall with the frequency f as f to the power of -0.8 to -1.5, on average -1.2 (Tolhurst,
//! Tadmor and Chao 1992, "Amplitude spectra of natural images"). A steeper slope is a blurred image, a gentler one is noise.

use super::luma::Luma;
use std::f64::consts::{PI, TAU};

/// A complex number.
pub type Complex = [f64; 2];

/// The slope of the amplitude spectrum of the middle of the bottom of an image. `None` if it is too small, or has a single color.
pub fn ground_slope(luma: &Luma) -> Option<f64> {
    let largest = (luma.height / 2).min(luma.width);
    if largest < 64 {
        return None;
    }
    let size = 1 << largest.ilog2();
    slope(&luma.crop([(luma.width - size) / 2, luma.height - size], [size, size]))
}

/// The slope of the amplitude spectrum of a square image, the side of which is a power of two.
fn slope(square: &Luma) -> Option<f64> {
    let size = square.width;
    let mean = square.pixels.iter().sum::<f64>() / square.pixels.len() as f64;
    // A window that falls to zero (Hann), so that opposite borders, which differ, make no edges.
    let window = |at: usize| 0.5 - 0.5 * (TAU * (at as f64 + 0.5) / size as f64).cos();
    let windowed = |(index, luma): (usize, &f64)| (luma - mean) * window(index % size) * window(index / size);
    let mut values: Vec<Complex> = square.pixels.iter().enumerate().map(windowed).map(|value| [value, 0.0]).collect();
    transform_square(&mut values, size);

    // The mean amplitude of each third of an octave, from four cycles across the image to 0.35 cycles per pixel. Below, there
    // is the window; above, there is the blur of antialiasing.
    let band = |frequency: f64| (3.0 * (frequency / 4.0).log2()).floor();
    let bands = band(0.35 * size as f64) as usize;
    let mut sums = vec![[0.0; 3]; bands];
    for (index, [real, imaginary]) in values.iter().enumerate() {
        let signed = |at: usize| if at > size / 2 { at as f64 - size as f64 } else { at as f64 };
        let frequency = signed(index % size).hypot(signed(index / size));
        if frequency >= 4.0
            && let Some([count, logarithms, amplitudes]) = sums.get_mut(band(frequency) as usize)
        {
            *count += 1.0;
            *logarithms += frequency.ln();
            *amplitudes += real.hypot(*imaginary);
        }
    }
    let points: Vec<[f64; 2]> = sums
        .iter()
        .filter(|[count, _, amplitudes]| *count > 0.0 && *amplitudes > 1e-9 * *count)
        .map(|[count, logarithms, amplitudes]| [logarithms / count, (amplitudes / count).ln()])
        .collect();
    line_slope(&points)
}

/// The slope of the line through points, by least squares.
fn line_slope(points: &[[f64; 2]]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
    let middle = [mean(0), mean(1)];
    let sum =
        |axis: usize| points.iter().map(|point| (point[0] - middle[0]) * (point[axis] - middle[axis])).sum::<f64>();
    Some(sum(1) / sum(0))
}

/// The Fourier transform of a square of values, in place: rows, then columns.
pub fn transform_square(values: &mut [Complex], size: usize) {
    for _ in 0..2 {
        values.chunks_exact_mut(size).for_each(transform);
        // Transpose.
        for row in 0..size {
            for column in 0..row {
                values.swap(row * size + column, column * size + row);
            }
        }
    }
}

/// The Fourier transform of values, in place. Their number is a power of two (Cooley and Tukey 1965).
fn transform(values: &mut [Complex]) {
    let bits = values.len().ilog2();
    for index in 0..values.len() {
        let mirrored = index.reverse_bits() >> (usize::BITS - bits);
        if index < mirrored {
            values.swap(index, mirrored);
        }
    }
    for bit in 0..bits {
        let half = 1 << bit;
        let turns: Vec<Complex> =
            (0..half).map(|at| -PI * at as f64 / half as f64).map(|a| [a.cos(), a.sin()]).collect();
        for part in values.chunks_exact_mut(2 * half) {
            let (low, high) = part.split_at_mut(half);
            for ((low, high), [cos, sin]) in low.iter_mut().zip(high).zip(&turns) {
                let turned = [high[0] * cos - high[1] * sin, high[0] * sin + high[1] * cos];
                *high = [low[0] - turned[0], low[1] - turned[1]];
                *low = [low[0] + turned[0], low[1] + turned[1]];
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A square image of random waves, the amplitudes of which fall with the frequency to the power of `slope`.
    pub fn waves(size: usize, slope: f64) -> Luma {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut values: Vec<Complex> = (0..size * size)
            .map(|index| {
                let signed = |at: usize| if at > size / 2 { at as f64 - size as f64 } else { at as f64 };
                let frequency = signed(index % size).hypot(signed(index / size)).max(1.0);
                let phase = random.random_range(0.0..TAU);
                [phase.cos() * frequency.powf(slope), phase.sin() * frequency.powf(slope)]
            })
            .collect();
        transform_square(&mut values, size);
        Luma { width: size, height: size, pixels: values.iter().map(|value| 0.5 + 0.01 * value[0]).collect() }
    }

    #[test]
    fn the_slope_of_a_spectrum_is_found() {
        for expected in [-0.8, -1.2, -1.6, -2.0] {
            let found = slope(&waves(256, expected)).expect("the image has waves");
            assert!((found - expected).abs() < 0.05, "{found}, expected: {expected}");
        }
    }

    #[test]
    fn borders_of_a_piece_make_no_edges() {
        let piece = waves(512, -2.0).crop([70, 130], [256, 256]);
        let found = slope(&piece).expect("the piece has waves");
        assert!((found + 2.0).abs() < 0.1, "{found}");
    }

    #[test]
    fn only_the_ground_has_a_spectrum() {
        let mut image = Luma { width: 200, height: 256, pixels: vec![0.3; 200 * 256] };
        assert_eq!(ground_slope(&image), None, "a single color has no slope");
        let waves = waves(128, -1.2);
        for (row, pixels) in image.pixels.chunks_exact_mut(200).skip(128).enumerate() {
            pixels[36..164].copy_from_slice(&waves.pixels[row * 128..(row + 1) * 128]);
        }
        let found = ground_slope(&image).expect("the ground has waves");
        assert!((found + 1.2).abs() < 0.07, "{found}");
        assert_eq!(ground_slope(&image.crop([0, 0], [200, 100])), None, "the image is too small");
    }

    #[test]
    fn a_transform_finds_the_frequency_of_a_wave() {
        let mut values: Vec<Complex> = (0..16).map(|at| [(TAU * 3.0 * f64::from(at) / 16.0).cos(), 0.0]).collect();
        transform(&mut values);
        for (frequency, [real, imaginary]) in values.iter().enumerate() {
            let expected = if matches!(frequency, 3 | 13) { 8.0 } else { 0.0 };
            assert!((real - expected).abs() < 1e-12 && imaginary.abs() < 1e-12, "{frequency}: {real}, {imaginary}");
        }
    }
}
