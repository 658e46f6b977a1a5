//! Drafts of settings: edits, lists, the history, and changes of the file and of the asset.

mod clipboard;
mod history;
mod lists;
mod news;
mod plants;
mod properties;
mod surface_layers;

use perlin_terrain::draft::{Draft, EditableSettings, ListEdit};
use perlin_terrain::field::Layer;
use perlin_terrain::noise::NoiseRng;
use perlin_terrain::param::{ParamError, ParamValue};
use perlin_terrain::settings::TerrainSettings;
use std::time::Duration;

type TerrainDraft = Draft<TerrainSettings>;

fn from_file(settings: TerrainSettings) -> TerrainDraft {
    Draft::from_file(settings, "")
}

/// A change of a list: what, the path of the list or of the item, and the kind of a new mask.
type Change = (&'static str, String, &'static str);

fn change(what: &'static str, path: &str) -> Change {
    (what, path.to_owned(), "")
}

fn add(list: &str) -> Change {
    change("add", list)
}

fn add_mask(layer: &str, kind: &'static str) -> Change {
    ("add", format!("{layer}.masks"), kind)
}

fn duplicate(item: &str) -> Change {
    change("duplicate", item)
}

fn remove(item: &str) -> Change {
    change("remove", item)
}

fn up(item: &str) -> Change {
    change("up", item)
}

fn down(item: &str) -> Change {
    change("down", item)
}

fn roll(item: &str) -> Change {
    change("roll", item)
}

trait Changes {
    fn list_edit(&self, change: &Change) -> Option<ListEdit>;

    fn change(&mut self, change: &Change) -> Result<(), Option<ParamError>>;

    fn can_change(&self, change: &Change) -> bool {
        self.why(change).is_none()
    }

    /// Why a change is not possible. Empty if there is nothing to change.
    fn why(&self, change: &Change) -> Option<String>;
}

impl Changes for TerrainDraft {
    fn list_edit(&self, (what, path, kind): &Change) -> Option<ListEdit> {
        match *what {
            "add" => ListEdit::add(self.settings(), path, kind),
            "duplicate" => Some(ListEdit::Duplicate(path.clone())),
            "remove" => Some(ListEdit::Remove(path.clone())),
            "up" => ListEdit::move_by(path, -1),
            "down" => ListEdit::move_by(path, 1),
            "roll" => Some(ListEdit::Roll(path.clone())),
            _ => panic!("no such change: {what}"),
        }
    }

    fn change(&mut self, change: &Change) -> Result<(), Option<ParamError>> {
        let edit = self.list_edit(change).ok_or(None)?;
        self.edit_list(&edit).map_err(Some)
    }

    fn why(&self, change: &Change) -> Option<String> {
        match self.list_edit(change) {
            Some(edit) => self.why_not(&edit),
            None => Some(String::new()),
        }
    }
}

fn spacing(metres: f64) -> ParamValue {
    ParamValue::Float(metres)
}

#[test]
fn every_row_can_be_set_to_its_own_value() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    let rows = draft.rows();
    assert!(rows.iter().any(|row| row.path == "field.layers[0].kind.shape" && row.alternatives.len() == 5));
    for row in rows.iter() {
        assert_eq!(draft.edit(&row.path, row.value.clone()), Ok(()), "{}", row.path);
    }
    assert_eq!(*draft.settings(), TerrainSettings::default());
}

#[test]
fn a_refusal_stays_until_an_allowed_value_is_set() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    let error = draft.edit("chunks.quads", ParamValue::Count(65)).expect_err("65 is not a power of two");
    assert_eq!(error.allowed, "a power of two, 8 to 128");
    assert_eq!(draft.refusal("chunks.quads"), Some(&error));
    assert_eq!(draft.settings().chunks.quads, 64);
    assert_eq!(draft.take_write(Duration::ZERO), None, "a refused value must not be written");
    draft.edit("chunks.quads", ParamValue::Count(32)).expect("32 is allowed");
    assert_eq!(draft.refusal("chunks.quads"), None);
}

#[test]
fn a_layer_that_becomes_a_filter_stays_valid() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    draft.edit("field.layers[0].blend", ParamValue::Choice("Max")).expect("a noise has a blend");
    draft.edit("field.layers[0].kind", ParamValue::Choice("Terrace")).expect("it is a kind");
    assert_eq!(draft.settings().validate(), Ok(()));
    let mut settings = TerrainSettings::default();
    assert!(settings.set("field.layers[0].blend", ParamValue::Choice("Max")));
    assert!(settings.set("field.layers[0].kind", ParamValue::Choice("Erosion")));
    assert_eq!(settings.validate(), Ok(()));
}

#[test]
fn a_noise_that_becomes_a_filter_loses_its_blend() {
    let text = "(field: (layers: [(kind: Noise()), (blend: Max, blend_radius: 7.0, kind: Noise())]))";
    let mut draft = from_file(TerrainSettings::from_ron(text).expect("the text is valid"));
    draft.edit("field.layers[1].kind", ParamValue::Choice("Terrace")).expect("it is a kind");
    assert_eq!(draft.settings().validate(), Ok(()));
    assert_eq!(TerrainSettings::from_ron(&draft.settings().save_into(text)).as_ref(), Ok(draft.settings()));
}

#[test]
fn values_of_another_kind_texts_and_unknown_paths_are_refused() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    assert!(draft.edit("field.base_height", ParamValue::Count(1)).is_err());
    assert!(draft.edit("field.layers[0].kind.shape", ParamValue::Choice("Square")).is_err());
    assert!(draft.edit("field.layers[9].kind.octaves", ParamValue::Count(1)).is_err());
    draft.refuse_text("field.layers[0].kind.octaves", " many ");
    let refusal = draft.refusal("field.layers[0].kind.octaves").map(ToString::to_string);
    let expected = "`field.layers[0].kind.octaves` is \"many\", allowed: a whole number, 0 to 32";
    assert_eq!(refusal.as_deref(), Some(expected));
    assert_eq!(*draft.settings(), TerrainSettings::default());
}

#[test]
fn a_third_erosion_is_refused() {
    let mut settings = TerrainSettings::default();
    settings.field.layers = vec![Layer::default(); 4];
    let mut draft = TerrainDraft::new(settings);
    let mut become_erosion = |index: usize| {
        let path = format!("field.layers[{index}].kind");
        draft.edit(&path, ParamValue::Choice("Erosion")).map_err(|error| error.to_string())
    };
    assert_eq!([become_erosion(1), become_erosion(2)], [Ok(()), Ok(())]);
    let expected = "`field.layers[3].kind` is Erosion, allowed: at most 64 evaluations of a layer; an erosion or a slope mask \
                    evaluates all below it four times more";
    assert_eq!(become_erosion(3), Err(expected.to_owned()));
    assert!(draft.refusal("field.layers[3].kind").is_some());
    let add = |layer: usize| add_mask(&format!("field.layers[{layer}]"), "Slope");
    assert!(!draft.can_change(&add(3)));
    assert!(draft.change(&add(3)).is_err());
    assert_eq!(draft.settings().validate(), Ok(()));
    draft.change(&add(1)).expect("45 evaluations of the lowest layer are allowed");
}

#[test]
fn a_burst_of_edits_is_written_ten_times_a_second_and_ends_in_the_last_state() {
    let mut draft = TerrainDraft::new(TerrainSettings::default());
    let mut writes = Vec::new();
    for frame in 0..100_u32 {
        if frame <= 60 {
            draft.edit("chunks.spacing", spacing(1.0 + f64::from(frame))).expect("in range");
        }
        writes.extend(draft.take_write(Duration::from_millis(u64::from(frame) * 16)));
    }
    // 61 frames of 16 ms are just under a second.
    assert!((9..=12).contains(&writes.len()), "{} writes", writes.len());
    assert_eq!(writes[0].chunks.spacing, 1.0, "the first edit is written at once");
    assert_eq!(writes.last().map(|settings| settings.chunks.spacing), Some(61.0));
}

#[test]
fn the_dice_gives_a_fixed_sequence_of_seeds() {
    let walk = |seed| {
        let mut draft = TerrainDraft::new(TerrainSettings::default());
        draft.edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
        [(); 3].map(|()| {
            draft.roll_seed();
            draft.settings().field.seed
        })
    };
    let seeds = walk(7);
    assert_eq!(seeds, walk(7));
    assert_eq!(seeds[0], NoiseRng::new(7, 1 << 32).next_u64());
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != 7);
}
