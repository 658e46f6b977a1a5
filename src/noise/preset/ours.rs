//! Our own presets: the default lattice, scattered octaves, and each shape at its best.

use crate::noise::{FractalShape, NoiseSettings, OctaveSum};

/// What they have in common: cells of 128 units, down to one unit in the eighth octave, and values from -1 to 1.
fn base() -> NoiseSettings {
    NoiseSettings { octaves: 8, frequency: 1.0 / 128.0, size: 1.0, ..NoiseSettings::default() }
}

/// The default of all numbers but octaves, frequency and size.
pub fn mixed() -> NoiseSettings {
    base()
}

pub fn billow() -> NoiseSettings {
    NoiseSettings { shape: FractalShape::Billow, ..base() }
}

pub fn ridged() -> NoiseSettings {
    NoiseSettings { shape: FractalShape::Ridged, ..base() }
}

pub fn hybrid() -> NoiseSettings {
    NoiseSettings { shape: FractalShape::Hybrid, persistence: 0.85, ..base() }
}

pub fn damped() -> NoiseSettings {
    NoiseSettings { shape: FractalShape::Damped, ..base() }
}

pub fn warped() -> NoiseSettings {
    NoiseSettings { warp: 90.0, warp_frequency: 1.0 / 160.0, warp_octaves: 2, ..base() }
}

/// Ridges of few octaves, dragged about until they are veins.
pub fn marble() -> NoiseSettings {
    NoiseSettings {
        shape: FractalShape::Ridged,
        octaves: 3,
        warp: 220.0,
        warp_frequency: 1.0 / 190.0,
        warp_octaves: 3,
        ..base()
    }
}

/// Flat ground with lonely heights and depths.
pub fn peaks() -> NoiseSettings {
    NoiseSettings { amplitude: 1.5, sum: OctaveSum::Clamped, contrast: 1.7, ..base() }
}

/// Cut off above and below.
pub fn plateaus() -> NoiseSettings {
    NoiseSettings { amplitude: 3.0, sum: OctaveSum::Clamped, ..base() }
}

/// Repeats after four cells, at a lacunarity that is no whole number.
pub fn tiling() -> NoiseSettings {
    NoiseSettings { period_x: 4, period_y: 4, lacunarity: 2.2, ..base() }
}
