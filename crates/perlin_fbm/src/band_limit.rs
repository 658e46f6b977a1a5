//! Which octaves samples can show.
//!
//! Samples show the noise at their own positions only. An octave with more than half a cell between samples aliases: it looks like
//! random bumps.
//!
//! Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), section 2.3.1: frequencies of at most
//! 0.5 cells per sample. The source derives the lowest frequency from the number of octaves. Here the frequency is given, and the
//! octaves are counted.

use super::NoiseSettings;

/// The highest frequency that samples can show, in cells per sample. Shannon's limit: two samples per cycle.
pub const MAX_CELLS_PER_SAMPLE: f64 = 0.5;

/// Frequencies are products of decimal fractions: one that is at the limit on paper may be off by a few roundings of 1e-16.
pub const ROUNDING: f64 = 1e-9;

/// Returns whether samples can show an octave with `cells_per_sample` cells between neighbors. NaN counts as usable;
/// [`NoiseSettings::check`] reports it.
pub fn is_usable(cells_per_sample: f64) -> bool {
    cells_per_sample <= MAX_CELLS_PER_SAMPLE * (1.0 + ROUNDING) || cells_per_sample.is_nan()
}

impl NoiseSettings {
    /// The number of octaves that samples `spacing` units apart can show. Counting stops at the first octave with more than half
    /// a cell per sample.
    ///
    /// The domain warp does not count. Of the two axes of the plane, the one that is stretched less counts.
    ///
    /// ```
    /// use perlin_fbm::NoiseSettings;
    ///
    /// let settings = NoiseSettings { frequency: 1.0 / 64.0, octaves: 8, ..NoiseSettings::unit() };
    /// assert_eq!(settings.usable_octaves(1.0), 6); // 1/64, 1/32 .. 1/2
    /// assert_eq!(settings.usable_octaves(8.0), 3);
    /// assert_eq!(settings.usable_octaves(0.25), 8);
    /// ```
    #[must_use]
    pub fn usable_octaves(&self, spacing: f64) -> u32 {
        let spacing = spacing / self.least_stretch();
        self.octaves().take_while(|(frequency, _)| is_usable(frequency * spacing)).count() as u32
    }

    /// The stretch of the axis of the plane that is stretched less.
    #[doc(hidden)]
    #[must_use]
    pub fn least_stretch(&self) -> f64 {
        self.stretch_x.min(self.stretch_y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_cell_from_sample_to_sample_is_usable() {
        let settings = NoiseSettings { frequency: 0.0032, lacunarity: 2.5, octaves: 9, ..Default::default() };
        // 0.0032 * 2.5^4 is 0.125, but for rounding.
        assert_eq!([3.9, 4.0, 4.001].map(|spacing| settings.usable_octaves(spacing)), [5, 5, 4]);
    }

    #[test]
    fn the_axis_that_is_stretched_less_counts() {
        let settings = NoiseSettings { frequency: 1.0 / 64.0, octaves: 8, stretch_x: 4.0, ..NoiseSettings::unit() };
        assert_eq!(settings.usable_octaves(1.0), 6);
        assert_eq!(NoiseSettings { stretch_y: 4.0, ..settings.clone() }.usable_octaves(1.0), 8);
        assert_eq!(NoiseSettings { stretch_y: 0.25, ..settings }.usable_octaves(1.0), 4);
    }

    #[test]
    fn octaves_that_are_left_out_do_not_count() {
        let settings = NoiseSettings { frequency: 0.01, octaves: 8, max_frequency: 0.05, ..Default::default() };
        assert_eq!(settings.usable_octaves(1.0), 3);
        assert_eq!(NoiseSettings { octaves: 0, ..settings.clone() }.usable_octaves(1.0), 0);
        assert_eq!(NoiseSettings { frequency: 0.9, max_frequency: 0.0, ..settings }.usable_octaves(1.0), 0);
    }
}
