//! Copies components that say how meshes are drawn, such as `RenderLayers`, from a terrain to its chunks, its water and its plants. Bevy
//! hands them down to no child.

use super::plants::{MiddlePlants, PlantMesh};
use super::water::ChunkWater;
use crate::stream::{ChunkBounds, Terrain};
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::ScheduleSystem;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// The systems that keep these components of chunks, sheets of water and plants like those of their terrain.
pub(super) fn follow_terrains() -> ScheduleConfigs<ScheduleSystem> {
    (
        follow::<RenderLayers, true>,
        // Water and middle tiles of plants cast no shadow anyway.
        follow::<NotShadowCaster, false>,
        follow::<NotShadowReceiver, true>,
        follow::<NoFrustumCulling, true>,
    )
        .into_configs()
}

/// What is a child of a terrain: a chunk, or a tile of plants.
type Drawn = Or<(With<ChunkBounds>, With<PlantMesh>)>;

/// The same, if it is new.
type NewDrawn = Or<(Added<ChunkBounds>, Added<PlantMesh>)>;

/// Gives chunks and plants the component that their terrain has, and takes it away when the terrain loses it; sheets of water and middle tiles
/// of plants too, if `ALL`. A component of a single chunk stays as long as that of the terrain does not change.
fn follow<C: Component + Clone, const ALL: bool>(
    mut commands: Commands,
    terrains: Query<(Option<&C>, Option<&Children>), With<Terrain>>,
    (changed, mut removed): (Query<Entity, (With<Terrain>, Changed<C>)>, RemovedComponents<C>),
    chunks: Query<(&ChildOf, Option<&Children>), Drawn>,
    (sheets, middle_plants): (Query<&ChildOf, With<ChunkWater>>, Query<(), With<MiddlePlants>>),
    (new_chunks, new_sheets): (Query<Entity, NewDrawn>, Query<Entity, Added<ChunkWater>>),
) {
    let mut set = |entity: Entity, component: Option<&C>| {
        let mut entity = commands.entity(entity);
        match component {
            Some(component) => entity.try_insert(component.clone()),
            None => entity.try_remove::<C>(),
        };
    };
    for terrain in changed.iter().chain(removed.read()) {
        let Ok((component, children)) = terrains.get(terrain) else { continue };
        for &chunk in children.into_iter().flatten() {
            let Ok((_, children)) = chunks.get(chunk) else { continue };
            if !ALL && middle_plants.contains(chunk) {
                continue;
            }
            set(chunk, component);
            let sheets = children.into_iter().flatten().filter(|&&child| ALL && sheets.contains(child));
            sheets.for_each(|&sheet| set(sheet, component));
        }
    }
    let of_chunk = |chunk: Entity| {
        let (parent, _) = chunks.get(chunk).ok()?;
        terrains.get(parent.parent()).ok()?.0
    };
    for chunk in &new_chunks {
        if let Some(component) = of_chunk(chunk) {
            set(chunk, Some(component));
        }
    }
    for sheet in new_sheets.iter().filter(|_| ALL) {
        if let Some(component) = sheets.get(sheet).ok().and_then(|parent| of_chunk(parent.parent())) {
            set(sheet, Some(component));
        }
    }
}
