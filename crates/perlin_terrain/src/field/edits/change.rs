//! What edits do to the ground.

use crate::field::HillShape;
use crate::param::params;
use serde::{Deserialize, Serialize};

/// What an edit does to the ground.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum EditChange {
    /// Brings the ground to a height: level ground for a house, a road that cuts and fills.
    Flatten(EditHeight),
    /// Raises lower ground to a height: a dam, an island.
    Fill(EditHeight),
    /// Lowers higher ground to a height: a ditch, a pass.
    Cut(EditHeight),
    /// Raises the ground, or lowers it: a brush.
    Raise(Raise),
    /// Puts a hill on the ground, or a pit into it: only in circles. The edit's fade has no effect.
    Hill(EditHill),
}

/// A height that an edit brings the ground to.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct EditHeight {
    /// The height.
    #[param(default = 0.0, range = -2e4..=2e4, unit = "m")]
    pub height: f64,
    /// What the height is above.
    #[param(default = HeightBase::Ground)]
    pub above: HeightBase,
}

/// What the height of an edit is above.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum HeightBase {
    /// The ground without edits, at the center; on a path, at each point. So the edit follows new settings of the ground.
    #[default]
    Ground,
    /// The height 0.
    Zero,
}

/// Raises the ground.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Raise {
    /// How far the ground rises. Negative numbers lower it.
    #[param(default = 1.0, range = -2e4..=2e4, unit = "m")]
    pub height: f64,
}

/// A hill on the ground, which ends at the circle.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct EditHill {
    /// The shape of the hill.
    #[param(default = HillShape::Cone)]
    pub shape: HillShape,
    /// The height of the hill. Negative numbers make a pit of the same shape.
    #[param(default = 10.0, range = -2e4..=2e4, unit = "m")]
    pub height: f64,
}

impl EditHeight {
    /// A height above the ground without edits, in metres.
    #[must_use]
    pub const fn above_ground(height: f64) -> Self {
        Self { height, above: HeightBase::Ground }
    }

    /// A height above 0, in metres.
    #[must_use]
    pub const fn above_zero(height: f64) -> Self {
        Self { height, above: HeightBase::Zero }
    }
}
