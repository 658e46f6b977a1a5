//! Samples in the pages: settings files, the mistakes in them, code that is also an example, and versions.

use super::{Page, pages, read};
use bevy_perlin_terrain::light::SkySettings;
use bevy_perlin_terrain::settings::TerrainSettings;

/// The code of an example, without the comment at its beginning.
fn example(path: &str) -> String {
    let text = read(path);
    let code = text.lines().skip_while(|line| line.starts_with("//!") || line.is_empty());
    code.map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_settings_file_in_the_pages_is_valid_and_gives_no_warning() {
    for page in pages() {
        for block in page.blocks("ron") {
            let settings = TerrainSettings::from_ron(&block)
                .unwrap_or_else(|error| panic!("{}: {error}\n{block}", page.path.display()));
            assert_eq!(settings.warnings_in(&block), [], "{}: {block}", page.path.display());
        }
    }
}

/// The lines of the log about the mistakes in a file.
fn report(text: &str, file: &str) -> String {
    let error = TerrainSettings::from_ron(text).expect_err("there are mistakes");
    error.problems.into_iter().map(|problem| format!("{}\n", problem.in_file(file))).collect()
}

#[test]
fn the_mistakes_in_the_readme_are_reported_as_it_says() {
    let readme = Page::read("README.md");
    let broken = readme.blocks("ron")[0].replace("octaves: 8,", "octaves: 80,").replace("spacing: 4.0", "spacin: 4.0");
    assert_eq!(report(&broken, "terrain/rolling_hills.terrain.ron"), readme.blocks("text")[0]);
    for mistake in ["`octaves: 80`", "`spacin: 4.0`"] {
        assert!(readme.text.contains(mistake));
    }
}

#[test]
fn the_mistakes_and_the_warning_for_designers_are_reported_as_the_page_says_and_its_light_is_valid() {
    let page = Page::read("docs/designers.md");
    let blocks = page.blocks("text");
    let [mistakes, broken, warning, light] = &blocks[..] else { panic!("the page has other blocks: {blocks:?}") };
    assert_eq!(report(broken, "terrain/hills.terrain.ron"), *mistakes);
    SkySettings::from_ron(light).unwrap_or_else(|error| panic!("{error}"));

    let text = "(field: (layers: [(kind: Noise(frequency: 0.001, octaves: 9))]))";
    assert!(page.text.contains(&format!("`{text}`")));
    let settings = TerrainSettings::from_ron(text).expect("the file is valid");
    let warnings = settings.warnings_in(text).into_iter().map(|warning| warning.in_file("terrain/hills.terrain.ron"));
    let warnings: Vec<String> = warnings.map(|warning| warning.to_string()).collect();
    assert_eq!(warnings, [warning.trim_end().replace('\n', " ")]);
}

#[test]
fn the_code_in_the_readme_is_that_of_the_examples() {
    assert_eq!(Page::read("README.md").blocks("rust"), [example("examples/minimal.rs")]);
    let noise = Page::read("crates/perlin_fbm/README.md");
    assert_eq!(noise.blocks("rust"), [example("crates/perlin_fbm/examples/noise.rs")]);
}

#[test]
fn the_readme_names_the_versions_of_the_manifest() {
    let manifest = read("Cargo.toml");
    let version_of = |name: &str| {
        let line = manifest.lines().find(|line| line.starts_with(name)).expect("the workspace names it");
        line.split('"').nth(1).expect("the version is in quotes").to_owned()
    };
    let ours = format!("{}.{}", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let (bevy, egui, rust) = (version_of("bevy = {"), version_of("bevy_egui = {"), version_of("rust-version = "));
    let readme = read("README.md");
    for line in [
        format!("| {ours} | {bevy} | {egui} | {rust} |"),
        format!("bevy = \"{bevy}\""),
        format!("bevy_perlin_terrain = \"{ours}\""),
        format!("With Rust {rust} "),
    ] {
        assert!(readme.contains(&line), "the README does not say: {line}");
    }
}

#[test]
fn the_rust_code_of_every_page_is_compiled() {
    for page in pages() {
        let path = page.path.to_str().expect("a plain name").replace('\\', "/");
        let (package, path) = match path.split('/').collect::<Vec<_>>()[..] {
            ["crates", name, ..] => (format!("crates/{name}/"), path[format!("crates/{name}/").len()..].to_owned()),
            _ => (String::new(), path),
        };
        let docs = read(format!("{package}src/docs.rs"));
        assert!(docs.contains(&format!("include_str!(\"../{path}\")")), "{package}src/docs.rs does not include {path}");
        for fence in page.text.lines().filter(|line| line.starts_with("```rust")) {
            assert!(!fence.contains("ignore"), "{path}: a block is not compiled: {fence}");
        }
    }
}
