//! Noises by name: what others have published, and a few of our own.

mod ours;
mod published;

use super::{AnyLattice, Fractal, Lattice, LatticeKind, Noise, NoiseSettings};

/// A named noise.
///
/// ```
/// use perlin_fbm::NoisePreset;
///
/// let preset = NoisePreset::find("diagonals").expect("the name of a preset");
/// assert_eq!(preset.title, "Four diagonals");
/// // A value of the published formula.
/// let value = preset.noise(0).sample([506.54656927515407, -36.08630740700221]).value;
/// assert!((value + 0.37362289216664807).abs() < 1e-12);
/// // Its settings are plain data, which you can change.
/// assert_eq!(preset.settings().frequency, 0.005);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NoisePreset {
    /// The name for [`find`](Self::find): lower-case letters, digits and underscores.
    pub name: &'static str,
    /// A short caption.
    pub title: &'static str,
    /// Who published it, short enough for a caption. Empty for our own.
    pub credit: &'static str,
    /// The full source of a published noise, or a description of our own.
    pub source: &'static str,
    settings: fn() -> NoiseSettings,
}

/// The source of three hashes and of the bits of a permutation.
const BURGER: &str =
    "Wilhelm Burger, Gradientenbasierte Rauschfunktionen und Perlin Noise (HGBTR08-02, FH Hagenberg, 2008)";

const fn published(
    name: &'static str,
    title: &'static str,
    credit: &'static str,
    source: &'static str,
    settings: fn() -> NoiseSettings,
) -> NoisePreset {
    NoisePreset { name, title, credit, source, settings }
}

const fn ours(
    name: &'static str,
    title: &'static str,
    source: &'static str,
    settings: fn() -> NoiseSettings,
) -> NoisePreset {
    published(name, title, "", source, settings)
}

/// The band and the persistence of the images of seeds in [`BURGER`].
fn band(lattice: LatticeKind) -> NoiseSettings {
    NoiseSettings::band_limited(0.01, 0.5, 0.5, lattice)
}

impl NoisePreset {
    /// All presets: first the published ones, then our own.
    pub const ALL: &[Self] = &[
        published(
            "table",
            "Gradient table",
            "Pintér 2026",
            "Pintér Bálint, Perlin-zaj (2026)",
            NoiseSettings::gradient_table,
        ),
        published("grid", "Gradient grid", "ip76.ru 2025", "Шум Перлина, ip76.ru (2025)", || {
            NoiseSettings::tiling_grid([256, 256], 64.0, 4, 0.5)
        }),
        published(
            "diagonals",
            "Four diagonals",
            "2D, in C++",
            "2차원 펄린 노이즈, the report of a C++ program",
            NoiseSettings::clamped_diagonals,
        ),
        published("ward", "Ward", "Burger 2008", BURGER, || band(LatticeKind::Ward)),
        published("shift", "Shift", "Burger 2008", BURGER, || band(LatticeKind::Shift)),
        published("shift_mult", "ShiftMult", "Burger 2008", BURGER, || band(LatticeKind::ShiftMult)),
        published("one_bit", "One bit", "Burger 2008", BURGER, || NoiseSettings { bits: 1, ..band(LatticeKind::Bit) }),
        published("six_bits", "Six bits", "Burger 2008", BURGER, || band(LatticeKind::Bit)),
        published("one_octave", "One octave", "Nikic 2024", "Marko Nikic, Perlin-Noise (exercise, 2024)", || {
            NoiseSettings::single_octave_grid([50, 50], 20.0)
        }),
        published(
            "perlin_2002",
            "Perlin 2002",
            "Perlin 2002",
            "Ken Perlin, Improving noise (SIGGRAPH 2002), the plane z = 0",
            || NoiseSettings { frequency: 1.0 / 32.0, ..NoiseSettings::perlin_2002() },
        ),
        ours("mixed", "Mixed", "ours: the default", ours::mixed),
        ours("billow", "Billow", "ours: round lumps that meet in creases", ours::billow),
        ours("ridged", "Ridged", "ours: mountain crests", ours::ridged),
        ours("hybrid", "Hybrid", "ours: smooth valleys below rough heights", ours::hybrid),
        ours("damped", "Damped", "ours: smooth slopes, as if worn", ours::damped),
        ours("warped", "Warped", "ours: the default with a domain warp", ours::warped),
        ours("marble", "Marble", "ours: ridges, warped until they are veins", ours::marble),
        ours("peaks", "Peaks", "ours: a high exponent", ours::peaks),
        ours("plateaus", "Plateaus", "ours: cut off above and below", ours::plateaus),
        ours("tiling", "Tiling", "ours: repeats after four cells", ours::tiling),
    ];

    /// The preset called `name`, if there is one.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|preset| preset.name == name)
    }

    /// The settings of the noise. If its source has images, one unit is one of their pixels.
    ///
    /// [`Noise::from_published_seed`] gives the noise of [`noise`](Self::noise). [`Noise::seeded`] draws the seeds of integer
    /// hashes from the generator instead.
    #[must_use]
    pub fn settings(&self) -> NoiseSettings {
        (self.settings)()
    }

    /// The noise for `seed`.
    ///
    /// The seed of an integer hash is the low 32 bits of `seed`, as published. All other numbers are drawn from
    /// [`NoiseRng`](super::NoiseRng), because the published noises leave their generator open. See
    /// [`NoiseSettings::has_seed`] for those that have no seed.
    #[must_use]
    pub fn noise(&self, seed: u64) -> Noise {
        Noise::from_published_seed(&self.settings(), seed)
    }

    /// The same noise in 1 to 4 dimensions, in double precision. In the plane it has the values of [`Noise::sample`].
    ///
    /// Where the source describes other dimensions, it is the noise of the source. See each lattice.
    ///
    /// ```
    /// use perlin_fbm::NoisePreset;
    ///
    /// // Perlin's reference implementation in space, with cells of 32 units.
    /// let preset = NoisePreset::find("perlin_2002").expect("the name of a preset");
    /// let value = preset.fractal::<3>(0).value([3.14 * 32.0, 42.0 * 32.0, 7.0 * 32.0]);
    /// assert!((value - 0.13691995878400012).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn fractal<const N: usize>(&self, seed: u64) -> Fractal<AnyLattice<N>, N>
    where
        AnyLattice<N>: Lattice<N>,
    {
        Fractal::from_published_seed(&self.settings(), seed)
    }

    /// The noise for `seed`, scaled so that a cell of the first octave is `cell_size` units wide. Values do not change.
    #[must_use]
    pub fn noise_with_cells_of(&self, cell_size: f64, seed: u64) -> Noise {
        Noise::from_published_seed(&self.settings().with_cells_of(cell_size), seed)
    }
}

#[cfg(test)]
mod tests;
