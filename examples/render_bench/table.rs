//! The table: a row for each view.

use crate::cost::{Cost, Counted};
use crate::stage::{ShotBegins, ShotDrawn, Stage};
use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;

const HEAD: &str = "\
| view | triangles | in shadows | draws | in shadows | textures | all memory | fragments | main pass | all passes |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |";

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, print_head).add_observer(forget_last_shot).add_observer(print_row);
}

fn print_head(stage: Res<Stage>, adapter: Res<RenderAdapterInfo>) {
    if let Some([width, height]) = stage.shots.front().map(|shot| shot.size) {
        println!("{width} by {height} pixels, on {}\n\n{HEAD}", adapter.name);
    }
}

fn forget_last_shot(_: On<ShotBegins>, mut diagnostics: ResMut<DiagnosticsStore>) {
    diagnostics.iter_mut().for_each(Diagnostic::clear_history);
}

fn print_row(_: On<ShotDrawn>, mut stage: ResMut<Stage>, counted: Counted) {
    if let Some(shot) = stage.shots.front() {
        println!("{}", row(&shot.name, &counted.cost()));
    }
    stage.next_shot();
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
        cost.view.meshes.to_string(),
        cost.shadows.meshes.to_string(),
        megabytes(cost.textures),
        cost.memory.map_or_else(unknown, megabytes),
        cost.fragments.map_or_else(unknown, millions),
        milliseconds(cost.main_pass),
        milliseconds(cost.passes),
    ];
    format!("| {} |", cells.join(" | "))
}
