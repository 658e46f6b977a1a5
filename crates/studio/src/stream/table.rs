//! Prints the table. Each row runs in its own process, so that its peak memory is its own.

use super::options::Options;
use super::row;
use clap::ValueEnum;
use std::process::{Command, Stdio};

/// Prints a row for every path and view distance.
pub fn print(options: &Options) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| format!("can't find this program: {error}"))?.into_os_string();
    println!("{}", row::HEAD);
    for view in &options.views {
        for path in &options.paths {
            let path = path.to_possible_value().ok_or("the path has no name")?;
            let mut words = options.through.iter().chain([&this]);
            let mut command = Command::new(words.next().unwrap_or(&this));
            command.args(words).args(std::env::args_os().skip(1));
            command.args(["--row-path", path.get_name(), "--row-view", &view.to_string()]);
            let rows = (0..options.runs.max(1)).map(|_| row(&mut command));
            let rows: Vec<String> = rows.collect::<Result<_, _>>()?;
            println!("{}", row::quietest(&rows)?);
        }
    }
    Ok(())
}

/// Runs a process that measures a row, and returns the row.
fn row(command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("can't start this program again: {error}"))?;
    if !output.status.success() {
        return Err(format!("a row failed: {command:?}"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
