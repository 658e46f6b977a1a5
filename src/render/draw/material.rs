//! The material of the ground: layers by height and slope.

use super::TerrainMorph;
use super::textures::{GroundTextures, TextureImages};
use crate::render::{GroundLayer, GroundTexture, LookSettings};
use crate::stream::{Terrain, TerrainState, TerrainStats, TerrainSystems};
use bevy::material::OpaqueRendererMethod;
use bevy::pbr::ExtendedMaterial;
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::ShaderRef;

/// The material of the ground: [`TerrainLook`] (colors) extended by [`TerrainMorph`] (vertices).
pub type TerrainMaterial = ExtendedMaterial<TerrainLook, TerrainMorph>;

/// The material that covers the ground with layers by height and slope, each with a color and a texture.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug)]
pub struct TerrainLook {
    #[uniform(0)]
    #[reflect(ignore)]
    uniform: LookUniform,
    #[texture(1, dimension = "2d_array")]
    #[sampler(3)]
    color: Handle<Image>,
    #[texture(2, dimension = "2d_array")]
    relief: Handle<Image>,
}

/// [`LookSettings`] in the layout of the shader: linear colors, and numbers in groups of four.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct LookUniform {
    /// The linear color of each layer, and the number of its texture.
    layers: [Vec4; GroundLayer::ALL.len()],
    /// Sand height, snow height, blend height in metres; rock slope in radians.
    bands: Vec4,
    /// Variation; 1 with a sea, 0 without; height of the sea in metres; 1 with fallen leaves, 0 without.
    detail: Vec4,
}

impl From<&LookSettings> for LookUniform {
    fn from(look: &LookSettings) -> Self {
        let layer = |layer: GroundLayer| {
            let [red, green, blue] = layer.color(look);
            Color::srgb(red, green, blue).to_linear().to_vec3().extend(layer.texture(look) as u32 as f32)
        };
        let bands = [look.sand_height, look.snow_height, look.blend_height, look.rock_slope].map(|n| n as f32);
        let flag = |on: bool| f32::from(u8::from(on));
        let [variation, water_height] = [look.variation, look.water_height].map(|n| n as f32);
        Self {
            layers: GroundLayer::ALL.map(layer),
            bands: Vec4::from_array(bands),
            detail: Vec4::new(
                variation,
                flag(look.water),
                water_height,
                flag(look.grass_texture == GroundTexture::Grass),
            ),
        }
    }
}

impl TerrainLook {
    fn new(look: &LookSettings, textures: &TextureImages) -> Self {
        Self { uniform: look.into(), color: textures.color.clone(), relief: textures.relief.clone() }
    }

    pub(super) fn set_textures(&mut self, textures: &TextureImages) {
        self.color = textures.color.clone();
        self.relief = textures.relief.clone();
    }
}

impl Material for TerrainLook {
    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_perlin_terrain/render/draw/terrain.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
    }

    /// As the camera draws.
    fn opaque_render_method(&self) -> OpaqueRendererMethod {
        OpaqueRendererMethod::Auto
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
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<StandardMaterial>>,
) {
    for (terrain, state) in &terrains {
        let look = state.settings().map(|settings| settings.look.clone()).unwrap_or_default();
        let material =
            TerrainMaterial { base: TerrainLook::new(&look, &textures.images), extension: TerrainMorph::new(terrain) };
        commands.entity(terrain).try_insert(TerrainMaterials {
            ground: ground.add(material),
            water: water.add(water_material(&look)),
            look,
        });
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
