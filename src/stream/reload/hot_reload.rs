//! Reloads settings files that changed.
//!
//! The plugin reads the files twice per second, through the asset source that they were loaded from, and compares them byte by
//! byte with the loaded content. It does not use Bevy's file watcher, and works beside it. The watcher misses renames, and many
//! editors save by renaming a temporary file. Reading also works for network drives, and for asset sources that are not files. A
//! settings file has a few kilobytes and is read in a background task.
//!
//! # Failures
//!
//! - Each file is read in its own task, so a read that hangs does not delay the other files. Changes of its own file are loaded when
//!   the read ends.
//! - On disk, only regular files are read. Opening a named pipe that no program writes to would block a thread for good.
//! - At most [`TerrainSettings::MAX_FILE_SIZE`] bytes are read.
//! - Bevy's `AssetServer::reload` loads an invalid file twice and logs its error twice. So a file that becomes invalid is not given
//!   to the server while the server has valid settings. This module logs the error and sends the message that the server would
//!   send.

mod check;
mod tracker;

use crate::asset::{HasSettings, LoadedFiles, SettingsAsset, loaded_folder};
use crate::settings::TerrainSettings;
use crate::stream::build::Background;
use crate::stream::terrain::Terrain;
use bevy::asset::io::AssetSourceId;
use bevy::asset::{AssetLoadFailedEvent, AssetPath, LoadState};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::IoTaskPool;
use bevy::time::Real;
use check::{Found, check_file};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::time::Duration;
use tracker::{Action, FileTracker, LoadStatus, TIMEOUT};

/// Reloads every loaded `.terrain.ron` file when its content changes.
///
/// Add it after Bevy's `AssetPlugin`. Does nothing in a browser, where each check would be a download.
///
/// # Files that are not regular
///
/// In the default asset source, the plugin reads only regular files. If a loaded file is replaced by a folder, a named pipe (FIFO)
/// or a device, the plugin logs a warning, and reloads when a regular file is back. Two cases are not checked:
///
/// - The first load. Bevy's `AssetServer` opens any file. A named pipe that no program writes to then blocks one of Bevy's I/O
///   threads for good.
/// - Other asset sources. A file that can't be read for some seconds is logged, and does not delay other files.
#[derive(Clone, Copy, Debug)]
pub struct TerrainHotReloadPlugin {
    /// The time between two checks of a file. Default: 500 ms.
    pub interval: Duration,
}

impl Default for TerrainHotReloadPlugin {
    fn default() -> Self {
        Self { interval: Duration::from_millis(500) }
    }
}

impl Plugin for TerrainHotReloadPlugin {
    fn build(&self, app: &mut App) {
        self.watch::<TerrainSettings, Terrain>(app);
    }
}

impl TerrainHotReloadPlugin {
    /// Reloads the files of settings `T`, which components `C` name.
    pub(crate) fn watch<T: SettingsAsset, C: Component + HasSettings<T>>(&self, app: &mut App) {
        let timer = Timer::new(self.interval, TimerMode::Repeating);
        let folder = loaded_folder(app);
        let watched = WatchedFiles::<T> { timer, folder, files: HashMap::default(), settings: PhantomData };
        app.init_resource::<LoadedFiles>()
            .insert_resource(watched)
            .add_systems(PreUpdate, reload_changed_files::<T, C>);
    }
}

#[derive(Resource)]
struct WatchedFiles<T: Asset> {
    settings: PhantomData<fn() -> T>,
    timer: Timer,
    /// The folder of the default asset source on disk.
    folder: Option<PathBuf>,
    files: HashMap<AssetPath<'static>, WatchedFile>,
}

#[derive(Default)]
struct WatchedFile {
    tracker: FileTracker,
    /// The running check.
    check: Background<Found>,
    /// The time since the app started at which the last check started.
    start: Duration,
    /// Whether the log already says that checks take long.
    is_slow_logged: bool,
}

/// Starts a check of each file when the timer is finished, and reloads changed files.
fn reload_changed_files<T: SettingsAsset, C: Component + HasSettings<T>>(
    mut watched: ResMut<WatchedFiles<T>>,
    time: Res<Time<Real>>,
    server: Res<AssetServer>,
    loaded: Res<LoadedFiles>,
    assets: Res<Assets<T>>,
    users: Query<&C>,
    mut failures: MessageWriter<AssetLoadFailedEvent<T>>,
) {
    let now = time.elapsed();
    watched.timer.tick(time.delta());
    for (path, file) in watched.files.iter_mut().filter(|(_, file)| file.check.is_running()) {
        let waited = now - file.start;
        if let Some(found) = file.check.take() {
            file.is_slow_logged &= waited >= TIMEOUT;
            handle(path, found, &mut file.tracker, now, &server, &loaded, &mut failures);
        } else if waited >= TIMEOUT && !std::mem::replace(&mut file.is_slow_logged, true) {
            let waited = waited.as_secs();
            warn!("{path} could not be read for {waited} s; changes are loaded when it can be read again");
        }
    }
    // On the web, each check would be a download.
    if watched.timer.just_finished() && cfg!(not(target_arch = "wasm32")) {
        // A file that never loaded has no asset, but a component that waits for it.
        let ids = assets.ids().chain(users.iter().map(|user| user.settings().id()));
        let mut paths: Vec<_> = ids.filter_map(|id| server.get_path(id)).map(AssetPath::into_owned).collect();
        paths.sort_unstable_by_key(ToString::to_string);
        paths.dedup();
        let WatchedFiles { folder, files, .. } = &mut *watched;
        files.retain(|path, _| paths.contains(path));
        for path in paths {
            let file = files.entry(path.clone()).or_default();
            if !file.check.is_running() {
                let disk_path = disk_path(&path, folder.as_ref());
                let check = check_file::<T>(server.clone(), loaded.clone(), path, disk_path);
                file.check = IoTaskPool::get().spawn(check).into();
                file.start = now;
            }
        }
    }
}

/// The path of the file on disk. `None` if its source is not the default one.
fn disk_path(path: &AssetPath<'_>, folder: Option<&PathBuf>) -> Option<PathBuf> {
    match path.source() {
        AssetSourceId::Default => folder.map(|folder| folder.join(path.path())),
        AssetSourceId::Name(_) => None,
    }
}

/// Handles the result of a check: reloads the file, logs a problem, or does nothing.
fn handle<T: SettingsAsset>(
    path: &AssetPath<'static>,
    found: Found,
    tracker: &mut FileTracker,
    now: Duration,
    server: &AssetServer,
    loaded: &LoadedFiles,
    failures: &mut MessageWriter<AssetLoadFailedEvent<T>>,
) {
    let ids = server.get_path_ids(path);
    let is_any = |is: fn(&LoadState) -> bool| ids.iter().any(|&id| server.get_load_state(id).as_ref().is_some_and(is));
    let status = LoadStatus {
        is_loading: is_any(LoadState::is_loading),
        has_failed: is_any(LoadState::is_failed),
        was_read: loaded.contains(path),
        is_current: matches!(&found, Found::Content { content, .. } if loaded.matches(path, content)),
    };
    match tracker.next_action(&found, &status, now) {
        Action::None => {}
        Action::Warn(problem) => warn!("{path} {problem}"),
        Action::Load => {
            info!("{path} changed");
            if status.has_failed {
                // Like `reload`, but loads only once if it fails again.
                drop(server.load::<T>(path));
            } else {
                server.reload(path);
            }
        }
        Action::LoadAgain { is_first } => {
            if is_first {
                warn!("{path} takes long to load; loading it again");
            }
            server.reload(path);
        }
        Action::Refuse => {
            let Found::Content { content, error: Some(error) } = found else {
                return;
            };
            error!("{error}");
            let error = error.into_asset_error();
            loaded.refuse(path.clone(), content, error.clone());
            let ids = ids.into_iter().filter_map(|id| id.try_typed().ok());
            failures.write_batch(ids.map(|id| AssetLoadFailedEvent { id, path: path.clone(), error: error.clone() }));
        }
    }
}
