//! An edit of the ground.

use super::{EditChange, EditHeight, EditPath, EditShape};
use crate::param::{self, ParamError, params};
use serde::{Deserialize, Serialize};

/// An edit of the ground: where, what, and how it fades out.
///
/// ```
/// use perlin_terrain::field::{EditChange, EditCircle, EditHeight, EditId, EditShape, FieldSettings, HeightField, TerrainEdit};
///
/// let mut field = HeightField::new(&FieldSettings::default());
/// let edit = TerrainEdit {
///     shape: EditShape::Circle(EditCircle { x: 120.0, z: -40.0, radius: 25.0 }),
///     change: EditChange::Flatten(EditHeight::above_zero(50.0)),
///     fade: 10.0,
///     ..TerrainEdit::default()
/// };
/// assert!(edit.check().is_empty());
/// let before = field.clone();
/// field.replace_edit(EditId::Game(0), None, Some(&edit));
/// assert_eq!(field.height(120.0, -40.0), 50.0);
/// assert_eq!(field.height(155.0, -40.0), before.height(155.0, -40.0));
/// ```
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields)]
pub struct TerrainEdit {
    /// Where the edit has its full effect.
    ///
    /// A file must say it.
    #[param(default = EditShape::Circle(Default::default()))]
    pub shape: EditShape,
    /// What the edit does to the ground.
    ///
    /// A file must say it.
    #[param(default = EditChange::Flatten(EditHeight::default()))]
    pub change: EditChange,
    /// The effect fades out over this distance beyond the shape. 0 makes a cliff.
    #[param(default = 10.0, range = 0.0..=10_000.0, unit = "m")]
    #[serde(default = "fade")]
    pub fade: f64,
    /// How much of the effect there is. 0 means no effect.
    #[param(default = 1.0, range = 0.0..=1.0)]
    #[serde(default = "strength")]
    pub strength: f64,
    /// Edits of a higher priority come after the others of the settings, or of the game.
    #[param(default = 0, range = 0..=1000)]
    #[serde(default)]
    pub priority: u32,
}

fn fade() -> f64 {
    TerrainEdit::default().fade
}

fn strength() -> f64 {
    TerrainEdit::default().strength
}

/// What tells the edits of a ground apart. Edits are applied in the order of their ids: those of the settings first. A higher
/// [priority](TerrainEdit::priority) comes later within each of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EditId {
    /// An edit that belongs to the settings of the ground, by its index.
    Settings(u32),
    /// An edit of a game, by a number of the game's choice.
    Game(u64),
}

impl TerrainEdit {
    /// Everything that is not allowed. Empty if the edit is valid.
    #[must_use]
    pub fn check(&self) -> Vec<ParamError> {
        let mut errors = param::check(&mut self.clone());
        errors.extend(self.check_shape());
        errors
    }

    /// What is not allowed about the shape, beside numbers out of their ranges.
    pub(in crate::field) fn check_shape(&self) -> Option<ParamError> {
        if self.is_hill_in_another_shape() {
            return Some(error("shape", "not a circle".to_owned(), "a circle, for a hill".to_owned()));
        }
        self.check_path()
    }

    /// Whether the edit makes a hill, but not in a circle.
    pub(super) const fn is_hill_in_another_shape(&self) -> bool {
        matches!(self.change, EditChange::Hill(_)) && !matches!(self.shape, EditShape::Circle(_))
    }

    /// The first thing that is not allowed about the points of a path.
    fn check_path(&self) -> Option<ParamError> {
        let EditShape::Path(path) = &self.shape else { return None };
        let count = path.points.len();
        if !(2..=EditPath::MAX_POINTS).contains(&count) {
            let allowed = format!("2 to {} points", EditPath::MAX_POINTS);
            return Some(error("shape.points", format!("a list of {count}"), allowed));
        }
        let distance = |pair: &[super::PathPoint]| (pair[1].x - pair[0].x).abs().max((pair[1].z - pair[0].z).abs());
        let far = path.points.windows(2).position(|pair| distance(pair) > EditPath::MAX_DISTANCE)?;
        let found = format!("{:.0} m from the point before", distance(&path.points[far..far + 2]));
        let allowed = format!("up to {} m along x and along z", EditPath::MAX_DISTANCE);
        Some(error(&format!("shape.points[{}]", far + 1), found, allowed))
    }
}

fn error(path: &str, found: String, allowed: String) -> ParamError {
    ParamError { path: path.to_owned(), found, allowed }
}
