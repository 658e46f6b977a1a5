//! The black screen, and text over the view.
//!
//! It uses egui. A game with Bevy's own UI uses a black `Node` over the whole window and a `Text`.

use crate::travel::{Fade, Game, READY_RADIUS};
use crate::walker::Walker;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Align2, Color32, FontId, Id, LayerId, Order, vec2};
use bevy_perlin_terrain::prelude::*;

const KEYS: &str = "W A S D walk, Shift run, Space jump, click look, T travel 50 km, F summer or winter";

pub fn draw(
    mut contexts: EguiContexts,
    (fade, game): (Res<Fade>, Res<State<Game>>),
    mut chunks: TerrainStreamState,
    terrain: Single<&TerrainState>,
    walker: Single<&Transform, With<Walker>>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let screen = context.viewport_rect();
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::new("screen")));
    if *game.get() == Game::Playing {
        let (at, font) = (screen.left_bottom() + vec2(12.0, -12.0), FontId::proportional(14.0));
        // Dark, then white: it can be read on snow too.
        painter.text(at + vec2(1.0, 1.0), Align2::LEFT_BOTTOM, KEYS, font.clone(), Color32::BLACK);
        painter.text(at, Align2::LEFT_BOTTOM, KEYS, font, Color32::WHITE);
    }
    painter.rect_filled(screen, 0.0, Color32::from_black_alpha((fade.0 * 255.0) as u8));
    // With a mistake in the settings file, the ground never gets ready. Say so.
    let problem = terrain.problems().next().filter(|_| terrain.settings().is_none());
    let text = match (game.get(), problem) {
        (Game::Playing | Game::Leaving, _) => return Ok(()),
        (Game::Placing | Game::Loading, Some(problem)) => problem.to_string(),
        (Game::Placing, None) => "Loading".to_owned(),
        (Game::Loading, None) => {
            format!("Loading {:.0} %", 100.0 * chunks.progress(walker.translation, READY_RADIUS))
        }
    };
    let text = painter.layout(text, FontId::proportional(24.0), Color32::WHITE, screen.width() * 0.8);
    painter.galley(screen.center() - text.size() / 2.0, text, Color32::WHITE);
    Ok(())
}
