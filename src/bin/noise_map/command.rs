//! The forms of the command line, one of which is [`request`].

use crate::destination::Destination;
use crate::preset_map::PresetMap;
use crate::request::{self, Request, Stop};
use bevy_perlin_terrain::noise::NoisePreset;
use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgGroup, Parser};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What to do.
#[derive(Clone, Debug)]
pub enum Command {
    /// Draw a map of four numbers.
    Map(Request),
    /// Draw a preset.
    Preset(PresetMap, Destination),
    /// Draw all presets.
    Gallery(Destination),
    /// Name all presets.
    List,
}

/// Draws noises by name.
#[derive(Parser)]
#[command(name = "noise_map", version, group = ArgGroup::new("form").required(true), override_usage = USAGE)]
struct Arguments {
    /// Draws one of the noises that --list names
    #[arg(long, value_name = "name", group = "form", value_parser = names())]
    preset: Option<String>,
    /// Names all noises
    #[arg(long, group = "form", conflicts_with = "output")]
    list: bool,
    /// Draws all noises on one sheet
    #[arg(long, group = "form")]
    gallery: bool,
    /// Whole number from 0 to 18446744073709551615; the same seed gives the same picture [default: 42]
    #[arg(
        long,
        value_name = "seed",
        conflicts_with_all = ["list", "gallery"],
        value_parser = request::seed,
        allow_negative_numbers = true
    )]
    seed: Option<u64>,
    /// Width and height of the picture in pixels [default: 512x512]
    #[arg(
        long,
        value_name = "WxH",
        conflicts_with_all = ["list", "gallery"],
        value_parser = size,
        allow_negative_numbers = true
    )]
    size: Option<[u32; 2]>,
    /// Pixels along a cell of the first octave, 2 to 32768 [default: the preset's own]
    #[arg(
        long,
        value_name = "pixels",
        conflicts_with_all = ["list", "gallery"],
        value_parser = request::cell,
        allow_negative_numbers = true
    )]
    scale: Option<f64>,
    /// Where the picture goes: a .pgm or a .png [default: named after the noise, in the folder output]
    #[arg(value_name = "outputFile")]
    output: Option<PathBuf>,
}

/// What the help of the four numbers says of the other forms.
pub const OTHER_FORMS: &str = "\
Other noises:
  noise_map --list     their names
  noise_map --preset <name> [--seed <seed>] [--size <WxH>] [--scale <pixels>] [outputFile]
  noise_map --gallery [outputFile]     all of them in one picture";

const USAGE: &str = "noise_map --preset <name> [--seed <seed>] [--size <WxH>] [--scale <pixels>] [outputFile], or --gallery \
                     [outputFile], or --list";

/// Reads a command line, the program's name first.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Stop> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let by_name = arguments.iter().skip(1).take_while(|argument| *argument != "--").any(|argument| is_form(argument));
    if by_name { parse_by_name(arguments) } else { request::parse(arguments).map(Command::Map) }
}

/// Whether an argument asks for noises by name.
fn is_form(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    matches!(text.split('=').next(), Some("--preset" | "--list" | "--gallery"))
}

fn parse_by_name(arguments: Vec<OsString>) -> Result<Command, Stop> {
    let Arguments { preset, list, gallery, seed, size, scale, output } = Arguments::try_parse_from(arguments)
        .map_err(|error| unknown_name(&error).unwrap_or_else(|| request::stop(&error)))?;
    if list {
        return Ok(Command::List);
    }
    let preset = preset.and_then(|name| NoisePreset::find(&name));
    let Some(preset) = preset.filter(|_| !gallery) else {
        return Destination::new(output, "noise_gallery.png").map(Command::Gallery);
    };
    let map = PresetMap { preset, seed: seed.unwrap_or(42), size: size.unwrap_or([512, 512]), scale };
    let destination = Destination::new(output, &format!("{}_{}.png", preset.name, map.seed))?;
    Ok(Command::Preset(map, destination))
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(NoisePreset::ALL.iter().map(|preset| preset.name))
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("must be width and height, such as 640x480")?;
    Ok([request::side(width)?, request::side(height)?])
}

/// What is wrong with the name of a preset, if that is what is wrong.
fn unknown_name(error: &clap::Error) -> Option<Stop> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    let about_preset = text(ContextKind::InvalidArg).is_some_and(|argument| argument.starts_with("--preset"));
    let found = text(ContextKind::InvalidValue)
        .filter(|found| about_preset && !found.is_empty() && error.kind() == ErrorKind::InvalidValue)?;
    let hint = text(ContextKind::SuggestedValue).map_or(String::new(), |name| format!(", did you mean '{name}'?"));
    let names: Vec<_> = NoisePreset::ALL.iter().map(|preset| preset.name).collect();
    let end = if hint.is_empty() { ":" } else { "" };
    Some(Stop::Mistake(format!("unknown preset '{found}'{hint}{end} must be one of {}", names.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Format;
    use std::path::Path;

    fn read(line: &str) -> Result<Command, Stop> {
        parse(["noise_map"].into_iter().chain(line.split_whitespace()).map(OsString::from))
    }

    fn mistake(line: &str) -> String {
        match read(line) {
            Err(Stop::Mistake(text)) => text,
            other => panic!("'{line}' is no mistake: {other:?}"),
        }
    }

    fn preset(line: &str) -> (PresetMap, Destination) {
        match read(line) {
            Ok(Command::Preset(map, destination)) => (map, destination),
            other => panic!("'{line}' asks for no preset: {other:?}"),
        }
    }

    #[test]
    fn four_numbers_ask_for_what_they_always_did() {
        let line = "1000 900 20 42 a.png --fade linear";
        let arguments = || ["noise_map"].into_iter().chain(line.split_whitespace()).map(OsString::from);
        assert!(matches!(read(line), Ok(Command::Map(request)) if request == request::parse(arguments()).unwrap()));
        for line in ["", "8", "8 8 4 1 --colour", "8 8 1 1", "8 8 4 1 -- --list"] {
            let arguments = ["noise_map"].into_iter().chain(line.split_whitespace()).map(OsString::from);
            assert_eq!(read(line).unwrap_err(), request::parse(arguments).unwrap_err());
        }
    }

    #[test]
    fn a_preset_needs_only_its_name() {
        let (map, destination) = preset("--preset ridged");
        assert_eq!((map.preset.name, map.seed, map.size, map.scale), ("ridged", 42, [512, 512], None));
        let folder_to_create = Some(PathBuf::from("output"));
        let expected = Destination { path: "output/ridged_42.png".into(), format: Format::Png, folder_to_create };
        assert_eq!(destination, expected);
    }

    #[test]
    fn a_preset_takes_seed_size_scale_and_file_in_any_order() {
        let (map, destination) = preset("a.pgm --scale 50.5 --preset=ward --size 640x480 --seed 7");
        assert_eq!((map.preset.name, map.seed, map.size, map.scale), ("ward", 7, [640, 480], Some(50.5)));
        let expected = Destination { path: "a.pgm".into(), format: Format::Pgm, folder_to_create: None };
        assert_eq!(destination, expected);
    }

    #[test]
    fn a_list_and_a_gallery_need_nothing() {
        assert!(matches!(read("--list"), Ok(Command::List)));
        let Ok(Command::Gallery(default)) = read("--gallery") else { panic!("no gallery") };
        assert_eq!((default.path.as_path(), default.format), (Path::new("output/noise_gallery.png"), Format::Png));
        let Ok(Command::Gallery(chosen)) = read("--gallery b.png") else { panic!("no gallery") };
        assert_eq!((chosen.path.as_path(), chosen.folder_to_create), (Path::new("b.png"), None));
    }

    #[test]
    fn an_unknown_preset_is_answered_with_the_nearest_name_and_all_of_them() {
        let text = mistake("--preset rigded");
        let start = "unknown preset 'rigded', did you mean 'ridged'? must be one of table, grid, diagonals, ward, ";
        assert!(text.starts_with(start) && text.ends_with("plateaus, tiling"), "{text}");
        let text = mistake("--preset qqqq");
        assert!(text.starts_with("unknown preset 'qqqq': must be one of table, grid, "), "{text}");
        assert!(!text.contains('\n'));
    }

    #[test]
    fn values_that_make_no_picture_are_refused_in_one_line() {
        let side = "must be a whole number of pixels from 1 to 32768";
        for (line, expected) in [
            (
                "--size 640",
                "invalid value '640' for '--size <WxH>': must be width and height, such as 640x480".to_owned(),
            ),
            ("--size 0x9", format!("invalid value '0x9' for '--size <WxH>': {side}")),
            ("--size 9x-9", format!("invalid value '9x-9' for '--size <WxH>': {side}")),
            (
                "--scale 1",
                "invalid value '1' for '--scale <pixels>': must be a number of pixels from 2 to 32768".to_owned(),
            ),
            (
                "--seed -1",
                "invalid value '-1' for '--seed <seed>': must be a whole number from 0 to 18446744073709551615"
                    .to_owned(),
            ),
            ("a.jpg", "invalid value 'a.jpg' for '[outputFile]': must end in .pgm or .png".to_owned()),
        ] {
            assert_eq!(mistake(&format!("--preset ridged {line}")), expected);
        }
    }

    #[test]
    fn what_does_not_go_together_is_refused_and_the_usage_follows() {
        for line in [
            "--list --gallery",
            "--preset ridged --list",
            "--gallery --preset ridged",
            "--gallery --seed 1",
            "--list a.png",
            "--list --size 8x8",
            "--preset ridged a.png b.png",
            "--preset ridged --fade linear",
        ] {
            let text = mistake(line);
            assert_eq!(text.lines().count(), 2, "{line}: {text}");
            assert!(text.lines().last().unwrap().starts_with("Usage: noise_map"), "{line}: {text}");
        }
        assert!(mistake("--preset").starts_with("a value is required for '--preset <name>'"));
    }

    #[test]
    fn the_help_of_each_form_names_the_others() {
        for line in ["--help", "--preset ridged --help"] {
            assert!(
                matches!(read(line), Err(Stop::Help(text)) if text.contains("--gallery") && text.contains("--list"))
            );
        }
    }
}
