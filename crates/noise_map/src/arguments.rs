//! The command line as typed, and its help.

use crate::encode::Format;
use crate::field;
use crate::names::nearest;
use crate::ramp::Ramp;
use crate::stop::Stop;
use crate::values::{self, Dimensions, Movement, Seed};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, Parser, builder::PossibleValuesParser};
use perlin_terrain::noise::NoisePreset;
use std::ffi::OsString;
use std::path::PathBuf;

/// Draws noise: maps, comparisons, graphs, animations
///
/// A pixel is a unit of the noise. To zoom, change the size of the cells (--cell).
#[derive(Debug, Parser)]
#[command(name = "noise_map", version, override_usage = USAGE, after_help = EXAMPLES, verbatim_doc_comment, disable_help_flag = true, disable_version_flag = true)]
pub struct Arguments {
    /// Four numbers, and the file to write (- for standard output)
    ///
    /// The numbers draw one octave of noise: width and height of the image in pixels,
    /// pixels along a cell, and the seed. Without a file, the image goes to the folder
    /// output, under a name that is not taken.
    #[arg(value_name = "NUMBERS or FILE", allow_negative_numbers = true, verbatim_doc_comment)]
    pub words: Vec<OsString>,

    /// Draws one of the noises that --list names
    #[arg(long, value_name = "NAME", value_parser = presets(), help_heading = SOURCE, hide_possible_values = true)]
    pub preset: Option<String>,
    /// Draws the noise of one layer of a terrain's RON file, or a RON file of one layer or noise. All layers: the tool terrain
    #[arg(long, value_name = "FILE", help_heading = SOURCE)]
    pub layer_of: Option<PathBuf>,
    /// Which layer of the terrain, from 0 [default: 0]
    #[arg(long, value_name = "N", help_heading = SOURCE)]
    pub layer: Option<usize>,
    /// Draws all presets on one sheet
    #[arg(long, help_heading = SOURCE, conflicts_with_all = DRAWING)]
    pub gallery: bool,
    /// Draws every kind of layer, blend and mask on one sheet, lit from the upper left
    #[arg(long, help_heading = SOURCE, conflicts_with_all = DRAWING, conflicts_with = "gallery")]
    pub layer_gallery: bool,
    /// Lists the presets, the fields of --set and the colors
    #[arg(long, help_heading = SOURCE, conflicts_with_all = DRAWING, conflicts_with_all = ["gallery", "layer_gallery", "format", "force"])]
    pub list: bool,

    /// Changes a field of the noise, such as octaves=3 or fade=MinimalCubic; repeatable
    #[arg(long, value_name = "FIELD=VALUE", help_heading = NOISE)]
    pub set: Vec<String>,
    /// Pixels along a cell of the first octave; scales the whole noise [default: as the source has it]
    #[arg(long, value_name = "PIXELS", value_parser = values::cell, allow_hyphen_values = true, help_heading = NOISE)]
    pub cell: Option<f64>,
    /// Which noise: a whole number, or random, which prints it [default: 42, or the terrain's]
    #[arg(long, value_name = "SEED", value_parser = values::seed, allow_hyphen_values = true, help_heading = NOISE)]
    pub seed: Option<Seed>,

    /// Draws a sheet with a tile for each value, such as octaves=1..6 or fade=Linear,Cubic,Quintic
    ///
    /// Takes the fields of --set, cell and seed. Twice makes a table of two fields.
    /// All tiles have the same scale of gray.
    #[arg(long, value_name = "FIELD=VALUES", help_heading = VIEW, verbatim_doc_comment)]
    pub compare: Vec<String>,
    /// Draws the noise along a line as an SVG: the sum, each octave, and the gradients of the first
    ///
    /// With --compare, a curve for each value. The gradients are the tangents of the curve,
    /// except with a linear fade: its curve has corners at the nodes.
    #[arg(
        long,
        help_heading = VIEW,
        conflicts_with_all = ["frames", "slice", "gradients", "normals", "color", "stretch"],
        verbatim_doc_comment
    )]
    pub graph: bool,
    /// With --graph: draws the noise of one dimension, instead of a line through that in the plane
    ///
    /// Every node lies on the line, so each octave is zero at its nodes.
    #[arg(long, help_heading = VIEW, requires = "graph", verbatim_doc_comment)]
    pub line: bool,
    /// Draws an animated PNG of this many frames
    #[arg(
        long,
        value_name = "N",
        value_parser = values::frames,
        allow_hyphen_values = true,
        help_heading = VIEW,
        requires = "motion",
        conflicts_with = "compare"
    )]
    pub frames: Option<u32>,
    /// Pixels from a frame to the next: 1,0 moves the noise to the left; 0,0,1 moves through space, with --slice
    #[arg(
        long = "move",
        value_name = "DX,DY[,DZ]",
        value_parser = values::movement,
        allow_hyphen_values = true,
        help_heading = VIEW,
        group = "motion",
        requires = "frames"
    )]
    pub movement: Option<Movement>,
    /// Moves the frames through space for one period along z, so that the animation ends where it begins
    ///
    /// The period can be --set, and has 3 cells otherwise.
    #[arg(
        long = "loop",
        help_heading = VIEW,
        group = "motion",
        requires = "frames",
        conflicts_with_all = ["gradients", "normals"],
        verbatim_doc_comment
    )]
    pub is_loop: bool,
    /// Turns the gradients of the lattices Table and Grid once over all frames, so that the noise flows in place
    #[arg(long, help_heading = VIEW, group = "motion", requires = "frames")]
    pub flow: bool,
    /// Draws the noise in space, cut at this z, instead of that in the plane
    #[arg(long, value_name = "Z", value_parser = values::coordinate, allow_hyphen_values = true, help_heading = VIEW)]
    pub slice: Option<f64>,
    /// Draws the gradients of the first octave over the map, an arrow for each node
    #[arg(long, help_heading = VIEW, conflicts_with_all = ["slice", "compare"])]
    pub gradients: bool,
    /// Draws the normals of the noise, as a texture for an engine: red, green and blue are x, y and up
    ///
    /// The noise is a height in pixels: a larger height scale (--set) makes it steep.
    /// y points down, as in DirectX; for OpenGL, glTF or Bevy, turn green around.
    #[arg(
        long,
        help_heading = VIEW,
        conflicts_with_all = ["slice", "compare", "color", "stretch"],
        verbatim_doc_comment
    )]
    pub normals: bool,
    /// Writes the noise as a module of a shader, in the plane (2) or in space (3)
    ///
    /// The module is in WESL, the language of Bevy's shaders. It needs --set lattice=FastHash,
    /// unless the noise has this lattice already.
    /// Without a file, it goes to standard output.
    #[arg(
        long,
        value_name = "DIMENSIONS",
        value_parser = values::dimensions,
        allow_hyphen_values = true,
        help_heading = VIEW,
        conflicts_with_all = ["compare", "graph", "frames", "slice", "gradients", "normals", "size", "offset", "color", "stretch"],
        verbatim_doc_comment
    )]
    pub wesl: Option<Dimensions>,

    /// Width and height of the image, or of each tile [default: 512x512; tiles 256x256; graphs 960x540]
    #[arg(long, value_name = "WxH", value_parser = values::size, allow_hyphen_values = true, help_heading = IMAGE)]
    pub size: Option<[u32; 2]>,
    /// The position in the noise of the upper left pixel [default: 0,0]
    #[arg(long, value_name = "X,Y", value_parser = values::position, allow_hyphen_values = true, help_heading = IMAGE)]
    pub offset: Option<[f64; 2]>,
    /// Draws in color, over the full range of the image
    #[arg(long, value_name = "COLORS", help_heading = IMAGE)]
    pub color: Option<Ramp>,
    /// Stretches the values of the image from full black to full white
    #[arg(long, help_heading = IMAGE)]
    pub stretch: bool,

    /// The format of the file [default: by its name, or png]
    #[arg(long, value_name = "FORMAT", help_heading = OUTPUT)]
    pub format: Option<Format>,
    /// Replaces the file if there is one
    #[arg(long, help_heading = OUTPUT)]
    pub force: bool,

    /// Prints the options, with -h in short
    #[arg(short, long, action = ArgAction::Help, help_heading = HELP)]
    help: Option<bool>,
    /// Prints the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = HELP)]
    version: Option<bool>,
}

const SOURCE: &str = "Source (one of these, or four numbers)";
const NOISE: &str = "Noise";
const VIEW: &str = "View (a map, if none is chosen)";
const IMAGE: &str = "Image";
const OUTPUT: &str = "Output";
const HELP: &str = "Help";

/// The options that a list and the galleries do not take.
const DRAWING: [&str; 20] = [
    "preset",
    "layer_of",
    "layer",
    "set",
    "cell",
    "seed",
    "compare",
    "graph",
    "line",
    "frames",
    "is_loop",
    "flow",
    "slice",
    "gradients",
    "normals",
    "size",
    "offset",
    "color",
    "stretch",
    "wesl",
];

const USAGE: &str = "\
noise_map imageWidth imageHeight cellSize seed [OPTIONS] [FILE]
       noise_map --preset NAME [OPTIONS] [FILE]
       noise_map --layer-of FILE [--layer N] [OPTIONS] [FILE]
       noise_map --gallery [FILE]
       noise_map --layer-gallery [FILE]
       noise_map --list";

const EXAMPLES: &str = "\
Examples:
  noise_map --preset ridged
      512 by 512 pixels of mountain crests, in output/ridged_42.png
  noise_map --preset marble --color marble --size 1200x400 --seed random stone.png
  noise_map --preset ward --compare octaves=1..6 octaves.png
      six tiles with one to six octaves
  noise_map --preset mixed --set octaves=3 --frames 60 --loop clouds.png --color clouds
      an animation that ends where it begins
  noise_map --preset ward --set octaves=1 --graph --line --compare fade=MinimalCubic,Cubic,Quintic
      three ways from node to node on a line, in output/ward_fade_line_graph.svg
  noise_map 1000 1000 20 42
      50 by 50 cells of a single octave, in output/PerlinNoise_42.pgm
  noise_map --preset warped --wesl 3 clouds.wesl
      a module with functions for the shaders of a game";

fn presets() -> PossibleValuesParser {
    PossibleValuesParser::new(NoisePreset::ALL.iter().map(|preset| preset.name))
}

impl Arguments {
    /// Reads a command line, the program's name first.
    pub fn read(line: impl IntoIterator<Item = OsString>) -> Result<Self, Stop> {
        Self::try_parse_from(line).map_err(|error| {
            let named = unknown_option(&error).or_else(|| unknown_name(&error)).or_else(|| missing_value(&error));
            named.unwrap_or_else(|| stop(&error))
        })
    }
}

/// A mistake, followed by the usage.
pub fn mistake_with_usage(text: &str) -> Stop {
    Stop::Mistake(format!("{text}\n\nUsage: {USAGE}\n\nFor more information, try '--help'."))
}

/// Puts clap's message, which it spreads over several lines, on one.
fn stop(error: &clap::Error) -> Stop {
    let text = error.render().to_string();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return Stop::Help(text);
    }
    // Its first paragraph says what is wrong; tips and usage follow.
    let paragraph = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
    let message = paragraph.collect::<Vec<_>>().join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    match error.kind() {
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => Stop::Mistake(message.to_owned()),
        _ => mistake_with_usage(message),
    }
}

/// A text that comes with an error.
fn context(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    }
}

/// The mistake in the name of an option, if that is the mistake.
fn unknown_option(error: &clap::Error) -> Option<Stop> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let found = context(error, ContextKind::InvalidArg)?.split(['=', ' ']).next()?;
    let command = Arguments::command();
    let mut known: Vec<_> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    known.sort_unstable();
    let name = found.trim_start_matches('-');
    let field = field::names().into_iter().find(|&field| field == name.replace('-', "_"));
    let hint = match (field, nearest(known.iter().copied(), name)) {
        (Some(field), _) => format!(", did you mean '--set {field}=VALUE'?"),
        (None, Some(option)) => format!(", did you mean '--{option}'?"),
        (None, None) => ":".to_owned(),
    };
    let all = known.iter().map(|option| format!("--{option}")).collect::<Vec<_>>().join(", ");
    Some(mistake_with_usage(&format!("unknown option '{found}'{hint} must be one of {all}")))
}

/// The mistake in a name from a list, such as that of a preset, if that is the mistake.
fn unknown_name(error: &clap::Error) -> Option<Stop> {
    let argument = context(error, ContextKind::InvalidArg)?.split(' ').next()?;
    let found = context(error, ContextKind::InvalidValue)
        .filter(|found| !found.is_empty() && error.kind() == ErrorKind::InvalidValue)?;
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::ValidValue) else { return None };
    let hint = match nearest(names.iter().map(String::as_str), found) {
        Some(name) => format!(", did you mean '{name}'?"),
        None => ":".to_owned(),
    };
    Some(Stop::Mistake(format!("unknown value '{found}' of '{argument}'{hint} must be one of {}", names.join(", "))))
}

/// The value that an option lacks, if that is the mistake.
fn missing_value(error: &clap::Error) -> Option<Stop> {
    let argument = context(error, ContextKind::InvalidArg)?;
    if error.kind() != ErrorKind::InvalidValue || !context(error, ContextKind::InvalidValue)?.is_empty() {
        return None;
    }
    let allowed = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(names)) if !names.is_empty() => format!(": must be one of {}", names.join(", ")),
        _ => {
            let name = argument.trim_start_matches('-').split([' ', '=']).next()?;
            let command = Arguments::command();
            let option = command.get_arguments().find(|option| option.get_long() == Some(name))?;
            format!("; it does this: {}", option.get_help()?)
        }
    };
    Some(mistake_with_usage(&format!("a value is required for '{argument}'{allowed}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, Stop> {
        Arguments::read(["noise_map"].into_iter().chain(line.split_whitespace()).map(OsString::from))
    }

    fn mistake(line: &str) -> String {
        match read(line) {
            Err(Stop::Mistake(text)) => text,
            other => panic!("'{line}' is no mistake: {other:?}"),
        }
    }

    #[test]
    fn the_parser_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest_and_all_of_them() {
        let text = mistake("--preset rigded");
        let start =
            "unknown value 'rigded' of '--preset', did you mean 'ridged'? must be one of table, grid, diagonals, ";
        assert!(text.starts_with(start) && text.ends_with("plateaus, tiling"), "{text}");
        let text = mistake("--preset qqqq");
        assert!(text.starts_with("unknown value 'qqqq' of '--preset': must be one of table, grid, "), "{text}");
        assert!(!text.contains('\n'));
        for (line, expected) in [
            (
                "--color Fire",
                "unknown value 'Fire' of '--color', did you mean 'fire'? must be one of clouds, wood, marble, fire, land",
            ),
            (
                "--format PNG",
                "unknown value 'PNG' of '--format', did you mean 'png'? must be one of pgm, pgm16, png, png16, raw, svg, wesl",
            ),
            ("--preset RIDGED", "unknown value 'RIDGED' of '--preset', did you mean 'ridged'? must be one of table, "),
        ] {
            assert!(mistake(line).starts_with(expected), "{}", mistake(line));
        }
        assert_eq!(
            mistake("--format jpg"),
            "unknown value 'jpg' of '--format': must be one of pgm, pgm16, png, png16, raw, svg, wesl"
        );
    }

    #[test]
    fn negative_values_reach_their_options() {
        for (line, expected) in [
            ("--size -5x5", "invalid value '-5x5' for '--size <WxH>': each side must be a whole number of pixels"),
            ("--seed -1", "invalid value '-1' for '--seed <SEED>': must be a whole number from 0 to"),
            ("--cell -20", "invalid value '-20' for '--cell <PIXELS>': must be a number of pixels from 2 to 1000000"),
            ("--frames -2 --move 1,0", "invalid value '-2' for '--frames <N>': must be a whole number from 2 to 10000"),
            ("--wesl 4", "invalid value '4' for '--wesl <DIMENSIONS>': must be 2, for the plane, or 3, for space"),
            ("--size --force", "invalid value '--force' for '--size <WxH>': must be width and height, such as 640x480"),
        ] {
            let text = mistake(line);
            assert!(text.starts_with(expected) && !text.contains('\n'), "{text}");
        }
        let arguments = read("--preset ridged --offset -3,-4.5 --frames 2 --move -1,0,-2").expect("all is well");
        assert_eq!(arguments.offset, Some([-3.0, -4.5]));
        assert_eq!(arguments.movement, Some(Movement { plane: [-1.0, 0.0], z: Some(-2.0) }));
    }

    #[test]
    fn what_does_not_go_together_is_refused_and_the_usage_follows() {
        for line in [
            "--list --gallery",
            "--list --layer-gallery",
            "--gallery --layer-gallery",
            "--layer-gallery --seed 1",
            "--preset ridged --list",
            "--gallery --preset ridged",
            "--gallery --seed 1",
            "--gallery --set octaves=2",
            "--gallery --slice 3",
            "--list --slice 3",
            "--list --size 8x8",
            "--list --format png",
            "--preset ridged --graph --color fire",
            "--preset ridged --frames 5 --move 1,0 --compare octaves=1..2",
            "--preset ridged --frames 5",
            "--preset ridged --frames 5 --loop --flow",
            "--preset ridged --frames 5 --loop --normals",
            "--preset ridged --frames 5 --loop --gradients",
            "--preset ridged --flow",
            "--preset ridged --move 1,0",
            "--preset ridged --fade linear",
            "--preset ridged --line",
            "--gallery --line",
            "--list --wesl 2",
            "--preset ridged --wesl 2 --size 8x8",
            "--preset ridged --wesl 3 --slice 0",
        ] {
            let text = mistake(line);
            assert!(text.contains("\n\nUsage: noise_map imageWidth"), "{line}: {text}");
        }
    }

    #[test]
    fn an_unknown_option_is_answered_with_the_nearest_and_all_of_them() {
        let all = "--cell, --color, --compare, --flow, --force, --format, --frames, --gallery, --gradients, --graph, --help, --layer, \
                   --layer-gallery, --layer-of, --line, --list, --loop, --move, --normals, --offset, --preset, --seed, --set, --size, --slice, \
                   --stretch, --version, --wesl";
        for (line, option, meant) in [
            ("--preset ridged --colour fire", "--colour", "--color"),
            ("--preset ridged --colour=fire", "--colour", "--color"),
            ("--preset ridged --Color fire", "--Color", "--color"),
            ("--preset ridged --compere octaves=1..3", "--compere", "--compare"),
            ("--preset ridged --SIZE 8x8", "--SIZE", "--size"),
            ("--presets ridged", "--presets", "--preset"),
            ("--preset ridged --octaves 3", "--octaves", "--set octaves=VALUE"),
            ("--preset ridged --fade=Linear", "--fade", "--set fade=VALUE"),
            ("--preset ridged --height-scale 3", "--height-scale", "--set height_scale=VALUE"),
        ] {
            let expected =
                format!("unknown option '{option}', did you mean '{meant}'? must be one of {all}\n\nUsage: ");
            let text = mistake(line);
            assert!(text.starts_with(&expected), "{line}: {text}");
        }
        let text = mistake("--preset ridged --qqqq");
        assert!(text.starts_with(&format!("unknown option '--qqqq': must be one of {all}\n\n")), "{text}");
        assert!(mistake("--preset ridged -x").starts_with("unknown option '-x': must be one of --cell, "));
    }

    #[test]
    fn an_option_without_its_value_is_answered_with_what_it_takes() {
        for (line, expected) in [
            ("--preset", "a value is required for '--preset <NAME>': must be one of table, grid, "),
            ("--preset=", "a value is required for '--preset <NAME>': must be one of table, grid, "),
            ("--color", "a value is required for '--color <COLORS>': must be one of clouds, wood, marble, fire, land"),
            (
                "--set",
                "a value is required for '--set <FIELD=VALUE>'; it does this: Changes a field of the noise, such as ",
            ),
            (
                "--compare",
                "a value is required for '--compare <FIELD=VALUES>'; it does this: Draws a sheet with a tile for ",
            ),
            ("--size", "a value is required for '--size <WxH>'; it does this: Width and height of the image"),
        ] {
            let text = mistake(line);
            assert!(text.starts_with(expected) && text.contains("\n\nUsage: "), "{line}: {text}");
        }
    }

    #[test]
    fn help_and_version_are_no_mistakes() {
        for heading in [SOURCE, NOISE, VIEW, IMAGE, OUTPUT, "Examples:"] {
            assert!(matches!(read("--help"), Err(Stop::Help(text)) if text.contains(heading)), "{heading}");
        }
        assert!(matches!(read("--version"), Err(Stop::Help(text)) if text.starts_with("noise_map ")));
    }
}
