//! Takes the pictures of a shot list, without a window.

use crate::options::Options;
use crate::quality::render_plugin;
use crate::shot::read_shots;
use crate::stage::{self, ShotDrawn, Stage};
use bevy::camera::RenderTarget;
use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_perlin_terrain::prelude::*;
use std::path::Path;
use std::process::ExitCode;

/// Takes the shots of the list in the file `list`.
pub fn take(list: &Path, options: &Options) -> ExitCode {
    let shots = match read_shots(list, options.only.as_deref()) {
        Ok(shots) => shots,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    if let Err(error) = std::fs::create_dir_all(&options.folder) {
        eprintln!("error: {}: {error}", options.folder.display());
        return ExitCode::FAILURE;
    }
    let mut stage = Stage::new(shots, 2);
    (stage.scale, stage.crop, stage.fast) = (options.scale, options.crop, options.fast);
    let mut app = stage::app(stage, options.sky_plugin(), render_plugin(options.quality));
    match app.insert_resource(options.clone()).add_observer(take_picture).run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn take_picture(
    _: On<ShotDrawn>,
    mut commands: Commands,
    stage: Res<Stage>,
    options: Res<Options>,
    targets: Query<&RenderTarget>,
) {
    let Some((shot, target)) = stage.shots.front().zip(targets.iter().find_map(RenderTarget::as_image)) else { return };
    let path = options.folder.join(format!("{}.png", shot.name));
    commands.spawn(Screenshot::image(target.clone())).observe(save_to_disk(path)).observe(end_shot);
}

/// Prints what the shot cost, and starts the next one.
fn end_shot(
    _: On<ScreenshotCaptured>,
    mut stage: ResMut<Stage>,
    terrains: Query<&TerrainState>,
    diagnostics: Res<DiagnosticsStore>,
) {
    let Some(shot) = stage.shots.front() else { return };
    let seconds = stage.started.elapsed().as_secs_f32();
    let triangles: usize = terrains.iter().map(triangles).sum();
    let fragments: f64 = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.path().as_str().ends_with("fragment_shader_invocations"))
        .filter_map(Diagnostic::value)
        .sum();
    println!(
        "{}: {seconds:.1} s, {:.2} M triangles, {:.1} M fragments",
        shot.name,
        triangles as f64 / 1e6,
        fragments / 1e6
    );
    stage.next_shot();
}

/// Triangles in the chunks that are drawn around the viewer.
fn triangles(state: &TerrainState) -> usize {
    let quads = state.settings().map_or(0, |settings| settings.chunks.quads as usize);
    2 * quads * quads * state.chunks_drawn()
}
