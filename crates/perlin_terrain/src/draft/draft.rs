//! The draft of one settings asset. Independent of egui and of Bevy's world.

use super::history::History;
use super::labels::label_of;
use super::news::{ByGame, FileCopy, FileNews};
use super::{Checks, EditableSettings, ListEdit};
use crate::noise::NoiseRng;
use crate::param::{Alternative, Param, ParamError, ParamValue, ParamVisitor, Scale};
use crate::settings::TerrainSettings;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The random stream of the dice. Layers use lower stream numbers. The noise of a mask may use this one too, for lattices and
/// offsets, so no pattern repeats.
const DICE_STREAM: u64 = 1 << 32;

/// One parameter in the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The path of the parameter, such as `field.layers[2].kind.octaves`.
    pub path: String,
    /// Its description.
    pub param: &'static Param,
    /// Its value in the draft.
    pub value: ParamValue,
    /// The alternatives of a choice. Empty for other kinds.
    pub alternatives: &'static [Alternative],
    /// Its value in the file. `None` if it equals the value in the draft, or without a file.
    pub in_file: Option<ParamValue>,
}

/// An edit that is not over: a slider is still dragged, or a text is still typed.
#[derive(Clone, Debug)]
struct OpenEdit<T> {
    before: T,
    /// The paths of the parameters that were edited.
    paths: Vec<String>,
}

/// What is computed once for each version of a draft.
#[derive(Clone, Debug, Default)]
struct Computed {
    rows: OnceLock<Arc<[Row]>>,
    is_edited: OnceLock<Option<bool>>,
    checks: OnceLock<Arc<Checks>>,
}

/// The edited settings of one asset, and how they differ from the asset and from the file.
///
/// ```
/// use perlin_terrain::draft::Draft;
/// use perlin_terrain::param::ParamValue;
/// use perlin_terrain::settings::TerrainSettings;
/// use std::time::Duration;
///
/// let mut draft = Draft::new(TerrainSettings::default());
/// draft.edit("chunks.spacing", ParamValue::Float(2.0)).expect("it is allowed");
/// assert_eq!(draft.take_write(Duration::ZERO).expect("there is an edit").chunks.spacing, 2.0);
///
/// let error = draft.edit("chunks.spacing", ParamValue::Float(500.0)).unwrap_err();
/// assert_eq!(error.to_string(), "`chunks.spacing` is 500.0, allowed: 0.1 to 100 m");
/// assert_eq!(draft.settings().chunks.spacing, 2.0);
///
/// draft.finish_edit();
/// draft.undo().expect("there is an edit");
/// assert_eq!(draft.settings().chunks.spacing, 4.0);
/// ```
#[derive(Clone, Debug)]
pub struct Draft<T> {
    pub(super) settings: T,
    pub(super) file: Option<FileCopy<T>>,
    /// The last file that the draft has taken, if it could not take the changes since.
    pub(super) untaken_since: Option<T>,
    /// The draft when it was last written to the asset.
    pub(super) written: T,
    /// The asset, if it is not what was written.
    pub(super) by_game: Option<ByGame<T>>,
    pub(super) history: History<T>,
    open_edit: Option<OpenEdit<T>>,
    pub(super) news: Option<FileNews>,
    /// The draft has edits that are not in the asset yet.
    pub(super) is_pending: bool,
    pub(super) last_write: Option<Duration>,
    pub(super) refusals: Vec<ParamError>,
    version: u64,
    computed: Computed,
}

impl<T: EditableSettings> Draft<T> {
    /// The shortest time between two writes to the asset.
    pub const WRITE_INTERVAL: Duration = Duration::from_millis(100);

    /// Creates a draft of settings that come from code, without a file.
    #[must_use]
    pub fn new(settings: T) -> Self {
        Self {
            written: settings.clone(),
            settings,
            file: None,
            untaken_since: None,
            by_game: None,
            history: History::default(),
            open_edit: None,
            news: None,
            is_pending: false,
            last_write: None,
            refusals: Vec::new(),
            version: 0,
            computed: Computed::default(),
        }
    }

    /// Creates a draft of settings that were just loaded from a file with this text. Empty if only the settings are known.
    #[must_use]
    pub fn from_file(settings: T, text: impl Into<String>) -> Self {
        let file = Some(FileCopy { settings: settings.clone(), text: text.into() });
        Self { file, ..Self::new(settings) }
    }

    /// The edited settings.
    #[must_use]
    pub const fn settings(&self) -> &T {
        &self.settings
    }

    /// The last known settings of the file. `None` without a file.
    #[must_use]
    pub fn file(&self) -> Option<&T> {
        self.file.as_ref().map(|file| &file.settings)
    }

    /// The last known text of the file. Empty if it is not known.
    #[must_use]
    pub fn file_text(&self) -> &str {
        self.file.as_ref().map_or("", |file| &file.text)
    }

    /// Grows with each change of the draft or of its file, until the draft is [moved to a new file](Self::moved_to_new_file).
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// All parameters, in the order of the fields. Computed once for each [version](Self::version).
    #[must_use]
    pub fn rows(&self) -> Arc<[Row]> {
        let rows = self.computed.rows.get_or_init(|| {
            let in_file = self.file().map(values).unwrap_or_default();
            let mut rows = Vec::new();
            self.settings.clone().visit(&mut ParamVisitor::new(&mut |path, param, value| {
                let (alternatives, value) = (value.alternatives(), value.get());
                let in_file = in_file.get(path).filter(|in_file| **in_file != value).cloned();
                rows.push(Row { path: path.to_owned(), param, value, alternatives, in_file });
            }));
            rows.into()
        });
        Arc::clone(rows)
    }

    /// Whether the draft differs from the file. `None` without a file. Computed once for each version.
    #[must_use]
    pub fn is_edited(&self) -> Option<bool> {
        *self.computed.is_edited.get_or_init(|| self.file().map(|file| !self.settings.is_same(file)))
    }

    /// Warnings, and what can't be edited. Computed once for each version.
    #[must_use]
    pub fn checks(&self) -> Arc<Checks> {
        Arc::clone(self.computed.checks.get_or_init(|| Arc::new(self.settings.checks(self.file()))))
    }

    /// The row of the parameter at `path`.
    #[must_use]
    pub fn row(&self, path: &str) -> Option<Row> {
        self.rows().iter().find(|row| row.path == path).cloned()
    }

    /// Sets the parameter at `path`.
    ///
    /// The edits until [`finish_edit`](Self::finish_edit) are one entry of the history.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is out of range or of another kind, or if there is no such parameter. The draft keeps its
    /// value. [`refusal`](Self::refusal) returns the error until the parameter is set to an allowed value.
    pub fn edit(&mut self, path: &str, value: ParamValue) -> Result<(), ParamError> {
        self.refusals.retain(|error| error.path != path);
        let (mut known, mut stored) = (None, false);
        let before = self.settings.clone();
        self.settings.visit(&mut ParamVisitor::new(&mut |here, param, mut slot| {
            if here == path {
                known = Some(param);
                if param.allows(&value) {
                    stored = slot.get() == value || slot.set(value.clone());
                }
            }
        }));
        if !stored {
            return Err(self.refuse(path, value.to_string(), known));
        }
        if let Err(error) = self.settings.adjust(&before, path) {
            self.settings = before;
            let error = ParamError { path: path.to_owned(), found: value.to_string(), ..error };
            self.refusals.push(error.clone());
            return Err(error);
        }
        let open = self.open_edit.get_or_insert_with(|| OpenEdit { before, paths: Vec::new() });
        if !open.paths.iter().any(|edited| edited == path) {
            open.paths.push(path.to_owned());
        }
        self.changed();
        Ok(())
    }

    /// Ends an edit. Call it when no button and no key is down and no text is being typed: what was edited since the last call becomes
    /// one entry of the [history](Self::history).
    pub fn finish_edit(&mut self) {
        let Some(OpenEdit { before, paths }) = self.open_edit.take() else { return };
        if before != self.settings {
            let label = label_of(&before, &self.settings, &paths);
            self.history.push(label, before, self.settings.clone());
        }
    }

    /// Whether an edit has begun that is not an entry of the history yet.
    #[must_use]
    pub const fn is_editing(&self) -> bool {
        self.open_edit.is_some()
    }

    /// Replaces the settings, as one entry of the history.
    pub(super) fn act(&mut self, label: String, after: T) {
        self.finish_edit();
        let before = std::mem::replace(&mut self.settings, after);
        if before != self.settings {
            self.history.push(label, before, self.settings.clone());
        }
        self.changed();
    }

    /// Replaces the settings, without an entry of the history. Refusals belong to the old ones.
    pub(super) fn replace(&mut self, settings: T) {
        self.settings = settings;
        self.refusals.clear();
        self.changed();
    }

    fn changed(&mut self) {
        self.is_pending = true;
        self.drop_computed();
    }

    /// Drops what was computed from the draft and its file.
    pub(super) fn drop_computed(&mut self) {
        self.version += 1;
        self.computed = Computed::default();
    }

    /// The edits, to show them.
    #[must_use]
    pub const fn history(&self) -> &History<T> {
        &self.history
    }

    /// Sets all settings, as one entry of the history with this label.
    ///
    /// # Errors
    ///
    /// Returns an error for each parameter that is out of range. The draft does not change.
    pub fn set(&mut self, label: impl Into<String>, settings: T) -> Result<(), Vec<ParamError>> {
        settings.validate()?;
        self.refusals.clear();
        self.act(label.into(), settings);
        Ok(())
    }

    /// Records a refusal for text that was typed for the parameter at `path` and can't be parsed.
    pub fn refuse_text(&mut self, path: &str, text: &str) {
        let known = self.row(path).map(|row| row.param);
        self.refusals.retain(|error| error.path != path);
        self.refuse(path, format!("\"{}\"", text.trim()), known);
    }

    fn refuse(&mut self, path: &str, found: String, param: Option<&'static Param>) -> ParamError {
        let allowed = match (param, value_at(&self.settings, path)) {
            (None, _) => "a parameter that exists".to_owned(),
            (Some(_), Some(ParamValue::Seed(_))) => format!("a whole number, 0 to {}", u64::MAX),
            (Some(_), Some(ParamValue::Switch(_))) => "true or false".to_owned(),
            (Some(_), Some(ParamValue::Choice(_))) => "one of the names in the list".to_owned(),
            (Some(param), Some(ParamValue::Text(_))) => format!("a text of {}", param.allowed()),
            (Some(param), Some(ParamValue::Count(_))) if param.scale != Scale::PowersOfTwo => {
                format!("a whole number, {}", param.allowed())
            }
            (Some(param), _) => param.allowed(),
        };
        let error = ParamError { path: path.to_owned(), found, allowed };
        self.refusals.push(error.clone());
        error
    }

    /// Why the last value for the parameter at `path` was refused. `None` if it was not.
    #[must_use]
    pub fn refusal(&self, path: &str) -> Option<&ParamError> {
        self.refusals.iter().find(|error| error.path == path)
    }

    /// Clears the refusal of the parameter at `path`.
    pub fn dismiss_refusal(&mut self, path: &str) {
        self.refusals.retain(|error| error.path != path);
    }
}

impl Draft<TerrainSettings> {
    /// Sets the next seed of a fixed sequence.
    ///
    /// The next seed is the first number of a `ChaCha8` stream of the current seed. So the same start seed and the same number of
    /// rolls always lead to the same world.
    pub fn roll_seed(&mut self) {
        let seed = NoiseRng::new(self.settings.field.seed, DICE_STREAM).next_u64();
        // It can't fail: any seed is allowed.
        drop(self.edit("field.seed", ParamValue::Seed(seed)));
    }

    /// Rolls the dice for the parameter at `path`: the seed, or the stream of a layer.
    pub fn roll(&mut self, path: &str) {
        match path.strip_suffix(".stream") {
            // It can't fail: the layer has a row.
            Some(layer) => drop(self.edit_list(&ListEdit::Roll(layer.to_owned()))),
            None => self.roll_seed(),
        }
    }
}

/// The values of all parameters by their paths.
pub(super) fn values(settings: &impl EditableSettings) -> HashMap<String, ParamValue> {
    let mut values = HashMap::new();
    settings.clone().visit(&mut ParamVisitor::new(&mut |path, _, value| {
        values.insert(path.to_owned(), value.get());
    }));
    values
}

/// The value of the parameter at `path`.
fn value_at(settings: &impl EditableSettings, path: &str) -> Option<ParamValue> {
    let mut found = None;
    settings.clone().visit(&mut ParamVisitor::new(&mut |here, _, value| {
        if here == path {
            found = Some(value.get());
        }
    }));
    found
}
