//! Finds and logs warnings about the current settings.

use crate::asset::LoadedFiles;
use crate::settings::{SettingsProblem, TerrainSettings};
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
            let before = state.settings_before.take();
            let Some(settings) = &state.settings else {
                continue;
            };
            let file = server.get_path(terrain.0.id()).map(AssetPath::into_owned);
            let file = file.and_then(|path| Some((text_of(settings, &path, &files)?, path)));
            if let (Some(before), Some((text, path))) = (before, &file) {
                for warning in settings.changed_streams(&before, text) {
                    warn!("{}", warning.in_file(path));
                }
            }
            let warnings: Vec<SettingsProblem> = match &file {
                Some((text, path)) => {
                    settings.warnings_in(text).into_iter().map(|warning| warning.in_file(path)).collect()
                }
                None => settings.warnings().into_iter().map(SettingsProblem::from).collect(),
            };
            for warning in new_warnings(&state.warnings, &warnings) {
                warn!("{warning}");
            }
            state.warnings = warnings;
        }
    });
}

/// The text of the file at `path`. `None` if the current settings are not those of the file, for example after an edit in the inspector.
fn text_of(settings: &TerrainSettings, path: &AssetPath<'static>, files: &LoadedFiles) -> Option<String> {
    let text = files.text(path)?;
    (TerrainSettings::from_ron(&text).as_ref() == Ok(settings)).then_some(text)
}

/// The warnings in `new` that were not logged before.
///
/// Dragging a slider changes the numbers in a warning many times per second. So a warning without a position in a file counts as
/// logged if there was any warning about the same parameter.
fn new_warnings<'a>(old: &[SettingsProblem], new: &'a [SettingsProblem]) -> impl Iterator<Item = &'a SettingsProblem> {
    let is_logged = move |warning: &SettingsProblem| {
        old.iter().any(|old| old == warning || warning.position.is_none() && old.path == warning.path)
    };
    new.iter().filter(move |warning| !is_logged(warning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TextPosition;
    use std::slice::from_ref;

    fn warning(path: &str, wrong: &str) -> SettingsProblem {
        let mut problem = SettingsProblem::new(wrong);
        path.clone_into(&mut problem.path);
        problem
    }

    fn in_file(path: &str, wrong: &str) -> SettingsProblem {
        let mut problem = warning(path, wrong).in_file("x.ron");
        problem.position = Some(TextPosition { line: 1, column: 2 });
        problem
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
