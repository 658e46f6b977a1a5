//! The material of the ground: layers by height, slope and more.

#[cfg(test)]
mod layers_on_card;

use super::TerrainMorph;
use super::quality::TerrainQuality;
use super::shaders;
use super::textures::{GroundTextures, TextureImages};
use crate::look::layers::PlacedLayer;
use crate::look::{GroundLayer, GroundLayers, LookSettings};
use crate::stream::{Terrain, TerrainState, TerrainStats, TerrainSystems};
use bevy::material::OpaqueRendererMethod;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialPipeline, MaterialPipelineKey, MeshPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Face, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
};
use bevy::shader::{ShaderDefVal, ShaderRef};

/// The material of the ground: [`TerrainLook`] (colors) extended by [`TerrainMorph`] (vertices).
pub type TerrainMaterial = ExtendedMaterial<TerrainLook, TerrainMorph>;

/// The material that covers the ground with layers, each with a color and a texture.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug)]
#[bind_group_data(TerrainQuality)]
pub struct TerrainLook {
    #[uniform(0)]
    #[reflect(ignore)]
    uniform: LookUniform,
    #[texture(1, dimension = "2d_array")]
    #[sampler(3)]
    color: Handle<Image>,
    #[texture(2, dimension = "2d_array")]
    relief: Handle<Image>,
    quality: TerrainQuality,
}

impl From<&TerrainLook> for TerrainQuality {
    fn from(look: &TerrainLook) -> Self {
        look.quality
    }
}

/// [`LookSettings`] in the layout of the shader: linear colors, and numbers in groups of four.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct LookUniform {
    layers: [LayerUniform; LookSettings::MAX_LAYERS],
    /// Variation; 1 with a sea, 0 without; height of the sea in metres; the number of layers.
    detail: Vec4,
}

/// A layer of the ground, as `Layer` in `layers.wesl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct LayerUniform {
    /// The linear color, and the number of the texture.
    color: Vec4,
    scale: Vec4,
    low: Vec4,
    high: Vec4,
    ends: Vec4,
    toward: Vec4,
    patches: Vec4,
    ragged: Vec4,
}

impl From<(&GroundLayer, &PlacedLayer)> for LayerUniform {
    fn from((layer, placed): (&GroundLayer, &PlacedLayer)) -> Self {
        let [red, green, blue] = layer.color;
        Self {
            color: Color::srgb(red, green, blue).to_linear().to_vec3().extend(layer.texture as u32 as f32),
            scale: placed.scale.into(),
            low: placed.from.into(),
            high: placed.to.into(),
            ends: placed.ends.into(),
            toward: placed.toward.into(),
            patches: placed.patches.into(),
            ragged: placed.ragged.into(),
        }
    }
}

impl From<&LookSettings> for LookUniform {
    fn from(look: &LookSettings) -> Self {
        let ground = GroundLayers::new(look);
        let mut layers = [LayerUniform::default(); LookSettings::MAX_LAYERS];
        for (slot, layer) in layers.iter_mut().zip(ground.layers().iter().zip(ground.placed())) {
            *slot = layer.into();
        }
        let [variation, water_height] = [look.variation, look.water_height].map(|n| n as f32);
        let water = f32::from(u8::from(look.water));
        Self { layers, detail: Vec4::new(variation, water, water_height, ground.layers().len() as f32) }
    }
}

impl TerrainLook {
    fn new(look: &LookSettings, textures: &TextureImages, quality: TerrainQuality) -> Self {
        Self { uniform: look.into(), color: textures.color.clone(), relief: textures.relief.clone(), quality }
    }

    /// Whether it has these textures and this quality.
    fn has(&self, textures: &TextureImages, quality: TerrainQuality) -> bool {
        (&self.color, &self.relief, self.quality) == (&textures.color, &textures.relief, quality)
    }
}

impl Material for TerrainLook {
    fn fragment_shader() -> ShaderRef {
        shaders::TERRAIN.into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    /// As the camera draws.
    fn opaque_render_method(&self) -> OpaqueRendererMethod {
        OpaqueRendererMethod::Auto
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        if let Some(fragment) = &mut descriptor.fragment {
            let definitions = key.bind_group_data.shader_definitions();
            fragment.shader_defs.extend(definitions.iter().map(|&name| ShaderDefVal::from(name)));
        }
        // In all passes, as Bevy's own materials: where one left the depth of the lower side, the main pass would draw a hole.
        let is_mirrored = key.mesh_key.contains(MeshPipelineKey::INVERT_CULLING);
        descriptor.primitive.cull_mode = Some(if is_mirrored { Face::Front } else { Face::Back });
        Ok(())
    }
}

/// The materials of a terrain's chunks. The plugin adds this component to every [`Terrain`].
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(Component)]
#[non_exhaustive]
pub struct TerrainMaterials {
    /// The material of the ground.
    pub ground: Handle<TerrainMaterial>,
    /// The material of the sea.
    pub water: Handle<StandardMaterial>,
    /// The settings that both were made from.
    pub(super) look: LookSettings,
}

fn water_material(look: &LookSettings) -> StandardMaterial {
    let [r, g, b] = look.water_color;
    StandardMaterial {
        base_color: Color::srgba(r, g, b, 0.72),
        perceptual_roughness: 0.12,
        reflectance: 0.4,
        alpha_mode: AlphaMode::Blend,
        ..default()
    }
}

/// Creates the materials of terrains that have none.
pub(super) fn create_materials(
    mut commands: Commands,
    terrains: Query<(Entity, &TerrainState), (With<Terrain>, Without<TerrainMaterials>)>,
    textures: Res<GroundTextures>,
    quality: Res<TerrainQuality>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<StandardMaterial>>,
) {
    for (terrain, state) in &terrains {
        let look = state.settings().map(|settings| settings.look.clone()).unwrap_or_default();
        let base = TerrainLook::new(&look, &textures.images, *quality);
        let material = TerrainMaterial { base, extension: TerrainMorph::new(terrain) };
        commands.entity(terrain).try_insert(TerrainMaterials {
            ground: ground.add(material),
            water: water.add(water_material(&look)),
            look,
        });
    }
}

/// Brings new textures and a new quality into force.
pub(super) fn update_materials(
    textures: Res<GroundTextures>,
    quality: Res<TerrainQuality>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
) {
    let is_old = |(_, material): &(_, &TerrainMaterial)| !material.base.has(&textures.images, *quality);
    let old: Vec<_> = ground.iter().filter(is_old).map(|(id, _)| id).collect();
    for id in old {
        if let Some(mut material) = ground.get_mut(id) {
            let TextureImages { color, relief } = textures.images.clone();
            let look = &mut material.base;
            (look.color, look.relief, look.quality) = (color, relief, *quality);
        }
    }
}

/// Updates the materials from the settings in use.
pub(super) fn update_look(
    mut terrains: Query<(&TerrainState, &mut TerrainMaterials)>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<StandardMaterial>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (state, mut materials) in &mut terrains {
            // A reload may change heights and colors. Change the colors together with the ground.
            if state.is_reloading() {
                continue;
            }
            let Some(look) = state.settings().map(|settings| &settings.look).filter(|look| **look != materials.look)
            else {
                continue;
            };
            if let Some(mut material) = ground.get_mut(&materials.ground) {
                material.base.uniform = look.into();
            }
            if let Some(mut material) = water.get_mut(&materials.water) {
                *material = water_material(look);
            }
            materials.look = look.clone();
        }
    });
}
