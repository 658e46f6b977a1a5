//! The noise that is drawn.

use crate::field;
use crate::values;
use bevy_perlin_terrain::noise::{
    AnyLattice, Fractal, GradientGrid, LatticeKind, Noise, NoisePreset, NoiseRng, NoiseSettings,
};

/// Cells a pixel that can be shown: the band limit of [`NoiseSettings::usable_octaves`].
const FINEST: f64 = 0.5;

/// The part of all amplitudes that is too little to be seen: two or three of 256 shades.
const HARDLY_SEEN: f64 = 0.02;

/// A noise that can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// What to call it: the name of a preset or of a file.
    pub name: String,
    /// The noise as data.
    pub settings: NoiseSettings,
    /// Which of them.
    pub seed: u64,
    /// Where it comes from.
    pub kind: Kind,
}

/// Where a noise comes from, which decides what its seed means.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Four numbers: a grid of this many nodes, as large as the picture.
    Grid([u32; 2]),
    /// A preset.
    Preset,
    /// A layer of a terrain, by its random stream.
    Layer(u64),
}

impl Source {
    /// One octave over a grid of `nodes` and cells of `cell_size` pixels.
    pub fn grid(nodes: [u32; 2], cell_size: f64, seed: u64) -> Self {
        // The period would be limited, the grid is not.
        let settings =
            NoiseSettings { period_x: 0, period_y: 0, ..NoiseSettings::single_octave_grid([0, 0], cell_size) };
        Self { name: "grid".to_owned(), settings, seed, kind: Kind::Grid(nodes) }
    }

    /// A preset.
    pub fn preset(preset: &NoisePreset, seed: u64) -> Self {
        Self { name: preset.name.to_owned(), settings: preset.settings(), seed, kind: Kind::Preset }
    }

    /// Changes a field of the noise, the size of its cells, or its seed.
    pub fn set(&mut self, field: &Variable, value: &str) -> Result<(), String> {
        match field {
            Variable::Field(name) => return field::set(&mut self.settings, name, value),
            Variable::Cell => {
                let cell = values::cell(value).map_err(|error| format!("`cell` is {value}, but {error}"))?;
                self.settings = self.settings.with_cells_of(cell);
            }
            Variable::Seed => {
                let seed = value.parse();
                self.seed = seed.map_err(|_| format!("`seed` is {value}, allowed: 0 to {}", u64::MAX))?;
            }
        }
        Ok(())
    }

    /// The noise in the plane. A layer is the same as in its terrain. For all else, the seed is that of
    /// [`Noise::from_published_seed`].
    pub fn noise(&self) -> Noise {
        let Self { settings, seed, kind, .. } = self;
        let is_plain = settings.lattice == LatticeKind::Grid
            && !settings.offset_octaves
            && settings.period_x.max(settings.period_y) == 0;
        match kind {
            Kind::Grid(nodes) if is_plain => {
                Noise::new(GradientGrid::new(&mut NoiseRng::new(*seed, 0), *nodes), settings)
            }
            Kind::Layer(stream) => Noise::seeded(settings, *seed, *stream),
            Kind::Grid(_) | Kind::Preset => Noise::from_published_seed(settings, *seed),
        }
    }

    /// The noise in space, in double precision. It is another noise than that in the plane, with the same settings.
    ///
    /// A grid repeats sooner in space, so that it fits in memory.
    pub fn noise_in_space(&self) -> Fractal<AnyLattice<3>, 3> {
        let Self { settings, seed, kind, .. } = self;
        match kind {
            Kind::Layer(stream) => Fractal::seeded(settings, *seed, *stream),
            Kind::Grid(_) | Kind::Preset => Fractal::from_published_seed(settings, *seed),
        }
    }

    /// A warning about octaves that are too fine for the pixels. `None` if they are too weak to see.
    pub fn warning(&self) -> Option<String> {
        let octaves: Vec<_> = self.settings.octaves().collect();
        let usable = self.settings.usable_octaves(1.0) as usize;
        let sum = |octaves: &[(f64, f64)]| octaves.iter().map(|(_, amplitude)| amplitude).sum::<f64>();
        if sum(&octaves[usable..]) <= HARDLY_SEEN * sum(&octaves) {
            return None;
        }
        let (count, frequency) = (octaves.len(), octaves[octaves.len() - 1].0);
        let cell = (self.cell_size() * frequency / FINEST).ceil();
        let remedies = [
            (usable > 0).then(|| format!("--set octaves={usable}")),
            values::CELL.contains(&cell).then(|| format!("--cell {cell}")),
        ];
        let remedies = remedies.into_iter().flatten().collect::<Vec<_>>().join(", or ");
        let advice = if remedies.is_empty() { String::new() } else { format!("; type {remedies}") };
        Some(format!(
            "{usable} of {count} octaves can be drawn as they are: the finest has {frequency:.2} cells a pixel, more than \
             {FINEST}{advice}"
        ))
    }

    /// Pixels along a cell of the first octave.
    pub fn cell_size(&self) -> f64 {
        1.0 / self.settings.first_frequency()
    }
}

/// What values are divided by, so that they lie in about -1 to 1: the largest magnitude of a height scale. 1 if all are 0.
pub fn common_height<'a>(sources: impl IntoIterator<Item = &'a Source>) -> f64 {
    let height = sources.into_iter().map(|source| source.settings.height_scale.abs()).fold(0.0, f64::max);
    if height > 0.0 { height } else { 1.0 }
}

/// What a comparison can vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A field of the settings.
    Field(String),
    /// The size of a cell of the first octave, in pixels.
    Cell,
    /// The seed.
    Seed,
}

impl Variable {
    /// The variable called `name`. Whether there is such a field is known when it is set.
    pub fn named(name: &str) -> Self {
        match name {
            "cell" => Self::Cell,
            "seed" => Self::Seed,
            field => Self::Field(field.to_owned()),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Field(name) => name,
            Self::Cell => "cell",
            Self::Seed => "seed",
        }
    }

    /// What to type for one value.
    pub fn option(&self, value: &str) -> String {
        match self {
            Self::Field(name) => format!("--set {name}={value}"),
            Self::Cell | Self::Seed => format!("--{} {value}", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_as_it_is_and_a_source_of_it_are_the_same_noise() {
        for preset in NoisePreset::ALL {
            for seed in [0, 42] {
                let source = Source::preset(preset, seed);
                assert_eq!(source.noise(), preset.noise(seed), "{}", preset.name);
                assert_eq!(source.noise_in_space(), preset.fractal::<3>(seed), "{}", preset.name);
            }
        }
    }

    #[test]
    fn four_numbers_ask_for_a_grid_of_any_size() {
        let settings = NoiseSettings::single_octave_grid([50, 50], 20.0);
        let [ours, published] = [Source::grid([51, 51], 20.0, 42).noise(), Noise::seeded(&settings, 42, 0)];
        // More nodes than settings allow.
        let wide = Source::grid([5000, 2], 20.0, 42).noise();
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..500 {
            let [x, y] = [rng.next_unit() * 1000.0, rng.next_unit() * 1000.0];
            assert_eq!(ours.value(x, y), published.value(x, y), "at {x}, {y}");
        }
        let apart = |units: f64| (wide.sample(30_010.0, 7.0).value - wide.sample(30_010.0 + units, 7.0).value).abs();
        assert!(apart(5000.0 * 20.0) < 1e-9, "it repeats after 5000 cells");
        assert!(apart(-1024.0 * 20.0) > 1e-3, "and not before");
    }

    #[test]
    fn a_layer_is_the_same_as_in_its_terrain() {
        for lattice in [LatticeKind::FastHash, LatticeKind::Ward, LatticeKind::Grid] {
            let settings = NoiseSettings { lattice, offset_octaves: false, ..NoiseSettings::default() };
            let source = Source { name: String::new(), settings: settings.clone(), seed: 7, kind: Kind::Layer(2) };
            assert_eq!(source.noise(), Noise::seeded(&settings, 7, 2));
            assert_eq!(source.noise_in_space(), Fractal::seeded(&settings, 7, 2));
        }
    }

    #[test]
    fn a_permutation_has_a_seed_if_it_is_shuffled_or_octaves_have_offsets() {
        for (name, value) in [("permutation", "Shuffled"), ("offset_octaves", "true")] {
            let [mut one, mut other] =
                [1, 2].map(|seed| Source::preset(NoisePreset::find("diagonals").expect("a preset"), seed));
            assert!(!one.settings.has_seed() && one.noise() == other.noise());
            for source in [&mut one, &mut other] {
                source.set(&Variable::named(name), value).expect("it is allowed");
            }
            assert!(one.settings.has_seed() && one.noise() != other.noise(), "{name}");
        }
    }

    #[test]
    fn the_grid_gives_way_to_other_settings() {
        let mut source = Source::grid([5, 5], 20.0, 42);
        for (name, value) in [("lattice", "FastHash"), ("octaves", "3")] {
            source.set(&Variable::named(name), value).expect("it is allowed");
        }
        assert_eq!(source.noise(), Noise::seeded(&source.settings, 42, 0));
    }

    #[test]
    fn fields_cells_and_seeds_can_vary() {
        let mut source = Source::preset(NoisePreset::find("warped").expect("a preset"), 1);
        for (name, value) in [("octaves", "2"), ("cell", "64"), ("seed", "9")] {
            assert_eq!(Variable::named(name).name(), name);
            assert_eq!(source.set(&Variable::named(name), value), Ok(()));
        }
        assert_eq!((source.settings.octaves, source.seed, source.cell_size()), (2, 9, 64.0));
        assert_eq!(source.settings.warp_strength, 45.0, "the warp scales with the cells, from 128 to 64");
        assert!(source.set(&Variable::Cell, "1").unwrap_err().contains("from 2 to 1000000"));
        assert!(source.set(&Variable::Seed, "-1").unwrap_err().starts_with("`seed` is -1, allowed: 0 to "));
    }

    #[test]
    fn octaves_finer_than_pixels_are_told_with_what_to_type() {
        let mut source = Source::preset(NoisePreset::find("ward").expect("a preset"), 1);
        assert_eq!(source.warning(), None, "its band ends at 0.5");
        source.settings.max_frequency = 0.0;
        source.settings.octaves = 7;
        assert_eq!(source.warning(), None, "an octave of 0.8 % cannot be seen");
        source.settings.persistence = 1.0;
        let text = source.warning().expect("an octave of a seventh can be seen");
        assert_eq!(
            text,
            "6 of 7 octaves can be drawn as they are: the finest has 0.64 cells a pixel, more than 0.5; type --set octaves=6, \
             or --cell 128"
        );
        for (name, value) in [("octaves", "6"), ("cell", "128")] {
            let mut source = source.clone();
            source.set(&Variable::named(name), value).expect("it is allowed");
            assert_eq!(source.warning(), None, "{name}={value} helps");
        }
        // A cell of 5e11 pixels could not be typed.
        source.settings.octaves = 32;
        let text = source.warning().expect("26 octaves can be seen");
        assert!(text.ends_with("more than 0.5; type --set octaves=6"), "{text}");
        source.settings.frequency = 0.6;
        let text = source.warning().expect("32 octaves can be seen");
        assert!(text.ends_with("cells a pixel, more than 0.5"), "{text}");
    }
}
