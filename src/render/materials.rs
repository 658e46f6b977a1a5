//! Creates the materials of terrains, and updates them.

use super::lighting::TerrainLighting;
use super::material::{TerrainLook, TerrainMaterial, TerrainMaterials};
use super::morph::TerrainMorph;
use super::quality::TerrainQuality;
use super::shown_look::ShownLook;
use super::surface_textures::SurfaceTextures;
use super::water_look::{TerrainWater, WaterLook};
use crate::stream::{Terrain, TerrainState, TerrainStats, TerrainSystems};
use bevy::prelude::*;

/// Creates the materials of terrains that have none.
pub(super) fn create_materials(
    mut commands: Commands,
    terrains: Query<(Entity, &TerrainState), (With<Terrain>, Without<TerrainMaterials>)>,
    textures: Res<SurfaceTextures>,
    quality: Res<TerrainQuality>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<TerrainWater>>,
) {
    for (terrain, state) in &terrains {
        let look = state.settings().map(|settings| settings.look.clone()).unwrap_or_default();
        let base = TerrainLook::new(&look, &textures.images, *quality);
        let surface = WaterLook::new(&look, *quality);
        let materials = TerrainMaterials {
            ground: ground.add(TerrainMaterial { base, extension: TerrainMorph::new(terrain) }),
            water: water.add(TerrainWater { base: surface, extension: TerrainLighting::new(terrain) }),
        };
        commands.entity(terrain).try_insert((materials, ShownLook(look)));
    }
}

/// Gives the materials new textures and a new quality.
pub(super) fn update_materials(
    textures: Res<SurfaceTextures>,
    quality: Res<TerrainQuality>,
    terrains: Query<(&TerrainMaterials, &ShownLook)>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<TerrainWater>>,
) {
    let is_old = |(_, material): &(_, &TerrainMaterial)| !material.base.has(&textures.images, *quality);
    let old: Vec<_> = ground.iter().filter(is_old).map(|(id, _)| id).collect();
    for id in old {
        if let Some(mut material) = ground.get_mut(id) {
            material.base.set_textures(textures.images.clone(), *quality);
        }
    }
    for (materials, look) in &terrains {
        let is_old = water.get(&materials.water).is_some_and(|material| material.base.quality() != *quality);
        if let Some(mut material) = water.get_mut(&materials.water).filter(|_| is_old) {
            material.base = WaterLook::new(&look.0, *quality);
        }
    }
}

/// Updates the materials from the settings in use.
pub(super) fn update_look(
    mut terrains: Query<(&TerrainState, &TerrainMaterials, &mut ShownLook)>,
    mut ground: ResMut<Assets<TerrainMaterial>>,
    mut water: ResMut<Assets<TerrainWater>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (state, materials, mut shown) in &mut terrains {
            // A reload may change heights and colors. Change the colors together with the ground.
            if state.is_reloading() {
                continue;
            }
            let Some(look) = state.settings().map(|settings| &settings.look).filter(|look| **look != shown.0) else {
                continue;
            };
            if let Some(mut material) = ground.get_mut(&materials.ground) {
                material.base.set_settings(look);
            }
            if let Some(mut material) = water.get_mut(&materials.water) {
                material.base = WaterLook::new(look, material.base.quality());
            }
            shown.0 = look.clone();
        }
    });
}
