//! What can be wrong with a settings file.

use std::fmt;

/// One thing that is wrong with a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsProblem {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in the line, in characters, from 1.
    pub column: usize,
    /// The parameter, such as `field.layers[2].octaves`; empty where the file makes no sense at all.
    pub path: String,
    /// What is wrong, with the field's name and what would be allowed.
    pub message: String,
}

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// A settings file that can't be used, with everything that is wrong in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The problems, in the order of the file. Never empty.
    pub problems: Vec<SettingsProblem>,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}
