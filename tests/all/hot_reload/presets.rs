//! The presets of the crate.

use super::*;

fn presets() -> Vec<(PathBuf, String)> {
    let files = fs::read_dir("assets/terrain").expect("the folder of presets exists");
    let paths = files.map(|file| file.expect("a file").path());
    paths.map(|path| (path.clone(), fs::read_to_string(path).expect("a preset is text"))).collect()
}

#[test]
fn presets_are_valid_have_no_warnings_and_are_saved_byte_for_byte() {
    assert!(presets().len() >= 3);
    for (path, text) in presets() {
        let name = path.display();
        let settings = TerrainSettings::from_ron(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        assert_eq!(settings.validate(), Ok(()), "{name}");
        assert_eq!(settings.warnings(), [], "{name}");
        assert_eq!(settings.save_into(&text), text, "{name}");
        assert_eq!(TerrainSettings::from_ron(&settings.to_ron()).as_ref(), Ok(&settings), "{name}");
        assert_ne!(settings, TerrainSettings::default(), "{name}");
    }
}

#[test]
fn presets_load_through_the_asset_server() {
    let mut app = app_with_assets_in(&fs::canonicalize("assets").expect("the folder exists"));
    for (path, text) in presets() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let handle = app.world().resource::<AssetServer>().load(format!("terrain/{name}"));
        let terrain = app.world_mut().spawn(Terrain(handle)).id();
        pump_until(&mut app, name, |app| state(app, terrain).settings().is_some());
        assert_eq!(state(&app, terrain).settings(), TerrainSettings::from_ron(&text).ok().as_ref());
        assert_eq!((problems(&app, terrain), warnings(&app, terrain)), (vec![], vec![]));
    }
}
