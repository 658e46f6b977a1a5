//! The material of the ground: colors by height and slope.

use super::TerrainMorph;
use crate::render::LookSettings;
use crate::stream::{Terrain, TerrainState, TerrainStats, TerrainSystems};
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::ShaderRef;

/// The material of the ground: Bevy's standard material, extended by [`TerrainMorph`] (vertices) and [`TerrainLook`] (colors).
pub type TerrainMaterial = ExtendedMaterial<ExtendedMaterial<StandardMaterial, TerrainMorph>, TerrainLook>;

/// The material extension that colors the ground by height and slope.
#[derive(Asset, AsBindGroup, Reflect, Clone, Debug)]
pub struct TerrainLook {
    #[uniform(100)]
    #[reflect(ignore)]
    uniform: LookUniform,
}

/// [`LookSettings`] in the layout of the shader: linear colors, and numbers in groups of four.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct LookUniform {
    sand: Vec4,
    grass: Vec4,
    meadow: Vec4,
    rock: Vec4,
    snow: Vec4,
    /// Sand height, snow height, blend height in metres; rock slope in radians.
    bands: Vec4,
    /// Variation; 1 with a sea, 0 without; height of the sea in metres; unused.
    detail: Vec4,
}

impl From<&LookSettings> for TerrainLook {
    fn from(look: &LookSettings) -> Self {
        let color = |[r, g, b]: [f32; 3]| Color::srgb(r, g, b).to_linear().to_vec4();
        let bands = [look.sand_height, look.snow_height, look.blend_height, look.rock_slope].map(|n| n as f32);
        Self {
            uniform: LookUniform {
                sand: color(look.sand),
                grass: color(look.grass),
                meadow: color(look.meadow),
                rock: color(look.rock),
                snow: color(look.snow),
                bands: Vec4::from_array(bands),
                detail: Vec4::new(
                    look.variation as f32,
                    f32::from(u8::from(look.water)),
                    look.water_height as f32,
                    0.0,
                ),
            },
        }
    }
}

impl MaterialExtension for TerrainLook {
    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_perlin_terrain/render/draw/terrain.wgsl".into()
    }

    fn deferred_fragment_shader() -> ShaderRef {
        Self::fragment_shader()
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

fn ground_material(terrain: Entity, look: &LookSettings) -> TerrainMaterial {
    ExtendedMaterial {
        base: ExtendedMaterial {
            base: StandardMaterial { perceptual_roughness: 0.95, reflectance: 0.25, ..default() },
            extension: TerrainMorph::new(terrain),
        },
        extension: TerrainLook::from(look),
    }
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
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<StandardMaterial>>,
) {
    for (terrain, state) in &terrains {
        let look = state.settings().map(|settings| settings.look.clone()).unwrap_or_default();
        commands.entity(terrain).try_insert(TerrainMaterials {
            ground: ground.add(ground_material(terrain, &look)),
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
                material.extension = TerrainLook::from(look);
            }
            if let Some(mut material) = water.get_mut(&materials.water) {
                *material = water_material(look);
            }
            materials.look = look.clone();
        }
    });
}
