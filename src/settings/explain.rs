//! Turns errors of the RON parser into problems: which field is wrong, why, and what is allowed.

use super::SettingsProblem;
use super::error::{cut, problem_at};
use super::names::without_old_fields;
use super::outline::{Outline, OutlineEntry, offset_of, written_name};
use crate::param::{Param, ParamValue, ParamVisitor, Params, first_items, parent_path, path_ends_with_index};
use ron::error::{Error as RonError, SpannedError};
use std::ops::Range;

/// Returns the problem behind a parser error, and the field to blank out before parsing again, if there is one.
///
/// `remaining` is `text` with the fields of earlier problems blanked out. All other bytes are equal. `example` returns settings that
/// have the parameter at a path.
pub(super) fn explain<T: Params>(
    text: &str,
    remaining: &str,
    error: &SpannedError,
    example: fn(&str, &Outline, &str) -> T,
) -> (SettingsProblem, Option<Range<usize>>) {
    let outline = Outline::of(remaining);
    let find_param = |path: &str| find_param(example(remaining, &outline, path), path);
    let start = offset_of(remaining, error.span.start.line, error.span.start.col);
    let end = offset_of(remaining, error.span.end.line, error.span.end.col);
    match &error.code {
        RonError::NoSuchStructField { expected, found, .. } => {
            // The parser may point at the name or just after it.
            let entry = outline
                .at(start)
                .filter(|entry| remaining[entry.field.clone()].starts_with(found.as_str()))
                .or_else(|| outline.at(start.saturating_sub(1)));
            let expected = without_old_fields(expected);
            let wrong = unknown_field(found, &expected);
            let allowed = Some(expected.join(", "));
            match entry.filter(|entry| remaining[entry.field.clone()].starts_with(found.as_str())) {
                Some(entry) => {
                    (problem_at(text, entry.field.start, &entry.path, wrong, allowed), Some(entry.field.clone()))
                }
                None => (problem_at(text, start, "", wrong, allowed), None),
            }
        }
        RonError::MissingStructField { field, .. } => {
            // The parser points at the end of the struct.
            let Some(entry) = outline.at(start.saturating_sub(1)).or_else(|| outline.at(start)) else {
                return (problem_at(text, start, "", format!("`{field}` is missing"), None), None);
            };
            let path = format!("{}.{field}", entry.path);
            let allowed = find_param(&path).map(|(param, allowed)| expectation(param, &allowed));
            (problem_at(text, entry.value.start, &path, "is missing".to_owned(), allowed).starting_with_path(), None)
        }
        RonError::DuplicateStructField { field, .. } => given_twice(text, remaining, &outline, start, field),
        code if is_wrong_value(code, &outline, start, &find_param) => {
            // The error's span may start before the value and end in it. Take the first end that lies in a parameter.
            let entry = outline
                .at(start)
                .into_iter()
                .chain(outline.at(end))
                .find_map(|entry| parameter_of(&outline, &entry.path, &find_param));
            let Some((entry, param, value)) = entry else {
                return wrong_part(text, &outline, start, code);
            };
            let found = shortened(&remaining[entry.value.clone()]);
            let allowed = Some(expectation(param, &value));
            let problem = problem_at(text, entry.value.start, &entry.path, format!("is {found}"), allowed);
            (problem.starting_with_path(), Some(entry.field.clone()))
        }
        code => {
            let path = outline.at(start).map_or("", |entry| named_path(&entry.path));
            let place = if path.is_empty() { String::new() } else { format!(", in or after `{path}`") };
            (problem_at(text, start, path, format!("{}{place}", plain_words(code)), None), None)
        }
    }
}

/// The problem of a field that the text sets twice. `start` is at the second one or just after it. One of the two may have an
/// old name.
fn given_twice(
    text: &str,
    remaining: &str,
    outline: &Outline,
    start: usize,
    name: &str,
) -> (SettingsProblem, Option<Range<usize>>) {
    let is_it = |entry: &&OutlineEntry| entry.path.rsplit('.').next() == Some(name);
    let before = || outline.at(start.saturating_sub(1));
    let Some(second) = outline.at(start).filter(is_it).or_else(|| before().filter(is_it)) else {
        return (problem_at(text, start, "", format!("`{name}` is set twice; remove one of them"), None), None);
    };
    let first = outline.find(&second.path).map_or(name, |first| written_name(remaining, first));
    let hint = [first, written_name(remaining, second)]
        .into_iter()
        .find(|written| *written != name)
        .map_or(String::new(), |old| format!(" (`{old}` is its old name)"));
    let wrong = format!("is set twice{hint}; remove one of them");
    let problem = problem_at(text, second.field.start, &second.path, wrong, None).starting_with_path();
    (problem, Some(second.field.clone()))
}

/// The problem of a struct or a list that the text gives as another kind of value.
fn wrong_part(text: &str, outline: &Outline, start: usize, code: &RonError) -> (SettingsProblem, Option<Range<usize>>) {
    // An item of a list has no name, so it can't be blanked out. Its list can.
    let mut entry = outline.at(start);
    while let Some(item) = entry.filter(|entry| path_ends_with_index(&entry.path)) {
        entry = outline.find(parent_path(&item.path));
    }
    match entry.filter(|entry| !entry.path.is_empty()) {
        Some(OutlineEntry { path, field, value }) => {
            let wrong = format!("can't be read: {}", plain_words(code));
            let problem = problem_at(text, value.start, path, wrong, None).starting_with_path();
            (problem, (field.start < value.start).then(|| field.clone()))
        }
        None => (problem_at(text, start, "", plain_words(code), None), None),
    }
}

/// The first line of a value, cut if it is long.
pub(super) fn shortened(value: &str) -> String {
    const MOST: usize = 40;
    let line = value.lines().next().unwrap_or_default();
    match cut(line.to_owned(), MOST) {
        _ if value.is_empty() => "missing".to_owned(),
        short if short == line && line.len() < value.len() => format!("{line}..."),
        short => short,
    }
}

/// `path` without positions in tuples at its end, such as the `.1` of `look.sand.1`. The designer knows fields by name.
fn named_path(path: &str) -> &str {
    let mut path = path;
    while path.rsplit('.').next().is_some_and(|last| !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit())) {
        path = parent_path(path);
    }
    path
}

/// The parser's own message, as part of a sentence.
fn plain_words(code: &RonError) -> String {
    match code {
        // The parser suggests raw identifiers here. Settings never need them.
        RonError::InvalidIdentifier(found) | RonError::SuggestRawIdentifier(found) => {
            format!("expected a name, found `{found}`")
        }
        code => lower_case_start(&code.to_string()),
    }
}

/// Whether the syntax is correct and only a value has the wrong kind.
fn is_wrong_value(
    code: &RonError,
    outline: &Outline,
    start: usize,
    find_param: &impl Fn(&str) -> Option<(&'static Param, Allowed)>,
) -> bool {
    // A comma expected in the middle of a value: in `2.5`, a whole number ends at the point.
    if *code == RonError::ExpectedComma {
        return outline.at(start).is_some_and(|entry| entry.value.start < start && start < entry.value.end);
    }
    // A color with too many channels, or another value that is longer than expected.
    if *code == RonError::ExpectedStructLikeEnd {
        return outline.at(start).is_some_and(|entry| parameter_of(outline, &entry.path, find_param).is_some());
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

/// The parameter at `path`, or the parameter that contains it: the color of a color channel. Also returns what its value may be.
fn parameter_of<'a>(
    outline: &'a Outline,
    path: &str,
    find_param: &impl Fn(&str) -> Option<(&'static Param, Allowed)>,
) -> Option<(&'a OutlineEntry, &'static Param, Allowed)> {
    let mut path = path;
    while !path.is_empty() {
        if let Some((param, allowed)) = find_param(path) {
            return outline.find(path).map(|entry| (entry, param, allowed));
        }
        path = parent_path(path);
    }
    None
}

/// A value of the kind that a parameter takes, and the names of its alternatives if it is a choice.
type Allowed = (ParamValue, Vec<&'static str>);

/// The parameter at `path` of `example`.
fn find_param(mut example: impl Params, path: &str) -> Option<(&'static Param, Allowed)> {
    let wanted = first_items(path);
    let mut found = None;
    example.visit(&mut ParamVisitor::new(&mut |here, param, value| {
        if here == wanted {
            found = Some((param, (value.get(), value.names())));
        }
    }));
    found
}

/// The kind of value that a parameter takes, and its range.
fn expectation(param: &Param, (value, names): &Allowed) -> String {
    match value {
        ParamValue::Float(_) => format!("a number, {}", param.allowed()),
        ParamValue::Count(_) => format!("a whole number, {}", param.allowed()),
        ParamValue::Seed(_) => "a whole number, 0 to 18446744073709551615".to_owned(),
        ParamValue::Switch(_) => "true or false".to_owned(),
        ParamValue::Color(_) => "red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)".to_owned(),
        ParamValue::Text(_) => format!("a text in quotes, {}", param.allowed()),
        ParamValue::Choice(_) => names.join(", "),
    }
}

fn unknown_field(found: &str, expected: &[&str]) -> String {
    let found = shortened(found);
    let near = expected
        .iter()
        .map(|name| (strsim::osa_distance(&found, name), name))
        .min()
        .filter(|(distance, _)| *distance <= 2);
    let hint = near.map_or(String::new(), |(_, name)| format!(", did you mean `{name}`?"));
    format!("unknown field `{found}`{hint}")
}

fn lower_case_start(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
