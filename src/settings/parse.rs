//! Reads a settings file and reports every problem with its line, column and field.

use super::depth::{MAX_DEPTH, too_deep_at};
use super::error::{problem_at, text_place};
use super::example::example_of;
use super::explain::explain;
use super::outline::{Outline, skip_space};
use super::version::CurrentText;
use super::{SettingsError, SettingsProblem, TerrainSettings, file};
use crate::param::{ParamError, Params};
use ron::error::SpannedError;
use std::ops::Range;

/// The most problems in one report. A designer does not read more at once.
const MAX_PROBLEMS: usize = 20;

impl TerrainSettings {
    /// Parses and validates the text of a settings file. Missing fields get their defaults.
    ///
    /// # Errors
    ///
    /// Returns up to twenty problems of the text, in the order of the file: unknown fields, values of the wrong kind and values
    /// out of range. Parsing stops at the first syntax error, such as a missing bracket or comma.
    pub fn from_ron(text: &str) -> Result<Self, SettingsError> {
        let text = readable(text)?;
        let current = CurrentText::of(text)?;
        let format = Format { parse: file::parse, example: example_of, check: |settings| settings.validate() };
        match read(&current.text, &format) {
            Ok(mut settings) => {
                settings.field.pin_streams();
                Ok(settings)
            }
            Err(error) => {
                let problems = error.problems.into_iter().map(|problem| current.in_original(problem));
                let mut problems: Vec<_> = problems.collect();
                problems.sort_by_key(|problem| problem.place);
                Err(SettingsError { problems })
            }
        }
    }
}

/// A kind of settings file.
pub(crate) struct Format<T> {
    /// Parses a text.
    pub parse: fn(&str) -> Result<T, SpannedError>,
    /// Settings that have the parameter at a path of a text, to look up what it allows.
    pub example: fn(&str, &Outline, &str) -> T,
    /// Checks the ranges of all values.
    pub check: fn(&T) -> Result<(), Vec<ParamError>>,
}

/// The text without a byte order mark, with which some editors begin a file. An error if there is nothing to read in it.
pub(crate) fn readable(text: &str) -> Result<&str, SettingsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if skip_space(text, 0) == text.len() {
        let allowed = "settings in parentheses, where `()` means all defaults".to_owned();
        let problem = problem_at(text, 0, "", "the file is empty".to_owned(), Some(allowed));
        return Err(SettingsError { problems: vec![problem] });
    }
    if let Some(offset) = too_deep_at(text) {
        let wrong = "the brackets nest too deep".to_owned();
        let problem = problem_at(text, offset, "", wrong, Some(format!("up to {MAX_DEPTH} levels")));
        return Err(SettingsError { problems: vec![problem] });
    }
    Ok(text)
}

/// Parses and checks a [readable] text. An error has up to twenty problems, in the order of the file.
pub(crate) fn read<T: Params>(text: &str, format: &Format<T>) -> Result<T, SettingsError> {
    let outline = Outline::of(text);
    let mut problems = Vec::new();
    // The RON parser stops at the first problem. To find the others, blank out the wrong field, which then gets its default, and
    // parse again.
    let mut remaining = text.to_owned();
    let settings = loop {
        match (format.parse)(&remaining) {
            Ok(settings) => break Some(settings),
            Err(error) => {
                let (problem, blank) = explain(text, &remaining, &error, format.example);
                problems.push(problem);
                match blank {
                    Some(range) if problems.len() < MAX_PROBLEMS => blank_out(&mut remaining, range),
                    _ => break None,
                }
            }
        }
    };
    let invalid = settings.as_ref().and_then(|settings| (format.check)(settings).err()).unwrap_or_default();
    let room = MAX_PROBLEMS.saturating_sub(problems.len());
    problems.extend(invalid.into_iter().take(room).map(|error| {
        let offset = outline.nearest(&error.path).map_or(0, |entry| entry.value.start);
        SettingsProblem { place: Some(text_place(text, offset)), ..error.into() }
    }));
    match settings {
        Some(settings) if problems.is_empty() => Ok(settings),
        _ => {
            problems.sort_by_key(|problem| problem.place);
            Err(SettingsError { problems })
        }
    }
}

/// Replaces a field and its comma by spaces. All other characters keep their positions.
fn blank_out(text: &mut String, range: Range<usize>) {
    let comma = skip_space(text, range.end);
    if text[comma..].starts_with(',') {
        text.replace_range(comma..=comma, " ");
    }
    let blank: String = text[range.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(range, &blank);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let error = TerrainSettings::from_ron(text).expect_err("the text is wrong");
        error.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_out_of_range_are_reported_together_with_their_places() {
        let text = "(\n  field: (layers: [\n    (octaves: 40),\n    (persistence: -0.5, height_scale: 10),\n  ]),\n  chunks: (quads: 65),\n)";
        assert_eq!(
            problems(text),
            [
                "3:15: `field.layers[0].kind.octaves` is 40, allowed: 0 to 32",
                "4:19: `field.layers[1].kind.persistence` is -0.5, allowed: 0 to 1",
                "6:19: `chunks.quads` is 65, allowed: a power of two, 8 to 128",
            ]
        );
    }

    #[test]
    fn one_report_has_wrong_kinds_unknown_fields_and_ranges() {
        let text = "(\n  field: (sed: 3, base_height: \"high\", layers: [(octaves: -3, frequency: 9.0)]),\n  look: (watr: true, sand: (1.0, 0.5)),\n)";
        assert_eq!(
            problems(text),
            [
                "2:11: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers",
                "2:32: `field.base_height` is \"high\", allowed: a number, -10000 to 10000 m",
                "2:59: `field.layers[0].kind.octaves` is -3, allowed: a whole number, 0 to 32",
                "2:74: `field.layers[0].kind.frequency` is 9.0, allowed: 0.000001 to 1 per m",
                "3:10: unknown field `watr`, did you mean `water`? allowed: sand, grass, meadow, rock, snow, sand_texture, grass_texture, meadow_texture, rock_texture, snow_texture, sand_height, snow_height, blend_height, rock_slope, variation, water, water_height, water_color, layers, pictures",
                "3:28: `look.sand` is (1.0, 0.5), allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ]
        );
    }

    #[test]
    fn an_unknown_choice_names_the_alternatives() {
        assert_eq!(
            problems("(field: (layers: [(shape: Rigged)]))"),
            ["1:27: `field.layers[0].kind.shape` is Rigged, allowed: Fbm, Ridged, Billow, Hybrid, Damped"]
        );
    }

    #[test]
    fn a_choice_of_a_wrong_kind_names_the_alternatives_too() {
        for wrong in ["\"Ridged\"", "3", "Ridged(3)", "(1)"] {
            let found = problems(&format!("(field: (layers: [(shape: {wrong})]), chunks: (quads: 3))"));
            assert_eq!(found.len(), 2, "{found:?}");
            let expected =
                format!("1:27: `field.layers[0].kind.shape` is {wrong}, allowed: Fbm, Ridged, Billow, Hybrid, Damped");
            assert_eq!(found[0], expected);
        }
    }

    #[test]
    fn a_part_of_a_wrong_kind_is_named_and_the_rest_is_read() {
        for (wrong, path) in [
            ("field: 3", "field"),
            ("field: (layers: (height_scale: 3))", "field.layers"),
            ("field: (layers: [5])", "field.layers"),
            ("look: [1, 2]", "look"),
            ("look: (sand: (1, 1, 1, 1))", "look.sand"),
        ] {
            let error = TerrainSettings::from_ron(&format!("({wrong}, chunks: (quads: 3))")).expect_err("wrong");
            let paths: Vec<&str> = error.problems.iter().map(|problem| problem.path.as_str()).collect();
            assert_eq!(paths, [path, "chunks.quads"], "{wrong}: {error}");
        }
    }

    #[test]
    fn comments_before_commas_do_not_confuse_the_report() {
        assert_eq!(problems("(field: (sed: 3 /* x */, seed: 2), chunks: (quads: 3 // y\n, spacing: 0))").len(), 3);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(TerrainSettings::from_ron("\u{feff}(field: (seed: 3))").map(|s| s.field.seed), Ok(3));
    }

    #[test]
    fn a_hopeless_file_gives_a_short_report() {
        let layers = "(octaves: 99, height_scale: 1e9),".repeat(3000);
        let found = problems(&format!("(field: (layers: [{layers}]))"));
        assert_eq!(found.len(), MAX_PROBLEMS);
        let found = problems(&format!("(chunks: (quads: \"{}\"))", "x".repeat(10_000)));
        assert!(found[0].len() < 200, "{}", found[0]);
    }

    #[test]
    fn a_value_that_is_not_written_has_the_place_of_what_it_is_in() {
        let text = "(version: 2, field: (layers: [
            (kind: Noise()),
            (masks: [Layer(from: 3.0)], kind: Constant()),
            (kind: Curve(points: [(from: 5.0), (to: 3.0)])),
        ]))";
        let allowed = "the name of a layer below it in the same list, and none of them has a name";
        assert_eq!(
            problems(text),
            [
                format!("3:22: `field.layers[1].masks[0].layer` is \"\", allowed: {allowed}"),
                "4:48: `field.layers[2].kind.points[1].from` is 0.0, allowed: at least 0.1 m above 5.0, the `from` of the \
                 point before"
                    .to_owned(),
            ]
        );
    }

    #[test]
    fn long_names_and_long_lists_give_short_reports() {
        let long = "x".repeat(500_000);
        let layers = |masks: &str, names: &[&str]| {
            let named: String = names.iter().map(|name| format!("(name: \"{name}\", kind: Constant()),")).collect();
            format!("(version: 2, field: (layers: [{named} (masks: [{masks}], kind: Constant())]))")
        };
        let many: Vec<String> = (10..41).map(|i| format!("{i}{}", "n".repeat(62))).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for (text, count) in [
            (layers(&"Layer(),".repeat(200_000), &[&long.repeat(4)]), 2),
            (layers(&format!("Layer(layer: \"{long}y\")"), &[&long, &long]), 3),
            (layers("Layer(layer: \"a\")", &[&"x".repeat(2000)]), 2),
            (layers("Layer(layer: \"10\")", &many), 1),
            (layers("Layer(layer: \"10\")", &[&"\u{200b}".repeat(64)]), 1),
            (layers("", &["a\\nb"]), 1),
            (format!("(version: 2, field: (layers: [(kind: Curve(points: [{}]))]))", "(),".repeat(1_300_000)), 1),
        ] {
            let found = problems(&text);
            assert_eq!(found.len(), count, "{found:?}");
            assert!(found.iter().all(|problem| problem.chars().count() < 1000), "{found:?}");
        }
        let found = problems(&layers("Layer(layer: \"10\")", &many));
        assert!(found[0].ends_with(" or 27 more"), "{found:?}");
    }

    #[test]
    fn a_syntax_error_has_its_place() {
        let found = problems("(\n  field: (seed: 3,\n  chunks: (quads: 64),\n");
        assert!(
            found.iter().any(|problem| problem.contains("unexpected end of RON, in or after `field`")),
            "{found:?}"
        );
        assert!(found.iter().any(|problem| problem.starts_with("3:3: unknown field `chunks`")), "{found:?}");
        let found = problems("(field: (seed: 3 base_height: 2.0))");
        assert_eq!(found, ["1:18: expected comma, in or after `field.base_height`"], "{found:?}");
    }

    #[test]
    fn a_file_without_settings_is_reported_as_empty() {
        for text in ["", "\u{feff}", " \r\n\t", "// nothing\n", "/* nothing /* at all */ */"] {
            let expected = "1:1: the file is empty, allowed: settings in parentheses, where `()` means all defaults";
            assert_eq!(problems(text), [expected], "{text:?}");
        }
        assert_eq!(TerrainSettings::from_ron("()"), Ok(TerrainSettings::default()));
    }

    #[test]
    fn a_text_that_nests_too_deep_is_rejected_with_its_place() {
        let text = format!("(\n// (\n{}", "Some(".repeat(1_000_000));
        assert_eq!(problems(&text), ["3:320: the brackets nest too deep, allowed: up to 64 levels"]);
    }

    #[test]
    fn errors_of_switches_counts_and_seeds_say_what_is_allowed() {
        let text = "(field: (seed: -1, layers: [(octaves: 2.5)]), look: (water: 1))";
        assert_eq!(
            problems(text),
            [
                "1:16: `field.seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
                "1:39: `field.layers[0].kind.octaves` is 2.5, allowed: a whole number, 0 to 32",
                "1:61: `look.water` is 1, allowed: true or false",
            ]
        );
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        let good = "(field: (seed: 3, layers: [(octaves: 4), (height_scale: 1.0)]), look: (sand: (0.1, 0.2, 0.3)))";
        for end in 0..good.len() {
            let _ = TerrainSettings::from_ron(&good[..end]);
        }
        for (at, _) in good.char_indices() {
            for insert in ["(", ")", "[", ",", ":", "\"", "-", "é", "nan", "1e999", "//", "/*", "#"] {
                let mut text = good.to_owned();
                text.insert_str(at, insert);
                let _ = TerrainSettings::from_ron(&text);
            }
        }
    }
}
