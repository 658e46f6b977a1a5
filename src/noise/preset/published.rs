//! The published noises, as settings.

use crate::noise::{LatticeKind, NoiseSettings, OctaveSum};

/// Noises that others have published. Where there are pictures of them, one unit is one pixel.
impl NoiseSettings {
    /// A table of 256 unit gradients behind a shuffled permutation, and a normalised sum with contrast and size; all octaves
    /// share the table.
    ///
    /// The source leaves all numbers open: what it calls contrast and noise size are 1 and 100 here, and are meant to be changed.
    ///
    /// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2 and 5.
    ///
    /// ```
    /// use bevy_perlin_terrain::noise::NoiseSettings;
    ///
    /// let sharp = NoiseSettings { contrast: 2.0, size: 40.0, ..NoiseSettings::gradient_table() };
    /// assert_eq!(sharp.frequency, 0.01);
    /// ```
    #[must_use]
    pub fn gradient_table() -> Self {
        Self {
            lattice: LatticeKind::Table,
            octaves: 8,
            frequency: 0.01,
            size: 100.0,
            scattered: false,
            ..Self::default()
        }
    }

    /// A grid of `nodes` unit gradients, columns by rows, which repeats; all octaves share it, each of double the frequency of
    /// the one before. The sum is normalised.
    ///
    /// `scale` is the length of a cell of the first octave in units, and is raised to 5. The noise repeats after `scale` times
    /// `nodes` units. The source's offsets are left to whoever asks: its sample `(X, Y)` is this noise at
    /// `(X + offset_x, Y + offset_y)`, and clouds move when an offset grows with time.
    ///
    /// Source: *Perlin noise*, ip76.ru (2025), `InitializeGrid` and `GeneratePerlinNoise`, whose defaults are 256 by 256 nodes
    /// and one octave. Where it truncates negative coordinates, which mirrors a strip at zero, this rounds down.
    #[must_use]
    pub fn tiling_grid([columns, rows]: [u32; 2], scale: f64, octaves: u32, persistence: f64) -> Self {
        Self {
            lattice: LatticeKind::Grid,
            period_x: columns,
            period_y: rows,
            octaves,
            frequency: 1.0 / scale.max(5.0),
            persistence,
            size: 1.0,
            scattered: false,
            ..Self::default()
        }
    }

    /// Perlin's permutation and four diagonals; a sum of eight octaves that is not normalised but cut off at -1 and 1.
    ///
    /// Source: *2차원 펄린 노이즈* (two-dimensional Perlin noise), `FractalBrownianMotion`, with its initial numbers: frequency
    /// 0.005, amplitude 1, persistence 0.5. The number of octaves is open there.
    #[must_use]
    pub fn clamped_diagonals() -> Self {
        Self {
            lattice: LatticeKind::Diagonals,
            octaves: 8,
            frequency: 0.005,
            lacunarity: 2.0,
            persistence: 0.5,
            amplitude: 1.0,
            sum: OctaveSum::Clamped,
            size: 1.0,
            scattered: false,
            ..Self::default()
        }
    }

    /// Octaves of the frequencies `f_min`, `2 f_min` and so on up to `f_max`, of amplitudes 1, `persistence` and so on, summed
    /// as they are.
    ///
    /// `lattice` is a hash (`Ward`, `Shift`, `ShiftMult`) or `Bits`, whose bits are 6 until [`bits`](Self::bits) says
    /// otherwise; any other works too. Frequencies are per unit. In a picture of one pixel per unit, what is above 0.5 can't be
    /// shown: it turns into false patterns. So `k` octaves need an `f_min` of at most `2^-k`.
    ///
    /// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), algorithm 2 and sections 5.1 to 5.3.
    ///
    /// ```
    /// use bevy_perlin_terrain::noise::{LatticeKind, NoiseSettings};
    ///
    /// let settings = NoiseSettings::band_limited(0.01, 0.5, 0.5, LatticeKind::Ward);
    /// assert_eq!(settings.octaves().count(), 6); // 0.01 to 0.32
    /// ```
    #[must_use]
    pub fn band_limited(f_min: f64, f_max: f64, persistence: f64, lattice: LatticeKind) -> Self {
        Self {
            lattice,
            octaves: Self::MAX_OCTAVES,
            frequency: f_min,
            highest_frequency: f_max,
            persistence,
            sum: OctaveSum::Raw,
            size: 1.0,
            scattered: false,
            ..Self::default()
        }
    }

    /// One octave over a grid with one gradient more than `cells` along each axis, cells of `cell_size` units: the noise of the
    /// tool `noise_map`.
    ///
    /// Source: Marko Nikic, *Perlin-Noise* (exercise, 2024). Nothing is said there of what is beyond the grid; here it repeats.
    #[must_use]
    pub fn single_octave_grid(cells: [u32; 2], cell_size: f64) -> Self {
        let [columns, rows] = cells.map(|cells| cells.saturating_add(1));
        Self {
            lattice: LatticeKind::Grid,
            period_x: columns,
            period_y: rows,
            octaves: 1,
            frequency: 1.0 / cell_size,
            size: 1.0,
            scattered: false,
            ..Self::default()
        }
    }

    /// The plane z = 0 of Perlin's improved noise, one octave of one cell per unit.
    ///
    /// Source: Ken Perlin, *Improving noise* (SIGGRAPH 2002), and its reference implementation.
    #[must_use]
    pub fn perlin_2002() -> Self {
        Self { lattice: LatticeKind::Edges, octaves: 1, frequency: 1.0, size: 1.0, scattered: false, ..Self::default() }
    }
}
