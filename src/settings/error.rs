//! What can be wrong with settings.

use crate::param::ParamError;
use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextPlace {
    /// The line, from 1.
    pub line: usize,
    /// The column in the line, in characters, from 1.
    pub column: usize,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One thing that is wrong with settings, or with their file.
///
/// It is written as in a compiler's messages: `hills.terrain.ron:4:33: ` and the rest.
///
/// ```
/// use bevy_perlin_terrain::settings::{TerrainSettings, TextPlace};
///
/// let error = TerrainSettings::from_ron("(chunks: (spacing: -2.0))").unwrap_err();
/// let problem = &error.problems[0];
/// assert_eq!(problem.place, Some(TextPlace { line: 1, column: 20 }));
/// assert_eq!(problem.path, "chunks.spacing");
/// assert_eq!(problem.wrong, "`chunks.spacing` is -2.0");
/// assert_eq!(problem.allowed.as_deref(), Some("0.1 to 100 m"));
/// assert_eq!(problem.to_string(), "1:20: `chunks.spacing` is -2.0, allowed: 0.1 to 100 m");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsProblem {
    /// The file, as an asset path. `None` where the text, or the value, comes from code or from the inspector.
    pub file: Option<String>,
    /// Where in the text it is. `None` where there is no text, or the file as a whole is wrong.
    pub place: Option<TextPlace>,
    /// The parameter, such as `field.layers[2].octaves`. Empty where it is about no part of the settings.
    pub path: String,
    /// What is wrong: a clause, which names the parameter or follows the name of the file.
    pub wrong: String,
    /// What would be allowed instead, where that can be said.
    pub allowed: Option<String>,
}

impl SettingsProblem {
    /// What is wrong and what is allowed, for whoever sees by other means which parameter it is about:
    /// `is -2.0, allowed: 0.1 to 100 m`.
    #[must_use]
    pub fn without_path(&self) -> String {
        let quoted = format!("`{}` ", self.path);
        self.sentence(self.wrong.strip_prefix(&quoted).unwrap_or(&self.wrong))
    }

    /// The same problem of the file at an asset path.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.file = Some(file.to_string());
        self
    }

    fn sentence(&self, wrong: &str) -> String {
        match &self.allowed {
            // After a question, no comma.
            Some(allowed) if wrong.ends_with('?') => format!("{wrong} allowed: {allowed}"),
            Some(allowed) => format!("{wrong}, allowed: {allowed}"),
            None => wrong.to_owned(),
        }
    }
}

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.place) {
            (Some(file), Some(place)) => write!(f, "{file}:{place}: ")?,
            (Some(file), None) => write!(f, "{file} ")?,
            (None, Some(place)) => write!(f, "{place}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.sentence(&self.wrong))
    }
}

/// A value that is not allowed, wherever it comes from.
impl From<ParamError> for SettingsProblem {
    fn from(error: ParamError) -> Self {
        let ParamError { path, found, allowed } = error;
        let wrong = format!("`{path}` is {found}");
        Self { path, wrong, allowed: Some(allowed), ..Self::default() }
    }
}

/// Settings that can't be used, with everything that is wrong in their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The problems, in the order of the text, each with its place. Never empty.
    pub problems: Vec<SettingsProblem>,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.problems, "\n"))
    }
}

impl std::error::Error for SettingsError {}

/// All problems in one text.
pub(crate) fn joined(problems: &[SettingsProblem], separator: &str) -> String {
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
        place: Some(text_place(text, offset)),
        path: path.to_owned(),
        // The reader quotes what it does not understand, which may be the whole file.
        wrong: cut(wrong, 600),
        allowed,
    }
}

/// Where the byte `offset` is in `text`.
pub(super) fn text_place(text: &str, offset: usize) -> TextPlace {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let is_char_start = |b: &&u8| (**b & 0xC0) != 0x80;
    TextPlace { line, column: before[line_start..].iter().filter(is_char_start).count() + 1 }
}

/// At most this many characters of `text`, and dots where that is not all.
pub(super) fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_written_with_as_much_as_is_known_of_it() {
        let found = ParamError { path: "a.b".to_owned(), found: "3".to_owned(), allowed: "1 to 2".to_owned() };
        let mut problem = SettingsProblem::from(found);
        assert_eq!(problem.to_string(), "`a.b` is 3, allowed: 1 to 2");
        assert_eq!(problem.without_path(), "is 3, allowed: 1 to 2");
        problem.place = Some(TextPlace { line: 2, column: 7 });
        assert_eq!(problem.to_string(), "2:7: `a.b` is 3, allowed: 1 to 2");
        let problem = problem.in_file("x.ron");
        assert_eq!(problem.to_string(), "x.ron:2:7: `a.b` is 3, allowed: 1 to 2");
        let of_file = SettingsProblem { wrong: "is no text".to_owned(), ..Default::default() };
        assert_eq!(of_file.in_file("x.ron").to_string(), "x.ron is no text");
    }
}
