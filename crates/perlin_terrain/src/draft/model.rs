//! The inspector's model of one settings asset. Independent of egui and of Bevy's world.

use super::{InspectedSettings, LayerChange};
use crate::light::SkySettings;
use crate::noise::NoiseRng;
use crate::param::{Alternative, Param, ParamError, ParamValue, ParamVisitor, Scale};
use crate::settings::TerrainSettings;
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
}

/// The draft of one settings asset, and how it differs from the asset and from the file.
///
/// ```
/// use perlin_terrain::draft::InspectorModel;
/// use perlin_terrain::param::ParamValue;
/// use std::time::Duration;
///
/// let mut model = InspectorModel::default();
/// model.edit("chunks.spacing", ParamValue::Float(2.0)).unwrap();
/// assert_eq!(model.take_write(Duration::ZERO).unwrap().chunks.spacing, 2.0);
///
/// let error = model.edit("chunks.spacing", ParamValue::Float(500.0)).unwrap_err();
/// assert_eq!(error.to_string(), "`chunks.spacing` is 500.0, allowed: 0.1 to 100 m");
/// assert_eq!(model.draft().chunks.spacing, 2.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettingsModel<T> {
    pub(crate) draft: T,
    /// The last known content of the file.
    file: Option<T>,
    /// The draft has edits that are not in the asset yet.
    #[doc(hidden)]
    pub pending: bool,
    /// The next load replaces the draft, even if the file did not change.
    resetting: bool,
    last_write: Option<Duration>,
    pub(crate) refusals: Vec<ParamError>,
}

/// The draft of a terrain's settings.
pub type InspectorModel = SettingsModel<TerrainSettings>;

/// The draft of the settings of a camera's light.
pub type SkyModel = SettingsModel<SkySettings>;

impl<T: InspectedSettings> SettingsModel<T> {
    /// The shortest time between two writes to the asset.
    pub const WRITE_INTERVAL: Duration = Duration::from_millis(100);

    /// Creates a draft of settings that come from code, without a file.
    #[must_use]
    pub fn new(settings: T) -> Self {
        Self { draft: settings, ..Self::default() }
    }

    /// Creates a draft of settings that were just loaded from a file.
    #[must_use]
    pub fn from_file(settings: T) -> Self {
        Self { file: Some(settings.clone()), ..Self::new(settings) }
    }

    /// The edited settings.
    #[must_use]
    pub const fn draft(&self) -> &T {
        &self.draft
    }

    /// All parameters, in the order of the fields.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        self.draft.clone().visit(&mut ParamVisitor::new(&mut |path, param, value| {
            let (path, alternatives) = (path.to_owned(), value.alternatives());
            rows.push(Row { path, param, value: value.get(), alternatives });
        }));
        rows
    }

    /// Sets the parameter at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is out of range or of another kind, or if there is no such parameter. The draft keeps its
    /// value. [`refusal`](Self::refusal) returns the error until the parameter is set to an allowed value.
    pub fn edit(&mut self, path: &str, value: ParamValue) -> Result<(), ParamError> {
        self.refusals.retain(|error| error.path != path);
        let (mut known, mut stored) = (None, false);
        let before = self.draft.clone();
        self.draft.visit(&mut ParamVisitor::new(&mut |here, param, mut slot| {
            if here == path {
                known = Some(param);
                if param.allows(&value) {
                    stored = slot.get() == value || slot.set(value.clone());
                }
            }
        }));
        if stored {
            return match self.draft.adjust(&before, path) {
                Ok(()) => {
                    self.pending = true;
                    Ok(())
                }
                Err(error) => {
                    self.draft = before;
                    let error = ParamError { path: path.to_owned(), found: value.to_string(), ..error };
                    self.refusals.push(error.clone());
                    Err(error)
                }
            };
        }
        Err(self.refuse(path, value.to_string(), known))
    }

    /// The last known content of the file. `None` without a file.
    pub(crate) const fn file(&self) -> Option<&T> {
        self.file.as_ref()
    }

    /// Records a refusal for text that was typed for the parameter at `path` and can't be parsed.
    pub fn refuse_text(&mut self, path: &str, text: &str) {
        let known = self.rows().into_iter().find(|row| row.path == path).map(|row| row.param);
        self.refusals.retain(|error| error.path != path);
        self.refuse(path, format!("\"{}\"", text.trim()), known);
    }

    fn refuse(&mut self, path: &str, found: String, param: Option<&'static Param>) -> ParamError {
        let allowed = match (param, value_at(&self.draft, path)) {
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

    /// The value in the file of the parameter at `path`. `None` if it equals the value in the draft, or without a file.
    #[must_use]
    pub fn value_in_file(&self, path: &str) -> Option<ParamValue> {
        let file = self.file.as_ref()?;
        value_at(file, path).filter(|value| value_at(&self.draft, path).as_ref() != Some(value))
    }

    /// Whether the draft differs from the file. `None` without a file.
    #[must_use]
    pub fn is_edited(&self) -> Option<bool> {
        self.file.as_ref().map(|file| *file != self.draft)
    }

    /// Returns the draft if it must be written to the asset at the time `now`: it was edited, and the last write is at least
    /// [`WRITE_INTERVAL`](Self::WRITE_INTERVAL) ago.
    ///
    /// Call it every frame. It returns the first edit at once, and a series of edits ten times per second. It always returns the
    /// last edit.
    pub fn take_write(&mut self, now: Duration) -> Option<T> {
        let early = self.last_write.is_some_and(|last| now.saturating_sub(last) < Self::WRITE_INTERVAL);
        if !self.pending || early {
            return None;
        }
        self.pending = false;
        self.last_write = Some(now);
        Some(self.draft.clone())
    }

    /// Handles a load of the file, which contains `settings`.
    ///
    /// If the file did not change, the edits stay. This happens after a *save*, when hot reload loads the saved file while the user
    /// may already be editing again. If the file changed, or after [`start_reset`](Self::start_reset), `settings` replace the
    /// draft.
    pub fn file_loaded(&mut self, settings: &T) {
        let is_changed = self.file.as_ref() != Some(settings);
        self.file = Some(settings.clone());
        if is_changed || self.resetting {
            self.resetting = false;
            self.replace_draft(settings);
        } else if self.draft != *settings {
            // The load overwrote the asset with the file's values, so write the draft again.
            self.pending = true;
            self.last_write = None;
        }
    }

    /// Handles a failed load of the file.
    pub const fn file_failed(&mut self) {
        self.resetting = false;
    }

    /// Records that the draft was saved to the file.
    pub fn file_saved(&mut self) {
        self.file = Some(self.draft.clone());
    }

    /// Prepares for a reload of the file that drops all edits.
    pub const fn start_reset(&mut self) {
        self.resetting = true;
        self.pending = false;
    }

    /// Updates the draft to `settings`, the current asset, unless there are pending edits. Call it when the asset may have changed.
    pub fn asset_seen(&mut self, settings: &T) {
        if !self.pending && self.draft != *settings {
            self.replace_draft(settings);
        }
    }

    fn replace_draft(&mut self, settings: &T) {
        self.draft = settings.clone();
        self.refusals.clear();
        self.pending = false;
    }
}

impl InspectorModel {
    /// Sets the next seed of a fixed sequence.
    ///
    /// The next seed is the first number of a `ChaCha8` stream of the current seed. So the same start seed and the same number of
    /// rolls always lead to the same world.
    pub fn roll_seed(&mut self) {
        let seed = NoiseRng::new(self.draft.field.seed, DICE_STREAM).next_u64();
        self.draft.field.seed = seed;
        self.dismiss_refusal("field.seed");
        self.pending = true;
    }

    /// Rolls the dice for the parameter at `path`: the seed, or the stream of a layer.
    pub fn roll(&mut self, path: &str) {
        match path.strip_suffix(".stream") {
            // It can't fail: the layer has a row.
            Some(layer) => drop(self.change_layers(&LayerChange::Roll(layer.to_owned()))),
            None => self.roll_seed(),
        }
    }
}

/// The value of the parameter at `path`.
fn value_at(settings: &impl InspectedSettings, path: &str) -> Option<ParamValue> {
    let mut found = None;
    settings.clone().visit(&mut ParamVisitor::new(&mut |here, _, value| {
        if here == path {
            found = Some(value.get());
        }
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Layer;

    fn spacing(metres: f64) -> ParamValue {
        ParamValue::Float(metres)
    }

    #[test]
    fn every_row_can_be_set_to_its_own_value() {
        let mut model = InspectorModel::default();
        let rows = model.rows();
        assert!(rows.iter().any(|row| row.path == "field.layers[0].kind.shape" && row.alternatives.len() == 5));
        for row in rows {
            assert_eq!(model.edit(&row.path, row.value.clone()), Ok(()), "{}", row.path);
        }
        assert_eq!(*model.draft(), TerrainSettings::default());
    }

    #[test]
    fn a_refusal_stays_until_an_allowed_value_is_set() {
        let mut model = InspectorModel::default();
        let error = model.edit("chunks.quads", ParamValue::Count(65)).expect_err("65 is not a power of two");
        assert_eq!(error.allowed, "a power of two, 8 to 128");
        assert_eq!(model.refusal("chunks.quads"), Some(&error));
        assert_eq!(model.draft().chunks.quads, 64);
        assert_eq!(model.take_write(Duration::ZERO), None, "a refused value must not be written");
        model.edit("chunks.quads", ParamValue::Count(32)).expect("32 is allowed");
        assert_eq!(model.refusal("chunks.quads"), None);
    }

    #[test]
    fn a_layer_that_becomes_a_filter_stays_valid() {
        let mut model = InspectorModel::default();
        model.edit("field.layers[0].blend", ParamValue::Choice("Max")).expect("a noise has a blend");
        model.edit("field.layers[0].kind", ParamValue::Choice("Terrace")).expect("it is a kind");
        assert_eq!(model.draft().validate(), Ok(()));
        let mut settings = TerrainSettings::default();
        assert!(settings.set("field.layers[0].blend", ParamValue::Choice("Max")));
        assert!(settings.set("field.layers[0].kind", ParamValue::Choice("Erosion")));
        assert_eq!(settings.validate(), Ok(()));
    }

    #[test]
    fn a_noise_that_becomes_a_filter_loses_its_blend() {
        let text = "(field: (layers: [(kind: Noise()), (blend: Max, blend_radius: 7.0, kind: Noise())]))";
        let mut model = InspectorModel::from_file(TerrainSettings::from_ron(text).expect("the text is valid"));
        model.edit("field.layers[1].kind", ParamValue::Choice("Terrace")).expect("it is a kind");
        assert_eq!(model.draft().validate(), Ok(()));
        assert_eq!(TerrainSettings::from_ron(&model.draft().save_into(text)).as_ref(), Ok(model.draft()));
    }

    #[test]
    fn values_of_another_kind_texts_and_unknown_paths_are_refused() {
        let mut model = InspectorModel::default();
        assert!(model.edit("field.base_height", ParamValue::Count(1)).is_err());
        assert!(model.edit("field.layers[0].kind.shape", ParamValue::Choice("Square")).is_err());
        assert!(model.edit("field.layers[9].kind.octaves", ParamValue::Count(1)).is_err());
        model.refuse_text("field.layers[0].kind.octaves", " many ");
        let refusal = model.refusal("field.layers[0].kind.octaves").map(ToString::to_string);
        let expected = "`field.layers[0].kind.octaves` is \"many\", allowed: a whole number, 0 to 32";
        assert_eq!(refusal.as_deref(), Some(expected));
        assert_eq!(*model.draft(), TerrainSettings::default());
    }

    #[test]
    fn a_third_erosion_is_refused() {
        let mut settings = TerrainSettings::default();
        settings.field.layers = vec![Layer::default(); 4];
        let mut model = InspectorModel::new(settings);
        let mut become_erosion = |index: usize| {
            let path = format!("field.layers[{index}].kind");
            model.edit(&path, ParamValue::Choice("Erosion")).map_err(|error| error.to_string())
        };
        assert_eq!([become_erosion(1), become_erosion(2)], [Ok(()), Ok(())]);
        let expected = "`field.layers[3].kind` is Erosion, allowed: at most 64 evaluations of a layer; an erosion or a slope mask \
                        evaluates all below it four times more";
        assert_eq!(become_erosion(3), Err(expected.to_owned()));
        assert!(model.refusal("field.layers[3].kind").is_some());
        let add = |layer: usize| LayerChange::AddMask(format!("field.layers[{layer}]"), "Slope");
        assert!(!model.can_change_layers(&add(3)));
        assert!(model.change_layers(&add(3)).is_err());
        assert_eq!(model.draft().validate(), Ok(()));
        model.change_layers(&add(1)).expect("45 evaluations of the lowest layer are allowed");
    }

    #[test]
    fn a_burst_of_edits_is_written_ten_times_a_second_and_ends_in_the_last_state() {
        let mut model = InspectorModel::default();
        let mut writes = Vec::new();
        for frame in 0..100_u32 {
            if frame <= 60 {
                model.edit("chunks.spacing", spacing(1.0 + f64::from(frame))).expect("in range");
            }
            writes.extend(model.take_write(Duration::from_millis(u64::from(frame) * 16)));
        }
        // 61 frames of 16 ms are just under a second.
        assert!((9..=12).contains(&writes.len()), "{} writes", writes.len());
        assert_eq!(writes[0].chunks.spacing, 1.0, "the first edit is written at once");
        assert_eq!(writes.last().map(|settings| settings.chunks.spacing), Some(61.0));
    }

    #[test]
    fn the_dice_gives_a_fixed_sequence_of_seeds() {
        let walk = |seed| {
            let mut model = InspectorModel::default();
            model.edit("field.seed", ParamValue::Seed(seed)).expect("any seed is allowed");
            [(); 3].map(|()| {
                model.roll_seed();
                model.draft().field.seed
            })
        };
        let seeds = walk(7);
        assert_eq!(seeds, walk(7));
        assert_eq!(seeds[0], NoiseRng::new(7, 1 << 32).next_u64());
        assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != 7);
    }

    #[test]
    fn edited_and_saved_drafts_are_distinguished() {
        let mut model = InspectorModel::from_file(TerrainSettings::default());
        assert_eq!(model.is_edited(), Some(false));
        model.edit("chunks.spacing", spacing(8.0)).expect("in range");
        assert_eq!(model.is_edited(), Some(true));
        assert_eq!(model.value_in_file("chunks.spacing"), Some(spacing(4.0)));
        assert_eq!(model.value_in_file("chunks.quads"), None);
        model.file_saved();
        assert_eq!(model.is_edited(), Some(false));
        assert_eq!(InspectorModel::default().is_edited(), None);
    }

    #[test]
    fn a_changed_file_replaces_the_draft_but_a_saved_file_does_not() {
        let mut model = InspectorModel::from_file(TerrainSettings::default());
        model.edit("chunks.spacing", spacing(8.0)).expect("in range");
        model.file_saved();
        let saved = model.draft().clone();
        model.edit("chunks.spacing", spacing(9.0)).expect("in range");
        assert!(model.take_write(Duration::ZERO).is_some());
        model.file_loaded(&saved);
        assert_eq!(model.draft().chunks.spacing, 9.0);
        let again = model.take_write(Duration::from_millis(1)).expect("the load overwrote the asset");
        assert_eq!(again.chunks.spacing, 9.0);
        model.file_loaded(&TerrainSettings::default());
        assert_eq!(model.draft().chunks.spacing, 4.0);
        assert_eq!(model.is_edited(), Some(false));
    }

    #[test]
    fn a_reset_restores_the_file_and_drops_pending_edits() {
        let mut model = InspectorModel::from_file(TerrainSettings::default());
        model.edit("chunks.spacing", spacing(8.0)).expect("in range");
        model.start_reset();
        assert_eq!(model.take_write(Duration::ZERO), None);
        model.file_loaded(&TerrainSettings::default());
        assert_eq!(*model.draft(), TerrainSettings::default());
    }

    #[test]
    fn the_draft_follows_the_asset_unless_edits_are_pending() {
        let mut model = InspectorModel::from_file(TerrainSettings::default());
        let mut by_code = TerrainSettings::default();
        by_code.field.seed = 5;
        model.asset_seen(&by_code);
        assert_eq!(model.draft().field.seed, 5);
        model.edit("field.seed", ParamValue::Seed(6)).expect("any seed is allowed");
        model.asset_seen(&by_code);
        assert_eq!(model.draft().field.seed, 6);
    }
}
