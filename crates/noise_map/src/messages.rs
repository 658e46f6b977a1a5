//! Text for the user: what was asked for on standard output, all else on standard error.

use crate::stop::Stop;
use std::io::{self, ErrorKind, Write};

/// Writes to standard output. A reader who does not read to the end, as with `| head`, is no failure.
pub fn print(text: &str) -> Result<(), Stop> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Stop::failed("cannot write to standard output", error))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. Unlike `eprintln!`, it does not panic if nobody can read it.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
