//! A sheet that compares noises: a tile for each value of a field, or for each pair of values of two.

use crate::canvas::Canvas;
use crate::encode::Pixels;
use crate::font;
use crate::map::Map;
use crate::sampler::{EMPTY_RANGE, Sampler, bands};
use crate::shader::{FULL_RANGE, Shader};
use crate::sheet::Sheet;
use crate::source::{Source, Variable, common_height};
use crate::stop::Stop;
use crate::watch::Watch;
use std::io;

/// Values of one field. A sheet of more could not be read.
const MOST_VALUES: usize = 64;

const CAPTION: u8 = 214;
/// Pixels between a tile and its caption.
const GAP_ABOVE: u32 = 6;

/// A field and the values that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// What varies.
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
        let mut values = Vec::new();
        for item in list.split(',') {
            match item.split_once("..") {
                Some((first, last)) => values.extend(range(first, last)?),
                None => values.push(item.to_owned()),
            }
        }
        let variable = Variable::named(name);
        match values.len() {
            2..=MOST_VALUES => Ok(Self { variable, values }),
            1 => {
                let one = variable.option(list);
                Err(format!("must have two values or more, such as {name}={list},.. ; for one, type {one}"))
            }
            count => Err(format!("has {count} values, and a sheet has room for {MOST_VALUES}")),
        }
    }
}

/// The whole numbers from `first` to `last`, both included.
fn range(first: &str, last: &str) -> Result<Vec<String>, String> {
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last && last - first < MOST_VALUES as u64 => {
            Ok((first..=last).map(|value| value.to_string()).collect())
        }
        (Ok(first), Ok(last)) if first <= last => {
            let count = u128::from(last - first) + 1;
            Err(format!("has {count} values, and a sheet has room for {MOST_VALUES}"))
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
    /// What is special about it.
    pub captions: Vec<String>,
}

/// The tiles for one or two variations of `source`, row by row. The values of the first stand side by side.
pub fn tiles(source: &Source, variations: &[Variation]) -> Result<Vec<Tile>, String> {
    let mut tiles = vec![Tile { source: source.clone(), captions: Vec::new() }];
    // The last field varies slowest.
    for Variation { variable, values } in variations.iter().rev() {
        let mut varied = Vec::with_capacity(tiles.len() * values.len());
        for tile in &tiles {
            for value in values {
                let mut tile = tile.clone();
                tile.source.set(variable, value)?;
                tile.captions.insert(0, format!("{} {value}", variable.name()));
                varied.push(tile);
            }
        }
        tiles = varied;
    }
    Ok(tiles)
}

/// Tiles on a sheet.
pub struct Comparison {
    /// What to draw of each noise.
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
            let [left, top] = sheet.place(index as u32);
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
    use bevy_perlin_terrain::noise::{Fade, LatticeKind, NoisePreset};

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
        for (text, part) in [
            ("octaves", "such as octaves=1..6"),
            ("octaves=3", "type --set octaves=3"),
            ("seed=3", "type --seed 3"),
            ("cell=40", "type --cell 40"),
            ("octaves=6..1", "such as 1..6"),
            ("persistence=0.1..0.5", "such as 0.1,0.2"),
            ("seed=0..99", "has 100 values"),
            ("seed=0..18446744073709551615", "room for 64"),
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
    fn a_value_that_is_not_allowed_is_named() {
        let text = tiles(&source("ward"), &variations(&["warp_octaves=7..9"])).unwrap_err();
        assert_eq!(text, "`warp_octaves` is 9, allowed: a whole number, 1 to 8");
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
                let [left, top] = sheet.place(index as u32);
                for (x, y) in [(3, 4), (150, 39), (77, 20)] {
                    let value = height * source.noise().value(f64::from(x), f64::from(y));
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
        let fields = crate::field::list().join(" ");
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
