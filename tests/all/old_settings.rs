//! Settings files of earlier versions still load, and give the same ground.
//!
//! `tests/data/old` has every earlier version of the presets. The highest number is the newest.

use bevy_perlin_terrain::field::HeightField;
use bevy_perlin_terrain::settings::TerrainSettings;
use std::fs;
use std::path::Path;

/// All earlier versions of a preset, from the oldest to the newest: the name and the content of each file.
fn versions(preset: &str) -> Vec<(String, String)> {
    let folder = Path::new("tests/data/old");
    (1..)
        .map(|version| format!("{preset}.{version}.terrain.ron"))
        .map_while(|name| fs::read_to_string(folder.join(&name)).ok().map(|text| (name, text)))
        .collect()
}

fn load(name: &str, text: &str) -> TerrainSettings {
    TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{name}:\n{error}"))
}

/// The name and the current content of every preset, and the hash of the ground of every earlier version.
///
/// Another hash means that an old file gives other ground: a value-breaking change.
const PRESETS: [(&str, &str, &[u64]); 8] = [
    (
        "alps",
        include_str!("../../assets/terrain/alps.terrain.ron"),
        &[
            0x1d7f_2f83_9a69_0252,
            0xced5_197a_c676_c31f,
            0x0ddd_d276_6a55_9065,
            0x0ddd_d276_6a55_9065,
            0x5fc6_3c68_09e1_8c79,
            0x5fc6_3c68_09e1_8c79,
            0x5fc6_3c68_09e1_8c79,
            0x5fc6_3c68_09e1_8c79,
            0x5fc6_3c68_09e1_8c79,
            0x5fc6_3c68_09e1_8c79,
            0x0362_23a0_f16e_f86f,
            0x0362_23a0_f16e_f86f,
        ],
    ),
    ("badlands", include_str!("../../assets/terrain/badlands.terrain.ron"), &[0x59ba_8246_be56_da9d; 2]),
    ("canyon", include_str!("../../assets/terrain/canyon.terrain.ron"), &[0xbd61_88f1_b93a_fa74; 2]),
    ("dunes", include_str!("../../assets/terrain/dunes.terrain.ron"), &[0x41b7_682b_a3a7_1755]),
    ("fjords", include_str!("../../assets/terrain/fjords.terrain.ron"), &[0x25c9_2acd_d42d_82db]),
    (
        "islands",
        include_str!("../../assets/terrain/islands.terrain.ron"),
        &[
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x521c_b2e4_0374_7e4d,
            0x688c_883e_0c48_6be3,
            0x1e3f_4009_314d_6c61,
        ],
    ),
    (
        "rolling_hills",
        include_str!("../../assets/terrain/rolling_hills.terrain.ron"),
        &[
            0xdcc7_a72a_7884_f20e,
            0x11f5_9131_1b66_5a49,
            0xcbfc_2430_08e6_e50e,
            0xd376_51b3_40e1_dc06,
            0xd376_51b3_40e1_dc06,
            0xd376_51b3_40e1_dc06,
            0xd376_51b3_40e1_dc06,
            0xd376_51b3_40e1_dc06,
            0xd376_51b3_40e1_dc06,
            0x3b8b_c931_dba1_88a0,
        ],
    ),
    (
        "savanna",
        include_str!("../../assets/terrain/savanna.terrain.ron"),
        &[0xed0c_3280_749a_c826, 0x25f3_f95e_78c6_9d0c],
    ),
];

/// FNV-1a over the bits of 1024 heights, up to 1000 km from the origin.
fn hash_of_ground(settings: &TerrainSettings) -> u64 {
    let field = HeightField::new(&settings.field);
    let places = (0..32).flat_map(|z| (0..32).map(move |x| [x, z].map(|i: i32| f64::from(i - 16).powi(5) + 0.37)));
    let bits = places.flat_map(|[x, z]| field.height(x, z).to_bits().to_le_bytes());
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The names that files had before the noise used the terms of the literature, and their new names.
const RENAMED: [(&str, &str); 4] = [
    ("size:", "height_scale:"),
    ("contrast:", "exponent:"),
    ("shape: Smooth", "shape: Fbm"),
    ("water_colour:", "water_color:"),
];

#[test]
fn every_version_of_a_preset_loads() {
    for (preset, _, hashes) in PRESETS {
        let versions = versions(preset);
        assert_eq!(versions.len(), hashes.len(), "the versions of {preset}");
        for (name, text) in &versions {
            assert_eq!(load(name, text).validate(), Ok(()), "{name}");
        }
    }
}

#[test]
fn every_version_of_a_preset_gives_the_same_ground_in_every_release() {
    let hashes = |preset| versions(preset).iter().map(|(name, text)| hash_of_ground(&load(name, text))).collect();
    let found: Vec<(&str, Vec<u64>)> = PRESETS.iter().map(|&(preset, ..)| (preset, hashes(preset))).collect();
    let expected: Vec<(&str, Vec<u64>)> =
        PRESETS.iter().map(|&(preset, _, hashes)| (preset, hashes.to_vec())).collect();
    assert!(found == expected, "the new hashes: {found:#018x?}");
}

#[test]
fn old_names_give_the_same_settings_as_new_names() {
    for (preset, ..) in PRESETS {
        for (name, text) in versions(preset) {
            let renamed = RENAMED.iter().fold(text.clone(), |text, (old, new)| text.replace(old, new));
            let settings = load(&name, &text);
            assert_eq!(settings, load(&name, &renamed), "{name}");
            // Each old name has a warning.
            let warnings = settings.warnings_in(&text);
            let warnings = warnings.iter().filter(|warning| warning.wrong.contains("is now called")).count();
            let old_names: usize = RENAMED.iter().map(|(old, _)| text.matches(old).count()).sum();
            assert_eq!(warnings, old_names, "{name}");
        }
    }
}

#[test]
fn saving_an_old_version_writes_the_new_names_and_keeps_every_comment() {
    for (preset, today, _) in PRESETS {
        assert_eq!(load(preset, today).warnings_in(today), [], "{preset}");
        for (name, text) in versions(preset) {
            let settings = load(&name, &text);
            let saved = settings.save_into(&text);
            assert_eq!(load(&name, &saved), settings, "{name}");
            let warnings = settings.warnings_in(&saved);
            assert!(!warnings.iter().any(|warning| warning.wrong.contains("is now called")), "{name}: {warnings:?}");
            for comment in text.lines().filter_map(|line| line.split_once("// ")).map(|(_, comment)| comment) {
                assert!(saved.contains(comment), "{name} lost: {comment}");
            }
        }
    }
}
