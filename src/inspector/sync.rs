//! Synchronizes drafts with their assets and files.

use super::TerrainInspector;
use super::actions::FileAction;
use super::files::{AssetFolder, RecoveryFile, find_recovery};
use super::info::FileInfo;
use crate::asset::{LoadedFiles, TerrainSettingsLoadError};
use crate::draft::{Draft, EditableSettings, Recovery};
#[cfg(feature = "sky")]
use crate::light::SkySettings;
use crate::settings::{SettingsProblem, TerrainSettings};
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::stream::Terrain;
use bevy::asset::{AssetId, AssetLoadFailedEvent, AssetPath};
use bevy::ecs::component::Mutable;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use bevy::time::Real;
use std::path::PathBuf;

/// A component with settings that the inspector edits.
pub(super) trait Inspected: Component<Mutability = Mutable> {
    /// The settings.
    type Settings: EditableSettings + Asset;

    fn handle(&self) -> &Handle<Self::Settings>;

    fn set_handle(&mut self, handle: Handle<Self::Settings>);

    /// The drafts of these settings.
    fn drafts(inspector: &mut TerrainInspector) -> &mut Drafts<Self::Settings>;
}

impl Inspected for Terrain {
    type Settings = TerrainSettings;

    fn handle(&self) -> &Handle<TerrainSettings> {
        &self.0
    }

    fn set_handle(&mut self, handle: Handle<TerrainSettings>) {
        self.0 = handle;
    }

    fn drafts(inspector: &mut TerrainInspector) -> &mut Drafts<TerrainSettings> {
        &mut inspector.terrains
    }
}

#[cfg(feature = "sky")]
impl Inspected for TerrainSky {
    type Settings = SkySettings;

    fn handle(&self) -> &Handle<SkySettings> {
        &self.0
    }

    fn set_handle(&mut self, handle: Handle<SkySettings>) {
        self.0 = handle;
    }

    fn drafts(inspector: &mut TerrainInspector) -> &mut Drafts<SkySettings> {
        &mut inspector.skies
    }
}

/// The drafts of all settings of one kind, and which of them the panel shows.
#[derive(Default)]
pub(super) struct Drafts<T: EditableSettings + Asset> {
    /// The selected entity. `select` replaces `None` and a despawned entity by the first one.
    pub shown: Option<Entity>,
    /// Its settings asset.
    pub asset: Option<AssetId<T>>,
    /// The handle of that asset. An edit may come in the frame in which the game lets it go.
    handle: Option<Handle<T>>,
    /// A draft of every asset that was loaded or shown.
    pub drafts: HashMap<AssetId<T>, Draft<T>>,
    /// The assets of drafts with edits. They stay when no terrain has them any more.
    edited: HashMap<AssetId<T>, Handle<T>>,
    /// The edits that the last run left beside the files, until somebody takes or discards them.
    pub offered: HashMap<AssetId<T>, Recovery<T>>,
    pub recovery_files: HashMap<AssetId<T>, RecoveryFile>,
    /// Folders that could not be written, so that the log has each of them once.
    pub unwritable: HashSet<PathBuf>,
    /// The problems of the files that failed to load.
    failed: HashMap<AssetId<T>, Vec<SettingsProblem>>,
    /// The files beside the current one.
    pub files: Vec<String>,
    /// The result of the last file action.
    pub message: Option<Result<String, String>>,
    pub actions: Vec<FileAction>,
}

impl<T: EditableSettings + Asset> Drafts<T> {
    /// The draft that the panel shows.
    pub fn draft(&self) -> Option<&Draft<T>> {
        self.drafts.get(&self.asset?)
    }

    /// The draft that the panel shows, to edit it.
    pub fn draft_mut(&mut self) -> Option<&mut Draft<T>> {
        self.drafts.get_mut(&self.asset?)
    }

    pub fn finish_edits(&mut self) {
        self.drafts.values_mut().for_each(Draft::finish_edit);
    }

    /// The edits that the last run left beside the shown file.
    pub fn take_offer(&mut self) -> Option<Recovery<T>> {
        self.offered.remove(&self.asset?)
    }

    /// The problems of the file, if it failed to load.
    pub fn problems(&self) -> &[SettingsProblem] {
        self.asset.and_then(|id| self.failed.get(&id)).map_or(&[], Vec::as_slice)
    }

    /// The state of the file of the shown asset for the panel.
    pub fn file_info(&self, server: Option<&AssetServer>, folder: &AssetFolder) -> FileInfo {
        let path_of = |id: AssetId<T>| server.and_then(|server| server.get_path(id));
        let name_of = |path: &AssetPath<'_>| {
            path.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let path = self.asset.and_then(path_of);
        let is_beside = |other: &AssetPath<'_>| {
            path.as_ref()
                .is_some_and(|path| path.source() == other.source() && path.path().parent() == other.path().parent())
        };
        let edited = self.drafts.iter().filter(|(_, draft)| draft.is_edited() == Some(true));
        let edited = edited.filter_map(|(id, _)| path_of(*id)).filter(is_beside).map(|path| name_of(&path));
        FileInfo {
            name: path.as_ref().map(name_of).unwrap_or_default(),
            files: self.files.clone(),
            edited: edited.collect(),
            cannot_save: folder.locate(path.as_ref()).err(),
            has_recovery: self.asset.is_some_and(|id| self.offered.contains_key(&id)),
            message: self.message.clone(),
            problems: self.problems().to_vec(),
        }
    }
}

/// Selects the entity whose settings are shown, and creates a draft of them.
pub(super) fn select<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    users: Query<(Entity, &C)>,
    assets: Res<Assets<C::Settings>>,
) {
    // A closed panel keeps its selection: a game may edit and save it.
    if !inspector.open && C::drafts(inspector.bypass_change_detection()).shown.is_none() {
        return;
    }
    let drafts = C::drafts(&mut inspector);
    let chosen = drafts.shown.and_then(|entity| users.get(entity).ok());
    // The entity with the lowest index: stable between frames, and usually the first spawned.
    let shown = chosen.or_else(|| users.iter().min_by_key(|(entity, _)| entity.index()));
    drafts.shown = shown.map(|(entity, _)| entity);
    let asset = shown.map(|(_, user)| user.handle().id());
    if drafts.asset != asset {
        drafts.asset = asset;
        drafts.handle = shown.map(|(_, user)| user.handle().clone());
        drafts.actions.push(FileAction::List);
    }
    if let Some(id) = asset
        && let Some(settings) = assets.get(id)
    {
        // `handle_loads` creates the drafts of files, so a new one is of settings from code.
        drafts.drafts.entry(id).or_insert_with(|| Draft::new(settings.clone())).asset_seen(settings);
    }
}

/// Updates drafts when their files load or fail to load, and removes the drafts of removed assets.
pub(super) fn handle_loads<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    mut events: MessageReader<AssetEvent<C::Settings>>,
    mut failures: MessageReader<AssetLoadFailedEvent<C::Settings>>,
    assets: Res<Assets<C::Settings>>,
    (server, loaded, folder): (Option<Res<AssetServer>>, Res<LoadedFiles>, Res<AssetFolder>),
) {
    if events.is_empty() && failures.is_empty() {
        return;
    }
    let Drafts { drafts, edited, failed, offered, .. } = C::drafts(&mut inspector);
    for event in events.read() {
        match *event {
            AssetEvent::LoadedWithDependencies { id } => {
                let Some(settings) = assets.get(id) else {
                    continue;
                };
                failed.remove(&id);
                let path = server.as_ref().and_then(|server| server.get_path(id)).map(AssetPath::into_owned);
                let Some(path) = path else {
                    // Settings from code that were added to the server.
                    drafts.entry(id).or_insert_with(|| Draft::new(settings.clone()));
                    continue;
                };
                // The file may have changed again since.
                let is_of = |text: &String| C::Settings::from_ron(text).is_ok_and(|read| read.is_same(settings));
                let text = loaded.text(&path).filter(is_of).unwrap_or_default();
                if let Some(draft) = drafts.get_mut(&id) {
                    draft.file_loaded(settings, text);
                } else {
                    drafts.insert(id, Draft::from_file(settings.clone(), text));
                    offered.extend(find_recovery(&folder, &path, settings).map(|found| (id, found)));
                }
            }
            AssetEvent::Removed { id } => {
                drafts.remove(&id);
                edited.remove(&id);
                failed.remove(&id);
                offered.remove(&id);
            }
            _ => {}
        }
    }
    for failure in failures.read() {
        // The text of the asset server would name the loader and print a backtrace.
        let problems = TerrainSettingsLoadError::of(&failure.error)
            .map_or_else(|| vec![SettingsProblem::new(failure.error.to_string())], TerrainSettingsLoadError::problems);
        failed.insert(failure.id, problems);
    }
}

/// Ends the edits whose button or key was released, writes edited drafts to their assets, at most once per
/// [`Draft::WRITE_INTERVAL`], and keeps these assets.
pub(super) fn write_drafts<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    mut assets: ResMut<Assets<C::Settings>>,
    server: Option<Res<AssetServer>>,
    time: Res<Time<Real>>,
) {
    let now = time.elapsed();
    let inspector = inspector.bypass_change_detection();
    let is_editing = inspector.open && inspector.is_editing;
    let Drafts { drafts, edited, asset: shown, handle, .. } = C::drafts(inspector);
    for (id, draft) in drafts {
        if !is_editing {
            draft.finish_edit();
        }
        let is_edited = draft.is_edited().unwrap_or_else(|| draft.history().done() > 0);
        if !is_edited {
            edited.remove(id);
        } else if !edited.contains_key(id) {
            let handle = handle.clone().filter(|_| *shown == Some(*id));
            let handle = handle.or_else(|| server.as_ref()?.get_id_handle(*id));
            edited.extend(handle.or_else(|| assets.get_strong_handle(*id)).map(|handle| (*id, handle)));
        }
        if !draft.is_pending() {
            continue;
        }
        // A game may have changed the asset of a draft that is not shown.
        if let Some(asset) = assets.get(*id) {
            draft.asset_seen(asset);
        }
        if let Some(settings) = draft.take_write(now)
            && let Some(mut asset) = assets.get_mut(*id)
        {
            *asset = settings;
        }
    }
}
