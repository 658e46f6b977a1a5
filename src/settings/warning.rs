//! Warnings: settings that are allowed but look wrong. The terrain is built, and the warning is reported.

use super::parse::without_mark;
use super::{SettingsProblem, TerrainSettings, no_effect, overridden, too_fine};
use crate::field::{FieldSettings, HeightMask, Layer, LayerKind, LayerMask, Mask, NoiseMask, SlopeMask};
use crate::ron_edit::{Document, TextPlace};
use std::fmt;

/// A setting that is allowed but looks wrong.
///
/// ```
/// use bevy_perlin_terrain::settings::TerrainSettings;
///
/// let settings = TerrainSettings::from_ron("(field: (layers: [(kind: Noise(octaves: 9, frequency: 0.0005))]))").unwrap();
/// assert_eq!(
///     settings.warnings()[0].to_string(),
///     "`field.layers[0].kind.octaves`: octave 9 has 0.51 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can \
///      show, so it looks like random bumps; use 8 octaves, or a spacing of at most 3.9 m",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsWarning {
    /// The path of the parameter to change, such as `field.layers[2].kind.octaves`.
    pub path: String,
    /// What looks wrong, and what to change.
    pub message: String,
}

impl fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path, self.message)
    }
}

/// The problem has no file and no place, because a [`SettingsWarning`] is about a value and not about a text.
impl From<SettingsWarning> for SettingsProblem {
    fn from(warning: SettingsWarning) -> Self {
        Self { wrong: warning.to_string(), path: warning.path, ..Self::default() }
    }
}

impl SettingsWarning {
    /// The warning with its place.
    pub(super) fn in_text(self, file: &Document<'_>) -> SettingsProblem {
        let place = TextPlace::of(file.text(), file.nearest(&self.path).range().start);
        SettingsProblem { place: Some(place), ..self.into() }
    }
}

impl TerrainSettings {
    /// Returns a warning for each setting that is allowed but looks wrong:
    ///
    /// - The mesh can't show an octave with more than half a cycle per vertex spacing. Each noise, and each domain warp, with such
    ///   an octave gets one warning. It names the first such octave and suggests fewer octaves, or a lower frequency if already
    ///   the first octave is too fine. Noises of layers and of masks count, and so do gullies, dunes and the bends of valleys.
    ///   Octaves without an effect don't.
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
    /// - All the ground lies below the sand or the sea, or above the snow line, or above a sea. It is normal that no ground is
    ///   high enough for snow, or low enough for sand.
    /// - A layer of the look lies above or below all the ground, a range of it ends below its start, or the first one has a range.
    ///
    /// The other warnings skip layers that are off, and all layers in a group that is off.
    #[must_use]
    pub fn warnings(&self) -> Vec<SettingsWarning> {
        let mut warnings = too_fine::warnings(self);
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

    /// A warning for each mask whose range ends below its start. Mostly one end was set, and the other one kept its default.
    fn empty_masks(&self) -> Vec<SettingsWarning> {
        let mut warnings = Vec::new();
        for (path, layer) in self.visible_layers() {
            for (index, mask) in layer.masks.iter().enumerate() {
                let (from, to, effect) = match mask {
                    Mask::Height(HeightMask { from, to, .. }) | Mask::Slope(SlopeMask { from, to, .. }) => {
                        (from, to, "so the mask has its full effect nowhere")
                    }
                    Mask::Noise(NoiseMask { from, to, .. }) | Mask::Layer(LayerMask { from, to, .. }) => {
                        (from, to, "so the mask has a sharp edge")
                    }
                    Mask::Point(_) | Mask::Segment(_) => continue,
                };
                if from > to {
                    let path = format!("field.{path}.masks[{index}].from");
                    let message = format!("{from:?} is above `to`, which is {to:?}, {effect}; set both");
                    warnings.push(SettingsWarning { path, message });
                }
            }
        }
        warnings
    }

    /// The layers that are neither off nor transparent, with their paths. A group hides the layers in it.
    pub(super) fn visible_layers(&self) -> Vec<(String, &Layer)> {
        let mut layers = self.field.all_layers();
        let is_hidden = |layer: &Layer| !layer.enabled || layer.opacity == 0.0;
        let hidden: Vec<String> =
            layers.iter().filter(|(_, layer)| is_hidden(layer)).map(|(path, _)| path.clone()).collect();
        let is_in = |path: &str, hidden: &String| path == hidden || path.starts_with(&format!("{hidden}.kind.layers["));
        layers.retain(|(path, _)| !hidden.iter().any(|hidden| is_in(path, hidden)));
        layers
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

    /// Returns the [`warnings`](Self::warnings) with their places in `text`, the file that the settings were read from. A
    /// parameter that `text` does not have gets the place of its layer.
    #[must_use]
    pub fn warnings_in(&self, text: &str) -> Vec<SettingsProblem> {
        let file = Document::parse(without_mark(text));
        let with_place = self.warnings().into_iter().map(|warning| warning.in_text(&file));
        with_place.chain(no_effect::notes(self, &file)).collect()
    }
}

/// What a layer draws random numbers for: itself, its warp, and its masks.
pub(super) fn random_uses(layer: &Layer) -> [bool; 3] {
    use LayerKind::{Carve, Dunes, Erosion, Group, Noise, Scatter};
    let is_random = matches!(layer.kind, Noise(_) | Carve(_) | Scatter(_) | Dunes(_) | Erosion(_));
    let has_warp = matches!(&layer.kind, Group(group) if group.warp_strength > 0.0);
    [is_random, has_warp, layer.masks.iter().any(|mask| matches!(mask, Mask::Noise(_)))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TextPlace;

    #[test]
    fn masks_whose_range_ends_below_its_start_are_reported() {
        let text = "(field: (layers: [(kind: Noise()), (masks: [Height(from: 5.0), Slope(from: 0.6, to: 0.5), Noise(from: 0.3)], kind: Noise())]))";
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let warnings: Vec<String> = settings.warnings_in(text).iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "1:76: `field.layers[1].masks[1].from`: 0.6 is above `to`, which is 0.5, so the mask has its full effect nowhere; set both",
                "1:103: `field.layers[1].masks[2].from`: 0.3 is above `to`, which is 0.1, so the mask has a sharp edge; set both",
            ]
        );
    }

    #[test]
    fn warnings_have_a_place_in_the_file() {
        let text = "\u{feff}(\n  version: 2, field: (layers: [\n    (kind: Noise()), (kind: Noise(\n     height_scale: 3.0, octaves: 9)),\n    (kind: Noise(frequency: 0.01)),\n  ]),\n)";
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let warnings = settings.warnings_in(text);
        let places: Vec<_> = warnings.iter().map(|warning| (warning.place, &warning.path[..])).collect();
        let place = |line, column| Some(TextPlace { line, column });
        assert_eq!(
            places,
            [(place(4, 34), "field.layers[1].kind.octaves"), (place(5, 12), "field.layers[2].kind.octaves")]
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
