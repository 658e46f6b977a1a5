//! A noise as a settings file of the plugin.

use perlin_fbm::NoiseSettings;
use perlin_fbm::param::{ParamVisitor, Params};

/// A `.terrain.ron` file with one layer: `settings`. Its ground has the height that the image shows. Parameters at their
/// defaults are left out.
pub fn terrain_file(settings: &NoiseSettings, seed: u64) -> String {
    let mut defaults = Vec::new();
    NoiseSettings::default().visit(&mut ParamVisitor::new(&mut |_, _, value| defaults.push(value.get())));
    let mut defaults = defaults.into_iter();
    let mut fields = String::new();
    settings.clone().visit(&mut ParamVisitor::new(&mut |path, _, value| {
        if defaults.next() != Some(value.get()) {
            fields += &format!("                {path}: {},\n", value.get());
        }
    }));
    let layer = format!("            (kind: Noise(\n{fields}            )),\n");
    format!(
        "(\n    version: 2,\n    field: (\n        seed: {seed},\n        layers: [\n{layer}        ],\n    ),\n)\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_fbm::NoisePreset;
    use perlin_terrain::settings::TerrainSettings;

    #[test]
    fn the_file_reads_back_as_the_settings() {
        for preset in NoisePreset::ALL {
            let text = terrain_file(&preset.settings(), u64::MAX);
            let read = TerrainSettings::from_ron(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
            assert_eq!(read.field.seed, u64::MAX);
            assert_eq!(read.field.layers[0].noise(), Some(&preset.settings()), "{text}");
        }
    }
}
