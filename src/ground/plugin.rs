//! The plugin behind ground queries.

use super::TileCache;
use crate::stream::{TerrainBudget, TerrainSystems};
use bevy::prelude::*;
use std::sync::Arc;

/// Keeps the heights that [`TerrainGround`](super::TerrainGround) has read, within
/// [`TerrainBudget::query_memory`](crate::stream::TerrainBudget::query_memory).
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainGroundPlugin;

impl Plugin for TerrainGroundPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TerrainTiles>();
        let limit = limit_tiles.in_set(TerrainSystems::First).run_if(resource_exists_and_changed::<TerrainBudget>);
        app.add_systems(PostUpdate, limit);
    }
}

/// The tiles of all terrains that ground queries have read.
///
/// Systems only read this resource, so any number of them can query the ground at the same time.
#[derive(Resource, Clone, Debug, Default)]
pub struct TerrainTiles(pub Arc<TileCache>);

fn limit_tiles(budget: Res<TerrainBudget>, tiles: Res<TerrainTiles>) {
    tiles.0.set_limit(budget.query_bytes());
}
