//! The lists of names to choose from.

use crate::field;
use crate::ramp::Ramp;
use clap::ValueEnum;
use perlin_terrain::noise::NoisePreset;

/// The presets, the fields and the colors, a line for each.
pub fn list() -> String {
    let presets = NoisePreset::ALL
        .iter()
        .map(|NoisePreset { name, title, source, .. }| format!("  {name:<15} {title:<15} {source}"));
    let fields = field::list().into_iter().map(|line| format!("  {line}"));
    let colors = Ramp::value_variants().iter().filter_map(ValueEnum::to_possible_value).map(|color| {
        format!("  {:<15} {}", color.get_name(), color.get_help().map_or(String::new(), ToString::to_string))
    });
    let mut lines = vec!["Presets, for --preset:".to_owned()];
    lines.extend(presets);
    lines.push("\nFields, for --set and --compare:".to_owned());
    lines.extend(fields);
    lines.push("\nColors, for --color:".to_owned());
    lines.extend(colors);
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_a_line_for_each_preset_field_and_color() {
        let list = list();
        for preset in NoisePreset::ALL {
            let is_its_line =
                |line: &str| line.starts_with(&format!("  {} ", preset.name)) && line.ends_with(preset.source);
            assert!(list.lines().any(is_its_line), "{}", preset.name);
        }
        for name in field::names().into_iter().chain(["clouds", "wood", "marble", "fire", "land"]) {
            assert!(list.lines().any(|line| line.starts_with(&format!("  {name} "))), "{name}");
        }
    }
}
