//! Errors in settings and in settings files.

use crate::param::ParamError;
use crate::ron_edit::{TextPosition, cut};
use std::fmt;

/// One problem in settings or in a settings file.
///
/// `Display` writes it like a compiler message: `hills.terrain.ron:4:33: ` and then the problem.
///
/// ```
/// use perlin_terrain::settings::{TerrainSettings, TextPosition};
///
/// let error = TerrainSettings::from_ron("(chunks: (spacing: -2.0))").unwrap_err();
/// let problem = &error.problems[0];
/// assert_eq!(problem.position, Some(TextPosition { line: 1, column: 20 }));
/// assert_eq!(problem.path, "chunks.spacing");
/// assert_eq!(problem.wrong, "is -2.0");
/// assert_eq!(problem.allowed.as_deref(), Some("0.1 to 100 m"));
/// assert_eq!(problem.to_string(), "1:20: `chunks.spacing` is -2.0, allowed: 0.1 to 100 m");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsProblem {
    /// The asset path of the file. `None` if the settings come from code or from the inspector.
    pub file: Option<String>,
    /// The position in the text. `None` if there is no text, or if the problem is about the whole file.
    pub position: Option<TextPosition>,
    /// The path of the parameter, such as `field.layers[2].kind.octaves`. Empty if the problem is not about one parameter.
    pub path: String,
    /// Whether `path` is the subject of `wrong`. If so, `Display` writes it before `wrong`.
    pub starts_with_path: bool,
    /// The problem in words. A complete clause, or a clause without its subject: the subject is `path` if `starts_with_path` is
    /// set, and the file if the problem has a file and no position.
    pub wrong: String,
    /// The allowed values, if known.
    pub allowed: Option<String>,
}

impl SettingsProblem {
    /// Creates a problem that is a complete clause, without file, position and path.
    #[must_use]
    pub fn new(wrong: impl Into<String>) -> Self {
        Self { wrong: wrong.into(), ..Self::default() }
    }

    /// Returns the problem as text without file, position and path: `is -2.0, allowed: 0.1 to 100 m`. For a widget that already shows
    /// the name of the parameter.
    #[must_use]
    pub fn without_path(&self) -> String {
        let wrong = &self.wrong;
        match &self.allowed {
            // No comma after a question mark.
            Some(allowed) if wrong.ends_with('?') => format!("{wrong} allowed: {allowed}"),
            Some(allowed) => format!("{wrong}, allowed: {allowed}"),
            None => wrong.clone(),
        }
    }

    /// Returns the problem with `file` set to an asset path.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.file = Some(file.to_string());
        self
    }

    /// Returns the problem with its path as the subject of `wrong`.
    pub(super) fn starting_with_path(mut self) -> Self {
        self.starts_with_path = true;
        self
    }
}

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.position) {
            (Some(file), Some(position)) => write!(f, "{file}:{position}: ")?,
            (Some(file), None) => write!(f, "{file} ")?,
            (None, Some(position)) => write!(f, "{position}: ")?,
            (None, None) => {}
        }
        if self.starts_with_path {
            write!(f, "`{}` ", self.path)?;
        }
        f.write_str(&self.without_path())
    }
}

/// The most problems in one report. A designer does not read more at once.
pub(super) const MAX_PROBLEMS: usize = 20;

/// The most characters of a wrong value in a message.
const MAX_FOUND: usize = 100;

/// The problem has no file and no position: a [`ParamError`] is about a value, not about a text.
impl From<ParamError> for SettingsProblem {
    fn from(error: ParamError) -> Self {
        let ParamError { path, found, allowed } = error;
        // A text may be as long as the file.
        let wrong = format!("is {}", cut(found, MAX_FOUND));
        Self { path, wrong, allowed: Some(allowed), ..Self::default() }.starting_with_path()
    }
}

/// The error of an invalid settings text. Lists its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsError {
    /// The problems, in the order of the text, each with its position. Never empty.
    pub problems: Vec<SettingsProblem>,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.problems, "\n"))
    }
}

impl std::error::Error for SettingsError {}

/// All problems, joined by `separator`.
pub fn joined(problems: &[SettingsProblem], separator: &str) -> String {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    texts.join(separator)
}

/// The problem at the byte `offset`.
pub(super) fn problem_at(
    text: &str,
    offset: usize,
    path: &str,
    wrong: String,
    allowed: Option<String>,
) -> SettingsProblem {
    SettingsProblem {
        file: None,
        position: Some(TextPosition::of(text, offset)),
        path: path.to_owned(),
        starts_with_path: false,
        // The RON parser quotes what it can't read. That may be the whole file.
        wrong: cut(wrong, 600),
        allowed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_its_file_and_position_if_it_has_them() {
        let found = ParamError { path: "a.b".to_owned(), found: "3".to_owned(), allowed: "1 to 2".to_owned() };
        let mut problem = SettingsProblem::from(found);
        assert_eq!((&problem.path[..], &problem.wrong[..]), ("a.b", "is 3"));
        assert_eq!(problem.to_string(), "`a.b` is 3, allowed: 1 to 2");
        assert_eq!(problem.without_path(), "is 3, allowed: 1 to 2");
        problem.position = Some(TextPosition { line: 2, column: 7 });
        assert_eq!(problem.to_string(), "2:7: `a.b` is 3, allowed: 1 to 2");
        let problem = problem.in_file("x.ron");
        assert_eq!(problem.to_string(), "x.ron:2:7: `a.b` is 3, allowed: 1 to 2");
        let unknown =
            SettingsProblem { path: "a.b".to_owned(), wrong: "unknown field `b`".to_owned(), ..Default::default() };
        assert_eq!(unknown.to_string(), "unknown field `b`", "the clause has a subject of its own");
        let of_file = SettingsProblem { wrong: "is not text".to_owned(), ..Default::default() };
        assert_eq!(of_file.in_file("x.ron").to_string(), "x.ron is not text");
    }
}
