//! The defaults make land: `()` is hills under grass, and each kind of layer shows what it is for on top of them.

use perlin_terrain::field::{HeightField, NodeGrid};
use perlin_terrain::noise::NoiseScratch;
use perlin_terrain::settings::TerrainSettings;

/// Vertices along each side of a square, and metres between them.
const SIDE: usize = 256;
const SPACING: f64 = 8.0;

fn load(text: &str) -> TerrainSettings {
    TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// The heights of five squares that are far apart.
fn heights(settings: &TerrainSettings) -> Vec<f64> {
    let field = HeightField::new(&settings.field);
    let (mut scratch, mut heights, mut all) = (NoiseScratch::default(), Vec::new(), Vec::new());
    for i in 0..5 {
        let grid = NodeGrid { origin: [i * 10_000, i * -7_000], stride: 1, size: [SIDE; 2], spacing: SPACING };
        field.fill(&grid, &mut scratch, &mut heights);
        all.extend(heights.iter().map(|&height| f64::from(height)));
    }
    all
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The standard deviation.
fn deviation(heights: &[f64]) -> f64 {
    let middle = mean(heights.iter().copied());
    mean(heights.iter().map(|height| (height - middle).powi(2))).sqrt()
}

fn share(heights: &[f64], is_in: impl Fn(f64) -> bool) -> f64 {
    heights.iter().filter(|&&height| is_in(height)).count() as f64 / heights.len() as f64
}

#[test]
fn an_empty_file_is_land_under_grass_above_the_sea() {
    let settings = load("()");
    let heights = heights(&settings);
    let look = &settings.look;
    let layer = |name: &str| look.layers.iter().find(|layer| layer.name == name).expect("it is a default layer");
    let (sand, snow) = (&layer("sand").height, &layer("snow").height);
    assert!(share(&heights, |height| height < sand.to + 0.5 * sand.fade) < 0.05, "hardly any beach without a sea");
    assert!(share(&heights, |height| height > snow.from - snow.fade) == 0.0, "no snow");
    let wet = share(&heights, |height| height < look.water_height);
    assert!((0.0001..0.05).contains(&wet), "a few ponds if a sea is switched on: {wet}");
    assert!(deviation(&heights) > 5.0, "hills");
}

/// The kinds of layers with the blends that make sense for them. `Group()` has no layers, so it changes nothing and has a warning.
/// Scattered hills and dunes are 0 between them: they are made for `Add` and `Max`.
const KINDS: [(&str, &[&str]); 8] = [
    ("Noise", &["Add", "Max", "Min", "Replace"]),
    ("Carve", &["Add", "Min"]),
    ("Constant", &["Add", "Max", "Min"]),
    ("Scatter", &["Add", "Max"]),
    ("Dunes", &["Add", "Max"]),
    ("Terrace", &["Add"]),
    ("Curve", &["Add"]),
    ("Erosion", &["Add"]),
];

#[test]
fn each_kind_with_its_defaults_shows_on_the_default_ground_and_ruins_nothing() {
    let ground = heights(&load("()"));
    let (height, hills) = (mean(ground.iter().copied()), deviation(&ground));
    for (kind, blends) in KINDS {
        for blend in blends {
            let text = format!("(field: (layers: [(kind: Noise()), (blend: {blend}, kind: {kind}())]))");
            let settings = load(&text);
            assert_eq!(settings.warnings(), [], "{text}");
            let changed = heights(&settings);
            let pairs = || ground.iter().zip(&changed);
            let moved = pairs().filter(|(a, b)| (*a - *b).abs() > 0.25).count() as f64 / ground.len() as f64;
            let now = mean(changed.iter().copied());
            let left = deviation(&changed);
            println!(
                "{kind} {blend}: {moved:.3} changed, mean {height:.1} to {now:.1}, deviation {hills:.1} to {left:.1}"
            );
            assert!(moved > 0.01, "{kind} with {blend} changes {moved} of the ground");
            assert!((now - height).abs() < 35.0, "{kind} with {blend}: mean height {height} becomes {now}");
            assert!(left > 0.4 * hills, "{kind} with {blend} flattens hills: {hills} m become {left} m");
            if kind == "Erosion" || kind == "Terrace" {
                assert!((now - height).abs() < 1.0, "{kind} keeps the mean height {height}: {now}");
            }
        }
    }
}

#[test]
fn a_group_without_layers_has_a_warning() {
    let warnings = load("(field: (layers: [(kind: Noise()), (kind: Group())]))").warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn valleys_cut_any_ground_with_min_and_are_no_ceiling() {
    let ground = heights(&load("(field: (base_height: 150.0))"));
    let cut = heights(&load("(field: (base_height: 150.0, layers: [(kind: Noise()), (blend: Min, kind: Carve())]))"));
    let same = ground.iter().zip(&cut).filter(|(a, b)| a == b).count() as f64 / ground.len() as f64;
    assert!((0.2..0.95).contains(&same), "{same} of the ground is between the valleys");
    assert!(share(&cut, |height| height < -29.0) > 0.01, "beds");
}
