//! Draws the statistics.

use super::info::StatsInfo;
use super::style::{BAD, FAINT, GOOD, TEXT, small};
use bevy_egui::egui::{Grid, RichText, Ui};

/// One line of statistics: drawn chunks, loaded and wanted chunks, and time on the main thread.
pub(super) fn summary(stats: &StatsInfo) -> String {
    let frame = stats.frame_time.as_secs_f64() * 1000.0;
    let StatsInfo { chunks_drawn, chunks_loaded, chunks_wanted, .. } = stats;
    format!("{chunks_drawn} chunks · {chunks_loaded} / {chunks_wanted} loaded · {frame:.3} ms")
}

/// Draws the right end of the section's bar, from right to left.
pub(super) fn stats_bar(ui: &mut Ui, stats: &StatsInfo) {
    // Seams must be visible even if the section is collapsed.
    if stats.seams.as_ref().is_some_and(|found| found.seams > 0) {
        ui.add(small("⚠ seams", BAD).selectable(false));
    }
    ui.add(small(&summary(stats), FAINT).truncate().selectable(false));
}

/// Draws all statistics.
pub(super) fn stats_ui(ui: &mut Ui, stats: &StatsInfo) {
    let StatsInfo { chunks_drawn, chunks_loaded, chunks_wanted, cost, .. } = stats;
    let seams = match &stats.seams {
        None => ("not checked yet".to_owned(), FAINT),
        Some(found) => {
            let color = if found.seams == 0 { GOOD } else { BAD };
            (format!("{} along {} borders", grouped(found.seams), grouped(found.borders)), color)
        }
    };
    let rows = [
        ("chunks drawn / loaded / wanted", (format!("{chunks_drawn} / {chunks_loaded} / {chunks_wanted}"), TEXT)),
        ("chunks incoming", (stats.chunks_incoming.to_string(), TEXT)),
        ("triangles", (millions(cost.triangles), TEXT)),
        ("heights", (megabytes(cost.megabytes()), TEXT)),
        ("seams", seams),
        ("tasks in flight", (stats.tasks_in_flight.to_string(), TEXT)),
        ("chunks built", (stats.chunks_built.to_string(), TEXT)),
        ("tasks canceled", (stats.tasks_canceled.to_string(), TEXT)),
        ("main thread, this frame", (format!("{:.3} ms", stats.frame_time.as_secs_f64() * 1000.0), TEXT)),
    ];
    Grid::new("stats").num_columns(2).spacing([16.0, 2.0]).show(ui, |ui| {
        for (name, (value, color)) in rows {
            ui.label(name);
            ui.label(RichText::new(value).monospace().color(color));
            ui.end_row();
        }
    });
    if let Some(first) = stats.seams.as_ref().and_then(|found| found.first.as_ref()) {
        ui.add(small(first, BAD).wrap());
    }
    let levels = levels(&stats.levels);
    if !levels.is_empty() {
        ui.add(small(&levels, TEXT).wrap()).on_hover_text("Drawn chunks per level. 0 is the finest level.");
    }
}

/// Lists levels that have chunks: `level 0: 12 · 1: 30 · 2: 28`.
fn levels(chunks: &[usize]) -> String {
    let with_chunks = chunks.iter().enumerate().filter(|(_, chunks)| **chunks > 0);
    let parts: Vec<String> = with_chunks.map(|(level, &chunks)| format!("{level}: {}", grouped(chunks))).collect();
    if parts.is_empty() { String::new() } else { format!("level {}", parts.join(" · ")) }
}

/// Groups digits by thousands: `1 234 567`.
pub(super) fn grouped(number: usize) -> String {
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

/// Formats a large number in millions, `1.50 M`, and a small one with all digits.
pub(super) fn millions(number: usize) -> String {
    match number {
        0..100_000 => grouped(number),
        100_000..10_000_000 => format!("{:.2} M", number as f64 / 1e6),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// Formats memory: `31 MB`, or `3.1 MB` below ten megabytes.
pub(super) fn megabytes(megabytes: f64) -> String {
    if megabytes < 10.0 { format!("{megabytes:.1} MB") } else { format!("{megabytes:.0} MB") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_summary_is_one_line() {
        let stats = StatsInfo {
            chunks_drawn: 12,
            chunks_loaded: 17,
            chunks_wanted: 20,
            frame_time: Duration::from_micros(250),
            ..StatsInfo::default()
        };
        assert_eq!(summary(&stats), "12 chunks · 17 / 20 loaded · 0.250 ms");
    }

    #[test]
    fn drawn_levels_are_listed_from_the_finest() {
        assert_eq!(levels(&[12, 0, 30, 2800]), "level 0: 12 · 2: 30 · 3: 2 800");
        assert_eq!(levels(&[]), "");
    }

    #[test]
    fn large_numbers_are_grouped_or_rounded() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([8192, 123_456, 45_000_000].map(millions), ["8 192", "0.12 M", "45.0 M"]);
    }
}
