//! Says what is wrong with a text that the RON parser can't read.
//!
//! 1. The punctuation is [repaired](Repaired).
//! 2. The values are read, and those that are wrong are reported: see [`reader`](super::reader).
//! 3. What could be read is checked for its ranges.
//!
//! Each step goes on with what was meant, so that a mistake does not hide those that follow.

use super::SettingsProblem;
use super::error::{MAX_PROBLEMS, problem_at};
use super::reader::schema_of;
use super::reading::{Allowed, Reading, State, is_in};
use super::schema::Schema;
use super::value::Value;
use crate::param::{Param, ParamError, ParamVisitor, Params, first_items, parent_path};
use crate::ron_edit::{Document, Fault, Node, Repaired, TextPosition};
use ron::error::SpannedError;
use serde::de::DeserializeOwned;

/// A kind of settings file.
pub(crate) struct Format<T> {
    /// Settings that have the parameter at a path of a file, to look up what it allows.
    pub example: fn(&Document<'_>, &str) -> T,
    /// Checks the ranges of all values.
    pub check: fn(&T) -> Result<(), Vec<ParamError>>,
}

/// The problems of `text`, in the order of the text. `error` is that of the parser.
pub(super) fn problems_of<F, T>(text: &str, format: &Format<T>, error: &SpannedError) -> Vec<SettingsProblem>
where
    F: DeserializeOwned + Into<T>,
    T: Params,
{
    let repaired = Repaired::of(text);
    let diagnosis = Diagnosis { text, schema: &schema_of::<F>(), example: format.example };
    let (mut file, mut faults) = repaired.document();
    let (mut settings, mut state) = diagnosis.read::<F>(&file, &faults, repaired.is_guess());
    // Without help by the indentation, a field in the wrong struct tells that the struct should have ended before it.
    if let Some((open, end)) = state.misplaced
        && let Some(other) = repaired.ending_before(open, end)
    {
        (file, faults) = other;
        (settings, state) = diagnosis.read::<F>(&file, &faults, true);
    }
    let find_param = |path: &str| find_param((format.example)(&file, path), path);
    let mut problems: Vec<SettingsProblem> = Vec::new();
    problems.extend(faults.iter().map(|fault| problem_at(text, fault.at, "", fault.wrong.clone(), None)));
    problems.extend(state.problems);
    let invalid = settings.map(Into::into).and_then(|settings: T| (format.check)(&settings).err()).unwrap_or_default();
    let has_replaced_items = state.replaced.iter().any(|path| path.ends_with(']'));
    for error in invalid {
        // What depends on values that can't be read is not checked.
        let is_range = || find_param(&error.path).is_some_and(|(param, _)| error.allowed.ends_with(&param.allowed()));
        if problems.len() >= 3 * MAX_PROBLEMS {
            break;
        }
        if is_in(&error.path, &state.replaced) || (has_replaced_items && !is_range()) {
            continue;
        }
        let parents =
            std::iter::successors(Some(error.path.as_str()), |path| (!path.is_empty()).then(|| parent_path(path)));
        let offset = parents.into_iter().find_map(|path| state.offsets.get(path)).copied().unwrap_or(0);
        problems.push(SettingsProblem { position: Some(TextPosition::of(text, offset)), ..error.into() });
    }
    if problems.is_empty() {
        let start = error.span.start;
        let at = TextPosition { line: start.line, column: start.col }.offset_in(text);
        let wrong = "this can't be read; compare it with a file that loads".to_owned();
        problems.push(problem_at(text, at, "", wrong, None));
    }
    problems.sort_by_key(|problem| problem.position);
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// A text that is read.
struct Diagnosis<'a, T> {
    text: &'a str,
    schema: &'a Schema,
    example: fn(&Document<'_>, &str) -> T,
}

impl<T: Params> Diagnosis<'_, T> {
    /// Reads the values of `file`, the repaired text. Returns the settings, if they can be read.
    fn read<F: DeserializeOwned>(&self, file: &Document<'_>, faults: &[Fault], is_guess: bool) -> (Option<F>, State) {
        let find_param = |path: &str| find_param((self.example)(file, path), path);
        let reading = Reading::new(self.text, file, faults, is_guess, self.schema, &find_param);
        let settings = read(&reading, file.root());
        (settings, reading.into_state())
    }
}

/// Reads the settings, and skips what can't be read. `None` if nothing can.
fn read<F: DeserializeOwned>(reading: &Reading<'_>, root: Node<'_>) -> Option<F> {
    for _ in 0..2 * MAX_PROBLEMS {
        let before = reading.progress();
        match F::deserialize(Value::root(reading, root)) {
            Ok(settings) => return Some(settings),
            Err(_) if reading.progress() == before || before.0 >= MAX_PROBLEMS => return None,
            Err(_) => {}
        }
    }
    None
}

/// The parameter at `path` of `example`, and what it takes.
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
