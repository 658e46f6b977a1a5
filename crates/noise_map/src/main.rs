//! Draws noise: maps, comparison sheets, graphs and animations.
//!
//! ```text
//! noise_map imageWidth imageHeight cellSize seed [OPTIONS] [FILE]
//! noise_map --preset NAME [OPTIONS] [FILE]
//! noise_map --layer-of FILE [--layer N] [OPTIONS] [FILE]
//! noise_map --gallery [FILE]
//! noise_map --layer-gallery [FILE]
//! noise_map --list
//! ```
//!
//! `noise_map --help` explains the options.
//!
//! # How an image is made
//!
//! 1. `arguments` reads the command line, and `job` decides what it means, with `words`, `values` and `output`.
//! 2. `destination` checks that the file can be written. Only then is anything drawn.
//! 3. `map` draws band by band, so memory does not grow with the image. `compare`, `gallery` and `layer_gallery` draw tiles into
//!    memory. `graph` writes an SVG. A shader module is text that the noise writes itself.
//! 4. `encode` writes rows to a temporary file, which gets its name at the end. `watch` polls for signals.
//!
//! Exit code 0: written. 1: the file can't be read or written. 2: the command line makes no sense. 130 or 143: interrupted.
//!
//! Source: Marko Nikic, *Perlin-Noise* (exercise, 2024): the four numbers, the grid with one gradient more than cells along each
//! axis, and the three fades. All else is ours.

mod animation;
mod arguments;
mod arrows;
mod canvas;
mod compare;
mod destination;
mod encode;
mod field;
mod font;
mod gallery;
mod graph;
mod job;
mod layer_gallery;
mod list;
mod map;
mod messages;
mod names;
mod output;
mod ramp;
mod sampler;
mod settings_file;
mod shader;
mod sheet;
mod source;
mod stop;
mod values;
mod watch;
mod words;

use arguments::Arguments;
use canvas::Canvas;
use encode::{Format, encode};
use job::Job;
use messages::{print, tell};
use perlin_terrain::noise::NoisePreset;
use source::Source;
use std::io::{self, Write};
use std::process::ExitCode;
use stop::Stop;
use watch::Watch;

fn main() -> ExitCode {
    let stop = match Arguments::read(std::env::args_os()).and_then(Job::new).and_then(run) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Stop::Help(text)) => match print(&text) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(stop) => stop,
        },
        Err(stop) => stop,
    };
    if let Stop::Mistake(text) | Stop::Failure(text) = &stop {
        tell(&format!("error: {text}"));
    }
    stop.exit_code()
}

/// Does the job, and says what was done.
fn run(job: Job) -> Result<(), Stop> {
    let mut watch = Watch::start();
    let (file, what) = match job {
        Job::List => return print(&list::list()),
        Job::Gallery(destination) => {
            let mut canvas = gallery::canvas()?;
            let what = format!("{}, {} noises", pixels(canvas.size), NoisePreset::ALL.len());
            let draw = |output: &mut dyn Write, watch: &mut Watch| {
                gallery::draw(&mut canvas, watch)?;
                write(&canvas, destination.format, output)
            };
            (destination.write(&mut watch, draw)?, what)
        }
        Job::LayerGallery(destination) => {
            let mut canvas = layer_gallery::canvas()?;
            let what = format!("{}, {} kinds of ground", pixels(canvas.size), layer_gallery::GROUNDS.len());
            let draw = |output: &mut dyn Write, watch: &mut Watch| {
                layer_gallery::draw(&mut canvas, watch)?;
                write(&canvas, destination.format, output)
            };
            (destination.write(&mut watch, draw)?, what)
        }
        Job::Map(map, destination) => {
            warn(map.source.warning());
            let frames = map.frames.map_or(String::new(), |frames| format!("{} frames of ", frames.count));
            let what = format!("{frames}{} of {}", pixels(map.size), title(&map.source));
            (destination.write(&mut watch, |output, watch| map.draw(destination.format, output, watch))?, what)
        }
        Job::Compare(comparison, destination) => {
            let mut canvas = comparison.canvas()?;
            warn(comparison.tiles.iter().find_map(|tile| tile.source.warning()));
            let (count, name) = (comparison.tiles.len(), &comparison.map.source.name);
            let what = format!("{}, {count} tiles of {name}", pixels(canvas.size));
            let draw = |output: &mut dyn Write, watch: &mut Watch| {
                comparison.draw(&mut canvas, watch)?;
                write(&canvas, destination.format, output)
            };
            (destination.write(&mut watch, draw)?, what)
        }
        Job::Wesl(module, _, None) => return print(&module),
        Job::Wesl(module, source, Some(destination)) => {
            let what = format!("a module of a shader with {}", title(&source));
            (destination.write(&mut watch, |output, _| output.write_all(module.as_bytes()))?, what)
        }
        Job::Graph(graph, destination) => {
            let what = format!("a graph of {}", title(&graph.source));
            (destination.write(&mut watch, |output, _| output.write_all(graph.svg().as_bytes()))?, what)
        }
    };
    drop(watch);
    match file {
        Some(path) => print(&format!("wrote {}: {what}\n", path.display())),
        // Standard output has the image.
        None => Ok(()),
    }
}

/// Prints a warning, if there is one.
fn warn(warning: Option<String>) {
    if let Some(text) = warning {
        tell(&format!("warning: {text}"));
    }
}

/// Writes an image that is in memory.
fn write(canvas: &Canvas, format: Format, output: &mut dyn Write) -> io::Result<()> {
    encode(format, canvas.pixels, canvas.size, output, |rows| rows(&canvas.bytes))
}

fn pixels([width, height]: [u32; 2]) -> String {
    format!("{width} by {height} pixels")
}

fn title(source: &Source) -> String {
    let seed =
        if source.settings.has_seed() { format!("seed {}", source.seed) } else { "which has no seed".to_owned() };
    format!("{}, {seed}", source.name)
}
