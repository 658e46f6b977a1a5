//! The files of settings: where they are, how drafts are saved, and the edits that a crash leaves behind.

use super::TerrainInspector;
use super::sync::{Drafts, Inspected};
use crate::asset::asset_folder;
use crate::draft::{Draft, EditableSettings, Recovery, Saved};
use crate::draft::{list_settings_files, save_draft, save_new_settings};
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
        Saved::Merged if draft.is_edited() == Some(false) => Ok("The file had changed. It is shown now.".to_owned()),
        Saved::Merged => {
            Err("Not saved yet: the file had changed. Look at what it brought, and save again.".to_owned())
        }
    }
}

/// Saves a draft to the new file `name` beside that of `path`. Returns the draft of the new file.
pub(super) fn save_as<T: EditableSettings>(
    draft: Option<&mut Draft<T>>,
    folder: &AssetFolder,
    path: Option<&AssetPath<'_>>,
    name: &str,
) -> Result<Draft<T>, String> {
    let file = folder.locate(path)?.with_file_name(name);
    let draft = draft.ok_or("no settings are loaded yet")?;
    // The new file has the comments of the current one.
    let text = draft.copy_all();
    save_new_settings(&file, draft.settings(), &text).map_err(|error| error.to_string())?;
    Ok(draft.moved_to_new_file(text))
}

/// How long after an edit it is written for the case of a crash.
const RECOVERY_DELAY: Duration = Duration::from_secs(2);

/// The file beside that of a draft, with its edits for the case of a crash.
#[derive(Default)]
pub(super) struct RecoveryFile {
    /// The version of the draft that was seen last.
    seen: u64,
    /// When the draft was first changed since the file was written.
    changed: Option<Duration>,
    /// Whether this run wrote the file, or took its edits.
    is_own: bool,
    /// The error of the last write.
    task: Background<Option<String>>,
}

impl RecoveryFile {
    /// That of a draft of this version. `is_own` if the edits in the file are those of the draft.
    pub fn new(version: u64, is_own: bool) -> Self {
        Self { seen: version, is_own, ..Self::default() }
    }

    /// Whether this run wrote the file, or took its edits.
    pub const fn is_own(&self) -> bool {
        self.is_own
    }
}

/// Writes the edits of drafts beside their files two seconds after they began, and at the end of the app. Removes them when a draft and
/// its file agree.
pub(super) fn write_recoveries<C: Inspected>(
    mut inspector: ResMut<TerrainInspector>,
    server: Option<Res<AssetServer>>,
    folder: Res<AssetFolder>,
    time: Res<Time<Real>>,
    mut exits: MessageReader<AppExit>,
) {
    let Some(server) = server else { return };
    let (now, is_end) = (time.elapsed(), exits.read().count() > 0);
    let Drafts { drafts, recovery_files, unwritable, .. } = C::drafts(inspector.bypass_change_detection());
    for (id, draft) in &*drafts {
        let recovery = recovery_files.entry(*id).or_insert_with(|| RecoveryFile::new(draft.version(), false));
        let path = || server.get_path(*id);
        let file = || folder.locate(path().as_ref()).ok();
        if let Some(Some(error)) = recovery.task.take()
            && let Some(file) = file()
            && unwritable.insert(file.parent().map(Into::into).unwrap_or_default())
        {
            warn!("edits can't be kept for the case of a crash: {}: {error}", recovery_path(&file).display());
        }
        if recovery.seen != draft.version() {
            recovery.seen = draft.version();
            recovery.changed.get_or_insert(now);
        }
        let is_edited = draft.is_edited() == Some(true);
        let is_due = recovery.changed.is_some_and(|then| is_end || now.saturating_sub(then) >= RECOVERY_DELAY);
        let must_write = is_edited && is_due;
        let must_remove = recovery.is_own && !is_edited;
        if !(must_write || must_remove) || recovery.task.is_running() && !is_end {
            continue;
        }
        let Some(file) = file() else { continue };
        // The edits of an earlier run stay too, until somebody takes or discards them.
        let is_first = !recovery.is_own;
        (recovery.changed, recovery.is_own) = (None, is_edited);
        let texts = is_edited.then(|| (draft.copy_all(), draft.file().map(|base| base.save_into(draft.file_text()))));
        let write = move || {
            let result = match texts {
                Some((text, base)) => write_recovery(&file, &text, &base.unwrap_or_default(), is_first),
                None => remove_recovery(&file),
            };
            result.err().map(|error| error.to_string())
        };
        if is_end {
            if let Some(error) = write() {
                warn!("the unsaved edits are lost: {error}");
            }
        } else {
            recovery.task = Background::start(write);
        }
    }
    recovery_files.retain(|id, _| drafts.contains_key(id));
}

/// The edits that the last run left beside the file of an asset, if they are not in it.
pub(super) fn find_recovery<T: EditableSettings>(
    folder: &AssetFolder,
    path: &AssetPath<'_>,
    file: &T,
) -> Option<Recovery<T>> {
    let found = read_recovery::<T>(&folder.locate(Some(path)).ok()?)?;
    if found.edited.is_same(file) {
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
