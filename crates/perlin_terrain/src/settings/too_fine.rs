//! Warnings about octaves that are too fine for the mesh.
//!
//! A mesh samples the height at its vertices only. An octave with more than half a cycle per vertex spacing is sampled too rarely,
//! so it looks like random bumps (aliasing). That is not an error: the heights are still the same on every machine, and a designer
//! may want them.

use super::{SettingsWarning, TerrainSettings};
use crate::chunk::{ChunkLayout, ChunkSettings};
use crate::field::{Layer, LayerKind, Mask};
use crate::noise::NoiseSettings;
use crate::noise::internal::{MAX_CELLS_PER_SAMPLE, ROUNDING, is_usable};

/// A warning for each noise of a visible layer, of its domain warp and of its masks, with an octave that is too fine. The same for
/// gullies, dunes and valleys.
pub(super) fn warnings(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    let mut found = Vec::new();
    for (path, layer) in settings.visible_layers() {
        let path = format!("field.{path}");
        found.extend(of_kind(&format!("{path}.kind"), layer, &settings.chunks));
        for (index, mask) in layer.masks.iter().enumerate() {
            if let Mask::Noise(mask) = mask {
                found.extend(of_noise(&format!("{path}.masks[{index}].noise"), &mask.noise, &settings.chunks));
            }
        }
    }
    found
}

/// The warnings about what a layer consists of.
fn of_kind(path: &str, layer: &Layer, chunks: &ChunkSettings) -> Vec<SettingsWarning> {
    let waves = |wavelength, octaves| NoiseSettings { wavelength, octaves, ..NoiseSettings::default() };
    let found = match &layer.kind {
        LayerKind::Noise(noise) if noise.height_scale != 0.0 => return of_noise(path, noise, chunks).collect(),
        LayerKind::Group(group) if group.warp_strength > 0.0 => too_fine(path, &group.warp_noise(), chunks, &WARP),
        LayerKind::Erosion(erosion) if erosion.strength > 0.0 => {
            too_fine(path, &waves(erosion.gully_length, erosion.octaves), chunks, &GULLIES)
        }
        LayerKind::Dunes(dunes) if dunes.height > 0.0 => too_fine(path, &waves(dunes.wavelength, 1), chunks, &DUNES),
        // Fewer octaves would make the first one finer, so the wavelength must change.
        LayerKind::Carve(carve) if carve.depth > 0.0 => {
            let finest = highest_frequency(&carve.noise());
            too_fine(path, &waves(1.0 / finest, 1), chunks, &VALLEYS)
        }
        _ => None,
    };
    found.into_iter().collect()
}

/// The warnings about a noise and its domain warp.
fn of_noise(path: &str, noise: &NoiseSettings, chunks: &ChunkSettings) -> impl Iterator<Item = SettingsWarning> {
    let warp = noise.warp_noise().and_then(|warp| too_fine(path, &warp, chunks, &WARP));
    too_fine(path, noise, chunks, &LAYER).into_iter().chain(warp)
}

/// The words of a message about one sum of octaves.
struct Words {
    /// The field with the number of octaves.
    octaves: &'static str,
    /// The field with the frequency of the first octave.
    frequency: &'static str,
    /// The field with the wavelength of the first octave. It counts in place of the frequency.
    wavelength: &'static str,
    /// The octave with this number.
    name: fn(usize) -> String,
    /// Text before "octaves" and "frequency" in a remedy.
    kind: &'static str,
}

const LAYER: Words = Words {
    octaves: "octaves",
    frequency: "frequency",
    wavelength: "wavelength",
    name: |octave| format!("octave {octave}"),
    kind: "",
};
const WARP: Words = Words {
    octaves: "warp_octaves",
    frequency: "warp_frequency",
    name: |octave| format!("octave {octave} of the warp"),
    kind: "warp ",
    ..LAYER
};
const GULLIES: Words =
    Words { wavelength: "gully_length", name: |octave| format!("size {octave} of the gullies"), ..LAYER };
const DUNES: Words = Words { name: |_| "the row of dunes".to_owned(), ..LAYER };
const VALLEYS: Words = Words { name: |_| "the finest octave of the bends".to_owned(), ..LAYER };

/// A warning if an octave of `noise`, whose fields are below `path`, is too fine for the mesh.
fn too_fine(path: &str, noise: &NoiseSettings, chunks: &ChunkSettings, words: &Words) -> Option<SettingsWarning> {
    let spacing = spacing(chunks);
    let index = noise.usable_octaves(spacing) as usize;
    let frequency = frequencies(noise).nth(index)?;

    let mut remedies = Vec::new();
    match index {
        0 if noise.wavelength > 0.0 => {
            let longer = format!("a longer {}", words.wavelength.replace('_', " "));
            remedies.extend(frequency_for_all(noise, spacing).map(|_| longer));
        }
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
        "{} has {:.2} cycles per vertex spacing ({} m), more than the {MAX_CELLS_PER_SAMPLE} that the mesh can show, so it looks like \
         random bumps; use {remedy}",
        (words.name)(index + 1),
        // A value just above the limit must not be rounded to the limit.
        (frequency * spacing).max(MAX_CELLS_PER_SAMPLE + 0.01),
        plain(spacing, 2),
    );
    let field = match index {
        0 if noise.wavelength > 0.0 => words.wavelength,
        0 => words.frequency,
        _ => words.octaves,
    };
    Some(SettingsWarning { path: format!("{path}.{field}"), message })
}

/// The frequencies of the octaves that have an effect, along the axis that is stretched less.
fn frequencies(noise: &NoiseSettings) -> impl Iterator<Item = f64> {
    let stretch = noise.least_stretch();
    noise.octaves().take_while(|&(_, amplitude)| amplitude != 0.0).map(move |(frequency, _)| frequency / stretch)
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
    const MIN: f64 = 1e-6;
    // A lower first octave can bring more octaves below the maximum frequency, so count all of them.
    let all = NoiseSettings { max_frequency: 0.0, ..noise.clone() };
    let ratio = highest_frequency(&all) / noise.first_frequency();
    rounded_down(MAX_CELLS_PER_SAMPLE / spacing / ratio, MIN, |frequency| is_usable(frequency * ratio * spacing))
}

/// The widest spacing at which the mesh can show every octave. `None` if it is out of range.
fn spacing_for_all(noise: &NoiseSettings, chunks: &ChunkSettings) -> Option<String> {
    const MIN: f64 = 0.1;
    let highest = highest_frequency(noise);
    rounded_down(MAX_CELLS_PER_SAMPLE / highest, MIN, |metres| {
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
        warnings(settings).iter().map(ToString::to_string).collect()
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
        assert_eq!(warnings(&settings(&[layer(0.125_01, 1)])).len(), 1);
        let mut settings = settings(&[NoiseSettings { lacunarity: 2.5, ..layer(0.0032, 5) }]);
        assert_eq!(warnings(&settings), [], "0.0032 * 2.5^4 is 0.125, except for rounding");
        settings.chunks.spacing = 4.001;
        assert!(warnings(&settings)[0].message.starts_with("octave 5 has 0.51 cycles"), "{:?}", warnings(&settings));
    }

    #[test]
    fn the_spacing_is_that_of_the_grid() {
        let mut settings = settings(&[layer(0.5 / 3.7, 1)]);
        // The grid rounds it to 3.7002 m.
        settings.chunks.spacing = 3.7;
        let [warning] = &warnings(&settings)[..] else { panic!("{:?}", warnings(&settings)) };
        assert!(warning.message.ends_with("a spacing of at most 3.6 m"), "{warning}");
        settings.chunks.spacing = 0.0999;
        assert_eq!(warnings(&settings), [], "the layout raises the spacing to its minimum");
    }

    #[test]
    fn octaves_above_the_maximum_frequency_do_not_count() {
        let limited = |max_frequency| settings(&[NoiseSettings { max_frequency, ..layer(0.001, 16) }]);
        assert_eq!(warnings(&limited(0.125)), []);
        assert_eq!(warnings(&limited(0.2)).len(), 1);
    }

    #[test]
    fn octaves_without_effect_give_no_warning() {
        let flat = NoiseSettings { height_scale: 0.0, ..layer(0.001, 16) };
        let alone = NoiseSettings { persistence: 0.0, ..layer(0.001, 16) };
        let still = NoiseSettings { warp_strength: 0.0, warp_frequency: 1.0, ..layer(0.001, 4) };
        assert_eq!(warnings(&settings(&[flat, alone, still])), []);
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
            let [warning] = &warnings(&settings)[..] else { continue };
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
                assert_eq!(warnings(&fixed), [], "after {remedy} of {warning}");
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
            let _ = warnings(&settings);
            settings.chunks.spacing = number;
            settings.field.layers[0].noise_mut().expect("a layer of noise").frequency = 0.3;
            let _ = warnings(&settings);
        }
    }

    #[test]
    fn gullies_dunes_and_valleys_are_checked_too() {
        let found = |kind: &str| {
            let settings = TerrainSettings::from_ron(&format!("(version: 2, field: (layers: [(kind: {kind})]))"));
            texts(&settings.unwrap_or_else(|error| panic!("{error}")))
        };
        let too_many = "cycles per vertex spacing (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps; use";
        for (kind, expected) in [
            (
                "Erosion(gully_length: 10.0, octaves: 8)",
                format!("octaves`: size 2 of the gullies has 0.80 {too_many} 1 octave"),
            ),
            ("Erosion(gully_length: 10.0, octaves: 1)", String::new()),
            (
                "Dunes(wavelength: 1.0)",
                format!(
                    "wavelength`: the row of dunes has 4.00 {too_many} a longer wavelength, or a spacing of at most 0.5 m"
                ),
            ),
            (
                "Carve(wavelength: 20.0, octaves: 4)",
                format!(
                    "wavelength`: the finest octave of the bends has 1.35 {too_many} a longer wavelength, or a spacing of at most 1.4 m"
                ),
            ),
            ("Erosion(gully_length: 10.0, octaves: 8, strength: 0.0)", String::new()),
            ("Dunes(wavelength: 1.0, height: 0.0)", String::new()),
            ("Carve(wavelength: 20.0, octaves: 4, depth: 0.0)", String::new()),
            ("Erosion(gully_length: 128.0, octaves: 5)", String::new()),
            ("Dunes(wavelength: 8.0)", String::new()),
            ("Carve(wavelength: 60.0, octaves: 4)", String::new()),
        ] {
            let expected: Vec<String> =
                (!expected.is_empty()).then(|| format!("`field.layers[0].kind.{expected}")).into_iter().collect();
            assert_eq!(found(kind), expected, "{kind}");
        }
    }

    #[test]
    fn layers_that_are_off_give_no_warning() {
        let mut settings = settings(&[layer(0.001, 9)]);
        let fine = settings.field.layers[0].clone();
        settings.field.layers.push(LayerKind::Group(Group::from(vec![fine])).into());
        assert_eq!(warnings(&settings).len(), 2);
        settings.field.layers[1].enabled = false;
        assert_eq!(warnings(&settings).len(), 1, "a group hides its layers");
        settings.field.layers[0].opacity = 0.0;
        assert_eq!(warnings(&settings), []);
    }

    #[test]
    fn a_wavelength_and_the_noises_of_masks_and_groups_are_checked_too() {
        let text = "(field: (layers: [
            (kind: Noise(wavelength: 6.0, octaves: 3)),
            (masks: [Noise(noise: (octaves: 9))], kind: Constant()),
            (kind: Group(warp_strength: 20.0, warp_frequency: 0.1, warp_octaves: 3)),
        ]))";
        let settings = TerrainSettings::from_ron(text).expect("the text is valid");
        let found: Vec<String> = texts(&settings)
            .iter()
            .map(|text| {
                text.replace(" (4 m), more than the 0.5 that the mesh can show, so it looks like random bumps", "")
            })
            .collect();
        assert_eq!(
            found,
            [
                "`field.layers[0].kind.wavelength`: octave 1 has 0.67 cycles per vertex spacing; use a longer wavelength, or a spacing of at most 0.75 m",
                "`field.layers[1].masks[0].noise.octaves`: octave 8 has 0.51 cycles per vertex spacing; use 7 octaves, or a spacing of at most 1.9 m",
                "`field.layers[2].kind.warp_octaves`: octave 2 of the warp has 0.80 cycles per vertex spacing; use 1 warp octave, or a spacing of at most 1.2 m",
            ]
        );
    }
}
