//! Prints, as Markdown, how long the panel of an editor waits for the rows and the checks of a draft, on one thread.
//!
//! `cargo run --release -p benches --bin draft_table`

use benches::clock::{Timing, take_turns};
use benches::machine;
use perlin_terrain::draft::{Draft, EditableSettings};
use perlin_terrain::field::{FieldSettings, Layer};
use perlin_terrain::param::ParamValue;
use perlin_terrain::settings::TerrainSettings;
use std::hint::black_box;

const ALPS: &str = include_str!("../../../../assets/terrain/alps.terrain.ron");

fn main() {
    println!("{}\n", machine::describe());
    let alps = TerrainSettings::from_ron(ALPS).expect("the preset is valid");
    let mut many = alps.clone();
    many.field.layers = vec![Layer::default(); FieldSettings::MAX_LAYERS];
    println!("Best batch (median), one thread, in µs\n");
    println!("| | `alps` | {} layers |", FieldSettings::MAX_LAYERS);
    println!("|---|--:|--:|");
    let timings = [alps, many].map(measure);
    let rows =
        ["rows of a new version", "checks of a new version", "rows and checks of an old version", "an edit", "a merge"];
    for (row, name) in rows.into_iter().enumerate() {
        let cells = timings.iter().map(|timings| {
            let Timing { best, median } = timings[row];
            format!("{:.1} ({:.1})", best / 1e3, median / 1e3)
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn draft_of(settings: &TerrainSettings) -> Draft<TerrainSettings> {
    Draft::from_file(settings.clone(), "")
}

/// Gives the draft a new version.
fn touch(draft: &mut Draft<TerrainSettings>) {
    draft.file_saved("");
}

fn measure(settings: TerrainSettings) -> Vec<Timing> {
    let [mut rows, mut checks, old, mut edited] = [(); 4].map(|()| draft_of(&settings));
    let (mut mine, mut theirs) = (settings.clone(), settings.clone());
    mine.field.layers[0].opacity = 0.5;
    theirs.field.base_height = 77.0;
    let mut seed = 0;
    take_turns(&mut [
        Box::new(|| {
            touch(&mut rows);
            black_box(rows.rows());
        }),
        Box::new(|| {
            touch(&mut checks);
            black_box(checks.checks());
        }),
        Box::new(|| {
            black_box((old.rows(), old.checks(), old.is_edited()));
        }),
        Box::new(|| {
            seed += 1;
            edited.edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        }),
        Box::new(|| {
            black_box(EditableSettings::merge(&settings, &mine, &theirs));
        }),
    ])
}
