//! What each octave of a sum contributes.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// What each octave contributes to a sum. [`Fractal`](super::Fractal) lists the formulas.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum FractalShape {
    /// Rolling ground: hills, islands, wide plains.
    ///
    /// Fractional Brownian motion: the noise itself.
    #[default]
    Fbm,
    /// Sharp crests, rough near the crests and calm in the valleys: mountains.
    ///
    /// The crests lie where the noise crosses zero.
    Ridged,
    /// Round lumps with sharp creases between them: dunes, old lava.
    Billow,
    /// Smooth valleys below rough heights: highlands.
    ///
    /// Finer octaves are weaker where the ground is low.
    Hybrid,
    /// Smooth slopes, with detail on crests and valley floors: worn mountains.
    ///
    /// Finer octaves are weaker where the ground is steep.
    Damped,
}

/// Added to the noise of [`Hybrid`](FractalShape::Hybrid), so that most values are above zero.
pub(in crate::noise) const HYBRID_OFFSET: f64 = 0.7;
/// A crest of [`Ridged`](FractalShape::Ridged) times this is the weight of the next octave.
pub(in crate::noise) const RIDGED_GAIN: f64 = 2.0;
