//! Takes the images of a shot list: `studio stills`.

use crate::app::update_until;
use crate::render::cost;
use crate::shot::ShotList;
use crate::stage::{Drawing, Format, Stage};
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use clap::Args;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Takes the images of a shot list, such as those of the README.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    list: ShotList,
    #[command(flatten)]
    drawing: Drawing,
    /// The folder for the images.
    #[arg(long, value_name = "FOLDER", default_value = "stills")]
    pub folder: PathBuf,
    #[command(flatten)]
    format: Format,
}

/// Frames until an image is complete.
const FRAMES: u32 = 2;

/// Takes the images, and prints what each has cost.
pub fn take(options: &Options) -> Result<(), String> {
    let shots = options.list.read()?;
    std::fs::create_dir_all(&options.folder).map_err(|error| format!("{}: {error}", options.folder.display()))?;
    let mut stage = Stage::new(options.drawing, options.format);
    for shot in shots {
        let started = Instant::now();
        let image = stage.draw(&shot, FRAMES)?;
        let path = options.folder.join(format!("{}.png", shot.name));
        let screenshot = stage.app.world_mut().spawn(Screenshot::image(image)).observe(save_to_disk(path)).id();
        // Bevy removes it once it is saved.
        update_until(&mut stage.app, Duration::ZERO, |app| app.world().get_entity(screenshot).is_err())?;
        let cost = cost::of(&mut stage.app);
        println!(
            "{}: {:.1} s, {:.2} M triangles, {:.1} M fragments",
            shot.name,
            started.elapsed().as_secs_f32(),
            cost.view.triangles as f64 / 1e6,
            cost.fragments.unwrap_or_default() / 1e6
        );
    }
    Ok(())
}
