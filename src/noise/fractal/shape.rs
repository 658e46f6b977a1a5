//! What each octave of a sum contributes.

use crate::param::choice;
use serde::{Deserialize, Serialize};

/// What each octave contributes to a sum. [`Fractal`](super::Fractal) lists the formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy", derive(bevy::reflect::Reflect))]
#[non_exhaustive]
pub enum FractalShape {
    /// Fractional Brownian motion: the noise itself. Rolling ground.
    #[default]
    Fbm,
    /// Sharp crests where the noise crosses zero. Rough near the crests, calm in the valleys. Mountains.
    Ridged,
    /// Round lumps with sharp creases between them. Dunes, old lava.
    Billow,
    /// Finer octaves are weaker where the ground is low. Smooth valleys below rough heights. Highlands.
    Hybrid,
    /// Finer octaves are weaker where the ground is steep. Smooth slopes, detail on crests and valley floors. Worn mountains.
    Damped,
}

choice!(FractalShape {
    Fbm: "Rolling ground: hills, islands, wide plains.",
    Ridged: "Sharp crests, rough near the crests and calm in the valleys: mountains.",
    Billow: "Round lumps with sharp creases between them: dunes, old lava.",
    Hybrid: "Smooth valleys below rough heights: highlands.",
    Damped: "Smooth slopes, with detail on crests and valley floors: worn mountains.",
});

/// Added to the noise of [`Hybrid`](FractalShape::Hybrid), so that most values are above zero.
pub(in crate::noise) const HYBRID_OFFSET: f64 = 0.7;
/// A crest of [`Ridged`](FractalShape::Ridged) times this is the weight of the next octave.
pub(in crate::noise) const RIDGED_GAIN: f64 = 2.0;
