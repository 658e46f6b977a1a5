//! The systems that draw the plants around viewers.

use super::look::{PlantLook, PlantMaterial, PlantUniform};
use super::rings::{MAX_VIEWERS, PlantViewer, Ring, Rings, TileCoord};
use super::textures::PlantTextures;
use super::tile_mesh::TileMesh;
use super::tile_source::BuiltTile;
use super::tiles::{DrawnPlants, parents};
use crate::plants::{EDITED_AROUND, Plants, RemovedPlants, heights};
use crate::render::lighting::TerrainLighting;
use crate::render::quality::TerrainQuality;
use crate::stream::{
    GroundEdited, StreamThreads, StreamWork, Terrain, TerrainPlace, TerrainPosition, TerrainPositionItem, TerrainState,
    TerrainStats, TerrainSystems,
};
use bevy::camera::visibility::NoAutoAabb;
use bevy::ecs::name::NameOrEntityItem;
use bevy::ecs::system::SystemParam;
use bevy::light::NotShadowCaster;
use bevy::math::DVec3;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

/// Marks the mesh of a tile of plants. It is a child of its terrain.
#[derive(Component)]
pub(in crate::render) struct PlantMesh;

/// Marks the mesh of a middle tile. It casts no shadow: pictures do, which have few triangles.
#[derive(Component)]
#[require(NotShadowCaster)]
pub(in crate::render) struct MiddlePlants;

/// The materials of the plants of a terrain.
#[derive(Component)]
pub(super) struct PlantMaterials {
    cards: Handle<PlantMaterial>,
    pictures: Handle<PlantMaterial>,
    uniform: PlantUniform,
}

/// What plants are drawn with.
#[derive(SystemParam)]
pub(super) struct PlantAssets<'w> {
    textures: ResMut<'w, PlantTextures>,
    images: ResMut<'w, Assets<Image>>,
    materials: ResMut<'w, Assets<PlantMaterial>>,
    meshes: ResMut<'w, Assets<Mesh>>,
}

/// Draws the plants that viewers see.
pub(super) fn draw_plants(
    mut commands: Commands,
    mut terrains: Query<
        (
            NameOrEntity,
            &TerrainState,
            TerrainPosition,
            &mut DrawnPlants,
            Ref<RemovedPlants>,
            Option<&mut PlantMaterials>,
        ),
        With<Terrain>,
    >,
    mut assets: PlantAssets,
    (mut work, threads, quality): (ResMut<StreamWork>, Res<StreamThreads>, Res<TerrainQuality>),
    mut stats: ResMut<TerrainStats>,
    mut viewers: Local<Vec<PlantViewer>>,
) {
    for (name, state, position, mut tiles, removed, materials) in &mut terrains {
        let tiles = tiles.bypass_change_detection();
        let Some(plants) = state.plants() else { continue };
        let requested = state.requested_viewers().take(MAX_VIEWERS);
        viewers.clear();
        let heights = heights(plants);
        viewers.extend(requested.map(|point| PlantViewer::new(&point, heights)));
        let rings = Rings::new(*quality, viewers.iter().map(|viewer| viewer.view_distance).fold(0.0, f64::max));
        let Some(mut materials) = materials else {
            tiles.set_complete(plants.layers().len() == 0);
            create_materials(&mut commands, &mut assets, name.entity, plants, rings);
            continue;
        };
        if !tiles.is_current(plants, &removed, &viewers, rings) {
            stats.time(TerrainSystems::Render, |_| {
                for entity in tiles.update(plants, &removed, &viewers, rings) {
                    commands.entity(entity).try_despawn();
                }
                materials.update(&mut assets.materials, PlantUniform::new(rings, plants));
                draw_tiles(&mut commands, (&name, &position), tiles, (&mut assets.meshes, &materials), &mut work);
                tiles.look_for_missing(threads.0);
                tiles.set_complete(true);
            });
        }
    }
}

/// Despawns tiles that are not needed any longer, spawns those that were found, and says which squares of coarser ones they draw.
fn draw_tiles(
    commands: &mut Commands,
    (name, position): (&NameOrEntityItem, &TerrainPositionItem<'_, '_>),
    tiles: &mut DrawnPlants,
    (meshes, materials): (&mut Assets<Mesh>, &PlantMaterials),
    work: &mut StreamWork,
) {
    let unneeded = tiles.take_unneeded();
    let mut changed: Vec<TileCoord> = unneeded.iter().map(|(coord, _)| *coord).collect();
    unneeded.into_iter().filter_map(|(_, entity)| entity).for_each(|entity| commands.entity(entity).try_despawn());
    let urgent = tiles.build_urgent();
    let found = tiles.take_found(&mut work.upload_bytes);
    for (coord, BuiltTile { mesh: TileMesh { mesh, left_out, .. }, version }) in urgent.into_iter().chain(found) {
        let entity = mesh.map(|(mesh, bounds, frame)| {
            let parts = (Mesh3d(meshes.add(mesh)), MeshMaterial3d(materials.of(coord.ring).clone()), bounds);
            let [x, z] = coord.center();
            let place = TerrainPlace::scaled(DVec3::new(x, frame.height.into(), z), frame.reach);
            let mut tile = commands.spawn((PlantMesh, parts, NoAutoAabb, ChildOf(name.entity)));
            place.on(position).put(&mut tile);
            if coord.ring == Ring::Middle {
                tile.insert(MiddlePlants);
            }
            tile.id()
        });
        if let Some(old) = tiles.insert(coord, entity, version) {
            commands.entity(old).try_despawn();
        }
        tiles.warn_if_too_large(name, left_out);
        changed.push(coord);
    }
    for coord in parents(changed) {
        if let Some(entity) = tiles.tiles.get(&coord).and_then(|tile| tile.entity) {
            commands.entity(entity).try_insert(MeshTag::new(tiles.tag(coord)));
        }
    }
}

fn create_materials(commands: &mut Commands, assets: &mut PlantAssets, terrain: Entity, plants: &Plants, rings: Rings) {
    if plants.layers().len() == 0 {
        return;
    }
    let Some(images) = assets.textures.get(&mut assets.images).cloned() else { return };
    let uniform = PlantUniform::new(rings, plants);
    let [cards, pictures] = images.map(|[color, normal]| {
        let base = PlantLook { uniform, color, normal };
        assets.materials.add(PlantMaterial { base, extension: TerrainLighting::new(terrain) })
    });
    commands.entity(terrain).try_insert(PlantMaterials { cards, pictures, uniform });
}

impl PlantMaterials {
    const fn of(&self, ring: Ring) -> &Handle<PlantMaterial> {
        match ring {
            Ring::Near | Ring::Middle => &self.cards,
            Ring::Far => &self.pictures,
        }
    }

    fn update(&mut self, materials: &mut Assets<PlantMaterial>, uniform: PlantUniform) {
        if self.uniform != uniform {
            self.uniform = uniform;
            for handle in [&self.cards, &self.pictures] {
                if let Some(mut material) = materials.get_mut(handle) {
                    material.base.uniform = uniform;
                }
            }
        }
    }
}

/// Draws the plants on edited ground again.
pub(super) fn follow_edits(edited: On<GroundEdited>, mut terrains: Query<&mut DrawnPlants>) {
    if let Ok(mut tiles) = terrains.get_mut(edited.terrain) {
        let [min, max] = [edited.bounds.min, edited.bounds.max].map(|corner| [corner.x, corner.z]);
        tiles.edit(min, max, EDITED_AROUND);
    }
}

/// Despawns the plants of an entity that is no terrain any longer.
pub(super) fn forget_removed_terrain(
    removed: On<Remove<Terrain>>,
    mut terrains: Query<&mut DrawnPlants>,
    mut commands: Commands,
) {
    if let Ok(mut tiles) = terrains.get_mut(removed.entity) {
        for tile in std::mem::take(&mut *tiles).tiles.into_values() {
            if let Some(entity) = tile.entity {
                commands.entity(entity).try_despawn();
            }
        }
        commands.entity(removed.entity).try_remove::<PlantMaterials>();
    }
}
