//! Our own presets: the default lattice, offset octaves, and each shape at its best.

use crate::{FractalShape, NoiseSettings, OctaveSum};

/// The common settings: cells of 128 units, down to one unit in the eighth octave, and values from -1 to 1.
fn base() -> NoiseSettings {
    NoiseSettings { octaves: 8, frequency: 1.0 / 128.0, height_scale: 1.0, ..NoiseSettings::default() }
}

/// The defaults, except for octaves, frequency and height scale.
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
    NoiseSettings { warp_strength: 90.0, warp_frequency: 1.0 / 160.0, warp_octaves: 2, ..base() }
}

/// Ridges of few octaves, warped so far that they look like veins.
pub fn marble() -> NoiseSettings {
    NoiseSettings {
        shape: FractalShape::Ridged,
        octaves: 3,
        warp_strength: 220.0,
        warp_frequency: 1.0 / 190.0,
        warp_octaves: 3,
        ..base()
    }
}

/// Flat ground with a few high peaks and deep pits.
pub fn peaks() -> NoiseSettings {
    NoiseSettings { amplitude: 1.5, sum: OctaveSum::Clamped, exponent: 1.7, ..base() }
}

/// Clamped, so that the highest and the lowest ground is flat.
pub fn plateaus() -> NoiseSettings {
    NoiseSettings { amplitude: 3.0, sum: OctaveSum::Clamped, ..base() }
}

/// Repeats after four cells, with a fractional lacunarity.
pub fn tiling() -> NoiseSettings {
    NoiseSettings { period_x: 4, period_y: 4, lacunarity: 2.2, ..base() }
}
