//! The plugin that streams chunks, and the order of its systems.

use super::apply::{Discarded, apply_plans, free_discarded};
use super::budget::{TerrainBudget, TerrainClock, check_budget};
use super::build::{StreamThreads, SurfaceFinish, start_tasks, warm_up};
use super::collider_tiles::{
    ColliderTile, KeepGround, WaitsForGround, apply_tiles, forget_tile, select_tiles, start_tile_tasks,
};
use super::components::{ChunkDrawn, ChunkStitchMask, TerrainChunk, TerrainViewer, ViewerLens};
use super::plan::plan_terrains;
use super::position::{ChunkBounds, TerrainOrigin, check_transforms, follow_origins};
use super::reload::{find_warnings, react_to_settings};
use super::report::{
    ChunkHidden, ChunkLevelChanged, ChunkShown, DespawnedChunks, GroundEdited, GroundHidden, GroundShown, TerrainReady,
    TerrainStats, clear_removed_terrain, record_despawned, reset_frame, send_chunk_hidden, send_ready,
};
use super::schedule::{StreamWork, TerrainSystems, is_work_left};
use super::terrain::Terrain;
use super::viewers::{MainViewer, choose_main_viewer};
use crate::asset::TerrainSettingsLoader;
use crate::settings::TerrainSettings;
use bevy::asset::AssetEventSystems;
use bevy::prelude::*;

/// Loads settings and streams chunks around viewers. Does not draw them.
///
/// # Panics
///
/// Panics if the app does not have Bevy's `AssetPlugin` yet.
#[derive(Clone, Debug)]
pub struct TerrainStreamPlugin {
    /// Whether to build chunks in background tasks. If `false`, the main thread builds them in slices: at least one slice per frame,
    /// and more within [`TerrainBudget::time_budget`].
    ///
    /// Default: true. Has no effect if tasks [have no threads](Self::HAS_THREADS), because they would block the main thread.
    pub threads: bool,
    /// The initial value of the [`TerrainBudget`] resource.
    pub budget: TerrainBudget,
}

impl TerrainStreamPlugin {
    /// Whether Bevy runs tasks on threads of their own. `false` in a browser, and without Bevy's default feature `multi_threaded`.
    pub const HAS_THREADS: bool = bevy::tasks::cfg::multi_threaded! { if { true } else { false } };
}

impl Default for TerrainStreamPlugin {
    fn default() -> Self {
        Self { threads: true, budget: TerrainBudget::default() }
    }
}

impl Plugin for TerrainStreamPlugin {
    fn build(&self, app: &mut App) {
        use TerrainSystems::{Apply, First, Generate, Last, React, Render, Select};
        assert!(
            app.world().contains_resource::<AssetServer>(),
            "add terrain plugins after Bevy's `DefaultPlugins`, or after `AssetPlugin` in an app without them"
        );
        warm_up();
        app.world_mut().register_component_hooks::<ChunkDrawn>().on_remove(send_chunk_hidden);
        app.init_asset::<TerrainSettings>()
            .init_asset_loader::<TerrainSettingsLoader>()
            .register_asset_reflect::<TerrainSettings>()
            .register_type::<Terrain>()
            .register_type::<TerrainOrigin>()
            .register_type::<TerrainViewer>()
            .register_type::<ViewerLens>()
            .register_type::<ChunkBounds>()
            .register_type::<ChunkStitchMask>()
            .register_type::<TerrainChunk>()
            .register_type::<ChunkDrawn>()
            .register_type::<KeepGround>()
            .register_type::<WaitsForGround>()
            .register_type::<TerrainBudget>()
            .insert_resource(self.budget.clone())
            .init_resource::<TerrainClock>()
            .init_resource::<TerrainStats>()
            .init_resource::<StreamWork>()
            .init_resource::<MainViewer>()
            .init_resource::<SurfaceFinish>()
            .init_resource::<Discarded>()
            .init_resource::<DespawnedChunks>()
            .insert_resource(StreamThreads(self.threads && Self::HAS_THREADS))
            .add_message::<ChunkShown>()
            .add_message::<ChunkHidden>()
            .add_message::<GroundShown>()
            .add_message::<GroundHidden>()
            .add_message::<ChunkLevelChanged>()
            .add_message::<GroundEdited>()
            .add_message::<TerrainReady>()
            .add_observer(record_despawned)
            .add_observer(clear_removed_terrain)
            .add_observer(forget_tile)
            .configure_sets(
                PostUpdate,
                (First, React, Select, Apply, Render, Generate, Last)
                    .chain()
                    // So that Bevy uploads a new mesh in the frame in which its chunk is shown.
                    .before(AssetEventSystems)
                    .before(TransformSystems::Propagate),
            )
            .add_systems(
                PostUpdate,
                (
                    choose_main_viewer.after(First).before(React),
                    (reset_frame, react_to_settings, find_warnings).chain().in_set(React),
                    (check_budget, check_transforms).in_set(React),
                    select_tiles.in_set(Select).before(plan_terrains).run_if(has_tiles),
                    plan_terrains.in_set(Select),
                    apply_tiles.in_set(Apply).before(follow_origins).run_if(has_tiles),
                    (follow_origins, apply_plans.ambiguous_with_all(), send_ready)
                        .chain()
                        .in_set(Apply)
                        .run_if(is_work_left),
                    (start_tasks, free_discarded).chain().in_set(Generate).run_if(is_work_left),
                    start_tile_tasks.in_set(Generate).before(start_tasks).run_if(has_tiles),
                ),
            );
        #[cfg(feature = "big_space")]
        super::position::build_big_space(app);
    }
}

/// A run condition: whether there are bodies, or tiles of bodies that are gone. Also for one frame longer, so that the last body is
/// forgotten.
fn has_tiles(
    bodies: Query<(), With<KeepGround>>,
    tiles: Query<(), With<ColliderTile>>,
    mut had_tiles: Local<bool>,
) -> bool {
    let has_tiles = !(bodies.is_empty() && tiles.is_empty());
    std::mem::replace(&mut *had_tiles, has_tiles) || has_tiles
}
