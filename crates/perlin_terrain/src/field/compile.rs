//! Compiles a stack of layers into steps.

use super::blend::{Blend, Blending};
use super::carve::Valleys;
use super::curve::CurveTable;
use super::distance::Distance;
use super::dunes::DuneWaves;
use super::erosion::Erosion;
use super::interval::Interval;
use super::layer::Layer;
use super::mask::Mask;
use super::positions::MAX_PLANES;
use super::program::{DRAINAGE, Program, Step, planes_of};
use super::scatter::Hills;
use super::slope::Slope;
use super::terrace::Terraces;
use super::warp::Warp;
use super::{FieldSettings, Group, LayerKind};
use crate::noise::{Noise, TICKS_PER_UNIT};
use std::f64::consts::SQRT_2;
use std::ops::Range;
use std::sync::Arc;

struct Compiler {
    seed: u64,
    /// The index of the next layer, which is its stream if it has none of its own.
    next_index: usize,
    steps: Vec<Step>,
    /// Whether no layer and no slope was left out because it needs too much.
    is_complete: bool,
    without_effect: Vec<WithoutEffect>,
    /// The index of the last erosion with an effect, and the plane for its drainage.
    drainage: Option<[usize; 2]>,
}

/// A layer or a mask that changes no height.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WithoutEffect {
    /// The index of the layer in [`FieldSettings::all_layers`].
    pub layer: usize,
    /// The index of the mask, if a mask is 0 everywhere.
    pub mask: Option<usize>,
    /// Bounds of what the mask reads, or of the heights below the layer. For a mask by height, only heights at which no mask before
    /// it is 0 count. Slopes are rise over run.
    pub reads: Interval,
}

impl FieldSettings {
    /// The layers and masks that, by their bounds, change no height. Layers that are off are left out.
    pub(crate) fn without_effect(&self) -> Vec<WithoutEffect> {
        let mut compiler = Compiler::new(self);
        compiler.stack(&self.layers, self.base_height as f32, 0, true);
        compiler.without_effect
    }
}

impl Program {
    /// Compiles `settings`.
    pub fn compile(settings: &FieldSettings) -> Self {
        let mut compiler = Compiler::new(settings);
        let bounds = compiler.stack(&settings.layers, settings.base_height as f32, 0, true);
        // The sums of octaves and the conversion of the bounds to f32 round too.
        let margin = 0.0005 * (bounds.high - bounds.low) + bounds.rounding();
        let has_drainage = compiler.drainage.is_some();
        Self::new(compiler.steps, bounds.extended(margin), has_drainage)
    }

    /// Whether `settings` compile without leaving out a layer or a slope.
    #[cfg(test)]
    pub fn is_complete(settings: &FieldSettings) -> bool {
        let mut compiler = Compiler::new(settings);
        compiler.stack(&settings.layers, 0.0, 0, true);
        compiler.is_complete
    }
}

/// The layers below a layer in its stack, and where the layer goes.
struct Below<'a> {
    /// The index of the layer in [`FieldSettings::all_layers`].
    index: usize,
    /// The plane with the heights.
    plane: usize,
    /// The first plane that is free.
    top: usize,
    /// The steps that make the heights.
    steps: Range<usize>,
    bounds: Interval,
    /// Layers below whose own results masks read.
    kept: &'a [Kept<'a>],
    /// The plane that keeps the own result of the layer, if a mask above reads it.
    keep: Option<usize>,
}

/// A layer's own result, in a plane that nothing overwrites.
struct Kept<'a> {
    name: &'a str,
    plane: usize,
    bounds: Interval,
}

/// Streams of layers are below 2^32. The other noises of a layer have these numbers, and the next ones, above those bits.
const STREAM_OF_MASKS: u64 = 2;
const STREAM_OF_WARP: u64 = 16;
const STREAM_OF_DUNE_HEIGHTS: u64 = 18;

/// How many slopes may be measured in one another: valleys below two erosions. Settings that were never checked may have more, and
/// would take forever.
const MAX_SLOPE_DEPTH: usize = 3;

/// A filter is mixed with its input by this.
const MIX: Blending = Blending { blend: Blend::Replace, radius: 0.0 };

impl Compiler {
    fn new(settings: &FieldSettings) -> Self {
        Self {
            seed: settings.seed,
            next_index: 0,
            steps: Vec::new(),
            is_complete: true,
            without_effect: Vec::new(),
            drainage: last_erosion(&settings.layers, &mut 0).map(|index| [index, DRAINAGE]),
        }
    }

    /// Adds the steps of a stack of `layers` that starts at `height`, in `plane`. Returns the bounds of its heights.
    ///
    /// Layers that nothing needs are only counted, because their indices are streams.
    fn stack(&mut self, layers: &[Layer], height: f32, plane: usize, is_needed: bool) -> Interval {
        let first = self.steps.len();
        if is_needed {
            self.steps.push(Step::Constant { plane, height });
        }
        // The planes above that of the heights: the drainage if it goes here, the results that masks read, and free ones.
        let has_drainage = self.drainage.is_some_and(|[_, drainage]| drainage == plane + 1);
        if has_drainage && is_needed {
            self.steps.push(Step::Constant { plane: plane + 1, height: 0.0 });
        }
        let first_kept = plane + 1 + usize::from(has_drainage);
        let is_read: Vec<bool> = (0..layers.len()).map(|index| Layer::is_read(layers, index)).collect();
        let top = first_kept + is_read.iter().filter(|is_read| **is_read).count();
        // Settings that were never checked may nest too deep. A filter and its masks need up to five planes.
        let has_room = top + 5 <= MAX_PLANES;
        self.is_complete &= has_room || !is_needed || layers.is_empty();
        let mut bounds = Interval::at(height.into());
        let mut kept = Vec::new();
        for (layer, is_read) in layers.iter().zip(is_read) {
            let index = self.next_index;
            self.next_index += 1;
            let keep = is_read.then_some(first_kept + kept.len());
            let below = Below { index, plane, top, steps: first..self.steps.len(), bounds, kept: &kept, keep };
            let [with_layer, own] = self.layer(layer, &below, is_needed && has_room);
            bounds = with_layer;
            kept.extend(keep.map(|plane| Kept { name: &layer.name, plane, bounds: own }));
        }
        bounds
    }

    /// Adds the steps of a layer. Returns the bounds of the heights with it, and of its own result.
    fn layer(&mut self, layer: &Layer, below: &Below<'_>, is_needed: bool) -> [Interval; 2] {
        let stream = u64::from(layer.stream_at(below.index));
        let top = below.top;
        let has_effect = is_needed && layer.has_effect();
        let is_needed = has_effect || is_needed && below.keep.is_some();
        let without_effect = [below.bounds; 2];
        let blending = Blending { blend: layer.blend, radius: radius_of(layer) };
        let bounds = match &layer.kind {
            LayerKind::Group(group) => {
                if !is_needed || group.warp_strength <= 0.0 || group.warp_strength.is_nan() {
                    self.stack(&group.layers, 0.0, top, is_needed)
                } else {
                    self.warped(group, top, stream)
                }
            }
            _ if !is_needed => return without_effect,
            LayerKind::Noise(settings) => {
                let noise = Arc::new(Noise::seeded(settings, self.seed, stream));
                let bounds = bounds_of(&noise);
                if bounds == Interval::at(0.0) {
                    // Positions and grids may disagree about the sign of its zeros, which `Max` would let through.
                    self.steps.push(Step::Constant { plane: top, height: 0.0 });
                } else if layer.blend == Blend::Add && is_everywhere(layer) && below.keep.is_none() {
                    self.steps.push(Step::AddNoise { plane: below.plane, noise });
                    self.check_effect(blending, below, bounds);
                    return [blending.bounds(below.bounds, bounds, 1.0), bounds];
                } else {
                    self.steps.push(Step::Noise { plane: top, noise });
                }
                bounds
            }
            LayerKind::Carve(settings) => {
                let valleys = Valleys::new(settings, layer.blend);
                let noise = Arc::new(Noise::seeded(&valleys.noise(), self.seed, stream));
                let first = self.steps.len();
                self.steps.push(Step::Noise { plane: top, noise });
                let bounds = valleys.bounds();
                let slope = Slope { base: top, to: top + 1, ticks: valleys.gradient_distance(), is_limited: false };
                if !self.slope(first..self.steps.len(), slope) {
                    return without_effect;
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
                let Some(table) = CurveTable::new(settings).map(Arc::new) else {
                    self.note(has_effect, below, None, below.bounds);
                    self.keep(below.plane, below);
                    return without_effect;
                };
                let bounds = table.bounds(below.bounds);
                return self.filter(layer, below, bounds, top, stream, |plane| Step::Curve { plane, table });
            }
            LayerKind::Erosion(settings) => {
                let erosion = Arc::new(Erosion::new(settings, self.seed, stream));
                let ticks = erosion.slope_distance();
                if !self.slope(below.steps.clone(), Slope { base: below.plane, to: top, ticks, is_limited: true }) {
                    self.keep(below.plane, below);
                    return without_effect;
                }
                let max = erosion.bound();
                self.note(max == 0.0 && has_effect, below, None, below.bounds);
                let bounds = below.bounds + Interval::around_zero(max.into());
                let bounds = bounds.extended(bounds.rounding());
                let drainage = self.drainage_of(below.index);
                let erode = |plane| Step::Erode { plane, slopes: top, drainage, erosion };
                return self.filter(layer, below, bounds, top + 2, stream, erode);
            }
        };
        if is_needed {
            self.keep(top, below);
        }
        if !has_effect {
            return [below.bounds, bounds];
        }
        self.check_effect(blending, below, bounds);
        [self.blend(layer, below, bounds, top, stream, blending), bounds]
    }

    /// The plane for the drainage of the layer at `index`, if that is the layer whose drainage counts.
    fn drainage_of(&self, index: usize) -> Option<usize> {
        self.drainage.filter(|[of, _]| *of == index).map(|[_, plane]| plane)
    }

    /// Adds the steps of a group whose positions are moved. Returns the bounds of its heights.
    fn warped(&mut self, group: &Group, top: usize, stream: u64) -> Interval {
        // The steps run in a workspace of their own, which begins at `top`.
        let inner = top + 1;
        let is_inside =
            |[index, _]: &[usize; 2]| *index >= self.next_index && *index < self.next_index + count(&group.layers);
        let outer = self.drainage.filter(is_inside);
        if let Some([index, _]) = outer {
            self.drainage = Some([index, inner]);
        }
        let first = self.steps.len();
        let bounds = self.stack(&group.layers, 0.0, top, true);
        let steps = self.steps.split_off(first);
        let streams = [STREAM_OF_WARP, STREAM_OF_WARP + 1].map(|index| stream | index << 32);
        let mut warp = Warp::new(group, self.seed, streams, top);
        if let Some([index, plane]) = outer {
            warp.drainage = Some([inner, plane]);
            self.drainage = Some([index, plane]);
        }
        self.steps.push(Step::Warp { warp, steps });
        bounds
    }

    /// Adds a filter of the heights below, whose result is within `bounds`. If it does not have its full effect everywhere, it runs in
    /// the plane `copy`, which is then mixed with its input. Returns the bounds of the heights with it, and of its own result.
    fn filter(
        &mut self,
        layer: &Layer,
        below: &Below<'_>,
        bounds: Interval,
        copy: usize,
        stream: u64,
        step: impl FnOnce(usize) -> Step,
    ) -> [Interval; 2] {
        let is_in_place = is_everywhere(layer) && layer.has_effect();
        let plane = if is_in_place { below.plane } else { copy };
        if !is_in_place {
            self.steps.push(Step::Copy { from: below.plane, to: copy });
        }
        self.steps.push(step(plane));
        self.keep(plane, below);
        let with_layer = match layer.has_effect() {
            _ if is_in_place => bounds,
            true => self.blend(layer, below, bounds, copy, stream, MIX),
            false => below.bounds,
        };
        [with_layer, bounds]
    }

    /// Keeps the own result of a layer, which is in the plane `from`, if a mask reads it.
    fn keep(&mut self, from: usize, below: &Below<'_>) {
        self.steps.extend(below.keep.map(|to| Step::Copy { from, to }));
    }

    /// Notes a layer within `bounds` that changes no height.
    fn check_effect(&mut self, blending: Blending, below: &Below<'_>, bounds: Interval) {
        self.note(blending.changes_nothing(below.bounds, bounds), below, None, below.bounds);
    }

    /// Notes that the layer, or the mask with this index, has no effect.
    fn note(&mut self, is_without_effect: bool, below: &Below<'_>, mask: Option<usize>, reads: Interval) {
        self.without_effect.extend(is_without_effect.then_some(WithoutEffect { layer: below.index, mask, reads }));
    }

    /// Blends the plane `top`, which is within `bounds`, with the heights below, where the masks of the layer allow it. Returns the
    /// bounds of the result.
    fn blend(
        &mut self,
        layer: &Layer,
        below: &Below<'_>,
        bounds: Interval,
        top: usize,
        stream: u64,
        blending: Blending,
    ) -> Interval {
        let opacity = layer.checked_opacity();
        let blended = blending.bounds(below.bounds, bounds, opacity.into());
        let drainage = self.drainage_of(below.index);
        if layer.masks.is_empty() {
            self.steps.push(Step::Blend { below: below.plane, layer: top, blending, opacity });
            self.steps.extend(drainage.map(|plane| Step::Fade { plane, mask: None, opacity }));
            return blended;
        }
        let (mask, value) = (top + 1, top + 2);
        self.steps.push(Step::Constant { plane: mask, height: 1.0 });
        // Only masks of noise have streams, so that another mask changes no patch.
        let mut next_stream = STREAM_OF_MASKS;
        // The heights below at which no mask so far is 0.
        let mut heights = below.bounds;
        for (index, settings) in layer.masks.iter().enumerate() {
            let mut reads = Interval::around_zero(f64::INFINITY);
            let band = settings.band();
            match settings {
                Mask::Height(_) => {
                    self.steps.push(Step::Copy { from: below.plane, to: value });
                    reads = heights;
                    heights = band.nonzero_part(heights);
                }
                Mask::Slope(slope) => {
                    let ticks = ((slope.distance * TICKS_PER_UNIT as f64).round() as i64).max(1);
                    let measured = Slope { base: below.plane, to: value, ticks, is_limited: false };
                    if !self.slope(below.steps.clone(), measured) {
                        continue;
                    }
                    self.steps.push(Step::Steepness { plane: value });
                    let along_an_axis = (below.bounds.high - below.bounds.low) / (2.0 * slope.distance);
                    let steepest = SQRT_2 * along_an_axis;
                    reads = Interval::new(0.0, steepest).extended(1e-6 * steepest);
                }
                Mask::Noise(noise) => {
                    let stream = next_stream << 32 | stream;
                    let noise_of_mask = Arc::new(Noise::seeded(&noise.noise_of_values(), self.seed, stream));
                    next_stream += 1;
                    reads = bounds_of(&noise_of_mask);
                    self.steps.push(Step::Noise { plane: value, noise: noise_of_mask });
                }
                Mask::Point(point) => {
                    self.steps.push(Step::Distance { plane: value, distance: Distance::from_point(point) });
                }
                Mask::Segment(segment) => {
                    self.steps.push(Step::Distance { plane: value, distance: Distance::from_segment(segment) });
                }
                Mask::Layer(layer) => {
                    let Some(kept) = below.kept.iter().rfind(|kept| kept.name == layer.layer) else {
                        // Settings that were never checked may name any layer.
                        self.steps.push(Step::Constant { plane: mask, height: 0.0 });
                        continue;
                    };
                    self.steps.push(Step::Copy { from: kept.plane, to: value });
                    reads = kept.bounds;
                }
            }
            self.steps.push(Step::Band { plane: value, mask, band });
            self.note(band.is_zero_on(reads), below, Some(index), reads);
        }
        self.steps.push(Step::BlendMasked { below: below.plane, layer: top, mask, blending, opacity });
        self.steps.extend(drainage.map(|plane| Step::Fade { plane, mask: Some(mask), opacity }));
        below.bounds.hull(blended)
    }

    /// Measures a slope of the heights that `steps` make. Returns whether that is possible.
    fn slope(&mut self, steps: Range<usize>, slope: Slope) -> bool {
        let step = Step::Slope { slope, steps: heights_only(&self.steps[steps]) };
        let step = std::slice::from_ref(&step);
        let fits = planes_of(step) <= MAX_PLANES && slope_depth(step) <= MAX_SLOPE_DEPTH;
        if fits {
            self.steps.extend_from_slice(step);
        }
        self.is_complete &= fits;
        fits
    }
}

/// `steps` without drainage: the plane of the drainage may be below those of the workspace that measures a slope.
fn heights_only(steps: &[Step]) -> Vec<Step> {
    let steps = steps.iter().filter(|step| !matches!(step, Step::Fade { .. })).cloned().map(|step| match step {
        Step::Erode { plane, slopes, erosion, .. } => Step::Erode { plane, slopes, drainage: None, erosion },
        Step::Warp { warp, steps } => Step::Warp { warp: warp.without_drainage(), steps },
        step => step,
    });
    steps.collect()
}

/// How many slopes `steps` measure in one another. Each one multiplies the evaluations by five.
fn slope_depth(steps: &[Step]) -> usize {
    let depths = steps.iter().map(|step| match step {
        Step::Slope { steps, .. } => 1 + slope_depth(steps),
        Step::Warp { steps, .. } => slope_depth(steps),
        _ => 0,
    });
    depths.max().unwrap_or(0)
}

/// The index, in [`FieldSettings::all_layers`], of the last erosion of `layers` with an effect. `index` is that of the first layer.
fn last_erosion(layers: &[Layer], index: &mut usize) -> Option<usize> {
    let mut last = None;
    for layer in layers {
        let own = *index;
        *index += 1;
        let inside = last_erosion(layer.children(), index);
        let is_erosion = matches!(layer.kind, LayerKind::Erosion(_));
        if layer.has_effect() {
            last = is_erosion.then_some(own).or(inside).or(last);
        }
    }
    last
}

/// The bounds of a noise, with its rounding: on crests at lattice nodes, a sum reaches its bound, and a steep curve above it would
/// enlarge what is beyond it. 32 octaves round by less than 1e-5 of the bound, and an exponent of 8 makes that eight times as much.
fn bounds_of(noise: &Noise) -> Interval {
    Interval::around_zero(noise.bound()).scaled(1.0 + 1e-4)
}

/// The number of `layers`, with those in groups.
fn count(layers: &[Layer]) -> usize {
    layers.iter().map(|layer| 1 + count(layer.children())).sum()
}

/// Whether a layer has its full effect at all positions.
const fn is_everywhere(layer: &Layer) -> bool {
    layer.checked_opacity() == 1.0 && layer.masks.is_empty()
}

/// The blend radius in metres, at least 0 and finite. Settings that were never checked may have any.
const fn radius_of(layer: &Layer) -> f32 {
    if layer.blend_radius > 0.0 { (layer.blend_radius as f32).min(f32::MAX) } else { 0.0 }
}
