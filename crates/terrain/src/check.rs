//! `terrain check`: the mistakes and the warnings of settings files.

use crate::Outcome;
use crate::arguments::Check;
use crate::files::{FileError, Kind, SettingsFile, find, is_settings, read};
use crate::report::{Problem, Report, Severity};
use perlin_terrain::light::SkySettings;
use perlin_terrain::settings::{SettingsError, SettingsProblem, TerrainSettings, settings_text};
use std::path::PathBuf;

/// Checks the files and writes what was found.
pub fn run(options: &Check, output: &mut Vec<u8>) -> Result<Outcome, FileError> {
    let here = [PathBuf::from(".")];
    let paths = if options.paths.is_empty() { &here[..] } else { &options.paths };
    let mut report = Report::default();
    for path in find(paths, is_settings)? {
        let file = read(&path, &options.stdin_name)?;
        report.files += 1;
        report.problems.extend(problems(&file));
    }
    report.write(options.format, output);
    let complaints = if options.deny_warnings { report.problems.len() } else { report.count(Severity::Error) };
    Ok(if complaints == 0 { Outcome::Fine } else { Outcome::Problems })
}

/// The problems of a file, or the warnings about it.
pub fn problems(file: &SettingsFile) -> Vec<Problem> {
    let of = |severity, problems: Vec<SettingsProblem>| {
        problems.into_iter().map(|problem| Problem::new(&file.name, severity, problem)).collect()
    };
    let warnings = settings_text(&file.bytes).and_then(|text| warnings(text, file.kind));
    match warnings {
        Ok(warnings) => of(Severity::Warning, warnings),
        Err(error) => of(Severity::Error, error.problems),
    }
}

fn warnings(text: &str, kind: Kind) -> Result<Vec<SettingsProblem>, SettingsError> {
    match kind {
        Kind::Terrain => Ok(TerrainSettings::from_ron(text)?.warnings_in(text)),
        Kind::Sky => SkySettings::from_ron(text).map(|_| Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Format;
    use proptest::collection::vec;
    use testing::for_all;

    #[test]
    fn damaged_files_give_problems_with_positions_and_json() {
        let files = [
            (include_str!("../../../assets/terrain/islands.terrain.ron"), "a.terrain.ron"),
            (include_str!("../../../assets/terrain/alps.terrain.ron"), "a.terrain.ron"),
            ("(sun: Time(hour: 19.5, latitude: 0.8), visibility: 60.0) // evening", "a.sky.ron"),
        ];
        let damage = vec((0..4_u8, 0..100_000_usize, proptest::num::u8::ANY), 1..6);
        for_all(300, (0..files.len(), damage), |(file, damage)| {
            let (text, name) = files[file];
            let mut bytes = text.as_bytes().to_vec();
            for (kind, at, byte) in damage {
                let at = at % bytes.len();
                match kind {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    2 => drop(bytes.remove(at)),
                    _ => bytes[at] = b"()[]:,\"1.-/*"[usize::from(byte) % 12],
                }
            }
            let file = SettingsFile { name: name.to_owned(), kind: Kind::of(name), bytes };
            let report = Report { files: 1, problems: problems(&file) };
            let lines = file.bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            for problem in &report.problems {
                assert!((1..=lines).contains(&problem.line) && problem.column > 0, "{problem:?}");
                assert!(!problem.message.contains('\n'), "{problem:?}");
            }
            let mut output = Vec::new();
            report.write(Format::Json, &mut output);
            let json: serde_json::Value = serde_json::from_slice(&output).expect("it is JSON");
            assert_eq!(json["problems"].as_array().map(Vec::len), Some(report.problems.len()));
        });
    }
}
