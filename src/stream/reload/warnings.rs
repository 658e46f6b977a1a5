//! What is allowed in the settings in use but will not look as it was meant.

use crate::settings::{LoadedFiles, SettingsWarning, TerrainSettings};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::asset::AssetPath;
use bevy::prelude::*;

/// A warning about the settings in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::stream) struct ActiveWarning {
    /// The parameter that it is about.
    path: String,
    /// What to tell, with file, line and column where the settings are those of a file.
    pub line: String,
}

/// Finds the warnings about settings that were adopted, and logs those that are news.
pub(in crate::stream) fn find_warnings(
    server: Res<AssetServer>,
    files: Res<LoadedFiles>,
    mut terrains: Query<(&Terrain, &mut TerrainState)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::React, |_| {
        for (terrain, mut state) in terrains.iter_mut().filter(|(_, state)| state.recheck_warnings) {
            state.recheck_warnings = false;
            let Some(settings) = &state.settings else {
                continue;
            };
            let path = server.get_path(terrain.0.id()).map(AssetPath::into_owned);
            let warnings = in_file(settings, path, &files).unwrap_or_else(|| anywhere(settings.warnings()));
            for warning in news(&state.warnings, &warnings) {
                warn!("{}", warning.line);
            }
            state.warnings = warnings;
        }
    });
}

/// The warnings with their places, where the settings in use are those of the file, rather than edited since.
fn in_file(
    settings: &TerrainSettings,
    path: Option<AssetPath<'static>>,
    files: &LoadedFiles,
) -> Option<Vec<ActiveWarning>> {
    let path = path?;
    let text = files.text(&path)?;
    if TerrainSettings::from_ron(&text).as_ref() != Ok(settings) {
        return None;
    }
    let warnings = settings.warnings_in(&text).into_iter();
    Some(
        warnings
            .map(|found| ActiveWarning { path: found.path.clone(), line: found.in_file(&path).to_string() })
            .collect(),
    )
}

fn anywhere(warnings: Vec<SettingsWarning>) -> Vec<ActiveWarning> {
    warnings.into_iter().map(|found| ActiveWarning { line: found.to_string(), path: found.path }).collect()
}

/// Those of `new` that somebody who was told all of `old` should be told.
///
/// A slider that is dragged changes the numbers in a warning ten times a second: without a place in a file, it is news only
/// where there was none about the same parameter.
fn news<'a>(old: &[ActiveWarning], new: &'a [ActiveWarning]) -> impl Iterator<Item = &'a ActiveWarning> {
    let is_edit = |warning: &ActiveWarning| warning.line.starts_with('`');
    let is_known = move |warning: &ActiveWarning| {
        old.iter().any(|old| old.line == warning.line || is_edit(warning) && old.path == warning.path)
    };
    new.iter().filter(move |warning| !is_known(warning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    fn warning(path: &str, line: &str) -> ActiveWarning {
        ActiveWarning { path: path.to_owned(), line: line.to_owned() }
    }

    fn lines<'a>(old: &[ActiveWarning], new: &'a [ActiveWarning]) -> Vec<&'a str> {
        news(old, new).map(|warning| warning.line.as_str()).collect()
    }

    #[test]
    fn a_warning_is_logged_once_and_not_for_every_step_of_a_slider() {
        let [first, dragged, other] = [warning("a", "`a`: 0.6"), warning("a", "`a`: 0.7"), warning("b", "`b`: 0.6")];
        assert_eq!(lines(&[], from_ref(&first)), ["`a`: 0.6"]);
        assert!(lines(from_ref(&first), from_ref(&first)).is_empty());
        assert_eq!(lines(&[first], &[dragged, other]), ["`b`: 0.6"]);
    }

    #[test]
    fn every_change_of_a_file_is_logged() {
        let [first, changed] = [warning("a", "x.ron:1:2: `a`: 0.6"), warning("a", "x.ron:1:2: `a`: 0.7")];
        assert!(lines(from_ref(&first), from_ref(&first)).is_empty());
        assert_eq!(lines(&[first], &[changed]), ["x.ron:1:2: `a`: 0.7"]);
    }
}
