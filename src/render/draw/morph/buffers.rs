//! Copies the viewers to the GPU: once per frame, into one buffer per terrain.

use super::super::TerrainView;
use super::uniform::MorphUniform;
use crate::stream::{TerrainPlace, TerrainState};
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::render_resource::{Buffer, UniformBuffer};
use bevy::render::renderer::{RenderDevice, RenderQueue};

/// The uniform of every terrain, by the terrain's entity.
#[derive(Resource, Default)]
pub struct MorphUniforms(EntityHashMap<Extracted>);

struct Extracted {
    uniform: MorphUniform,
    is_changed: bool,
}

/// The buffers of all terrains, by the terrain's entity.
#[derive(Resource, Default)]
pub struct MorphBuffers(EntityHashMap<UniformBuffer<MorphUniform>>);

impl MorphBuffers {
    /// The buffer of a terrain. It stays the same as long as the terrain exists.
    pub(super) fn get(&self, terrain: Entity) -> Option<&Buffer> {
        self.0.get(&terrain)?.buffer()
    }
}

impl MorphUniforms {
    fn advance(&mut self, terrain: Entity, mut uniform: MorphUniform) {
        if let Some(before) = self.0.get(&terrain) {
            uniform.set_previous(&before.uniform);
        }
        let is_changed = self.0.get(&terrain).is_none_or(|before| before.uniform != uniform);
        self.0.insert(terrain, Extracted { uniform, is_changed });
    }
}

/// Extracts the viewers of every terrain to the render world.
pub fn extract_morphs(
    mut uniforms: ResMut<MorphUniforms>,
    terrains: Extract<Query<(Entity, &TerrainState, TerrainPlace)>>,
    view: Extract<Res<TerrainView>>,
) {
    uniforms.0.retain(|&terrain, _| terrains.contains(terrain));
    for (terrain, state, place) in &terrains {
        let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
        let viewers: Vec<_> = state.viewers().filter(|_| morphs).collect();
        uniforms.advance(terrain, MorphUniform::new(&viewers, &place.frame(), **view));
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
        let buffer = buffers.0.entry(terrain).or_insert_with(|| {
            let mut buffer = UniformBuffer::default();
            buffer.set_label(Some("terrain_morph"));
            buffer
        });
        if std::mem::take(&mut extracted.is_changed) || buffer.buffer().is_none() {
            buffer.set(extracted.uniform);
            buffer.write_buffer(&device, &queue);
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
            uniforms.advance(terrain, uniform(view));
            uniforms.0[&terrain].is_changed
        };
        assert!(changes(TerrainView::Look), "the first is new");
        assert!(!changes(TerrainView::Look));
        assert!(changes(TerrainView::Levels));
        assert!(!changes(TerrainView::Levels));
    }
}
