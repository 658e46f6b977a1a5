//! Sums of octaves: from one frequency of noise to terrain.

mod settings;

pub use settings::{FractalSettings, FractalShape};

use super::{Lattice, Perlin, Real, TerrainRng};

/// One octave, ready to sample.
#[derive(Clone, Debug, PartialEq)]
struct Octave {
    frequency: f64,
    offset: [f64; 2],
    /// Already divided by the sum of amplitudes.
    amplitude: f64,
}

/// A sum of octaves of noise, divided by the sum of amplitudes, then shaped by contrast and scaled by size:
///
/// ```text
/// v = sum_i A P^i noise(F L^i x, F L^i y) / sum_i A P^i          height = sign(v) |v|^contrast * size
/// ```
///
/// Source: Pintér Bálint, *Perlin-zaj* (2026), section 5. The offsets of [`scattered`](Self::scattered) are ours.
///
/// ```
/// use bevy_perlin_terrain::noise::*;
///
/// let noise = Perlin::new(DiagonalGradients::default(), Fade::Quintic);
/// let settings = FractalSettings {
///     octaves: 8, frequency: 0.0385, lacunarity: 2.2, persistence: 0.476, amplitude: 2.17,
///     contrast: 4.0, size: 120.0, ..FractalSettings::default()
/// };
/// let height: f64 = Fractal::new(noise, &settings).value(-544.8205044753781, 222.37796324765293);
/// assert!((height + 1.0472022952775242).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fractal<L> {
    noise: Perlin<L>,
    octaves: Vec<Octave>,
    shape: FractalShape,
    contrast: f64,
    size: f64,
}

impl<L: Lattice> Fractal<L> {
    /// The sum that `settings` describe, over `noise`, with every octave at the origin.
    ///
    /// Values out of the documented ranges give a well-defined but useless sum, never a panic; octaves beyond
    /// [`FractalSettings::MAX_OCTAVES`] are left out.
    #[must_use]
    pub fn new(noise: Perlin<L>, settings: &FractalSettings) -> Self {
        let count = settings.octaves.min(FractalSettings::MAX_OCTAVES);
        let mut octaves = Vec::with_capacity(count as usize);
        let (mut frequency, mut amplitude, mut total) = (settings.frequency, settings.amplitude, 0.0);
        for _ in 0..count {
            octaves.push(Octave { frequency, offset: [0.0; 2], amplitude });
            total += amplitude.abs();
            frequency *= settings.lacunarity;
            amplitude *= settings.persistence;
        }
        if total > 0.0 {
            for octave in &mut octaves {
                octave.amplitude /= total;
            }
        }
        Self { noise, octaves, shape: settings.shape, contrast: settings.contrast, size: settings.size }
    }

    /// The same sum with every octave moved to a random place of the lattice.
    ///
    /// Without this, all octaves of a sum with an integer lacunarity are zero at the lattice points of the first: terrain
    /// has a pinhole of height zero there, in a regular pattern.
    #[must_use]
    pub fn scattered(mut self, rng: &mut TerrainRng) -> Self {
        for octave in &mut self.octaves {
            octave.offset = [rng.next_unit() * 256.0, rng.next_unit() * 256.0];
        }
        self
    }

    /// No value is further from zero than this.
    #[must_use]
    pub fn bound(&self) -> f64 {
        let unshaped = match self.shape {
            FractalShape::Smooth => Perlin::<L>::bound(),
            FractalShape::Ridged | FractalShape::Billow => 1.0,
        };
        libm::pow(unshaped, self.contrast) * self.size.abs()
    }

    /// The sum at `(x, y)`. Finite for finite coordinates.
    #[inline]
    pub fn value<R: Real>(&self, x: f64, y: f64) -> R {
        let sum = match self.shape {
            FractalShape::Smooth => self.sum(x, y, |noise: R| noise),
            FractalShape::Billow => self.sum(x, y, |noise: R| two::<R>() * magnitude::<L, R>(noise) - one()),
            FractalShape::Ridged => self.ridged(x, y),
        };
        self.shaped(sum)
    }

    #[inline]
    fn octave<R: Real>(&self, octave: &Octave, x: f64, y: f64) -> R {
        let [offset_x, offset_y] = octave.offset;
        self.noise.value(x * octave.frequency + offset_x, y * octave.frequency + offset_y)
    }

    #[inline]
    fn sum<R: Real>(&self, x: f64, y: f64, contribution: impl Fn(R) -> R) -> R {
        self.octaves.iter().fold(R::from_f64(0.0), |sum, octave| {
            sum + R::from_f64(octave.amplitude) * contribution(self.octave(octave, x, y))
        })
    }

    /// Crests in [0, 1], returned in [-1, 1] as the other shapes are.
    #[inline]
    fn ridged<R: Real>(&self, x: f64, y: f64) -> R {
        let (mut sum, mut weight) = (R::from_f64(0.0), one::<R>());
        for octave in &self.octaves {
            let crest = one::<R>() - magnitude::<L, R>(self.octave(octave, x, y));
            let crest = crest * crest;
            sum = sum + R::from_f64(octave.amplitude) * weight * crest;
            let next = two::<R>() * weight * crest;
            weight = if next > one() { one() } else { next };
        }
        two::<R>() * sum - one()
    }

    #[inline]
    fn shaped<R: Real>(&self, v: R) -> R {
        let size = R::from_f64(self.size);
        if self.contrast == 1.0 {
            return v * size;
        }
        let raised = v.abs().powf(R::from_f64(self.contrast));
        if v < R::from_f64(0.0) { -raised * size } else { raised * size }
    }
}

/// The noise's distance from zero, scaled so that its bound becomes 1.
#[inline]
fn magnitude<L: Lattice, R: Real>(noise: R) -> R {
    let scaled = noise.abs() * R::from_f64(1.0 / Perlin::<L>::bound());
    if scaled > one() { one() } else { scaled }
}

#[inline]
fn one<R: Real>() -> R {
    R::from_f64(1.0)
}

#[inline]
fn two<R: Real>() -> R {
    R::from_f64(2.0)
}

#[cfg(test)]
mod tests {
    use super::super::{Fade, UnitGradients};
    use super::*;

    fn settings(shape: FractalShape) -> FractalSettings {
        FractalSettings {
            shape,
            octaves: 6,
            frequency: 0.01,
            lacunarity: 2.0,
            persistence: 0.5,
            amplitude: 1.0,
            contrast: 1.0,
            size: 100.0,
            scattered: false,
        }
    }

    fn fractal(seed: u64, settings: &FractalSettings) -> Fractal<UnitGradients> {
        let mut rng = TerrainRng::new(seed, 0);
        Fractal::new(Perlin::new(UnitGradients::new(&mut rng), Fade::Quintic), settings)
    }

    #[test]
    fn values_stay_within_the_bound_for_every_shape_and_contrast() {
        for shape in [FractalShape::Smooth, FractalShape::Ridged, FractalShape::Billow] {
            for contrast in [0.5, 1.0, 3.0] {
                let fractal = fractal(4, &FractalSettings { contrast, ..settings(shape) });
                let bound = fractal.bound();
                for i in 0..20_000 {
                    let value: f64 = fractal.value(f64::from(i) * 1.7, f64::from(i) * -0.9);
                    assert!(value.abs() <= bound, "{shape:?} with contrast {contrast}: {value} > {bound}");
                }
            }
        }
    }

    #[test]
    fn amplitude_cancels_and_size_scales() {
        let plain = fractal(1, &settings(FractalShape::Smooth));
        let loud = fractal(1, &FractalSettings { amplitude: 8.0, ..settings(FractalShape::Smooth) });
        let tall = fractal(1, &FractalSettings { size: 200.0, ..settings(FractalShape::Smooth) });
        let at = |f: &Fractal<_>| f.value::<f64>(12.3, 45.6);
        assert_eq!(at(&plain), at(&loud));
        assert_eq!(at(&plain) * 2.0, at(&tall));
    }

    #[test]
    fn contrast_keeps_the_sign_and_raises_the_magnitude() {
        let plain = fractal(2, &FractalSettings { size: 1.0, ..settings(FractalShape::Smooth) });
        let sharp = fractal(2, &FractalSettings { size: 1.0, contrast: 2.0, ..settings(FractalShape::Smooth) });
        for i in 0..500 {
            let (x, y) = (f64::from(i) * 3.1, f64::from(i) * 1.3);
            let (v, s): (f64, f64) = (plain.value(x, y), sharp.value(x, y));
            assert!((s - v.signum() * v * v).abs() < 1e-15);
        }
    }

    #[test]
    fn single_and_double_precision_agree_to_single_precision() {
        for shape in [FractalShape::Smooth, FractalShape::Ridged, FractalShape::Billow] {
            let fractal = fractal(3, &FractalSettings { size: 1.0, ..settings(shape) });
            for i in 0..5000 {
                let (x, y) = (f64::from(i) * 0.77, f64::from(i) * -1.31);
                let difference = f64::from(fractal.value::<f32>(x, y)) - fractal.value::<f64>(x, y);
                // A fraction in f32 is off by 2^-25 at most and slopes are below 4 per cell: 1.2e-7 per octave, which the
                // ridges scale to [-1, 1] (by 2 sqrt(2)), square (by 2) and feed into the next octave's weight.
                assert!(difference.abs() < 6e-6, "{shape:?} at ({x}, {y}): {difference}");
            }
        }
    }

    #[test]
    fn scattering_removes_the_pinholes_of_integer_lacunarity() {
        let plain = fractal(5, &settings(FractalShape::Smooth));
        let scattered = plain.clone().scattered(&mut TerrainRng::new(5, 1));
        assert_eq!(plain.value::<f32>(100.0, 200.0), 0.0);
        assert_ne!(scattered.value::<f32>(100.0, 200.0), 0.0);
    }

    #[test]
    fn no_octaves_is_flat() {
        let fractal = fractal(1, &FractalSettings { octaves: 0, ..settings(FractalShape::Smooth) });
        assert_eq!(fractal.value::<f32>(1.5, 2.5), 0.0);
    }
}
