//! From the command line as typed to what there is to do.

use crate::animation::Frames;
use crate::arguments::{Arguments, mistake_with_usage};
use crate::arrows::MIN_CELL;
use crate::canvas::MAX_BYTES;
use crate::compare::{self, Comparison, Tile, Variation, idle};
use crate::destination::Destination;
use crate::encode::Format;
use crate::graph::{self, Graph};
use crate::map::Map;
use crate::messages::tell;
use crate::output::{Formats, Output};
use crate::settings_file;
use crate::source::{Kind, Source, Variable};
use crate::stop::Stop;
use crate::values::Seed;
use crate::words::{Numbers, Words};
use perlin_terrain::noise::NoisePreset;

/// The task.
pub enum Job {
    /// Say what there is to choose from.
    List,
    /// Draw all presets.
    Gallery(Destination),
    /// Draw every kind of layer, blend and mask.
    LayerGallery(Destination),
    /// Draw a map, or an animation of maps.
    Map(Map, Destination),
    /// Draw a sheet of tiles.
    Compare(Comparison, Destination),
    /// Draw a graph.
    Graph(Graph, Destination),
    /// Write this module of a shader.
    Wesl(String, Source, Option<Destination>),
}

impl Job {
    /// The job that `arguments` ask for. Reads the settings file, if there is one.
    pub fn new(arguments: Arguments) -> Result<Self, Stop> {
        let Words { numbers, file } = Words::sort(&arguments)?;
        if arguments.list {
            return Ok(Self::List);
        }
        let output = Output { file, format: arguments.format, force: arguments.force };
        let gallery = Formats { allowed: &[Format::Png, Format::Pgm], reason: "a gallery" };
        if arguments.gallery {
            return output.destination("noise_gallery", &gallery).map(Self::Gallery);
        }
        if arguments.layer_gallery {
            return output.destination("layer_gallery", &gallery).map(Self::LayerGallery);
        }
        let mut source = source(&arguments, numbers)?;
        change(&mut source, &arguments)?;
        if let Some(dimensions) = arguments.wesl {
            let wrong = |error| Stop::Mistake(format!("--wesl: {error}"));
            let module = source.wesl(dimensions).map_err(wrong)?;
            let destination = match &output.file {
                // Text suits a terminal.
                None => None,
                Some(file) if file == "-" => None,
                Some(_) => {
                    let formats = Formats { allowed: &[Format::Wesl], reason: "--wesl" };
                    Some(output.destination(&source.name, &formats)?)
                }
            };
            return Ok(Self::Wesl(module, source, destination));
        }
        let variations = variations(&arguments.compare)?;
        let tiles = if variations.is_empty() { Vec::new() } else { tiles(&source, &variations)? };
        let size = arguments.size.or(numbers.map(|numbers| numbers.size));
        let offset = arguments.offset.unwrap_or([0.0; 2]);
        let stem = stem(&source, &variations);
        if arguments.graph {
            if arguments.line && offset[1] != 0.0 {
                return Err(Stop::Mistake(format!("--line has no y: type --offset {},0", offset[0])));
            }
            let size = size.unwrap_or([960, 540]);
            let graph = Graph { source, tiles, size, offset, is_line: arguments.line };
            check_graph(&graph)?;
            let formats = Formats { allowed: &[Format::Svg], reason: "--graph" };
            let line = if graph.is_line { "_line" } else { "" };
            let destination = output.destination(&format!("{stem}{line}_graph"), &formats)?;
            let length = f64::from(size[0]);
            warn_about_idle(&variations, &graph.tiles, |source| {
                let along = |part: f64| offset[0] + part * length;
                if graph.is_line {
                    let noise = source.noise_on_line();
                    parts().map(|[part, _]| noise.value([along(part)])).collect()
                } else {
                    let noise = source.noise();
                    parts().map(|[part, _]| noise.sample([along(part), offset[1]]).value).collect()
                }
            });
            return Ok(Self::Graph(graph, destination));
        }
        let side = if tiles.is_empty() { 512 } else { 256 };
        let mut map = Map {
            size: size.unwrap_or([side; 2]),
            offset,
            slice: arguments.slice,
            ramp: arguments.color,
            is_stretched: arguments.stretch,
            has_gradients: arguments.gradients,
            has_normals: arguments.normals,
            frames: None,
            source,
        };
        if tiles.is_empty() {
            map.frames = Frames::new(&arguments, &mut map.source, &mut map.slice)?;
            check_map(&map)?;
            let destination = output.destination(&stem, &map_formats(&map))?;
            return Ok(Self::Map(map, destination));
        }
        let columns = match &variations[..] {
            [first, _] => first.values.len() as u32,
            _ => compare::columns(tiles.len() as u32),
        };
        let destination = output.destination(&stem, &sheet_formats(&map))?;
        warn_about_idle(&variations, &tiles, |source| {
            let positions =
                parts().map(|parts| [0, 1].map(|axis| map.offset[axis] + parts[axis] * f64::from(map.size[axis])));
            match map.slice {
                None => {
                    let noise = source.noise();
                    positions.map(|[x, y]| noise.sample([x, y]).value).collect()
                }
                Some(z) => {
                    let noise = source.noise_in_space();
                    positions.map(|[x, y]| noise.sample([x, y, z]).value).collect()
                }
            }
        });
        Ok(Self::Compare(Comparison { map, tiles, columns }, destination))
    }
}

/// Says which variations show nothing, because the source does not use their field.
fn warn_about_idle(variations: &[Variation], tiles: &[Tile], values: impl Fn(&Source) -> Vec<f64>) {
    for variation in idle(variations, tiles, values) {
        let name = variation.variable.name();
        tell(&format!(
            "warning: --compare {name} changes nothing in this image: tiles that differ in it alone are the same"
        ));
    }
}

/// Positions that lie evenly in an image, in parts of its width and its height.
fn parts() -> impl Iterator<Item = [f64; 2]> {
    // The additive sequence of the plastic number: Martin Roberts, *The Unreasonable Effectiveness of Quasirandom Sequences* (2018).
    const STEP: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    (0..256).map(|index| STEP.map(|step| (f64::from(index) * step).fract()))
}

/// The default name of an image, without its ending.
fn stem(source: &Source, variations: &[Variation]) -> String {
    let Source { name, seed, .. } = source;
    let fields: Vec<_> = variations.iter().map(|variation| variation.variable.name()).collect();
    match source.kind {
        _ if !fields.is_empty() => format!("{name}_{}", fields.join("_")),
        // As the exercise has it.
        Kind::Grid(_) => format!("PerlinNoise_{seed}"),
        Kind::Preset | Kind::Layer(_) => format!("{name}_{seed}"),
    }
}

/// The source, before any option has changed it.
fn source(arguments: &Arguments, numbers: Option<Numbers>) -> Result<Source, Stop> {
    let seed = arguments.seed;
    if let Some(Numbers { size, cell_size, seed }) = numbers {
        for (is_given, option) in [
            (arguments.size.is_some(), "--size"),
            (arguments.cell.is_some(), "--cell"),
            (arguments.seed.is_some(), "--seed"),
        ] {
            if is_given {
                return Err(Stop::Mistake(format!(
                    "the four numbers give the size, the cell and the seed: drop {option}"
                )));
            }
        }
        announce(seed);
        return Ok(Source::grid(size, cell_size, seed.value));
    }
    if let Some(seed) = seed {
        announce(seed);
    }
    if let Some(path) = &arguments.layer_of {
        let layer = settings_file::read(path, arguments.layer)?;
        let stem = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let stem = stem.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("noise").to_owned();
        let name = if layer.seed.is_none() { stem } else { format!("{stem}_layer{}", layer.index) };
        let seed = seed.map(|seed| seed.value).or(layer.seed).unwrap_or(42);
        return Ok(Source { name, settings: layer.settings, seed, kind: Kind::Layer(layer.stream.into()) });
    }
    let preset = arguments.preset.as_deref().and_then(NoisePreset::find);
    let preset =
        preset.ok_or_else(|| mistake_with_usage("which noise? type a preset, as in noise_map --preset ridged"))?;
    Ok(Source::preset(preset, seed.map_or(42, |seed| seed.value)))
}

/// Says which seed was random, so that the image can be drawn again.
fn announce(seed: Seed) {
    if seed.is_random {
        tell(&format!("seed: {}", seed.value));
    }
}

/// Changes the source as --set and --cell say.
fn change(source: &mut Source, arguments: &Arguments) -> Result<(), Stop> {
    // What has said how large cells are.
    let mut size_option = arguments.cell.map(|_| "--cell".to_owned());
    for text in &arguments.set {
        let wrong = |error: String| Stop::Mistake(format!("--set {text}: {error}"));
        let (name, value) =
            text.split_once('=').ok_or_else(|| wrong("must be a field and its value, such as octaves=3".to_owned()))?;
        let variable = Variable::named(name);
        if matches!(variable, Variable::Cell | Variable::Seed) {
            return Err(wrong(format!("type {}", variable.option(value))));
        }
        source.set(&variable, value).map_err(wrong)?;
        // A wavelength of 0 leaves it to the frequency.
        if variable.sizes_cells() && !(name == "wavelength" && source.settings.wavelength == 0.0) {
            let option = format!("--set {name}");
            if let Some(other) = size_option.replace(option.clone()).filter(|other| *other != option) {
                return Err(wrong(format!("{other} gives the size of cells too: type one of them")));
            }
        }
    }
    if let Some(cell) = arguments.cell {
        source.settings = source.settings.with_cells_of(cell);
    }
    source.check().map_err(Stop::Mistake)
}

fn tiles(source: &Source, variations: &[Variation]) -> Result<Vec<Tile>, Stop> {
    compare::tiles(source, variations).map_err(|error| Stop::Mistake(format!("--compare {error}")))
}

fn variations(texts: &[String]) -> Result<Vec<Variation>, Stop> {
    let read =
        |text: &String| Variation::read(text).map_err(|error| Stop::Mistake(format!("--compare {text}: {error}")));
    let variations: Vec<_> = texts.iter().map(read).collect::<Result<_, _>>()?;
    match &variations[..] {
        [one, other] if one.variable == other.variable => {
            let name = one.variable.name();
            Err(Stop::Mistake(format!("--compare {name} stands there twice: type all of its values in one list")))
        }
        [one, other] if one.variable.sizes_cells() && other.variable.sizes_cells() => {
            let [one, other] = [one.variable.name(), other.variable.name()];
            Err(Stop::Mistake(format!(
                "--compare {one} and --compare {other} both give the size of cells: type one of them"
            )))
        }
        [_, _, _, ..] => Err(Stop::Mistake("a sheet has two sides: type --compare at most twice".to_owned())),
        _ => Ok(variations),
    }
}

/// The formats of a map.
fn map_formats(map: &Map) -> Formats {
    let Map { ramp, has_gradients, has_normals, frames, is_stretched, source, .. } = map;
    let (allowed, reason): (&[_], _) = if ramp.is_some() {
        (&[Format::Png], "--color")
    } else if *has_gradients {
        (&[Format::Png], "--gradients")
    } else if *has_normals {
        (&[Format::Png], "--normals")
    } else if frames.is_some() {
        (&[Format::Png, Format::Png16], "--frames")
    } else if *is_stretched {
        (&[Format::Png, Format::Png16, Format::Pgm, Format::Pgm16], "--stretch")
    } else if matches!(source.kind, Kind::Grid(_)) {
        (&[Format::Pgm, Format::Pgm16, Format::Png, Format::Png16, Format::Raw], "a map")
    } else {
        (&[Format::Png, Format::Png16, Format::Pgm, Format::Pgm16, Format::Raw], "a map")
    };
    Formats { allowed, reason }
}

/// The formats of a sheet.
fn sheet_formats(map: &Map) -> Formats {
    match map.ramp {
        Some(_) => Formats { allowed: &[Format::Png], reason: "--color" },
        None => Formats { allowed: &[Format::Png, Format::Pgm], reason: "--compare" },
    }
}

fn check_graph(graph: &Graph) -> Result<(), Stop> {
    let max = graph::MAX_SIDE;
    if graph.size.iter().any(|&side| side > max) {
        return Err(Stop::Mistake(format!("a graph has at most {max} pixels along a side: type a smaller --size")));
    }
    Ok(())
}

fn check_map(map: &Map) -> Result<(), Stop> {
    let cell = map.source.cell_size();
    if map.has_gradients && cell < MIN_CELL {
        let wrong = format!("cells of {cell:.1} pixels have no room for arrows: type --gradients --cell 48");
        return Err(Stop::Mistake(wrong));
    }
    let [width, height] = map.size.map(u64::from);
    if map.frames.is_some() && width * height * 3 > MAX_BYTES {
        return Err(Stop::Mistake(format!(
            "a frame of {width} by {height} pixels is larger than 1 GiB: type a smaller --size"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destination::Target;
    use crate::ramp::Ramp;
    use perlin_terrain::noise::Fade;
    use std::ffi::OsString;

    fn job(line: &str) -> Result<Job, Stop> {
        Arguments::read(["noise_map"].into_iter().chain(line.split_whitespace()).map(OsString::from)).and_then(Job::new)
    }

    fn mistake(line: &str) -> String {
        match job(line) {
            Err(Stop::Mistake(text)) => text,
            Err(other) => panic!("'{line}' is no mistake: {other:?}"),
            Ok(_) => panic!("'{line}' is no mistake"),
        }
    }

    fn map(line: &str) -> (Map, Destination) {
        match job(line) {
            Ok(Job::Map(map, destination)) => (map, destination),
            Ok(_) => panic!("'{line}' asks for no map"),
            Err(error) => panic!("'{line}': {error:?}"),
        }
    }

    fn new(stem: &str, format: Format) -> Destination {
        Destination { target: Target::New { stem: stem.to_owned() }, format }
    }

    fn file(path: &str, format: Format) -> Destination {
        Destination { target: Target::File { path: path.into(), force: false }, format }
    }

    #[test]
    fn four_numbers_ask_for_a_pgm_named_after_the_seed() {
        let (map, destination) = map("1000 900 20 42");
        assert_eq!((map.size, map.source.cell_size(), map.source.seed), ([1000, 900], 20.0, 42));
        assert_eq!(map.source.kind, Kind::Grid([1000, 900]));
        assert_eq!(destination, new("PerlinNoise_42", Format::Pgm));
    }

    #[test]
    fn a_preset_needs_only_its_name() {
        let (map, destination) = map("--preset ridged");
        assert_eq!(
            (map.source.name.as_str(), map.source.seed, map.size, map.offset),
            ("ridged", 42, [512; 2], [0.0; 2])
        );
        assert_eq!(destination, new("ridged_42", Format::Png));
    }

    #[test]
    fn options_stand_in_any_order_and_change_the_noise() {
        let line =
            "a.pgm --cell 50 --preset=ward --set octaves=3 --set fade=Linear --size 640x480 --seed 7 --offset -1,2.5";
        let (map, destination) = map(line);
        let settings = &map.source.settings;
        assert_eq!((settings.octaves, settings.fade, map.source.cell_size()), (3, Fade::Linear, 50.0));
        assert_eq!((map.source.seed, map.size, map.offset), (7, [640, 480], [-1.0, 2.5]));
        assert_eq!(destination, file("a.pgm", Format::Pgm));
    }

    #[test]
    fn the_view_decides_on_the_format() {
        for (line, format) in [
            ("--preset ridged x.png", Format::Png),
            ("--preset ridged --format png16 x.png", Format::Png16),
            ("--preset ridged --format pgm16 x.dat", Format::Pgm16),
            ("--preset ridged x.raw", Format::Raw),
            ("8 8 4 1 --color fire x.png", Format::Png),
            ("--preset ridged --frames 3 --move 1,0 --format png16 x.png", Format::Png16),
        ] {
            assert_eq!(map(line).1.format, format, "{line}");
        }
        assert_eq!(map("8 8 4 1 --color fire").1, new("PerlinNoise_1", Format::Png));
        let Ok(Job::Graph(graph, destination)) = job("--preset ridged --graph") else { panic!("no graph") };
        assert_eq!((graph.size, destination), ([960, 540], new("ridged_42_graph", Format::Svg)));
        let line = "--preset ridged --graph --line --offset 5,0";
        let Ok(Job::Graph(graph, destination)) = job(line) else { panic!("no graph") };
        assert!(graph.is_line && graph.offset == [5.0, 0.0]);
        assert_eq!(destination, new("ridged_42_line_graph", Format::Svg));
        let line = "--preset ridged --graph --compare fade=Linear,Cubic";
        let Ok(Job::Graph(graph, destination)) = job(line) else { panic!("no graph") };
        assert_eq!((graph.tiles.len(), destination), (2, new("ridged_fade_graph", Format::Svg)));
        for (line, expected) in [
            (
                "--preset ridged a.jpg",
                "the name of the file 'a.jpg' must end in .png or .pgm or .raw, or type --format",
            ),
            ("--preset ridged --color fire a.pgm", "--color makes no pgm: name a file .png, or type --format png"),
            (
                "--preset ridged --gradients --format png16",
                "--gradients makes no png16: name a file .png, or type --format png",
            ),
            ("--preset ridged --normals a.pgm", "--normals makes no pgm: name a file .png, or type --format png"),
            ("--preset ridged --graph a.png", "--graph makes no png: name a file .svg, or type --format svg"),
            ("--preset ridged --stretch a.raw", "--stretch makes no raw: name a file .png, or type --format png"),
            ("--preset ridged a.svg", "a map makes no svg: name a file .png, or type --format png"),
            (
                "--preset ridged --compare octaves=1,2 a.raw",
                "--compare makes no raw: name a file .png, or type --format png",
            ),
            ("--gallery --format raw", "a gallery makes no raw: name a file .png, or type --format png"),
        ] {
            assert_eq!(mistake(line), expected);
        }
    }

    #[test]
    fn a_comparison_has_a_tile_for_each_value() {
        let line = "--preset ward --compare octaves=1..6 --color land";
        let Ok(Job::Compare(Comparison { map, tiles, columns }, destination)) = job(line) else {
            panic!("no comparison")
        };
        assert_eq!((map.size, map.ramp, tiles.len(), columns), ([256; 2], Some(Ramp::Land), 6, 3));
        assert_eq!(destination, new("ward_octaves", Format::Png));
        let line = "--preset ward --compare seed=0..2 --compare lattice=Shift,Ward --size 64x32 x.pgm";
        let Ok(Job::Compare(Comparison { map, tiles, columns }, destination)) = job(line) else {
            panic!("no comparison")
        };
        assert_eq!((map.size, tiles.len(), columns), ([64, 32], 6, 3));
        assert_eq!(destination, file("x.pgm", Format::Pgm));
    }

    #[test]
    fn what_is_wrong_with_the_words_is_answered_with_what_to_type() {
        for (line, expected) in [
            ("", "which noise? type a preset, as in noise_map --preset ridged, or four numbers"),
            ("8", "four numbers are needed, imageHeight cellSize seed missing, as in noise_map 1000 1000 20 42"),
            ("8 8 4", "four numbers are needed, seed missing"),
            ("8 8 4 1 a.png b", "after four numbers, one file: drop 'b'"),
            ("ridged", "'ridged' is a preset: type noise_map --preset ridged"),
            (
                "--preset ridged 640 480 20 7",
                "--preset ridged and four numbers are two sources: type one, as in noise_map --preset ridged --size 640x480 \
                 --cell 20 --seed 7",
            ),
            ("--preset ridged a.png b.png", "--preset ridged takes one file: drop 'b.png'"),
            ("--preset ridged --layer-of x.ron", "--preset and --layer-of are two sources: type one of them"),
            ("--preset ridged --layer 1", "--layer needs --layer-of"),
            ("--list a.png", "--list writes no file: drop 'a.png'"),
            ("--gallery 8 8 4 1", "--gallery takes one file: drop '8'"),
        ] {
            let text = mistake(line);
            assert!(text.starts_with(expected) && text.contains("\n\nUsage: noise_map "), "{line}: {text}");
        }
    }

    #[test]
    fn values_that_make_no_image_are_refused_in_one_line() {
        let side = "must be a whole number of pixels from 1 to 16777216";
        for (line, expected) in [
            ("0 8 4 1", format!("invalid value '0' for <imageWidth>: {side}")),
            ("8 -5 4 1", format!("invalid value '-5' for <imageHeight>: {side}")),
            (
                "8 8 1.5 1",
                "invalid value '1.5' for <cellSize>: must be a number of pixels from 2 to 1000000".to_owned(),
            ),
            (
                "8 8 4 -1",
                "invalid value '-1' for <seed>: must be a whole number from 0 to 18446744073709551615, or random"
                    .to_owned(),
            ),
            ("8 8 4 1 --size 9x9", "the four numbers give the size, the cell and the seed: drop --size".to_owned()),
            ("8 8 4 1 --set octaves", "--set octaves: must be a field and its value, such as octaves=3".to_owned()),
            (
                "8 8 4 1 --set warp_octaves=40",
                "--set warp_octaves=40: `warp_octaves` is 40, allowed: a whole number, 1 to 8".to_owned(),
            ),
            ("--preset ridged --set cell=40", "--set cell=40: type --cell 40".to_owned()),
            (
                "--preset ridged --cell 9 --set frequency=0.1",
                "--set frequency=0.1: --cell gives the size of cells too: type one of them".to_owned(),
            ),
            (
                "--preset ridged --set wavelength=9 --cell 9",
                "--set wavelength=9: --cell gives the size of cells too: type one of them".to_owned(),
            ),
            (
                "--preset ridged --set wavelength=9 --set frequency=0.1",
                "--set frequency=0.1: --set wavelength gives the size of cells too: type one of them".to_owned(),
            ),
            (
                "--preset ridged --compare cell=9,10 --compare frequency=0.1,0.2",
                "--compare cell and --compare frequency both give the size of cells: type one of them".to_owned(),
            ),
            (
                "8 8 4 1 --compare octaves=",
                "--compare octaves=: `octaves` has no values, allowed: a whole number, 0 to 32; type such as octaves=1..4"
                    .to_owned(),
            ),
            (
                "8 8 4 1 --set fade=linear",
                "--set fade=linear: `fade` is linear, did you mean Linear? allowed: Linear, Cubic, Quintic, MinimalCubic"
                    .to_owned(),
            ),
            (
                "8 8 4 1 --compare fade=Linear,cubic",
                "--compare fade=cubic: `fade` is cubic, did you mean Cubic? allowed: Linear, Cubic, Quintic, MinimalCubic".to_owned(),
            ),
            (
                "32768 32768 20 1 --set wavelength=2",
                "16384 by 16384 cells are too many, this image needs a cell size of at least 9".to_owned(),
            ),
            (
                "--preset ridged --graph --line --offset 3,4",
                "--line has no y: type --offset 3,0".to_owned(),
            ),
            (
                "--preset ridged --gradients --cell 9",
                "cells of 9.0 pixels have no room for arrows: type --gradients --cell 48".to_owned(),
            ),
            (
                "--preset ridged --compare octaves=1,2 --compare octaves=3,4",
                "--compare octaves stands there twice: type all of its values in one list".to_owned(),
            ),
            (
                "--preset ridged --frames 9 --move 1,0,1",
                "--move with a third number moves through space: type --slice 0 too, or drop that number".to_owned(),
            ),
            (
                "--preset ridged --frames 9 --flow",
                "only the lattices Table and Grid have gradients that --flow can turn: type --set lattice=Table".to_owned(),
            ),
            (
                "--preset ridged --frames 9 --move 1,0 --size 20000x20000",
                "a frame of 20000 by 20000 pixels is larger than 1 GiB: type a smaller --size".to_owned(),
            ),
        ] {
            assert_eq!(mistake(line), expected);
        }
    }

    #[test]
    fn a_grid_that_would_fill_the_memory_is_refused_with_the_cell_size_that_works() {
        let text = mistake("32768 32768 2.5 1");
        assert!(text.contains("'2.5'") && text.contains("13108 by 13108") && text.ends_with("at least 9"), "{text}");
        assert!(mistake("32768 32768 8 1").ends_with("at least 9"), "4097 by 4097 nodes are just above the limit");
        map("32768 32768 9 1");
        map("32768 16 2 1");
        let text = mistake("16777216 16777216 2 1");
        assert!(text.contains("needs a cell size of at least"), "{text}");
    }

    #[test]
    fn a_list_and_a_gallery_need_nothing() {
        assert!(matches!(job("--list"), Ok(Job::List)));
        let Ok(Job::Gallery(default)) = job("--gallery") else { panic!("no gallery") };
        assert_eq!(default, new("noise_gallery", Format::Png));
        let Ok(Job::Gallery(chosen)) = job("--gallery b.png --force") else { panic!("no gallery") };
        assert_eq!(chosen.target, Target::File { path: "b.png".into(), force: true });
    }
}
