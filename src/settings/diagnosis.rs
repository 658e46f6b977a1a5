//! Says what is wrong with a text that the RON parser can't read.
//!
//! 1. The signs are replaced by those that were meant: see [`plain`](super::plain).
//! 2. The brackets are matched, with the help of the indentation: see [`brackets`](super::brackets).
//! 3. The outline finds commas and colons that are missing or too many.
//! 4. The values are read, and those that are wrong are reported: see [`reader`](super::reader).
//! 5. What could be read is checked for its ranges.
//!
//! Each step goes on with what was meant, so that a mistake does not hide those that follow.

use super::SettingsProblem;
use super::brackets::{Brackets, not_closed_before, repair};
use super::error::{MAX_PROBLEMS, problem_at, text_place};
use super::fault::Fault;
use super::outline::{Outline, offset_of};
use super::plain::plain;
use super::reader::schema_of;
use super::reading::{Allowed, Reading, State, is_in};
use super::schema::Schema;
use super::tree::Node;
use super::value::Value;
use crate::param::{Param, ParamError, ParamVisitor, Params, first_items, parent_path};
use ron::error::SpannedError;
use serde::de::DeserializeOwned;

/// A kind of settings file.
pub(crate) struct Format<T> {
    /// Settings that have the parameter at a path of a text, to look up what it allows.
    pub example: fn(&str, &Outline, &str) -> T,
    /// Checks the ranges of all values.
    pub check: fn(&T) -> Result<(), Vec<ParamError>>,
}

/// The problems of `text`, in the order of the text. `error` is that of the parser.
pub(super) fn problems_of<F, T>(text: &str, format: &Format<T>, error: &SpannedError) -> Vec<SettingsProblem>
where
    F: DeserializeOwned + Into<T>,
    T: Params,
{
    let (mut plain, signs) = plain(text);
    let brackets = repair(&mut plain);
    let schema = schema_of::<F>();
    let diagnosis = Diagnosis { text, plain: &plain, signs: &signs, schema: &schema, example: format.example };
    let mut found = diagnosis.read::<F>(&brackets);
    // Without help by the indentation, a field in the wrong struct tells that the struct should have ended before it.
    if let ([_], Some((open, end))) = (&brackets.faults[..], found.state.misplaced)
        && let [(&blamed, &its_end)] = brackets.ends.iter().collect::<Vec<_>>()[..]
        && (blamed <= open && end < its_end)
    {
        found = diagnosis.read::<F>(&not_closed_before(&plain, open, end));
    }
    let Found { outline, faults, settings, state } = found;
    let find_param = |path: &str| find_param((format.example)(&plain, &outline, path), path);
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
        let offset = parents.into_iter().find_map(|path| state.places.get(path)).copied().unwrap_or(0);
        problems.push(SettingsProblem { place: Some(text_place(text, offset)), ..error.into() });
    }
    if problems.is_empty() {
        let at = offset_of(text, error.span.start.line, error.span.start.col);
        let wrong = "this can't be read; compare it with a file that loads".to_owned();
        problems.push(problem_at(text, at, "", wrong, None));
    }
    problems.sort_by_key(|problem| problem.place);
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// A text that is read.
struct Diagnosis<'a, T> {
    text: &'a str,
    /// The text with the signs that were meant.
    plain: &'a str,
    signs: &'a [Fault],
    schema: &'a Schema,
    example: fn(&str, &Outline, &str) -> T,
}

impl<T: Params> Diagnosis<'_, T> {
    /// Reads the text with these brackets.
    fn read<F: DeserializeOwned>(&self, brackets: &Brackets) -> Found<F> {
        let (outline, others) = Outline::of_broken(self.plain, brackets);
        let faults: Vec<Fault> = self.signs.iter().chain(&brackets.faults).cloned().chain(others).collect();
        let find_param = |path: &str| find_param((self.example)(self.plain, &outline, path), path);
        let reading = Reading::new(self.text, &outline, &faults, !brackets.faults.is_empty(), self.schema, &find_param);
        let settings = Node::root(self.plain, &outline).and_then(|root| read(&reading, root));
        let state = reading.into_state();
        Found { outline, faults, settings, state }
    }
}

/// What was found in a text.
struct Found<F> {
    outline: Outline,
    /// The mistakes in the punctuation.
    faults: Vec<Fault>,
    /// The settings, if they can be read.
    settings: Option<F>,
    state: State,
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
