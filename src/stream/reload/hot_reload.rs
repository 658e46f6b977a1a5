//! Reloads settings files that changed.
//!
//! The files are read again twice a second, through the same asset source that they were loaded from, and compared byte by
//! byte with what was loaded; a file that differs is reloaded. Bevy's own file watcher is not used, nor is it in the way: it
//! follows writes but not renames, and many editors save by renaming a temporary file over the old one. Reading works for both,
//! for network drives and for sources that are no files at all. A settings file is a few kilobytes, read in a background task.

use crate::settings::{LoadedFiles, TerrainSettings};
use crate::stream::components::Terrain;
use bevy::asset::io::AssetReaderError;
use bevy::asset::{AssetPath, LoadState};
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy::tasks::{IoTaskPool, Task, futures::check_ready};
use bevy::time::Real;
use std::time::Duration;

/// Reloads every loaded `.terrain.ron` file when its content changes.
#[derive(Clone, Copy, Debug)]
pub struct TerrainHotReloadPlugin {
    /// How often files are looked at. Default: every half second.
    pub interval: Duration,
}

impl Default for TerrainHotReloadPlugin {
    fn default() -> Self {
        Self { interval: Duration::from_millis(500) }
    }
}

impl Plugin for TerrainHotReloadPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<LoadedFiles>()
            .insert_resource(Watch {
                timer: Timer::new(self.interval, TimerMode::Repeating),
                missing: HashSet::default(),
                refused: HashMap::default(),
                looking: None,
            })
            .add_systems(PreUpdate, reload_changed_files);
    }
}

/// What is in a file: nothing when it can't be read.
type Content = Option<Vec<u8>>;

#[derive(Resource)]
struct Watch {
    timer: Timer,
    /// Files that could not be read at the last look.
    missing: HashSet<AssetPath<'static>>,
    /// What was in files that came to no loader of ours when they were last reloaded.
    refused: HashMap<AssetPath<'static>, Vec<u8>>,
    looking: Option<Task<Vec<(AssetPath<'static>, Content)>>>,
}

/// Starts a look at the files when it is time for one, and reloads what was found to differ.
fn reload_changed_files(
    mut watch: ResMut<Watch>,
    time: Res<Time<Real>>,
    server: Res<AssetServer>,
    loaded: Res<LoadedFiles>,
    assets: Res<Assets<TerrainSettings>>,
    terrains: Query<&Terrain>,
) {
    watch.timer.tick(time.delta());
    if let Some(seen) = watch.looking.as_mut().and_then(check_ready) {
        watch.looking = None;
        compare(&mut watch, &server, &loaded, seen);
    }
    // On the web, every look would be a download.
    if watch.timer.just_finished() && watch.looking.is_none() && cfg!(not(target_arch = "wasm32")) {
        // A file that never loaded has no asset, but a terrain that waits for it.
        let ids = assets.ids().chain(terrains.iter().map(|terrain| terrain.0.id()));
        let mut paths: Vec<_> = ids.filter_map(|id| server.get_path(id)).map(AssetPath::into_owned).collect();
        paths.sort_unstable_by_key(ToString::to_string);
        paths.dedup();
        if !paths.is_empty() {
            let server = server.clone();
            watch.looking = Some(IoTaskPool::get().spawn(async move { read_all(&server, paths).await }));
        }
    }
}

async fn read_all(server: &AssetServer, paths: Vec<AssetPath<'static>>) -> Vec<(AssetPath<'static>, Content)> {
    let mut seen = Vec::with_capacity(paths.len());
    for path in paths {
        let content = read(server, &path).await.ok();
        seen.push((path, content));
    }
    seen
}

async fn read(server: &AssetServer, path: &AssetPath<'_>) -> Result<Vec<u8>, AssetReaderError> {
    let missing = || AssetReaderError::NotFound(path.path().to_owned());
    let source = server.get_source(path.source()).map_err(|_| missing())?;
    let mut bytes = Vec::new();
    source.reader().read(path.path()).await?.read_to_end(&mut bytes).await?;
    Ok(bytes)
}

fn compare(watch: &mut Watch, server: &AssetServer, loaded: &LoadedFiles, seen: Vec<(AssetPath<'static>, Content)>) {
    for (path, content) in seen {
        let Some(content) = content else {
            if watch.missing.insert(path.clone()) && loaded.knows(&path) {
                warn!("{path} can't be read any more: the terrain keeps its last good settings until it is back");
            }
            continue;
        };
        let is_back = watch.missing.remove(&path);
        let changed = if loaded.knows(&path) {
            !loaded.has(&path, &content)
        } else {
            // It was not there to be loaded; what another loader made of another kind of file is none of our business. Where no
            // loader wants it, it is tried again when it has changed.
            let state = |id| server.get_load_state(id);
            let has_failed =
                server.get_path_ids(&path).into_iter().any(|id| matches!(state(id), Some(LoadState::Failed(_))));
            has_failed && watch.refused.insert(path.clone(), content.clone()).as_ref() != Some(&content)
        };
        if is_back || changed {
            info!("{path} changed");
            server.reload(path);
        }
    }
}
