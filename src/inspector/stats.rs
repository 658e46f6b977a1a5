//! Numbers: what is there, and what settings will cost.

use super::StatsInfo;
use super::style::{BAD, FAINT, GOOD, TEXT, small};
use super::widgets::Remarks;
use crate::chunk::CoverCost;
use bevy_egui::egui::{Grid, RichText, Ui};

/// The statistics in a line: what is drawn, what is there of what is wanted, and what it takes.
pub(super) fn summary(stats: &StatsInfo) -> String {
    let frame = stats.frame_time.as_secs_f64() * 1000.0;
    let StatsInfo { chunks_shown, chunks_loaded, chunks_wanted, .. } = stats;
    format!("{chunks_shown} chunks · {chunks_loaded} / {chunks_wanted} loaded · {frame:.3} ms")
}

/// What is drawn at the right end of the section's bar, from right to left.
pub(super) fn stats_bar(ui: &mut Ui, stats: &StatsInfo) {
    // An error has to be seen while the section is folded away.
    if stats.seams.as_ref().is_some_and(|found| found.seams > 0) {
        ui.add(small("⚠ seams", BAD).selectable(false));
    }
    ui.add(small(&summary(stats), FAINT).truncate().selectable(false));
}

/// All statistics.
pub(super) fn stats_ui(ui: &mut Ui, stats: &StatsInfo) {
    let StatsInfo { chunks_shown, chunks_loaded, chunks_wanted, cost, .. } = stats;
    let seams = match &stats.seams {
        None => ("not checked yet".to_owned(), FAINT),
        Some(found) => {
            let colour = if found.seams == 0 { GOOD } else { BAD };
            (format!("{} along {} borders", grouped(found.seams), grouped(found.borders)), colour)
        }
    };
    let rows = [
        ("shown / loaded / wanted", (format!("{chunks_shown} / {chunks_loaded} / {chunks_wanted}"), TEXT)),
        ("chunks waiting", (stats.chunks_waiting.to_string(), TEXT)),
        ("triangles", (millions(cost.triangles), TEXT)),
        ("vertices and indices", (megabytes(cost), TEXT)),
        ("seams", seams),
        ("tasks in flight", (stats.tasks_in_flight.to_string(), TEXT)),
        ("tasks done", (stats.tasks_done.to_string(), TEXT)),
        ("tasks cancelled", (stats.tasks_cancelled.to_string(), TEXT)),
        ("main thread, this frame", (format!("{:.3} ms", stats.frame_time.as_secs_f64() * 1000.0), TEXT)),
    ];
    Grid::new("stats").num_columns(2).spacing([16.0, 2.0]).show(ui, |ui| {
        for (name, (value, colour)) in rows {
            ui.label(name);
            ui.label(RichText::new(value).monospace().color(colour));
            ui.end_row();
        }
    });
    if let Some(first) = stats.seams.as_ref().and_then(|found| found.first.as_ref()) {
        ui.add(small(first, BAD).wrap());
    }
    let levels = levels(&stats.levels);
    if !levels.is_empty() {
        ui.add(small(&levels, TEXT).wrap()).on_hover_text("Chunks that are drawn of each level; 0 is the finest.");
    }
}

/// What the settings of the draft will cost, at the end of the section of detail.
pub(super) fn expected_cost(ui: &mut Ui, remarks: Remarks<'_>) {
    if let Some(cost) = remarks.expected_cost {
        ui.add(small(&preview(&cost), TEXT).wrap()).on_hover_text(
            "What will be drawn around the first viewer, and held in memory, once all of it is there. Found from samples \
             of the ground: where it is rougher there may be more.",
        );
    }
}

fn preview(cost: &CoverCost) -> String {
    format!(
        "These settings: {} chunks, {} triangles, {} for this viewer",
        grouped(cost.chunks),
        millions(cost.triangles),
        megabytes(cost)
    )
}

/// A cost in a few words, for the bar of a section.
pub(super) fn cost_in_short(cost: &CoverCost) -> String {
    format!("{} chunks · {} triangles", grouped(cost.chunks), millions(cost.triangles))
}

/// `level 0: 12 · 1: 30 · 2: 28`, levels without chunks left out.
fn levels(chunks: &[usize]) -> String {
    let with_chunks = chunks.iter().enumerate().filter(|(_, chunks)| **chunks > 0);
    let parts: Vec<String> = with_chunks.map(|(level, &chunks)| format!("{level}: {}", grouped(chunks))).collect();
    if parts.is_empty() { String::new() } else { format!("level {}", parts.join(" · ")) }
}

/// `1 234 567`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `1.5 M`, or all digits where there are few.
fn millions(number: usize) -> String {
    match number {
        0..100_000 => grouped(number),
        100_000..10_000_000 => format!("{:.2} M", number as f64 / 1e6),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

fn megabytes(cost: &CoverCost) -> String {
    let megabytes = cost.megabytes();
    if megabytes < 10.0 { format!("{megabytes:.1} MB") } else { format!("{megabytes:.0} MB") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn stats_are_summed_up_in_a_line() {
        let stats = StatsInfo {
            chunks_shown: 12,
            chunks_loaded: 17,
            chunks_wanted: 20,
            frame_time: Duration::from_micros(250),
            ..StatsInfo::default()
        };
        assert_eq!(summary(&stats), "12 chunks · 17 / 20 loaded · 0.250 ms");
    }

    #[test]
    fn levels_that_are_drawn_are_listed_from_the_finest() {
        assert_eq!(levels(&[12, 0, 30, 2800]), "level 0: 12 · 2: 30 · 3: 2 800");
        assert_eq!(levels(&[]), "");
    }

    #[test]
    fn a_cost_is_a_sentence() {
        let cost = CoverCost {
            chunks: 1182,
            triangles: 1_510_000,
            vertex_bytes: 25_000_000,
            index_bytes: 6_000_000,
            ..CoverCost::default()
        };
        assert_eq!(preview(&cost), "These settings: 1 182 chunks, 1.51 M triangles, 31 MB for this viewer");
        assert_eq!(cost_in_short(&cost), "1 182 chunks · 1.51 M triangles");
    }

    #[test]
    fn numbers_have_the_digits_that_matter() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([8192, 123_456, 45_000_000].map(millions), ["8 192", "0.12 M", "45.0 M"]);
    }
}
