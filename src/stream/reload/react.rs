//! Settings changed: from the file, from the inspector or from code, all through the asset.

use crate::settings::{LoadedFiles, SettingsProblem, TerrainSettings, TerrainSettingsLoadError, joined};
use crate::stream::ground::{Ground, GroundSource};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, AssetPath, LoadState};
use bevy::prelude::*;

/// Adopts changed settings where they are good, and remembers what is wrong where they are not.
pub(in crate::stream) fn react_to_settings(
    assets: Res<Assets<TerrainSettings>>,
    (server, files): (Res<AssetServer>, Res<LoadedFiles>),
    mut events: MessageReader<AssetEvent<TerrainSettings>>,
    mut failures: MessageReader<AssetLoadFailedEvent<TerrainSettings>>,
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
            stats.tasks_canceled += give_up_incoming(&mut state) as u64;
            start_ground(&mut state);
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
            (state.recheck_warnings, state.replan) = (true, true);
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

/// Gives up the incoming ground if it is not worth waiting for: the edit was undone, or chunks are cut another way now, which
/// may cost very much more or less. Returns how many tasks were canceled.
fn give_up_incoming(state: &mut TerrainState) -> usize {
    let TerrainState { settings: Some(settings), ground, incoming, .. } = state else {
        return 0;
    };
    let is_undone = ground.as_ref().is_some_and(|ground| ground.source.is_of(settings));
    let given_up = incoming.take_if(|incoming| is_undone || incoming.source.chunks != settings.chunks);
    given_up.map_or(0, |ground| state.give_up(ground))
}

/// Begins another ground if the newest is not made from the settings in use.
///
/// One at a time: while one is being built, later changes wait until it is drawn.
fn start_ground(state: &mut TerrainState) {
    let Some(settings) = &state.settings else {
        return;
    };
    if state.incoming.is_some() || state.ground.as_ref().is_some_and(|ground| ground.source.is_of(settings)) {
        return;
    }
    let new = Ground::new(GroundSource::of(settings));
    state.replan = true;
    match &mut state.ground {
        Some(ground) if ground.len() > 0 => state.incoming = Some(new),
        ground => *ground = Some(new),
    }
}
