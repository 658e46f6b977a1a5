//! The files of settings: where they are, how drafts are saved, and the edits that a crash leaves behind.

use super::TerrainInspector;
use super::sync::Inspected;
use crate::asset::asset_folder;
use crate::draft::{Draft, EditableSettings, Saved};
use crate::draft::{list_settings_files, sanitize_file_name, save_draft, save_new_settings};
use crate::draft::{read_recovery, recovery_path, remove_recovery, write_recovery};
use crate::stream::Background;
use bevy::asset::AssetPath;
use bevy::asset::io::AssetSourceId;
use bevy::prelude::*;
use bevy::time::Real;
use std::path::PathBuf;
use std::time::Duration;

/// The folder on disk from which assets are loaded, if there is one. The inspector saves settings there.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AssetFolder(Option<PathBuf>);

impl AssetFolder {
    /// The folder of the app's default asset source: [`AssetPlugin::file_path`](bevy::asset::AssetPlugin::file_path), relative to
    /// Bevy's base path.
    ///
    /// There is none in a browser, on Android, and in an app without an [`AssetPlugin`].
    pub fn of(app: &App) -> Self {
        Self(asset_folder(app))
    }

    /// Returns the file of the asset `path` on disk.
    ///
    /// # Errors
    ///
    /// Returns the reason, as text for a tooltip, if there is no such file.
    pub fn locate(&self, path: Option<&AssetPath<'_>>) -> Result<PathBuf, String> {
        let Some(path) = path else {
            return Err("these settings come from code, so there is no file to save to".to_owned());
        };
        if let AssetSourceId::Name(source) = path.source() {
            return Err(format!("the file comes from the asset source `{source}`, which is not a folder on disk"));
        }
        match &self.0 {
            Some(folder) => Ok(folder.join(path.path())),
            None => Err("files can't be saved on this platform".to_owned()),
        }
    }
}

/// The settings files in the folder of `path`.
pub(super) fn files_beside<T: EditableSettings>(folder: &AssetFolder, path: Option<&AssetPath<'_>>) -> Vec<String> {
    let file = folder.locate(path).ok();
    file.and_then(|file| list_settings_files::<T>(file.parent()?).ok()).unwrap_or_default()
}

/// The settings file `name` in the folder of `path`.
pub(super) fn beside(path: &AssetPath<'_>, name: &str) -> AssetPath<'static> {
    let file = path.path().parent().map_or_else(|| name.into(), |folder| folder.join(name));
    AssetPath::from(file).with_source(path.source().clone_owned())
}

/// Returns what happened.
pub(super) fn save<T: EditableSettings>(
    draft: Option<&mut Draft<T>>,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
) -> Result<String, String> {
    let file = folder.locate(path)?;
    let draft = draft.ok_or("no settings are loaded yet")?;
    let saved = save_draft(&file, draft).map_err(|error| error.to_string())?;
    match saved {
        Saved::Written => Ok("Saved. The old file is kept as .bak".to_owned()),
        Saved::Merged => {
            Err("Not saved yet: the file had changed. Look at what it brought, and save again.".to_owned())
        }
    }
}

/// Returns the name of the new file and its draft.
pub(super) fn save_as<T: EditableSettings>(
    draft: Option<&mut Draft<T>>,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
    text: &str,
) -> Result<(String, Draft<T>), String> {
    let name = sanitize_file_name::<T>(text).ok_or("a file name needs a letter or a digit")?;
    let file = folder.locate(path)?.with_file_name(&name);
    let draft = draft.ok_or("no settings are loaded yet")?;
    // The new file has the comments of the current one.
    let text = draft.copy_all();
    save_new_settings(&file, draft.settings(), &text).map_err(|error| error.to_string())?;
    Ok((name, draft.moved_to_new_file(text)))
}

/// How long after an edit it is written for the case of a crash.
const RECOVERY_DELAY: Duration = Duration::from_secs(2);

/// What is beside the file of a draft for the case of a crash.
pub(super) struct Recovery {
    /// The version of the draft that was seen last, and when it was new.
    seen: (u64, Duration),
    /// The draft has changed since it was written.
    is_due: bool,
    /// There is a file.
    is_written: bool,
    /// Whether the last write failed, and where.
    task: Background<Option<PathBuf>>,
}

impl Recovery {
    /// What is there for the `version` of a draft that was first seen at the time `now`.
    pub fn new(version: u64, now: Duration, is_written: bool) -> Self {
        Self { seen: (version, now), is_due: false, is_written, task: Background::default() }
    }
}

/// Writes the edits of drafts beside their files, and removes them when a draft and its file agree.
pub(super) fn write_recoveries<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    server: Option<Res<AssetServer>>,
    folder: Res<AssetFolder>,
    time: Res<Time<Real>>,
) {
    let Some(server) = server else { return };
    let now = time.elapsed();
    let drafts = C::drafts(inspector.bypass_change_detection());
    for (id, draft) in &drafts.drafts {
        // The edits of the last run wait for an answer.
        if drafts.recovered.contains_key(id) {
            continue;
        }
        let recovery = drafts.recoveries.entry(*id).or_insert_with(|| Recovery::new(draft.version(), now, false));
        if let Some(Some(failed)) = recovery.task.take()
            && drafts.unwritable.insert(failed.clone())
        {
            warn!("edits can't be kept for the case of a crash: {} can't be written", failed.display());
        }
        if recovery.seen.0 != draft.version() {
            recovery.seen = (draft.version(), now);
            recovery.is_due = true;
        }
        let is_edited = draft.is_edited() == Some(true);
        let is_late = now.saturating_sub(recovery.seen.1) >= RECOVERY_DELAY;
        let must_write = recovery.is_due && is_edited && is_late;
        let must_remove = recovery.is_written && !is_edited;
        if !(must_write || must_remove) || recovery.task.is_running() {
            continue;
        }
        let Some(path) = server.get_path(*id) else { continue };
        let Ok(file) = folder.locate(Some(&path)) else { continue };
        (recovery.is_due, recovery.is_written) = (false, is_edited);
        let text = is_edited.then(|| draft.copy_all());
        recovery.task = Background::start(move || {
            let result = match text {
                Some(text) => write_recovery(&file, &text),
                None => remove_recovery(&file),
            };
            result.err().map(|_| file.parent().map(Into::into).unwrap_or_default())
        });
    }
    drafts.recoveries.retain(|id, _| drafts.drafts.contains_key(id));
}

/// The edits that the last run left beside the file of an asset, if they are not in it.
pub(super) fn find_recovery<T: EditableSettings>(folder: &AssetFolder, path: &AssetPath<'_>, file: &T) -> Option<T> {
    let found = read_recovery::<T>(&folder.locate(Some(path)).ok()?)?;
    if found.is_same(file) {
        // They were saved just before the end.
        discard_recovery(folder, Some(path));
        return None;
    }
    Some(found)
}

/// Deletes the edits beside the file of an asset.
pub(super) fn discard_recovery(folder: &AssetFolder, path: Option<&AssetPath<'_>>) {
    if let Ok(file) = folder.locate(path)
        && let Err(error) = remove_recovery(&file)
    {
        warn!("{} can't be deleted: {error}", recovery_path(&file).display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beside_another_has_the_same_folder_and_source() {
        for (path, expected) in [
            ("terrain/a.terrain.ron", "terrain/b.terrain.ron"),
            ("a.terrain.ron", "b.terrain.ron"),
            ("memory://x/a.terrain.ron", "memory://x/b.terrain.ron"),
        ] {
            assert_eq!(beside(&AssetPath::parse(path), "b.terrain.ron"), AssetPath::parse(expected));
        }
    }

    #[test]
    fn only_files_of_the_default_source_are_on_disk() {
        let folder = AssetFolder(Some(PathBuf::from("/game/assets")));
        let locate = |path: &'static str| folder.locate(Some(&AssetPath::parse(path)));
        assert_eq!(locate("terrain/a.terrain.ron"), Ok(PathBuf::from("/game/assets/terrain/a.terrain.ron")));
        assert!(locate("memory://a.terrain.ron").is_err_and(|why| why.contains("`memory`")));
        assert!(folder.locate(None).is_err_and(|why| why.contains("come from code")));
        let nowhere = AssetFolder::default().locate(Some(&AssetPath::parse("a.terrain.ron")));
        assert!(nowhere.is_err_and(|why| why.contains("this platform")));
    }
}
