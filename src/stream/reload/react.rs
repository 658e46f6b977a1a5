//! Applies changed settings and edits to terrains.

use crate::asset::{LoadedFiles, TerrainSettingsLoadError};
use crate::field::{EditMap, HeightField};
use crate::settings::{SettingsProblem, TerrainSettings, joined};
use crate::stream::budget::TerrainBudget;
use crate::stream::build::{ChunkStore, StreamThreads, SurfaceFinish};
use crate::stream::edits::{TerrainEdits, follow_edits};
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::streamed_terrain::StreamedTerrain;
use crate::stream::terrain::Terrain;
use bevy::asset::{AssetLoadError, AssetLoadFailedEvent, AssetPath, LoadState};
use bevy::prelude::*;

/// Applies changed settings if they are valid, and records their problems otherwise.
pub(in crate::stream) fn react_to_settings(
    assets: Res<Assets<TerrainSettings>>,
    (server, files): (Res<AssetServer>, Res<LoadedFiles>),
    mut events: MessageReader<AssetEvent<TerrainSettings>>,
    mut failures: MessageReader<AssetLoadFailedEvent<TerrainSettings>>,
    mut terrains: Query<(NameOrEntity, Ref<Terrain>, &mut TerrainState, Option<&mut TerrainEdits>)>,
    (finish, threads, mut no_edits): (Res<SurfaceFinish>, Res<StreamThreads>, Local<TerrainEdits>),
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::React, |stats| {
        // Before the events: the file of a new terrain may have failed to load in this frame, or long ago.
        for (name, terrain, mut state, _) in terrains.iter_mut().filter(|(_, terrain, ..)| terrain.is_changed()) {
            let id = terrain.0.id();
            if state.asset.replace(id) == Some(id) {
                continue;
            }
            state.file_problems.clear();
            state.value_problems.clear();
            (state.recheck_warnings, state.is_loading) = (true, true);
            let Some(path) = server.get_path(id).map(AssetPath::into_owned) else {
                // Other handles without a file keep their asset, or a place for it.
                if terrain.0.is_uuid() && !assets.contains(id) {
                    let wrong = "its handle leads to no settings; give it one of `AssetServer::load` or `Assets::add`";
                    warn!("the terrain {name}: {wrong}");
                    state.is_loading = false;
                    state.value_problems = vec![SettingsProblem::new(wrong)];
                }
                continue;
            };
            let failed = match server.get_load_state(id) {
                Some(LoadState::Failed(error)) => Some((*error).clone()),
                // The server has valid settings. Only hot reload knows whether the file is invalid by now.
                _ => files.refusal(&path),
            };
            if let Some(error) = failed
                && let Some(consequence) = record_failed_load(&mut state, &error)
            {
                warn!("{path}: {consequence}");
            }
        }
        for event in events.read() {
            let AssetEvent::LoadedWithDependencies { id } = *event else {
                continue;
            };
            for (_, _, mut state, _) in terrains.iter_mut().filter(|(_, terrain, ..)| terrain.0.id() == id) {
                state.file_problems.clear();
                state.recheck_warnings = true;
            }
        }
        for failure in failures.read() {
            let mut consequences = Vec::new();
            for (_, _, mut state, _) in terrains.iter_mut().filter(|(_, terrain, ..)| terrain.0.id() == failure.id) {
                consequences.extend(record_failed_load(&mut state, &failure.error));
            }
            // Log it once, even if several terrains use the file.
            consequences.dedup();
            for consequence in consequences {
                warn!("{}: {consequence}", failure.path);
            }
        }
        let max_built_now = TerrainBudget::max_built_now(threads.0, terrains.iter().len());
        for (name, terrain, mut state, mut edits) in &mut terrains {
            if (assets.is_changed() || terrain.is_changed())
                && let Some(settings) = assets.get(&terrain.0)
            {
                let is_same_asset = !std::mem::take(&mut state.is_loading);
                apply_settings(&mut state, settings, is_same_asset);
            }
            stats.tasks_canceled += cancel_reload(&mut state) as u64;
            // What the terrain does with it is no change for a game, which may also have taken it away.
            let edits = edits.as_mut().map_or(&mut *no_edits, |edits| edits.bypass_change_detection());
            follow_edits(&name, &mut state, edits, max_built_now);
            start_ground(&mut state, edits.map(), &*finish.store);
        }
    });
}

/// Records the problems of a failed load. Returns the consequence for the terrain if there were no problems before.
///
/// Bevy's asset server or hot reload already logged the error itself.
fn record_failed_load(state: &mut TerrainState, error: &AssetLoadError) -> Option<&'static str> {
    state.is_loading = false;
    let is_first = state.file_problems.is_empty();
    // The text of the asset server would name the loader and print a backtrace.
    state.file_problems = TerrainSettingsLoadError::of(error)
        .map_or_else(|| vec![SettingsProblem::new(error.to_string())], TerrainSettingsLoadError::problems);
    is_first.then_some(if state.settings.is_some() {
        "the terrain keeps its last valid settings until the file is fixed"
    } else {
        "there is no terrain until the file is fixed"
    })
}

/// Uses `settings` if they are valid. Otherwise, records and logs their problems. `is_same_asset` says whether they belong to the asset
/// of the settings before.
fn apply_settings(state: &mut TerrainState, settings: &TerrainSettings, is_same_asset: bool) {
    if state.settings.as_ref() == Some(settings) {
        state.value_problems.clear();
        return;
    }
    match settings.validate() {
        Ok(()) => {
            state.settings_before = state.settings.replace(settings.clone()).filter(|_| is_same_asset);
            state.value_problems.clear();
            (state.recheck_warnings, state.replan) = (true, true);
            state.all_streamed().for_each(|streamed| streamed.take_plants(settings));
        }
        Err(errors) => {
            let problems: Vec<SettingsProblem> = errors.into_iter().map(SettingsProblem::from).collect();
            // A game may move a value that is out of its range in every frame.
            let is_known = |problem: &SettingsProblem| state.value_problems.iter().any(|old| old.path == problem.path);
            if !problems.iter().all(is_known) {
                warn!("the terrain keeps its last valid settings: {}", joined(&problems, "; "));
            }
            state.value_problems = problems;
        }
    }
}

/// Cancels the reload that is in progress if the edit was undone, or if the chunk settings changed again. The old chunk settings may
/// cost much more than the new ones. Returns the number of canceled tasks.
fn cancel_reload(state: &mut TerrainState) -> usize {
    let TerrainState { settings: Some(settings), drawn, incoming, .. } = state else {
        return 0;
    };
    let canceled = incoming.take_if(|incoming| {
        // A ground that is behind still needs one with the same settings.
        let is_undone = |drawn: &StreamedTerrain| {
            drawn.source.is_of(settings) && !(drawn.is_behind && incoming.source.is_of(settings))
        };
        drawn.as_ref().is_some_and(is_undone) || incoming.source.chunks != settings.chunks
    });
    canceled.map_or(0, |streamed| state.discard(streamed))
}

/// Starts a new ground if the newest one does not have the current height settings and all edits. `edits` are those of the game.
///
/// Only one reload runs at a time. Later changes wait until its ground is drawn.
fn start_ground(state: &mut TerrainState, edits: &EditMap, store: &dyn ChunkStore) {
    let Some(settings) = &state.settings else {
        return;
    };
    if state.incoming.is_some() || state.drawn.as_ref().is_some_and(|streamed| streamed.is_current(settings)) {
        return;
    }
    let same_ground = state.drawn.as_ref().filter(|streamed| streamed.source.has_field_of(settings));
    let field = same_ground.map(|streamed| streamed.latest.clone());
    let field = field.unwrap_or_else(|| HeightField::new(&settings.field).with_edits(edits));
    let mut new = StreamedTerrain::new(settings, field, store);
    if let Some(drawn) = state.drawn.as_ref().filter(|drawn| drawn.source.is_of(settings)) {
        // Only edits differ, so most plants stay.
        new.keep_plants(&drawn.plants);
    }
    state.replan = true;
    match &mut state.drawn {
        Some(streamed) if streamed.len() + streamed.collider_tiles.len() > 0 => {
            state.bytes_at_reload = streamed.bytes();
            state.incoming = Some(new);
        }
        drawn => *drawn = Some(new),
    }
}
