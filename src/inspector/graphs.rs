//! Graphs of the last frames: time on the main thread, and chunks in the background.

use super::style::{ACCENT, BAD, EDITED, FAINT, TEXT, small};
use crate::stream::{TerrainBudget, TerrainHistory};
use bevy_egui::egui::epaint::Mesh;
use bevy_egui::egui::{
    Align, Align2, Color32, CornerRadius, FontId, Layout, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};

/// Numbers of the last frames of all terrains, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryInfo {
    /// Time of the terrain on the main thread, in milliseconds.
    pub frame_times: Vec<f32>,
    /// Background tasks in flight.
    pub building: Vec<f32>,
    /// Chunks in the build queue: wanted, and without a task.
    pub queued: Vec<f32>,
    /// The [`time_budget`](TerrainBudget::time_budget), in milliseconds. `None` draws no budget line.
    pub time_budget: Option<f32>,
}

impl HistoryInfo {
    /// Copies the numbers of `history` and the time budget.
    #[must_use]
    pub fn new(history: &TerrainHistory, budget: &TerrainBudget) -> Self {
        Self {
            frame_times: history.frames().map(|frame| frame.frame_time.as_secs_f32() * 1000.0).collect(),
            building: history.frames().map(|frame| frame.tasks_in_flight as f32).collect(),
            queued: history.frames().map(|frame| frame.chunks_queued as f32).collect(),
            time_budget: Some(budget.time_budget as f32),
        }
    }
}

/// Height of a graph, in points.
const HEIGHT: f32 = 38.0;

/// Draws two graphs of the last frames, one below the other, as wide as `ui`: the time of the terrain on the main thread, with a
/// line at its budget, and the chunks that are being built and that are queued.
///
/// The inspector uses it. A game can use it in its own overlay:
///
/// ```
/// use bevy::prelude::*;
/// use bevy_egui::{EguiContexts, egui};
/// use bevy_perlin_terrain::inspector::{HistoryInfo, history_graphs};
/// use bevy_perlin_terrain::prelude::*;
/// use bevy_perlin_terrain::stream::TerrainHistory;
///
/// fn overlay(mut contexts: EguiContexts, history: Res<TerrainHistory>, budget: Res<TerrainBudget>) -> Result {
///     egui::Window::new("terrain").show(contexts.ctx_mut()?, |ui| {
///         history_graphs(ui, &HistoryInfo::new(&history, &budget));
///     });
///     Ok(())
/// }
/// ```
pub fn history_graphs(ui: &mut Ui, history: &HistoryInfo) {
    let HistoryInfo { frame_times, building, queued, time_budget } = history;
    let last = |numbers: &[f32]| numbers.last().copied().unwrap_or_default();
    let max = max(frame_times);
    title(ui, "terrain, main thread", &format!("{:.2} ms · max {max:.2} ms", last(frame_times)));
    // Clip values far above the budget, so that the line stays readable.
    let budget = time_budget.unwrap_or(f32::INFINITY);
    let scale = (max * 1.1).min(4.0 * budget).max(time_budget.unwrap_or_default() * 1.25);
    let line = time_budget.map(|budget| (budget, format!("budget {budget} ms")));
    graph(ui, &[Area { numbers: frame_times, color: ACCENT }], scale, line);
    title(ui, "chunks", &format!("{} building · {} queued", last(building), last(queued)));
    let all: Vec<f32> = building.iter().zip(queued).map(|(building, queued)| building + queued).collect();
    let scale = (self::max(&all) * 1.1).max(8.0);
    graph(ui, &[Area { numbers: &all, color: EDITED }, Area { numbers: building, color: ACCENT }], scale, None);
}

fn max(numbers: &[f32]) -> f32 {
    numbers.iter().copied().fold(0.0, f32::max)
}

/// A name at the left, numbers at the right.
fn title(ui: &mut Ui, name: &str, numbers: &str) {
    ui.horizontal(|ui| {
        ui.set_max_height(14.0);
        ui.add(small(name, TEXT).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(small(numbers, TEXT).selectable(false)));
    });
}

/// Numbers drawn as a filled area.
struct Area<'a> {
    numbers: &'a [f32],
    color: Color32,
}

/// Draws `areas` on top of each other, and a labeled line. The top of the graph is the number `scale`. Values above the line are
/// red.
fn graph(ui: &mut Ui, areas: &[Area<'_>], scale: f32, line: Option<(f32, String)>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, CornerRadius::same(3), Color32::from_black_alpha(140));
    let inside = rect.shrink2(vec2(0.0, 2.0));
    let limit = line.as_ref().map_or(f32::INFINITY, |(limit, _)| *limit);
    for area in areas {
        let color = |number: f32| if number > limit { BAD } else { area.color };
        let points = graph_points(inside, area.numbers, scale);
        let mut mesh = Mesh::default();
        for (index, (at, &number)) in points.iter().zip(area.numbers).enumerate() {
            let fill = color(number).gamma_multiply(0.4);
            mesh.colored_vertex(*at, fill);
            mesh.colored_vertex(pos2(at.x, inside.bottom()), fill);
            if index > 0 {
                let corner = 2 * index as u32;
                mesh.add_triangle(corner - 2, corner - 1, corner);
                mesh.add_triangle(corner - 1, corner, corner + 1);
            }
        }
        painter.add(Shape::mesh(mesh));
        for (pair, numbers) in points.windows(2).zip(area.numbers.windows(2)) {
            painter.line_segment([pair[0], pair[1]], Stroke::new(1.2, color(numbers[0].max(numbers[1]))));
        }
    }
    if let Some((limit, name)) = line {
        let y = graph_points(inside, &[limit], scale)[0].y;
        painter.hline(rect.x_range(), y, Stroke::new(1.0, FAINT));
        // The label is above the line, or below it if there is no room.
        let (above, font) = (y - rect.top() > 14.0, FontId::proportional(9.5));
        let align = if above { Align2::LEFT_BOTTOM } else { Align2::LEFT_TOP };
        painter.text(pos2(rect.left() + 4.0, y), align, name, font, FAINT);
    }
}

/// The positions of the numbers. The last is at the right edge; a full history fills the width.
fn graph_points(rect: Rect, numbers: &[f32], scale: f32) -> Vec<bevy_egui::egui::Pos2> {
    let step = rect.width() / (TerrainHistory::FRAMES - 1) as f32;
    let first = rect.right() - step * numbers.len().saturating_sub(1) as f32;
    let height = |number: f32| if scale > 0.0 { rect.height() * (number / scale).clamp(0.0, 1.0) } else { 0.0 };
    let point = |(index, &number): (usize, &f32)| pos2(first + step * index as f32, rect.bottom() - height(number));
    numbers.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::TerrainStats;
    use std::time::Duration;

    #[test]
    fn frames_move_from_the_right_edge_to_the_left() {
        let rect = Rect::from_min_max(pos2(10.0, 0.0), pos2(249.0, 100.0));
        assert_eq!(graph_points(rect, &[], 1.0), []);
        assert_eq!(graph_points(rect, &[0.0, 2.0], 8.0), [pos2(248.0, 100.0), pos2(249.0, 75.0)]);
        let all = graph_points(rect, &[9.0; TerrainHistory::FRAMES], 8.0);
        assert_eq!(
            (all[0], all.len()),
            (pos2(10.0, 0.0), TerrainHistory::FRAMES),
            "values above the scale are at the top"
        );
        assert_eq!(graph_points(rect, &[3.0], 0.0), [pos2(249.0, 100.0)]);
    }

    #[test]
    fn the_info_has_the_numbers_of_the_history() {
        let mut history = TerrainHistory::default();
        for step in 1..4 {
            let stats = TerrainStats {
                frame_time: Duration::from_millis(step),
                tasks_in_flight: 10 * step as usize,
                chunks_queued: 100 * step as usize,
                ..TerrainStats::default()
            };
            history.push(stats);
        }
        let expected = HistoryInfo {
            frame_times: vec![1.0, 2.0, 3.0],
            building: vec![10.0, 20.0, 30.0],
            queued: vec![100.0, 200.0, 300.0],
            time_budget: Some(1.0),
        };
        assert_eq!(HistoryInfo::new(&history, &TerrainBudget::default()), expected);
    }
}
