//! What the panel is told about the world, frame by frame.

use super::{HeightMap, HistoryInfo, SeamsInfo};
use crate::chunk::LodCost;
use crate::settings::SettingsProblem;
use crate::stream::{SeamWatch, TerrainBudget, TerrainState, TerrainStats};
use bevy::prelude::Entity;
use bevy_egui::egui::TextureId;
use std::sync::Arc;
use std::time::Duration;

/// What the panel is told about the world: everything that it shows and can't change by itself.
#[derive(Clone, Debug, Default)]
pub struct PanelInfo {
    /// The terrains, with a name for each.
    pub terrains: Vec<(Entity, String)>,
    /// Which of them is shown.
    pub terrain: Option<Entity>,
    /// The name of the settings file, without folder; empty where there is none.
    pub file: String,
    /// The names of all settings files in its folder.
    pub files: Vec<String>,
    /// Why the settings can't be saved, if so.
    pub cannot_save: Option<String>,
    /// How the last thing that was asked for went.
    pub message: Option<Result<String, String>>,
    /// Whether there is ground, from these settings or from the last good ones.
    pub has_ground: bool,
    /// What is wrong with the file or with a value.
    pub problems: Vec<SettingsProblem>,
    /// What terrain may take of the machine.
    pub budget: TerrainBudget,
    /// Numbers.
    pub stats: StatsInfo,
    /// Numbers of the last frames.
    pub history: HistoryInfo,
    /// What the settings as edited will cost for the first viewer, once that is known.
    pub expected_cost: Option<LodCost>,
    /// The picture of the ground, once there is one.
    pub map: Option<MapInfo>,
}

/// A picture of the ground that is ready to be drawn.
#[derive(Clone, Debug)]
pub struct MapInfo {
    /// The picture on the GPU.
    pub texture: TextureId,
    /// What it was made from.
    pub map: Arc<HeightMap>,
    /// Where the viewer is, in metres along x and z of the terrain.
    pub viewer: [f64; 2],
}

/// How much there is, and what it costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatsInfo {
    /// Chunks of the shown terrain that are part of the world.
    pub chunks_shown: usize,
    /// Chunks of the shown terrain that are there, part of the world or not.
    pub chunks_loaded: usize,
    /// Chunks of the shown terrain that are to be there.
    pub chunks_wanted: usize,
    /// Chunks of the shown terrain that are part of the world, for each level, the finest first.
    pub levels: Vec<usize>,
    /// What the shown terrain costs, in view or not: chunks that are part of the world are drawn, and all that are
    /// [loaded](Self::chunks_loaded) are held.
    pub cost: LodCost,
    /// Whether the chunks of the shown terrain meet. `None` until that was checked.
    pub seams: Option<SeamsInfo>,
    /// Chunks that wait, unseen, for the rest of their generation; of all terrains.
    pub chunks_waiting: usize,
    /// Background tasks running or waiting; of all terrains.
    pub tasks_in_flight: usize,
    /// Tasks done since the start; of all terrains.
    pub tasks_done: u64,
    /// Tasks thrown away since the start; of all terrains.
    pub tasks_canceled: u64,
    /// Time that the terrain's systems took in the last frame; of all terrains.
    pub frame_time: Duration,
}

impl StatsInfo {
    /// The numbers of the terrain in this state, which may be watched for seams.
    #[must_use]
    pub fn new(stats: &TerrainStats, state: Option<&TerrainState>, watch: Option<&SeamWatch>) -> Self {
        let mut info = Self {
            seams: watch.and_then(|watch| watch.report.as_ref()).map(SeamsInfo::from),
            chunks_waiting: stats.chunks_incoming,
            tasks_in_flight: stats.tasks_in_flight,
            tasks_done: stats.chunks_built,
            tasks_canceled: stats.tasks_canceled,
            frame_time: stats.frame_time,
            ..Self::default()
        };
        if let Some(state) = state {
            info.chunks_shown = state.chunks_drawn();
            info.chunks_loaded = state.chunks_loaded();
            info.chunks_wanted = state.chunks_wanted();
            if let (Some(tree), Some(layout)) = (state.quadtree(), state.layout()) {
                info.levels = tree.leaves_per_level();
                info.cost = LodCost::of(tree, info.chunks_loaded, layout);
            }
        }
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terrain_there_is_nothing() {
        assert_eq!(StatsInfo::new(&TerrainStats::default(), None, None), StatsInfo::default());
        let state = TerrainState::default();
        assert_eq!(StatsInfo::new(&TerrainStats::default(), Some(&state), None), StatsInfo::default());
    }
}
