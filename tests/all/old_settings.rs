//! Settings files of earlier versions still load.
//!
//! `tests/data/old` has every published version of the presets; the highest number is the newest.

use bevy_perlin_terrain::settings::TerrainSettings;
use std::fs;
use std::path::Path;

/// All versions of a preset, from the oldest to the newest.
fn versions(preset: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/old");
    (1..)
        .map(|version| format!("{preset}.{version}.terrain.ron"))
        .map_while(|name| fs::read_to_string(folder.join(&name)).ok().map(|text| (name, text)))
        .collect()
}

fn load(name: &str, text: &str) -> TerrainSettings {
    TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{name}:\n{error}"))
}

/// The presets, with how many earlier versions each has.
const PRESETS: [(&str, &str, usize); 3] = [
    ("alps", include_str!("../../assets/terrain/alps.terrain.ron"), 5),
    ("islands", include_str!("../../assets/terrain/islands.terrain.ron"), 3),
    ("rolling_hills", include_str!("../../assets/terrain/rolling_hills.terrain.ron"), 4),
];

#[test]
fn every_version_of_a_preset_loads_and_the_newest_equals_the_preset() {
    for (preset, today, count) in PRESETS {
        let versions = versions(preset);
        assert_eq!(versions.len(), count, "the versions of {preset}");
        for (name, text) in &versions {
            assert_eq!(load(name, text).validate(), Ok(()), "{name}");
        }
        let (name, newest) = versions.last().expect("there are versions");
        assert_eq!(load(name, newest), load(preset, today), "{name}");
    }
}

#[test]
fn saving_an_old_version_gives_a_file_without_notes_and_with_every_comment() {
    for (preset, today, _) in PRESETS {
        assert_eq!(load(preset, today).warnings_in(today), [], "{preset}");
        for (name, text) in versions(preset) {
            let settings = load(&name, &text);
            let notes = settings.warnings_in(&text);
            assert!(
                notes.iter().any(|note| note.wrong == "`size` is now called `height_scale`; rename it"),
                "{name}: {notes:?}"
            );
            let saved = settings.save_into(&text);
            assert_eq!(load(&name, &saved), settings, "{name}");
            assert!(!settings.warnings_in(&saved).iter().any(|note| note.wrong.contains("is now called")), "{name}");
            for comment in text.lines().filter_map(|line| line.split_once("// ")).map(|(_, comment)| comment) {
                assert!(saved.contains(comment), "{name} lost: {comment}");
            }
        }
    }
}
