//! What each octave of a sum contributes.

use crate::param::choice;
use serde::{Deserialize, Serialize};

/// What each octave contributes to a sum; [`Fractal`](super::Fractal) has the formulas side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
pub enum FractalShape {
    /// The noise itself: fractional Brownian motion. Rolling ground.
    #[default]
    Smooth,
    /// Sharp crests where the noise crosses zero, rough near the crests and calm in the valleys. Mountains.
    Ridged,
    /// Round lumps that meet in sharp creases. Dunes, old lava.
    Billow,
    /// Finer octaves count for less where the ground is low: smooth valleys below rough heights. Highlands.
    Hybrid,
    /// Finer octaves count for less where the ground is steep: smooth slopes, detail on crests and in valley floors. Worn
    /// mountains.
    Damped,
}

choice!(FractalShape { Smooth, Ridged, Billow, Hybrid, Damped });

/// What is added to the noise of a [`Hybrid`](FractalShape::Hybrid), so that most of it is above zero.
pub(in crate::noise) const HYBRID_OFFSET: f64 = 0.7;
/// How much of a crest of [`Ridged`](FractalShape::Ridged) the next octave keeps.
pub(in crate::noise) const RIDGED_GAIN: f64 = 2.0;
