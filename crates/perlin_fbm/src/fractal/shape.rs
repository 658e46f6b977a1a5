//! The contribution of each octave to a sum.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// The contribution of each octave to a sum. [`Fractal`](super::Fractal) lists the formulas.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum FractalShape {
    /// Rolling: hills, islands, wide plains.
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
    /// Finer octaves are weaker where the noise is low.
    Hybrid,
    /// Smooth slopes, with detail on crests and valley floors: worn mountains.
    ///
    /// Finer octaves are weaker where the noise is steep.
    Damped,
}

/// Added to the noise of [`Hybrid`](FractalShape::Hybrid), so that most values are above zero.
pub(crate) const HYBRID_OFFSET: f64 = 0.7;
/// A crest of [`Ridged`](FractalShape::Ridged) times this is the weight of the next octave.
pub(crate) const RIDGED_GAIN: f64 = 2.0;
