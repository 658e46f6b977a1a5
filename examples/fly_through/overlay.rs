//! The text overlay: statistics, problems and keys.

use crate::freeze::FrozenViewer;
use crate::options::Options;
use crate::seams;
use bevy::diagnostic::{Diagnostic, DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_perlin_terrain::inspector::{HistoryInfo, history_graphs};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::TerrainView;
use bevy_perlin_terrain::stream::{SeamWatch, TerrainHistory, TerrainPlace};

/// Which overlays are visible.
#[derive(Resource)]
pub struct Show {
    pub borders: bool,
    pub numbers: bool,
    pub seams: bool,
}

/// The data of the overlay.
#[derive(SystemParam)]
pub struct OverlayData<'w, 's> {
    stats: Res<'w, TerrainStats>,
    history: Res<'w, TerrainHistory>,
    budget: Res<'w, TerrainBudget>,
    terrains: Query<'w, 's, (&'static TerrainState, Option<&'static SeamWatch>)>,
    view: Res<'w, TerrainView>,
    show: Res<'w, Show>,
    frozen: Query<'w, 's, (), With<FrozenViewer>>,
    places: Query<'w, 's, TerrainPlace>,
}

pub fn draw_numbers(
    mut contexts: EguiContexts,
    options: Res<Options>,
    data: OverlayData,
    diagnostics: Res<DiagnosticsStore>,
    cameras: Query<&Transform, With<Camera3d>>,
) -> Result {
    let fps = diagnostics.get(&FrameTimeDiagnosticsPlugin::FPS).and_then(Diagnostic::smoothed).unwrap_or_default();
    let OverlayData { stats, history, budget, terrains, view, show, frozen, places } = data;
    let watches = || terrains.iter().filter_map(|(_, watch)| watch);
    let terrains = || terrains.iter().map(|(state, _)| state);
    let wanted: usize = terrains().map(TerrainState::chunks_wanted).sum();
    egui::Area::new("numbers".into()).fixed_pos([12.0, 12.0]).interactable(false).show(contexts.ctx_mut()?, |ui| {
        egui::Frame::new().fill(egui::Color32::from_black_alpha(185)).corner_radius(6).inner_margin(10).show(
            ui,
            |ui| {
                ui.style_mut().visuals.override_text_color = Some(egui::Color32::from_gray(235));
                // Wrap problems and warnings, which can be long.
                ui.set_max_width(520.0);
                ui.strong(options.settings.rsplit(['/', '\\']).next().unwrap_or_default());
                ui.label(format!("{fps:.0} frames/s"));
                ui.label(format!("{} chunks drawn, {} of {wanted} loaded", stats.chunks_drawn, stats.chunks_loaded));
                if let (Some(camera), Some(terrain)) = (cameras.iter().next(), places.iter().next()) {
                    let DVec3 { x, y, z } = terrain.frame().to_terrain(camera.translation);
                    ui.label(format!("at {x:.0}, {y:.0}, {z:.0} m"));
                }
                ui.scope(|ui| {
                    ui.set_width(270.0);
                    history_graphs(ui, &HistoryInfo::new(&history, &budget));
                });
                match *view {
                    TerrainView::Levels => drop(ui.label("colors: level of detail")),
                    TerrainView::Morph => drop(ui.label("colors: morph factor, from blue (0) to yellow (1)")),
                    _ => {}
                }
                if !frozen.is_empty() {
                    ui.label("the viewer is frozen");
                }
                if show.seams {
                    watches().for_each(|watch| drop(ui.label(seams::summary(watch))));
                }
                for problem in terrains().flat_map(TerrainState::problems) {
                    ui.colored_label(egui::Color32::from_rgb(255, 140, 120), problem.to_string());
                }
                for warning in terrains().flat_map(TerrainState::warnings) {
                    ui.colored_label(egui::Color32::from_rgb(240, 226, 98), warning.to_string());
                }
                ui.add_space(4.0);
                ui.small("W A S D E Q fly, Shift fast, wheel speed, right mouse look, 1 to 8 preset, T time");
                ui.small("F1 inspector  F2 wireframe  F3 borders  F4 statistics  F5 levels, morph");
                ui.small("F6 freeze the viewer  F7 seams  F12 picture of 3840 by 2160");
            },
        );
    });
    Ok(())
}
