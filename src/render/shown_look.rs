//! The look that is drawn now.

use crate::look::LookSettings;
use bevy::prelude::*;

/// The look with which a terrain is drawn. While a reload builds other ground, it stays that of the ground that is drawn.
#[derive(Component, Clone, Debug)]
pub(crate) struct ShownLook(pub LookSettings);

impl ShownLook {
    /// The level of the water, in metres of the terrain. `None` without water.
    pub fn water_level(&self) -> Option<f64> {
        self.0.water.then_some(self.0.water_height)
    }
}
