//! The fields of a noise by name, for `--set` and `--compare`.

use crate::names::nearest;
use perlin_terrain::noise::NoiseSettings;
use perlin_terrain::param::{Param, ParamMut, ParamVisitor, Params};

/// Sets the field `name` to `value`.
///
/// # Errors
///
/// The mistake and the allowed values, if there is no such field, or if it does not take the value.
pub fn set(settings: &mut NoiseSettings, name: &str, value: &str) -> Result<(), String> {
    let mut result = Err(None);
    settings.visit(&mut ParamVisitor::new(&mut |path, param, mut field| {
        if path == name {
            let parsed = param.parse(value, &field).map(|value| _ = field.set(value));
            result = parsed.map_err(|error| Some(wrong_value(name, value, &error.allowed, &field)));
        }
    }));
    result.map_err(|error| error.unwrap_or_else(|| unknown(name)))
}

/// The mistake in the value of a field.
fn wrong_value(name: &str, value: &str, allowed: &str, field: &ParamMut<'_>) -> String {
    if value.is_empty() {
        return format!("`{name}` has no value, allowed: {allowed}");
    }
    let switch: &[_] = if matches!(field, ParamMut::Switch(_)) { &["true", "false"] } else { &[] };
    match nearest(field.names().into_iter().chain(switch.iter().copied()), value) {
        Some(meant) => format!("`{name}` is {value}, did you mean {meant}? allowed: {allowed}"),
        None => format!("`{name}` is {value}, allowed: {allowed}"),
    }
}

/// Values to compare of the field `name`, as typed, and what it takes.
///
/// # Errors
///
/// The allowed names, if there is no such field.
pub fn example(name: &str) -> Result<(String, String), String> {
    let mut found = None;
    each(|param, field| {
        if param.name == name {
            let values = match field {
                ParamMut::Count(_) => "1..4".to_owned(),
                ParamMut::Switch(_) => "true,false".to_owned(),
                ParamMut::Choice(_) => field.names()[..2].join(","),
                _ => format!("{},{}", param.min, param.max),
            };
            found = Some((values, param.allowed_text(field)));
        }
    });
    found.ok_or_else(|| unknown(name))
}

/// The names of all fields.
pub fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    each(|param, _| names.push(param.name));
    names
}

/// A line for each field: name, what it takes, what it does.
pub fn list() -> Vec<String> {
    let mut lines = Vec::new();
    each(|param, field| {
        lines.push(format!("{:<15} {}", param.name, param.help));
        lines.push(format!("{:<15} allowed: {}", "", param.allowed_text(field)));
    });
    lines
}

fn each(mut visit: impl FnMut(&'static Param, &ParamMut<'_>)) {
    NoiseSettings::default().visit(&mut ParamVisitor::new(&mut |_, param, field| visit(param, &field)));
}

fn unknown(name: &str) -> String {
    let names = names();
    let known = nearest(names.iter().copied().chain(["cell", "seed"]), name);
    let hint = known.map_or(":".to_owned(), |known| format!(", did you mean `{known}`?"));
    format!("unknown field `{name}`{hint} must be one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_terrain::noise::{Fade, FractalShape};

    #[test]
    fn every_kind_of_field_can_be_set() {
        let mut settings = NoiseSettings::default();
        for (name, value) in [
            ("octaves", "3"),
            ("frequency", "0.25"),
            ("height_scale", "-1e3"),
            ("offset_octaves", "false"),
            ("fade", "Linear"),
            ("shape", "Ridged"),
        ] {
            assert_eq!(set(&mut settings, name, value), Ok(()), "{name}");
        }
        let expected = NoiseSettings {
            octaves: 3,
            frequency: 0.25,
            height_scale: -1000.0,
            offset_octaves: false,
            fade: Fade::Linear,
            shape: FractalShape::Ridged,
            ..NoiseSettings::default()
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn a_wrong_value_is_answered_with_what_is_allowed_and_changes_nothing() {
        let mut settings = NoiseSettings::default();
        for (name, value, expected) in [
            ("persistence", "1.5", "`persistence` is 1.5, allowed: 0 to 1"),
            ("persistence", "NaN", "`persistence` is NaN, allowed: 0 to 1"),
            ("frequency", "x", "`frequency` is x, allowed: 0.000001 to 1 per m"),
            ("warp_octaves", "1.5", "`warp_octaves` is 1.5, allowed: a whole number, 1 to 8"),
            ("offset_octaves", "yes", "`offset_octaves` is yes, allowed: true, false"),
            ("fade", "linear", "`fade` is linear, did you mean Linear? allowed: Linear, Cubic, Quintic, MinimalCubic"),
            (
                "fade",
                "minimal_cubic",
                "`fade` is minimal_cubic, did you mean MinimalCubic? allowed: Linear, Cubic, Quintic, MinimalCubic",
            ),
            ("fade", "smooth", "`fade` is smooth, allowed: Linear, Cubic, Quintic, MinimalCubic"),
            ("fade", "", "`fade` has no value, allowed: Linear, Cubic, Quintic, MinimalCubic"),
            ("octaves", "", "`octaves` has no value, allowed: a whole number, 0 to 32"),
            ("shape", "RIDGED", "`shape` is RIDGED, did you mean Ridged? allowed: Fbm, Ridged, Billow, Hybrid, Damped"),
            ("sum", "clamp", "`sum` is clamp, did you mean Clamped? allowed: Normalized, Raw, Clamped"),
            ("offset_octaves", "True", "`offset_octaves` is True, did you mean true? allowed: true, false"),
        ] {
            assert_eq!(set(&mut settings, name, value), Err(expected.to_owned()));
        }
        assert_eq!(settings, NoiseSettings::default());
    }

    #[test]
    fn an_unknown_field_is_answered_with_the_nearest_and_all_of_them() {
        let mut settings = NoiseSettings::default();
        let text = set(&mut settings, "octave", "3").unwrap_err();
        assert!(
            text.starts_with("unknown field `octave`, did you mean `octaves`? must be one of shape, octaves, "),
            "{text}"
        );
        let text = set(&mut settings, "Fade", "3").unwrap_err();
        assert!(text.starts_with("unknown field `Fade`, did you mean `fade`? must be one of "), "{text}");
        let text = set(&mut settings, "zzz", "3").unwrap_err();
        assert!(text.starts_with("unknown field `zzz`: must be one of "), "{text}");
    }

    #[test]
    fn every_field_has_values_to_compare_that_are_allowed() {
        let mut settings = NoiseSettings::default();
        for name in names() {
            let (values, _) = example(name).expect("there is such a field");
            let values = if values == "1..4" { vec!["1", "4"] } else { values.split(',').collect() };
            assert_eq!(values.len(), 2, "{name}");
            for value in values {
                assert_eq!(set(&mut settings, name, value), Ok(()));
            }
        }
        assert!(example("octave").unwrap_err().contains("did you mean `octaves`?"));
    }

    #[test]
    fn the_list_has_every_field() {
        let lines = list();
        for name in names() {
            assert!(lines.iter().any(|line| line.starts_with(&format!("{name} "))), "{name}");
        }
        assert!(lines.iter().any(|line| line.ends_with("allowed: a whole number, 1 to 8")), "{lines:?}");
    }
}
