//! The plugin that streams, and the order of its systems.

use super::announce::{announce_levels, announce_settled, clear_removed_terrain, forget_despawned, forget_stand_in};
use super::apply::{apply_changes, measure_pace};
use super::changes::{WorldChanges, make_changes};
use super::chunk_place::follow_origins;
use super::draw::draw_cover;
use super::finish::{SurfaceFinish, warm_up};
use super::generate::start_tasks;
use super::pace::Pace;
use super::react::react_to_settings;
use super::removal::{Discarded, free_discarded, take_leaving};
use super::select::{StreamWork, is_work_left, select_chunks};
use super::stats::reset_frame;
use super::warnings::find_warnings;
use super::{
    ChunkBounds, ChunkEdges, ChunkLevelChanged, ChunkReady, ChunkRemoved, ChunkShown, Terrain, TerrainChunk,
    TerrainOrigin, TerrainReady, TerrainStandIn, TerrainStats, TerrainViewer, ViewerLens,
};
use crate::settings::{TerrainSettings, TerrainSettingsLoader};
use bevy::asset::AssetEventSystems;
use bevy::prelude::*;

/// The order in which terrain follows its settings and viewers, in `PostUpdate`, before transforms are propagated.
///
/// [`First`](Self::First) and [`Last`](Self::Last) are for a game's systems, which may go before and after any other set too. Of
/// the crate, only what looks on is there.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// A hook: viewers may still be moved here. In `PostUpdate`.
    First,
    /// Changed settings are adopted, and what is odd about them is told. In `PostUpdate`.
    React,
    /// Viewers decide which chunks are wanted. In `PostUpdate`.
    Select,
    /// Finished chunks appear, unwanted ones vanish. In `PostUpdate`.
    Apply,
    /// What is shown is drawn, where there is a render layer. In `PostUpdate`.
    Render,
    /// Background tasks are started, when all else is done: on few cores they would get in its way. In `PostUpdate`.
    Generate,
    /// A hook: the world is as it will be drawn. In `PostUpdate`.
    Last,
}

/// Streams chunks around viewers: everything but drawing.
///
/// # Panics
///
/// When it is built before Bevy's `AssetPlugin`.
#[derive(Clone, Copy, Debug)]
pub struct TerrainStreamPlugin {
    /// Builds chunks in background tasks. Without, they are built on the main thread in slices: at least one in a frame, and more
    /// while [`time_budget`](super::StreamSettings::time_budget) lasts.
    ///
    /// Default: true. It counts only where tasks [have threads](Self::HAS_THREADS): elsewhere they would hold up the frame.
    pub threads: bool,
}

impl TerrainStreamPlugin {
    /// Whether Bevy's tasks have threads of their own: not in a browser, nor without Bevy's feature `multi_threaded`, which is one of
    /// its defaults.
    pub const HAS_THREADS: bool = bevy::tasks::cfg::multi_threaded! { if { true } else { false } };
}

impl Default for TerrainStreamPlugin {
    fn default() -> Self {
        Self { threads: true }
    }
}

/// Whether there are threads to build chunks on.
#[derive(Resource, Clone, Copy)]
pub(super) struct StreamThreads(pub bool);

impl Plugin for TerrainStreamPlugin {
    fn build(&self, app: &mut App) {
        use TerrainSystems::{Apply, First, Generate, Last, React, Render, Select};
        assert!(
            app.world().contains_resource::<AssetServer>(),
            "add terrain plugins after Bevy's `DefaultPlugins`, or after `AssetPlugin` where there are no others"
        );
        warm_up();
        app.init_asset::<TerrainSettings>()
            .init_asset_loader::<TerrainSettingsLoader>()
            .register_asset_reflect::<TerrainSettings>()
            .register_type::<Terrain>()
            .register_type::<TerrainOrigin>()
            .register_type::<TerrainViewer>()
            .register_type::<ViewerLens>()
            .register_type::<ChunkBounds>()
            .register_type::<ChunkEdges>()
            .register_type::<TerrainChunk>()
            .register_type::<ChunkShown>()
            .register_type::<TerrainStandIn>()
            .init_resource::<TerrainStats>()
            .init_resource::<Pace>()
            .init_resource::<WorldChanges>()
            .init_resource::<StreamWork>()
            .init_resource::<SurfaceFinish>()
            .init_resource::<Discarded>()
            .insert_resource(StreamThreads(self.threads && Self::HAS_THREADS))
            .add_message::<ChunkReady>()
            .add_message::<ChunkRemoved>()
            .add_message::<ChunkLevelChanged>()
            .add_message::<TerrainReady>()
            .add_observer(forget_despawned)
            .add_observer(forget_stand_in)
            .add_observer(clear_removed_terrain)
            .configure_sets(
                PostUpdate,
                (First, React, Select, Apply, Render, Generate, Last)
                    .chain()
                    // So that Bevy hears of a new mesh, and uploads it, in the frame in which its chunk is shown.
                    .before(AssetEventSystems)
                    .before(TransformSystems::Propagate),
            )
            .add_systems(
                PostUpdate,
                (
                    (reset_frame, react_to_settings, find_warnings).chain().in_set(React),
                    select_chunks.in_set(Select),
                    (
                        follow_origins,
                        apply_changes,
                        draw_cover,
                        take_leaving,
                        make_changes.ambiguous_with_all(),
                        announce_levels,
                        announce_settled,
                    )
                        .chain()
                        .in_set(Apply)
                        .run_if(is_work_left),
                    (start_tasks, free_discarded).chain().in_set(Generate).run_if(is_work_left),
                    measure_pace.after(Render).before(Generate),
                ),
            );
        #[cfg(feature = "big_space")]
        super::big_space::build(app);
    }
}
