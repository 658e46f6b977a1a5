//! Malformed settings files: random typos, fragments of syntax, and very large texts. Reading them never panics, takes time in
//! proportion to their length, and every error has a place in the text.

use perlin_terrain::settings::TerrainSettings;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::cell::Cell;
use testing::for_all;

const PRESETS: [&str; 8] = [
    include_str!("../../../../assets/terrain/alps.terrain.ron"),
    include_str!("../../../../assets/terrain/badlands.terrain.ron"),
    include_str!("../../../../assets/terrain/canyon.terrain.ron"),
    include_str!("../../../../assets/terrain/dunes.terrain.ron"),
    include_str!("../../../../assets/terrain/fjords.terrain.ron"),
    include_str!("../../../../assets/terrain/islands.terrain.ron"),
    include_str!("../../../../assets/terrain/rolling_hills.terrain.ron"),
    include_str!("../../../../assets/terrain/savanna.terrain.ron"),
];

const FRAGMENTS: [&str; 69] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "#![",
    "r#\"",
    "\"#",
    "r",
    "b",
    "-",
    "+",
    ".",
    "_",
    "\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "\0",
    "\u{feff}",
    "é",
    "\u{2028}",
    "💥",
    "0",
    "1e999",
    "-0.0",
    "NaN",
    "inf",
    "0x10",
    "18446744073709551616",
    "1_000",
    "true",
    "Some(",
    "None",
    "()",
    "seed",
    "layers: [",
    "octaves: 3,",
    "field: (",
    "r#seed",
    "'('",
    "shape: Ridged",
    "(0.1, 0.2, 0.3)",
    "#![enable(implicit_some)]",
    "#![enable(unwrap_newtypes)]",
    "look: (water_color: (1.0, 0.5,",
    "stream: (look_ahead: ",
    "spacing: 1.0,",
    "masks: [Layer(layer: \"a\"), Slope()],",
    "kind: Group(layers: [",
    "masks: [Point(x: 1e9, fade: 0.0), Segment(end_x: 7.0),",
    "Noise(noise: (lattice: Grid, period_x: 1024)),",
    "kind: Curve(points: [(from: 3.0), (to: 2.0)]),",
    "points: [(from: 0.0, to: -9.0),",
    "blend_radius: 5.0, kind: Erosion(octaves: 8),",
    "enabled: false, name: \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\",",
    "masks: [Layer(layer: \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\")],",
];

/// A random change of a text.
#[derive(Clone, Debug)]
enum Typo {
    Delete,
    Truncate,
    Reverse,
    /// Pastes a part of a preset: its start and its length in bytes.
    Paste(&'static str, usize, usize),
    /// Writes a fragment a number of times. Overwrites text if the last field is `true`.
    Write(&'static str, usize, bool),
}

impl Typo {
    /// Changes `length` bytes of `text` from `at` on.
    fn apply(&self, text: &mut Vec<u8>, at: usize, length: usize) {
        let at = at % (text.len() + 1);
        let end = (at + length).min(text.len());
        match *self {
            Self::Delete => drop(text.drain(at..end)),
            Self::Truncate => text.truncate(at),
            Self::Reverse => text[at..end].reverse(),
            Self::Paste(preset, from, many) => {
                let from = from % preset.len();
                let pasted = preset.bytes().skip(from).take(many);
                drop(text.splice(at..at, pasted));
            }
            Self::Write(fragment, times, is_over) => {
                drop(text.splice(at..if is_over { end } else { at }, fragment.repeat(times).into_bytes()));
            }
        }
    }
}

/// A text with one to four typos.
fn any_typos() -> impl Strategy<Value = String> {
    const SMALL: &str = "(field: (seed: 3, layers: [(kind: Noise(octaves: 4)), (kind: Noise(height_scale: 1.0))]), look: (water_color: (0.1, 0.2, 0.3)))";
    let any_position = || 0..10_000_usize;
    let text = prop_oneof![1 => Just(""), 1 => Just(SMALL), 6 => select(&PRESETS)];
    let typo = prop_oneof![
        1 => Just(Typo::Delete),
        1 => Just(Typo::Truncate),
        1 => Just(Typo::Reverse),
        1 => (select(&PRESETS), any_position(), 0..200_usize).prop_map(|(preset, from, many)| Typo::Paste(preset, from, many)),
        2 => (select(&FRAGMENTS), 1..4_usize, any::<bool>()).prop_map(|(text, times, over)| Typo::Write(text, times, over)),
    ];
    (text, vec((typo, any_position(), 0..30_usize), 1..=4)).prop_map(|(text, typos)| {
        let mut text = text.as_bytes().to_vec();
        typos.iter().for_each(|&(ref typo, at, length)| typo.apply(&mut text, at, length));
        String::from_utf8_lossy(&text).into_owned()
    })
}

#[test]
fn random_typos_give_settings_or_problems_with_positions() {
    let (texts, accepted) = (Cell::new(0), Cell::new(0));
    for_all(3000, any_typos(), |text| {
        testing::check_text(&text);
        texts.set(texts.get() + 1);
        accepted.set(accepted.get() + u32::from(TerrainSettings::from_ron(&text).is_ok()));
    });
    let (texts, accepted) = (texts.get(), accepted.get());
    assert!(
        (texts / 30..texts * 2 / 3).contains(&accepted),
        "{accepted} of {texts} texts are valid: the typos are too small or too large"
    );
}

#[test]
fn fragments_alone_and_in_pairs_give_settings_or_problems_with_positions() {
    for one in FRAGMENTS {
        testing::check_text(one);
        for other in FRAGMENTS {
            testing::check_text(&format!("{one}{other}"));
            testing::check_text(&format!("(field: (seed: {one}{other})"));
        }
    }
}

#[test]
fn large_files_take_time_in_proportion_to_their_length() {
    // An eighth of the largest file, so that the test takes seconds. With a step that is quadratic in the number of bytes, brackets,
    // fields or lines, it would take an hour.
    let size = TerrainSettings::MAX_FILE_SIZE as usize / 8;
    for piece in [
        " ",
        "\n",
        "(",
        "[",
        "Some(",
        "[[],",
        "(a:",
        "(a:1,b:(",
        "1,",
        "a:1,",
        "seed:1,",
        "//\n",
        "/*",
        "/**/",
        "\"",
        "\\\"",
        "'",
        "r#\"",
        "x",
        "é",
        "#![enable(a)]",
        "-",
        "9",
        "(),",
        "(from:9e9),",
        "Layer(),",
        "Layer(layer:\"a\"),",
        "Slope(from:9.0),",
        "a: b: )",
        "[a: 1,",
        "x\"",
        "{; # “",
    ] {
        let many = piece.repeat(size / piece.len());
        testing::check_text(&many);
        testing::check_text(&format!("(field: (layers: [{many}"));
        testing::check_text(&format!("({many}: (seed: {many})), chunks: (quads: {many}))"));
        let layers = format!("(name: \"{many}\", kind: Curve(points: [{many}])), (masks: [{many}], kind: Noise())");
        testing::check_text(&format!("(version: 2, field: (layers: [{layers}]))"));
        testing::check_text(&format!(
            "(version: 2, field: (layers: [(kind: Noise()), (masks: [{many}], kind: Noise())]))"
        ));
        testing::check_text(&format!(
            "(version: 2, field: (layers: [(kind: Noise()), (kind: Curve(points: [{many}]))]))"
        ));
    }
}
