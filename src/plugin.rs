//! The plugins that a game adds.

use crate::stream::TerrainStreamPlugin;
use bevy::app::PluginGroupBuilder;
use bevy::prelude::*;

/// Everything a game needs for terrain. Add it after Bevy's `DefaultPlugins`.
///
/// | plugin | what it does | without it |
/// | --- | --- | --- |
/// | [`TerrainStreamPlugin`] | loads settings, streams chunks around viewers | there is no terrain |
#[cfg_attr(
    feature = "hot_reload",
    doc = "| [`TerrainHotReloadPlugin`](crate::stream::TerrainHotReloadPlugin) | reloads a settings file when it changes | changes take a restart |"
)]
#[cfg_attr(
    feature = "render",
    doc = "| [`TerrainRenderPlugin`](crate::render::TerrainRenderPlugin) | draws the chunks | chunks have surfaces, but nothing is seen |"
)]
///
/// Each can be left out or replaced: `TerrainPlugins.build().disable::<TerrainRenderPlugin>()`. The inspector is a plugin of
/// its own, which a game adds where it wants one.
pub struct TerrainPlugins;

impl PluginGroup for TerrainPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = TerrainMinimalPlugins.build();
        #[cfg(feature = "render")]
        let group = group.add(crate::render::TerrainRenderPlugin::default());
        group
    }
}

/// Terrain without a window, a renderer or a GPU: for servers and tests, on top of Bevy's `MinimalPlugins`,
/// `TransformPlugin` and `AssetPlugin`. Chunks are entities with a [`ChunkSurface`](crate::stream::ChunkSurface).
pub struct TerrainMinimalPlugins;

impl PluginGroup for TerrainMinimalPlugins {
    fn build(self) -> PluginGroupBuilder {
        let group = PluginGroupBuilder::start::<Self>().add(TerrainStreamPlugin::default());
        #[cfg(feature = "hot_reload")]
        let group = group.add(crate::stream::TerrainHotReloadPlugin::default());
        group
    }
}
