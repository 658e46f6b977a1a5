//! What the panel is told about the world, frame by frame.

use super::HeightMap;
use crate::chunk::ChunkLayout;
use crate::stream::TerrainStats;
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
    /// What is wrong with the file or with a value, a line each.
    pub problems: Vec<String>,
    /// Numbers.
    pub stats: StatsInfo,
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StatsInfo {
    /// Chunks of the shown terrain that are part of the world.
    pub chunks_shown: usize,
    /// Chunks that the viewers want of the shown terrain.
    pub chunks_wanted: usize,
    /// Chunks that wait, unseen, for the rest of their generation; of all terrains.
    pub chunks_waiting: usize,
    /// Background tasks running or waiting; of all terrains.
    pub tasks_in_flight: usize,
    /// Tasks done since the start; of all terrains.
    pub tasks_done: u64,
    /// Tasks thrown away since the start; of all terrains.
    pub tasks_cancelled: u64,
    /// Time that the terrain's systems took in the last frame; of all terrains.
    pub frame_time: Duration,
    /// Triangles of the shown terrain, as far as they are part of the world, in view or not.
    pub triangles: u64,
    /// Bytes of vertex data of those triangles.
    pub vertex_bytes: u64,
}

impl StatsInfo {
    /// Bytes of a vertex: a position and a normal of three `f32` each.
    const VERTEX_BYTES: u64 = 24;

    /// The numbers of a terrain with `shown` of `wanted` chunks of `layout`.
    #[must_use]
    pub fn new(stats: &TerrainStats, shown: usize, wanted: usize, layout: Option<&ChunkLayout>) -> Self {
        let (quads, vertices) = layout.map_or((0, 0), |grid| (u64::from(grid.quads()), u64::from(grid.vertices())));
        let chunks = shown as u64;
        Self {
            chunks_shown: shown,
            chunks_wanted: wanted,
            chunks_waiting: stats.chunks_waiting,
            tasks_in_flight: stats.tasks_in_flight,
            tasks_done: stats.tasks_done,
            tasks_cancelled: stats.tasks_cancelled,
            frame_time: stats.frame_time,
            triangles: chunks * 2 * quads * quads,
            vertex_bytes: chunks * vertices * vertices * Self::VERTEX_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkBuilder, ChunkCoord, ChunkSettings, triangle_indices};
    use crate::field::{FieldSettings, HeightField};

    #[test]
    fn the_estimates_are_those_of_a_chunk_that_is_built() {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 });
        let field = HeightField::new(&FieldSettings::default());
        let chunk = ChunkBuilder::default().build(&field, &layout, ChunkCoord::finest(0, 0));
        let info = StatsInfo::new(&TerrainStats::default(), 3, 5, Some(&layout));
        assert_eq!(info.vertex_bytes as usize, 3 * chunk.vertex_bytes());
        assert_eq!(info.triangles as usize, 3 * triangle_indices(chunk.side).len() / 3);
        assert_eq!(StatsInfo::new(&TerrainStats::default(), 0, 0, None), StatsInfo::default());
    }
}
