//! The ranges of the ground in which a layer lies, in the panel.

use super::section::{parameters, section};
use super::style::{FAINT, small};
use super::widgets::Remarks;
use crate::draft::{Draft, Row};
use crate::field::PlainRange;
use crate::look::SurfaceLayer;
use crate::param::parent_path;
use crate::settings::TerrainSettings;
use bevy_egui::egui::Ui;

/// The ranges of a layer, in the order of [`SurfaceLayer::RANGES`].
pub(super) type Ranges = [PlainRange; SurfaceLayer::RANGES.len()];

/// Draws a section for each range of the layer at `path`.
pub(super) fn range_sections(
    ui: &mut Ui,
    draft: &mut Draft<TerrainSettings>,
    rows: &[Row],
    path: &str,
    ranges: &Ranges,
    remarks: Remarks<'_>,
) {
    for (name, range) in SurfaceLayer::RANGES.into_iter().zip(ranges) {
        let path = format!("{path}.{name}");
        let shown = in_short(range);
        let title = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        let bar = |ui: &mut Ui| {
            ui.add(small(&shown, FAINT).truncate().selectable(false));
        };
        section(ui, &path, &title, false, bar, |ui| {
            parameters(ui, draft, rows.iter().filter(|row| parent_path(&row.path) == path), remarks);
        });
    }
}

/// What a layer is, and the names of its ranges: `snow · height, slope`.
pub(super) fn summary_with(what: &str, ranges: &Ranges) -> String {
    let ranges = SurfaceLayer::RANGES.into_iter().zip(ranges);
    let names: Vec<&str> = ranges.filter(|(_, range)| !range.is_everything()).map(|(name, _)| name).collect();
    if names.is_empty() { what.to_owned() } else { format!("{what} · {}", names.join(", ")) }
}

/// A range in a few words, such as `from 780`.
fn in_short(range: &PlainRange) -> String {
    let text = match (range.from.is_finite(), range.to.is_finite()) {
        (false, false) => "all".to_owned(),
        (true, false) => format!("from {}", range.from),
        (false, true) => format!("to {}", range.to),
        (true, true) => format!("{} to {}", range.from, range.to),
    };
    if range.invert { format!("not {text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::{HeightRange, ReliefRange, SlopeRange};

    #[test]
    fn ranges_have_a_short_summary() {
        let mut layer = SurfaceLayer::default();
        assert_eq!(summary_with("rock", &layer.ranges()), "rock");
        layer.height = HeightRange { from: 780.0, ..HeightRange::default() };
        layer.slope = SlopeRange { from: 0.1, to: 0.7, ..SlopeRange::default() };
        layer.curvature = ReliefRange { to: 0.2, invert: true, ..ReliefRange::default() };
        assert_eq!(summary_with("rock", &layer.ranges()), "rock · height, slope, curvature");
        assert_eq!(
            layer.ranges()[..4].iter().map(in_short).collect::<Vec<_>>(),
            ["from 780", "0.1 to 0.7", "all", "not to 0.2"]
        );
    }
}
