//! Where an image goes: a file, or standard output.

use crate::encode::Format;
use crate::stop::Stop;
use crate::watch::Watch;
use perlin_terrain::draft::replace_file::{folder_of, replace_file, temporary_file};
use std::fs::{self, File, FileType};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};

/// The folder of images without a name.
const FOLDER: &str = "output";

/// Where an image goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The position.
    pub target: Target,
    /// The format.
    pub format: Format,
}

/// A position that an image can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Output,
    /// A file. Only with `force` it may be there already.
    File { path: PathBuf, force: bool },
    /// A new file in the folder `output` with this name, or with the first number behind it that is free.
    New { stem: String },
}

impl Destination {
    /// Writes an image whose bytes `draw` writes. Returns its file.
    ///
    /// Checks that the file can be written before anything is drawn. The file is written as a whole or not at all.
    pub fn write(
        &self,
        watch: &mut Watch,
        draw: impl FnOnce(&mut dyn Write, &mut Watch) -> io::Result<()>,
    ) -> Result<Option<PathBuf>, Stop> {
        match &self.target {
            Target::Output => {
                let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
                let result = draw(&mut output, watch).and_then(|()| output.flush());
                result.map(|()| None).map_err(|error| Stop::failed("cannot write to standard output", error))
            }
            Target::File { path, force } => {
                check(path, *force)?;
                watch.catch_signals()?;
                let draw = |file: &mut BufWriter<&File>| draw(file, watch);
                let result = if *force {
                    replace_file(path, draw).map(|()| path.clone())
                } else {
                    create_file(folder_of(path), iter::once(path.clone()), draw)
                };
                result.map(Some).map_err(|error| Stop::failed(&format!("cannot write {}", path.display()), error))
            }
            Target::New { stem } => {
                let folder = Path::new(FOLDER);
                fs::create_dir_all(folder).map_err(|error| {
                    Stop::Failure(format!("cannot create the folder {FOLDER}: {error}; name a file instead"))
                })?;
                watch.catch_signals()?;
                let names = names(folder, stem, self.format.extension());
                create_file(folder, names, |file| draw(file, watch))
                    .map(Some)
                    .map_err(|error| Stop::failed(&format!("cannot write a file in the folder {FOLDER}"), error))
            }
        }
    }
}

/// Writes a new file in `folder`. Its path is the first of `paths` that is free when the file is complete.
fn create_file(
    folder: &Path,
    paths: impl Iterator<Item = PathBuf>,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let mut temporary = temporary_file(folder, write)?;
    temporary.as_file().sync_all()?;
    for path in paths {
        match temporary.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => temporary = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Refuses to write binary data to a terminal.
pub fn check_output() -> Result<(), Stop> {
    if io::stdout().is_terminal() {
        let text = "standard output is a terminal, which shows no images: name a file, or type `- | another_program`";
        return Err(Stop::Failure(text.to_owned()));
    }
    Ok(())
}

/// `stem.extension`, `stem_2.extension` and so on.
fn names(folder: &Path, stem: &str, extension: &str) -> impl Iterator<Item = PathBuf> {
    (1_u32..).map(move |count| match count {
        1 => folder.join(format!("{stem}.{extension}")),
        count => folder.join(format!("{stem}_{count}.{extension}")),
    })
}

/// Refuses what is no plain file, and a file without `force`.
fn check(path: &Path, force: bool) -> Result<(), Stop> {
    let here = path.display();
    let refuse = |why: String| Err(Stop::Failure(format!("cannot write {here}: {why}")));
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() && force => Ok(()),
        Ok(metadata) if metadata.is_file() => {
            refuse("the file is there already; choose another name, or type --force to replace it".to_owned())
        }
        Ok(metadata) if metadata.is_dir() => {
            refuse(format!("it is a folder; name a file in it, such as {}", path.join("noise.png").display()))
        }
        Ok(metadata) if metadata.is_symlink() => match fs::read_link(path) {
            Ok(target) => refuse(format!("it is a link to {}; name that file itself", target.display())),
            Err(_) => refuse("it is a link; name the file that it leads to".to_owned()),
        },
        Ok(metadata) => refuse(format!(
            "it is {}, not a file; write to standard output instead: - >{here}",
            kind(metadata.file_type())
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_folder(path),
        Err(error) => refuse(error.to_string()),
    }
}

/// Refuses a file in a folder that is not there, which may be a typing mistake.
fn check_folder(path: &Path) -> Result<(), Stop> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            let (here, folder) = (path.display(), folder.display());
            Err(Stop::Failure(format!(
                "cannot write {here}: there is no folder {folder}; create it first: mkdir -p {folder}"
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn kind(file: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if file.is_fifo() {
        "a FIFO"
    } else if file.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::Folder;

    fn refusal(path: &Path, force: bool) -> String {
        match check(path, force) {
            Err(Stop::Failure(text)) => text,
            other => panic!("{} is not refused: {other:?}", path.display()),
        }
    }

    #[test]
    fn a_file_that_is_there_needs_force() {
        let folder = Folder::new();
        let path = folder.write("a.png", "old");
        assert!(refusal(&path, false).ends_with("type --force to replace it"));
        assert_eq!(check(&path, true), Ok(()));
        assert_eq!(check(&folder.path("b.png"), false), Ok(()));
    }

    #[test]
    fn folders_and_missing_folders_are_refused_by_name() {
        let folder = Folder::new();
        fs::create_dir(folder.path("a.png")).expect("the folder can be written");
        for force in [false, true] {
            assert!(refusal(&folder.path("a.png"), force).contains("it is a folder; name a file in it, such as "));
            let text = refusal(&folder.path("missing/b.png"), force);
            assert!(text.ends_with(&format!("mkdir -p {}", folder.path("missing").display())), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_refused_by_their_target() {
        let folder = Folder::new();
        let target = folder.write("target.png", "old");
        std::os::unix::fs::symlink(&target, folder.path("link.png")).expect("the folder can be written");
        std::os::unix::fs::symlink("nowhere.png", folder.path("dead.png")).expect("the folder can be written");
        for force in [false, true] {
            let text = refusal(&folder.path("link.png"), force);
            assert!(text.ends_with(&format!("it is a link to {}; name that file itself", target.display())), "{text}");
            assert!(refusal(&folder.path("dead.png"), force).contains("it is a link to nowhere.png"));
            let text = refusal(Path::new("/dev/null"), force);
            assert!(
                text.ends_with("it is a device, not a file; write to standard output instead: - >/dev/null"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_name_counts_up_until_it_is_free_at_the_end_of_the_drawing() {
        let folder = Folder::new();
        folder.write("a_4.png", "old");
        for expected in ["a_2.png", "a_3.png", "a_5.png"] {
            let path = create_file(&folder.path(""), names(&folder.path(""), "a", "png"), |file| {
                // Another run is faster.
                folder.write("a.png", "other");
                file.write_all(b"new")
            });
            assert_eq!(path.expect("the folder can be written"), folder.path(expected));
            assert_eq!(folder.read(expected), "new");
        }
        assert_eq!((folder.read("a.png"), folder.read("a_4.png")), ("other".to_owned(), "old".to_owned()));
        assert_eq!(folder.names(), ["a.png", "a_2.png", "a_3.png", "a_4.png", "a_5.png"]);
    }

    #[test]
    fn a_file_that_appears_during_the_drawing_is_kept() {
        let folder = Folder::new();
        let result = create_file(&folder.path(""), iter::once(folder.path("a.png")), |file| {
            folder.write("a.png", "other");
            file.write_all(b"new")
        });
        assert_eq!(result.expect_err("the name is taken").kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((folder.read("a.png").as_str(), folder.names()), ("other", vec!["a.png".to_owned()]));
    }
}
