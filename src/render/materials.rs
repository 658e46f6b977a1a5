//! Creates the materials of terrains, and updates them.

use super::material::{TerrainLook, TerrainMaterial, TerrainMaterials};
use super::morph::TerrainMorph;
use super::quality::TerrainQuality;
use super::surface_textures::SurfaceTextures;
use crate::look::LookSettings;
use crate::stream::{Terrain, TerrainState, TerrainStats, TerrainSystems};
use bevy::prelude::*;

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
    textures: Res<SurfaceTextures>,
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

/// Gives the materials new textures and a new quality.
pub(super) fn update_materials(
    textures: Res<SurfaceTextures>,
    quality: Res<TerrainQuality>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
) {
    let is_old = |(_, material): &(_, &TerrainMaterial)| !material.base.has(&textures.images, *quality);
    let old: Vec<_> = ground.iter().filter(is_old).map(|(id, _)| id).collect();
    for id in old {
        if let Some(mut material) = ground.get_mut(id) {
            material.base.set_textures(textures.images.clone(), *quality);
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
                material.base.set_settings(look);
            }
            if let Some(mut material) = water.get_mut(&materials.water) {
                *material = water_material(look);
            }
            materials.look = look.clone();
        }
    });
}
