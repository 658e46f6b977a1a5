//! The shapes of edits.

use crate::param::params;
use serde::{Deserialize, Serialize};

/// Where an edit has its full effect.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum EditShape {
    /// In a circle: a crater, a pond, a hill.
    Circle(EditCircle),
    /// In a rectangle: the ground of a house.
    Box(EditBox),
    /// Along a line through points: a road, a ditch, a dam.
    Path(EditPath),
}

/// A circle.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct EditCircle {
    /// Position of the center along x.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub x: f64,
    /// Position of the center along z.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub z: f64,
    /// The radius.
    #[param(default = 25.0, range = 0.1..=10_000.0, unit = "m", scale = Logarithmic)]
    pub radius: f64,
}

/// A rectangle.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct EditBox {
    /// Position of the center along x.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub x: f64,
    /// Position of the center along z.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub z: f64,
    /// The side along x, before the turn.
    #[param(default = 20.0, range = 0.1..=10_000.0, unit = "m", scale = Logarithmic)]
    pub width: f64,
    /// The side along z, before the turn.
    #[param(default = 20.0, range = 0.1..=10_000.0, unit = "m", scale = Logarithmic)]
    pub length: f64,
    /// How far the rectangle is turned around y, counter-clockwise seen from above, as a rotation around y turns a house.
    #[param(default = 0.0, range = -6.3..=6.3, unit = "rad")]
    pub turn: f64,
}

/// A line through points. Heights that belong to it go straight from point to point, and smoothly around bends. Where it crosses itself at
/// another height, the ground is steep.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct EditPath {
    /// The points: 2 to 256, each up to 10 km from the one before.
    #[param(default = vec![PathPoint::default(), PathPoint { x: 100.0, z: 0.0 }])]
    pub points: Vec<PathPoint>,
    /// The width of the full effect, without the fade.
    #[param(default = 6.0, range = 0.1..=1000.0, unit = "m", scale = Logarithmic)]
    pub width: f64,
}

/// A point of a path.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields)]
pub struct PathPoint {
    /// Position along x.
    ///
    /// A file must say it.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub x: f64,
    /// Position along z.
    ///
    /// A file must say it.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    pub z: f64,
}

impl EditPath {
    /// The largest number of points.
    pub const MAX_POINTS: usize = 256;

    /// The largest distance from a point to the next, in metres along x and along z.
    pub const MAX_DISTANCE: f64 = 10_000.0;
}

impl From<[f64; 2]> for PathPoint {
    fn from([x, z]: [f64; 2]) -> Self {
        Self { x, z }
    }
}
