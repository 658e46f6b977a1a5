//! The table: every path over every view, each in a process of its own, so that its peak of memory is its own.

use crate::options::Options;
use crate::row;
use clap::ValueEnum;
use std::process::Command;

/// Prints the table.
pub fn print(options: &Options) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| format!("can't find this program: {error}"))?;
    println!("{}", row::HEAD);
    for view in &options.views {
        for path in &options.paths {
            let path = path.to_possible_value().ok_or("a path without a name")?;
            let mut command = Command::new(&this);
            command.args(["--row", "--paths", path.get_name(), "--views", &view.to_string()]);
            command.args(["--settings", &options.settings, "--seconds", &options.seconds.to_string()]);
            if options.undisturbed {
                command.arg("--undisturbed");
            }
            if options.parts {
                command.arg("--parts");
            }
            let status = command.status().map_err(|error| format!("can't start this program again: {error}"))?;
            if !status.success() {
                return Err(format!("{} over {view} m was not measured", path.get_name()));
            }
        }
    }
    Ok(())
}
