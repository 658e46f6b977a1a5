//! A noise along a line, as an SVG: each octave, the gradients at its lattice nodes, and the sum. Or a curve for each of several
//! noises.
//!
//! The line lies in the plane, or is the noise of one dimension. In one dimension, every node lies on the line: the curve is zero
//! there and its tangent is the gradient. In the plane, a line between two rows of nodes has the gradients of both, blended.

use crate::compare::Tile;
use crate::source::{Source, common_height};
use perlin_terrain::noise::{AnyLattice, Fractal, FractalShape, Noise, NoiseSettings, OctaveSum};
use std::fmt::Write;

/// The largest graph, in pixels along a side. A point is drawn for every half pixel.
pub const MAX_SIDE: u32 = 20_000;

/// A graph of a noise from `offset` along x, a pixel for each unit.
pub struct Graph {
    /// The noise.
    pub source: Source,
    /// Noises to compare, a curve for each. Without them, a curve for each octave.
    pub tiles: Vec<Tile>,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Where the line begins.
    pub offset: [f64; 2],
    /// Whether the noise is that of one dimension.
    pub is_line: bool,
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
    /// Columns of nodes: where, the value of the curve, and the slope of the gradient. With a linear fade it is not the slope of
    /// the curve.
    nodes: Vec<[f64; 3]>,
    /// Half the width of the line for a gradient, in units.
    reach: f64,
}

impl Panel {
    /// The largest distance from zero.
    fn extent(&self) -> f64 {
        self.values.iter().fold(0.0, |max, value| max.max(value.abs()))
    }
}

impl Graph {
    /// The graph as an SVG file.
    pub fn svg(&self) -> String {
        let [width, height] = self.size.map(f64::from);
        let panels = self.panels();
        // All curves have the same scale. A flat one still has some height.
        let max = panels.iter().map(Panel::extent).fold(1e-9, f64::max);
        let extents: Vec<f64> = panels.iter().map(|panel| panel.extent().max(0.12 * max)).collect();
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

    /// The curves from top to bottom.
    fn panels(&self) -> Vec<Panel> {
        if !self.tiles.is_empty() {
            let height = common_height(self.tiles.iter().map(|tile| &tile.source));
            let panel = |tile: &Tile| Subject::new(&tile.source, self, height).sum(self, tile.captions.join(", "));
            return self.tiles.iter().map(panel).collect();
        }
        let source = &self.source;
        let subject = Subject::new(source, self, common_height([source]));
        let seed = if source.settings.has_seed() { format!(", seed {}", source.seed) } else { String::new() };
        let line = if self.is_line { ", one dimension" } else { "" };
        let sum = subject.sum(self, format!("{}{seed}{line}", source.name));
        // One octave that is the noise itself needs no curve of its own.
        if !sum.nodes.is_empty() {
            return vec![sum];
        }
        let count = source.settings.octaves().count();
        let mut panels: Vec<_> = (0..count).map(|index| subject.octave(self, index)).collect();
        panels.push(Panel { title: format!("sum: {}", sum.title), ..sum });
        panels
    }

    fn curve(&self, value: impl Fn(f64) -> f64) -> Vec<f64> {
        let count = (self.length() * POINTS) as usize;
        (0..=count).map(|index| value(self.offset[0] + index as f64 / POINTS)).collect()
    }

    /// Ticks at multiples of a round number of units, and the coordinate of each.
    fn write_axis(&self, svg: &mut String, bottom: f64) {
        let step = round_step(self.length() / 10.0);
        let first = (self.offset[0] / step).ceil();
        let count = (self.length() / step) as u32;
        for index in 0..=count {
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
        for &[x, value, slope] in &panel.nodes {
            let at = LEFT + x - self.offset[0];
            let y = |units: f64| middle - (value + slope * units) * scale;
            // They end where the curve does.
            let [from, to] = [(-panel.reach).max(LEFT - at), panel.reach.min(end - at)];
            let _ = writeln!(
                svg,
                "<path class=\"n\" d=\"M{:.1} {:.2}L{:.1} {:.2}\"/><circle class=\"d\" cx=\"{at:.1}\" cy=\"{:.2}\" r=\"3\"/>",
                at + from,
                y(from),
                at + to,
                y(to),
                y(0.0)
            );
        }
    }
}

/// A noise along a line.
enum Curve {
    /// The noise in the plane, at this y.
    Plane(Box<Noise>, f64),
    /// The noise of one dimension.
    Line(Box<Fractal<AnyLattice<1>, 1>>),
}

impl Curve {
    fn new(source: &Source, graph: &Graph) -> Self {
        if graph.is_line {
            Self::Line(Box::new(source.noise_on_line()))
        } else {
            Self::Plane(Box::new(source.noise()), graph.offset[1])
        }
    }

    fn value(&self, x: f64) -> f64 {
        match self {
            Self::Plane(noise, y) => noise.sample([x, *y]).value,
            Self::Line(noise) => noise.value([x]),
        }
    }

    /// The value of an octave alone. 0 beyond the last.
    fn octave(&self, index: usize, x: f64) -> f64 {
        match self {
            Self::Plane(noise, y) => noise.octave(index, [x, *y]).map_or(0.0, |sample| sample.value),
            Self::Line(noise) => noise.octave(index, [x]).map_or(0.0, |sample| sample.value),
        }
    }

    /// The nodes of the first octave of `source` from `start` to `end`: where, and the gradient along x, per unit.
    ///
    /// Between two rows of the plane, the gradients of both are blended by the fade. That is the slope of the noise there, if its
    /// fade is smooth.
    fn gradients(&self, source: &Source, start: f64, end: f64) -> Vec<[f64; 2]> {
        let cell = source.cell_size();
        match self {
            Self::Line(noise) => {
                let nodes = noise.nodes(0, [start], [end]);
                nodes.map(|node| [node.position[0], node.gradient[0] / cell]).collect()
            }
            Self::Plane(noise, y) => {
                // More than a cell, so that roundings leave out neither of the two rows.
                let reach = 1.5 * cell;
                let nodes: Vec<_> = noise.nodes(0, [start, y - reach], [end, y + reach]).collect();
                let rows: Vec<_> = nodes.chunk_by(|one, other| one.position[1] == other.position[1]).collect();
                let above = rows.partition_point(|row| row[0].position[1] <= *y);
                let Some([lower, upper]) = above.checked_sub(1).and_then(|below| rows.get(below..below + 2)) else {
                    return Vec::new();
                };
                let t = source.settings.fade.at(((y - lower[0].position[1]) / cell).clamp(0.0, 1.0));
                let pairs = lower.iter().zip(*upper);
                let blend = |one: f64, other: f64| ((1.0 - t) * one + t * other) / cell;
                pairs.map(|(one, other)| [one.position[0], blend(one.gradient[0], other.gradient[0])]).collect()
            }
        }
    }
}

/// A noise whose curves are drawn.
struct Subject<'a> {
    source: &'a Source,
    curve: Curve,
    /// Values are divided by this.
    height: f64,
}

impl<'a> Subject<'a> {
    fn new(source: &'a Source, graph: &Graph, height: f64) -> Self {
        Self { source, curve: Curve::new(source, graph), height }
    }

    /// The noise itself. If it is nothing but its first octave, it has the gradients.
    fn sum(&self, graph: &Graph, title: String) -> Panel {
        let values = graph.curve(|x| self.curve.value(x) / self.height);
        let first = self.octave(graph, 0);
        let is_first = first.values.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-6);
        Panel { title, class: "s", values, nodes: if is_first { first.nodes } else { Vec::new() }, ..first }
    }

    /// Octave `index` with its amplitude in the sum. The first has the gradients.
    fn octave(&self, graph: &Graph, index: usize) -> Panel {
        let settings = &self.source.settings;
        let total: f64 = settings.octaves().map(|(_, amplitude)| amplitude).sum();
        let whole = if settings.sum == OctaveSum::Normalized && total > 0.0 { total } else { 1.0 };
        let (frequency, amplitude) = settings.octaves().nth(index).unwrap_or((settings.first_frequency(), 0.0));
        let factor = amplitude / whole * settings.height_scale / self.height;
        let at = |x: f64| factor * self.curve.octave(index, x);
        let gradients = if index == 0 { self.gradients(graph) } else { Vec::new() };
        let steps = later_steps(settings);
        let before = if steps.is_empty() { String::new() } else { format!(" (before {steps})") };
        let (number, cells, amplitude) = (index + 1, plain(1.0 / frequency), plain(factor));
        Panel {
            title: format!("octave {number}{before}: cells of {cells}, amplitude {amplitude}"),
            class: "o",
            values: graph.curve(at),
            nodes: gradients.into_iter().map(|[x, slope]| [x, at(x), factor * slope]).collect(),
            reach: 0.24 * self.source.cell_size(),
        }
    }

    /// The gradients along the line, if there is room for them.
    fn gradients(&self, graph: &Graph) -> Vec<[f64; 2]> {
        if self.source.cell_size() < 6.0 {
            return Vec::new();
        }
        let start = graph.offset[0];
        self.curve.gradients(self.source, start, start + graph.length())
    }
}

/// The settings that change more than the amplitudes of octaves. With any of them, octaves do not add up to the sum.
fn later_steps(settings: &NoiseSettings) -> String {
    let steps = [
        (settings.warp_strength > 0.0, "warp"),
        (settings.shape != FractalShape::Fbm, "shape"),
        (settings.sum == OctaveSum::Clamped, "clamping"),
        (settings.exponent != 1.0, "exponent"),
    ];
    steps.into_iter().filter(|(is_taken, _)| *is_taken).map(|(_, name)| name).collect::<Vec<_>>().join(", ")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Variable;
    use perlin_terrain::noise::{Fade, LatticeKind, NoisePreset};
    use perlin_terrain::param::Choice;

    fn graph(name: &str, changes: &[(&str, &str)]) -> Graph {
        let mut source = Source::preset(NoisePreset::find(name).expect("the name of a preset"), 42);
        for (name, value) in changes {
            source.set(&Variable::named(name), value).expect("it is allowed");
        }
        Graph { source, tiles: Vec::new(), size: [468, 300], offset: [0.0; 2], is_line: false }
    }

    #[test]
    fn octaves_add_up_to_the_sum_below_them() {
        for (name, height_scale) in [("ward", "1"), ("mixed", "1"), ("mixed", "-7")] {
            let panels = graph(name, &[("octaves", "3"), ("cell", "80"), ("height_scale", height_scale)]).panels();
            assert_eq!(panels.len(), 4);
            assert!(panels[0].title.starts_with("octave 1: cells of 80, amplitude "), "{}", panels[0].title);
            let [octaves, sum] = [&panels[..3], &panels[3..]];
            for index in 0..panels[0].values.len() {
                let total: f64 = octaves.iter().map(|octave| octave.values[index]).sum();
                assert!((total - sum[0].values[index]).abs() < 1e-9, "{name} at {index}");
            }
            assert!(sum[0].title.starts_with(&format!("sum: {name}")), "{}", sum[0].title);
        }
    }

    #[test]
    fn octaves_that_do_not_add_up_say_what_comes_after_them() {
        for (name, changes, steps) in [
            ("ridged", &[][..], "shape"),
            ("warped", &[], "warp"),
            ("peaks", &[], "clamping, exponent"),
            ("marble", &[("exponent", "2")], "warp, shape, exponent"),
        ] {
            let title = &graph(name, changes).panels()[0].title;
            assert!(title.starts_with(&format!("octave 1 (before {steps}): cells of ")), "{title}");
        }
    }

    #[test]
    fn a_graph_ends_where_neighboring_numbers_are_far_apart() {
        let svg = Graph { offset: [1e300, -1e300], ..graph("mixed", &[]) }.svg();
        assert!(svg.ends_with("</svg>\n") && svg.len() < 1_000_000);
    }

    #[test]
    fn one_octave_is_drawn_once_with_a_tangent_at_every_node() {
        let graph = graph("one_octave", &[("cell", "50")]);
        let [panel] = &graph.panels()[..] else { panic!("one curve") };
        // 400 units, a point every half unit.
        assert_eq!((panel.values.len(), panel.nodes.len()), (801, 9));
        for &[x, value, slope] in &panel.nodes {
            assert!(value.abs() < 1e-9, "noise is zero at a node");
            let at = (2.0 * x).round() as usize;
            let [before, after] = [at.saturating_sub(1), (at + 1).min(800)];
            let difference = (panel.values[after] - panel.values[before]) / (after - before) as f64 * 2.0;
            // Half a unit of a curve that bends by 12 per cell of 50 units squared.
            assert!((difference - slope).abs() < 0.01, "at {x}: {slope}, by differences {difference}");
        }
    }

    /// Every lattice and every fade, one octave.
    fn one_octave_of_each() -> Vec<Source> {
        let (mut lattice, mut fade) = (LatticeKind::default(), Fade::default());
        let mut sources = Vec::new();
        for index in 0..lattice.alternatives().len() {
            lattice.choose(index);
            for index in 0..fade.alternatives().len() {
                fade.choose(index);
                for offset_octaves in [false, true] {
                    let mut source = graph("one_octave", &[("cell", "50")]).source;
                    source.settings = NoiseSettings { lattice, fade, offset_octaves, ..source.settings };
                    sources.push(source);
                }
            }
        }
        sources
    }

    #[test]
    fn on_a_line_every_node_has_its_gradient_with_every_fade_and_lattice() {
        for source in one_octave_of_each() {
            let what = format!("{:?}", (source.settings.lattice, source.settings.fade, source.settings.offset_octaves));
            let nodes: Vec<_> = source.noise_on_line().nodes(0, [-30.0], [370.0]).collect();
            let offset = [-30.0, 0.0];
            let graph = Graph { source, offset, is_line: true, ..graph("one_octave", &[]) };
            let [panel] = &graph.panels()[..] else { panic!("one curve of {what}") };
            assert!(panel.title.ends_with(", one dimension"), "{}", panel.title);
            assert_eq!((panel.nodes.len(), nodes.len()), (8, 8), "{what}");
            for (&[x, value, slope], node) in panel.nodes.iter().zip(&nodes) {
                // Cells of 50 units, a height of 1.
                assert_eq!(x, node.position[0]);
                assert!(value.abs() < 1e-9 && (slope - node.gradient[0] / 50.0).abs() < 1e-12, "{what} at {x}");
            }
        }
    }

    #[test]
    fn in_the_plane_gradients_are_the_slopes_of_smooth_fades_on_rows_and_between() {
        for source in one_octave_of_each() {
            let what = format!("{:?}", (source.settings.lattice, source.settings.fade, source.settings.offset_octaves));
            let fade = source.settings.fade;
            let noise = source.noise();
            for y in [0.0, 12.5, 49.0, -70.0] {
                let graph = Graph { source: source.clone(), offset: [7.0, y], ..graph("one_octave", &[]) };
                let [panel] = &graph.panels()[..] else { panic!("one curve of {what}") };
                assert_eq!(panel.nodes.len(), 8, "{what}");
                for &[x, value, slope] in &panel.nodes {
                    assert!((value - noise.sample([x, y]).value).abs() < 1e-9, "{what} at {x}, {y}");
                    // A linear fade has another slope on each side.
                    if fade != Fade::Linear {
                        let expected = noise.sample([x, y]).gradient[0];
                        assert!((slope - expected).abs() < 1e-9, "{what} at {x}, {y}: {slope}, not {expected}");
                    }
                }
            }
            if fade == Fade::Linear && !source.settings.offset_octaves {
                let graph = Graph { source, ..graph("one_octave", &[]) };
                let nodes: Vec<_> = noise.nodes(0, [0.0, 0.0], [400.0, 1.0]).collect();
                let found = &graph.panels()[0].nodes;
                assert_eq!(found.len(), nodes.len(), "{what}");
                for ([_, _, slope], node) in found.iter().zip(&nodes) {
                    // A node lies 10^-15 cells from the position that its number stands for.
                    assert!((slope - node.gradient[0] / 50.0).abs() < 1e-12, "{what}: {slope}, {node:?}");
                }
            }
        }
    }

    #[test]
    fn the_noise_of_one_dimension_can_be_compared() {
        // As figure 7 of Burger's report.
        let mut graph = graph("ward", &[("octaves", "1"), ("cell", "100"), ("height_scale", "1")]);
        graph.is_line = true;
        let tile = |fade: &str| {
            let mut source = graph.source.clone();
            source.set(&Variable::named("fade"), fade).expect("it is a fade");
            Tile { source, captions: vec![format!("fade {fade}")] }
        };
        graph.tiles = ["MinimalCubic", "Cubic", "Quintic"].map(tile).to_vec();
        let panels = graph.panels();
        assert_eq!(panels[0].nodes.len(), 5);
        for panel in &panels {
            assert_eq!(panel.nodes.len(), 5);
            for (one, other) in panel.nodes.iter().zip(&panels[0].nodes) {
                assert!((one[0] - other[0]).abs() + (one[2] - other[2]).abs() < 1e-12, "the same slopes");
            }
        }
        for (index, value) in panels[0].values.iter().enumerate().step_by(7) {
            // Equation 14.
            let x = index as f64 / POINTS / 100.0;
            let (node, t) = (x.floor() as usize, x.fract());
            let [g0, g1] = [node, (node + 1).min(4)].map(|node| 100.0 * panels[0].nodes[node][2]);
            let expected = g0 * (t - 1.0) * (t - 1.0) * t + g1 * (t - 1.0) * t * t;
            assert!((value - expected).abs() < 1e-9, "at {x}: {value}, not {expected}");
        }
    }

    #[test]
    fn a_comparison_has_a_curve_for_each_noise() {
        let mut graph = graph("one_octave", &[]);
        let tile = |fade: &str| {
            let mut source = graph.source.clone();
            source.set(&Variable::named("fade"), fade).expect("it is a fade");
            Tile { source, captions: vec![format!("fade {fade}")] }
        };
        graph.tiles = ["Linear", "Quintic"].map(tile).to_vec();
        let panels = graph.panels();
        assert_eq!(panels.iter().map(|panel| &panel.title[..]).collect::<Vec<_>>(), ["fade Linear", "fade Quintic"]);
        assert_ne!(panels[0].values, panels[1].values);
    }

    #[test]
    fn curves_of_a_comparison_have_the_same_scale() {
        let mut graph = graph("one_octave", &[]);
        let tile = |height_scale: &str| {
            let mut source = graph.source.clone();
            source.set(&Variable::named("height_scale"), height_scale).expect("it is allowed");
            Tile { source, captions: Vec::new() }
        };
        graph.tiles = ["2", "-4"].map(tile).to_vec();
        let [small, large] = &graph.panels()[..] else { panic!("two curves") };
        assert!(small.values.iter().zip(&large.values).all(|(small, large)| (2.0 * small + large).abs() < 1e-12));
        assert!(large.extent() > 0.2 && small.nodes.len() == large.nodes.len());
    }

    #[test]
    fn everything_lies_within_the_image() {
        for (name, changes) in [("ridged", &[("seed", "3")][..]), ("six_bits", &[("octaves", "1")]), ("peaks", &[])] {
            let graph = Graph { offset: [-70.5, 12.25], ..graph(name, changes) };
            let svg = graph.svg();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
            let mut count = 0;
            for points in svg.split("points=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default()) {
                for point in points.split_whitespace() {
                    let (x, y) = point.split_once(',').expect("a point has two coordinates");
                    let [x, y] = [x, y].map(|number| number.parse::<f64>().expect("it is a number"));
                    assert!(
                        (LEFT..=468.0 - RIGHT).contains(&x) && (TOP..=300.0 - BOTTOM).contains(&y),
                        "{name}: {point}"
                    );
                    count += 1;
                }
            }
            assert_eq!(count, 801 * graph.panels().len());
        }
    }

    #[test]
    fn ticks_are_at_round_numbers() {
        assert_eq!([0.3, 1.0, 1.9, 2.0, 7.0, 89.0, 1500.0].map(round_step), [1.0, 1.0, 1.0, 2.0, 5.0, 50.0, 1000.0]);
        assert_eq!([100.0, 0.5, 1.0 / 3.0, 0.0].map(plain), ["100", "0.5", "0.333", "0"]);
    }
}
