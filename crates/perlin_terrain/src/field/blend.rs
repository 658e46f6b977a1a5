//! How a layer is blended with the height below it.

use super::interval::Interval;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// How a layer changes the height below it.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Blend {
    /// The layer replaces the height below. With a low opacity, it moves the height toward the layer.
    Replace,
    /// The layer is added to the height below.
    #[default]
    Add,
    /// The lower of both: the layer cuts valleys and craters into the ground.
    Min,
    /// The higher of both: the layer rises out of the ground, or fills it up to a floor.
    Max,
}

/// A [`Blend`] with its radius, compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blending {
    pub blend: Blend,
    /// In metres. Only for `Min` and `Max`.
    pub radius: f32,
}

impl Blending {
    /// Blends `layer` with the heights `below`, fully.
    pub fn apply(self, below: &mut [f32], layer: &[f32]) {
        let pairs = below.iter_mut().zip(layer);
        match self.blend {
            Blend::Replace => pairs.for_each(|(a, &b)| *a = b),
            Blend::Add => pairs.for_each(|(a, &b)| *a += b),
            Blend::Min => pairs.for_each(|(a, &b)| *a = self.min(*a, b)),
            Blend::Max => pairs.for_each(|(a, &b)| *a = self.max(*a, b)),
        }
    }

    /// Blends `layer` with the heights `below`, with the strength `opacity` from 0 to 1.
    pub fn apply_partly(self, below: &mut [f32], layer: &[f32], opacity: f32) {
        let pairs = below.iter_mut().zip(layer);
        match self.blend {
            Blend::Replace => pairs.for_each(|(a, &b)| *a += opacity * (b - *a)),
            Blend::Add => pairs.for_each(|(a, &b)| *a += opacity * b),
            Blend::Min => pairs.for_each(|(a, &b)| *a += opacity * (self.min(*a, b) - *a)),
            Blend::Max => pairs.for_each(|(a, &b)| *a += opacity * (self.max(*a, b) - *a)),
        }
    }

    /// Blends `layer` with the heights `below`, with a strength of its own at each position, from 0 to 1.
    pub fn apply_masked(self, below: &mut [f32], layer: &[f32], mask: &[f32], opacity: f32) {
        let strengths = (layer, mask, opacity);
        match self.blend {
            Blend::Replace => mix(below, strengths, |_, b| b),
            Blend::Add => mix(below, strengths, |a, b| a + b),
            Blend::Min => mix(below, strengths, |a, b| self.min(a, b)),
            Blend::Max => mix(below, strengths, |a, b| self.max(a, b)),
        }
    }

    /// The lower of `a` and `b`. Heights closer than the radius are blended.
    ///
    /// The cubic smooth minimum: with `t = max(radius - |a - b|, 0) / radius`, it lies `t^3 radius / 6` below the lower one. Its
    /// second derivative is continuous. Source: Inigo Quilez, *Smooth minimum*.
    fn min(self, a: f32, b: f32) -> f32 {
        let lower = if a < b { a } else { b };
        if self.radius > 0.0 { lower - edge_rounding(a, b, self.radius) } else { lower }
    }

    fn max(self, a: f32, b: f32) -> f32 {
        let higher = if a > b { a } else { b };
        if self.radius > 0.0 { higher + edge_rounding(a, b, self.radius) } else { higher }
    }

    /// Whether a layer within `layer` changes no height within `below`.
    pub fn changes_nothing(self, below: Interval, layer: Interval) -> bool {
        let radius = f64::from(self.radius);
        match self.blend {
            Blend::Replace => false,
            Blend::Add => layer == Interval::at(0.0),
            Blend::Min => layer.low >= below.high + radius,
            Blend::Max => layer.high <= below.low - radius,
        }
    }

    /// The bounds of the result, for heights within `below` and a layer within `layer`.
    pub fn bounds(self, below: Interval, layer: Interval, opacity: f64) -> Interval {
        let depth = f64::from(self.radius) / 6.0;
        let rounding = below.rounding() + layer.rounding();
        let blended = match self.blend {
            Blend::Replace => layer,
            Blend::Add => return (below + layer.scaled(opacity)).extended(rounding),
            Blend::Min => Interval::new(below.low.min(layer.low) - depth, below.high.min(layer.high)),
            Blend::Max => Interval::new(below.low.max(layer.low), below.high.max(layer.high) + depth),
        };
        (below.scaled(1.0 - opacity) + blended.scaled(opacity)).extended(rounding + 1e-6 * depth)
    }
}

/// How far the smooth minimum of `a` and `b` lies below the lower one, and the smooth maximum above the higher one. `radius` is at
/// least 0.
pub(super) fn edge_rounding(a: f32, b: f32, radius: f32) -> f32 {
    let near = radius - (a - b).abs();
    let t = if near > 0.0 { near / radius } else { 0.0 };
    t * t * t * (radius * (1.0 / 6.0))
}

/// Moves each of the heights `below` toward the result of `blend`, as far as the mask and the opacity say.
fn mix(below: &mut [f32], (layer, mask, opacity): (&[f32], &[f32], f32), blend: impl Fn(f32, f32) -> f32) {
    for ((a, &b), &mask) in below.iter_mut().zip(layer).zip(mask) {
        let (blended, strength) = (blend(*a, b), mask * opacity);
        // 1 is exact: it is the plain blend.
        *a = if strength == 1.0 { blended } else { *a + strength * (blended - *a) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::for_all;

    #[test]
    fn every_blend_stays_within_its_bounds_and_is_continuous() {
        let heights = (-1e3_f32..1e3, -1e3_f32..1e3, 0.0_f32..500.0, 0.0_f32..1.0);
        for_all(2000, (heights, 0..4_usize), |((a, b, radius, opacity), blend)| {
            let blend = [Blend::Replace, Blend::Add, Blend::Min, Blend::Max][blend];
            let blending = Blending { blend, radius };
            let at = |a: f32, b: f32| {
                let mut below = [a];
                blending.apply_partly(&mut below, &[b], opacity);
                below[0]
            };
            let bounds = blending.bounds(Interval::at(a.into()), Interval::at(b.into()), opacity.into());
            let height = f64::from(at(a, b));
            assert!(bounds.low - 1e-3 <= height && height <= bounds.high + 1e-3, "{blend:?} {height} {bounds:?}");
            // No blend is steeper than its inputs.
            for (a2, b2) in [(a + 0.01, b), (a, b + 0.01), (a + 0.01, b - 0.01)] {
                assert!((at(a2, b2) - at(a, b)).abs() < 0.03, "{blend:?} jumps at {a}, {b}");
            }
            let mut fully = [a];
            blending.apply(&mut fully, &[b]);
            let mut nearly = [a];
            blending.apply_partly(&mut nearly, &[b], 1.0);
            assert!((fully[0] - nearly[0]).abs() < 1e-3, "{blend:?}");
        });
    }

    #[test]
    fn rounded_edges_lie_inside_the_sharp_ones() {
        let blend = |blend, radius, a: f32, b: f32| {
            let mut below = [a];
            Blending { blend, radius }.apply(&mut below, &[b]);
            below[0]
        };
        assert_eq!(blend(Blend::Min, 0.0, 3.0, 5.0), 3.0);
        assert_eq!(blend(Blend::Max, 0.0, 3.0, 5.0), 5.0);
        assert_eq!(blend(Blend::Min, 6.0, 4.0, 4.0), 3.0, "a sixth of the radius deeper where both are equal");
        assert_eq!(blend(Blend::Max, 6.0, 4.0, 4.0), 5.0);
        assert_eq!(blend(Blend::Max, 6.0, 4.0, 20.0), 20.0, "further apart than the radius: sharp");
        assert_eq!(blend(Blend::Replace, 6.0, 4.0, 20.0), 20.0);
        assert_eq!(blend(Blend::Add, 6.0, 4.0, 20.0), 24.0);
    }
}
