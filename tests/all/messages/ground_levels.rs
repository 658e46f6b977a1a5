//! The levels of the ground that a game knows from messages alone.

use super::*;
use bevy_perlin_terrain::chunk::ChunkCoord;
use std::collections::{BTreeMap, HashMap};
use testing::app::messages::TerrainMessages;

/// A settled terrain without threads, a viewer at its origin, and the levels of its ground.
pub fn app_with_levels(settings: TerrainSettings, view_distance: f32) -> (App, Entity, Entity, GroundLevels) {
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, view_distance);
    let mut levels = GroundLevels::default();
    levels.settle(&mut app, terrain);
    (app, terrain, viewer, levels)
}

/// The chunks of level 0 that make up `chunk`.
pub fn cells(chunk: ChunkCoord) -> Vec<ChunkCoord> {
    let (mut cells, mut left) = (Vec::new(), vec![chunk]);
    while let Some(chunk) = left.pop() {
        if chunk.level == 0 { cells.push(chunk) } else { left.extend(chunk.children()) }
    }
    cells
}

/// The level of the ground in every cell, updated with messages alone.
#[derive(Default)]
pub struct GroundLevels {
    pub levels: HashMap<ChunkCoord, u8>,
    /// The numbers of messages.
    pub areas_shown: usize,
    pub areas_hidden: usize,
    pub level_changes: usize,
    /// Changes of level in areas of which only a part was drawn before, or only a part is drawn now.
    pub partial_changes: usize,
}

impl GroundLevels {
    /// Runs a frame and applies its messages.
    #[track_caller]
    pub fn run_frame(&mut self, app: &mut App, terrain: Entity) {
        app.update();
        self.follow(app, terrain);
    }

    /// Follows the last frame.
    #[track_caller]
    fn follow(&mut self, app: &mut App, terrain: Entity) {
        let drawn = drawn_chunks(app, terrain);
        self.apply(&take_messages(app), &drawn);
    }

    /// Applies the `messages` of a frame, and asserts that the result is the ground that is `drawn`.
    #[track_caller]
    pub fn apply(&mut self, messages: &TerrainMessages, drawn: &BTreeMap<ChunkCoord, Entity>) {
        let before = self.levels.clone();
        let now: HashMap<ChunkCoord, u8> =
            drawn.keys().flat_map(|&chunk| cells(chunk).into_iter().map(move |cell| (cell, chunk.level))).collect();
        for hidden in &messages.ground_hidden {
            for cell in cells(hidden.area) {
                assert!(self.levels.remove(&cell).is_some(), "{hidden:?} was not shown");
            }
            self.areas_hidden += 1;
        }
        for shown in &messages.ground_shown {
            for cell in cells(shown.area) {
                let level = *now.get(&cell).unwrap_or_else(|| panic!("{shown:?} is not drawn"));
                assert_eq!(self.levels.insert(cell, level), None, "{shown:?} was already shown");
            }
            self.areas_shown += 1;
        }
        for change in &messages.levels {
            let finest = |levels: &HashMap<ChunkCoord, u8>| {
                cells(change.area).iter().filter_map(|cell| levels.get(cell)).min().copied()
            };
            assert_eq!((finest(&before), finest(&now)), (Some(change.before), Some(change.now)), "{change:?}");
            assert_eq!(change.is_finer(), change.before == change.area.level);
            assert!(change.before.max(change.now) == change.area.level && change.before != change.now, "{change:?}");
            let cells = cells(change.area);
            let stay = cells.iter().filter(|cell| self.levels.contains_key(cell)).count();
            self.partial_changes +=
                usize::from(stay < cells.len() || cells.iter().any(|cell| !before.contains_key(cell)));
            for cell in cells {
                if let Some(level) = self.levels.get_mut(&cell) {
                    *level = now[&cell];
                }
            }
            self.level_changes += 1;
        }
        let (known, drawn) = (self.levels.len(), now.len());
        assert!(self.levels == now, "messages give {known} cells, and {drawn} are drawn, or the levels differ");
    }

    /// Runs frames until the terrain is settled.
    #[track_caller]
    pub fn settle(&mut self, app: &mut App, terrain: Entity) {
        pump_until(app, "settled", |app| {
            self.follow(app, terrain);
            state(app, terrain).is_settled()
        });
    }
}
