//! Files that are too large, and things that are not regular files.

use super::*;

#[test]
fn a_file_that_is_too_large_is_refused_by_its_size() {
    let mut fixture = Fixture::settled(&hills(3));
    // A sparse file, which takes no space on the disk.
    let file = fs::File::create(fixture.folder.join(FILE)).expect("the file can be written");
    file.set_len(200 << 20).expect("the file can grow");
    let expected = ["hills.terrain.ron has 209715200 bytes, allowed: up to 4194304 bytes (4 MiB)"];
    assert_eq!(fixture.pump_until_problem(), expected);
    assert_eq!(fixture.seed(), Some(3));
    fixture.write(&hills(4));
    fixture.pump_until_seed(4);
    let mut fixture = Fixture::new(None);
    let file = fs::File::create(fixture.folder.join(FILE)).expect("the file can be written");
    file.set_len(200 << 20).expect("the file can grow");
    pump_until(&mut fixture.app, "the problem is reported", |app| problems(app, fixture.terrain) == expected);
}

/// The warnings after `put` replaces a loaded file by something that is not a regular file. Asserts that the terrain stays, and
/// that a new file is loaded.
fn warnings_about_no_file(put: impl FnOnce(&Path)) -> Vec<String> {
    let mut fixture = Fixture::settled(&hills(3));
    let (terrain, folder) = (fixture.terrain, fixture.folder.clone());
    let chunks = fixture.chunks();
    let path = folder.join(FILE);
    let warnings = warnings_of(&mut fixture.app, |app| {
        fs::remove_file(&path).expect("the file can be removed");
        put(&path);
        // Longer than a check may take.
        pump(app, 1000);
        assert_eq!(state(app, terrain).settings().map(|settings| settings.field.seed), Some(3));
    });
    assert_eq!(fixture.chunks(), chunks);
    let other = folder.join("other");
    fs::write(&other, hills(4)).expect("the file can be written");
    if path.is_dir() {
        fs::remove_dir(&path).expect("the folder can be removed");
    }
    fs::rename(other, &path).expect("the file can be renamed");
    fixture.pump_until_seed(4);
    warnings
}

#[cfg(unix)]
#[test]
fn a_named_pipe_in_place_of_a_file_warns_once_and_is_not_opened() {
    let warnings = warnings_about_no_file(|path| {
        let status = std::process::Command::new("mkfifo").arg(path).status().expect("`mkfifo` runs");
        assert!(status.success());
    });
    let expected = " WARN hills.terrain.ron is a named pipe, not a regular file, so hot reload does not read it";
    assert_eq!(warnings.iter().filter(|line| *line == expected).count(), 1, "{warnings:?}");
}

#[test]
fn a_folder_in_place_of_a_file_warns_once() {
    let warnings = warnings_about_no_file(|path| fs::create_dir(path).expect("the folder can be created"));
    let expected = " WARN hills.terrain.ron is a folder, not a regular file, so hot reload does not read it";
    assert_eq!(warnings.iter().filter(|line| *line == expected).count(), 1, "{warnings:?}");
}
