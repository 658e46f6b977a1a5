//! The noise that is drawn.

use crate::field;
use crate::values::Dimensions;
use crate::{values, words};
use perlin_terrain::noise::{
    AnyLattice, Fractal, GridGradients, LatticeKind, Noise, NoisePreset, NoiseRng, NoiseSettings, WeslError,
};

/// Cells a pixel that can be shown: the band limit of [`NoiseSettings::usable_octaves`].
const MAX_CELLS_PER_PIXEL: f64 = 0.5;

/// The part of all amplitudes that is too little to be seen: two or three of 256 shades.
const HARDLY_SEEN: f64 = 0.02;

/// A noise that can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The name of a preset or of a file.
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
    /// Four numbers: a grid as large as an image of this width and height.
    Grid([u32; 2]),
    /// A preset.
    Preset,
    /// A layer of a terrain, by its random stream.
    Layer(u64),
}

impl Source {
    /// One octave over a grid as large as an image of `size`, with cells of `cell_size` pixels.
    pub fn grid(size: [u32; 2], cell_size: f64, seed: u64) -> Self {
        // The period would be limited, the grid is not.
        let settings =
            NoiseSettings { period_x: 0, period_y: 0, ..NoiseSettings::single_octave_grid([0, 0], cell_size) };
        Self { name: "grid".to_owned(), settings, seed, kind: Kind::Grid(size) }
    }

    /// A preset.
    pub fn preset(preset: &NoisePreset, seed: u64) -> Self {
        Self { name: preset.name.to_owned(), settings: preset.settings(), seed, kind: Kind::Preset }
    }

    /// Changes a field of the noise, the size of its cells, or its seed.
    pub fn set(&mut self, field: &Variable, value: &str) -> Result<(), String> {
        match field {
            Variable::Field(name) => {
                field::set(&mut self.settings, name, value)?;
                if name == "frequency" {
                    // A wavelength would count in its place.
                    self.settings.wavelength = 0.0;
                }
            }
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
        match (kind, self.nodes()) {
            (_, Some(nodes)) => {
                Noise::new(GridGradients::new(&mut NoiseRng::new(*seed, 0), nodes).flowed(settings.flow), settings)
            }
            (Kind::Layer(stream), _) => Noise::seeded(settings, *seed, *stream),
            (Kind::Grid(_) | Kind::Preset, _) => Noise::from_published_seed(settings, *seed),
        }
    }

    /// The noise in one dimension, in double precision, with the seeds of the noise in the plane. It is another noise than that in
    /// the plane, with the same settings.
    pub fn noise_on_line(&self) -> Fractal<AnyLattice<1>, 1> {
        let Self { settings, seed, kind, .. } = self;
        match (kind, self.nodes()) {
            (_, Some([columns, _])) => {
                let grid = GridGradients::new(&mut NoiseRng::new(*seed, 0), [columns]).flowed(settings.flow);
                Fractal::new(grid.into(), settings)
            }
            (Kind::Layer(stream), _) => Fractal::seeded(settings, *seed, *stream),
            (Kind::Grid(_) | Kind::Preset, _) => Fractal::from_published_seed(settings, *seed),
        }
    }

    /// The noise as a module of a shader. In space it is another noise than in the plane, with the same settings.
    pub fn wesl(&self, dimensions: Dimensions) -> Result<String, WeslError> {
        let Self { settings, seed, kind, .. } = self;
        match (dimensions, kind) {
            (Dimensions::Plane, _) => self.noise().wesl(),
            (Dimensions::Space, Kind::Layer(stream)) => Noise::<3>::seeded(settings, *seed, *stream).wesl(),
            (Dimensions::Space, Kind::Grid(_) | Kind::Preset) => {
                Noise::<3>::from_published_seed(settings, *seed).wesl()
            }
        }
    }

    /// The nodes along each side of the grid of four numbers: as many as the image needs for cells of the present size. `None`
    /// for all other noises, and if options have made the grid one that repeats or another lattice.
    fn nodes(&self) -> Option<[u32; 2]> {
        let NoiseSettings { lattice, offset_octaves, period_x, period_y, .. } = self.settings;
        let is_plain = lattice == LatticeKind::Grid && !offset_octaves && period_x.max(period_y) == 0;
        match self.kind {
            Kind::Grid(size) if is_plain => Some(words::nodes(size, self.cell_size())),
            Kind::Grid(_) | Kind::Preset | Kind::Layer(_) => None,
        }
    }

    /// Refuses a grid that would fill the memory, and says which size of cells would do.
    pub fn check(&self) -> Result<(), String> {
        match self.kind {
            Kind::Grid(size) if self.nodes().is_some() => words::check_nodes(size, self.cell_size()),
            Kind::Grid(_) | Kind::Preset | Kind::Layer(_) => Ok(()),
        }
    }

    /// The noise in space. It is another noise than that in the plane, with the same settings.
    ///
    /// A grid repeats sooner in space, so that it fits in memory.
    pub fn noise_in_space(&self) -> Noise<3> {
        let Self { settings, seed, kind, .. } = self;
        match kind {
            Kind::Layer(stream) => Noise::seeded(settings, *seed, *stream),
            Kind::Grid(_) | Kind::Preset => Noise::from_published_seed(settings, *seed),
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
        let cell = (self.cell_size() * frequency / MAX_CELLS_PER_PIXEL).ceil();
        let remedies = [
            (usable > 0).then(|| format!("--set octaves={usable}")),
            values::CELL.contains(&cell).then(|| format!("--cell {cell}")),
        ];
        let remedies = remedies.into_iter().flatten().collect::<Vec<_>>().join(", or ");
        let advice = if remedies.is_empty() { String::new() } else { format!("; type {remedies}") };
        Some(format!(
            "{usable} of {count} octaves can be drawn as they are: the finest has {frequency:.2} cells a pixel, more than \
             {MAX_CELLS_PER_PIXEL}{advice}"
        ))
    }

    /// Pixels along a cell of the first octave.
    pub fn cell_size(&self) -> f64 {
        1.0 / self.settings.first_frequency()
    }
}

/// The divisor of values, so that they lie in about -1 to 1: the largest magnitude of a height scale. 1 if all are 0.
pub fn common_height<'a>(sources: impl IntoIterator<Item = &'a Source>) -> f64 {
    let height = sources.into_iter().map(|source| source.settings.height_scale.abs()).fold(0.0, f64::max);
    if height > 0.0 { height } else { 1.0 }
}

/// The names that a comparison can vary.
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
    /// The variable called `name`. Setting it fails if there is no such field.
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

    /// Whether it says how large cells are. Only one variable can.
    pub fn sizes_cells(&self) -> bool {
        matches!(self.name(), "cell" | "frequency" | "wavelength")
    }

    /// The option for one value.
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
                assert_eq!(
                    source.noise_in_space(),
                    Noise::from_published_seed(&preset.settings(), seed),
                    "{}",
                    preset.name
                );
            }
        }
    }

    #[test]
    fn four_numbers_ask_for_a_grid_of_any_size() {
        let settings = NoiseSettings::single_octave_grid([50, 50], 20.0);
        // The last of 50 cells ends where the image does, so there are 51 nodes; the settings say 50, and one more is drawn.
        let [ours, published] = [Source::grid([1000, 1000], 20.0, 42).noise(), Noise::seeded(&settings, 42, 0)];
        // More nodes than settings allow: 5000 by 2.
        let wide = Source::grid([99_980, 20], 20.0, 42).noise();
        let mut rng = NoiseRng::new(1, 0);
        for _ in 0..500 {
            let [x, y] = [rng.next_unit() * 1000.0, rng.next_unit() * 1000.0];
            assert_eq!(ours.value([x, y]), published.value([x, y]), "at {x}, {y}");
        }
        let apart =
            |units: f64| (wide.sample([30_010.0, 7.0]).value - wide.sample([30_010.0 + units, 7.0]).value).abs();
        assert!(apart(5000.0 * 20.0) < 1e-9, "it repeats after 5000 cells");
        assert!(apart(-1024.0 * 20.0) > 1e-3, "and not before");
    }

    #[test]
    fn the_grid_of_four_numbers_flows() {
        let at = |flow: &str| {
            let mut source = Source::grid([80, 60], 20.0, 42);
            source.set(&Variable::named("flow"), flow).expect("it is allowed");
            [source.noise().value([33.0, 47.0]), source.noise_on_line().value([33.0]) as f32]
        };
        assert_eq!(at("0"), at("1"));
        assert!(at("0").iter().zip(at("0.3")).all(|(still, flowed)| *still != flowed));
    }

    #[test]
    fn the_grid_fits_the_image_for_any_size_of_cells() {
        // However the size of cells is changed, the noise is that of four numbers with this size.
        for (name, value, cell_size) in [
            ("cell", "10", 10.0),
            ("frequency", "0.1", 10.0),
            ("wavelength", "10", 10.0),
            ("cell", "40", 40.0),
            ("frequency", "0.0625", 16.0),
        ] {
            let mut source = Source::grid([256, 100], 20.0, 42);
            source.set(&Variable::named(name), value).expect("it is allowed");
            let (found, expected) = (source.noise(), Source::grid([256, 100], cell_size, 42).noise());
            for (x, y) in [(0.3, 0.2), (139.9, 71.0), (140.1, 80.5), (255.0, 99.0)] {
                assert_eq!(found.value([x, y]), expected.value([x, y]), "{name}={value} at {x}, {y}");
            }
            let line =
                [&source, &Source::grid([256, 100], cell_size, 42)].map(|grid| grid.noise_on_line().value([150.3]));
            assert_eq!(line[0], line[1], "{name}={value} on a line");
            // 14 cells of 10 pixels are the grid of cells of 20.
            let repeats =
                (0..100).all(|x| found.value([f64::from(x), 7.3]) == found.value([f64::from(x) + 140.0, 7.3]));
            assert!(!repeats, "{name}={value} repeats within the image");
        }
    }

    #[test]
    fn a_grid_whose_cells_become_too_small_is_refused() {
        let mut source = Source::grid([32_768, 32_768], 20.0, 42);
        assert_eq!(source.check(), Ok(()));
        source.set(&Variable::Cell, "2").expect("it is a size of cells");
        let error = source.check().unwrap_err();
        assert!(error.contains("16384 by 16384 cells are too many") && error.ends_with("at least 9"), "{error}");
        source.set(&Variable::named("period_x"), "4").expect("it is allowed");
        assert_eq!(source.check(), Ok(()), "the grid of a period is small");
    }

    #[test]
    fn a_frequency_counts_in_place_of_a_wavelength() {
        let mut source = Source::preset(NoisePreset::find("ward").expect("a preset"), 1);
        for (name, value, cell_size) in [("wavelength", "40", 40.0), ("frequency", "0.0625", 16.0)] {
            source.set(&Variable::named(name), value).expect("it is allowed");
            assert_eq!(source.cell_size(), cell_size, "{name}={value}");
        }
    }

    #[test]
    fn a_layer_is_the_same_as_in_its_terrain() {
        for lattice in [LatticeKind::FastHash, LatticeKind::Ward, LatticeKind::Grid] {
            let settings = NoiseSettings { lattice, offset_octaves: false, ..NoiseSettings::default() };
            let source = Source { name: String::new(), settings: settings.clone(), seed: 7, kind: Kind::Layer(2) };
            assert_eq!(source.noise(), Noise::seeded(&settings, 7, 2));
            assert_eq!(source.noise_in_space(), Noise::seeded(&settings, 7, 2));
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
        let mut source = Source::grid([80, 80], 20.0, 42);
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
