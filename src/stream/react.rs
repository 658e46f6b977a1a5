//! Settings changed: from the file, from the inspector or from code, all through the asset.

use super::generation::{Generation, Source};
use super::{Terrain, TerrainState, TerrainStats, TerrainSystems};
use crate::settings::{LoadedFiles, SettingsProblem, TerrainSettings, TerrainSettingsLoadError, joined};
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, AssetPath, LoadState};
use bevy::prelude::*;

/// Adopts changed settings where they are good, and remembers what is wrong where they are not.
pub(super) fn react_to_settings(
    assets: Res<Assets<TerrainSettings>>,
    (server, files): (Res<AssetServer>, Res<LoadedFiles>),
    mut events: MessageReader<AssetEvent<TerrainSettings>>,
    mut failures: MessageReader<AssetLoadFailedEvent<TerrainSettings>>,
    mut commands: Commands,
    mut terrains: Query<(Ref<Terrain>, &mut TerrainState)>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::React, |stats| {
        // Before the events: the file of a new terrain may have failed in this very frame, or long ago.
        for (terrain, mut state) in terrains.iter_mut().filter(|(terrain, _)| terrain.is_changed()) {
            let id = terrain.0.id();
            if state.asset.replace(id) == Some(id) {
                continue;
            }
            state.file_problems.clear();
            state.value_problems.clear();
            (state.recheck_warnings, state.is_loading) = (true, true);
            let Some(path) = server.get_path(id).map(AssetPath::into_owned) else {
                continue;
            };
            let failed = match server.get_load_state(id) {
                Some(LoadState::Failed(error)) => Some((*error).clone()),
                // The server has a good one: that it is outdated is known to its followers only.
                _ => files.refusal(&path),
            };
            if let Some(error) = failed
                && let Some(consequence) = note_failed_load(&mut state, &error)
            {
                warn!("{path}: {consequence}");
            }
        }
        for event in events.read() {
            let AssetEvent::LoadedWithDependencies { id } = *event else {
                continue;
            };
            for (_, mut state) in terrains.iter_mut().filter(|(terrain, _)| terrain.0.id() == id) {
                state.file_problems.clear();
                state.recheck_warnings = true;
            }
        }
        for failure in failures.read() {
            let mut consequences = Vec::new();
            for (_, mut state) in terrains.iter_mut().filter(|(terrain, _)| terrain.0.id() == failure.id) {
                consequences.extend(note_failed_load(&mut state, &failure.error));
            }
            // Once, however many terrains have the file.
            consequences.dedup();
            for consequence in consequences {
                warn!("{}: {consequence}", failure.path);
            }
        }
        for (terrain, mut state) in &mut terrains {
            if (assets.is_changed() || terrain.is_changed())
                && let Some(settings) = assets.get(&terrain.0)
            {
                state.is_loading = false;
                adopt(&mut state, settings);
            }
            abandon_generation(&mut state, stats);
            start_generation(&mut state, &mut commands);
        }
    });
}

/// Remembers why a load failed. Returns what follows from it, where that is news.
///
/// The error itself is in the log: Bevy's asset server, or who follows the files, put it there.
fn note_failed_load(state: &mut TerrainState, error: &AssetLoadError) -> Option<&'static str> {
    state.is_loading = false;
    let is_first = state.file_problems.is_empty();
    // The asset server's own words would name the loader, and print a backtrace too.
    state.file_problems = TerrainSettingsLoadError::of(error).map_or_else(
        || vec![SettingsProblem { wrong: error.to_string(), ..SettingsProblem::default() }],
        TerrainSettingsLoadError::problems,
    );
    is_first.then_some(if state.settings.is_some() {
        "the terrain keeps its last good settings until the file is fixed"
    } else {
        "there is no terrain until the file is fixed"
    })
}

fn adopt(state: &mut TerrainState, settings: &TerrainSettings) {
    if state.settings.as_ref() == Some(settings) {
        state.value_problems.clear();
        return;
    }
    match settings.validate() {
        Ok(()) => {
            state.settings = Some(settings.clone());
            state.value_problems.clear();
            (state.recheck_warnings, state.reselect) = (true, true);
        }
        Err(errors) => {
            let problems: Vec<SettingsProblem> = errors.into_iter().map(SettingsProblem::from).collect();
            if state.value_problems != problems {
                warn!("the terrain keeps its last good settings: {}", joined(&problems, "; "));
                state.value_problems = problems;
            }
        }
    }
}

/// Gives up the generation that is on its way, where it is not worth waiting for: the edit was taken back, or chunks are
/// cut another way now, which may cost very much more or less.
fn abandon_generation(state: &mut TerrainState, stats: &mut TerrainStats) {
    let TerrainState { settings: Some(settings), shown, incoming, head_start, hurries, leaving, .. } = state else {
        return;
    };
    let taken_back = shown.as_ref().is_some_and(|shown| shown.source.is_of(settings));
    let abandoned = incoming.take_if(|incoming| taken_back || incoming.source.chunks != settings.chunks).into_iter();
    for mut generation in abandoned {
        (*head_start, *hurries) = (None, false);
        stats.tasks_cancelled += generation.workshop.cancel_all() as u64;
        leaving.push_all(&mut generation);
    }
}

/// Begins a new generation where the newest is not made from the settings in use.
///
/// One at a time: while one is on its way, later changes wait until it is shown.
fn start_generation(state: &mut TerrainState, commands: &mut Commands) {
    let Some(settings) = &state.settings else {
        return;
    };
    if state.incoming.is_some() || state.shown.as_ref().is_some_and(|shown| shown.source.is_of(settings)) {
        return;
    }
    let generation = Generation::new(Source::of(settings));
    state.reselect = true;
    match &mut state.shown {
        Some(shown) if shown.len() > 0 => state.incoming = Some(generation),
        shown => {
            *shown = Some(generation);
            state.drawn.clear(commands);
        }
    }
}
