//! The task of each contender.

use crate::work::ORIGIN;

/// A way to fill a square with noise. Tables are made before, and are not part of what is measured.
pub trait Contender {
    /// The name in the table.
    fn name(&self) -> &str;

    /// Fills `out` with the square of [`work`](crate::work), row by row: column `x` of row `y` is at `y * side + x`.
    ///
    /// `out` holds `side * side` samples.
    fn fill(&mut self, side: usize, out: &mut [f32]);
}

/// A contender that only knows single points, which is what most libraries offer.
struct PointByPoint<F> {
    name: String,
    value: F,
}

/// A contender that asks `value` for every point. Coordinates are in samples; `value` applies the frequency.
///
/// `value` is a type parameter all the way down, so that the compiler may inline it into the loop.
pub fn point_by_point(name: impl Into<String>, value: impl Fn(f64, f64) -> f32 + 'static) -> Box<dyn Contender> {
    Box::new(PointByPoint { name: name.into(), value })
}

impl<F: Fn(f64, f64) -> f32> Contender for PointByPoint<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn fill(&mut self, side: usize, out: &mut [f32]) {
        for (row, line) in out.chunks_exact_mut(side).enumerate() {
            let y = ORIGIN[1] + row as f64;
            for (column, sample) in line.iter_mut().enumerate() {
                *sample = (self.value)(ORIGIN[0] + column as f64, y);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::contenders;

    fn filled(octaves: u32, side: usize) -> Vec<(String, Vec<f32>)> {
        let fill = |mut contender: Box<dyn super::Contender>| {
            let mut out = vec![f32::NAN; side * side];
            contender.fill(side, &mut out);
            (contender.name().to_owned(), out)
        };
        contenders(octaves).into_iter().map(fill).collect()
    }

    fn range(values: impl Iterator<Item = f32>) -> [f32; 2] {
        values.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    }

    fn steepest_step(side: usize, out: &[f32]) -> f32 {
        let steps = out.chunks_exact(side).flat_map(|line| line.windows(2).map(|pair| (pair[1] - pair[0]).abs()));
        range(steps)[1]
    }

    #[test]
    fn everyone_fills_the_square_with_noise_around_zero() {
        for octaves in crate::work::OCTAVES {
            for (name, out) in filled(octaves, 1024) {
                assert!(out.iter().all(|v| v.is_finite()), "{name}, {octaves} octaves: not all samples are written");
                let [low, high] = range(out.iter().copied());
                let plausible = (-1.5..-0.15).contains(&low) && (0.15..1.5).contains(&high);
                assert!(plausible, "{name}, {octaves} octaves: {low} to {high}");
            }
        }
    }

    #[test]
    fn everyone_has_the_same_base_frequency_and_adds_the_same_octaves() {
        let smooth = filled(1, 257);
        let rough = filled(8, 257);
        for ((name, one), (_, eight)) in smooth.iter().zip(&rough) {
            let [low, high] = range(one.iter().copied());
            let steepest = steepest_step(257, one) / (high - low);
            // Perlin noise crosses its range in about half a cell, which is 128 samples, and at most three times as fast.
            assert!((0.004..0.03).contains(&steepest), "{name}, 1 octave: {steepest} of the range per sample");
            // Every octave is as steep as the first: half as high, twice as fast. The sum is divided by two.
            let ratio = steepest_step(257, eight) / steepest_step(257, one);
            assert!((1.3..5.0).contains(&ratio), "{name}: eight octaves are {ratio} times as steep as one");
        }
    }
}
