//! All warnings about settings. The terrain is built, and the warnings are reported.

use super::parse::without_mark;
use super::warning::{SettingsWarning, empty_range};
use super::{SettingsProblem, TerrainSettings, narrow_edits, no_effect, overridden, plants_nowhere, too_fine};
use crate::field::{FieldSettings, Layer, LayerKind, Mask};
use crate::ron_edit::Document;

impl TerrainSettings {
    /// Returns a warning for each setting that is allowed but looks wrong:
    ///
    /// - The mesh can't show an octave with more than half a cycle per vertex spacing. Each noise, and each domain warp, with such
    ///   an octave gets one warning. It names the first such octave and suggests fewer octaves, or a lower frequency if already
    ///   the first octave is too fine. Noises of layers and of masks count, and so do gullies, dunes and the bends of valleys.
    ///   Octaves without an effect don't.
    /// - The mesh may miss an edit that is narrower than the vertex spacing.
    /// - A layer draws the same random numbers as an earlier one, because it has its stream, for itself, for the warp of a group or
    ///   for masks of noise. Layers that are off count too.
    /// - The range of a mask ends below its start.
    /// - A mask is 0 everywhere, or a layer changes nothing, or a noise in a mask has a height scale, which has no effect there.
    /// - A value is above what it counts as: a radius of scattered hills above their spacing, dunes higher than a fifth of their
    ///   wavelength, the bed of a valley wider than 98 % of its width. Or the smallest radius is above the largest.
    /// - A value has no effect beside another one: a `frequency` beside a `wavelength`, an `amplitude` with a normalized sum, `bits`
    ///   or a `permutation` that the lattice does not use, a crater of hills of another shape, a blend radius without `Min` and
    ///   `Max`.
    /// - A filter has no ground below it in its list.
    /// - Each height evaluates a layer more than 16 times, because of erosions and slope masks above it.
    /// - All the ground lies below the water, or above it.
    /// - A layer of the look lies above or below all the ground, a range of it ends below its start, or the first one has a range.
    ///   The default layers are not reported: it is normal that no ground is high enough for snow, or low enough for sand.
    /// - A layer of plants names a layer of the ground that there is not, lies above or below all the ground, or has a range that ends
    ///   below its start.
    ///
    /// The other warnings skip layers that are off, and all layers in a group that is off.
    #[must_use]
    pub fn warnings(&self) -> Vec<SettingsWarning> {
        let mut warnings = too_fine::warnings(self);
        warnings.extend(narrow_edits::warnings(self));
        warnings.extend(self.shared_streams());
        warnings.extend(self.empty_masks());
        warnings.extend(self.many_evaluations());
        let without_effect = no_effect::warnings(self);
        // Of a layer that changes nothing, no single value matters.
        let is_inside = |path: &str, outer: &str| path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
        let overridden = overridden::warnings(self);
        warnings.extend(
            overridden
                .into_iter()
                .filter(|overridden| !without_effect.iter().any(|warning| is_inside(&overridden.path, &warning.path))),
        );
        warnings.extend(without_effect);
        warnings.extend(plants_nowhere::warnings(self));
        warnings
    }

    /// A warning for the layer that is evaluated most often, if that makes chunks slow.
    fn many_evaluations(&self) -> Option<SettingsWarning> {
        const MANY: u32 = 16;
        let layers = self.field.all_layers();
        if layers.len() > FieldSettings::MAX_LAYERS {
            return None;
        }
        let evaluations = self.field.evaluations();
        let (times, (path, layer)) = evaluations.iter().zip(layers).max_by_key(|(times, _)| **times)?;
        let name =
            if layer.name.is_empty() { "this layer".to_owned() } else { format!("the layer \"{}\"", layer.name) };
        let message = format!(
            "each height evaluates {name} {times} times, because erosions and slope masks above it measure slopes, so chunks \
             take long to build; put fewer of them on top of one another"
        );
        (*times > MANY).then(|| SettingsWarning { path: format!("field.{path}"), message })
    }

    /// A warning for each mask whose range ends below its start.
    fn empty_masks(&self) -> Vec<SettingsWarning> {
        let mut warnings = Vec::new();
        for (path, layer) in self.visible_layers() {
            for (index, mask) in layer.masks.iter().enumerate() {
                let path = format!("field.{path}.masks[{index}]");
                warnings.extend(empty_range(&path, mask.plain()));
            }
        }
        warnings
    }

    /// A warning for each layer that draws the same random numbers as an earlier layer, because it has its stream. Layers that are
    /// off count: a mask may read them, and they may be turned on again.
    fn shared_streams(&self) -> Vec<SettingsWarning> {
        let layers = self.field.all_layers();
        let warning = |(index, (path, layer)): (usize, &(String, &Layer))| {
            let stream = layer.stream_at(index);
            let is_first = |(index, (_, other)): &(usize, &(String, &Layer))| {
                let mut uses = random_uses(layer).into_iter().zip(random_uses(other));
                other.stream_at(*index) == stream && uses.any(|(a, b)| a && b)
            };
            let (_, (first, _)) = layers[..index].iter().enumerate().find(is_first)?;
            let path = format!("field.{path}.stream");
            let message =
                format!("`field.{first}` also has the stream {stream}, so both layers have the same random numbers");
            Some(SettingsWarning { path, message })
        };
        layers.iter().enumerate().filter_map(warning).collect()
    }

    /// Returns the [`warnings`](Self::warnings) with their positions in `text`, the file that the settings were read from. A
    /// parameter that `text` does not have gets the position of its layer.
    #[must_use]
    pub fn warnings_in(&self, text: &str) -> Vec<SettingsProblem> {
        let file = Document::parse(without_mark(text));
        self.warnings().into_iter().map(|warning| warning.in_text(&file)).collect()
    }
}

/// The parts of a layer that draw random numbers: itself, its warp, and its masks.
pub(super) fn random_uses(layer: &Layer) -> [bool; 3] {
    use LayerKind::{Carve, Dunes, Erosion, Group, Noise, Scatter};
    let is_random = matches!(layer.kind, Noise(_) | Carve(_) | Scatter(_) | Dunes(_) | Erosion(_));
    let has_warp = matches!(&layer.kind, Group(group) if group.warp_strength > 0.0);
    [is_random, has_warp, layer.masks.iter().any(|mask| matches!(mask, Mask::Noise(_)))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TextPosition;

    #[test]
    fn masks_whose_range_ends_below_its_start_are_reported() {
        let text = "(field: (layers: [(kind: Noise()), (masks: [Height(from: 5.0), Slope(from: 0.6, to: 0.5), Noise(from: 0.3, to: 0.1)], kind: Noise())]))";
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let warnings: Vec<String> = settings.warnings_in(text).iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "1:76: `field.layers[1].masks[1].from`: 0.6 is above `to`, which is 0.5, so the range is empty; set both",
                "1:103: `field.layers[1].masks[2].from`: 0.3 is above `to`, which is 0.1, so the range is empty; set both",
            ]
        );
    }

    #[test]
    fn warnings_have_a_position_in_the_file() {
        let text = "\u{feff}(\n  version: 2, field: (layers: [\n    (kind: Noise()), (kind: Noise(\n     height_scale: 3.0, octaves: 9)),\n    (kind: Noise(frequency: 0.01)),\n  ]),\n)";
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let warnings = settings.warnings_in(text);
        let positions: Vec<_> = warnings.iter().map(|warning| (warning.position, &warning.path[..])).collect();
        let position = |line, column| Some(TextPosition { line, column });
        assert_eq!(
            positions,
            [(position(4, 34), "field.layers[1].kind.octaves"), (position(5, 12), "field.layers[2].kind.octaves")]
        );
        assert!(
            warnings[0].to_string().starts_with("4:34: `field.layers[1].kind.octaves`: octave 8 has"),
            "{}",
            warnings[0]
        );
    }

    #[test]
    fn layers_that_draw_the_same_random_numbers_are_reported() {
        let found = |first: &str, second: &str| {
            let text = format!("(version: 2, field: (layers: [(stream: 7, {first}), (stream: 7, {second})]))");
            let settings = TerrainSettings::from_ron(&text).unwrap_or_else(|error| panic!("{error}"));
            settings.shared_streams().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let expected = "`field.layers[1].stream`: `field.layers[0]` also has the stream 7, so both layers have the same random numbers";
        let mask = "masks: [Noise()], kind: Constant(height: 3.0)";
        let warp = "kind: Group(warp_strength: 9.0)";
        for (first, second) in [
            ("kind: Noise()", "kind: Dunes()"),
            ("kind: Noise()", "enabled: false, kind: Noise()"),
            ("enabled: false, kind: Erosion()", "kind: Scatter()"),
            (mask, mask),
            ("masks: [Slope(), Noise()], kind: Terrace()", mask),
            (warp, warp),
        ] {
            assert_eq!(found(first, second), [expected], "{first} and {second}");
        }
        for (first, second) in [
            ("kind: Noise()", "kind: Constant()"),
            ("kind: Noise()", mask),
            (mask, warp),
            ("kind: Noise()", warp),
            (warp, "kind: Group()"),
            ("masks: [Slope()], kind: Constant()", mask),
        ] {
            assert_eq!(found(first, second), [""; 0], "{first} and {second}");
        }
    }

    #[test]
    fn a_layer_that_is_evaluated_often_is_named() {
        let text = |name: &str| {
            format!("(field: (layers: [({name} kind: Noise()), (kind: Erosion()), (kind: Erosion(detail: 0.7))]))")
        };
        for (name, expected) in [("name: \"Ridges\",", "the layer \"Ridges\""), ("", "this layer")] {
            let settings = TerrainSettings::from_ron(&text(name)).expect("the text is valid");
            let [warning] = &settings.warnings()[..] else { panic!("{:?}", settings.warnings()) };
            assert_eq!(warning.path, "field.layers[0]");
            assert!(
                warning.message.starts_with(&format!("each height evaluates {expected} 25 times, because")),
                "{warning}"
            );
        }
    }

    #[test]
    fn defaults_give_no_warning() {
        assert_eq!(TerrainSettings::default().warnings(), []);
    }
}
