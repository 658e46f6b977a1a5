//! Warnings about plants that grow nowhere.

use super::suggest::{allowed_names, meant_name};
use super::warning::empty_range;
use super::{SettingsWarning, TerrainSettings};
use crate::field::HeightField;
use crate::look::{LookSettings, SurfaceLayer};
use crate::plants::{PlantLayer, Plants};

/// The most characters of a name in a warning.
const MAX_NAME: usize = 64;

/// A warning for each layer of plants that names an unknown layer of the ground, that lies above or below all the ground, or has an empty
/// range.
pub(super) fn warnings(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    if settings.plants.is_empty() {
        return Vec::new();
    }
    let (lowest, highest) = HeightField::new(&settings.field).bounds();
    let mut found = Vec::new();
    for (index, layer) in settings.plants.iter().take(Plants::MAX_LAYERS).enumerate() {
        let path = format!("plants[{index}]");
        found.extend(unknown_names(settings, layer, &format!("{path}.on")));
        for (name, range) in SurfaceLayer::RANGES.into_iter().zip(layer.ranges()) {
            found.extend(empty_range(&format!("{path}.{name}"), range));
        }
        let [height, ..] = layer.ranges();
        // Noise moves the border by about this height.
        let reach = height.fade * (1.0 + layer.ragged);
        let mut nowhere = |is_nowhere: bool, end: &str, why: String| {
            if is_nowhere && !height.invert {
                let message = format!("{why}, so the plants grow nowhere");
                found.push(SettingsWarning { path: format!("{path}.height.{end}"), message });
            }
        };
        let no_higher = format!("no ground is higher than {highest:.1} m");
        nowhere(height.from - reach > highest.into(), "from", no_higher);
        nowhere(height.to + reach < lowest.into(), "to", format!("no ground is lower than {lowest:.1} m"));
    }
    found
}

/// A warning for each name of `on` that no layer of the ground has.
fn unknown_names(settings: &TerrainSettings, layer: &PlantLayer, path: &str) -> Vec<SettingsWarning> {
    let ground = settings.look.layers.iter().take(LookSettings::MAX_LAYERS);
    let known: Vec<&str> = ground.map(|layer| layer.name.as_str()).filter(|name| !name.is_empty()).collect();
    let unknown = layer.on.iter().take(PlantLayer::MAX_ON).filter(|name| !known.contains(&name.as_str()));
    let warning = |name: &String| {
        let short: String = name.chars().take(MAX_NAME).collect();
        let meant = meant_name(name, &known).map_or(String::new(), |meant| format!(", did you mean {meant:?}?"));
        let names = match known.is_empty() {
            true => "none has a name".to_owned(),
            false => format!("their names are {}", allowed_names(name, &known)),
        };
        let message = format!("no layer of the ground is called {short:?}{meant}; {names}");
        SettingsWarning { path: path.to_owned(), message }
    };
    unknown.map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_that_grow_nowhere_are_reported() {
        let warnings = |plants: &str| {
            let text = format!("(field: (base_height: 20.0, layers: []), plants: [(name: \"spruce\", {plants})])");
            let settings = TerrainSettings::from_ron(&text).expect("the text is valid");
            settings.warnings_in(&text).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let names = "their names are grass, dry grass, sand, scree, rock or 2 more";
        for (plants, expected) in [
            ("on: [\"grass\", \"snow\"]", None),
            (
                "on: [\"gras\"]",
                Some(format!(
                    "1:72: `plants[0].on`: no layer of the ground is called \"gras\", did you mean \"grass\"?; {names}"
                )),
            ),
            ("height: (from: 30.0, fade: 10.0)", None),
            (
                "ragged: 0.0, height: (from: 30.0, fade: 1.0)",
                Some(
                    "1:96: `plants[0].height.from`: no ground is higher than 20.0 m, so the plants grow nowhere"
                        .to_owned(),
                ),
            ),
            (
                "height: (to: 10.0, fade: 1.0)",
                Some(
                    "1:81: `plants[0].height.to`: no ground is lower than 20.0 m, so the plants grow nowhere"
                        .to_owned(),
                ),
            ),
            ("height: (to: 10.0, fade: 1.0, invert: true)", None),
            (
                "slope: (from: 0.6, to: 0.5)",
                Some(
                    "1:82: `plants[0].slope.from`: 0.6 is above `to`, which is 0.5, so the range is empty; set both"
                        .to_owned(),
                ),
            ),
        ] {
            assert_eq!(warnings(plants), Vec::from_iter(expected), "{plants}");
        }
    }
}
