//! Warnings about layers that have other random numbers than before, after an edit of their file.
//!
//! A layer without a `stream` takes its random numbers from its name, or without a name from its position in the file. So a new name, or
//! a layer that is inserted above it, gives it other hills. A text editor gives no sign of that.

use super::parse::without_mark;
use super::warnings::random_uses;
use super::{SettingsProblem, SettingsWarning, TerrainSettings};
use crate::field::{FieldSettings, Layer};
use crate::plants::{PlantLayer, Plants};
use crate::ron_edit::Document;

impl TerrainSettings {
    /// Returns a warning for each layer that lost its hills because of a new name, and one for all layers that lost them because their
    /// position in the file changed. Also one for each layer of plants that lost its places for one of these reasons. `text` is the file that the settings were read from, and `before` what it had before the edit.
    ///
    /// A layer counts as the same if nothing but its name and its stream changed. A layer whose `stream` is in the file never counts.
    ///
    /// ```
    /// use perlin_terrain::settings::TerrainSettings;
    ///
    /// let before = TerrainSettings::from_ron("(field: (layers: [(kind: Noise(octaves: 3))]))").expect("it is valid");
    /// let text = "(field: (layers: [(kind: Dunes()), (kind: Noise(octaves: 3))]))";
    /// let warnings = TerrainSettings::from_ron(text).expect("it is valid").changed_streams(&before, text);
    /// assert_eq!(
    ///     warnings[0].to_string(),
    ///     "1:36: `field.layers[1]`: 1 layer without a name has other hills than before, because its position in the file gives it its \
    ///      random numbers; give such layers names",
    /// );
    /// ```
    #[must_use]
    pub fn changed_streams(&self, before: &Self, text: &str) -> Vec<SettingsProblem> {
        let file = Document::parse(without_mark(text));
        let is_written = |path: &str| file.find(&format!("{path}.stream")).is_some();
        let of_field = changes(&before.field, &self.field, |path| is_written(&format!("field.{path}")));
        let of_plants = moved_plants(&before.plants, &self.plants, is_written);
        of_field.into_iter().chain(of_plants).map(|warning| warning.in_text(&file)).collect()
    }
}

fn changes(before: &FieldSettings, after: &FieldSettings, is_written: impl Fn(&str) -> bool) -> Vec<SettingsWarning> {
    let [old, new] = [before, after].map(FieldSettings::all_layers);
    if old.len().max(new.len()) > FieldSettings::MAX_LAYERS {
        return Vec::new();
    }
    let has = |layers: &[(String, &Layer)], name: &str| {
        !name.is_empty() && layers.iter().any(|(_, layer)| layer.name == name)
    };
    // Layers that kept their name kept their stream.
    let mut left: Vec<&Layer> = old.iter().map(|(_, layer)| *layer).filter(|layer| !has(&new, &layer.name)).collect();
    let unmatched = || new.iter().filter(|(_, layer)| !has(&old, &layer.name));
    let mut changed: Vec<(&str, &Layer, Option<u32>)> = Vec::new();
    // Of equal layers, those with the same stream are the same.
    for must_have_stream in [true, false] {
        for (path, layer) in unmatched() {
            let is_same = |old: &&Layer| {
                (old.stream == layer.stream) == must_have_stream && without_names(old) == without_names(layer)
            };
            let is_matched = changed.iter().any(|(other, ..)| other == path);
            if let Some(at) = left.iter().position(is_same).filter(|_| !is_matched) {
                changed.push((path, layer, left.remove(at).stream));
            }
        }
    }
    changed
        .retain(|(path, layer, old)| *old != layer.stream && !is_written(path) && random_uses(layer).contains(&true));
    changed.sort_by_key(|(path, ..)| new.iter().position(|(other, _)| other == path));
    let (named, unnamed): (Vec<_>, Vec<_>) = changed.into_iter().partition(|(_, layer, _)| !layer.name.is_empty());
    let of_name = |(path, _, old): (&str, &Layer, Option<u32>)| SettingsWarning {
        path: format!("field.{path}.name"),
        message: format!(
            "the layer has other hills than before, because its new name gives it its random numbers; to keep its hills, write \
             `stream: {}` in it",
            old.unwrap_or_default()
        ),
    };
    let of_positions = unnamed.first().map(|(path, ..)| {
        let (layers, have, their, gives) = match unnamed.len() {
            1 => ("layer without a name", "has", "its", "gives it its"),
            _ => ("layers without a name", "have", "their", "gives them their"),
        };
        let count = unnamed.len();
        let message = format!(
            "{count} {layers} {have} other hills than before, because {their} position in the file {gives} random numbers; give such layers \
             names"
        );
        SettingsWarning { path: format!("field.{path}"), message }
    });
    named.into_iter().map(of_name).chain(of_positions).collect()
}

/// A warning for each layer of plants that another name or position has given other places.
fn moved_plants(
    before: &[PlantLayer],
    after: &[PlantLayer],
    is_written: impl Fn(&str) -> bool,
) -> Vec<SettingsWarning> {
    let has = |layers: &[PlantLayer], name: &str| {
        !name.is_empty() && layers.iter().take(Plants::MAX_LAYERS).any(|layer| layer.name == name)
    };
    let without_name = |layer: &PlantLayer| PlantLayer { name: String::new(), stream: None, ..layer.clone() };
    let mut left: Vec<(usize, &PlantLayer)> = before.iter().take(Plants::MAX_LAYERS).enumerate().collect();
    left.retain(|(_, layer)| !has(after, &layer.name));
    let mut warnings = Vec::new();
    for (index, layer) in after.iter().take(Plants::MAX_LAYERS).enumerate() {
        if has(before, &layer.name) {
            continue;
        }
        let Some(at) = left.iter().position(|(_, old)| without_name(old) == without_name(layer)) else { continue };
        let (old_index, old) = left.remove(at);
        let (path, stream) = (format!("plants[{index}]"), old.stream_at(old_index));
        if stream != layer.stream_at(index) && !is_written(&path) {
            let (path, cause) = match layer.name.is_empty() {
                true => (path, "its position in the file"),
                false => (format!("{path}.name"), "its new name"),
            };
            let message = format!(
                "the plants stand elsewhere than before, because {cause} gives the layer its random numbers; to keep their places, write \
                 `stream: {stream}` in it"
            );
            warnings.push(SettingsWarning { path, message });
        }
    }
    warnings
}

/// The layer without what identifies it, and the same of the layers in it.
fn without_names(layer: &Layer) -> Layer {
    let mut layer = layer.clone();
    layer.for_each_mut(&mut |layer| {
        layer.name.clear();
        layer.stream = None;
    });
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_of_plants_that_lose_their_places_are_reported() {
        let found = |before: &str, after: &str| {
            let [before, text] = [before, after].map(|layers| format!("(plants: [{layers}])"));
            let [before, settings] = [&before, &text].map(|text| TerrainSettings::from_ron(text).expect("it is valid"));
            settings.changed_streams(&before, &text).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let spruce = crate::field::stream_of_name("spruce");
        let (named, other) = ("(name: \"spruce\", spacing: 4.0)", "(name: \"oak\", kind: Bush)");
        let renamed = "(name: \"fir\", spacing: 4.0)";
        let expected = format!(
            "1:18: `plants[0].name`: the plants stand elsewhere than before, because its new name gives the layer its random numbers; to \
             keep their places, write `stream: {spruce}` in it"
        );
        assert_eq!(found(&format!("{named}, {other}"), &format!("{renamed}, {other}")), [expected]);
        let unnamed = "(spacing: 4.0)";
        let expected = "1:37: `plants[1]`: the plants stand elsewhere than before, because its position in the file gives the layer its \
                        random numbers; to keep their places, write `stream: 0` in it";
        assert_eq!(found(unnamed, &format!("(name: \"x\", kind: Stone), {unnamed}")), [expected]);
        for (before, after) in [
            (format!("{named}, {other}"), format!("{other}, {named}")),
            (named.to_owned(), format!("(name: \"fir\", stream: {spruce}, spacing: 4.0)")),
            (named.to_owned(), "(name: \"fir\", spacing: 4.5)".to_owned()),
        ] {
            assert_eq!(found(&before, &after), [""; 0], "{before} to {after}");
        }
    }

    fn found(before: &str, after: &str) -> Vec<String> {
        let [before, text] = [before, after].map(|layers| format!("(field: (layers: [{layers}]))"));
        let [before, settings] = [&before, &text].map(|text| TerrainSettings::from_ron(text).expect("it is valid"));
        settings.changed_streams(&before, &text).iter().map(ToString::to_string).collect()
    }

    const A: &str = "(kind: Noise(octaves: 2))";
    const B: &str = "(kind: Dunes())";
    const C: &str = "(kind: Erosion())";

    #[test]
    fn layers_without_a_name_that_lose_their_hills_are_counted() {
        let expected = |position: &str, path: usize, count: usize| {
            let words = match count {
                1 => {
                    "1 layer without a name has other hills than before, because its position in the file gives it its"
                        .to_owned()
                }
                _ => format!(
                    "{count} layers without a name have other hills than before, because their position in the file gives them their"
                ),
            };
            vec![format!("{position}: `field.layers[{path}]`: {words} random numbers; give such layers names")]
        };
        assert_eq!(
            found(&format!("{A}, {B}, {C}"), &format!("(kind: Scatter()), {A}, {B}, {C}")),
            expected("1:38", 1, 3)
        );
        assert_eq!(found(&format!("{A}, {B}, {C}"), &format!("{A}, {C}")), expected("1:46", 1, 1));
        assert_eq!(found(&format!("{A}, {B}"), &format!("{B}, {A}")), expected("1:19", 0, 2));
        // A name that is gone.
        assert_eq!(found(&A.replace("(kind", "(name: \"a\", kind"), A), expected("1:19", 0, 1));
        // Added on top, changed, or without random numbers.
        for (before, after) in [
            (A.to_owned(), format!("{A}, {B}")),
            (format!("{A}, {B}"), format!("{A}, {}", B.replace("()", "(height: 3.0)"))),
            (format!("{A}, {A}"), format!("{A}, {A}, {A}")),
            ("(kind: Constant())".to_owned(), "(kind: Noise()), (kind: Constant())".to_owned()),
            (format!("{A}, {B}"), format!("{A}, {B}")),
        ] {
            assert_eq!(found(&before, &after), [""; 0], "{before} becomes {after}");
        }
        // A stream in the file.
        let kept = B.replace("(kind", "(stream: 1, kind");
        assert_eq!(found(&format!("{A}, {kept}"), &format!("{A}, (kind: Constant()), {kept}")), [""; 0]);
        let new = B.replace("(kind", "(stream: 7, kind");
        assert_eq!(found(&format!("{A}, {kept}"), &format!("{A}, {new}")), [""; 0], "on purpose");
    }

    #[test]
    fn names_keep_hills_and_a_new_name_is_reported() {
        let named = |name: &str, layer: &str| layer.replacen("(kind", &format!("(name: \"{name}\", kind"), 1);
        let [a, b] = [named("a", A), named("b", B)];
        for after in [
            format!("{b}, {a}"),
            format!("{C}, {a}, {b}"),
            b.clone(),
            format!("{a}, {}", b.replace("()", "(height: 2.0)")),
        ] {
            assert_eq!(found(&format!("{a}, {b}"), &after), [""; 0], "{after}");
        }
        let stream = crate::field::stream_of_name("b");
        let renamed = found(&format!("{a}, {b}"), &format!("{a}, {}", named("c", B)));
        let expected = format!(
            "1:64: `field.layers[1].name`: the layer has other hills than before, because its new name gives it its random numbers; to \
             keep its hills, write `stream: {stream}` in it"
        );
        assert_eq!(renamed, [expected]);
        let kept = named("c", B).replace("kind", &format!("stream: {stream}, kind"));
        assert_eq!(found(&format!("{a}, {b}"), &format!("{a}, {kept}")), [""; 0]);
        // A layer that had no name.
        assert_eq!(found(A, &a).len(), 1);
    }
}
