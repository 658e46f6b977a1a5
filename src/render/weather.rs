//! What terrains and skies share: the shaders, the wind and the clouds.

use super::cloud_texture::{CloudPattern, create_cloud_texture, upload_clouds};
use super::clouds::{CloudDrift, TerrainClouds, drift_clouds};
use super::shaders::add_shaders;
use super::wind::TerrainWind;
use bevy::prelude::*;
use bevy::render::{Render, RenderApp, RenderStartup, RenderSystems};

/// The shaders, the wind and the clouds. The plugins of the terrain and of the sky both need it, and each works without the other one.
pub(crate) struct WeatherPlugin;

impl WeatherPlugin {
    /// Adds the plugin, unless the app has it.
    pub fn add_to(app: &mut App) {
        if !app.is_plugin_added::<Self>() {
            app.add_plugins(Self);
        }
    }
}

impl Plugin for WeatherPlugin {
    fn build(&self, app: &mut App) {
        add_shaders(app);
        let pattern = CloudPattern::default();
        app.init_resource::<TerrainWind>()
            .init_resource::<TerrainClouds>()
            .init_resource::<CloudDrift>()
            .insert_resource(pattern.clone())
            .register_type::<TerrainWind>()
            .add_systems(Last, drift_clouds);
        if let Some(render) = app.get_sub_app_mut(RenderApp) {
            render
                .insert_resource(pattern)
                .add_systems(RenderStartup, create_cloud_texture)
                .add_systems(Render, upload_clouds.in_set(RenderSystems::PrepareResources));
        }
    }
}
