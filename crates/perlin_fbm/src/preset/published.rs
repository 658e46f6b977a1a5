//! The published noises, as settings.

use crate::{LatticeKind, NoiseSettings, OctaveSum};

/// Noises that others have published. Where there are images of them, one unit is one pixel.
impl NoiseSettings {
    /// A table of 256 unit gradients, a shuffled permutation, and a normalized sum with exponent and height scale. All octaves
    /// share the table.
    ///
    /// The source leaves all numbers open. Here the exponent (the source's contrast) is 1 and the height scale (the source's
    /// noise size) is 100. Change them as you like.
    ///
    /// Source: Pintér Bálint, *Perlin-zaj* (2026), sections 2 and 5.
    ///
    /// ```
    /// use perlin_fbm::NoiseSettings;
    ///
    /// let sharp = NoiseSettings { exponent: 2.0, height_scale: 40.0, ..NoiseSettings::gradient_table() };
    /// assert_eq!(sharp.frequency, 0.01);
    /// ```
    #[must_use]
    pub fn gradient_table() -> Self {
        Self {
            lattice: LatticeKind::Table,
            octaves: 8,
            frequency: 0.01,
            height_scale: 100.0,
            offset_octaves: false,
            ..Self::default()
        }
    }

    /// A repeating grid of `columns` by `rows` unit gradients. All octaves share it, and the frequency doubles from octave to
    /// octave. The sum is normalized.
    ///
    /// [`check`](Self::check) refuses more than 1024 columns or rows. [`Noise::seeded`](crate::Noise::seeded) cuts the
    /// grid there.
    ///
    /// `scale` is the width of a cell of the first octave in units, at least 5. The noise repeats after `scale * columns` units
    /// along x and `scale * rows` units along y. It has no offsets: the source's sample `(X, Y)` is this noise at
    /// `(X + offset_x, Y + offset_y)`. Clouds move if an offset grows with time.
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
            height_scale: 1.0,
            offset_octaves: false,
            ..Self::default()
        }
    }

    /// Perlin's permutation, the four diagonals, and a sum of eight octaves that is clamped to \[-1, 1\].
    ///
    /// Source: *2차원 펄린 노이즈* (two-dimensional Perlin noise), `FractalBrownianMotion`, with its initial numbers: frequency
    /// 0.005, amplitude 1, persistence 0.5. The number of octaves is open there.
    #[must_use]
    pub fn clamped_diagonals() -> Self {
        Self {
            lattice: LatticeKind::Diagonal,
            octaves: 8,
            frequency: 0.005,
            lacunarity: 2.0,
            persistence: 0.5,
            amplitude: 1.0,
            sum: OctaveSum::Clamped,
            height_scale: 1.0,
            offset_octaves: false,
            ..Self::default()
        }
    }

    /// Octaves of the frequencies `f_min`, `2 f_min` and so on while they are at most `f_max`, of amplitudes 1, `persistence`
    /// and so on, summed as they are.
    ///
    /// [`octaves`](Self::octaves) is their number: 0 if `f_max` is below `f_min`, and at most
    /// [`MAX_OCTAVES`](Self::MAX_OCTAVES). [`max_frequency`](Self::max_frequency) is 0, no further limit.
    ///
    /// In the source, `lattice` is a hash (`Ward`, `Shift`, `ShiftMult`) or `Bit`, here with 6 [`bits`](Self::bits).
    /// Any other lattice works too. Frequencies are in cells per unit. An image of one pixel per unit can't show frequencies
    /// above 0.5: they turn into false patterns. So `k` octaves need an `f_min` of at most `2^-k`.
    ///
    /// Source: Wilhelm Burger, *Gradientenbasierte Rauschfunktionen und Perlin Noise* (2008), algorithm 2 and sections 5.1 to 5.3.
    ///
    /// ```
    /// use perlin_fbm::{LatticeKind, NoiseSettings};
    ///
    /// let settings = NoiseSettings::band_limited(0.01, 0.5, 0.5, LatticeKind::Ward);
    /// assert_eq!(settings.octaves, 6); // 0.01 to 0.32
    /// ```
    #[must_use]
    pub fn band_limited(f_min: f64, f_max: f64, persistence: f64, lattice: LatticeKind) -> Self {
        let all = Self { octaves: Self::MAX_OCTAVES, frequency: f_min, ..Self::default() };
        Self {
            lattice,
            octaves: all.octaves().take_while(|&(frequency, _)| frequency <= f_max).count() as u32,
            frequency: f_min,
            persistence,
            sum: OctaveSum::Raw,
            height_scale: 1.0,
            offset_octaves: false,
            ..Self::default()
        }
    }

    /// One octave over a grid: the noise of the tool `noise_map` with four numbers. The grid has one more gradient than `cells`
    /// along each axis. A cell is `cell_size` units wide.
    ///
    /// [`check`](Self::check) refuses more than 1024 gradients along an axis.
    /// [`Noise::seeded`](crate::Noise::seeded) cuts the grid there.
    ///
    /// Source: Marko Nikic, *Perlin-Noise* (exercise, 2024). The source does not define noise beyond the grid. Here it repeats.
    #[must_use]
    pub fn single_octave_grid(cells: [u32; 2], cell_size: f64) -> Self {
        let [columns, rows] = cells.map(|cells| cells.saturating_add(1));
        Self {
            lattice: LatticeKind::Grid,
            period_x: columns,
            period_y: rows,
            octaves: 1,
            frequency: 1.0 / cell_size,
            height_scale: 1.0,
            offset_octaves: false,
            ..Self::default()
        }
    }

    /// The plane z = 0 of Perlin's improved noise, one octave of one cell per unit.
    ///
    /// Source: Ken Perlin, *Improving noise* (SIGGRAPH 2002), and its reference implementation.
    #[must_use]
    pub fn perlin_2002() -> Self {
        Self {
            lattice: LatticeKind::Edge,
            octaves: 1,
            frequency: 1.0,
            height_scale: 1.0,
            offset_octaves: false,
            ..Self::default()
        }
    }
}
