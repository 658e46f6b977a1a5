//! Warnings: settings that are allowed but look wrong.
//!
//! A mesh samples the height at its vertices only. An octave with more than half a cycle per vertex spacing is sampled too rarely,
//! so it looks like random bumps (aliasing). That is not an error: the heights are still the same on every machine, and a designer
//! may want them. The terrain is built, and the warning is reported.

use super::error::text_place;
use super::outline::Outline;
use super::version::CurrentText;
use super::{SettingsProblem, TerrainSettings, moved, renamed};
use crate::chunk::{ChunkLayout, ChunkSettings};
use crate::field::{HeightMask, Layer, LayerKind, Mask, NoiseMask, SlopeMask};
use crate::noise::NoiseSettings;
use crate::noise::band_limit::{MAX_CELLS_PER_SAMPLE, ROUNDING, is_usable};
use crate::param::parent_path;
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

impl TerrainSettings {
    /// Returns a warning for each setting that is allowed but looks wrong, in the order of the parameters.
    ///
    /// The mesh can't show an octave with more than half a cycle per vertex spacing. Each layer, and each domain warp, with such
    /// an octave gets one warning. It names the first such octave and suggests fewer octaves, or a lower frequency if already the
    /// first octave is too fine. Layers that are off or have a height scale of 0 are skipped, and so are octaves with an amplitude
    /// of 0.
    ///
    /// A layer of noise with the stream of an earlier one gets a warning, and so does a mask whose range ends below its start.
    #[must_use]
    pub fn warnings(&self) -> Vec<SettingsWarning> {
        let mut warnings = Vec::new();
        for (path, layer) in self.visible_layers() {
            let Some(noise) = layer.noise().filter(|noise| noise.height_scale != 0.0) else { continue };
            let mut warn = |found: Option<(&str, String)>| {
                warnings.extend(
                    found.map(|(name, message)| SettingsWarning { path: format!("field.{path}.kind.{name}"), message }),
                );
            };
            warn(too_fine(noise, &self.chunks, &LAYER));
            warn(noise.warp_noise().and_then(|warp| too_fine(&warp, &self.chunks, &WARP)));
        }
        warnings.extend(self.shared_streams());
        warnings.extend(self.empty_masks());
        warnings
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
                    Mask::Noise(NoiseMask { from, to, .. }) => (from, to, "so the mask has a sharp edge"),
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
    fn visible_layers(&self) -> Vec<(String, &Layer)> {
        let mut layers = self.field.all_layers();
        let is_hidden = |layer: &Layer| !layer.enabled || layer.opacity == 0.0;
        let hidden: Vec<String> =
            layers.iter().filter(|(_, layer)| is_hidden(layer)).map(|(path, _)| path.clone()).collect();
        let is_in = |path: &str, hidden: &String| path == hidden || path.starts_with(&format!("{hidden}.kind.layers["));
        layers.retain(|(path, _)| !hidden.iter().any(|hidden| is_in(path, hidden)));
        layers
    }

    /// A warning for each layer with the stream of an earlier layer.
    fn shared_streams(&self) -> Vec<SettingsWarning> {
        let layers = self.visible_layers();
        let warning = |(index, (path, layer)): (usize, &(String, &Layer))| {
            let stream = layer.stream?;
            let is_random = |layer: &Layer| {
                use LayerKind::{Carve, Dunes, Erosion, Noise, Scatter};
                matches!(layer.kind, Noise(_) | Carve(_) | Scatter(_) | Dunes(_) | Erosion(_))
            };
            let is_first = |(_, other): &&(String, &Layer)| other.stream == Some(stream) && is_random(other);
            is_random(layer).then_some(())?;
            let (first, _) = layers[..index].iter().find(is_first)?;
            let path = format!("field.{path}.stream");
            let message =
                format!("`field.{first}` also has the stream {stream}, so both layers have the same random numbers");
            Some(SettingsWarning { path, message })
        };
        layers.iter().enumerate().filter_map(warning).collect()
    }

    /// Returns the [`warnings`](Self::warnings) with their places in `text`, the file that the settings were read from. A
    /// parameter that `text` does not have gets the place of its layer.
    ///
    /// Also returns a note for each name of an earlier version, such as `` `size` is now called `height_scale`; rename it ``, and
    /// for each [moved field](crate::chunk::StreamSettings::MOVED), such as `` `keep_margin` no longer has an effect; remove it ``.
    #[must_use]
    pub fn warnings_in(&self, text: &str) -> Vec<SettingsProblem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Ok(current) = CurrentText::of(text) else { return Vec::new() };
        let text = current.text.as_str();
        let outline = Outline::of(text);
        let place = |warning: SettingsWarning| {
            let mut here = warning.path.as_str();
            while outline.find(here).is_none() && !here.is_empty() {
                here = parent_path(here);
            }
            let offset = outline.find(here).map_or(0, |entry| entry.value.start);
            SettingsProblem { place: Some(text_place(text, offset)), ..warning.into() }
        };
        let notes = renamed::notes(text, &outline).into_iter().chain(moved::notes(text, &outline));
        let found = self.warnings().into_iter().map(place).chain(notes).map(|problem| current.in_original(problem));
        current.note().into_iter().chain(found).collect()
    }
}

/// The words of a message about one sum of octaves.
struct Words {
    /// The field with the number of octaves.
    octaves: &'static str,
    /// The field with the frequency of the first octave.
    frequency: &'static str,
    /// Text after the number of an octave.
    of: &'static str,
    /// Text before "octaves" and "frequency" in a remedy.
    kind: &'static str,
}

const LAYER: Words = Words { octaves: "octaves", frequency: "frequency", of: "", kind: "" };
const WARP: Words = Words { octaves: "warp_octaves", frequency: "warp_frequency", of: " of the warp", kind: "warp " };

/// Returns the field to change and the message, if an octave of `noise` is too fine for the mesh.
fn too_fine(noise: &NoiseSettings, chunks: &ChunkSettings, words: &Words) -> Option<(&'static str, String)> {
    let spacing = spacing(chunks);
    let index = noise.usable_octaves(spacing) as usize;
    let frequency = frequencies(noise).nth(index)?;

    let mut remedies = Vec::new();
    match index {
        0 => remedies.extend(
            frequency_for_all(noise, spacing)
                .map(|frequency| format!("a {}frequency of at most {frequency} per metre", words.kind)),
        ),
        1 => remedies.push(format!("1 {}octave", words.kind)),
        count => remedies.push(format!("{count} {}octaves", words.kind)),
    }
    remedies.extend(spacing_for_all(noise, chunks).map(|spacing| format!("a spacing of at most {spacing} m")));
    let remedy = if remedies.is_empty() { "a much lower frequency".to_owned() } else { remedies.join(", or ") };

    let message = format!(
        "octave {}{} has {:.2} cycles per vertex spacing ({} m), more than the {MAX_CELLS_PER_SAMPLE} that the mesh can show, so it looks like \
         random bumps; use {remedy}",
        index + 1,
        words.of,
        // A value just above the limit must not be rounded to the limit.
        (frequency * spacing).max(MAX_CELLS_PER_SAMPLE + 0.01),
        plain(spacing, 2),
    );
    Some((if index == 0 { words.frequency } else { words.octaves }, message))
}

/// The frequencies of the octaves that have an effect.
fn frequencies(noise: &NoiseSettings) -> impl Iterator<Item = f64> {
    noise.octaves().take_while(|&(_, amplitude)| amplitude != 0.0).map(|(frequency, _)| frequency)
}

fn highest_frequency(noise: &NoiseSettings) -> f64 {
    frequencies(noise).fold(0.0, f64::max)
}

/// The distance between neighboring vertices at level 0, in metres.
fn spacing(chunks: &ChunkSettings) -> f64 {
    ChunkLayout::new(chunks).spacing(0)
}

/// The highest frequency of the first octave at which the mesh can show every octave. `None` if it is out of range.
fn frequency_for_all(noise: &NoiseSettings, spacing: f64) -> Option<String> {
    const LOWEST: f64 = 1e-6;
    // A lower first octave can bring more octaves below the maximum frequency, so count all of them.
    let all = NoiseSettings { max_frequency: 0.0, ..noise.clone() };
    let ratio = highest_frequency(&all) / noise.frequency;
    rounded_down(MAX_CELLS_PER_SAMPLE / spacing / ratio, LOWEST, |frequency| is_usable(frequency * ratio * spacing))
}

/// The widest spacing at which the mesh can show every octave. `None` if it is out of range.
fn spacing_for_all(noise: &NoiseSettings, chunks: &ChunkSettings) -> Option<String> {
    const LOWEST: f64 = 0.1;
    let highest = highest_frequency(noise);
    rounded_down(MAX_CELLS_PER_SAMPLE / highest, LOWEST, |metres| {
        is_usable(highest * spacing(&ChunkSettings { spacing: metres, ..chunks.clone() }))
    })
}

/// Rounds `value` down to two digits. If the result is not `good`, tries the next lower two digits.
fn rounded_down(value: f64, lowest: f64, good: impl Fn(f64) -> bool) -> Option<String> {
    if !value.is_finite() || value < lowest {
        return None;
    }
    let exponent = libm::floor(libm::log10(value));
    let decimals = (1.0 - exponent).max(0.0) as usize;
    let step = libm::pow(10.0, exponent - 1.0);
    let steps = libm::floor(value / step + ROUNDING);
    // Parse the written number again: the designer types the text, so the text must be good.
    let written = |steps: f64| plain(steps * step, decimals);
    let is_good = |text: &String| text.parse().is_ok_and(|number| number >= lowest && good(number));
    [written(steps), written(steps - 1.0)].into_iter().find(is_good)
}

/// A number without trailing zeros.
fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Group;
    use crate::noise::NoiseRng;
    use crate::param::ParamValue;
    use crate::settings::TextPlace;

    /// Settings with these layers and the default spacing of 4 m.
    fn settings(layers: &[NoiseSettings]) -> TerrainSettings {
        let mut settings = TerrainSettings::default();
        settings.field.layers = layers.iter().cloned().map(Into::into).collect();
        settings
    }

    fn layer(frequency: f64, octaves: u32) -> NoiseSettings {
        NoiseSettings { frequency, octaves, ..Default::default() }
    }

    fn texts(settings: &TerrainSettings) -> Vec<String> {
        settings.warnings().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_first_octave_that_is_too_fine_is_named_in_each_layer() {
        let settings =
            settings(&[layer(0.001, 12), layer(0.001, 7), NoiseSettings { lacunarity: 2.03, ..layer(0.00046, 9) }]);
        assert_eq!(
            texts(&settings),
            [
                "`field.layers[0].kind.octaves`: octave 8 has 0.51 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use 7 octaves, or a spacing of at most 0.24 m",
                "`field.layers[2].kind.octaves`: octave 9 has 0.53 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use 8 octaves, or a spacing of at most 3.7 m",
            ]
        );
    }

    #[test]
    fn half_a_cycle_per_vertex_spacing_gives_no_warning() {
        // 0.125 * 4 = 0.5, after three doublings and from a decimal fraction.
        assert_eq!(texts(&settings(&[layer(0.015_625, 4), layer(0.125, 1)])), Vec::<String>::new());
        assert_eq!(settings(&[layer(0.125_01, 1)]).warnings().len(), 1);
        let mut settings = settings(&[NoiseSettings { lacunarity: 2.5, ..layer(0.0032, 5) }]);
        assert_eq!(settings.warnings(), [], "0.0032 * 2.5^4 is 0.125, except for rounding");
        settings.chunks.spacing = 4.001;
        assert!(settings.warnings()[0].message.starts_with("octave 5 has 0.51 cycles"), "{:?}", settings.warnings());
    }

    #[test]
    fn the_spacing_is_that_of_the_grid() {
        let mut settings = settings(&[layer(0.5 / 3.7, 1)]);
        // The grid rounds it to 3.7002 m.
        settings.chunks.spacing = 3.7;
        let [warning] = &settings.warnings()[..] else { panic!("{:?}", settings.warnings()) };
        assert!(warning.message.ends_with("a spacing of at most 3.6 m"), "{warning}");
        settings.chunks.spacing = 0.0999;
        assert_eq!(settings.warnings(), [], "the layout raises the spacing to its minimum");
    }

    #[test]
    fn octaves_above_the_maximum_frequency_do_not_count() {
        let limited = |max_frequency| settings(&[NoiseSettings { max_frequency, ..layer(0.001, 16) }]);
        assert_eq!(limited(0.125).warnings(), []);
        assert_eq!(limited(0.2).warnings().len(), 1);
    }

    #[test]
    fn octaves_without_effect_give_no_warning() {
        let flat = NoiseSettings { height_scale: 0.0, ..layer(0.001, 16) };
        let alone = NoiseSettings { persistence: 0.0, ..layer(0.001, 16) };
        let still = NoiseSettings { warp_strength: 0.0, warp_frequency: 1.0, ..layer(0.001, 4) };
        assert_eq!(settings(&[flat, alone, still]).warnings(), []);
    }

    #[test]
    fn the_warp_is_checked_too() {
        let warped = NoiseSettings {
            warp_strength: 30.0,
            warp_frequency: 0.05,
            warp_octaves: 4,
            lacunarity: 3.0,
            max_frequency: 0.1,
            ..layer(0.001, 4)
        };
        assert_eq!(
            texts(&settings(&[warped])),
            [
                "`field.layers[0].kind.warp_octaves`: octave 2 of the warp has 0.60 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use 1 warp octave, or a spacing of at most 0.37 m"
            ]
        );
    }

    #[test]
    fn a_first_octave_that_is_too_fine_asks_for_a_lower_frequency() {
        let warped = NoiseSettings { warp_strength: 5.0, warp_frequency: 0.9, warp_octaves: 1, ..layer(0.2, 3) };
        assert_eq!(
            texts(&settings(&[warped])),
            [
                "`field.layers[0].kind.frequency`: octave 1 has 0.80 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use a frequency of at most 0.031 per metre, or a spacing of at most 0.62 m",
                "`field.layers[0].kind.warp_frequency`: octave 1 of the warp has 3.60 cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use a warp frequency of at most 0.12 per metre, or a spacing of at most 0.55 m",
            ]
        );
    }

    #[test]
    fn every_remedy_is_allowed_and_helps() {
        let mut rng = NoiseRng::new(7, 0);
        let mut seen = [0; 4];
        for round in 0..3000 {
            let mut pick = |from: f64, to: f64| from * libm::pow(to / from, rng.next_unit());
            let noise = NoiseSettings {
                frequency: pick(1e-4, 1.0),
                octaves: pick(1.0, 16.9) as u32,
                lacunarity: pick(1.0, 4.0),
                max_frequency: if round % 3 == 0 { pick(1e-3, 10.0) } else { 0.0 },
                ..Default::default()
            };
            let mut settings = settings(&[noise]);
            settings.chunks.spacing = pick(0.1, 100.0);
            let [warning] = &settings.warnings()[..] else { continue };
            assert!(settings.get(&warning.path).is_some(), "{warning}");
            let (_, remedies) = warning.message.split_once("; use ").expect("there is a remedy");
            for remedy in remedies.split(", or ") {
                let number = remedy.split(' ').find_map(|word| word.parse::<f64>().ok());
                let (kind, path, value) = match (remedy, number) {
                    (remedy, Some(number)) if remedy.starts_with("a spacing") => {
                        (0, "chunks.spacing", ParamValue::Float(number))
                    }
                    (remedy, Some(number)) if remedy.starts_with("a frequency") => {
                        (1, "field.layers[0].kind.frequency", ParamValue::Float(number))
                    }
                    (_, Some(number)) => (2, "field.layers[0].kind.octaves", ParamValue::Count(number as u32)),
                    (_, None) => {
                        seen[3] += 1;
                        continue;
                    }
                };
                seen[kind] += 1;
                let mut fixed = settings.clone();
                assert!(fixed.set(path, value), "{remedy}");
                assert_eq!(fixed.validate(), Ok(()), "{warning}");
                assert_eq!(fixed.warnings(), [], "after {remedy} of {warning}");
            }
        }
        assert!(seen.iter().all(|&count| count > 10), "too few remedies were tried: {seen:?}");
    }

    #[test]
    fn invalid_numbers_do_not_panic() {
        for number in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 1e-300] {
            let noise =
                NoiseSettings { frequency: number, lacunarity: number, warp_strength: number, ..layer(0.1, u32::MAX) };
            let mut settings = settings(&[noise]);
            let _ = settings.warnings();
            settings.chunks.spacing = number;
            settings.field.layers[0].noise_mut().expect("a layer of noise").frequency = 0.3;
            let _ = settings.warnings();
        }
    }

    #[test]
    fn layers_that_are_off_give_no_warning() {
        let mut settings = settings(&[layer(0.001, 9)]);
        let fine = settings.field.layers[0].clone();
        settings.field.layers.push(LayerKind::Group(Group::from(vec![fine])).into());
        assert_eq!(settings.warnings().len(), 2);
        settings.field.layers[1].enabled = false;
        assert_eq!(settings.warnings().len(), 1, "a group hides its layers");
        settings.field.layers[0].opacity = 0.0;
        assert_eq!(settings.warnings(), []);
    }

    #[test]
    fn masks_whose_range_ends_below_its_start_are_reported() {
        let text = "(field: (layers: [(masks: [Height(from: 5.0), Slope(from: 0.6, to: 0.5), Noise(from: 0.3)], kind: Noise())]))";
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let warnings: Vec<String> = settings.warnings_in(text).iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "1:59: `field.layers[0].masks[1].from`: 0.6 is above `to`, which is 0.5, so the mask has its full effect nowhere; set both",
                "1:86: `field.layers[0].masks[2].from`: 0.3 is above `to`, which is 0.1, so the mask has a sharp edge; set both",
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
    fn defaults_give_no_warning() {
        assert_eq!(TerrainSettings::default().warnings(), []);
    }
}
