//! Settings files of earlier versions: each that was ever shipped still loads.
//!
//! `data/old` has every version of a preset that another has replaced. When a preset changes, its old text goes there.

use bevy_perlin_terrain::settings::TerrainSettings;
use std::fs;
use std::path::Path;

#[test]
fn every_settings_file_that_was_ever_shipped_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/old");
    let mut loaded = 0;
    for file in fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("it can be read").path();
        let (name, text) = (path.display(), fs::read_to_string(&path).expect("it is text"));
        let settings = TerrainSettings::from_ron(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        assert_ne!(settings, TerrainSettings::default(), "{name} has settings of its own");
        assert_eq!(settings.save_into(&text), text, "{name} is saved as it was");
        loaded += 1;
    }
    assert!(loaded >= 9, "only {loaded} files");
}
