//! Copies the viewers to the GPU, once per frame, into one buffer per terrain; and the maps of shade when there are new ones.

use super::super::TerrainView;
use super::uniform::MorphUniform;
use crate::render::draw::shade::{ShadeMaps, TerrainShade};
use crate::render::shade::ShadeMap;
use crate::stream::{TerrainPlace, TerrainState};
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::render_resource::{
    AddressMode, Buffer, Extent3d, FilterMode, Sampler, SamplerDescriptor, TexelCopyBufferLayout, Texture,
    TextureDescriptor, TextureDimension, TextureFormat, TextureUsages, TextureView, TextureViewDescriptor,
    UniformBuffer,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use std::sync::Arc;

/// The uniform of every terrain, by the terrain's entity.
#[derive(Resource, Default)]
pub struct MorphUniforms(EntityHashMap<Extracted>);

struct Extracted {
    uniform: MorphUniform,
    is_changed: bool,
    maps: ShadeMaps,
}

/// The buffers and the textures of all terrains, by the terrain's entity.
#[derive(Resource, Default)]
pub struct MorphBuffers(EntityHashMap<MorphBuffer>);

/// What the graphics card has of a terrain. It stays the same as long as the terrain exists, so that a new map or a moved viewer
/// changes no bind group.
struct MorphBuffer {
    uniform: UniformBuffer<MorphUniform>,
    textures: [Texture; 2],
    views: [TextureView; 2],
    sampler: Sampler,
    /// The maps that the textures have.
    maps: ShadeMaps,
}

impl MorphBuffers {
    /// The uniform, the textures of the maps of shade, and their sampler.
    pub(super) fn get(&self, terrain: Entity) -> Option<(&Buffer, &[TextureView; 2], &Sampler)> {
        let buffer = self.0.get(&terrain)?;
        Some((buffer.uniform.buffer()?, &buffer.views, &buffer.sampler))
    }
}

impl MorphBuffer {
    fn new(device: &RenderDevice) -> Self {
        let mut uniform = UniformBuffer::default();
        uniform.set_label(Some("terrain_morph"));
        let textures = [(); 2].map(|()| {
            device.create_texture(&TextureDescriptor {
                label: Some("terrain_shade"),
                size: MAP_SIZE,
                mip_level_count: 1,
                sample_count: 1,
                dimension: TextureDimension::D2,
                format: TextureFormat::Rg8Unorm,
                usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
                view_formats: &[],
            })
        });
        let views = [0, 1].map(|i: usize| textures[i].create_view(&TextureViewDescriptor::default()));
        let sampler = device.create_sampler(&SamplerDescriptor {
            label: Some("terrain_shade"),
            address_mode_u: AddressMode::ClampToEdge,
            address_mode_v: AddressMode::ClampToEdge,
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            ..default()
        });
        Self { uniform, textures, views, sampler, maps: ShadeMaps::default() }
    }

    /// Writes the maps that are new.
    fn write_maps(&mut self, maps: &ShadeMaps, queue: &RenderQueue) {
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(2 * MAP_SIZE.width), rows_per_image: None };
        for ((map, written), texture) in maps.iter().zip(&mut self.maps).zip(&self.textures) {
            if let Some(map) = map
                && !written.as_ref().is_some_and(|written| Arc::ptr_eq(written, map))
            {
                queue.write_texture(texture.as_image_copy(), &map.texels, layout, MAP_SIZE);
                *written = Some(map.clone());
            }
        }
    }
}

const MAP_SIZE: Extent3d =
    Extent3d { width: ShadeMap::SIZE as u32, height: ShadeMap::SIZE as u32, depth_or_array_layers: 1 };

impl MorphUniforms {
    fn advance(&mut self, terrain: Entity, mut uniform: MorphUniform, maps: ShadeMaps) {
        for (number, map) in maps.iter().enumerate() {
            if let Some(map) = map {
                uniform.set_shade(number, map);
            }
        }
        if let Some(before) = self.0.get(&terrain) {
            uniform.set_previous(&before.uniform);
        }
        let is_changed = self.0.get(&terrain).is_none_or(|before| before.uniform != uniform);
        self.0.insert(terrain, Extracted { uniform, is_changed, maps });
    }
}

/// Extracts the viewers of every terrain to the render world.
pub fn extract_morphs(
    mut uniforms: ResMut<MorphUniforms>,
    terrains: Extract<Query<(Entity, &TerrainState, TerrainPlace, Option<&TerrainShade>)>>,
    view: Extract<Res<TerrainView>>,
) {
    uniforms.0.retain(|&terrain, _| terrains.contains(terrain));
    for (terrain, state, place, shade) in &terrains {
        let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
        let viewers: Vec<_> = state.viewers().filter(|_| morphs).collect();
        let maps = shade.map(|shade| shade.maps.clone()).unwrap_or_default();
        uniforms.advance(terrain, MorphUniform::new(&viewers, &place.frame(), **view), maps);
    }
}

/// Creates the resource at startup. Also drops all buffers after the render device was lost.
pub fn reset_morph_buffers(mut commands: Commands) {
    commands.insert_resource(MorphBuffers::default());
}

/// Writes changed uniforms into the buffers. Runs before materials are prepared, because their bind groups need the buffers.
pub fn write_morphs(
    mut uniforms: ResMut<MorphUniforms>,
    mut buffers: ResMut<MorphBuffers>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    buffers.0.retain(|terrain, _| uniforms.0.contains_key(terrain));
    for (&terrain, extracted) in &mut uniforms.0 {
        let buffer = buffers.0.entry(terrain).or_insert_with(|| MorphBuffer::new(&device));
        buffer.write_maps(&extracted.maps, &queue);
        if std::mem::take(&mut extracted.is_changed) || buffer.uniform.buffer().is_none() {
            buffer.uniform.set(extracted.uniform);
            buffer.uniform.write_buffer(&device, &queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{TerrainFrame, TerrainOrigin};

    #[test]
    fn an_unchanged_uniform_is_not_written_again() {
        let terrain = Entity::from_raw_u32(7).expect("an entity");
        let mut uniforms = MorphUniforms::default();
        let frame = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::default());
        let uniform = |view| MorphUniform::new(&[], &frame, view);
        let mut changes = |view| {
            uniforms.advance(terrain, uniform(view), ShadeMaps::default());
            uniforms.0[&terrain].is_changed
        };
        assert!(changes(TerrainView::Look), "the first is new");
        assert!(!changes(TerrainView::Look));
        assert!(changes(TerrainView::Levels));
        assert!(!changes(TerrainView::Levels));
    }
}
