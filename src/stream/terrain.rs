//! The terrain entity.

use super::edits::TerrainEdits;
use super::position::TerrainOrigin;
use super::state::TerrainState;
#[cfg(feature = "hot_reload")]
use crate::asset::HasSettings;
use crate::settings::TerrainSettings;
use bevy::prelude::*;

/// An endless terrain with the settings of this handle.
///
/// Its chunks are spawned as its children, around every [`TerrainViewer`](super::TerrainViewer). The entity can be moved, rotated
/// about y, and scaled equally on all axes. Heights are in the terrain's own coordinates. [`TerrainOrigin`] sets which position of
/// the terrain lies at the entity, and [`TerrainEdits`] changes its ground. A new handle reloads the terrain: the old ground stays until the new one is ready.
///
/// Its meshes have its [`RenderLayers`], [`NotShadowCaster`], [`NotShadowReceiver`] and [`NoFrustumCulling`], also when they
/// change. Its `Visibility` counts for all of it, and what despawns it, such as `DespawnOnExit` of a state, despawns its chunks too.
///
/// [`RenderLayers`]: https://docs.rs/bevy/latest/bevy/camera/visibility/struct.RenderLayers.html
/// [`NotShadowCaster`]: https://docs.rs/bevy/latest/bevy/light/struct.NotShadowCaster.html
/// [`NotShadowReceiver`]: https://docs.rs/bevy/latest/bevy/light/struct.NotShadowReceiver.html
/// [`NoFrustumCulling`]: https://docs.rs/bevy/latest/bevy/camera/visibility/struct.NoFrustumCulling.html
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, TerrainOrigin, TerrainState, TerrainEdits)]
pub struct Terrain(pub Handle<TerrainSettings>);

#[cfg(feature = "hot_reload")]
impl HasSettings<TerrainSettings> for Terrain {
    fn settings(&self) -> &Handle<TerrainSettings> {
        &self.0
    }
}
