//! The command line: for screenshots and for runs without a player. A game does without it.

use crate::travel::Game;
use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_perlin_terrain::prelude::*;
use clap::Parser;
use std::path::PathBuf;

/// Walk through endless terrain.
#[derive(Parser, Resource, Clone)]
pub struct Options {
    /// Walks ahead for N frames, then ends.
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    /// Saves the last frame as a screenshot. Without --frames, that is after 60 frames.
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// The size of the window in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, default_value = "1280x720")]
    window: [u32; 2],
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').ok_or("expected two numbers, separated by an x")?;
    let number = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
    Ok([number(width)?, number(height)?])
}

impl Options {
    pub fn window(&self) -> WindowPlugin {
        let [width, height] = self.window;
        let window = Window { title: "walker".into(), resolution: (width, height).into(), ..default() };
        WindowPlugin { primary_window: Some(window), ..default() }
    }

    pub fn renderer(&self) -> RenderPlugin {
        // A screenshot must not be taken before the shaders are compiled.
        RenderPlugin { synchronous_pipeline_compilation: self.screenshot.is_some(), ..default() }
    }
}

impl Plugin for Options {
    fn build(&self, app: &mut App) {
        if self.frames.is_some() || self.screenshot.is_some() {
            app.insert_resource(self.clone())
                .add_systems(PreUpdate, hold_w_key.after(InputSystems))
                .add_systems(Last, end.run_if(in_state(Game::Playing)));
        }
    }
}

fn hold_w_key(mut keys: ResMut<ButtonInput<KeyCode>>) {
    keys.press(KeyCode::KeyW);
}

/// Takes the screenshot and ends, after the last frame and when the horizon is loaded.
fn end(
    options: Res<Options>,
    terrain: Single<&TerrainState>,
    (mut frame, mut is_over): (Local<u32>, Local<bool>),
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    *frame += 1;
    if *is_over || *frame < options.frames.unwrap_or(60) || !terrain.is_settled() {
        return;
    }
    *is_over = true;
    let Some(path) = options.screenshot.clone() else {
        exit.write(AppExit::Success);
        return;
    };
    commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path)).observe(
        |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            exit.write(AppExit::Success);
        },
    );
}
