//! The plugin of the sky.

use super::anti_aliasing::{prepare_anti_aliasing, release_anti_aliasing, update_anti_aliasing};
use super::atmosphere::{self, extract_own_atmospheres, update_atmospheres};
use super::camera::{TerrainSky, expose, prepare_camera, release_camera, update_settings};
use super::dome::{self, spawn_domes};
use super::dome_look::{
    DomeColors, DomeLook, ExtractedDomes, extract_domes, reset_dome_buffers, update_colors, write_domes,
};
use super::haze::update_haze;
use super::method::SkyMethod;
use super::mirror::{Mirror, update_mirrors};
use super::skylight::{Gradient, update_skylight};
use super::sun::{TerrainSun, update_layers, update_shadows, update_sun};
use super::underwater::{CurrentWater, find_water};
use super::weather::{MainSky, choose_main_sky, update_clouds, update_wind};
use crate::asset::SettingsLoader;
use crate::light::SkySettings;
use crate::render::{TerrainQuality, WeatherPlugin, draws_on_processor};
#[cfg(feature = "hot_reload")]
use crate::stream::TerrainHotReloadPlugin;
use bevy::asset::AssetEventSystems;
use bevy::camera::visibility::VisibilitySystems;
use bevy::pbr::extract_atmosphere;
use bevy::prelude::*;
use bevy::render::render_resource::{DownlevelFlags, TextureFormat, TextureUsages};
use bevy::render::renderer::{RenderAdapter, RenderDevice};
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};

/// Gives light to every camera with a [`TerrainSky`].
///
/// A part of [`TerrainPlugins`](crate::TerrainPlugins), where it changes nothing until a camera has a sky. Does nothing in an app
/// without Bevy's `PbrPlugin`, except to load settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainSkyPlugin {
    /// How skies are drawn. Default: as an atmosphere if the device is a GPU that can compute one, or else as a dome.
    pub method: Option<SkyMethod>,
}

/// The systems in `PostUpdate` that follow changed settings. A game that moves the sun later than in `Update` runs before them.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct SkySystems;

impl Plugin for TerrainSkyPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<SkySettings>()
            .init_asset_loader::<SettingsLoader<SkySettings>>()
            .register_type::<TerrainSky>()
            .register_type::<TerrainSun>();
        if !app.is_plugin_added::<bevy::pbr::PbrPlugin>() {
            return;
        }
        WeatherPlugin::add_to(app);
        app.add_plugins(MaterialPlugin::<DomeLook>::default());
        app.init_resource::<SkyMethod>()
            .init_resource::<MainSky>()
            .add_observer(prepare_camera)
            .add_observer(release_camera)
            .add_observer(release_anti_aliasing)
            .add_observer(forget);
        let is_atmosphere = |method: Res<SkyMethod>| *method == SkyMethod::Atmosphere;
        app.add_systems(
            PostUpdate,
            (
                (
                    update_settings,
                    expose,
                    choose_main_sky,
                    (update_sun, update_wind),
                    (update_shadows, update_layers),
                    (update_skylight, update_mirrors).chain(),
                    (spawn_domes, dome::update_layers).chain(),
                    dome::update_quality.run_if(resource_exists_and_changed::<TerrainQuality>),
                    (update_atmospheres, prepare_anti_aliasing).run_if(is_atmosphere),
                    update_anti_aliasing,
                )
                    .chain()
                    .in_set(SkySystems)
                    // New images and media are on the GPU in this frame.
                    .before(AssetEventSystems)
                    .before(TransformSystems::Propagate),
                // In the frame in which a camera dives or comes up.
                (find_water, (update_haze, (update_colors, update_clouds).chain()))
                    .chain()
                    .after(SkySystems)
                    .after(TransformSystems::Propagate),
                (dome::follow_cameras, atmosphere::follow_cameras.run_if(is_atmosphere))
                    .after(TransformSystems::Propagate),
                dome::hide_from_others.after(VisibilitySystems::CheckVisibility),
            ),
        );
    }

    fn finish(&self, app: &mut App) {
        #[cfg(feature = "hot_reload")]
        if let Some(hot_reload) = app.get_added_plugins::<TerrainHotReloadPlugin>().first().map(|plugin| **plugin) {
            hot_reload.watch::<SkySettings, TerrainSky>(app);
        }
        let draws = app.is_plugin_added::<bevy::pbr::PbrPlugin>();
        if let Some(render) = app.get_sub_app_mut(RenderApp).filter(|_| draws) {
            render
                .init_resource::<ExtractedDomes>()
                .add_systems(RenderStartup, reset_dome_buffers)
                .add_systems(ExtractSchedule, (extract_own_atmospheres.after(extract_atmosphere), extract_domes))
                .add_systems(
                    Render,
                    write_domes.after(RenderSystems::ExtractCommands).before(RenderSystems::PrepareAssets),
                );
        }
        let can_compute = || app.get_sub_app(RenderApp).is_some_and(|render| can_compute_atmosphere(render.world()));
        let method = self.method.unwrap_or(if can_compute() { SkyMethod::Atmosphere } else { SkyMethod::Dome });
        app.insert_resource(method);
    }
}

/// Takes what was found out for a camera from one that lost its sky.
fn forget(sky: On<Remove<TerrainSky>>, mut commands: Commands) {
    commands.entity(sky.entity).try_remove::<(Mirror, Gradient, CurrentWater, DomeColors)>();
}

/// The requirements of Bevy's `AtmospherePlugin`. A processor that stands in for a GPU could do it, but slowly, and
/// Mesa's crashes over it up to version 22.
fn can_compute_atmosphere(render: &World) -> bool {
    let (Some(adapter), Some(device)) = (render.get_resource::<RenderAdapter>(), render.get_resource::<RenderDevice>())
    else {
        return false;
    };
    !draws_on_processor(adapter.get_info().device_type)
        && adapter.get_downlevel_capabilities().flags.contains(DownlevelFlags::COMPUTE_SHADERS)
        && adapter
            .get_texture_format_features(TextureFormat::Rgba16Float)
            .allowed_usages
            .contains(TextureUsages::STORAGE_BINDING)
        && device.limits().max_storage_textures_per_shader_stage > 0
}
