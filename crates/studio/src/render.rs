//! Counts what the views of a shot list cost to draw, and measures them where there is a GPU: `studio render`.
//!
//! Prints a Markdown table with one row per view. The counts are the same on every machine, also where a processor draws. Times are
//! those of the GPU, from timestamps in its own queue.
//!
//! The number of textures that a pixel reads is not counted here: `docs/performance.md` has it.

pub mod cost;

use crate::shot::{ShotList, size};
use crate::stage::{Drawing, Format, Stage};
use bevy::render::renderer::RenderAdapterInfo;
use clap::Args;
use cost::Cost;

/// Counts what the views of a shot list cost to draw.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    list: ShotList,
    #[command(flatten)]
    drawing: Drawing,
    /// The size of the image in pixels, in place of that in the list.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, default_value = "1920x1080")]
    pub size: [u32; 2],
    /// How many frames each view draws. Times are their medians. The first numbers come after about five frames.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub frames: u32,
}

const HEAD: &str = "\
| view | triangles | in shadows | draws | in shadows | textures | all memory | fragments | main pass | all passes |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |";

/// Prints the table.
pub fn print(options: &Options) -> Result<(), String> {
    let mut shots = options.list.read()?;
    shots.iter_mut().for_each(|shot| shot.size = options.size);
    let mut stage = Stage::new(options.drawing, Format::FULL);
    let [width, height] = options.size;
    let adapter = &stage.app.world().resource::<RenderAdapterInfo>().name;
    println!("{width} by {height} pixels, on {adapter}\n\n{HEAD}");
    for shot in shots {
        stage.draw(&shot, options.frames)?;
        println!("{}", row(&shot.name, &cost::of(&mut stage.app)));
    }
    Ok(())
}

fn row(name: &str, cost: &Cost) -> String {
    let millions = |number: f64| format!("{:.2} M", number / 1e6);
    let megabytes = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
    let unknown = || "not measured".to_owned();
    let milliseconds = |time: Option<f64>| time.map_or_else(unknown, |time| format!("{time:.2} ms"));
    let cells = [
        name.to_owned(),
        millions(cost.view.triangles as f64),
        millions(cost.shadows.triangles as f64),
        cost.view.batches.to_string(),
        cost.shadows.batches.to_string(),
        megabytes(cost.textures),
        cost.memory.map_or_else(unknown, megabytes),
        cost.fragments.map_or_else(unknown, millions),
        milliseconds(cost.main_pass),
        milliseconds(cost.passes),
    ];
    format!("| {} |", cells.join(" | "))
}
