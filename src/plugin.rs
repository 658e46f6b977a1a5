//! The plugin groups of the crate.

use crate::ground::TerrainGroundPlugin;
use crate::plants::TerrainPlantsPlugin;
use crate::stream::TerrainStreamPlugin;
use bevy::app::PluginGroupBuilder;
use bevy::prelude::*;

/// All plugins that a game needs for terrain. Add them after Bevy's `DefaultPlugins`.
///
/// | plugin | what it does | without it |
/// | --- | --- | --- |
/// | [`TerrainStreamPlugin`] | loads settings, streams chunks around viewers | no terrain |
/// | [`TerrainGroundPlugin`] | keeps heights for [`TerrainGround`](crate::ground::TerrainGround) | systems with `TerrainGround` panic |
/// | [`TerrainPlantsPlugin`] | makes plants near viewers entities | systems with `TerrainPlants` find no plants |
#[cfg_attr(
    feature = "hot_reload",
    doc = "| [`TerrainHotReloadPlugin`](crate::stream::TerrainHotReloadPlugin) | reloads a settings file when it changes | a changed file needs a restart |"
)]
#[cfg_attr(
    feature = "render",
    doc = "| [`TerrainRenderPlugin`](crate::render::TerrainRenderPlugin) | draws the chunks | chunks have surfaces but are invisible |"
)]
#[cfg_attr(
    feature = "picking",
    doc = "| [`TerrainPickingPlugin`](crate::ground::TerrainPickingPlugin) | lets pointers hover and click the ground, if the app has Bevy's `PickingPlugin` | pointers pass through the ground |"
)]
#[cfg_attr(
    feature = "sky",
    doc = "| [`TerrainSkyPlugin`](crate::sky::TerrainSkyPlugin) | gives light to cameras with a [`TerrainSky`](crate::sky::TerrainSky) | the game has its own light |"
)]
///
/// Each plugin can be disabled or replaced: `TerrainPlugins.build().disable::<TerrainRenderPlugin>()`. The inspector is not in
/// this group; add its plugin yourself.
pub struct TerrainPlugins;

impl PluginGroup for TerrainPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = TerrainMinimalPlugins.build();
        #[cfg(feature = "render")]
        let group = group.add(crate::render::TerrainRenderPlugin::default());
        #[cfg(feature = "picking")]
        let group = group.add(crate::ground::TerrainPickingPlugin);
        #[cfg(feature = "sky")]
        let group = group.add(crate::sky::TerrainSkyPlugin::default());
        group
    }
}

/// Terrain for servers and tests, without a window, a renderer or a GPU.
///
/// Needs Bevy's `MinimalPlugins`, `TransformPlugin` and `AssetPlugin`. Chunks are entities with a
/// [`ChunkSurface`](crate::stream::ChunkSurface).
pub struct TerrainMinimalPlugins;

impl PluginGroup for TerrainMinimalPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = PluginGroupBuilder::start::<Self>()
            .add(TerrainStreamPlugin::default())
            .add(TerrainGroundPlugin)
            .add(TerrainPlantsPlugin);
        #[cfg(feature = "hot_reload")]
        let group = group.add(crate::stream::TerrainHotReloadPlugin::default());
        group
    }
}
