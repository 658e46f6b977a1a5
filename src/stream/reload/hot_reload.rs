//! Reloads settings files that changed.
//!
//! The files are read again twice a second, through the same asset source that they were loaded from, and compared byte by
//! byte with what was loaded; a file that differs is reloaded. Bevy's own file watcher is not used, nor is it in the way: it
//! follows writes but not renames, and many editors save by renaming a temporary file over the old one. Reading works for both,
//! for network drives and for sources that are no files at all. A settings file is a few kilobytes, read in a background task.
//!
//! # What can go wrong
//!
//! - Each file is read in a task of its own, so that one that hangs keeps no other waiting. One that takes long is read again
//!   beside the task that hangs: the file may be another by then.
//! - On disk, only regular files are opened. To open a named pipe that nobody writes to blocks a thread for good.
//! - At most [`TerrainSettings::MAX_FILE_SIZE`] bytes are read.
//! - Bevy's `AssetServer::reload` loads a file that can't be used twice, and logs it twice. So such a file is not handed to the
//!   server when it has a good one already: the error is logged here, and goes out as the server's message would.

mod follow;
mod look;

use crate::settings::{LoadedFiles, TerrainSettings, asset_folder};
use crate::stream::terrain::Terrain;
use bevy::asset::io::AssetSourceId;
use bevy::asset::{AssetLoadFailedEvent, AssetPath, LoadState};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::{IoTaskPool, Task, futures::check_ready};
use bevy::time::Real;
use follow::{Follower, Next, Server};
use look::{Place, Seen, look_at};
use std::path::PathBuf;
use std::time::Duration;

/// Reloads every loaded `.terrain.ron` file when its content changes.
///
/// Add it after Bevy's `AssetPlugin`, whose folder it looks into.
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
        let timer = Timer::new(self.interval, TimerMode::Repeating);
        let watch = Watch { timer, folder: asset_folder(app), files: HashMap::default() };
        app.init_resource::<LoadedFiles>().insert_resource(watch).add_systems(PreUpdate, reload_changed_files);
    }
}

#[derive(Resource)]
struct Watch {
    timer: Timer,
    /// Where the files of the default asset source lie on disk.
    folder: Option<PathBuf>,
    files: HashMap<AssetPath<'static>, File>,
}

/// A file that is looked at.
#[derive(Default)]
struct File {
    follower: Follower,
    /// The looks that are not over: the first, and the last beside it where the first takes long.
    looks: Vec<Task<Seen>>,
    /// When the first of them began, as time since the start.
    since: Duration,
    /// When the last of them began.
    last: Duration,
}

/// Starts a look at each file when it is time for one, and reloads what was found to differ.
fn reload_changed_files(
    mut watch: ResMut<Watch>,
    time: Res<Time<Real>>,
    server: Res<AssetServer>,
    loaded: Res<LoadedFiles>,
    assets: Res<Assets<TerrainSettings>>,
    terrains: Query<&Terrain>,
    mut failures: MessageWriter<AssetLoadFailedEvent<TerrainSettings>>,
) {
    let now = time.elapsed();
    watch.timer.tick(time.delta());
    for (path, file) in &mut watch.files {
        if let Some(seen) = file.looks.iter_mut().find_map(check_ready) {
            file.looks.clear();
            file.follower.look_took(now - file.since);
            follow(path, seen, &mut file.follower, now, &server, &loaded, &mut failures);
        }
    }
    // On the web, every look would be a download.
    if watch.timer.just_finished() && cfg!(not(target_arch = "wasm32")) {
        // A file that never loaded has no asset, but a terrain that waits for it.
        let ids = assets.ids().chain(terrains.iter().map(|terrain| terrain.0.id()));
        let mut paths: Vec<_> = ids.filter_map(|id| server.get_path(id)).map(AssetPath::into_owned).collect();
        paths.sort_unstable_by_key(ToString::to_string);
        paths.dedup();
        let Watch { folder, files, .. } = &mut *watch;
        files.retain(|path, _| paths.contains(path));
        for path in paths {
            let file = files.entry(path.clone()).or_default();
            if file.is_free(&path, now) {
                let place = place(&path, folder.as_ref());
                file.looks.push(IoTaskPool::get().spawn(look_at(server.clone(), loaded.clone(), path, place)));
            }
        }
    }
}

impl File {
    /// Whether a look may begin now.
    fn is_free(&mut self, path: &AssetPath<'_>, now: Duration) -> bool {
        if self.looks.is_empty() {
            self.since = now;
        } else if self.follower.is_look_overdue(now - self.last) {
            if self.follower.tell_slow() {
                let waited = (now - self.since).as_secs();
                warn!("{path} could not be read for {waited} s: changes to it are not followed until it can be");
            }
            // The first goes on: it may be slow rather than dead.
            self.looks.truncate(1);
        } else {
            return false;
        }
        self.last = now;
        true
    }
}

/// Where the file lies on disk, if the source is the file system.
fn place(path: &AssetPath<'_>, folder: Option<&PathBuf>) -> Place {
    match path.source() {
        AssetSourceId::Default => folder.map(|folder| folder.join(path.path())),
        AssetSourceId::Name(_) => None,
    }
}

/// Does what follows from a look.
fn follow(
    path: &AssetPath<'static>,
    seen: Seen,
    follower: &mut Follower,
    now: Duration,
    server: &AssetServer,
    loaded: &LoadedFiles,
    failures: &mut MessageWriter<AssetLoadFailedEvent<TerrainSettings>>,
) {
    let ids = server.get_path_ids(path);
    let is_any = |is: fn(&LoadState) -> bool| ids.iter().any(|&id| server.get_load_state(id).as_ref().is_some_and(is));
    let state = Server {
        is_loading: is_any(LoadState::is_loading),
        has_failed: is_any(LoadState::is_failed),
        knows: loaded.knows(path),
        has: matches!(&seen, Seen::Content { content, .. } if loaded.has(path, content)),
    };
    match follower.follow(&seen, &state, now) {
        Next::Nothing => {}
        Next::Tell(what) => warn!("{path} {what}"),
        Next::Load => {
            info!("{path} changed");
            if state.has_failed {
                // As `reload`, but once where that fails.
                drop(server.load::<TerrainSettings>(path));
            } else {
                server.reload(path);
            }
        }
        Next::LoadAgain { is_news } => {
            if is_news {
                warn!("{path} takes long to load: it is loaded once more, until it is there");
            }
            server.reload(path);
        }
        Next::Refuse => {
            let Seen::Content { content, error: Some(error) } = seen else {
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
