//! The compiled form of a stack of layers: a flat list of steps over planes of heights.
//!
//! A plane has one number for each place. Plane 0 has the heights. A step reads and writes planes, and knows of each place only
//! that place. So a block of one place gives the same bits as a grid.

use super::blend::Blending;
use super::interval::Interval;
use super::layer::{Blend, Layer};
use super::places::Places;
use super::{FieldSettings, LayerKind};
use crate::noise::Noise;

/// The largest number of planes: the heights of each nested stack, and one layer on top.
pub(super) const MAX_PLANES: usize = FieldSettings::MAX_DEPTH + 2;

/// One operation on planes.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// Sets a plane to one height.
    Constant { plane: usize, height: f32 },
    /// Writes a noise to a plane.
    Noise { plane: usize, noise: Box<Noise> },
    /// Adds a noise to a plane.
    AddNoise { plane: usize, noise: Box<Noise> },
    /// Blends a plane with the plane below it, which gets the result.
    Blend { plane: usize, blending: Blending, opacity: f32 },
}

/// A stack of layers, compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Program {
    steps: Vec<Step>,
    planes: usize,
    bounds: Interval,
}

impl Program {
    /// Compiles `settings`.
    pub fn compile(settings: &FieldSettings) -> Self {
        let mut compiler = Compiler { seed: settings.seed, next_stream: 0, steps: Vec::new(), planes: 1 };
        let height = settings.base_height as f32;
        compiler.steps.push(Step::Constant { plane: 0, height });
        let bounds = compiler.stack(&settings.layers, 0, Interval::at(height.into()), true);
        let Compiler { steps, planes, .. } = compiler;
        // The sums of octaves and the conversion of the bounds to f32 round too.
        let margin = 0.0005 * (bounds.high - bounds.low) + bounds.rounding();
        Self { steps, planes, bounds: bounds.extended(margin) }
    }

    /// Bounds of all heights, in metres.
    pub const fn bounds(&self) -> Interval {
        self.bounds
    }

    /// How many planes [`run`](Self::run) needs.
    pub const fn planes(&self) -> usize {
        self.planes
    }

    /// Computes the heights at `places` and writes them into the first plane of `planes`. The planes follow one another.
    pub fn run(&self, places: &mut impl Places, planes: &mut [f32]) {
        let count = places.count();
        let of = |plane: usize| plane * count..(plane + 1) * count;
        for step in &self.steps {
            match step {
                Step::Constant { plane, height } => planes[of(*plane)].fill(*height),
                Step::Noise { plane, noise } => places.fill(noise, &mut planes[of(*plane)]),
                Step::AddNoise { plane, noise } => places.add(noise, &mut planes[of(*plane)]),
                Step::Blend { plane, blending, opacity } => {
                    let (below, layer) = planes.split_at_mut(plane * count);
                    let (below, layer) = (&mut below[of(plane - 1)], &layer[..count]);
                    if *opacity == 1.0 {
                        blending.apply(below, layer);
                    } else {
                        blending.apply_partly(below, layer, *opacity);
                    }
                }
            }
        }
    }
}

struct Compiler {
    seed: u64,
    /// The stream of the next layer that has none of its own.
    next_stream: u32,
    steps: Vec<Step>,
    planes: usize,
}

impl Compiler {
    /// Adds the steps of `layers` on top of the heights in `plane`, which are within `below`. Returns the bounds of the result.
    ///
    /// Layers without an effect are only counted, because their indices are streams.
    fn stack(&mut self, layers: &[Layer], plane: usize, below: Interval, has_effect: bool) -> Interval {
        layers.iter().fold(below, |below, layer| self.layer(layer, plane, below, has_effect))
    }

    fn layer(&mut self, layer: &Layer, plane: usize, below: Interval, has_effect: bool) -> Interval {
        let stream = u64::from(layer.stream.unwrap_or(self.next_stream));
        self.next_stream += 1;
        let opacity = layer.opacity as f32;
        let top = plane + 1;
        // Settings that were never checked may nest too deep.
        let has_effect = has_effect && layer.enabled && opacity > 0.0 && top < MAX_PLANES;
        let blending = Blending { blend: layer.blend, radius: layer.blend_radius as f32 };
        let (step, bounds) = match &layer.kind {
            LayerKind::Group(group) => {
                if has_effect {
                    self.steps.push(Step::Constant { plane: top, height: 0.0 });
                }
                let bounds = self.stack(&group.layers, top, Interval::at(0.0), has_effect);
                (None, bounds)
            }
            _ if !has_effect => return below,
            LayerKind::Noise(settings) => {
                let noise = Box::new(Noise::seeded(settings, self.seed, stream));
                let bounds = Interval::around_zero(noise.bound());
                if blending.blend == Blend::Add && opacity == 1.0 {
                    self.steps.push(Step::AddNoise { plane, noise });
                    return blending.bounds(below, bounds, 1.0);
                }
                (Some(Step::Noise { plane: top, noise }), bounds)
            }
            LayerKind::Constant(constant) => {
                let height = constant.height as f32;
                (Some(Step::Constant { plane: top, height }), Interval::at(height.into()))
            }
        };
        if !has_effect {
            return below;
        }
        self.planes = self.planes.max(top + 1);
        self.steps.extend(step);
        self.steps.push(Step::Blend { plane: top, blending, opacity });
        blending.bounds(below, bounds, opacity.into())
    }
}
