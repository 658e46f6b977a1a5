//! Reads a settings file and reports every problem with its line, column and field.

use super::diagnosis::{Format, problems_of};
use super::error::{MAX_PROBLEMS, problem_at};
use super::example::example_of;
use super::file::{SettingsFile, dialect};
use super::version::check_version;
use super::{SettingsError, SettingsProblem, TerrainSettings};
use crate::param::{ParamError, Params};
use crate::ron_edit::{Document, MAX_DEPTH, TextPosition};
use serde::de::DeserializeOwned;

impl TerrainSettings {
    /// Parses and validates the text of a settings file. Missing fields get their defaults.
    ///
    /// # Errors
    ///
    /// Returns up to twenty problems of the text, in the order of the file: mistakes in the punctuation, such as a missing bracket,
    /// unknown fields, values of the wrong kind and values out of range.
    pub fn from_ron(text: &str) -> Result<Self, SettingsError> {
        let file = readable(text)?;
        check_version(&file)?;
        let format = Format { example: example_of, check: Self::validate };
        let mut settings = read::<SettingsFile, _>(&file, &format)?;
        settings.pin_streams();
        Ok(settings)
    }
}

/// Reads a text without its byte order mark, with which some editors begin a file. An error if there is nothing to read in it.
pub(crate) fn readable(text: &str) -> Result<Document<'_>, SettingsError> {
    let text = without_mark(text);
    let file = Document::parse(text);
    if file.is_empty() {
        let allowed = "settings in parentheses, where `()` means all defaults".to_owned();
        let problem = problem_at(text, 0, "", "the file is empty".to_owned(), Some(allowed));
        return Err(SettingsError { problems: vec![problem] });
    }
    if let Some(offset) = file.too_deep_at() {
        let wrong = "the brackets nest too deep".to_owned();
        let problem = problem_at(text, offset, "", wrong, Some(format!("up to {MAX_DEPTH} levels")));
        return Err(SettingsError { problems: vec![problem] });
    }
    Ok(file)
}

/// The text without a byte order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Parses a [readable] file as an `F` and checks the settings in it. An error has up to twenty problems, in the order of the file.
pub(crate) fn read<F, T>(file: &Document<'_>, format: &Format<T>) -> Result<T, SettingsError>
where
    F: DeserializeOwned + Into<T>,
    T: Params,
{
    let settings: T = match dialect().from_str::<F>(file.text()) {
        Ok(read) => read.into(),
        Err(error) => return Err(SettingsError { problems: problems_of::<F, T>(file.text(), format, &error) }),
    };
    let Err(invalid) = (format.check)(&settings) else { return Ok(settings) };
    let problem = |error: ParamError| {
        let position = TextPosition::of(file.text(), file.nearest(&error.path).range().start);
        SettingsProblem { position: Some(position), ..error.into() }
    };
    let mut problems: Vec<SettingsProblem> = invalid.into_iter().take(MAX_PROBLEMS).map(problem).collect();
    problems.sort_by_key(|problem| problem.position);
    Err(SettingsError { problems })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let error = TerrainSettings::from_ron(text).expect_err("the text is wrong");
        error.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_out_of_range_are_reported_together_with_their_positions() {
        let text = "(\n  field: (layers: [\n    (kind: Noise(octaves: 40)),\n    (kind: Noise(persistence: -0.5, height_scale: 10)),\n  ]),\n  chunks: (quads: 65),\n)";
        assert_eq!(
            problems(text),
            [
                "3:27: `field.layers[0].kind.octaves` is 40, allowed: 0 to 32",
                "4:31: `field.layers[1].kind.persistence` is -0.5, allowed: 0 to 1",
                "6:19: `chunks.quads` is 65, allowed: a power of two, 8 to 128",
            ]
        );
    }

    #[test]
    fn one_report_has_wrong_kinds_unknown_fields_and_ranges() {
        let text = "(\n  field: (sed: 3, base_height: \"high\", layers: [(kind: Noise(octaves: -3, frequency: 9.0))]),\n  look: (watr: true, water_color: (1.0, 0.5)),\n)";
        assert_eq!(
            problems(text),
            [
                "2:11: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers, edits",
                "2:32: `field.base_height` is \"high\", allowed: a number, -10000 to 10000 m",
                "2:71: `field.layers[0].kind.octaves` is -3, allowed: a whole number, 0 to 32",
                "2:86: `field.layers[0].kind.frequency` is 9.0, allowed: 0.000001 to 1 per m",
                "3:10: unknown field `watr`, did you mean `water`? allowed: water, waves, layers, images, water_color or 3 more",
                "3:35: `look.water_color` is (1.0, 0.5), allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ]
        );
    }

    #[test]
    fn edits_name_their_mistakes_like_layers() {
        let edits = |edits: &str| problems(&format!("(field: (edits: [\n{edits}\n]))"));
        let raise = "change: Raise()";
        for (wrong, expected) in [
            (
                format!("(shape: Circle(radius: -1.0, x: 2e9), {raise}, fade: \"far\")"),
                &[
                    "2:24: `field.edits[0].shape.radius` is -1.0, allowed: 0.1 to 10000 m",
                    "2:33: `field.edits[0].shape.x` is 2000000000.0, allowed: -1000000000 to 1000000000 m",
                    "2:62: `field.edits[0].fade` is \"far\", allowed: a number, 0 to 10000 m",
                ][..],
            ),
            (
                format!("(shape: Sphere(), {raise}),\n(shape: Path(points: [(x: 1, z: 2)]), {raise})"),
                &[
                    "2:9: `field.edits[0].shape` is Sphere(), allowed: Circle, Box, Path",
                    "3:22: `field.edits[1].shape.points` is a list of 1, allowed: 2 to 256 points",
                ],
            ),
            (
                format!("(shape: Path(points: [(x: 1, z: 2)]), {raise}),\n(shape: Box(), change: Hill())"),
                &[
                    "2:22: `field.edits[0].shape.points` is a list of 1, allowed: 2 to 256 points",
                    "3:9: `field.edits[1].shape` is not a circle, allowed: a circle, for a hill",
                ],
            ),
            (
                format!("(shape: Path(points: [(x: 1, z: 2), (x: 1, z: 20003)]), {raise})"),
                &[
                    "2:37: `field.edits[0].shape.points[1]` is 20001 m from the point before, allowed: up to 10000 m along x and along z",
                ],
            ),
            (
                "(shape: Circle(), change: Flatten(height: 30000.0, above: Sea))".to_owned(),
                &[
                    "2:43: `field.edits[0].change.height` is 30000.0, allowed: -20000 to 20000 m",
                    "2:59: `field.edits[0].change.above` is Sea, allowed: Ground, Zero",
                ],
            ),
            (
                "(shape: Circle())".to_owned(),
                &["2:1: `field.edits[0].change` is missing, allowed: Flatten, Fill, Cut, Raise, Hill"],
            ),
        ] {
            assert_eq!(edits(&wrong), expected, "{wrong}");
        }
        let many = format!("(shape: Circle(), {raise}),").repeat(257);
        assert_eq!(edits(&many), ["1:17: `field.edits` is a list of 257, allowed: up to 256 edits"]);
    }

    #[test]
    fn an_unknown_choice_names_the_alternatives() {
        assert_eq!(
            problems("(field: (layers: [(kind: Noise(shape: Rigged))]))"),
            [
                "1:39: `field.layers[0].kind.shape` is Rigged, did you mean `Ridged`? allowed: Fbm, Ridged, Billow, Hybrid, Damped"
            ]
        );
    }

    #[test]
    fn a_choice_of_a_wrong_kind_names_the_alternatives_too() {
        for wrong in ["\"Ridged\"", "3", "Ridged(3)", "(1)"] {
            let found = problems(&format!("(field: (layers: [(kind: Noise(shape: {wrong}))]), chunks: (quads: 3))"));
            assert_eq!(found.len(), 2, "{found:?}");
            let hint = match wrong {
                "3" => ",",
                "(1)" => ", without a name before its parentheses,",
                _ => ", did you mean `Ridged`?",
            };
            let expected = format!(
                "1:39: `field.layers[0].kind.shape` is {wrong}{hint} allowed: Fbm, Ridged, Billow, Hybrid, Damped"
            );
            assert_eq!(found[0], expected);
        }
    }

    #[test]
    fn a_part_of_a_wrong_kind_is_named_and_the_rest_is_read() {
        for (wrong, expected) in [
            ("field: 3", &["field"][..]),
            ("field: (layers: (kind: Noise()))", &["field.layers"]),
            ("field: (layers: [5])", &["field.layers[0]"]),
            ("look: [1, 2]", &["look"]),
            ("look: (water_color: (1, 1, 1, 1))", &["look.water_color"]),
        ] {
            let error = TerrainSettings::from_ron(&format!("({wrong}, chunks: (quads: 3))")).expect_err("wrong");
            let paths: Vec<&str> = error.problems.iter().map(|problem| problem.path.as_str()).collect();
            assert_eq!(paths, [expected, &["chunks.quads"]].concat(), "{wrong}: {error}");
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
        let layers = "(kind: Noise(octaves: 99, height_scale: 1e9)),".repeat(3000);
        let found = problems(&format!("(field: (layers: [{layers}]))"));
        assert_eq!(found.len(), MAX_PROBLEMS);
        let found = problems(&format!("(chunks: (quads: \"{}\"))", "x".repeat(10_000)));
        assert!(found[0].len() < 200, "{}", found[0]);
    }

    #[test]
    fn a_value_that_is_not_written_has_the_position_of_what_it_is_in() {
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
    fn a_syntax_error_has_its_position() {
        let found = problems("(\n  field: (seed: 3,\n  chunks: (quads: 64),\n");
        assert_eq!(
            found,
            [
                "1:1: `(` is not closed: `)` is missing at the end of the file",
                "2:10: `field: (` is not closed: `)` is missing before line 3",
            ]
        );
        let found = problems("(field: (seed: 3 base_height: 2.0))");
        assert_eq!(found, ["1:17: a comma is missing before `base_height`"]);
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
    fn a_text_that_nests_too_deep_is_rejected_with_its_position() {
        let text = format!("(\n// (\n{}", "Some(".repeat(1_000_000));
        assert_eq!(problems(&text), ["3:320: the brackets nest too deep, allowed: up to 64 levels"]);
    }

    #[test]
    fn errors_of_switches_counts_and_seeds_say_what_is_allowed() {
        let text = "(field: (seed: -1, layers: [(kind: Noise(octaves: 2.5))]), look: (water: 1))";
        assert_eq!(
            problems(text),
            [
                "1:16: `field.seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
                "1:51: `field.layers[0].kind.octaves` is 2.5, allowed: a whole number, 0 to 32",
                "1:74: `look.water` is 1, did you mean `true`? allowed: true or false",
            ]
        );
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        let good = "(field: (seed: 3, layers: [(kind: Noise(octaves: 4)), (kind: Noise(height_scale: 1.0))]), look: (water_color: (0.1, 0.2, 0.3)))";
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
