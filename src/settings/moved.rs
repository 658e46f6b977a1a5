//! Fields that are no longer settings. Most of them are now fields of the `TerrainBudget` resource.
//!
//! A file with such a field still loads; the value is ignored. Saving keeps the field and its comment. A note says
//! that it can be removed.

use super::SettingsProblem;
use super::error::problem_at;
use super::outline::{Outline, written_name};
use crate::chunk::StreamSettings;
use crate::param::parent_path;

/// The struct that had these fields.
const WITHIN: &str = "stream";

/// Returns a note for each field in `text` that no longer has an effect.
pub(super) fn notes(text: &str, outline: &Outline) -> Vec<SettingsProblem> {
    let note = |entry| {
        let name = written_name(text, entry);
        let is_moved = StreamSettings::MOVED.contains(&name) && parent_path(&entry.path) == WITHIN;
        let why = match name {
            "keep_margin" => "no longer has an effect",
            _ => "has no effect here: it is now set in code, in the `TerrainBudget` resource",
        };
        let wrong = format!("`{name}` {why}; remove it");
        is_moved.then(|| problem_at(text, entry.field.start, &entry.path, wrong, None))
    };
    outline.entries().iter().filter_map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;

    const FILE: &str = "// é\n(\n    stream: (\n        max_tasks: 64, // four cores\n        chunks_per_frame: 2,\n        time_budget: 1e99, upload_budget: -4.0,\n        look_ahead: 2.0,\n        memory_limit: \"little\",\n        keep_margin: (200.0, [1]), // why\n    ),\n)\n";

    fn notes_of(text: &str) -> Vec<String> {
        let settings = TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        settings.warnings_in(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_with_moved_fields_loads_and_each_of_them_has_a_note() {
        let settings = TerrainSettings::from_ron(FILE).expect("the old values are ignored");
        let mut expected = TerrainSettings::default();
        expected.stream.look_ahead = 2.0;
        assert_eq!(settings, expected);
        let budget = "has no effect here: it is now set in code, in the `TerrainBudget` resource; remove it";
        assert_eq!(
            notes_of(FILE),
            [
                format!("4:9: `max_tasks` {budget}"),
                format!("5:9: `chunks_per_frame` {budget}"),
                format!("6:9: `time_budget` {budget}"),
                format!("6:28: `upload_budget` {budget}"),
                format!("8:9: `memory_limit` {budget}"),
                "9:9: `keep_margin` no longer has an effect; remove it".to_owned(),
            ]
        );
        assert_eq!(notes_of(FILE).len(), StreamSettings::MOVED.len(), "every moved field is tested");
    }

    #[test]
    fn a_moved_field_in_another_struct_is_unknown() {
        assert_eq!(notes_of("(stream: (look_ahead: 1.0 /* max_tasks: 3 */)) // keep_margin: 3"), [""; 0]);
        for text in ["(field: (max_tasks: 3))", "(keep_margin: 3.0)", "(stream: (budget: 3))"] {
            let error = TerrainSettings::from_ron(text).expect_err("an unknown field").to_string();
            assert!(error.contains("unknown field"), "{error}");
        }
        // The error does not suggest fields that have no effect.
        let error = TerrainSettings::from_ron("(stream: (max_task: 3))").expect_err("an unknown field").to_string();
        assert_eq!(error, "1:11: unknown field `max_task`, allowed: look_ahead");
    }

    #[test]
    fn saving_changes_only_the_edited_values() {
        let mut settings = TerrainSettings::from_ron(FILE).expect("it loads");
        assert_eq!(settings.save_into(FILE), FILE);
        settings.stream.look_ahead = 3.0;
        assert_eq!(settings.save_into(FILE), FILE.replace("look_ahead: 2.0", "look_ahead: 3.0"));
        assert!(!settings.to_ron().contains("max_tasks"));
        // Saving adds a current field to a struct that has only moved ones.
        let old = "(\n    stream: (\n        keep_margin: 10.0, // why\n    ),\n)\n";
        let saved = settings.save_into(old);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(settings));
        assert!(saved.contains("keep_margin: 10.0, // why") && saved.contains("look_ahead: 3.0"), "{saved}");
    }
}
