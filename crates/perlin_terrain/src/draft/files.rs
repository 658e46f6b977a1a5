//! Lists, names and saves settings files on disk. Saving is atomic and keeps a backup.

use super::replace_file::replace_file;
use super::{Draft, EditableSettings};
use crate::settings::{SettingsProblem, joined, settings_text};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why saving failed. The file is unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// Some values are out of range, so the file would not load.
    #[error("not saved, the file would not load: {}", joined(.0, "; "))]
    Invalid(Vec<SettingsProblem>),
    /// The file has mistakes, so saving would lose its comments. Correct it first.
    #[error("not saved, the file has mistakes: {}", joined(.0, "; "))]
    Broken(Vec<SettingsProblem>),
    /// The old file could not be read or backed up.
    #[error("not saved, can't back up {path}: {source}")]
    Backup {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The new file could not be written.
    #[error("not saved, can't write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// Returns the names of the files in `folder` with settings `T`, sorted.
pub fn list_settings_files<T: EditableSettings>(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        // Asset paths are UTF-8, so other names can't be loaded.
        let Ok(name) = entry?.file_name().into_string() else {
            continue;
        };
        if !name.starts_with('.') && base_name::<T>(&name).is_some_and(|base| !base.is_empty()) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// `name` without the extension of settings `T`, such as `.terrain.ron`. `None` if it has another ending.
fn base_name<T: EditableSettings>(name: &str) -> Option<&str> {
    name.strip_suffix(T::FILE_EXTENSION)?.strip_suffix('.')
}

/// Turns any text into a file name with the extension of settings `T`, such as `.terrain.ron`.
///
/// Keeps ASCII letters, digits, `_` and `-`, and replaces everything between them by one `_`. Returns `None` if no letter or digit
/// is left.
pub fn sanitize_file_name<T: EditableSettings>(text: &str) -> Option<String> {
    let text = text.trim();
    let text = base_name::<T>(text).unwrap_or(text);
    let kept = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let words: Vec<&str> = text.split(|c| !kept(c)).filter(|word| !word.is_empty()).collect();
    // Short enough for any file system, also with `.bak` at the end.
    let name: String = words.join("_").chars().take(100).collect();
    let has_name = name.contains(|c: char| c.is_ascii_alphanumeric());
    has_name.then(|| format!("{name}.{}", T::FILE_EXTENSION))
}

/// What saving a draft did.
#[must_use = "a file that had changed is not written"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The file has the settings of the draft.
    Written,
    /// The file had changed, so the draft took its changes. Nothing is written yet. See [`Draft::news`].
    Merged,
}

/// Saves a draft to its file `path`. Keeps the comments and the layout of an existing file, and keeps a copy of it as `<path>.bak`.
///
/// The file may have changed since it was loaded. Then the draft takes its changes first, as if it had been loaded, and nothing is
/// written. A file that is gone is written again, with its last known comments.
///
/// # Errors
///
/// Returns an error if the settings are invalid, if the file has mistakes, or if a file can't be read or written. The file and the
/// draft are unchanged.
pub fn save_draft<T: EditableSettings>(path: &Path, draft: &mut Draft<T>) -> Result<Saved, SaveError> {
    validate(draft.settings())?;
    let target = target_of(path);
    let old = read_old(&target)?;
    let template = match &old {
        None => draft.file_text().to_owned(),
        Some(bytes) => {
            let (text, settings) = parse_old::<T>(&target, bytes)?;
            let is_known = draft.file().is_none_or(|file| file.is_same(&settings));
            if text != draft.file_text() && !is_known {
                draft.file_read(&settings, text);
                return Ok(Saved::Merged);
            }
            text
        }
    };
    let text = draft.settings().save_into(&template);
    // A second save must not replace the backup by the same text.
    if old.as_deref() != Some(text.as_bytes()) {
        write(&target, old.as_deref(), &text)?;
    }
    draft.file_saved(text);
    Ok(Saved::Written)
}

/// Saves `settings` to the file `path`. Keeps the comments and the layout of an existing file, and keeps a copy of it as
/// `<path>.bak`.
///
/// Writes the new text to a temporary file, flushes it to disk, and renames it. So a reader, even after a crash, finds either the
/// whole old text or the whole new text.
///
/// # Errors
///
/// Returns an error if the settings are invalid, if an existing file has mistakes, or if a file can't be read or written.
pub fn save_settings<T: EditableSettings>(path: &Path, settings: &T) -> Result<(), SaveError> {
    validate(settings)?;
    let target = target_of(path);
    let old = read_old(&target)?;
    let template = match &old {
        None => String::new(),
        Some(bytes) => parse_old::<T>(&target, bytes)?.0,
    };
    write(&target, old.as_deref(), &settings.save_into(&template))
}

/// The target of a symbolic link: that is replaced, and not the link.
fn target_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The bytes of an existing file.
fn read_old(target: &Path) -> Result<Option<Vec<u8>>, SaveError> {
    match fs::read(target) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SaveError::Backup { path: target.to_owned(), source }),
    }
}

/// The text and the settings of an existing file.
fn parse_old<T: EditableSettings>(target: &Path, bytes: &[u8]) -> Result<(String, T), SaveError> {
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let parsed = settings_text(bytes).and_then(|text| Ok((text.to_owned(), T::from_ron(text)?)));
    parsed
        .map_err(|error| SaveError::Broken(error.problems.into_iter().map(|problem| problem.in_file(&name)).collect()))
}

/// Writes the backup and then the file.
fn write(target: &Path, old: Option<&[u8]>, text: &str) -> Result<(), SaveError> {
    if let Some(old) = old {
        let error = |source| SaveError::Backup { path: target.to_owned(), source };
        replace(&with_ending(target, ".bak"), old).map_err(error)?;
    }
    replace(target, text.as_bytes()).map_err(|source| SaveError::Write { path: target.to_owned(), source })
}

/// The file beside `path` that has the unsaved edits of its draft.
pub fn recovery_path(path: &Path) -> PathBuf {
    with_ending(path, ".draft")
}

/// What is before the text of the file that was edited, in the file of its unsaved edits, and before each line of it.
const BASE: [&str; 2] = ["\n// The file that was edited:\n", "//| "];

/// Unsaved edits, and the file that they were made to.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery<T> {
    /// The settings with the edits.
    pub edited: T,
    /// The settings of the file without them.
    pub base: T,
}

/// The edits that were left beside the file `path`. `None` if there are none, or if they have mistakes.
pub fn read_recovery<T: EditableSettings>(path: &Path) -> Option<Recovery<T>> {
    let bytes = fs::read(recovery_path(path)).ok()?;
    let text = settings_text(&bytes).ok()?;
    // Comments of the designer may look the same, but they stand before this.
    let (_, base) = text.rsplit_once(BASE[0])?;
    let base: Vec<&str> = base.lines().filter_map(|line| line.strip_prefix(BASE[1])).collect();
    Some(Recovery { edited: T::from_ron(text).ok()?, base: T::from_ron(&base.join("\n")).ok()? })
}

/// Writes the text of unsaved edits beside the file `path`, together with the text of the file that they were made to. Edits of an
/// earlier run that are there stay as `.draft.bak` if `is_first`.
pub fn write_recovery(path: &Path, text: &str, base: &str, is_first: bool) -> io::Result<()> {
    let path = recovery_path(path);
    if is_first && path.exists() {
        fs::rename(&path, with_ending(&path, ".bak"))?;
    }
    let [title, mark] = BASE;
    let base: String = base.lines().map(|line| format!("{mark}{line}\n")).collect();
    replace(&path, format!("{}\n{title}{base}", text.trim_end()).as_bytes())
}

/// Removes the unsaved edits beside the file `path`, if there are any.
pub fn remove_recovery(path: &Path) -> io::Result<()> {
    match fs::remove_file(recovery_path(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Saves `settings` to a new file at `path`, with the comments and the layout of the text `template`.
pub fn save_new_settings<T: EditableSettings>(path: &Path, settings: &T, template: &str) -> Result<(), SaveError> {
    validate(settings)?;
    let error = |source| SaveError::Write { path: path.to_owned(), source };
    if path.exists() {
        return Err(error(ErrorKind::AlreadyExists.into()));
    }
    replace(path, settings.save_into(template).as_bytes()).map_err(error)
}

fn validate(settings: &impl EditableSettings) -> Result<(), SaveError> {
    settings.validate().map_err(|errors| SaveError::Invalid(errors.into_iter().map(SettingsProblem::from).collect()))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file(path, |file| file.write_all(bytes))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;
    use testing::Folder;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("the file exists")
    }

    #[test]
    fn saving_keeps_comments_and_the_old_file() {
        let folder = Folder::new();
        let old = "// Ann's hills\n(\n    field: (\n        seed: 1, // lucky\n    ),\n)\n";
        let path = folder.write("hills.terrain.ron", old);
        let mut settings = TerrainSettings::from_ron(old).expect("the file is valid");
        settings.field.seed = 2;
        save_settings(&path, &settings).expect("the folder can be written");
        assert_eq!(read(&path), old.replace("seed: 1", "seed: 2"));
        assert_eq!(read(&folder.path("hills.terrain.ron.bak")), old);
        assert_eq!(folder.names(), ["hills.terrain.ron", "hills.terrain.ron.bak"], "no temporary file stays");
    }

    #[test]
    fn a_new_file_is_created_without_a_backup() {
        let folder = Folder::new();
        let path = folder.path("new.terrain.ron");
        save_settings(&path, &TerrainSettings::default()).expect("the folder can be written");
        assert_eq!(TerrainSettings::from_ron(&read(&path)), Ok(TerrainSettings::default()));
        assert_eq!(folder.names(), ["new.terrain.ron"]);
    }

    #[test]
    fn save_as_keeps_the_comments_and_replaces_no_file() {
        let folder = Folder::new();
        let path = folder.path("copy.terrain.ron");
        save_new_settings(&path, &TerrainSettings::default(), "// Ann's\n()\n").expect("the folder can be written");
        assert_eq!(read(&path), "// Ann's\n()\n");
        assert!(matches!(save_new_settings(&path, &TerrainSettings::default(), ""), Err(SaveError::Write { .. })));
        assert_eq!(folder.names(), ["copy.terrain.ron"]);
    }

    #[test]
    fn errors_leave_the_file_unchanged_and_no_temporary_files() {
        let folder = Folder::new();
        let path = folder.write("a.terrain.ron", "()");
        let mut broken = TerrainSettings::default();
        broken.chunks.spacing = -1.0;
        let error = save_settings(&path, &broken).expect_err("a negative spacing");
        assert!(error.to_string().contains("`chunks.spacing` is -1.0, allowed: 0.1 to 100 m"), "{error}");
        // A folder at the path of the backup: the backup fails, so the file must stay.
        fs::create_dir(folder.path("a.terrain.ron.bak")).expect("the temporary folder can be written");
        let mut other = TerrainSettings::default();
        other.field.seed = 9;
        assert!(matches!(save_settings(&path, &other), Err(SaveError::Backup { .. })));
        assert_eq!(read(&path), "()");
        let missing = folder.path("nowhere/a.terrain.ron");
        assert!(matches!(save_settings(&missing, &other), Err(SaveError::Write { .. })));
        assert_eq!(folder.names(), ["a.terrain.ron", "a.terrain.ron.bak"]);
    }

    #[test]
    fn unsaved_edits_are_read_again_whatever_the_comments_are() {
        let folder = Folder::new();
        let path = folder.path("a.terrain.ron");
        let base = "// The file that was edited:\r\n//| mine\r\n(field: (seed: 1))";
        write_recovery(&path, &base.replace("seed: 1", "seed: 2"), base, true).expect("the folder can be written");
        let Recovery { edited, base } = read_recovery::<TerrainSettings>(&path).expect("it has both");
        assert_eq!((edited.field.seed, base.field.seed), (2, 1));
        remove_recovery(&path).expect("it is there");
        remove_recovery(&path).expect("it is gone");
        assert_eq!(read_recovery::<TerrainSettings>(&path), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_a_link() {
        let folder = Folder::new();
        let file = folder.write("real.terrain.ron", "()");
        let link = folder.path("link.terrain.ron");
        std::os::unix::fs::symlink(&file, &link).expect("links can be made");
        let mut settings = TerrainSettings::default();
        settings.field.seed = 3;
        save_settings(&link, &settings).expect("the folder can be written");
        assert!(fs::symlink_metadata(&link).expect("the link exists").is_symlink());
        assert!(read(&file).contains("seed: 3"));
    }

    #[test]
    fn only_settings_files_are_listed_in_order() {
        let folder = Folder::new();
        for name in ["b.terrain.ron", "a.terrain.ron", "a.terrain.ron.bak", "notes.ron", ".terrain.ron", "x.txt"] {
            folder.write(name, "()");
        }
        assert_eq!(
            list_settings_files::<TerrainSettings>(&folder.path("")).expect("the folder exists"),
            ["a.terrain.ron", "b.terrain.ron"]
        );
        assert!(list_settings_files::<TerrainSettings>(&folder.path("nowhere")).is_err());
    }

    #[test]
    fn file_names_stay_in_the_folder_and_are_not_empty() {
        for (text, name) in [
            ("dunes", Some("dunes.terrain.ron")),
            (" dunes.terrain.ron ", Some("dunes.terrain.ron")),
            ("../../etc/passwd", Some("etc_passwd.terrain.ron")),
            ("c:\\x", Some("c_x.terrain.ron")),
            ("grüne Hügel", Some("gr_ne_H_gel.terrain.ron")),
            ("-_-", None),
            ("", None),
            (".terrain.ron", None),
        ] {
            assert_eq!(sanitize_file_name::<TerrainSettings>(text).as_deref(), name, "{text:?}");
        }
        assert!(sanitize_file_name::<TerrainSettings>(&"x".repeat(1000)).is_some_and(|name| name.len() < 120));
    }
}
