//! A text that is read, and what was found in it: the problems, and the values that can't be read.

use super::SettingsProblem;
use super::error::{MAX_PROBLEMS, problem_at};
use super::schema::Schema;
use super::suggest::allowed_names;
use crate::param::{Param, ParamValue, parent_path};
use crate::ron_edit::{Document, Fault, Node};
use serde::de;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

/// A value of the kind that a parameter takes, and the names of its alternatives if it is a choice.
pub(super) type Allowed = (ParamValue, Vec<&'static str>);

/// The parameter at a path, and what it takes.
pub(super) type FindParam<'a> = &'a dyn Fn(&str) -> Option<(&'static Param, Allowed)>;

/// The kind of value that a parameter takes, and its range.
pub(super) fn expectation(param: &Param, (value, names): &Allowed) -> String {
    match value {
        ParamValue::Float(_) => format!("a number, {}", param.allowed()),
        ParamValue::Count(_) => format!("a whole number, {}", param.allowed()),
        ParamValue::Seed(_) => "a whole number, 0 to 18446744073709551615".to_owned(),
        ParamValue::Switch(_) => "true or false".to_owned(),
        ParamValue::Color(_) => "red, green and blue, each from 0 to 1, as in (0.5, 0.4, 0.3)".to_owned(),
        ParamValue::Text(_) => format!("a text in quotes, {}", param.allowed()),
        ParamValue::Choice(_) => allowed_names("", names),
    }
}

/// A text that is read, and what was found in it.
pub(super) struct Reading<'a> {
    /// The text as it was written. It has the positions of `file`.
    pub text: &'a str,
    pub file: Option<&'a Document<'a>>,
    pub faults: &'a [Fault],
    /// Whether it was guessed where a bracket ends. If so, a field in the wrong place is no mistake of its own.
    pub is_guess: bool,
    pub schema: &'a Schema,
    find_param: Option<FindParam<'a>>,
    /// Which variants a reader of nothing takes. `None` if there is a text.
    pub probe: Option<usize>,
    pub state: RefCell<State>,
}

/// The findings in a text.
#[derive(Default)]
pub(super) struct State {
    pub problems: Vec<SettingsProblem>,
    /// The values that can't be read, by where their fields begin.
    pub skipped: HashSet<usize>,
    /// The fields that have no value and need one, by their paths.
    pub missing: HashSet<String>,
    /// The paths of the values that stand for others, which can't be read.
    pub replaced: HashSet<String>,
    /// The fields in whose values others belong, so that it is said that they need a value.
    pub hinted: HashSet<String>,
    /// The bracket of the first struct with a field that belongs higher, and the position of that field.
    pub misplaced: Option<(usize, usize)>,
    /// Where each value is.
    pub offsets: HashMap<String, usize>,
}

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// For a reason that was reported.
    Reported,
    /// A required field has no value.
    Missing(&'static str),
    /// The value is not what the type takes.
    Refused,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value can't be read")
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Refused
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}

impl<'a> Reading<'a> {
    pub fn new(
        text: &'a str,
        file: &'a Document<'a>,
        faults: &'a [Fault],
        is_guess: bool,
        schema: &'a Schema,
        find_param: FindParam<'a>,
    ) -> Self {
        Self {
            text,
            file: Some(file),
            faults,
            is_guess,
            schema,
            find_param: Some(find_param),
            probe: None,
            state: RefCell::default(),
        }
    }

    /// A reading of no text, which adds all structs with some of the variants to `schema`.
    pub fn of_nothing(schema: &'a Schema, choice: usize) -> Self {
        Self {
            text: "",
            file: None,
            faults: &[],
            is_guess: false,
            schema,
            find_param: None,
            probe: Some(choice),
            state: RefCell::default(),
        }
    }

    /// The text of a value.
    pub fn written(&self, node: Node<'_>) -> &'a str {
        // The signs that were meant may be shorter than those that are written.
        let Range { mut start, mut end } = node.range();
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        &self.text[start..end]
    }

    pub fn into_state(self) -> State {
        self.state.into_inner()
    }

    /// The number of problems, and of values that are skipped or replaced. If it does not grow, reading again finds nothing new.
    pub fn progress(&self) -> (usize, usize) {
        let state = self.state.borrow();
        (state.problems.len(), state.skipped.len() + state.missing.len())
    }

    /// The parameter at `path`, and what it takes.
    pub fn param(&self, path: &str) -> Option<(&'static Param, Allowed)> {
        self.find_param.and_then(|find| find(path))
    }

    /// Whether there are so many problems that more would not be shown. To find the position of each takes a pass over the text.
    pub fn is_full(&self) -> bool {
        self.state.borrow().problems.len() >= MAX_PROBLEMS
    }

    /// Reports a problem once.
    pub fn report(&self, at: usize, path: &str, wrong: String, allowed: Option<String>) {
        if self.is_full() {
            return;
        }
        let problem = if path.is_empty() {
            problem_at(self.text, at, path, format!("the file {wrong}"), allowed)
        } else {
            problem_at(self.text, at, path, wrong, allowed).starting_with_path()
        };
        self.add(problem);
    }

    pub fn add(&self, problem: SettingsProblem) {
        let problems = &mut self.state.borrow_mut().problems;
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
}

/// Whether `path` is one of some paths, or below one.
pub(super) fn is_in(path: &str, paths: &HashSet<String>) -> bool {
    let mut path = path;
    loop {
        if paths.contains(path) {
            return true;
        }
        if path.is_empty() {
            return false;
        }
        path = parent_path(path);
    }
}
