//! All parameters and presets as JSON, so that the page has the crate's own names, ranges, units and words.

use crate::json;
use perlin_fbm::param::{Param, ParamMut, ParamValue, ParamVisitor, Params, Scale};
use perlin_fbm::{NoisePreset, NoiseSettings};

/// An object with the lists `params` and `presets`.
pub fn describe() -> String {
    let mut params = Vec::new();
    NoiseSettings::default()
        .visit(&mut ParamVisitor::new(&mut |_, param, value| params.push(parameter(param, &value))));
    json::object([("params", json::list(params)), ("presets", json::list(NoisePreset::ALL.iter().map(preset)))])
}

fn parameter(param: &Param, value: &ParamMut<'_>) -> String {
    let kind = match value.get() {
        ParamValue::Float(_) => "float",
        ParamValue::Count(_) => "count",
        ParamValue::Seed(_) => "seed",
        ParamValue::Switch(_) => "switch",
        ParamValue::Color(_) => "color",
        ParamValue::Choice(_) => "choice",
        _ => "text",
    };
    let scale = match param.scale {
        Scale::Linear => "linear",
        Scale::Logarithmic => "logarithmic",
        _ => "powers of two",
    };
    json::object([
        ("name", json::string(param.name)),
        ("kind", json::string(kind)),
        ("unit", json::string(param.unit)),
        ("min", json::number(param.min)),
        ("max", json::number(param.max)),
        ("scale", json::string(scale)),
        ("help", json::string(param.help)),
        ("allowed", json::string(&param.allowed())),
        ("detail", param.is_detail.to_string()),
        ("choices", json::list(value.names().into_iter().map(json::string))),
    ])
}

fn preset(preset: &NoisePreset) -> String {
    let mut values = Vec::new();
    preset.settings().visit(&mut ParamVisitor::new(&mut |_, param, value| {
        values.push((param.name, json::string(&value.get().to_string())));
    }));
    json::object([
        ("name", json::string(preset.name)),
        ("title", json::string(preset.title)),
        ("source", json::string(preset.source)),
        ("values", json::object(values)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_and_preset_is_described() {
        let text = describe();
        let mut names = 0;
        NoiseSettings::default().visit(&mut ParamVisitor::new(&mut |_, param, _| {
            names += 1;
            assert!(text.contains(&json::string(param.help)), "{}", param.name);
        }));
        assert_eq!(text.matches(r#""kind":"#).count(), names);
        assert_eq!(text.matches(r#""source":"#).count(), NoisePreset::ALL.len());
        // A kind that the page has no control for.
        assert!(!text.contains(r#""kind":"color""#) && !text.contains(r#""scale":"powers of two""#));
    }
}
