//! The data that the panel shows, collected once per frame.

use super::graphs::HistoryInfo;
use crate::chunk::{LodCost, Seam, SeamReport};
use crate::draft::HeightMap;
use crate::plants::PlantCost;
use crate::settings::SettingsProblem;
use crate::stream::{SeamWatch, TerrainBudget, TerrainState, TerrainStats};
use bevy::prelude::Entity;
use bevy_egui::egui::TextureId;
use std::sync::Arc;
use std::time::Duration;

/// The data that the panel shows but does not edit. Everything except the draft.
#[derive(Clone, Debug, Default)]
pub(super) struct PanelInfo {
    /// All terrains and their names.
    pub terrains: Vec<(Entity, String)>,
    /// The terrain that the panel shows.
    pub terrain: Option<Entity>,
    /// All cameras with a light, and their names.
    pub cameras: Vec<(Entity, String)>,
    /// The camera whose light the panel shows.
    pub camera: Option<Entity>,
    /// The terrain's file.
    pub file: FileInfo,
    /// Whether there is ground, from these settings or from the last valid ones.
    pub has_ground: bool,
    /// The file of the light. `None` if no camera has a sky.
    pub sky: Option<FileInfo>,
    /// The budget of the machine.
    pub budget: TerrainBudget,
    /// Statistics of this frame.
    pub stats: StatsInfo,
    /// Statistics of the last frames.
    pub history: HistoryInfo,
    /// The estimated cost of the draft for the first viewer. `None` until it is known.
    pub expected_cost: Option<LodCost>,
    /// The estimated cost of each layer of plants for the first viewer. Empty until it is known.
    pub plant_costs: Vec<PlantCost>,
    /// The map. `None` until it is drawn.
    pub map: Option<MapInfo>,
    /// Whether the panel has a button that closes it.
    pub can_close: bool,
}

/// A file of settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FileInfo {
    /// The name of the file, without its folder. Empty without a file.
    pub name: String,
    /// The names of all files of this kind in the same folder.
    pub files: Vec<String>,
    /// Those whose drafts have edits that are not saved.
    pub edited: Vec<String>,
    /// Whether there are edits of the last run beside the file.
    pub has_recovery: bool,
    /// Why the settings can't be saved. `None` if they can.
    pub cannot_save: Option<String>,
    /// The result of the last file action.
    pub message: Option<Result<String, String>>,
    /// Problems of the file or of a value.
    pub problems: Vec<SettingsProblem>,
}

/// A map of the ground that is ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct MapInfo {
    /// The texture of the map.
    pub texture: TextureId,
    /// The data of the map.
    pub map: Arc<HeightMap>,
    /// The position of the first viewer: x and z in the terrain's coordinates, in metres.
    pub viewer: [f64; 2],
}

/// Statistics of the terrain that the panel shows, and of all terrains.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StatsInfo {
    /// Drawn chunks of the selected terrain.
    pub chunks_drawn: usize,
    /// Loaded chunks of the selected terrain, drawn or not.
    pub chunks_loaded: usize,
    /// Wanted chunks of the selected terrain.
    pub chunks_wanted: usize,
    /// Drawn chunks of the selected terrain per level, finest first.
    pub levels: Vec<usize>,
    /// The cost of the selected terrain: triangles of all drawn chunks, in front of the camera or behind it, and memory of all
    /// [loaded](Self::chunks_loaded) chunks.
    pub cost: LodCost,
    /// The last seam check of the selected terrain. `None` until it was checked.
    pub seams: Option<SeamsInfo>,
    /// Loaded chunks of new ground, hidden until a reload is complete, of all terrains.
    pub chunks_incoming: usize,
    /// Background tasks that run or wait, of all terrains.
    pub tasks_in_flight: usize,
    /// Chunks built and spawned since the app started, of all terrains.
    pub chunks_built: u64,
    /// Tasks canceled since the app started, of all terrains.
    pub tasks_canceled: u64,
    /// Time of the terrain's systems in the last frame, of all terrains.
    pub frame_time: Duration,
}

impl StatsInfo {
    /// Collects the numbers of all terrains from `stats`, and those of the selected terrain from its components.
    #[must_use]
    pub fn new(stats: &TerrainStats, state: Option<&TerrainState>, watch: Option<&SeamWatch>) -> Self {
        let mut info = Self {
            seams: watch.and_then(|watch| watch.report.as_ref()).map(SeamsInfo::from),
            chunks_incoming: stats.chunks_incoming,
            tasks_in_flight: stats.tasks_in_flight,
            chunks_built: stats.chunks_built,
            tasks_canceled: stats.tasks_canceled,
            frame_time: stats.frame_time,
            ..Self::default()
        };
        if let Some(state) = state {
            info.chunks_drawn = state.chunks_drawn();
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

/// A summary of the last seam check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SeamsInfo {
    /// The number of checked borders.
    pub borders: usize,
    /// The number of seams.
    pub seams: usize,
    /// A description of the first seam.
    pub first: Option<String>,
}

impl From<&SeamReport> for SeamsInfo {
    fn from(report: &SeamReport) -> Self {
        Self { borders: report.borders, seams: report.seams.len(), first: report.seams.first().map(describe) }
    }
}

fn describe(seam: &Seam) -> String {
    let Seam { chunk, neighbor, vertex: [x, z], height, kind } = seam;
    format!(
        "{kind}: chunk {} {} (level {}) and chunk {} {} (level {}) at vertex {x} {z}, {height:.1} m high",
        chunk.x, chunk.z, chunk.level, neighbor.x, neighbor.z, neighbor.level
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkCoord, SeamKind};

    #[test]
    fn without_a_terrain_all_numbers_are_zero() {
        assert_eq!(StatsInfo::new(&TerrainStats::default(), None, None), StatsInfo::default());
        let state = TerrainState::default();
        assert_eq!(StatsInfo::new(&TerrainStats::default(), Some(&state), None), StatsInfo::default());
    }

    #[test]
    fn the_first_seam_is_described() {
        let seam = |kind| Seam {
            chunk: ChunkCoord::finest(3, -4),
            neighbor: ChunkCoord { level: 1, x: 2, z: -2 },
            vertex: [256, -70],
            height: 12.34,
            kind,
        };
        let seams = vec![seam(SeamKind::Gap(-0.25)), seam(SeamKind::TJunction)];
        let info = SeamsInfo::from(&SeamReport { borders: 7, vertices: 90, seams });
        assert_eq!([info.borders, info.seams], [7, 2]);
        assert_eq!(
            info.first.as_deref(),
            Some("a gap of 0.250 m: chunk 3 -4 (level 0) and chunk 2 -2 (level 1) at vertex 256 -70, 12.3 m high")
        );
        assert_eq!(SeamsInfo::from(&SeamReport::default()), SeamsInfo::default());
    }
}
