//! Finds and logs warnings about the current settings.

use crate::settings::{LoadedFiles, SettingsProblem, TerrainSettings};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::asset::AssetPath;
use bevy::prelude::*;

/// Updates the warnings of terrains whose settings changed, and logs the new ones.
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
            let warnings = in_file(settings, path, &files)
                .unwrap_or_else(|| settings.warnings().into_iter().map(SettingsProblem::from).collect());
            for warning in new_warnings(&state.warnings, &warnings) {
                warn!("{warning}");
            }
            state.warnings = warnings;
        }
    });
}

/// The warnings with their places in the file. `None` if the current settings are not those of the file, for example after an edit
/// in the inspector.
fn in_file(
    settings: &TerrainSettings,
    path: Option<AssetPath<'static>>,
    files: &LoadedFiles,
) -> Option<Vec<SettingsProblem>> {
    let path = path?;
    let text = files.text(&path)?;
    if TerrainSettings::from_ron(&text).as_ref() != Ok(settings) {
        return None;
    }
    Some(settings.warnings_in(&text).into_iter().map(|warning| warning.in_file(&path)).collect())
}

/// The warnings in `new` that were not logged before.
///
/// Dragging a slider changes the numbers in a warning many times per second. So a warning without a place in a file counts as
/// logged if there was any warning about the same parameter.
fn new_warnings<'a>(old: &[SettingsProblem], new: &'a [SettingsProblem]) -> impl Iterator<Item = &'a SettingsProblem> {
    let is_logged = move |warning: &SettingsProblem| {
        old.iter().any(|old| old == warning || warning.place.is_none() && old.path == warning.path)
    };
    new.iter().filter(move |warning| !is_logged(warning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TextPlace;
    use std::slice::from_ref;

    fn warning(path: &str, wrong: &str) -> SettingsProblem {
        SettingsProblem { path: path.to_owned(), wrong: wrong.to_owned(), ..Default::default() }
    }

    fn in_file(path: &str, wrong: &str) -> SettingsProblem {
        let place = Some(TextPlace { line: 1, column: 2 });
        SettingsProblem { place, ..warning(path, wrong) }.in_file("x.ron")
    }

    fn logged<'a>(old: &[SettingsProblem], new: &'a [SettingsProblem]) -> Vec<&'a str> {
        new_warnings(old, new).map(|warning| warning.wrong.as_str()).collect()
    }

    #[test]
    fn a_warning_is_logged_once_and_not_for_every_step_of_a_slider() {
        let [first, dragged, other] = [warning("a", "0.6"), warning("a", "0.7"), warning("b", "0.8")];
        assert_eq!(logged(&[], from_ref(&first)), ["0.6"]);
        assert!(logged(from_ref(&first), from_ref(&first)).is_empty());
        assert_eq!(logged(&[first], &[dragged, other]), ["0.8"]);
    }

    #[test]
    fn every_change_of_a_file_is_logged() {
        let [first, changed] = [in_file("a", "0.6"), in_file("a", "0.7")];
        assert!(logged(from_ref(&first), from_ref(&first)).is_empty());
        assert_eq!(logged(&[first], &[changed]), ["0.7"]);
    }
}
