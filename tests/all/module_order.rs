//! The layers of the crates: a module imports only from the modules below it.

use super::docs::read;
use std::fs;
use std::path::Path;

/// The modules of a crate, from the lowest layer to the highest. Those on one line know nothing of each other.
type Layers = &'static [&'static [&'static str]];

const TERRAIN: Layers = &[
    &["half", "period", "tile_noise", "ron_edit", "field"],
    &["chunk"],
    &["look", "light", "ground"],
    &["plants"],
    &["settings"],
    &["draft"],
];

const PLUGIN: Layers =
    &[&["asset"], &["stream"], &["ground", "plants"], &["render"], &["sky"], &["inspector"], &["plugin"]];

/// The layer of a module, if it has one.
fn layer_of(layers: Layers, module: &str) -> Option<usize> {
    layers.iter().position(|layer| layer.contains(&module))
}

/// The modules of the crate that the code of a file names, without comments.
fn names(code: &str) -> Vec<String> {
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    let rests = code.split("crate::").skip(1);
    let paths = rests.flat_map(|rest| match rest.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or_default().split(',').map(str::trim).collect(),
        None => vec![rest],
    });
    let word =
        |path: &str| path.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_').next().map(str::to_owned);
    paths.filter_map(word).filter(|name| !name.is_empty()).collect()
}

/// Calls `visit` with the path and the text of each Rust file below `folder`.
fn for_each_file(folder: &Path, visit: &mut impl FnMut(&Path, String)) {
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            for_each_file(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(&path, read(&path));
        }
    }
}

#[test]
fn no_module_imports_from_above_or_beside_it() {
    for (source, layers) in [("crates/perlin_terrain/src", TERRAIN), ("src", PLUGIN)] {
        let mut modules = 0;
        for_each_file(Path::new(source), &mut |path, text| {
            let module = path.strip_prefix(source).expect("it is below").iter().next().expect("it has a name");
            let module = module.to_str().expect("a plain name").trim_end_matches(".rs");
            let Some(layer) = layer_of(layers, module) else {
                assert!(["lib", "docs"].contains(&module), "{module} has no layer");
                return;
            };
            modules += 1;
            for name in names(&text).iter().filter(|name| *name != module) {
                let is_below = layer_of(layers, name).is_none_or(|other| other < layer);
                assert!(is_below, "{} is not below {module}, but {} names it", name, path.display());
            }
        });
        assert!(modules > 50, "{source} has files");
    }
}

#[test]
fn imports_are_found() {
    let code = "use crate::field::{Layer, Mask};\nuse crate::{\n    chunk::Seam,\n    look,\n};\n// crate::draft\nlet a = crate::light::Sun;";
    assert_eq!(names(code), ["field", "chunk", "look", "light"]);
}
