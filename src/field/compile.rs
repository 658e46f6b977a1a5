//! Compiles a stack of layers into steps.

use super::LayerKind;
use super::blend::{Blend, Blending};
use super::carve::Valleys;
use super::curve::CurveTable;
use super::distance::Distance;
use super::dunes::DuneWaves;
use super::erosion::Erosion;
use super::interval::Interval;
use super::layer::Layer;
use super::mask::{Band, Mask};
use super::program::{MAX_PLANES, Step};
use super::scatter::Hills;
use super::slope::Slope;
use super::terrace::Terraces;
use super::warp::Warp;
use crate::noise::{Noise, NoiseSettings, TICKS_PER_UNIT};
use std::ops::Range;
use std::sync::Arc;

pub(super) struct Compiler {
    seed: u64,
    /// The stream of the next layer that has none of its own.
    next_stream: u32,
    pub steps: Vec<Step>,
}

/// What is below a layer in its stack.
struct Below {
    /// The plane with the heights.
    plane: usize,
    /// The steps that make them.
    steps: Range<usize>,
    bounds: Interval,
}

/// Streams of layers are below 2^32. The other noises of a layer have these numbers, and the next ones, above those bits.
const STREAM_OF_MASKS: u64 = 2;
const STREAM_OF_WARP: u64 = 16;
const STREAM_OF_DUNE_HEIGHTS: u64 = 18;

/// A filter is mixed with its input by this.
const MIX: Blending = Blending { blend: Blend::Replace, radius: 0.0 };

impl Compiler {
    pub const fn new(seed: u64) -> Self {
        Self { seed, next_stream: 0, steps: Vec::new() }
    }

    /// Adds the steps of a stack of `layers` that starts at `height`, in `plane`. Returns the bounds of its heights.
    ///
    /// Layers without an effect are only counted, because their indices are streams.
    pub fn stack(&mut self, layers: &[Layer], height: f32, plane: usize, has_effect: bool) -> Interval {
        let first = self.steps.len();
        if has_effect {
            self.steps.push(Step::Constant { plane, height });
        }
        layers.iter().fold(Interval::at(height.into()), |bounds, layer| {
            let below = Below { plane, steps: first..self.steps.len(), bounds };
            self.layer(layer, &below, has_effect)
        })
    }

    fn layer(&mut self, layer: &Layer, below: &Below, has_effect: bool) -> Interval {
        let stream = u64::from(layer.stream.unwrap_or(self.next_stream));
        self.next_stream += 1;
        let top = below.plane + 1;
        // Settings that were never checked may nest too deep. A filter and its masks need up to five planes above that of the
        // heights.
        let has_effect = has_effect && layer.enabled && opacity_of(layer) > 0.0 && top + 5 <= MAX_PLANES;
        let blending = Blending { blend: layer.blend, radius: radius_of(layer) };
        let bounds = match &layer.kind {
            LayerKind::Group(group) => {
                let first = self.steps.len();
                let bounds = self.stack(&group.layers, 0.0, top, has_effect);
                if has_effect && group.warp_strength > 0.0 {
                    let steps = self.steps.split_off(first);
                    let streams = [STREAM_OF_WARP, STREAM_OF_WARP + 1].map(|index| stream | index << 32);
                    self.steps.push(Step::Warp(Warp::new(group, self.seed, streams, top, steps)));
                }
                bounds
            }
            _ if !has_effect => below.bounds,
            LayerKind::Noise(settings) => {
                let noise = Arc::new(Noise::seeded(settings, self.seed, stream));
                let bounds = Interval::around_zero(noise.bound());
                if layer.blend == Blend::Add && is_everywhere(layer) {
                    self.steps.push(Step::AddNoise { plane: below.plane, noise });
                    return blending.bounds(below.bounds, bounds, 1.0);
                }
                self.steps.push(Step::Noise { plane: top, noise });
                bounds
            }
            LayerKind::Carve(settings) => {
                let valleys = Valleys::new(settings);
                let noise = Arc::new(Noise::seeded(&valleys.noise(), self.seed, stream));
                let first = self.steps.len();
                self.steps.push(Step::Noise { plane: top, noise });
                let bounds = valleys.bounds();
                let noise = Below { plane: top, steps: first..self.steps.len(), bounds };
                if !self.slope(&noise, top + 1, valleys.gradient_distance()) {
                    return below.bounds;
                }
                self.steps.push(Step::Carve { plane: top, valleys });
                bounds
            }
            LayerKind::Constant(constant) => {
                let height = constant.height as f32;
                self.steps.push(Step::Constant { plane: top, height });
                Interval::at(height.into())
            }
            LayerKind::Scatter(settings) => {
                let hills = Hills::new(settings, self.seed, stream);
                let bounds = hills.bounds();
                self.steps.push(Step::Hills { plane: top, hills });
                bounds
            }
            LayerKind::Dunes(settings) => {
                let dunes = DuneWaves::new(settings, self.seed, stream);
                let bounds = dunes.bounds();
                let streams = [stream, STREAM_OF_DUNE_HEIGHTS << 32 | stream];
                let [bends, heights] = DuneWaves::noises(settings, self.seed, streams).map(Arc::new);
                self.steps.push(Step::Noise { plane: top, noise: bends });
                self.steps.push(Step::Noise { plane: top + 1, noise: heights });
                self.steps.push(Step::Dunes { plane: top, dunes });
                bounds
            }
            LayerKind::Terrace(settings) => {
                let terraces = Terraces::new(settings);
                let bounds = terraces.bounds(below.bounds);
                return self.filter(layer, below, bounds, top, stream, |plane| Step::Terrace { plane, terraces });
            }
            LayerKind::Curve(settings) => {
                let Some(table) = CurveTable::new(settings).map(Arc::new) else { return below.bounds };
                let bounds = table.bounds(below.bounds);
                return self.filter(layer, below, bounds, top, stream, |plane| Step::Curve { plane, table });
            }
            LayerKind::Erosion(settings) => {
                let erosion = Arc::new(Erosion::new(settings, self.seed, stream));
                if !self.slope(below, top, erosion.slope_distance()) {
                    return below.bounds;
                }
                let (least, most) = erosion.bound();
                let bounds = below.bounds + Interval::new(least.into(), most.into());
                let bounds = bounds.extended(bounds.rounding());
                let erode = |plane| Step::Erode { plane, slopes: top, erosion };
                return self.filter(layer, below, bounds, top + 2, stream, erode);
            }
        };
        if !has_effect {
            return below.bounds;
        }
        self.blend(layer, below, bounds, top, stream, blending)
    }

    /// Adds a filter of the heights below, whose result is within `bounds`. If it does not have its full effect everywhere, it runs in
    /// the plane `copy`, which is then mixed with its input. Returns the bounds of the result.
    fn filter(
        &mut self,
        layer: &Layer,
        below: &Below,
        bounds: Interval,
        copy: usize,
        stream: u64,
        step: impl FnOnce(usize) -> Step,
    ) -> Interval {
        if is_everywhere(layer) {
            self.steps.push(step(below.plane));
            return bounds;
        }
        self.steps.push(Step::Copy { from: below.plane, to: copy });
        self.steps.push(step(copy));
        self.blend(layer, below, bounds, copy, stream, MIX)
    }

    /// Blends the plane `top`, which is within `bounds`, with the heights below, where the masks of the layer allow it. Returns the
    /// bounds of the result.
    fn blend(
        &mut self,
        layer: &Layer,
        below: &Below,
        bounds: Interval,
        top: usize,
        stream: u64,
        blending: Blending,
    ) -> Interval {
        let opacity = opacity_of(layer);
        let blended = blending.bounds(below.bounds, bounds, opacity.into());
        if layer.masks.is_empty() {
            self.steps.push(Step::Blend { below: below.plane, layer: top, blending, opacity });
            return blended;
        }
        let (mask, value) = (top + 1, top + 2);
        self.steps.push(Step::Constant { plane: mask, height: 1.0 });
        // Only masks of noise have streams, so that another mask changes no patch.
        let mut next_stream = STREAM_OF_MASKS;
        for settings in &layer.masks {
            let band = match settings {
                Mask::Height(height) => {
                    self.steps.push(Step::Copy { from: below.plane, to: value });
                    Band::of_heights(height)
                }
                Mask::Slope(slope) => {
                    let ticks = (slope.distance * TICKS_PER_UNIT as f64).round() as i64;
                    if !self.slope(below, value, ticks.max(1)) {
                        continue;
                    }
                    self.steps.push(Step::Steepness { plane: value });
                    Band::of_slopes(slope)
                }
                Mask::Noise(noise) => {
                    let settings = NoiseSettings { height_scale: 1.0, ..noise.noise.clone() };
                    let noise_of_mask = Arc::new(Noise::seeded(&settings, self.seed, next_stream << 32 | stream));
                    next_stream += 1;
                    self.steps.push(Step::Noise { plane: value, noise: noise_of_mask });
                    Band::of_noise(noise)
                }
                Mask::Point(point) => {
                    self.steps.push(Step::Distance { plane: value, distance: Distance::from_point(point) });
                    Band::of_distances(point.radius, point.fade, point.invert)
                }
                Mask::Segment(segment) => {
                    self.steps.push(Step::Distance { plane: value, distance: Distance::from_segment(segment) });
                    Band::of_distances(segment.radius, segment.fade, segment.invert)
                }
            };
            self.steps.push(Step::Band { plane: value, mask, band });
        }
        self.steps.push(Step::BlendMasked { below: below.plane, layer: top, mask, blending, opacity });
        below.bounds.hull(blended)
    }

    /// Measures the slope of the heights below over `ticks`. It goes to the plane `to` and the next one. Returns whether there are
    /// enough planes for that.
    fn slope(&mut self, below: &Below, to: usize, ticks: i64) -> bool {
        let slope = Slope { steps: self.steps[below.steps.clone()].to_vec(), base: below.plane, to, ticks };
        let fits = slope.planes() <= MAX_PLANES;
        if fits {
            self.steps.push(Step::Slope(slope));
        }
        fits
    }
}

/// Whether a layer has its full effect at all places.
const fn is_everywhere(layer: &Layer) -> bool {
    opacity_of(layer) == 1.0 && layer.masks.is_empty()
}

/// The opacity, from 0 to 1. Settings that were never checked may have any, and NaN stays NaN: no effect.
const fn opacity_of(layer: &Layer) -> f32 {
    (layer.opacity as f32).clamp(0.0, 1.0)
}

/// The blend radius in metres, at least 0 and finite. Settings that were never checked may have any.
const fn radius_of(layer: &Layer) -> f32 {
    if layer.blend_radius > 0.0 { (layer.blend_radius as f32).min(f32::MAX) } else { 0.0 }
}
