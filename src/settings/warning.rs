//! What is allowed, but will not look as it was meant.
//!
//! A mesh knows the ground at its vertices and nothing between them. Hills that are narrower than two steps from vertex to
//! vertex are hit here and missed there, and what is left of them looks like random bumps. That is no error: the ground is
//! still the same everywhere, and somebody may like it. So it is told, and built all the same.

use super::error::text_place;
use super::outline::Outline;
use super::{SettingsProblem, TerrainSettings, moved, renamed};
use crate::chunk::{ChunkLayout, ChunkSettings};
use crate::noise::NoiseSettings;
use crate::noise::band_limit::{MAX_CELLS_PER_SAMPLE, ROUNDING, is_usable};
use crate::param::parent_path;
use std::fmt;

/// Something that is allowed in the settings, but will not look as it was meant.
///
/// ```
/// use bevy_perlin_terrain::settings::TerrainSettings;
///
/// let settings = TerrainSettings::from_ron("(field: (layers: [(octaves: 9, frequency: 0.0005)]))").unwrap();
/// assert_eq!(
///     settings.warnings()[0].to_string(),
///     "`field.layers[0].octaves`: octave 9 has 0.51 hills between neighboring vertices (4 m apart), more than the 0.5 that \
///      the mesh can show, so it looks like random bumps; use 8 octaves, or a spacing of at most 3.9 m",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsWarning {
    /// The parameter that it is about, such as `field.layers[2].octaves`.
    pub path: String,
    /// What will look otherwise, and what would help.
    pub message: String,
}

impl fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path, self.message)
    }
}

impl TerrainSettings {
    /// What is allowed but will not look as it was meant, in the order of the parameters.
    ///
    /// An octave, of a layer or of its domain warp, that has more than half a hill from one vertex to the next can't be shown
    /// by the mesh. For each sum with such octaves there is one warning, which names the first of them. It is about the
    /// number of octaves, or about the frequency where even the first octave is too fine. What has no effect, a layer of height scale
    /// 0 or an octave of amplitude 0, gives none.
    #[must_use]
    pub fn warnings(&self) -> Vec<SettingsWarning> {
        let mut warnings = Vec::new();
        for (index, layer) in self.field.layers.iter().enumerate().filter(|(_, layer)| layer.height_scale != 0.0) {
            let mut warn = |found: Option<(&str, String)>| {
                warnings.extend(found.map(|(field, message)| SettingsWarning {
                    path: format!("field.layers[{index}].{field}"),
                    message,
                }));
            };
            warn(too_fine(layer, &self.chunks, &LAYER));
            warn(layer.warp_noise().and_then(|warp| too_fine(&warp, &self.chunks, &WARP)));
        }
        warnings
    }

    /// The same, each with its place in `text`, the file that the settings were read from. The place of a parameter that was
    /// left out is that of the layer around it.
    ///
    /// A note for each name of an earlier version follows: `` `size` is called `height_scale` now ``. Then there is one for each
    /// [field that moved](crate::chunk::StreamSettings::MOVED): `` `keep_margin` has no effect any more; remove it ``.
    #[must_use]
    pub fn warnings_in(&self, text: &str) -> Vec<SettingsProblem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let outline = Outline::of(text);
        let place = |warning: SettingsWarning| {
            let mut here = warning.path.as_str();
            while outline.find(here).is_none() && !here.is_empty() {
                here = parent_path(here);
            }
            let offset = outline.find(here).map_or(0, |entry| entry.value.start);
            SettingsProblem {
                place: Some(text_place(text, offset)),
                wrong: warning.to_string(),
                path: warning.path,
                ..SettingsProblem::default()
            }
        };
        let notes = renamed::notes(text, &outline).into_iter().chain(moved::notes(text, &outline));
        self.warnings().into_iter().map(place).chain(notes).collect()
    }
}

/// What a sum of octaves is called.
struct Words {
    octaves: &'static str,
    frequency: &'static str,
    /// Behind the number of an octave.
    of: &'static str,
    hills: &'static str,
    /// Before "octaves" and "frequency" in a remedy.
    kind: &'static str,
}

const LAYER: Words = Words { octaves: "octaves", frequency: "frequency", of: "", hills: "hills", kind: "" };
const WARP: Words =
    Words { octaves: "warp_octaves", frequency: "warp_frequency", of: " of the warp", hills: "bends", kind: "warp " };

/// The field to change, and why, where an octave of `noise` is too fine for the mesh.
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
        "octave {}{} has {:.2} {} between neighboring vertices ({} m apart), more than the {MAX_CELLS_PER_SAMPLE} that the mesh can show, so \
         it looks like random bumps; use {remedy}",
        index + 1,
        words.of,
        // What is a little too much should not read as if it were not.
        (frequency * spacing).max(MAX_CELLS_PER_SAMPLE + 0.01),
        words.hills,
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

/// Metres between neighboring vertices at the finest level.
fn spacing(chunks: &ChunkSettings) -> f64 {
    ChunkLayout::new(chunks).spacing(0)
}

/// The highest frequency of the first octave with which every octave can be shown, if there is one that is allowed.
fn frequency_for_all(noise: &NoiseSettings, spacing: f64) -> Option<String> {
    const LOWEST: f64 = 1e-6;
    // With a lower first octave there may be more of them below the highest frequency.
    let all = NoiseSettings { max_frequency: 0.0, ..noise.clone() };
    let ratio = highest_frequency(&all) / noise.frequency;
    rounded_down(MAX_CELLS_PER_SAMPLE / spacing / ratio, LOWEST, |frequency| is_usable(frequency * ratio * spacing))
}

/// The widest spacing that shows every octave, if there is one that is allowed.
fn spacing_for_all(noise: &NoiseSettings, chunks: &ChunkSettings) -> Option<String> {
    const LOWEST: f64 = 0.1;
    let highest = highest_frequency(noise);
    rounded_down(MAX_CELLS_PER_SAMPLE / highest, LOWEST, |metres| {
        is_usable(highest * spacing(&ChunkSettings { spacing: metres, ..chunks.clone() }))
    })
}

/// `value`, rounded down to two digits that are `good`, which the next number below is where the nearest is not.
fn rounded_down(value: f64, lowest: f64, good: impl Fn(f64) -> bool) -> Option<String> {
    if !value.is_finite() || value < lowest {
        return None;
    }
    let exponent = libm::floor(libm::log10(value));
    let decimals = (1.0 - exponent).max(0.0) as usize;
    let step = libm::pow(10.0, exponent - 1.0);
    let steps = libm::floor(value / step + ROUNDING);
    // Written out and read again: what the designer types is what must be good.
    let written = |steps: f64| plain(steps * step, decimals);
    let is_good = |text: &String| text.parse().is_ok_and(|number| number >= lowest && good(number));
    [written(steps), written(steps - 1.0)].into_iter().find(is_good)
}

/// A number without zeros at its end.
fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::NoiseRng;
    use crate::param::ParamValue;
    use crate::settings::TextPlace;

    /// Layers over vertices 4 m apart.
    fn settings(layers: &[NoiseSettings]) -> TerrainSettings {
        let mut settings = TerrainSettings::default();
        settings.field.layers = layers.to_vec();
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
                "`field.layers[0].octaves`: octave 8 has 0.51 hills between neighboring vertices (4 m apart), more than the 0.5 that the mesh can show, so it looks like random bumps; use 7 octaves, or a spacing of at most 0.24 m",
                "`field.layers[2].octaves`: octave 9 has 0.53 hills between neighboring vertices (4 m apart), more than the 0.5 that the mesh can show, so it looks like random bumps; use 8 octaves, or a spacing of at most 3.7 m",
            ]
        );
    }

    #[test]
    fn half_a_hill_from_vertex_to_vertex_is_fine() {
        // 0.125 * 4 = 0.5, after three doublings and from a decimal fraction.
        assert_eq!(texts(&settings(&[layer(0.015_625, 4), layer(0.125, 1)])), Vec::<String>::new());
        assert_eq!(settings(&[layer(0.125_01, 1)]).warnings().len(), 1);
        let mut settings = settings(&[NoiseSettings { lacunarity: 2.5, ..layer(0.0032, 5) }]);
        assert_eq!(settings.warnings(), [], "0.0032 * 2.5^4 is 0.125, but for rounding");
        settings.chunks.spacing = 4.001;
        assert!(settings.warnings()[0].message.starts_with("octave 5 has 0.51 hills"), "{:?}", settings.warnings());
    }

    #[test]
    fn the_spacing_is_that_of_the_grid() {
        let mut settings = settings(&[layer(0.5 / 3.7, 1)]);
        // The grid rounds it to 3.7002 m.
        settings.chunks.spacing = 3.7;
        let [warning] = &settings.warnings()[..] else { panic!("{:?}", settings.warnings()) };
        assert!(warning.message.ends_with("a spacing of at most 3.6 m"), "{warning}");
        settings.chunks.spacing = 0.0999;
        assert_eq!(settings.warnings(), [], "it is brought into its range");
    }

    #[test]
    fn octaves_above_the_maximum_frequency_do_not_count() {
        let limited = |max_frequency| settings(&[NoiseSettings { max_frequency, ..layer(0.001, 16) }]);
        assert_eq!(limited(0.125).warnings(), []);
        assert_eq!(limited(0.2).warnings().len(), 1);
    }

    #[test]
    fn what_has_no_effect_gives_no_warning() {
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
                "`field.layers[0].warp_octaves`: octave 2 of the warp has 0.60 bends between neighboring vertices (4 m apart), more than the 0.5 that the mesh can show, so it looks like random bumps; use 1 warp octave, or a spacing of at most 0.37 m"
            ]
        );
    }

    #[test]
    fn a_first_octave_that_is_too_fine_is_a_matter_of_frequency() {
        let warped = NoiseSettings { warp_strength: 5.0, warp_frequency: 0.9, warp_octaves: 1, ..layer(0.2, 3) };
        assert_eq!(
            texts(&settings(&[warped])),
            [
                "`field.layers[0].frequency`: octave 1 has 0.80 hills between neighboring vertices (4 m apart), more than the 0.5 that the mesh can show, so it looks like random bumps; use a frequency of at most 0.031 per metre, or a spacing of at most 0.62 m",
                "`field.layers[0].warp_frequency`: octave 1 of the warp has 3.60 bends between neighboring vertices (4 m apart), more than the 0.5 that the mesh can show, so it looks like random bumps; use a warp frequency of at most 0.12 per metre, or a spacing of at most 0.55 m",
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
                        (1, "field.layers[0].frequency", ParamValue::Float(number))
                    }
                    (_, Some(number)) => (2, "field.layers[0].octaves", ParamValue::Count(number as u32)),
                    (_, None) => {
                        seen[3] += 1;
                        continue;
                    }
                };
                seen[kind] += 1;
                let mut mended = settings.clone();
                assert!(mended.set(path, value), "{remedy}");
                assert_eq!(mended.validate(), Ok(()), "{warning}");
                assert_eq!(mended.warnings(), [], "after {remedy} of {warning}");
            }
        }
        assert!(seen.iter().all(|&count| count > 10), "too few remedies were tried: {seen:?}");
    }

    #[test]
    fn numbers_that_make_no_sense_make_no_panic() {
        for number in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 1e-300] {
            let noise =
                NoiseSettings { frequency: number, lacunarity: number, warp_strength: number, ..layer(0.1, u32::MAX) };
            let mut settings = settings(&[noise]);
            let _ = settings.warnings();
            settings.chunks.spacing = number;
            settings.field.layers[0].frequency = 0.3;
            let _ = settings.warnings();
        }
    }

    #[test]
    fn warnings_have_a_place_in_the_file() {
        let text = "\u{feff}(\n  field: (layers: [\n    (),\n    (height_scale: 3.0, octaves: 9),\n    (frequency: 0.01),\n  ]),\n)";
        let settings = TerrainSettings::from_ron(text).expect("the text is good");
        let warnings = settings.warnings_in(text);
        let places: Vec<_> = warnings.iter().map(|warning| (warning.place, &warning.path[..])).collect();
        let place = |line, column| Some(TextPlace { line, column });
        assert_eq!(places, [(place(4, 34), "field.layers[1].octaves"), (place(5, 5), "field.layers[2].octaves")]);
        assert!(
            warnings[0].to_string().starts_with("4:34: `field.layers[1].octaves`: octave 8 has"),
            "{}",
            warnings[0]
        );
    }

    #[test]
    fn defaults_and_the_file_in_the_readme_give_no_warning() {
        assert_eq!(TerrainSettings::default().warnings(), []);
        let (_, rest) = include_str!("../../README.md").split_once("```ron\n").expect("the README shows a file");
        let (text, _) = rest.split_once("```").expect("the block ends");
        let settings = TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(settings.warnings(), []);
    }
}
