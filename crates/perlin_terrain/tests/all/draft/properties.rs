//! Random edits, changes of the file, undo and redo.

use super::*;
use perlin_terrain::param::{ParamVisitor, Params};
use proptest::collection::vec;
use proptest::prelude::*;
use testing::for_all;

const FILE: &str = r#"(
    field: (layers: [
        (name: "hills", kind: Noise(octaves: 3)),
        (name: "dunes", kind: Dunes(), masks: [Layer(layer: "hills"), Height(from: 5.0)]),
        (kind: Group(layers: [(kind: Noise(octaves: 2)), (name: "inner", kind: Scatter())])),
        (kind: Curve(points: [(from: 0.0, to: 0.0), (from: 50.0, to: 20.0)])),
    ]),
)"#;

fn file() -> TerrainSettings {
    TerrainSettings::from_ron(FILE).expect("the text is valid")
}

/// What is edited, where, and to what part of its range.
type Act = (u8, usize, usize, f64);

fn any_acts() -> impl Strategy<Value = Vec<Act>> {
    vec((0..10_u8, 0..1000_usize, 0..1000_usize, 0.0..1.0), 0..12)
}

/// The numbers of the field or of everything else, with their ranges.
fn numbers(settings: &TerrainSettings, of_field: bool) -> Vec<(String, f64, f64)> {
    let mut numbers = Vec::new();
    settings.clone().visit(&mut ParamVisitor::new(&mut |path, param, value| {
        let is_number = matches!(value.get(), ParamValue::Float(_)) && param.min.is_finite();
        if is_number && path.starts_with("field") == of_field {
            numbers.push((path.to_owned(), param.min, param.max));
        }
    }));
    numbers
}

/// Edits the field. What is not allowed is refused.
fn edit(draft: &mut TerrainDraft, (kind, at, to, part): Act) {
    let layers: Vec<String> =
        draft.settings().field.all_layers().into_iter().map(|(path, _)| format!("field.{path}")).collect();
    let layer = (!layers.is_empty()).then(|| layers[at % layers.len()].clone());
    let change = match (kind, layer) {
        (0, _) => add("field.layers"),
        (1, Some(layer)) => duplicate(&layer),
        (2, Some(layer)) => remove(&layer),
        (3, Some(layer)) => up(&layer),
        (4, Some(layer)) => down(&layer),
        (5, Some(layer)) => roll(&layer),
        (6, Some(layer)) => add_mask(&layer, ["Height", "Layer", "Noise"][to % 3]),
        (7, Some(layer)) => {
            let name = ParamValue::Text(format!("name {}", to % 5));
            drop(draft.edit(&format!("{layer}.name"), name));
            draft.finish_edit();
            return;
        }
        (8, Some(layer)) => {
            let list = layers[to % layers.len()].clone() + ".kind.layers";
            drop(draft.edit_list(&ListEdit::Move { item: layer, list, index: 0 }));
            return;
        }
        _ => {
            let numbers = numbers(draft.settings(), true);
            let (path, min, max) = &numbers[at % numbers.len()];
            drop(draft.edit(path, ParamValue::Float(min + (max - min) * part)));
            draft.finish_edit();
            return;
        }
    };
    drop(draft.change(&change));
}

#[test]
fn all_edits_can_be_undone_and_done_again() {
    for_all(60, any_acts(), |acts| {
        let mut draft = from_file(file());
        for act in acts {
            edit(&mut draft, act);
            assert_eq!(draft.settings().validate(), Ok(()));
        }
        let (last, done) = (draft.settings().clone(), draft.history().done());
        draft.jump(0).expect("nothing came from elsewhere");
        assert_eq!((draft.settings(), draft.history().done()), (&file(), 0));
        draft.jump(done).expect("nothing came from elsewhere");
        assert_eq!(draft.settings(), &last);
        let saved = last.save_into(FILE);
        assert!(TerrainSettings::from_ron(&saved).is_ok_and(|saved| saved.is_same(&last)), "{saved}");
    });
}

#[test]
fn undo_takes_back_all_edits_and_nothing_of_the_file() {
    let news = (0..1000_usize, 0.0..1.0);
    for_all(60, vec((any_acts(), news), 1..4), |steps| {
        let mut draft = from_file(file());
        let mut on_disk = file();
        for (acts, (at, part)) in steps {
            for act in acts {
                edit(&mut draft, act);
            }
            let numbers = numbers(&on_disk, false);
            let (path, min, max) = &numbers[at % numbers.len()];
            assert!(on_disk.set(path, ParamValue::Float(min + (max - min) * part)));
            if on_disk.validate().is_err() {
                return;
            }
            draft.file_loaded(&on_disk, "");
            assert_eq!(draft.settings().get(path), on_disk.get(path), "{path}");
            assert!(draft.news().is_none_or(|news| news.kept.is_empty() && news.refused.is_none()));
        }
        let last = draft.settings().clone();
        let done = draft.history().done();
        draft.jump(0).expect("the edits are independent of the file");
        assert!(draft.settings().is_same(&on_disk), "{:?}", draft.settings());
        assert_eq!(draft.is_edited(), Some(false));
        draft.jump(done).expect("the edits are independent of the file");
        assert!(draft.settings().is_same(&last));
    });
}
