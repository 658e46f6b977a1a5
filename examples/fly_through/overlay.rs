//! What is drawn over the picture: numbers, controls and chunk borders.

use crate::options::Options;
use bevy::diagnostic::{Diagnostic, DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_perlin_terrain::prelude::*;

/// What is drawn on top.
#[derive(Resource)]
pub struct Show {
    pub borders: bool,
    pub numbers: bool,
}

/// Lines along the border of every chunk that is shown, on the ground.
pub fn draw_chunk_borders(
    mut gizmos: Gizmos,
    terrains: Query<(&TerrainState, &GlobalTransform)>,
    chunks: Query<&TerrainChunk, With<ChunkShown>>,
) {
    for chunk in &chunks {
        let Ok((state, transform)) = terrains.get(chunk.terrain) else {
            continue;
        };
        let (Some(field), Some(layout)) = (state.field(), state.layout()) else {
            continue;
        };
        // The west and north border: the others are the neighbours'.
        let grid = layout.grid(chunk.coord, 0);
        let last = grid.size[0] - 1;
        let point = |column: usize, row: usize| {
            let [x, z] = grid.position(column, row);
            transform.transform_point(Vec3::new(x as f32, field.height(x, z) + 0.5, z as f32))
        };
        let colour = Color::srgb(1.0, 0.55, 0.1);
        gizmos.linestrip((0..=last).step_by(4).map(|i| point(i, 0)), colour);
        gizmos.linestrip((0..=last).step_by(4).map(|i| point(0, i)), colour);
    }
}

pub fn draw_numbers(
    mut contexts: EguiContexts,
    options: Res<Options>,
    stats: Res<TerrainStats>,
    diagnostics: Res<DiagnosticsStore>,
    terrains: Query<&TerrainState>,
    cameras: Query<&Transform, With<TerrainViewer>>,
) -> Result {
    let fps = diagnostics.get(&FrameTimeDiagnosticsPlugin::FPS).and_then(Diagnostic::smoothed).unwrap_or_default();
    let wanted: usize = terrains.iter().map(TerrainState::chunks_wanted).sum();
    egui::Area::new("numbers".into()).fixed_pos([12.0, 12.0]).interactable(false).show(contexts.ctx_mut()?, |ui| {
        egui::Frame::new().fill(egui::Color32::from_black_alpha(150)).corner_radius(6).inner_margin(10).show(
            ui,
            |ui| {
                ui.style_mut().visuals.override_text_color = Some(egui::Color32::from_gray(235));
                // Problems and warnings are long.
                ui.set_max_width(520.0);
                ui.strong(options.settings.rsplit(['/', '\\']).next().unwrap_or_default());
                ui.label(format!("{fps:.0} frames/s, terrain {:.2} ms", stats.frame_time.as_secs_f64() * 1000.0));
                ui.label(format!("{} of {wanted} chunks, {} building", stats.chunks_shown, stats.tasks_in_flight));
                if let Some(camera) = cameras.iter().next() {
                    let Vec3 { x, y, z } = camera.translation;
                    ui.label(format!("at {x:.0}, {y:.0}, {z:.0} m"));
                }
                for problem in terrains.iter().flat_map(TerrainState::problems) {
                    ui.colored_label(egui::Color32::from_rgb(255, 140, 120), problem);
                }
                for warning in terrains.iter().flat_map(TerrainState::warnings) {
                    ui.colored_label(egui::Color32::from_rgb(240, 226, 98), warning);
                }
                ui.add_space(4.0);
                ui.small("W A S D E Q fly, Shift fast, wheel speed, right mouse look");
                ui.small("F1 inspector  F2 wireframe  F3 borders  F4 numbers  F12 picture");
            },
        );
    });
    Ok(())
}
