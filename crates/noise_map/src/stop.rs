//! Why the program ends without an image.

use std::io;
use std::process::ExitCode;

/// Why the program ends without an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user asked for this text.
    Help(String),
    /// The command line makes no sense. The first line says what is wrong and what to type; the usage may follow.
    Mistake(String),
    /// The command line makes sense, but the system or a file does not allow it.
    Failure(String),
    /// This signal interrupted the program.
    Signal(i32),
}

impl Stop {
    /// Why `what`, such as `cannot write a.png`, has failed.
    pub fn failed(what: &str, error: io::Error) -> Self {
        match error.downcast::<Interrupted>() {
            Ok(Interrupted(signal)) => Self::Signal(signal),
            Err(error) => Self::Failure(format!("{what}: {error}")),
        }
    }

    /// 0 after a help text, 2 after a mistake, 1 after a failure, 128 and the signal after a signal, as shells count.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Help(_) => ExitCode::SUCCESS,
            Self::Mistake(_) => ExitCode::from(2),
            Self::Failure(_) => ExitCode::from(1),
            Self::Signal(signal) => u8::try_from(128 + signal).map_or(ExitCode::FAILURE, ExitCode::from),
        }
    }
}

/// The error of a drawing that a signal has interrupted.
#[derive(Debug)]
pub struct Interrupted(pub i32);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted by signal {}", self.0)
    }
}

impl std::error::Error for Interrupted {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_and_why_and_a_signal_stays_a_signal() {
        let full = io::Error::new(io::ErrorKind::StorageFull, "no space");
        assert_eq!(Stop::failed("cannot write a.png", full), Stop::Failure("cannot write a.png: no space".to_owned()));
        assert_eq!(Stop::failed("cannot write a.png", io::Error::other(Interrupted(15))), Stop::Signal(15));
    }
}
