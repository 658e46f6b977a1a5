//! A warning: a setting that is allowed but looks wrong.

use super::{SettingsProblem, TerrainSettings};
use crate::field::{Layer, PlainRange};
use crate::ron_edit::{Document, TextPosition};
use std::fmt;

/// A setting that is allowed but looks wrong.
///
/// ```
/// use perlin_terrain::settings::TerrainSettings;
///
/// let text = "(field: (layers: [(kind: Noise(octaves: 9, frequency: 0.0005))]))";
/// let settings = TerrainSettings::from_ron(text).expect("the text is valid");
/// assert_eq!(
///     settings.warnings()[0].to_string(),
///     "`field.layers[0].kind.octaves`: octave 9 has 0.51 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can \
///      show, so it looks like random bumps; use 8 octaves, or a spacing of at most 3.9 m",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsWarning {
    /// The path of the parameter to change, such as `field.layers[2].kind.octaves`.
    pub path: String,
    /// The problem, and the remedy.
    pub message: String,
}

impl fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path, self.message)
    }
}

/// The problem has no file and no position, because a [`SettingsWarning`] is about a value and not about a text.
impl From<SettingsWarning> for SettingsProblem {
    fn from(warning: SettingsWarning) -> Self {
        Self { wrong: warning.to_string(), path: warning.path, ..Self::default() }
    }
}

impl SettingsWarning {
    /// The warning with its position.
    pub(super) fn in_text(self, file: &Document<'_>) -> SettingsProblem {
        let position = TextPosition::of(file.text(), file.nearest(&self.path).range().start);
        SettingsProblem { position: Some(position), ..self.into() }
    }
}

impl TerrainSettings {
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
}

/// A warning if the range at `path` ends below its start. Mostly one end was set, and the other one kept its default.
pub(super) fn empty_range(path: &str, PlainRange { from, to, .. }: PlainRange) -> Option<SettingsWarning> {
    let message = format!("{from:?} is above `to`, which is {to:?}, so the range is empty; set both");
    (from > to).then(|| SettingsWarning { path: format!("{path}.from"), message })
}
