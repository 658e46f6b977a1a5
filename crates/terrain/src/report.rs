//! What was found, as lines or as JSON.

use crate::arguments::Format;
use perlin_terrain::settings::SettingsProblem;
use serde::Serialize;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file does not load.
    Error,
    /// The file loads, but something looks wrong.
    Warning,
}

/// A problem with its place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub file: String,
    /// From 1. 1 if the problem is about the whole file.
    pub line: usize,
    /// From 1, in characters. 1 if the problem is about the whole file.
    pub column: usize,
    pub severity: Severity,
    /// The path of the parameter, such as `field.layers[2].kind.octaves`. Empty if the problem is not about one.
    pub path: String,
    pub message: String,
}

impl Problem {
    pub fn new(file: &str, severity: Severity, mut problem: SettingsProblem) -> Self {
        let (line, column) = problem.position.map_or((1, 1), |position| (position.line, position.column));
        (problem.file, problem.position) = (None, None);
        // One line, whatever the file has.
        let message = problem.to_string().replace(['\n', '\r'], " ");
        Self { file: file.to_owned(), line, column, severity, path: problem.path, message }
    }
}

/// All problems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of files that were checked.
    pub files: usize,
    pub problems: Vec<Problem>,
}

/// A report as JSON.
#[derive(Serialize)]
struct Json<'a> {
    files: usize,
    errors: usize,
    warnings: usize,
    problems: &'a [Problem],
}

impl Report {
    pub fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }

    pub fn write(&self, format: Format, output: &mut Vec<u8>) {
        let text = match format {
            Format::Text => self.text(),
            Format::Json => self.json(),
        };
        output.extend(text.into_bytes());
    }

    fn text(&self) -> String {
        let line = |problem: &Problem| {
            let Problem { file, line, column, severity, message, .. } = problem;
            let severity = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("{file}:{line}:{column}: {severity}: {message}\n")
        };
        self.problems.iter().map(line).collect()
    }

    fn json(&self) -> String {
        let [errors, warnings] = [Severity::Error, Severity::Warning].map(|severity| self.count(severity));
        let json = Json { files: self.files, errors, warnings, problems: &self.problems };
        serde_json::to_string_pretty(&json).expect("texts and numbers can be written") + "\n"
    }
}
