//! The version of a settings file, so that a later release of this crate can tell its files from those of today.

use super::SettingsError;
use super::error::problem_at;
use crate::ron_edit::{Document, shortened};

/// The version that this crate reads and writes. A file that states none has it.
pub(super) const CURRENT: u32 = 2;

/// Checks the version that a file states.
///
/// # Errors
///
/// If the file states a version that this crate does not know.
pub(super) fn check_version(file: &Document<'_>) -> Result<(), SettingsError> {
    let Some(version) = file.find("version") else { return Ok(()) };
    let found = version.value();
    let wrong = match found.parse::<u32>() {
        Ok(CURRENT) => return Ok(()),
        Ok(number) if number > CURRENT => format!("is {found}, of a newer release than this one"),
        _ => format!("is {}", shortened(found)),
    };
    let problem = problem_at(file.text(), version.range().start, "version", wrong, Some(CURRENT.to_string()));
    Err(SettingsError { problems: vec![problem.starting_with_path()] })
}

#[cfg(test)]
mod tests {
    use crate::settings::TerrainSettings;

    #[test]
    fn other_versions_are_refused() {
        for (version, found) in [("3", "3, of a newer release than this one"), ("1", "1"), ("\"new\"", "\"new\"")] {
            let text = format!("(\n  version: {version},\n  field: (layers: [(kind: Dunes())]))");
            let error = TerrainSettings::from_ron(&text).expect_err("another version").to_string();
            assert_eq!(error, format!("2:12: `version` is {found}, allowed: 2"));
        }
        for text in ["(version: 2)", "()"] {
            assert!(TerrainSettings::from_ron(text).is_ok(), "{text}");
        }
    }
}
