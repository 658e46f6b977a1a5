//! Plants and stones in a game: the system parameter [`TerrainPlants`] says where they stand, and removes them. Those near viewers are
//! entities, [`TerrainPlant`], if their layer [wants that](PlantLayer::entities). So are those near bodies with
//! [`KeepGround`](crate::stream::KeepGround), if [bodies bump into them](PlantLayer::collider).
//!
//! The rest of this module is [`perlin_terrain::plants`], the same without Bevy.
//!
//! # Entities
//!
//! The ground is divided into tiles of 32 m by 32 m. A tile near a viewer or a body is an entity, a child of the [`Terrain`](crate::stream::Terrain),
//! and its plants are children of it. In each frame, in [`TerrainSystems::Last`](crate::stream::TerrainSystems):
//!
//! 1. Find the tiles that viewers and bodies need (`needs`), and take those that tasks have finished.
//! 2. Find at once the plants around bodies, to the radius of their `KeepGround` and at most 32 m, and those on ground that was edited
//!    within 48 m of a viewer or a body: up to 64 tiles in a frame, the nearest first. So a body has the trunks around it in the frame in
//!    which it has its ground, and no trunk near it floats after an edit.
//! 3. Spawn plants, the nearest first, and despawn those that are not needed (`keep`).
//! 4. Start tasks for the nearest missing tiles: also for those on the ways of bodies.
//!
//! A plant that stays keeps its entity: when the settings change, when the ground below it is edited, and when others are removed. A reload
//! of the ground despawns all plants in the frame in which the new ground is shown.

mod components;
mod keep;
mod needs;
mod plugin;
mod terrain_plants;
mod tile;
mod tiles;

pub use components::TerrainPlant;
#[doc(no_inline)]
pub use perlin_terrain::plants::{
    Clearing, Plant, PlantAreaError, PlantCollider, PlantCost, PlantId, PlantKind, PlantLayer, PlantSize, Plants,
    RemovedPlants,
};
pub use plugin::TerrainPlantsPlugin;
pub use terrain_plants::{PlantsError, StandingPlant, TerrainPlants};

/// The heights between which plants stand, from the lowest ground to the tops of the highest ones, in metres.
pub(crate) fn heights(plants: &Plants) -> (f32, f32) {
    let (lowest, highest) = plants.ground().field().bounds();
    (lowest, highest + plants.layers().map(|layer| layer.size.largest() as f32).fold(0.0, f32::max))
}

/// How far from an edit the ground of a plant may change: its normal, and its curvature, in metres.
pub(crate) const EDITED_AROUND: f64 = 72.0;
