//! Requests from the panel and from games, and what they do.

use super::TerrainInspector;
use super::files::{AssetFolder, RecoveryFile, beside, discard_recovery, files_beside, save, save_as};
use super::sync::Inspected;
use crate::draft::{Recovery, sanitize_file_name};
use crate::stream::TerrainBudget;
use bevy::asset::AssetPath;
use bevy::prelude::*;

/// A request to the inspector, as a button of the panel makes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PanelAction {
    /// Show another terrain.
    Select(Entity),
    /// Show the light of another camera.
    SelectCamera(Entity),
    /// Set the [`TerrainBudget`] resource.
    SetBudget(TerrainBudget),
    /// An action on the settings of the terrain.
    Terrain(FileAction),
    /// An action on the settings of the light.
    Sky(FileAction),
    /// Take back the last edit, of the terrain or of the light.
    Undo,
    /// Make the edit again that was undone last, of the terrain or of the light.
    Redo,
    /// Close the panel.
    Close,
}

/// An action on the draft or the file of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileAction {
    /// Switch to the settings file with this name in the same folder. Unsaved edits stay, and are there again when their file is opened.
    Open(String),
    /// Save the settings to their file. If the file has changed since it was loaded, the draft takes the changes and nothing is saved.
    Save,
    /// Save the settings to a new file in the same folder, and switch to it, with the history. The name may be any text: letters,
    /// digits, `_` and `-` are kept. Fails if the file exists.
    SaveAs(String),
    /// Set all settings to those of the file, and load it again. Can be undone.
    Reset,
    /// List the settings files of the folder again.
    List,
    /// Take back the last edit.
    Undo,
    /// Make the edit again that was undone last.
    Redo,
    /// Undo or redo edits until this many are done.
    Jump(usize),
    /// Take the edits that a crash left beside the file.
    Restore,
    /// Delete the edits that a crash left beside the file.
    Discard,
}

/// Performs the requested actions, or passes them on to `perform_file_actions`.
pub(super) fn perform_actions(mut inspector: ResMut<TerrainInspector>, mut budget: ResMut<TerrainBudget>) {
    if inspector.actions.is_empty() {
        return;
    }
    let TerrainInspector { actions, terrains, skies, open, .. } = &mut *inspector;
    for action in std::mem::take(actions) {
        match action {
            PanelAction::Select(entity) => {
                terrains.shown = Some(entity);
                terrains.message = None;
            }
            PanelAction::SelectCamera(entity) => {
                skies.shown = Some(entity);
                skies.message = None;
            }
            PanelAction::SetBudget(new) => *budget = new,
            PanelAction::Terrain(action) => terrains.actions.push(action),
            PanelAction::Sky(action) => skies.actions.push(action),
            PanelAction::Undo => {
                terrains.finish_edits();
                skies.finish_edits();
                let numbers = [
                    terrains.draft().and_then(|draft| draft.history().last_done_number()),
                    skies.draft().and_then(|draft| draft.history().last_done_number()),
                ];
                let actions = if numbers[1] > numbers[0] { &mut skies.actions } else { &mut terrains.actions };
                actions.push(FileAction::Undo);
            }
            PanelAction::Redo => {
                let numbers = [
                    terrains.draft().and_then(|draft| draft.history().first_undone_number()),
                    skies.draft().and_then(|draft| draft.history().first_undone_number()),
                ];
                let is_of_sky = numbers[1].is_some_and(|sky| numbers[0].is_none_or(|terrain| sky < terrain));
                let actions = if is_of_sky { &mut skies.actions } else { &mut terrains.actions };
                actions.push(FileAction::Redo);
            }
            PanelAction::Close => *open = false,
        }
    }
}

/// Performs the requested actions on drafts and files.
pub(super) fn perform_file_actions<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    mut users: Query<&mut C>,
    server: Option<Res<AssetServer>>,
    folder: Res<AssetFolder>,
) {
    let Some(server) = server else { return };
    if C::drafts(inspector.bypass_change_detection()).actions.is_empty() {
        return;
    }
    let drafts = C::drafts(&mut inspector);
    for action in std::mem::take(&mut drafts.actions) {
        let path = drafts.asset.and_then(|id| server.get_path(id)).map(AssetPath::into_owned);
        let path = path.as_ref();
        let shown = drafts.shown;
        let mut open = |name: &str| {
            let handle = server.load(beside(path?, name));
            users.get_mut(shown?).ok()?.set_handle(handle.clone());
            Some(handle)
        };
        let history =
            |result: Result<(), String>| result.err().map(|why| Err(format!("That is not possible now: {why}")));
        match action {
            FileAction::List => drafts.files = files_beside::<C::Settings>(&folder, path),
            FileAction::Open(name) => {
                open(&name);
                drafts.message = None;
            }
            FileAction::Reset => {
                drafts.message = None;
                if let Some(draft) = drafts.draft_mut() {
                    draft.reset();
                }
                if let Some(path) = path {
                    server.reload(path);
                }
            }
            FileAction::Save => drafts.message = Some(save(drafts.draft_mut(), &folder, path)),
            FileAction::SaveAs(text) => {
                let is_edited = |name: &str| {
                    let asset = path.and_then(|path| server.get_handle::<C::Settings>(&beside(path, name)));
                    asset.is_some_and(|asset| {
                        drafts.drafts.get(&asset.id()).is_some_and(|draft| draft.is_edited() == Some(true))
                    })
                };
                let name = sanitize_file_name::<C::Settings>(&text).ok_or("a file name needs a letter or a digit");
                let name = name.map_err(str::to_owned).and_then(|name| {
                    if is_edited(&name) { Err(format!("{name} has unsaved edits here")) } else { Ok(name) }
                });
                let result = name.and_then(|name| Ok((save_as(drafts.draft_mut(), &folder, path, &name)?, name)));
                drafts.message = Some(result.map(|(draft, name)| {
                    if let Some(handle) = open(&name) {
                        drafts.drafts.insert(handle.id(), draft);
                        // It may be an asset whose file was gone.
                        server.reload(beside(path.expect("it was saved beside this one"), &name));
                    }
                    drafts.files = files_beside::<C::Settings>(&folder, path);
                    format!("Saved as {name}")
                }));
            }
            FileAction::Undo => {
                drafts.message = drafts.draft_mut().and_then(|draft| history(draft.undo().map(drop)));
            }
            FileAction::Redo => {
                drafts.message = drafts.draft_mut().and_then(|draft| history(draft.redo().map(drop)));
            }
            FileAction::Jump(done) => drafts.message = drafts.draft_mut().and_then(|draft| history(draft.jump(done))),
            FileAction::Restore => {
                if let Some(id) = drafts.asset
                    && let Some(Recovery { edited, base }) = drafts.take_offer()
                    && let Some(draft) = drafts.draft_mut()
                {
                    let result = draft.restore(&edited, &base);
                    let recovery_file = RecoveryFile::new(draft.version(), result.is_ok());
                    drafts.recovery_files.insert(id, recovery_file);
                    drafts.message = result.err().map(|why| Err(format!("The edits don't go with the file: {why}")));
                }
            }
            FileAction::Discard => {
                // If edits of this run are there already, the offered ones were put aside.
                let is_own =
                    drafts.asset.and_then(|id| drafts.recovery_files.get(&id)).is_some_and(RecoveryFile::is_own);
                if drafts.take_offer().is_some() && !is_own {
                    discard_recovery(&folder, path);
                }
            }
        }
    }
}
