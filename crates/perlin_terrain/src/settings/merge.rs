//! Merges two changes of the same settings: those of a designer and those of somebody else.

#[cfg(test)]
mod tests;

use super::TerrainSettings;
use super::file::{self, dialect};
use super::streams::Streams;
use crate::field::{FieldSettings, Layer};
use crate::light::SkySettings;
use crate::ron_edit::{self, Document, Merged};
use serde::de::DeserializeOwned;

/// Settings after a merge. See [`TerrainSettings::merge`].
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsMerge<T> {
    /// The settings. They may be out of range or have too many layers, also if those that were merged do not: check them.
    pub settings: T,
    /// The paths of the parameters and of the items of lists that both sides changed, each in another way, such as
    /// `field.layers[2].kind.octaves`.
    pub conflicts: Vec<String>,
}

impl TerrainSettings {
    /// Returns `theirs` with every change from `base` to `mine`.
    ///
    /// - Where both changed a parameter, the result has that of `mine`, and its path is a conflict.
    /// - Layers, masks, points, edits and layers of the ground count as the same by their stream, their name, equal values, and at last their
    ///   position. One that a side removed stays if the other one changed it.
    /// - If `mine` moved something within a list, the list has its order, and otherwise the order of `theirs`.
    /// - A layer that `mine` added gets another stream if `theirs` added another layer with the same one. In the result, all layers
    ///   have streams.
    ///
    /// The result may be invalid, for example with a mask that reads a layer that is gone. [`validate`](Self::validate) tells.
    ///
    /// ```
    /// use perlin_terrain::settings::TerrainSettings;
    ///
    /// let [base, mine, theirs] = ["(field: (seed: 1))", "(field: (seed: 2))", "(field: (seed: 1, base_height: 77.0))"]
    ///     .map(|text| TerrainSettings::from_ron(text).expect("the text is valid"));
    /// let merge = TerrainSettings::merge(&base, &mine, &theirs);
    /// assert_eq!((merge.settings.field.seed, merge.settings.field.base_height), (2, 77.0));
    /// assert!(merge.conflicts.is_empty());
    /// ```
    #[must_use]
    pub fn merge(base: &Self, mine: &Self, theirs: &Self) -> SettingsMerge<Self> {
        let [base, mut own, theirs] = [base, mine, theirs].map(|settings| {
            let mut settings = settings.clone();
            settings.pin_streams();
            settings
        });
        renew_streams(&mut own.field, &base.field, &theirs.field);
        merge([&base, &own, &theirs].map(Self::to_ron), mine, |text| file::parse(text).ok())
    }
}

impl SkySettings {
    /// Returns `theirs` with every change from `base` to `mine`. See [`TerrainSettings::merge`].
    #[must_use]
    pub fn merge(base: &Self, mine: &Self, theirs: &Self) -> SettingsMerge<Self> {
        merge([base, mine, theirs].map(Self::to_ron), mine, parse)
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Option<T> {
    dialect().from_str(text).ok()
}

/// Merges texts with all fields.
fn merge<T: Clone>(texts: [String; 3], mine: &T, read: impl Fn(&str) -> Option<T>) -> SettingsMerge<T> {
    let [base, mine_text, theirs] = texts.each_ref().map(|text| Document::parse(text));
    let Merged { text, conflicts } = ron_edit::merge::<Streams>(&base, &mine_text, &theirs);
    match read(&text) {
        Some(settings) => SettingsMerge { settings, conflicts },
        // It has the fields of valid settings, so it can be read. If not, nothing of the designer's is lost.
        None => SettingsMerge { settings: mine.clone(), conflicts: vec![String::new()] },
    }
}

/// Gives each layer that only `mine` has, but whose stream `theirs` gave to another new layer, a stream that no layer has.
fn renew_streams(mine: &mut FieldSettings, base: &FieldSettings, theirs: &FieldSettings) {
    let is_in_base = |layer: &Layer| base.all_layers().iter().any(|(_, other)| other.stream == layer.stream);
    let is_taken =
        |layer: &Layer| theirs.all_layers().iter().any(|(_, other)| other.stream == layer.stream && *other != layer);
    let mut all =
        FieldSettings { layers: [&*mine, base, theirs].map(|field| field.layers.clone()).concat(), ..base.clone() };
    for layer in &mut mine.layers {
        layer.for_each_mut(&mut |layer| {
            if !is_in_base(layer) && is_taken(layer) {
                layer.stream = Some(all.free_stream());
                all.layers.push(Layer { stream: layer.stream, ..Layer::default() });
            }
        });
    }
}
