//! Copies the viewers, the layout of chunks and the weather to the GPU, once per frame, into one buffer per terrain, and keeps the maps of
//! far ground there.

use super::super::TerrainView;
use super::super::cloud_texture::CloudTexture;
use super::super::clouds::{CloudDrift, CloudUniform, TerrainClouds};
use super::super::far_maps::{FarMapTextures, FarView, Lights, TerrainFarMaps};
use super::super::shown_look::ShownLook;
use super::super::wind::TerrainWind;
use super::uniform::TerrainUniform;
use crate::chunk::{ChunkLayout, Viewer};
use crate::stream::{TerrainFrame, TerrainPosition, TerrainState};
use bevy::camera::visibility::RenderLayers;
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::render_resource::{Buffer, Sampler, TextureView, UniformBuffer};
use bevy::render::renderer::{RenderDevice, RenderQueue};

/// The data of every terrain for the render world, by the terrain's entity.
#[derive(Resource, Default)]
pub struct ExtractedTerrains {
    terrains: EntityHashMap<ExtractedTerrain>,
    /// Seconds since the start.
    seconds: f64,
    wind: Vec2,
    /// `None` without clouds.
    clouds: Option<CloudUniform>,
}

struct ExtractedTerrain {
    viewers: Vec<Viewer>,
    /// The chunks that are drawn. `None` before there are any.
    layout: Option<ChunkLayout>,
    frame: TerrainFrame,
    view: TerrainView,
    /// The strength of waves.
    waves: f64,
    maps: Option<(TerrainFarMaps, FarView)>,
}

/// The side of the maps of far ground in texels. 0 means none.
#[derive(Resource, Clone, Copy)]
pub struct FarMapSize(pub u32);

/// The buffers and the textures of all terrains, by the terrain's entity.
#[derive(Resource, Default)]
pub struct TerrainBuffers(EntityHashMap<TerrainBuffer>);

/// The buffers of a terrain on the GPU. They stay the same as long as the terrain exists, so that a new map or a moved viewer
/// changes no bind group.
struct TerrainBuffer {
    uniform: UniformBuffer<TerrainUniform>,
    maps: FarMapTextures,
}

impl TerrainBuffers {
    /// The uniform; the textures of the maps of far ground, and their sampler.
    pub(super) fn get(&self, terrain: Entity) -> Option<(&Buffer, &[TextureView; 2], &Sampler)> {
        let TerrainBuffer { uniform, maps } = self.0.get(&terrain)?;
        let (views, sampler) = maps.bindings();
        Some((uniform.buffer()?, views, sampler))
    }
}

type TerrainToExtract = (
    Entity,
    &'static TerrainState,
    TerrainPosition,
    Option<&'static ShownLook>,
    Option<&'static TerrainFarMaps>,
    Option<&'static RenderLayers>,
);

/// Extracts the viewers of every terrain, the time and the wind to the render world.
pub fn extract_terrains(
    mut extracted: ResMut<ExtractedTerrains>,
    terrains: Extract<Query<TerrainToExtract>>,
    lights: Extract<Lights>,
    view: Extract<Res<TerrainView>>,
    wind: Extract<Res<TerrainWind>>,
    clouds: Extract<(Res<TerrainClouds>, Res<CloudDrift>)>,
    time: Extract<Option<Res<Time>>>,
) {
    extracted.seconds = time.as_ref().map_or(0.0, |time| time.elapsed_secs_f64());
    extracted.wind = wind.velocity();
    let (clouds, drift) = &*clouds;
    extracted.clouds = clouds.0.as_ref().map(|look| look.uniform(drift, 1.0));
    extracted.terrains.clear();
    for (terrain, state, position, look, maps, layers) in &terrains {
        let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
        let frame = position.frame();
        let maps = maps.and_then(|maps| Some((maps.clone(), FarView::new(state, look?, &lights, &frame, layers)?)));
        let viewers = state.viewers().filter(|_| morphs).collect();
        let layout = state.layout().copied();
        let waves = look.map_or(0.0, |look| look.0.waves);
        extracted.terrains.insert(terrain, ExtractedTerrain { viewers, layout, frame, view: **view, waves, maps });
    }
}

/// Creates the resource at startup. Also drops all buffers after the render device was lost.
pub fn reset_terrain_buffers(mut commands: Commands) {
    commands.insert_resource(TerrainBuffers::default());
}

/// Writes uniforms that have changed into the buffers: in every frame, unless the time stands. Runs before materials are prepared, because
/// their bind groups need the buffers.
pub fn write_terrains(
    extracted: Res<ExtractedTerrains>,
    mut buffers: ResMut<TerrainBuffers>,
    mut cloud_texture: ResMut<CloudTexture>,
    map_size: Res<FarMapSize>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    if extracted.clouds.is_some() {
        cloud_texture.bake();
    }
    buffers.0.retain(|terrain, _| extracted.terrains.contains_key(terrain));
    for (&terrain, ExtractedTerrain { viewers, layout, frame, view, waves, maps }) in &extracted.terrains {
        let buffer = buffers.0.entry(terrain).or_insert_with(|| {
            let mut uniform = UniformBuffer::default();
            uniform.set_label(Some("terrain"));
            TerrainBuffer { uniform, maps: FarMapTextures::new(map_size.0, &device) }
        });
        let mut uniform = TerrainUniform::new(viewers, frame, *view);
        if let Some(layout) = layout {
            (uniform.quads, uniform.spacing) = (layout.quads(), layout.spacing(0) as f32);
        }
        if let Some((component, far)) = maps {
            buffer.maps.update(far, component, &queue);
            let Vec2 { x: spacing, y: sun } = far.spacing_and_sun();
            uniform.set_far_view(spacing, sun);
        }
        uniform.maps = buffer.maps.uniform(frame);
        uniform.set_weather(frame, extracted.seconds, extracted.wind, *waves);
        uniform.clouds = extracted.clouds.unwrap_or_default();
        let before = buffer.uniform.buffer().is_some().then(|| *buffer.uniform.get());
        if let Some(uniform) = uniform.after(before.as_ref()) {
            buffer.uniform.set(uniform);
            buffer.uniform.write_buffer(&device, &queue);
        }
    }
}
