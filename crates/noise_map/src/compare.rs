//! A sheet that compares noises: a tile for each value of a field, or for each pair of values of two.

use crate::canvas::Canvas;
use crate::encode::Pixels;
use crate::map::Map;
use crate::sampler::{EMPTY_RANGE, Sampler, bands};
use crate::shader::{FULL_RANGE, Shader};
use crate::sheet::Sheet;
use crate::source::{Source, Variable, common_height};
use crate::stop::Stop;
use crate::values::CELL;
use crate::watch::Watch;
use crate::{field, font};
use std::io;

/// Values of one field. A sheet of more could not be read.
const MAX_VALUES: usize = 64;

const CAPTION: u8 = 214;
/// Pixels between a tile and its caption.
const GAP_ABOVE: u32 = 6;

/// A field and the values that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The variable.
    pub variable: Variable,
    /// Its values, as typed.
    pub values: Vec<String>,
}

impl Variation {
    /// Reads `field=a,b,c` or `field=1..6`.
    pub fn read(text: &str) -> Result<Self, String> {
        let (name, list) = text
            .split_once('=')
            .ok_or("must be a field and its values, such as octaves=1..6 or fade=Linear,Quintic")?;
        let variable = Variable::named(name);
        let (example, allowed) = match &variable {
            Variable::Field(name) => field::example(name)?,
            Variable::Cell => ("20,40".to_owned(), format!("{} to {} pixels", CELL.start(), CELL.end())),
            Variable::Seed => ("1..4".to_owned(), format!("a whole number, 0 to {}", u64::MAX)),
        };
        let mut values = Vec::new();
        for item in list.split(',').map(str::trim) {
            match item.split_once("..") {
                Some((first, last)) => values.extend(range(first, last)?),
                None if item.is_empty() => {
                    let what = if list.trim().is_empty() { "no values" } else { "an empty value in its list" };
                    return Err(format!("`{name}` has {what}, allowed: {allowed}; type such as {name}={example}"));
                }
                None => values.push(item.to_owned()),
            }
        }
        match values.len() {
            2..=MAX_VALUES => Ok(Self { variable, values }),
            1 => {
                let one = variable.option(list);
                Err(format!("must have two values or more, such as {name}={list},.. ; for one, type {one}"))
            }
            count => Err(format!("has {count} values, and a sheet has room for {MAX_VALUES}")),
        }
    }
}

/// The whole numbers from `first` to `last`, both included.
fn range(first: &str, last: &str) -> Result<Vec<String>, String> {
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last && last - first < MAX_VALUES as u64 => {
            Ok((first..=last).map(|value| value.to_string()).collect())
        }
        (Ok(first), Ok(last)) if first <= last => {
            let count = u128::from(last - first) + 1;
            Err(format!("has {count} values, and a sheet has room for {MAX_VALUES}"))
        }
        _ => Err(format!(
            "must be a range of whole numbers, such as 1..6, or a list, such as 0.1,0.2; found {first}..{last}"
        )),
    }
}

/// A tile: its noise, and a line of caption for each field.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The noise.
    pub source: Source,
    /// Its differences from the others.
    pub captions: Vec<String>,
}

/// The tiles for one or two variations of `source`, row by row. The values of the first stand side by side.
pub fn tiles(source: &Source, variations: &[Variation]) -> Result<Vec<Tile>, String> {
    let count = variations.iter().map(|variation| variation.values.len()).product();
    let tile = |index: usize| {
        let mut stride = 1;
        let mut choices = Vec::new();
        for Variation { variable, values } in variations {
            choices.push((variable, &values[index / stride % values.len()]));
            stride *= values.len();
        }
        let captions = choices.iter().map(|(variable, value)| format!("{} {value}", variable.name())).collect();
        // The size of cells scales lengths and frequencies of the domain warp. If these vary too, they stay as typed.
        choices.sort_by_key(|(variable, _)| **variable != Variable::Cell);
        let mut source = source.clone();
        for (variable, value) in choices {
            let wrong = |error: String| format!("{}={value}: {error}", variable.name());
            source.set(variable, value).map_err(wrong)?;
            source.check().map_err(wrong)?;
        }
        Ok(Tile { source, captions })
    };
    (0..count).map(tile).collect()
}

/// The variations that change nothing: `values` of all tiles along them are the same.
pub fn idle<'a>(
    variations: &'a [Variation],
    tiles: &[Tile],
    values: impl Fn(&Source) -> Vec<f64>,
) -> Vec<&'a Variation> {
    let mut stride = 1;
    let is_idle = |variation: &&Variation| {
        let count = variation.values.len();
        let first = |index: usize| index - index / stride % count * stride;
        // Amplitudes are rounded, so values may differ a little.
        let is_same = |index: usize| {
            let [one, other] = [index, first(index)].map(|index| values(&tiles[index].source));
            let height = tiles[index].source.settings.height_scale.abs();
            one.iter().zip(&other).all(|(one, other)| (one - other).abs() <= 1e-9 * height)
        };
        let is_idle = (0..tiles.len()).filter(|&index| first(index) != index).all(is_same);
        stride *= count;
        is_idle
    };
    variations.iter().filter(is_idle).collect()
}

/// Tiles on a sheet.
pub struct Comparison {
    /// The view of each noise.
    pub map: Map,
    /// The noises.
    pub tiles: Vec<Tile>,
    /// Tiles side by side.
    pub columns: u32,
}

impl Comparison {
    /// An empty sheet with room for the tiles.
    pub fn canvas(&self) -> Result<Canvas, Stop> {
        self.layout().0.canvas(if self.map.ramp.is_some() { Pixels::Rgb8 } else { Pixels::Gray8 })
    }

    /// Where the tiles lie, and how large the letters of their captions are.
    fn layout(&self) -> (Sheet, u32) {
        let Self { map, tiles, columns } = self;
        let captions = tiles.iter().flat_map(|tile| &tile.captions);
        let widest = captions.map(|caption| font::width(caption)).max().unwrap_or(0);
        let scale = if 2 * widest <= map.size[0] { 2 } else { 1 };
        let lines = tiles.first().map_or(0, |tile| tile.captions.len() as u32);
        let height = map.size[1].saturating_add(GAP_ABOVE + lines * line_height(scale));
        let cell = [map.size[0].max(scale * widest), height];
        (Sheet { columns: *columns, count: tiles.len() as u32, tile: map.size, cell }, scale)
    }

    /// Draws the tiles.
    pub fn draw(&self, canvas: &mut Canvas, watch: &mut Watch) -> io::Result<()> {
        let Self { map, tiles, .. } = self;
        let (sheet, scale) = self.layout();
        let is_stretched = map.is_stretched || map.ramp.is_some();
        let rounds = if is_stretched { 2 } else { 1 };
        let part = |round: usize, index: usize| (round * tiles.len() + index) as f64 / (rounds * tiles.len()) as f64;
        let height = common_height(tiles.iter().map(|tile| &tile.source));
        let sampler = |tile: &Tile| Sampler::new(&tile.source, map.slice).in_units_of(height);
        let mut range = FULL_RANGE;
        if is_stretched {
            range = EMPTY_RANGE;
            for (index, tile) in tiles.iter().enumerate() {
                let before = |_| watch.note_progress(part(0, index));
                range = sampler(tile).widen(range, map.offset, map.size, before)?;
            }
        }
        let (mut values, mut bytes) = (Vec::new(), Vec::new());
        for (index, tile) in tiles.iter().enumerate() {
            let [left, top] = sheet.position(index as u32);
            let mut sampler = sampler(tile);
            let cell_size = tile.source.cell_size();
            let shader = Shader { pixels: canvas.pixels, ramp: map.ramp, range, cell_size };
            for (first, rows) in bands(map.size) {
                watch.note_progress(part(rounds - 1, index))?;
                let origin = [map.offset[0], map.offset[1] + f64::from(first)];
                bytes.clear();
                shader.draw(&mut sampler, origin, [map.size[0] as usize, rows as usize], &mut values, &mut bytes);
                canvas.put([left, top + first], map.size[0], &bytes);
            }
            for (caption, row) in tile.captions.iter().zip(0..) {
                let line = top + map.size[1] + GAP_ABOVE + row * line_height(scale);
                canvas.write([left, line], scale, CAPTION, caption);
            }
        }
        Ok(())
    }
}

/// Pixels from one line of a caption to the next.
const fn line_height(scale: u32) -> u32 {
    scale * (font::HEIGHT + 3)
}

/// How many of `count` tiles stand side by side: few enough for a page, and in full rows where that is possible.
pub fn columns(count: u32) -> u32 {
    if count <= 4 {
        return count;
    }
    let missing = |columns: u32| count.div_ceil(columns) * columns - count;
    (3..=6).min_by_key(|&columns| missing(columns)).unwrap_or(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_terrain::noise::{Fade, LatticeKind, NoisePreset};

    fn source(name: &str) -> Source {
        Source::preset(NoisePreset::find(name).expect("the name of a preset"), 42)
    }

    fn map(source: Source) -> Map {
        let offset = [0.0; 2];
        Map {
            source,
            size: [160, 40],
            offset,
            slice: None,
            ramp: None,
            is_stretched: false,
            has_gradients: false,
            has_normals: false,
            frames: None,
        }
    }

    fn drawn(comparison: Comparison) -> Canvas {
        let mut canvas = comparison.canvas().expect("it is small");
        comparison.draw(&mut canvas, &mut Watch::start()).expect("nothing fails");
        canvas
    }

    fn variations(texts: &[&str]) -> Vec<Variation> {
        texts.iter().map(|text| Variation::read(text).expect("it is well written")).collect()
    }

    #[test]
    fn values_are_lists_and_ranges() {
        let read = |text| Variation::read(text).map(|variation| variation.values.join(" "));
        assert_eq!(read("octaves=1..6"), Ok("1 2 3 4 5 6".to_owned()));
        assert_eq!(read("octaves=1..3,8"), Ok("1 2 3 8".to_owned()));
        assert_eq!(read("fade=Linear,Cubic"), Ok("Linear Cubic".to_owned()));
        assert_eq!(read("fade=Linear, Cubic"), Ok("Linear Cubic".to_owned()));
        for (text, part) in [
            ("octaves", "such as octaves=1..6"),
            ("octaves=3", "type --set octaves=3"),
            ("seed=3", "type --seed 3"),
            ("cell=40", "type --cell 40"),
            ("octaves=6..1", "such as 1..6"),
            ("persistence=0.1..0.5", "such as 0.1,0.2"),
            ("seed=0..99", "has 100 values"),
            ("seed=0..18446744073709551615", "room for 64"),
            ("octaves=", "`octaves` has no values, allowed: a whole number, 0 to 32; type such as octaves=1..4"),
            ("octaves= ", "`octaves` has no values, "),
            ("fade=", "Linear, Cubic, Quintic, MinimalCubic; type such as fade=Linear,Cubic"),
            ("cell=", "`cell` has no values, allowed: 2 to 1000000 pixels; type such as cell=20,40"),
            (
                "seed=",
                "`seed` has no values, allowed: a whole number, 0 to 18446744073709551615; type such as seed=1..4",
            ),
            ("persistence=0.5,", "`persistence` has an empty value in its list, allowed: 0 to 1; type such as"),
            ("octaves=1,,3", "`octaves` has an empty value in its list"),
            ("octaves=,", "`octaves` has an empty value in its list"),
            ("octaves=1..", "such as 1..6"),
            ("octavse=1,2", "unknown field `octavse`, did you mean `octaves`?"),
            ("Octaves=", "unknown field `Octaves`, did you mean `octaves`?"),
            ("Cell=20,40", "unknown field `Cell`, did you mean `cell`?"),
            ("=1,2", "unknown field ``: must be one of shape, octaves, "),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn one_field_makes_a_tile_for_each_value() {
        let tiles = tiles(&source("ward"), &variations(&["octaves=1..6"])).expect("the values are allowed");
        let octaves: Vec<_> = tiles.iter().map(|tile| (tile.source.settings.octaves, &tile.captions[..])).collect();
        assert_eq!(octaves[0], (1, &["octaves 1".to_owned()][..]));
        assert_eq!(octaves.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn two_fields_make_a_table_with_the_first_side_by_side() {
        let variations = variations(&["seed=0..2", "lattice=Shift,ShiftMult,Ward"]);
        let tiles = tiles(&source("ward"), &variations).expect("the values are allowed");
        assert_eq!(tiles.len(), 9);
        assert_eq!(tiles[0].captions, ["seed 0", "lattice Shift"]);
        assert_eq!((tiles[1].source.seed, tiles[1].source.settings.lattice), (1, LatticeKind::Shift));
        assert_eq!((tiles[5].source.seed, tiles[5].source.settings.lattice), (2, LatticeKind::ShiftMult));
    }

    #[test]
    fn every_tile_is_the_noise_that_its_caption_says() {
        // The warp is as typed, in whatever order: 128 pixels are a cell, and the strength scales with it.
        for texts in [["cell=64,128", "warp_strength=30,60"], ["warp_strength=30,60", "cell=64,128"]] {
            for Tile { source, captions } in tiles(&source("warped"), &variations(&texts)).expect("they are allowed") {
                let value = |name: &str| {
                    let caption = captions.iter().find_map(|caption| caption.strip_prefix(name));
                    caption.and_then(|value| value.trim().parse::<f64>().ok())
                };
                assert_eq!(Some(source.cell_size()), value("cell"), "{texts:?}");
                assert_eq!(Some(source.settings.warp_strength), value("warp_strength"), "{texts:?}");
            }
        }
        let grid = Source::grid([256, 256], 20.0, 42);
        for texts in [["cell=10,40"], ["frequency=0.1,0.025"], ["wavelength=10,40"]] {
            let tiles = tiles(&grid, &variations(&texts)).expect("they are allowed");
            for (tile, cell_size) in tiles.iter().zip([10.0, 40.0]) {
                let [found, expected] = [&tile.source, &Source::grid([256, 256], cell_size, 42)].map(Source::noise);
                assert!(
                    (0..256).map(f64::from).all(|x| found.value([x, 77.7]) == expected.value([x, 77.7])),
                    "{texts:?}"
                );
            }
        }
        let error = tiles(&Source::grid([32_768; 2], 20.0, 42), &variations(&["cell=20,2"])).unwrap_err();
        assert!(error.starts_with("cell=2: 16384 by 16384 cells are too many"), "{error}");
    }

    #[test]
    fn a_field_that_changes_nothing_is_found() {
        let values = |source: &Source| {
            let noise = source.noise();
            (0..50).map(|i| noise.sample([f64::from(i) * 5.3, f64::from(i) * 2.1]).value).collect()
        };
        for (name, texts, expected) in [
            ("ward", &["bits=1,6"][..], &["bits"][..]),
            ("ward", &["octaves=1..3", "bits=1..3"], &["bits"]),
            ("ward", &["bits=1..3", "octaves=1..3"], &["bits"]),
            ("mixed", &["amplitude=1,3"], &["amplitude"]),
            ("ward", &["warp_frequency=0.01,0.1"], &["warp_frequency"]),
            ("ward", &["warp_frequency=0.01,0.1", "warp_strength=0,40"], &[]),
            ("diagonals", &["seed=1..3"], &["seed"]),
            ("ward", &["seed=1..3", "octaves=1,2"], &[]),
            ("ward", &["fade=Linear,Cubic,Quintic,MinimalCubic"], &[]),
        ] {
            let variations = variations(texts);
            let tiles = tiles(&source(name), &variations).expect("they are allowed");
            let idle = idle(&variations, &tiles, values);
            let names: Vec<_> = idle.iter().map(|variation| variation.variable.name()).collect();
            assert_eq!(names, expected, "{texts:?}");
        }
    }

    #[test]
    fn a_value_that_is_not_allowed_is_named() {
        let text = tiles(&source("ward"), &variations(&["warp_octaves=7..9"])).unwrap_err();
        assert_eq!(text, "warp_octaves=9: `warp_octaves` is 9, allowed: a whole number, 1 to 8");
    }

    #[test]
    fn all_tiles_have_the_same_scale_of_gray_and_show_the_map() {
        let [first, second] = [Fade::Linear, Fade::Quintic].map(|fade| {
            let mut source = source("one_octave");
            source.settings.fade = fade;
            source
        });
        // The largest height is 2, so values are drawn in units of 2.
        let variations = variations(&["fade=Linear,Quintic", "height_scale=2,-1"]);
        let tiles = tiles(&source("one_octave"), &variations).expect("the values are allowed");
        let mut range = EMPTY_RANGE;
        for source in [&first, &second] {
            let mut sampler = Sampler::new(source, None);
            range = sampler.widen(range, [0.0; 2], [160, 40], |_| Ok(())).expect("nothing fails");
        }
        let [low, high] = range;
        for is_stretched in [false, true] {
            let map = Map { is_stretched, ..map(source("one_octave")) };
            let comparison = Comparison { map, tiles: tiles.clone(), columns: 2 };
            let sheet = comparison.layout().0;
            let canvas = drawn(comparison);
            let [low, high] = if is_stretched { [low.min(-0.5 * high), high.max(-0.5 * low)] } else { FULL_RANGE };
            for (index, (source, height)) in
                [(&first, 1.0), (&second, 1.0), (&first, -0.5), (&second, -0.5)].into_iter().enumerate()
            {
                let [left, top] = sheet.position(index as u32);
                for (x, y) in [(3, 4), (150, 39), (77, 20)] {
                    let value = height * source.noise().value([f64::from(x), f64::from(y)]);
                    let expected = (value - low) / (high - low) * 255.0;
                    let found = f32::from(canvas.bytes[((top + y) * canvas.size[0] + left + x) as usize]);
                    assert!((found - expected).abs() <= 1.0, "tile {index} at {x}, {y}: {found}, not {expected}");
                }
            }
        }
    }

    #[test]
    fn captions_make_room_and_the_font_has_their_letters() {
        let variations = variations(&["warp_frequency=0.0001,0.001"]);
        let tiles = tiles(&source("mixed"), &variations).expect("the values are allowed");
        let map = Map { size: [20, 20], ..map(source("mixed")) };
        let canvas = drawn(Comparison { map, tiles: tiles.clone(), columns: 2 });
        assert_eq!(canvas.size[0], 3 * 14 + 2 * font::width("warp_frequency 0.0001"));
        let fields = field::list().join(" ");
        for letter in fields.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_') {
            assert!(font::has(letter), "the font has no '{letter}'");
        }
        assert!("-.".chars().all(font::has));
    }

    #[test]
    fn rows_are_full_where_that_is_possible() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12].map(columns), [1, 2, 3, 4, 5, 3, 4, 4, 3, 5, 3]);
    }
}
