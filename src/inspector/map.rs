//! Draws the map of the ground and the histogram of its heights.

use super::info::MapInfo;
use super::panel::PanelState;
use super::style::{ACCENT, FAINT, LABEL_WIDTH, ROW_HEIGHT, STRONG, TEXT};
use super::widgets::metres;
use crate::draft::HeightMap;
use bevy_egui::egui::{
    Align2, Color32, CornerRadius, FontId, Image, Rect, RichText, Sense, Slider, Stroke, Ui, load::SizedTexture, pos2,
    vec2,
};

/// Side length of the map, in points.
const SIDE: f32 = 168.0;

/// Draws the map with the viewer on it, the histogram beside it, and the slider of the map's extent below.
pub(super) fn map_ui(ui: &mut Ui, state: &mut PanelState, info: Option<&MapInfo>) {
    ui.horizontal(|ui| {
        match info {
            Some(info) => image(ui, info),
            None => {
                let (rect, _) = ui.allocate_exact_size(vec2(SIDE, SIDE), Sense::hover());
                ui.painter().rect_filled(rect, CornerRadius::same(4), ui.visuals().extreme_bg_color);
                let text = "no ground yet";
                ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(12.0), FAINT);
            }
        }
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), SIDE), Sense::hover());
        if let Some(info) = info {
            histogram(ui, rect, &info.map);
        }
    });
    ui.horizontal(|ui| {
        ui.allocate_ui(vec2(LABEL_WIDTH, ROW_HEIGHT), |ui| {
            ui.set_min_width(LABEL_WIDTH);
            ui.label("area").on_hover_text(
                "Side length of the map on the ground. A larger value shows more ground around the first viewer.",
            );
        });
        ui.spacing_mut().slider_width = ui.available_width() - 66.0;
        let range = PanelState::MIN_EXTENT..=PanelState::MAX_EXTENT;
        ui.add(Slider::new(&mut state.map_extent, range).logarithmic(true).show_value(false));
        ui.label(RichText::new(metres(state.map_extent)).color(TEXT));
    });
}

fn image(ui: &mut Ui, info: &MapInfo) {
    let image = Image::from_texture(SizedTexture::new(info.texture, vec2(SIDE, SIDE)));
    let response = ui.add(image.corner_radius(CornerRadius::same(4)));
    let rect = response.rect;
    let [x, z] = info.map.position(info.viewer);
    if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&z) {
        let at = rect.lerp_inside(vec2(x, z));
        ui.painter().circle(at, 3.5, STRONG, Stroke::new(1.5, Color32::from_black_alpha(200)));
    }
    let [east, south] = info.map.center;
    let text = format!("North is up. The dot is the first viewer.\nCenter: x {east:.0} m, z {south:.0} m");
    response.on_hover_text(text);
}

/// Draws horizontal bars, with the highest ground on top, and labels for the lowest, the mean and the highest height.
fn histogram(ui: &Ui, rect: Rect, map: &HeightMap) {
    let painter = ui.painter_at(rect);
    let graph = Rect::from_min_max(rect.min + vec2(2.0, 7.0), rect.max - vec2(58.0, 7.0));
    let max = map.histogram.iter().copied().max().unwrap_or(0).max(1) as f32;
    let step = graph.height() / HeightMap::BINS as f32;
    for (bin, count) in map.histogram.iter().enumerate() {
        let bottom = graph.bottom() - bin as f32 * step;
        let width = graph.width() * *count as f32 / max;
        let bar = Rect::from_min_max(pos2(graph.left(), bottom - step + 1.0), pos2(graph.left() + width, bottom));
        painter.rect_filled(bar, CornerRadius::ZERO, ACCENT);
    }
    let range = map.max - map.min;
    let level = |height: f32| {
        let part = if range > 0.0 { (height - map.min) / range } else { 0.5 };
        graph.bottom() - part * graph.height()
    };
    // Keep the label of the mean away from the labels at both ends.
    let mean = level(map.mean).clamp(graph.top() + 26.0, graph.bottom() - 26.0);
    let mut labels = vec![(mean, "mean", map.mean), (graph.bottom(), "min", map.min)];
    if range > 0.0 {
        labels.push((graph.top(), "max", map.max));
    }
    painter.hline(graph.x_range(), level(map.mean), Stroke::new(1.0, STRONG));
    let right = graph.right() + 6.0;
    for (y, name, height) in labels {
        let y = y.clamp(rect.top() + 12.0, rect.bottom() - 12.0);
        painter.text(pos2(right, y), Align2::LEFT_BOTTOM, name, FontId::proportional(10.0), FAINT);
        let text = format!("{height:.0} m");
        painter.text(pos2(right, y - 1.0), Align2::LEFT_TOP, text, FontId::proportional(12.0), TEXT);
    }
}
