//! Texts that nobody would write, and texts that a slip of the hand makes: read as settings files, none panics, none takes more
//! time than its length is worth, and every error has a place in the text.

#[path = "common/hostile.rs"]
mod hostile;

use bevy_perlin_terrain::settings::TerrainSettings;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

const PRESETS: [&str; 3] = [
    include_str!("../assets/terrain/alps.terrain.ron"),
    include_str!("../assets/terrain/islands.terrain.ron"),
    include_str!("../assets/terrain/rolling_hills.terrain.ron"),
];

const FRAGMENTS: [&str; 60] = [
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
    "look: (sand: (1.0, 0.5,",
    "stream: (keep_margin: ",
    "time_budget: 1.0,",
];

/// One to four slips of the hand.
fn mutated(rng: &mut ChaCha8Rng) -> String {
    let pick_text = |rng: &mut ChaCha8Rng| PRESETS[rng.random_range(0..PRESETS.len())].as_bytes();
    let mut text = match rng.random_range(0..8) {
        0 => Vec::new(),
        1 => b"(field: (seed: 3, layers: [(octaves: 4), (size: 1.0)]), look: (sand: (0.1, 0.2, 0.3)))".to_vec(),
        _ => pick_text(rng).to_vec(),
    };
    for _ in 0..rng.random_range(1..=4) {
        let at = rng.random_range(0..=text.len());
        let end = (at + rng.random_range(0..30)).min(text.len());
        match rng.random_range(0..6) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at),
            2 => {
                let other = pick_text(rng);
                let from = rng.random_range(0..other.len());
                let to = (from + rng.random_range(0..200)).min(other.len());
                drop(text.splice(at..at, other[from..to].iter().copied()));
            }
            3 => text[at..end].reverse(),
            _ => {
                let fragment = FRAGMENTS[rng.random_range(0..FRAGMENTS.len())].repeat(rng.random_range(1..4));
                drop(text.splice(at..if rng.random() { at } else { end }, fragment.into_bytes()));
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn random_slips_of_the_hand_give_settings_or_problems_with_places() {
    let mut accepted = 0;
    for seed in 0..3000 {
        let text = mutated(&mut ChaCha8Rng::seed_from_u64(seed));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| hostile::check(&text))) {
            eprintln!("seed {seed}: {text:?}");
            resume_unwind(panic);
        }
        accepted += usize::from(TerrainSettings::from_ron(&text).is_ok());
    }
    assert!((100..2000).contains(&accepted), "{accepted} of 3000 were good: the slips are too small or too large");
}

#[test]
fn fragments_alone_and_in_pairs_give_settings_or_problems_with_places() {
    for one in FRAGMENTS {
        hostile::check(one);
        for other in FRAGMENTS {
            hostile::check(&format!("{one}{other}"));
            hostile::check(&format!("(field: (seed: {one}{other})"));
        }
    }
}

#[test]
fn texts_as_large_as_a_file_may_be_take_time_by_their_length() {
    // With any step that goes back for every byte, bracket, field or line, this would take hours.
    let size = TerrainSettings::MAX_FILE_SIZE as usize;
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
    ] {
        let many = piece.repeat(size / piece.len());
        hostile::check(&many);
        hostile::check(&format!("(field: (layers: [{many}"));
        hostile::check(&format!("({many}: (seed: {many})), chunks: (quads: {many}))"));
    }
}
