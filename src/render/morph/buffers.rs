//! Copies the viewers and the layout of chunks to the GPU, once per frame, into one buffer per terrain, and keeps the maps of far
//! ground there.

use super::super::TerrainView;
use super::super::far_maps::{FarMapTextures, FarView, Lights, TerrainFarMaps};
use super::uniform::MorphUniform;
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
pub struct ExtractedMorphs(EntityHashMap<ExtractedMorph>);

struct ExtractedMorph {
    viewers: Vec<Viewer>,
    /// The chunks that are drawn. `None` before there are any.
    layout: Option<ChunkLayout>,
    frame: TerrainFrame,
    view: TerrainView,
    maps: Option<(TerrainFarMaps, FarView)>,
}

/// The side of the maps of far ground in texels. 0 means none.
#[derive(Resource, Clone, Copy)]
pub struct FarMapSize(pub u32);

/// The buffers and the textures of all terrains, by the terrain's entity.
#[derive(Resource, Default)]
pub struct MorphBuffers(EntityHashMap<MorphBuffer>);

/// The buffers of a terrain on the GPU. They stay the same as long as the terrain exists, so that a new map or a moved viewer
/// changes no bind group.
struct MorphBuffer {
    uniform: UniformBuffer<MorphUniform>,
    maps: FarMapTextures,
}

impl MorphBuffers {
    /// The uniform; the textures of the maps of far ground, and their sampler.
    pub(super) fn get(&self, terrain: Entity) -> Option<(&Buffer, &[TextureView; 2], &Sampler)> {
        let MorphBuffer { uniform, maps } = self.0.get(&terrain)?;
        let (views, sampler) = maps.bindings();
        Some((uniform.buffer()?, views, sampler))
    }
}

/// Extracts the viewers of every terrain to the render world.
pub fn extract_morphs(
    mut extracted: ResMut<ExtractedMorphs>,
    terrains: Extract<Query<(Entity, &TerrainState, TerrainPosition, Option<&TerrainFarMaps>, Option<&RenderLayers>)>>,
    lights: Extract<Lights>,
    view: Extract<Res<TerrainView>>,
) {
    extracted.0.clear();
    for (terrain, state, position, maps, layers) in &terrains {
        let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
        let frame = position.frame();
        let maps = maps.and_then(|maps| Some((maps.clone(), FarView::new(state, &lights, &frame, layers)?)));
        let viewers = state.viewers().filter(|_| morphs).collect();
        let layout = state.layout().copied();
        extracted.0.insert(terrain, ExtractedMorph { viewers, layout, frame, view: **view, maps });
    }
}

/// Creates the resource at startup. Also drops all buffers after the render device was lost.
pub fn reset_morph_buffers(mut commands: Commands) {
    commands.insert_resource(MorphBuffers::default());
}

/// Writes changed uniforms into the buffers. Runs before materials are prepared, because their bind groups need the buffers.
pub fn write_morphs(
    extracted: Res<ExtractedMorphs>,
    mut buffers: ResMut<MorphBuffers>,
    map_size: Res<FarMapSize>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    buffers.0.retain(|terrain, _| extracted.0.contains_key(terrain));
    for (&terrain, ExtractedMorph { viewers, layout, frame, view, maps }) in &extracted.0 {
        let buffer = buffers.0.entry(terrain).or_insert_with(|| {
            let mut uniform = UniformBuffer::default();
            uniform.set_label(Some("terrain_morph"));
            MorphBuffer { uniform, maps: FarMapTextures::new(map_size.0, &device) }
        });
        let mut uniform = MorphUniform::new(viewers, frame, *view);
        if let Some(layout) = layout {
            (uniform.quads, uniform.spacing) = (layout.quads(), layout.spacing(0) as f32);
        }
        if let Some((component, far)) = maps {
            buffer.maps.update(far, component, &queue);
            uniform.far = far.spacing_and_sun().extend(0.0).extend(0.0);
        }
        uniform.maps = buffer.maps.uniform(frame);
        let before = buffer.uniform.buffer().is_some().then(|| *buffer.uniform.get());
        if let Some(uniform) = uniform.after(before.as_ref()) {
            buffer.uniform.set(uniform);
            buffer.uniform.write_buffer(&device, &queue);
        }
    }
}
