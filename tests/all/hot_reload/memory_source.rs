//! Files of an asset source in memory that hang or have no end.

use super::*;
use bevy::asset::AssetApp;
use bevy::asset::io::{AssetReader, AssetReaderError, AssetSourceBuilder, PathStream, Reader, VecReader};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};

/// A file of a [`MemorySource`].
#[derive(Clone)]
enum MemoryFile {
    Text(String),
    /// Opening it ends when another file takes its place.
    Hanging,
    /// Reading it never ends.
    Endless,
}

/// An asset source in memory, with files that may hang or have no end.
#[derive(Clone, Default)]
struct MemorySource {
    files: Arc<Mutex<HashMap<PathBuf, MemoryFile>>>,
    /// The tasks that wait for hanging files.
    waiting: Arc<Mutex<Vec<Waker>>>,
    /// The number of bytes that were read from endless files.
    read: Arc<AtomicU64>,
    /// The number of endless files that were opened.
    opened: Arc<AtomicU64>,
}

impl MemorySource {
    fn put(&self, name: &str, file: MemoryFile) {
        self.files.lock().expect("no thread panicked").insert(name.into(), file);
        self.waiting.lock().expect("no thread panicked").drain(..).for_each(Waker::wake);
    }

    /// The file at `path`, when it does not hang.
    async fn file(&self, path: &Path) -> Option<MemoryFile> {
        std::future::poll_fn(|context| {
            // A file that is put now wakes this task after it is recorded.
            let mut waiting = self.waiting.lock().expect("no thread panicked");
            let file = self.files.lock().expect("no thread panicked").get(path).cloned();
            if matches!(file, Some(MemoryFile::Hanging)) {
                waiting.push(context.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(file)
        })
        .await
    }
}

struct EndlessReader(Arc<AtomicU64>);

impl bevy::tasks::futures_lite::AsyncRead for EndlessReader {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<std::io::Result<usize>> {
        buffer.fill(b' ');
        self.0.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        Poll::Ready(Ok(buffer.len()))
    }
}

impl Reader for EndlessReader {
    fn seekable(
        &mut self,
    ) -> Result<&mut dyn bevy::asset::io::SeekableReader, bevy::asset::io::ReaderNotSeekableError> {
        Err(bevy::asset::io::ReaderNotSeekableError)
    }
}

impl AssetReader for MemorySource {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        let reader: Box<dyn Reader> = match self.file(path).await {
            Some(MemoryFile::Text(text)) => Box::new(VecReader::new(text.into_bytes())),
            Some(MemoryFile::Endless) => {
                self.opened.fetch_add(1, Ordering::Relaxed);
                Box::new(EndlessReader(self.read.clone()))
            }
            Some(MemoryFile::Hanging) | None => return Err(AssetReaderError::NotFound(path.to_owned())),
        };
        Ok(reader)
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        Err::<VecReader, _>(AssetReaderError::NotFound(path.to_owned()))
    }

    async fn read_directory<'a>(&'a self, path: &'a Path) -> Result<Box<PathStream>, AssetReaderError> {
        Err(AssetReaderError::NotFound(path.to_owned()))
    }

    async fn is_directory<'a>(&'a self, _: &'a Path) -> Result<bool, AssetReaderError> {
        Ok(false)
    }
}

/// An app with a [`MemorySource`] named `memory`, and a terrain for each of its `files`.
fn app_with_files<const N: usize>(files: [(&str, MemoryFile); N]) -> (App, MemorySource, [Entity; N]) {
    let source = MemorySource::default();
    let mut app = with_manual_clock(App::new());
    let reader = source.clone();
    app.register_asset_source("memory", AssetSourceBuilder::new(move || Box::new(reader.clone())));
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins));
    let terrains = files.map(|(name, file)| {
        source.put(name, file);
        let handle = app.world().resource::<AssetServer>().load(format!("memory://{name}"));
        app.world_mut().spawn(Terrain(handle)).id()
    });
    (app, source, terrains)
}

fn pump_until_seed_of(app: &mut App, terrain: Entity, seed: u64) {
    pump_until(app, &format!("seed {seed} is in use"), |app| {
        state(app, terrain).settings().is_some_and(|settings| settings.field.seed == seed)
    });
}

#[test]
fn a_file_that_hangs_warns_once_and_blocks_no_other_file() {
    let (mut app, source, [a, b]) = app_with_files([
        ("hangs.terrain.ron", MemoryFile::Text(hills(1))),
        ("beside.terrain.ron", MemoryFile::Text(hills(1))),
    ]);
    for terrain in [a, b] {
        pump_until_seed_of(&mut app, terrain, 1);
    }
    let warnings = warnings_of(&mut app, |app| {
        source.put("hangs.terrain.ron", MemoryFile::Hanging);
        for seed in 2..6 {
            source.put("beside.terrain.ron", MemoryFile::Text(hills(seed)));
            pump_until_seed_of(app, b, seed);
            // Longer than the time after which a check counts as hanging.
            pump(app, 400);
        }
        assert_eq!(state(app, a).settings().map(|settings| settings.field.seed), Some(1));
        source.put("hangs.terrain.ron", MemoryFile::Text(hills(9)));
        pump_until_seed_of(app, a, 9);
    });
    let of_a: Vec<_> = warnings.iter().filter(|line| line.contains("memory://hangs")).collect();
    let expected = "memory://hangs.terrain.ron could not be read for 5 s; changes are loaded when it can be read again";
    assert_eq!(of_a, [&format!(" WARN {expected}")], "{warnings:?}");
}

#[test]
fn a_first_load_that_hangs_ends_when_the_file_can_be_read() {
    let (mut app, source, [a, b]) = app_with_files([
        ("first.terrain.ron", MemoryFile::Hanging),
        ("beside.terrain.ron", MemoryFile::Text(hills(2))),
    ]);
    pump_until_seed_of(&mut app, b, 2);
    pump(&mut app, 100);
    assert!(state(&app, a).settings().is_none());
    source.put("first.terrain.ron", MemoryFile::Text(hills(3)));
    pump_until_seed_of(&mut app, a, 3);
}

#[test]
fn an_endless_file_is_read_up_to_the_limit() {
    let (mut app, source, [a]) = app_with_files([("endless.terrain.ron", MemoryFile::Endless)]);
    pump_until(&mut app, "the problem is reported", |app| !problems(app, a).is_empty());
    let expected = ["memory://endless.terrain.ron has too many bytes, allowed: up to 4194304 bytes (4 MiB)"];
    assert_eq!(problems(&app, a), expected);
    source.put("endless.terrain.ron", MemoryFile::Text(hills(3)));
    pump_until_seed_of(&mut app, a, 3);
    source.put("endless.terrain.ron", MemoryFile::Endless);
    pump_until(&mut app, "the problem is reported", |app| !problems(app, a).is_empty());
    assert_eq!(problems(&app, a), expected);
    assert_eq!(state(&app, a).settings().map(|settings| settings.field.seed), Some(3));
    let (read, opened) = (source.read.load(Ordering::Relaxed), source.opened.load(Ordering::Relaxed));
    assert!(read <= (opened + 1) * (TerrainSettings::MAX_FILE_SIZE + 1), "{read} bytes of {opened} files");
}

#[test]
fn an_error_in_a_file_is_logged_once_and_its_consequence_once_for_all_errors() {
    const NAME: &str = "twice_broken.terrain.ron";
    let (mut app, source, [terrain]) = app_with_files([(NAME, MemoryFile::Text(hills(3)))]);
    pump_until_seed_of(&mut app, terrain, 3);
    // A second terrain of the same file adds no log entries.
    let handle = app.world().get::<Terrain>(terrain).expect("a terrain").0.clone();
    app.world_mut().spawn(Terrain(handle));
    let range = "memory://twice_broken.terrain.ron:4:33: `chunks.spacing` is -4.0, allowed: 0.1 to 100 m";
    let empty = "the file is empty, allowed: settings in parentheses, where `()` means all defaults";
    let empty = format!("memory://twice_broken.terrain.ron:1:1: {empty}");
    let mut log = Vec::new();
    let failures = failures_of(&mut app, |app| {
        log = warnings_of(app, |app| {
            let broken = hills(4).replace("spacing: 4.0", "spacing: -4.0");
            for (content, problem) in [(broken, range), (String::new(), &empty)] {
                source.put(NAME, MemoryFile::Text(content));
                pump_until(app, "the problem is reported", |app| problems(app, terrain) == [problem]);
                // The same file is checked many times.
                pump(app, 200);
            }
            source.put(NAME, MemoryFile::Text(hills(4)));
            pump_until(app, "there is no problem", |app| problems(app, terrain).is_empty());
        });
    });
    assert_eq!(failures, [range, &empty]);
    // This thread may run systems of other tests. The clock of this app is fast, so a check may count as hanging.
    log.retain(|line| line.contains(NAME) && !line.contains("could not be read for"));
    let consequence =
        "memory://twice_broken.terrain.ron: the terrain keeps its last valid settings until the file is fixed";
    assert_eq!(log, [format!("ERROR {range}"), format!(" WARN {consequence}"), format!("ERROR {empty}")]);
}
