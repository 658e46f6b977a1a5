//! Reading a settings file, with every problem named by its place and field.

use super::outline::{Outline, OutlineEntry, line_and_column, offset_of, skip_space};
use super::{SettingsError, SettingsProblem, TerrainSettings};
use crate::param::{Param, ParamValue, ParamVisitor, Params, parent_path, path_ends_with_index};
use ron::error::{Error as RonError, SpannedError};
use std::ops::Range;

/// More problems than anybody reads at once.
const MAX_PROBLEMS: usize = 20;

impl TerrainSettings {
    /// Reads and checks a settings file. Fields that are left out have their defaults.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, in the order of the file: unknown fields, values of a wrong kind and values
    /// out of range are all reported together, up to twenty; a text with unbalanced brackets or commas gives the first such
    /// place.
    pub fn from_ron(text: &str) -> Result<Self, SettingsError> {
        // Some editors begin a file with an invisible mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let outline = Outline::of(text);
        let mut problems = Vec::new();
        // RON stops at the first problem. To report the others too, the wrong field is blanked out, which leaves the
        // default, and the text is read again.
        let mut remaining = text.to_owned();
        let settings = loop {
            match ron::from_str::<Self>(&remaining) {
                Ok(settings) => break Some(settings),
                Err(error) => {
                    let (problem, blank) = describe(text, &remaining, &error);
                    problems.push(problem);
                    match blank {
                        Some(range) if problems.len() < MAX_PROBLEMS => blank_out(&mut remaining, range),
                        _ => break None,
                    }
                }
            }
        };
        let invalid = settings.as_ref().and_then(|settings| settings.validate().err()).unwrap_or_default();
        let room = MAX_PROBLEMS.saturating_sub(problems.len());
        problems.extend(invalid.into_iter().take(room).map(|error| {
            let offset = outline.find(&error.path).map_or(0, |entry| entry.value.start);
            problem_at(text, offset, &error.path, error.to_string())
        }));
        problems.sort_by_key(|problem| (problem.line, problem.column));
        match settings {
            Some(settings) if problems.is_empty() => Ok(settings),
            _ => Err(SettingsError { problems }),
        }
    }
}

fn problem_at(text: &str, offset: usize, path: &str, message: String) -> SettingsProblem {
    let (line, column) = line_and_column(text, offset);
    SettingsProblem { line, column, path: path.to_owned(), message }
}

/// Replaces a field by spaces, its comma too, keeping every other character where it is.
fn blank_out(text: &mut String, range: Range<usize>) {
    let comma = skip_space(text, range.end);
    if text[comma..].starts_with(',') {
        text.replace_range(comma..=comma, " ");
    }
    let blank: String = text[range.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(range, &blank);
}

/// The problem behind a reader's error, and the field to blank out to go on reading, if there is one.
///
/// `remaining` is `text` with the fields of earlier problems blanked out; both have the same bytes elsewhere.
fn describe(text: &str, remaining: &str, error: &SpannedError) -> (SettingsProblem, Option<Range<usize>>) {
    let outline = Outline::of(remaining);
    let start = offset_of(remaining, error.span.start.line, error.span.start.col);
    let end = offset_of(remaining, error.span.end.line, error.span.end.col);
    match &error.code {
        RonError::NoSuchStructField { expected, found, .. } => {
            // The reader may point at the name or just behind it.
            let entry = outline
                .at(start)
                .filter(|entry| remaining[entry.field.clone()].starts_with(found.as_str()))
                .or_else(|| outline.at(start.saturating_sub(1)));
            let message = unknown_name("field", found, expected);
            match entry.filter(|entry| remaining[entry.field.clone()].starts_with(found.as_str())) {
                Some(entry) => (problem_at(text, entry.field.start, &entry.path, message), Some(entry.field.clone())),
                None => (problem_at(text, start, "", message), None),
            }
        }
        code if is_wrong_value(code, &outline, start) => {
            // The innermost value that the reader had in hand: a leaf of the settings, where it is one.
            let entry = outline
                .at(start)
                .into_iter()
                .chain(outline.at(end))
                .find_map(|entry| parameter_of(&outline, &entry.path));
            let Some((entry, param)) = entry else {
                return wrong_part(text, &outline, start, code);
            };
            let found = shortened(&remaining[entry.value.clone()]);
            let message = format!("`{}` is {found}, allowed: {}", entry.path, expectation(&entry.path, param));
            (problem_at(text, entry.value.start, &entry.path, message), Some(entry.field.clone()))
        }
        code => {
            let path = outline.at(start).map_or("", |entry| named_path(&entry.path));
            let place = if path.is_empty() { String::new() } else { format!(", in or after `{path}`") };
            (problem_at(text, start, path, format!("{}{place}", plain_words(code))), None)
        }
    }
}

/// A struct or a list of the settings that is something else in the file.
fn wrong_part(text: &str, outline: &Outline, start: usize, code: &RonError) -> (SettingsProblem, Option<Range<usize>>) {
    // A list's item has no name to blank out with: its list has.
    let mut entry = outline.at(start);
    while let Some(item) = entry.filter(|entry| path_ends_with_index(&entry.path)) {
        entry = outline.find(parent_path(&item.path));
    }
    match entry.filter(|entry| !entry.path.is_empty()) {
        Some(OutlineEntry { path, field, value }) => {
            let message = format!("`{path}` can't be read: {}", plain_words(code));
            (problem_at(text, value.start, path, message), (field.start < value.start).then(|| field.clone()))
        }
        None => (problem_at(text, start, "", plain_words(code)), None),
    }
}

/// The first line of a value, cut where it gets long.
fn shortened(value: &str) -> String {
    const MOST: usize = 40;
    let line = value.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        _ if value.is_empty() => "missing".to_owned(),
        Some((end, _)) => format!("{}...", &line[..end]),
        None if line.len() < value.len() => format!("{line}..."),
        None => line.to_owned(),
    }
}

/// `path` without steps that are places in a tuple: what a person wrote has names.
fn named_path(path: &str) -> &str {
    let mut path = path;
    while path.rsplit('.').next().is_some_and(|last| !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit())) {
        path = parent_path(path);
    }
    path
}

/// The reader's own words, as part of a sentence.
fn plain_words(code: &RonError) -> String {
    match code {
        // What it says would lead to raw identifiers, which nothing here has.
        RonError::InvalidIdentifier(found) | RonError::SuggestRawIdentifier(found) => {
            format!("expected a name, found `{found}`")
        }
        code => lower_case_start(&code.to_string()),
    }
}

/// Whether the text is sound and only a value is of a wrong kind.
fn is_wrong_value(code: &RonError, outline: &Outline, start: usize) -> bool {
    // A comma that is missed in the middle of a value: `2.5` where a whole number ends at the point.
    if *code == RonError::ExpectedComma {
        return outline.at(start).is_some_and(|entry| entry.value.start < start && start < entry.value.end);
    }
    // A colour with too many channels, or a value that goes on where it should end.
    if *code == RonError::ExpectedStructLikeEnd {
        return outline.at(start).is_some_and(|entry| parameter_of(outline, &entry.path).is_some());
    }
    matches!(
        code,
        RonError::ExpectedArray
            | RonError::ExpectedBoolean
            | RonError::ExpectedFloat
            | RonError::ExpectedInteger
            | RonError::ExpectedString
            | RonError::ExpectedIdentifier
            | RonError::ExpectedStructLike
            | RonError::ExpectedNamedStructLike(_)
            | RonError::IntegerOutOfBounds
            | RonError::InvalidIntegerDigit { .. }
            | RonError::FloatUnderscore
            | RonError::UnderscoreAtBeginning
            | RonError::InvalidValueForType { .. }
            | RonError::ExpectedDifferentLength { .. }
            | RonError::NoSuchEnumVariant { .. }
            | RonError::InvalidIdentifier(_)
            | RonError::SuggestRawIdentifier(_)
    )
}

/// The parameter at `path`, or the one that `path` is a part of, such as a colour's channel.
fn parameter_of<'a>(outline: &'a Outline, path: &str) -> Option<(&'a OutlineEntry, &'static Param)> {
    let mut path = path;
    loop {
        if let Some(param) = find_param(path) {
            return outline.find(path).map(|entry| (entry, param));
        }
        if path.is_empty() {
            return None;
        }
        path = parent_path(path);
    }
}

/// What is known about the parameter at `path`, whichever item of a list it is in.
fn find_param(path: &str) -> Option<&'static Param> {
    let wanted = first_items(path);
    let mut found = None;
    TerrainSettings::default().visit(&mut ParamVisitor::new(&mut |here, param, _| {
        if here == wanted {
            found = Some(param);
        }
    }));
    found
}

/// `path` with every list index replaced by 0.
fn first_items(path: &str) -> String {
    let mut parts = path.split('[');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("[0");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// What kind of value a parameter takes, and from where to where.
fn expectation(path: &str, param: &Param) -> String {
    match TerrainSettings::default().get(&first_items(path)) {
        Some(ParamValue::Float(_)) => format!("a number, {}", param.allowed()),
        Some(ParamValue::Count(_)) => format!("a whole number, {}", param.allowed()),
        Some(ParamValue::Seed(_)) => "a whole number, 0 to 18446744073709551615".to_owned(),
        Some(ParamValue::Switch(_)) => "true or false".to_owned(),
        Some(ParamValue::Colour(_)) => "red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)".to_owned(),
        Some(ParamValue::Choice(_)) | None => alternatives(path),
    }
}

/// The names that a choice takes.
fn alternatives(path: &str) -> String {
    let wanted = first_items(path);
    let mut names: &[&str] = &[];
    TerrainSettings::default().visit(&mut ParamVisitor::new(&mut |here, _, value| {
        if here == wanted {
            names = value.alternatives();
        }
    }));
    names.join(", ")
}

fn unknown_name(kind: &str, found: &str, expected: &[&str]) -> String {
    let near =
        expected.iter().map(|name| (edit_distance(found, name), name)).min().filter(|(distance, _)| *distance <= 2);
    let hint = near.map_or(String::new(), |(_, name)| format!(", did you mean `{name}`?"));
    format!("unknown {kind} `{found}`{hint} allowed: {}", expected.join(", ")).replace("` allowed", "`, allowed")
}

/// Letters to insert, remove or replace to turn `a` into `b` (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

fn lower_case_start(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
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
        let text = "(\n  field: (layers: [\n    (octaves: 40),\n    (persistence: -0.5, size: 10),\n  ]),\n  chunks: (quads: 65),\n)";
        assert_eq!(
            problems(text),
            [
                "3:15: `field.layers[0].octaves` is 40, allowed: 1 to 16",
                "4:19: `field.layers[1].persistence` is -0.5, allowed: 0 to 1",
                "6:19: `chunks.quads` is 65, allowed: a power of two, 8 to 128",
            ]
        );
    }

    #[test]
    fn wrong_kinds_unknown_fields_and_ranges_come_in_one_report() {
        let text = "(\n  field: (sed: 3, base_height: \"high\", layers: [(octaves: -3, frequency: 9.0)]),\n  look: (watr: true, sand: (1.0, 0.5)),\n)";
        assert_eq!(
            problems(text),
            [
                "2:11: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers",
                "2:32: `field.base_height` is \"high\", allowed: a number, -10000 to 10000 m",
                "2:59: `field.layers[0].octaves` is -3, allowed: a whole number, 1 to 16",
                "2:74: `field.layers[0].frequency` is 9.0, allowed: 0.000001 to 1 per m",
                "3:10: unknown field `watr`, did you mean `water`? allowed: sand, grass, meadow, rock, snow, sand_height, snow_height, blend_height, rock_slope, variation, water, water_height, water_colour",
                "3:28: `look.sand` is (1.0, 0.5), allowed: red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)",
            ]
        );
    }

    #[test]
    fn an_unknown_choice_names_the_alternatives() {
        assert_eq!(
            problems("(field: (layers: [(shape: Rigged)]))"),
            ["1:27: `field.layers[0].shape` is Rigged, allowed: Smooth, Ridged, Billow"]
        );
    }

    #[test]
    fn a_choice_of_a_wrong_kind_names_the_alternatives_too() {
        for wrong in ["\"Ridged\"", "3", "Ridged(3)", "(1)"] {
            let found = problems(&format!("(field: (layers: [(shape: {wrong})]), chunks: (quads: 3))"));
            assert_eq!(found.len(), 2, "{found:?}");
            let expected = format!("1:27: `field.layers[0].shape` is {wrong}, allowed: Smooth, Ridged, Billow");
            assert_eq!(found[0], expected);
        }
    }

    #[test]
    fn a_part_of_a_wrong_kind_is_named_and_the_rest_is_read() {
        for (wrong, path) in [
            ("field: 3", "field"),
            ("field: (layers: (size: 3))", "field.layers"),
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
    fn an_invisible_mark_at_the_beginning_is_no_mistake() {
        assert_eq!(TerrainSettings::from_ron("\u{feff}(field: (seed: 3))").map(|s| s.field.seed), Ok(3));
    }

    #[test]
    fn a_hopeless_file_gives_a_short_report() {
        let layers = "(octaves: 99, size: 1e9),".repeat(3000);
        let found = problems(&format!("(field: (layers: [{layers}]))"));
        assert_eq!(found.len(), MAX_PROBLEMS);
        let found = problems(&format!("(chunks: (quads: \"{}\"))", "x".repeat(10_000)));
        assert!(found[0].len() < 200, "{}", found[0]);
    }

    #[test]
    fn a_text_that_is_no_ron_names_the_place() {
        let found = problems("(\n  field: (seed: 3,\n  chunks: (quads: 64),\n");
        assert!(
            found.iter().any(|problem| problem.contains("unexpected end of RON, in or after `field`")),
            "{found:?}"
        );
        assert!(found.iter().any(|problem| problem.starts_with("3:3: unknown field `chunks`")), "{found:?}");
        let found = problems("(field: (seed: 3 base_height: 2.0))");
        assert_eq!(found, ["1:18: expected comma, in or after `field.base_height`"], "{found:?}");
        let found = problems("");
        assert!(found[0].starts_with("1:1: "), "{found:?}");
    }

    #[test]
    fn switches_counts_and_seeds_say_what_they_take() {
        let text = "(field: (seed: -1), look: (water: 1), stream: (max_tasks: 2.5))";
        assert_eq!(
            problems(text),
            [
                "1:16: `field.seed` is -1, allowed: a whole number, 0 to 18446744073709551615",
                "1:35: `look.water` is 1, allowed: true or false",
                "1:59: `stream.max_tasks` is 2.5, allowed: a whole number, 1 to 1024",
            ]
        );
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let good = "(field: (seed: 3, layers: [(octaves: 4), (size: 1.0)]), look: (sand: (0.1, 0.2, 0.3)))";
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
