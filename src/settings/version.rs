//! The version of a settings file, and the changes that bring an old file up to date.
//!
//! A file of version 1 has no `version`, and all its layers are noise: `layers: [(octaves: 3)]`. Version 2 states the kind of each
//! layer: `layers: [(kind: Noise(octaves: 3))]`. An old file is changed as text, before it is read. So there is one reader, and
//! saving keeps the comments.

use super::error::{problem_at, text_place};
use super::outline::{Outline, OutlineEntry, offset_of, skip_space, skip_word};
use super::{SettingsError, SettingsProblem};
use crate::param::parent_path;
use std::ops::Range;

/// The version of files that state none.
pub(super) const OLDEST: u32 = 1;
/// The version that this crate writes.
pub(super) const CURRENT: u32 = 2;

/// The text of a settings file, in the current version.
pub(super) struct CurrentText<'a> {
    original: &'a str,
    pub text: String,
    /// The parts of the original that the text has unchanged, and where they begin in the text.
    kept: Vec<(Range<usize>, usize)>,
    /// The path of the first layer whose kind was added, and its byte in the original.
    first_layer: Option<(String, usize)>,
}

impl<'a> CurrentText<'a> {
    /// Brings the text of a settings file up to date.
    ///
    /// # Errors
    ///
    /// If the file states a version that this crate does not know.
    pub fn of(original: &'a str) -> Result<Self, SettingsError> {
        let outline = Outline::of(original);
        let mut current = Self { original, text: String::new(), kept: Vec::new(), first_layer: None };
        let mut at = 0;
        if stated_version(original, &outline)? != Some(CURRENT) {
            let mut changes = current.missing_kinds(&outline);
            changes.sort_by_key(|(place, _)| place.start);
            for (place, new) in changes {
                current.keep(at..place.start);
                current.text.push_str(new);
                at = place.end;
            }
        }
        current.keep(at..original.len());
        Ok(current)
    }

    /// What to replace so that each layer without a `kind` has the kind `Noise`.
    fn missing_kinds(&mut self, outline: &Outline) -> Vec<(Range<usize>, &'static str)> {
        let mut changes = Vec::new();
        for OutlineEntry { path, value, .. } in outline.entries() {
            let is_layer = path.ends_with(']') && parent_path(path) == "field.layers";
            if !is_layer || outline.find(&format!("{path}.kind")).is_some() {
                continue;
            }
            let text = &self.original[value.clone()];
            // A comment may stand between the name of the struct and its bracket. It stays, and may have brackets too.
            let name_end = skip_word(self.original, value.start);
            let open = skip_space(self.original, name_end);
            let is_struct = self.original.get(open..value.end).is_some_and(|rest| rest.starts_with('('));
            // Anything but a complete struct is an error, which the reader reports.
            if !is_struct || !text.ends_with(')') {
                continue;
            }
            self.first_layer.get_or_insert_with(|| (path.clone(), value.start));
            changes.push((value.start..name_end, "(kind: Noise"));
            changes.push((value.end - 1..value.end, "))"));
        }
        changes
    }

    fn keep(&mut self, range: Range<usize>) {
        self.kept.push((range.clone(), self.text.len()));
        self.text.push_str(&self.original[range]);
    }

    /// Whether the file is of an older version.
    pub const fn is_old(&self) -> bool {
        self.first_layer.is_some()
    }

    /// Moves the place of a problem from the current text to the original text.
    pub fn in_original(&self, mut problem: SettingsProblem) -> SettingsProblem {
        if let Some(place) = &mut problem.place {
            let offset = offset_of(&self.text, place.line, place.column);
            let before = self.kept.iter().rev().find(|(_, start)| *start <= offset);
            let offset = before.map_or(0, |(range, start)| (range.start + offset - start).min(range.end));
            *place = text_place(self.original, offset);
        }
        problem
    }

    /// A note about the version, if the file is of an older one.
    pub fn note(&self) -> Option<SettingsProblem> {
        let (path, offset) = self.first_layer.as_ref()?;
        let wrong = format!("`{path}` has no `kind`, as in files of version 1, and is read as `kind: Noise(...)`");
        Some(problem_at(self.original, *offset, path, wrong, None))
    }
}

/// The version that the file states. `None` if it states none.
fn stated_version(text: &str, outline: &Outline) -> Result<Option<u32>, SettingsError> {
    let Some(entry) = outline.find("version") else { return Ok(None) };
    let found = &text[entry.value.clone()];
    let wrong = match found.parse() {
        Ok(version @ OLDEST..=CURRENT) => return Ok(Some(version)),
        Ok(version) if version > CURRENT => format!("is {found}, of a newer release than this one"),
        _ => format!("is {}", super::explain::shortened(found)),
    };
    let problem = problem_at(text, entry.value.start, &entry.path, wrong, Some(format!("1 to {CURRENT}")));
    Err(SettingsError { problems: vec![problem.starting_with_path()] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;

    fn problems(text: &str) -> Vec<String> {
        let error = TerrainSettings::from_ron(text).expect_err("the text is wrong");
        error.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn layers_of_old_files_are_noise() {
        let old = "(field: (layers: [\n  // broad\n  (octaves: 3, // few\n  ), NoiseSettings(octaves: 4), ()]))";
        let new =
            "(version: 2, field: (layers: [(kind: Noise(octaves: 3)), (kind: Noise(octaves: 4)), (kind: Noise())]))";
        let current = CurrentText::of(old).expect("no version is version 1");
        assert_eq!(
            current.text,
            "(field: (layers: [\n  // broad\n  (kind: Noise(octaves: 3, // few\n  )), (kind: Noise(octaves: 4)), (kind: Noise())]))"
        );
        let settings = TerrainSettings::from_ron(old).expect("an old file loads");
        assert_eq!(Ok(&settings), TerrainSettings::from_ron(new).as_ref());
        let notes: Vec<String> = settings.warnings_in(old).iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            ["3:3: `field.layers[0]` has no `kind`, as in files of version 1, and is read as `kind: Noise(...)`"]
        );
        assert_eq!(settings.warnings_in(new), []);
    }

    #[test]
    fn problems_of_old_files_have_their_places_in_the_file() {
        assert_eq!(
            problems("(field: (layers: [(octaves: 40), (lattice: FastHash, octave: 3)]))"),
            [
                "1:29: `field.layers[0].kind.octaves` is 40, allowed: 0 to 32",
                "1:54: unknown field `octave`, did you mean `octaves`? allowed: lattice, bits, permutation, period_x, \
                 period_y, fade, shape, octaves, frequency, wavelength, max_frequency, lacunarity, persistence, amplitude, sum, \
                 exponent, height_scale, offset_octaves, warp_strength, warp_frequency, warp_octaves",
            ]
        );
    }

    #[test]
    fn comments_between_a_name_and_its_bracket_stay() {
        let current = CurrentText::of("(field: (layers: [NoiseSettings /* (a) */ (octaves: 3)]))").expect("version 1");
        assert_eq!(current.text, "(field: (layers: [(kind: Noise /* (a) */ (octaves: 3))]))");
        assert!(TerrainSettings::from_ron(&current.text).is_ok());
    }

    #[test]
    fn unknown_versions_are_refused() {
        for (version, found) in [("3", "3, of a newer release than this one"), ("0", "0"), ("\"new\"", "\"new\"")] {
            let text = format!("(\n  version: {version},\n  field: (layers: [(octaves: 3)]))");
            assert_eq!(problems(&text), [format!("2:12: `version` is {found}, allowed: 1 to 2")]);
        }
        for text in ["(version: 1)", "(version: 2)", "()", "(version: 1, field: (layers: [(octaves: 2)]))"] {
            assert!(TerrainSettings::from_ron(text).is_ok(), "{text}");
        }
    }
}
