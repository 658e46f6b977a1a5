//! The terrain entity.

use super::place::TerrainOrigin;
use super::state::TerrainState;
use crate::settings::TerrainSettings;
use bevy::prelude::*;

/// An endless terrain, made from the settings behind the handle.
///
/// Its chunks appear as children, around every [`TerrainViewer`](super::TerrainViewer). The entity may be moved, turned about y,
/// and scaled alike on all axes; heights are in its own coordinates. [`TerrainOrigin`] says which place of the terrain it stands at. Changing the
/// handle moves on to other settings as a reload does: the old ground stays until the new is ready.
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, TerrainOrigin, TerrainState)]
pub struct Terrain(pub Handle<TerrainSettings>);
