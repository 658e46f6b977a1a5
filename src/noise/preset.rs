//! Noises by name: what others have published, and a few of our own.

mod ours;
mod published;

use super::{AnyLattice, HashGradients, IntegerHash, LatticeKind, Noise, NoiseSettings};

/// A noise by name.
///
/// ```
/// use bevy_perlin_terrain::noise::NoisePreset;
///
/// let preset = NoisePreset::find("diagonals").expect("the name of a preset");
/// assert_eq!(preset.title, "Four diagonals");
/// // A value of the published formula.
/// let value = preset.noise(0).exact(506.54656927515407, -36.08630740700221).value;
/// assert!((value + 0.37362289216664807).abs() < 1e-12);
/// // Its settings are plain data, to begin one's own with.
/// assert_eq!(preset.settings().frequency, 0.005);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NoisePreset {
    /// What [`find`](Self::find) looks for: small letters, digits and underscores.
    pub name: &'static str,
    /// What it is called in a caption. Short.
    pub title: &'static str,
    /// Who published it, short enough for a caption; empty for our own.
    pub credit: &'static str,
    /// Where it was published, in full; for our own, what it is.
    pub source: &'static str,
    settings: fn() -> NoiseSettings,
}

/// Where three hashes and the bits of a permutation come from.
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

/// The band and the persistence of the pictures of seeds in [`BURGER`].
fn band(lattice: LatticeKind) -> NoiseSettings {
    NoiseSettings::band_limited(0.01, 0.5, 0.5, lattice)
}

impl NoisePreset {
    /// All presets: first those that others have published, then our own.
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
        published("one_bit", "One bit", "Burger 2008", BURGER, || NoiseSettings { bits: 1, ..band(LatticeKind::Bits) }),
        published("six_bits", "Six bits", "Burger 2008", BURGER, || band(LatticeKind::Bits)),
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
        ours("warped", "Warped", "ours: the default, its places moved by two more noises", ours::warped),
        ours("marble", "Marble", "ours: ridges, warped until they are veins", ours::marble),
        ours("peaks", "Peaks", "ours: high contrast", ours::peaks),
        ours("plateaus", "Plateaus", "ours: cut off above and below", ours::plateaus),
        ours("tiling", "Tiling", "ours: repeats after four cells", ours::tiling),
    ];

    /// The preset of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|preset| preset.name == name)
    }

    /// It as plain data. Where there are published pictures, one unit is one of their pixels.
    ///
    /// [`Noise::seeded`] makes the same sort of noise of it as [`noise`](Self::noise) does, but draws the seeds of integer
    /// hashes from the generator.
    #[must_use]
    pub fn settings(&self) -> NoiseSettings {
        (self.settings)()
    }

    /// Whether there is a noise for each seed. The noises of Perlin's own permutation have none.
    #[must_use]
    pub fn has_seed(&self) -> bool {
        !matches!(self.settings().lattice, LatticeKind::Diagonals | LatticeKind::Bits | LatticeKind::Edges)
    }

    /// The noise of a seed.
    ///
    /// Integer hashes take the low 32 bits of the seed itself, as published. Everything else is drawn from the generator: the
    /// published noises leave theirs open.
    #[must_use]
    pub fn noise(&self, seed: u64) -> Noise {
        compile(&self.settings(), seed)
    }

    /// The noise of a seed, enlarged or shrunk until a cell of the first octave is `cell_size` units long. Values stay.
    #[must_use]
    pub fn noise_with_cells_of(&self, cell_size: f64, seed: u64) -> Noise {
        let settings = self.settings();
        let factor = cell_size * settings.frequency;
        let enlarged = NoiseSettings {
            frequency: settings.frequency / factor,
            highest_frequency: settings.highest_frequency / factor,
            warp: settings.warp * factor,
            warp_frequency: settings.warp_frequency / factor,
            ..settings
        };
        compile(&enlarged, seed)
    }
}

fn compile(settings: &NoiseSettings, seed: u64) -> Noise {
    let hashed = |hash| Noise::new(AnyLattice::from(HashGradients::new(hash, seed as i32)), settings);
    match settings.lattice {
        LatticeKind::Ward => hashed(IntegerHash::Ward),
        LatticeKind::Shift => hashed(IntegerHash::Shift),
        LatticeKind::ShiftMult => hashed(IntegerHash::ShiftMult),
        _ => Noise::seeded(settings, seed, 0),
    }
}

#[cfg(test)]
mod tests;
