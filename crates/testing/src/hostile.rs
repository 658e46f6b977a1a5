//! Properties of any text that is read as a settings file. The fuzz target in `crates/fuzz` checks the same.

use perlin_terrain::settings::TerrainSettings;

/// Asserts that reading `text` gives valid settings that can be saved into it, or problems with a position inside it.
#[track_caller]
pub fn check_text(text: &str) {
    match TerrainSettings::from_ron(text) {
        Ok(settings) => {
            assert_eq!(settings.validate(), Ok(()));
            for warning in settings.warnings_in(text) {
                assert!(warning.to_string().chars().count() < 1000, "{warning}");
            }
            let saved = settings.save_into(text);
            assert_eq!(TerrainSettings::from_ron(&saved), Ok(settings), "saved as {saved:?}");
        }
        Err(error) => {
            assert!(!error.problems.is_empty());
            let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).split('\n').collect();
            for problem in &error.problems {
                let position = problem.position.expect("every problem of a text has a position");
                let line = position.line.checked_sub(1).and_then(|index| lines.get(index));
                let columns = line.map(|line| 1..=line.chars().count() + 1);
                assert!(columns.is_some_and(|columns| columns.contains(&position.column)), "{problem}");
                assert!(problem.to_string().chars().count() < 1000, "{problem}");
            }
            assert!(error.problems.is_sorted_by_key(|problem| problem.position), "{error}");
        }
    }
}
