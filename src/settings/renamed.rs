//! Fields and variants that had another name in earlier versions.
//!
//! A file with an old name still loads, because serde knows the old name as an alias. A note gives the new name, and
//! saving writes it.

use super::SettingsProblem;
use super::error::problem_at;
use super::names::{FIELDS, VARIANTS, new_name};
use super::outline::{Outline, OutlineEntry, written_name};
use crate::param::parent_path;
use std::ops::Range;

/// An old name in a text.
struct OldName<'a> {
    path: &'a str,
    place: Range<usize>,
    new: &'static str,
}

/// All old names in `text`, in the order of the text.
fn old_names<'a>(text: &str, outline: &'a Outline) -> Vec<OldName<'a>> {
    let mut found = Vec::new();
    for entry in outline.entries() {
        let OutlineEntry { path, field, value } = entry;
        let name = written_name(text, entry);
        if let Some(new) = new_name(FIELDS, parent_path(path), name) {
            found.push(OldName { path, place: field.start..field.start + name.len(), new });
        }
        if let Some(new) = new_name(VARIANTS, path, &text[value.clone()]) {
            found.push(OldName { path, place: value.clone(), new });
        }
    }
    found
}

/// Returns a note for each old name in `text`.
pub(super) fn notes(text: &str, outline: &Outline) -> Vec<SettingsProblem> {
    let note = |OldName { path, place, new }: OldName<'_>| {
        problem_at(text, place.start, path, format!("`{}` is now called `{new}`; rename it", &text[place]), None)
    };
    old_names(text, outline).into_iter().map(note).collect()
}

/// Replaces all old names in `text` by the current ones.
pub(super) fn with_new_names(text: &str) -> String {
    let outline = Outline::of(text);
    let mut renamed = text.to_owned();
    for OldName { place, new, .. } in old_names(text, &outline).into_iter().rev() {
        renamed.replace_range(place, new);
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::{Param, ParamVisitor, Params};
    use crate::settings::TerrainSettings;
    use crate::settings::names::Renamed;

    /// Every old name with a value, and the same with the new name.
    const PAIRS: [(&str, &str); 11] = [
        ("layer size: 55.5", "layer height_scale: 55.5"),
        ("layer contrast: 2.5", "layer exponent: 2.5"),
        ("layer highest_frequency: 0.25", "layer max_frequency: 0.25"),
        ("layer scattered: false", "layer offset_octaves: false"),
        ("layer warp: 12.5", "layer warp_strength: 12.5"),
        ("layer shape: Smooth", "layer shape: Fbm"),
        ("layer lattice: Mixed", "layer lattice: FastHash"),
        ("layer lattice: Bits", "layer lattice: PermutationBits"),
        ("layer lattice: Edges", "layer lattice: Perlin2002"),
        ("layer sum: Normalised", "layer sum: Normalized"),
        ("look water_colour: (0.5, 0.25, 0.125)", "look water_color: (0.5, 0.25, 0.125)"),
    ];

    /// A file with one given field. It is the second field of line 4 and begins in column 20.
    fn file(field: &str) -> String {
        match field.split_once(' ').expect("a part of the settings and a field") {
            ("layer", field) => format!(
                "// é\n(field: (layers: [\n  (kind: Noise()), (kind: Noise(\n  octaves: 3,  /**/{field}, bits: 2)),\n]))"
            ),
            (_, field) => format!("// é\n(look: (\n  water: true,\n  snow_height:9.0, {field}, variation: 0.25,\n))"),
        }
    }

    fn load(text: &str) -> TerrainSettings {
        TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
    }

    fn problems(text: &str) -> Vec<String> {
        let error = TerrainSettings::from_ron(text).expect_err("the text is wrong");
        error.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_old_name_loads_as_the_new_one_and_a_note_names_both() {
        assert_eq!(PAIRS.len(), FIELDS.len() + VARIANTS.len(), "every line of the tables is tested");
        for (old, new) in PAIRS {
            let (old_file, new_file) = (file(old), file(new));
            let settings = load(&old_file);
            assert_eq!(settings, load(&new_file), "{old}");
            assert_ne!(old_file, new_file);

            let [old_words, new_words] = [old, new].map(|field| {
                let (_, field) = field.split_once(' ').expect("a field");
                field.split_once(": ").expect("a name and a value")
            });
            // Either the name or the value differs.
            let (column, old_word, new_word) = if old_words.0 == new_words.0 {
                (20 + old_words.0.len() + 2, old_words.1, new_words.1)
            } else {
                (20, old_words.0, new_words.0)
            };
            // Some of the values have no effect beside the defaults of others, which is another warning.
            let notes = settings.warnings_in(&old_file).into_iter();
            let notes: Vec<_> = notes.filter(|note| note.wrong.contains("is now called")).collect();
            let [note] = &notes[..] else { panic!("{old}: {notes:?}") };
            assert_eq!(note.to_string(), format!("4:{column}: `{old_word}` is now called `{new_word}`; rename it"));
            assert!(settings.get(&note.path).is_some(), "`{}` is not a parameter", note.path);
            let is_old = settings.warnings_in(&new_file).iter().any(|note| note.wrong.contains("is now called"));
            assert!(!is_old, "{new_file}");
        }
    }

    #[test]
    fn the_noise_of_a_mask_has_the_old_names_too() {
        let old =
            "(field: (layers: [(masks: [Noise(noise: (\n  size: 1.0, // kept\n  shape: Smooth))], kind: Noise())]))";
        let mut settings = load(old);
        let notes: Vec<String> = settings.warnings_in(old).iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            ["2:3: `size` is now called `height_scale`; rename it", "3:10: `Smooth` is now called `Fbm`; rename it",]
        );
        let path = "field.layers[0].masks[0].noise.height_scale";
        assert!(settings.set(path, crate::param::ParamValue::Float(4.0)));
        assert_eq!(settings.save_into(old), old.replace("size: 1.0", "height_scale: 4.0").replace("Smooth", "Fbm"));
        assert_eq!(
            problems(&old.replace("1.0", "1e9")),
            [format!("2:9: `{path}` is 1000000000.0, allowed: -10000 to 10000 m")]
        );
    }

    #[test]
    fn only_three_of_the_pairs_set_a_default_value() {
        // The test above can't see that a name is ignored if its value is the default.
        for (_, new) in PAIRS {
            let (_, field) = new.split_once(' ').expect("a part of the settings and a field");
            let is_default = ["shape: Fbm", "lattice: FastHash", "sum: Normalized"].contains(&field);
            let without = file(new).replace(&format!("{field}, "), "");
            assert_eq!(load(&file(new)) == load(&without), is_default, "{new}");
        }
    }

    #[test]
    fn saving_writes_the_new_names_and_keeps_every_comment() {
        for (old, new) in PAIRS {
            assert_eq!(load(&file(old)).save_into(&file(old)), file(new));
        }
        let text =
            "(field: (layers: [(kind: Noise(\n  size: 50.0, // tall\n  /* why */ shape: Smooth,\n))])) // size: 3";
        let mut settings = load(text);
        settings.field.layers[0].noise_mut().expect("a layer of noise").height_scale = 75.5;
        let expected =
            "(field: (layers: [(kind: Noise(\n  height_scale: 75.5, // tall\n  /* why */ shape: Fbm,\n))])) // size: 3";
        assert_eq!(settings.save_into(text), expected);
        assert_eq!(settings.warnings_in(expected), []);
    }

    #[test]
    fn a_field_with_its_old_and_its_new_name_is_set_twice() {
        for (fields, column) in
            [("size: 1.0, height_scale: 2.0", 31), ("height_scale: 1.0, size: 2.0", 39), ("size: 1.0 , size: 2.0", 32)]
        {
            let found = problems(&format!("(field: (layers: [({fields}, octaves: 99)]))"));
            let expected = format!(
                "1:{column}: `field.layers[0].kind.height_scale` is set twice (`size` is its old name); remove one of them"
            );
            assert_eq!(found[0], expected);
            assert!(found[1].contains("`field.layers[0].kind.octaves` is 99"), "the rest is read: {found:?}");
            assert_eq!(found.len(), 2, "{found:?}");
        }
        assert_eq!(
            problems("(look: (water_color: (0, 0, 0), variation: 0.5, water_colour: (1, 1, 1)))"),
            ["1:49: `look.water_color` is set twice (`water_colour` is its old name); remove one of them"]
        );
        let twice = "1:23: `field.seed` is set twice; remove one of them";
        assert_eq!(problems("(field: (seed: 1,     seed: 2))"), [twice]);
    }

    #[test]
    fn problems_of_old_names_use_the_new_names() {
        assert_eq!(
            problems("(field: (layers: [(size: 1e9, warp: \"far\", sum: Normalized, lattice: Mixd)]))"),
            [
                "1:26: `field.layers[0].kind.height_scale` is 1000000000.0, allowed: -10000 to 10000 m",
                "1:37: `field.layers[0].kind.warp_strength` is \"far\", allowed: a number, 0 to 10000 m",
                "1:70: `field.layers[0].kind.lattice` is Mixd, allowed: FastHash, Table, Grid, Diagonals, PermutationBits, \
                 Perlin2002, Ward, Shift, ShiftMult",
            ]
        );
        let [unknown] = &problems("(field: (layers: [(sise: 1.0)]))")[..] else { panic!("one problem") };
        for Renamed { old, new, .. } in FIELDS.iter().filter(|field| field.within == "field.layers[0]") {
            let names: Vec<&str> = unknown.split([' ', ',', ':', '`']).collect();
            assert!(names.contains(new) && !names.contains(old), "{unknown}");
        }
    }

    #[test]
    fn an_old_name_in_another_place_is_not_renamed() {
        let outline_text = "(size: 1, field: (size: 2, layers: [(lattice: Smooth, shape: Mixed)]), look: (warp: 3))";
        assert_eq!(notes(outline_text, &Outline::of(outline_text)), []);
        assert_eq!(with_new_names(outline_text), outline_text);
    }

    #[test]
    fn the_tables_name_parameters_that_exist() {
        let mut known: Vec<(String, &'static Param, Vec<&str>)> = Vec::new();
        TerrainSettings::default().visit(&mut ParamVisitor::new(&mut |path, param, value| {
            known.push((path.to_owned(), param, value.names()));
        }));
        for Renamed { within, old, new } in FIELDS {
            assert!(known.iter().any(|(path, ..)| *path == format!("{within}.{new}")), "{within}.{new}");
            assert!(!known.iter().any(|(path, ..)| *path == format!("{within}.{old}")), "{within}.{old}");
        }
        for Renamed { within, old, new } in VARIANTS {
            let names = known.iter().find(|(path, ..)| path == within).map(|(.., names)| names);
            assert!(names.is_some_and(|names| names.contains(new) && !names.contains(old)), "{within}: {new}");
        }
    }
}
