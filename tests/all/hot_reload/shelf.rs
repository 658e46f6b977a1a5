//! Files that hang or have no end.

use super::*;

/// What a [`Shelf`] has under a name.
#[derive(Clone)]
enum Book {
    Text(String),
    /// To open it takes for ever.
    Stuck,
    /// It has no end.
    Endless,
}

/// A source of assets in memory, where files may hang or have no end.
#[derive(Clone, Default)]
struct Shelf {
    books: Arc<Mutex<HashMap<PathBuf, Book>>>,
    /// How many bytes of endless files were read.
    read: Arc<AtomicU64>,
    /// How many of them were opened.
    opened: Arc<AtomicU64>,
}

impl Shelf {
    fn put(&self, name: &str, book: Book) {
        self.books.lock().expect("nobody panics").insert(name.into(), book);
    }
}

struct EndlessReader(Arc<AtomicU64>);

impl bevy::tasks::futures_lite::AsyncRead for EndlessReader {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        buffer: &mut [u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        buffer.fill(b' ');
        self.0.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        std::task::Poll::Ready(Ok(buffer.len()))
    }
}

impl Reader for EndlessReader {
    fn seekable(
        &mut self,
    ) -> Result<&mut dyn bevy::asset::io::SeekableReader, bevy::asset::io::ReaderNotSeekableError> {
        Err(bevy::asset::io::ReaderNotSeekableError)
    }
}

impl AssetReader for Shelf {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        let book = self.books.lock().expect("nobody panics").get(path).cloned();
        let reader: Box<dyn Reader> = match book {
            Some(Book::Text(text)) => Box::new(VecReader::new(text.into_bytes())),
            Some(Book::Stuck) => std::future::pending().await,
            Some(Book::Endless) => {
                self.opened.fetch_add(1, Ordering::Relaxed);
                Box::new(EndlessReader(self.read.clone()))
            }
            None => return Err(AssetReaderError::NotFound(path.to_owned())),
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

/// An app with a shelf under `shelf://`, and a terrain for each of the files on it.
fn app_with_shelf<const N: usize>(books: [(&str, Book); N]) -> (App, Shelf, [Entity; N]) {
    let shelf = Shelf::default();
    let mut app = with_manual_clock(App::new());
    let reader = shelf.clone();
    app.register_asset_source("shelf", AssetSourceBuilder::new(move || Box::new(reader.clone())));
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins));
    let terrains = books.map(|(name, book)| {
        shelf.put(name, book);
        let handle = app.world().resource::<AssetServer>().load(format!("shelf://{name}"));
        app.world_mut().spawn(Terrain(handle)).id()
    });
    (app, shelf, terrains)
}

fn pump_until_seed_of(app: &mut App, terrain: Entity, seed: u64) {
    pump_until(app, &format!("seed {seed} is in use"), |app| {
        state(app, terrain).settings().is_some_and(|settings| settings.field.seed == seed)
    });
}

#[test]
fn a_file_that_hangs_is_told_once_and_keeps_no_other_waiting() {
    let (mut app, shelf, [a, b]) =
        app_with_shelf([("hangs.terrain.ron", Book::Text(hills(1))), ("beside.terrain.ron", Book::Text(hills(1)))]);
    for terrain in [a, b] {
        pump_until_seed_of(&mut app, terrain, 1);
    }
    let told = warnings_of(&mut app, |app| {
        shelf.put("hangs.terrain.ron", Book::Stuck);
        for seed in 2..6 {
            shelf.put("beside.terrain.ron", Book::Text(hills(seed)));
            pump_until_seed_of(app, b, seed);
            // Long enough for a look that takes too long.
            pump(app, 400);
        }
        assert_eq!(state(app, a).settings().map(|settings| settings.field.seed), Some(1));
        shelf.put("hangs.terrain.ron", Book::Text(hills(9)));
        pump_until_seed_of(app, a, 9);
    });
    let of_a: Vec<_> = told.iter().filter(|line| line.contains("shelf://hangs")).collect();
    let expected = "shelf://hangs.terrain.ron could not be read for 5 s; changes are loaded when it can be read again";
    assert_eq!(of_a, [&format!(" WARN {expected}")], "{told:?}");
}

#[test]
fn a_first_load_that_hangs_is_tried_again_when_the_file_can_be_read() {
    let (mut app, shelf, [a, b]) =
        app_with_shelf([("first.terrain.ron", Book::Stuck), ("beside.terrain.ron", Book::Text(hills(2)))]);
    pump_until_seed_of(&mut app, b, 2);
    pump(&mut app, 100);
    assert!(state(&app, a).settings().is_none());
    shelf.put("first.terrain.ron", Book::Text(hills(3)));
    let told = warnings_of(&mut app, |app| pump_until_seed_of(app, a, 3));
    let expected = " WARN shelf://first.terrain.ron takes long to load; loading it again";
    assert!(told.iter().any(|line| line == expected), "{told:?}");
}

#[test]
fn a_file_without_end_is_read_up_to_the_limit() {
    let (mut app, shelf, [a]) = app_with_shelf([("endless.terrain.ron", Book::Endless)]);
    pump_until(&mut app, "it is told", |app| !problems(app, a).is_empty());
    let expected = ["shelf://endless.terrain.ron has too many bytes, allowed: up to 4194304 bytes (4 MiB)"];
    assert_eq!(problems(&app, a), expected);
    shelf.put("endless.terrain.ron", Book::Text(hills(3)));
    pump_until_seed_of(&mut app, a, 3);
    shelf.put("endless.terrain.ron", Book::Endless);
    pump_until(&mut app, "it is told", |app| !problems(app, a).is_empty());
    assert_eq!(problems(&app, a), expected);
    assert_eq!(state(&app, a).settings().map(|settings| settings.field.seed), Some(3));
    let (read, opened) = (shelf.read.load(Ordering::Relaxed), shelf.opened.load(Ordering::Relaxed));
    assert!(read <= (opened + 1) * (TerrainSettings::MAX_FILE_SIZE + 1), "{read} bytes of {opened} files");
}

#[test]
fn an_error_in_a_file_is_told_once_and_its_consequence_once_for_all_errors() {
    const NAME: &str = "told_once.terrain.ron";
    let (mut app, shelf, [terrain]) = app_with_shelf([(NAME, Book::Text(hills(3)))]);
    pump_until_seed_of(&mut app, terrain, 3);
    // Another terrain of the same file has nothing to add.
    let handle = app.world().get::<Terrain>(terrain).expect("a terrain").0.clone();
    app.world_mut().spawn(Terrain(handle));
    let range = "shelf://told_once.terrain.ron:4:33: `chunks.spacing` is -4.0, allowed: 0.1 to 100 m";
    let empty = "the file is empty, allowed: settings in parentheses, where `()` means all defaults";
    let empty = format!("shelf://told_once.terrain.ron:1:1: {empty}");
    let mut told = Vec::new();
    let failures = failures_of(&mut app, |app| {
        told = warnings_of(app, |app| {
            let broken = hills(4).replace("spacing: 4.0", "spacing: -4.0");
            for (content, problem) in [(broken, range), (String::new(), &empty)] {
                shelf.put(NAME, Book::Text(content));
                pump_until(app, "the problem is told", |app| problems(app, terrain) == [problem]);
                // Many looks at the same file.
                pump(app, 200);
            }
            shelf.put(NAME, Book::Text(hills(4)));
            pump_until(app, "all is well", |app| problems(app, terrain).is_empty());
        });
    });
    assert_eq!(failures, [range, &empty]);
    // This thread may run systems of other tests. And the clock here may run so fast that looks take long.
    told.retain(|line| line.contains(NAME) && !line.contains("could not be read for"));
    let consequence =
        "shelf://told_once.terrain.ron: the terrain keeps its last valid settings until the file is fixed";
    assert_eq!(told, [format!("ERROR {range}"), format!(" WARN {consequence}"), format!("ERROR {empty}")]);
}
