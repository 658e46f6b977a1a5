//! All settings of a terrain: one struct of plain data, stored in one RON file.
//!
//! [`TerrainSettings`] contains the settings of each module. Its methods:
//!
//! - [`from_ron`](TerrainSettings::from_ron) reads a `.terrain.ron` file.
//! - [`validate`](TerrainSettings::validate) checks every value against its range. The loader, the inspector and game code
//!   share it.
//! - [`warnings`](TerrainSettings::warnings) lists settings that are allowed but look wrong.
//! - [`save_into`](TerrainSettings::save_into) writes the settings back into a file and keeps its comments.
//! - [`merge`](TerrainSettings::merge) joins two changes of the same settings.

mod changed_streams;
mod decode;
mod diagnosis;
mod error;
mod example;
mod file;
mod merge;
mod narrow_edits;
mod no_effect;
mod overridden;
mod parse;
mod plants_nowhere;
mod reader;
mod reading;
mod save;
mod schema;
mod sky;
mod streams;
mod suggest;
mod too_fine;
mod value;
mod version;
mod warning;
mod warnings;

pub use decode::settings_text;
#[doc(hidden)]
pub use error::joined;
pub use error::{SettingsError, SettingsProblem};
pub(crate) use file::{dialect, pretty};
pub use merge::SettingsMerge;
pub use warning::SettingsWarning;

use crate::chunk::{ChunkSettings, LodSettings, StreamSettings};
use crate::field::FieldSettings;
use crate::look::LookSettings;
use crate::param::{self, ParamError, ParamMut, ParamValue, ParamVisitor, Params, params};
use crate::plants::{PlantLayer, Plants};
pub use crate::ron_edit::TextPosition;
use serde::{Deserialize, Serialize};

/// All settings of a terrain. The asset that a `.terrain.ron` file loads as.
///
/// ```
/// use perlin_terrain::settings::TerrainSettings;
///
/// let text = "(field: (seed: 7), chunks: (spacing: 2.0))";
/// let settings = TerrainSettings::from_ron(text).expect("the text is valid");
/// assert_eq!(settings.field.seed, 7);
///
/// let error = TerrainSettings::from_ron("(chunks: (\n  spacing: -2.0,\n))").unwrap_err();
/// assert_eq!(error.to_string(), "2:12: `chunks.spacing` is -2.0, allowed: 0.1 to 100 m");
/// ```
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_asset", derive(bevy_asset::Asset))]
#[serde(deny_unknown_fields, default)]
pub struct TerrainSettings {
    /// The layers that make the heights. A change rebuilds every chunk.
    pub field: FieldSettings,
    /// The size and the resolution of chunks. A change rebuilds every chunk.
    pub chunks: ChunkSettings,
    /// How the level of detail decreases with distance. A change rebuilds nothing.
    pub lod: LodSettings,
    /// How chunks load around viewers. A change rebuilds nothing.
    pub stream: StreamSettings,
    /// The colors of the ground, and the water. A change rebuilds nothing.
    pub look: LookSettings,
    /// The plants and stones that stand on the ground: up to 16 layers. By default none. A change rebuilds no chunk.
    #[param(default = Vec::new())]
    pub plants: Vec<PlantLayer>,
}

impl TerrainSettings {
    /// The extension of settings files.
    pub const FILE_EXTENSION: &str = "terrain.ron";

    /// The largest file that the loader accepts, in bytes: 4 MiB. A settings file has a few kilobytes.
    pub const MAX_FILE_SIZE: u64 = 4 << 20;

    /// Checks every value against its range.
    ///
    /// # Errors
    ///
    /// Returns an error for each parameter that is not allowed, with what is allowed: first those that depend on other parameters,
    /// such as a list of layers that is too long, and then those out of their ranges. Both are in the order of the settings.
    pub fn validate(&self) -> Result<(), Vec<ParamError>> {
        let mut errors = Vec::new();
        errors.extend(self.field.check_layers());
        errors.extend(self.field.check_edits());
        errors.extend(self.look.check_layers());
        errors.extend(PlantLayer::check_all(&self.plants));
        let mut settings = self.clone();
        // Of a list that is too long, this is the only error.
        settings.field.edits.truncate(FieldSettings::MAX_EDITS);
        settings.look.layers.truncate(LookSettings::MAX_LAYERS);
        settings.plants.truncate(Plants::MAX_LAYERS);
        errors.extend(param::check(&mut settings));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Gives each layer of the field and of the plants without a stream the one that it takes from its name or its index, so that it keeps
    /// its random numbers when layers are added, moved, removed or renamed. Moves no ground and no plant.
    pub fn pin_streams(&mut self) {
        self.field.pin_streams();
        PlantLayer::pin_streams(&mut self.plants);
    }

    /// Returns the value of the parameter at `path`, such as `field.layers[2].kind.octaves`, or `None` if no such parameter exists.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<ParamValue> {
        let mut found = None;
        self.clone().visit(&mut ParamVisitor::new(&mut |here, _, value| {
            if here == path {
                found = Some(value.get());
            }
        }));
        found
    }

    /// Sets the parameter at `path`. Does not check the range. A layer that becomes a filter gets the default blend and blend
    /// radius, because a filter has no others.
    ///
    /// Returns `false` if no such parameter exists, or if it takes another kind of value.
    pub fn set(&mut self, path: &str, new: ParamValue) -> bool {
        let mut fits = false;
        self.visit(&mut ParamVisitor::new(&mut |here, _, mut value: ParamMut<'_>| {
            if here == path {
                fits = value.set(new.clone());
            }
        }));
        if fits && path.ends_with(".kind") {
            self.field.reset_blends_of_filters();
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Blend, Layer};
    use crate::look::SurfaceLayer;
    use crate::noise::NoiseSettings;

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(TerrainSettings::default().validate(), Ok(()));
    }

    #[test]
    fn settings_survive_a_round_trip_through_ron() {
        let mut settings = TerrainSettings::default();
        settings.field.seed = u64::MAX;
        let noise = NoiseSettings { frequency: 0.1 + 0.2, height_scale: -1e-7, ..Default::default() };
        settings.field.layers.push(Layer { stream: Some(5), ..noise.into() });
        assert_eq!(TerrainSettings::from_ron(&settings.to_ron()), Ok(settings));
    }

    #[test]
    fn every_parameter_can_be_read_and_set_by_path() {
        let mut settings = TerrainSettings::default();
        let mut paths = Vec::new();
        settings.visit(&mut ParamVisitor::new(&mut |path, _, value| {
            paths.push((path.to_owned(), value.get(), value.names().pop()));
        }));
        for (path, value, last) in paths {
            assert_eq!(settings.get(&path), Some(value.clone()), "{path}");
            let other = match value {
                ParamValue::Float(number) => ParamValue::Float(number + 1.0),
                ParamValue::Count(number) => ParamValue::Count(number + 1),
                ParamValue::Seed(number) => ParamValue::Seed(number + 1),
                ParamValue::Switch(on) => ParamValue::Switch(!on),
                ParamValue::Color([r, g, b]) => ParamValue::Color([g, b, r + 0.25]),
                ParamValue::Choice(_) => ParamValue::Choice(last.expect("a choice has alternatives")),
                ParamValue::Text(ref text) => ParamValue::Text(format!("{text}x")),
            };
            assert!(settings.set(&path, other.clone()), "{path}");
            assert_eq!(settings.get(&path), Some(other), "{path}");
            assert!(settings.set(&path, value), "{path}");
        }
        assert!(!settings.set("field.layers[9].kind.octaves", ParamValue::Count(1)));
        assert!(!settings.set("field.seed", ParamValue::Float(1.0)));
        assert_eq!(settings, TerrainSettings::default());
    }

    #[test]
    fn a_layer_that_becomes_a_filter_loses_its_blend() {
        let mut settings = TerrainSettings::default();
        settings.field.layers[0].blend = Blend::Max;
        settings.field.layers[0].blend_radius = 30.0;
        assert!(settings.set("field.layers[0].kind", ParamValue::Choice("Terrace")));
        assert_eq!(settings.validate(), Ok(()));
    }

    #[test]
    fn too_many_layers_and_a_ground_without_layers_are_refused() {
        let mut settings = TerrainSettings::default();
        settings.field.layers = vec![Layer::default(); 33];
        let errors = settings.validate().expect_err("too many layers");
        assert_eq!(errors[0].to_string(), "`field.layers` is a list of 33, allowed: up to 32 layers");
        let mut settings = TerrainSettings::default();
        settings.look.layers = vec![SurfaceLayer::default(); 9];
        let errors = settings.validate().expect_err("too many layers");
        assert_eq!(errors[0].to_string(), "`look.layers` is a list of 9, allowed: 1 to 8 layers");
        let error = TerrainSettings::from_ron("(look: (layers: []))").expect_err("no layer");
        assert!(error.to_string().contains("`look.layers` is a list of 0, allowed: 1 to 8 layers"), "{error}");
    }
}
