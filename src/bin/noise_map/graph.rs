//! A noise along a line, as an SVG: each octave, its tangents at lattice nodes, and the sum.

use crate::source::Source;
use bevy_perlin_terrain::noise::{LatticeNode, Noise, OctaveSum};
use std::fmt::Write;

/// The largest graph, in pixels along a side. A point is drawn for every half pixel.
pub const MOST: u32 = 20_000;

/// A graph of a noise from `offset` along x, a pixel for each unit.
pub struct Graph {
    /// The noise.
    pub source: Source,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Where the line begins.
    pub offset: [f64; 2],
}

/// Pixels around and between the curves.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 34.0;
/// Pixels above each curve, for its title.
const TITLE: f64 = 22.0;

/// Points per pixel.
const POINTS: f64 = 2.0;

const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#5b6472}\
.t{fill:#1f2733;font-weight:600}\
.e{text-anchor:end}.m{text-anchor:middle}\
.a{stroke:#c9d0da;fill:none}.g{stroke:#edf0f4;fill:none}\
.o{stroke:#3f7fbf;fill:none;stroke-width:1.5}\
.s{stroke:#1f2733;fill:none;stroke-width:2}\
.n{stroke:#d6249f;fill:none;stroke-width:1.5}\
.d{fill:#d6249f}";

/// A curve with a title.
struct Panel {
    title: String,
    class: &'static str,
    values: Vec<f64>,
    /// Nodes on the line: where, the value, and the slope.
    nodes: Vec<[f64; 3]>,
}

impl Panel {
    /// The largest distance from zero.
    fn extent(&self) -> f64 {
        self.values.iter().fold(0.0, |most, value| most.max(value.abs()))
    }
}

impl Graph {
    /// The graph as an SVG file.
    pub fn svg(&self) -> String {
        let [width, height] = self.size.map(f64::from);
        let panels = self.panels();
        // All curves have the same scale. A flat one still has some height.
        let most = panels.iter().map(Panel::extent).fold(1e-9, f64::max);
        let extents: Vec<f64> = panels.iter().map(|panel| panel.extent().max(0.12 * most)).collect();
        let room = height - TOP - BOTTOM - TITLE * panels.len() as f64;
        let scale = (room / (2.0 * extents.iter().sum::<f64>())).max(1e-9);
        let bottom = height - BOTTOM;

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        self.write_axis(&mut svg, bottom);
        let mut top = TOP;
        for (panel, extent) in panels.iter().zip(extents) {
            let middle = top + TITLE + extent * scale;
            self.write_panel(&mut svg, panel, middle, scale);
            top = middle + extent * scale;
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Units along x.
    fn length(&self) -> f64 {
        (f64::from(self.size[0]) - LEFT - RIGHT).max(1.0)
    }

    /// One for each octave, and one for the sum.
    fn panels(&self) -> Vec<Panel> {
        let noise = self.source.noise();
        let settings = &self.source.settings;
        let total: f64 = settings.octaves().map(|(_, amplitude)| amplitude).sum();
        let whole = if settings.sum == OctaveSum::Normalized && total > 0.0 { total } else { 1.0 };
        let height_scale = if settings.height_scale == 0.0 { 1.0 } else { settings.height_scale.abs() };

        let mut panels: Vec<Panel> = settings
            .octaves()
            .zip(0..)
            .map(|((frequency, amplitude), index)| {
                let factor = amplitude / whole;
                let octave =
                    |x: f64| noise.octave(index, x, self.offset[1]).map_or([0.0; 2], |at| [at.value, at.gradient[0]]);
                let nodes = if index == 0 { self.nodes(&noise) } else { Vec::new() };
                Panel {
                    title: format!(
                        "octave {}: cells of {}, amplitude {}",
                        index + 1,
                        plain(1.0 / frequency),
                        plain(factor)
                    ),
                    class: "o",
                    values: self.curve(|x| factor * octave(x)[0]),
                    nodes: nodes.into_iter().map(|x| [x, factor * octave(x)[0], factor * octave(x)[1]]).collect(),
                }
            })
            .collect();
        let sum = |x: f64| noise.sample(x, self.offset[1]).value / height_scale;
        let seed = if self.source.has_seed() { format!(", seed {}", self.source.seed) } else { String::new() };
        let mut panel = Panel {
            title: format!("{}{seed}", self.source.name),
            class: "s",
            values: self.curve(sum),
            nodes: Vec::new(),
        };
        // One octave that is the noise itself needs no graph of its own.
        if let [only] = &panels[..]
            && only.values.iter().zip(&panel.values).all(|(a, b)| (a - b).abs() < 1e-6)
        {
            panel.nodes = panels.pop().map_or_else(Vec::new, |only| only.nodes);
        }
        panels.push(panel);
        panels
    }

    /// The nodes of the first octave on the line, if there is room for their tangents.
    fn nodes(&self, noise: &Noise) -> Vec<f64> {
        let [x, y] = self.offset;
        let cell = self.source.cell_size();
        if cell < 6.0 {
            return Vec::new();
        }
        let mut row = None;
        let is_in_row = |node: &LatticeNode| *row.get_or_insert(node.position[1]) == node.position[1];
        let nodes = noise.nodes(0, [x, y], [x + self.length(), y + cell]).take_while(is_in_row);
        nodes.map(|node| node.position[0]).collect()
    }

    fn curve(&self, value: impl Fn(f64) -> f64) -> Vec<f64> {
        let count = (self.length() * POINTS) as usize;
        (0..=count).map(|index| value(self.offset[0] + index as f64 / POINTS)).collect()
    }

    /// Ticks at multiples of a round number of units, and the coordinate of each.
    fn write_axis(&self, svg: &mut String, bottom: f64) {
        let step = round_step(self.length() / 10.0);
        let first = (self.offset[0] / step).ceil();
        for index in 0.. {
            let x = (first + f64::from(index)) * step;
            let at = LEFT + x - self.offset[0];
            if x > self.offset[0] + self.length() {
                break;
            }
            let _ = writeln!(svg, "<path class=\"g\" d=\"M{at:.1} {TOP}V{bottom}\"/>");
            let _ = writeln!(svg, "<text class=\"m\" x=\"{at:.1}\" y=\"{}\">{}</text>", bottom + 20.0, plain(x));
        }
    }

    fn write_panel(&self, svg: &mut String, panel: &Panel, middle: f64, scale: f64) {
        let end = LEFT + self.length();
        let extent = panel.extent();
        let _ = writeln!(svg, "<path class=\"a\" d=\"M{LEFT} {middle:.1}H{end}\"/>");
        for value in [extent, -extent] {
            // Only where the labels have room.
            if extent * scale > 14.0 {
                let y = middle - value * scale + 4.0;
                let _ = writeln!(svg, "<text class=\"e\" x=\"{}\" y=\"{y:.1}\">{value:.2}</text>", LEFT - 8.0);
            }
        }
        let _ = writeln!(svg, "<text class=\"e\" x=\"{}\" y=\"{:.1}\">0</text>", LEFT - 8.0, middle + 4.0);
        let top = middle - extent.max(1e-9) * scale - 8.0;
        let _ = writeln!(svg, "<text class=\"t\" x=\"{LEFT}\" y=\"{top:.1}\">{}</text>", escaped(&panel.title));
        let _ = write!(svg, "<polyline class=\"{}\" points=\"", panel.class);
        for (value, index) in panel.values.iter().zip(0_u32..) {
            let _ = write!(svg, "{},{:.2} ", LEFT + f64::from(index) / POINTS, middle - value * scale);
        }
        svg.push_str("\"/>\n");
        let reach = 0.24 * self.source.cell_size();
        for &[x, value, slope] in &panel.nodes {
            let (at, y) = (LEFT + x - self.offset[0], middle - value * scale);
            let rise = slope * reach * scale;
            let _ = writeln!(
                svg,
                "<path class=\"n\" d=\"M{:.1} {:.2}L{:.1} {:.2}\"/><circle class=\"d\" cx=\"{at:.1}\" cy=\"{y:.2}\" r=\"3\"/>",
                at - reach,
                y + rise,
                at + reach,
                y - rise
            );
        }
    }
}

/// The largest of 1, 2, 5, 10, 20, 50 and so on that is at most `value`, or 1.
fn round_step(value: f64) -> f64 {
    let mut step = 1.0;
    loop {
        for next in [step, 2.0 * step, 5.0 * step, 10.0 * step].windows(2) {
            if next[1] > value {
                return next[0];
            }
        }
        step *= 10.0;
    }
}

/// A number with at most three decimals.
fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
