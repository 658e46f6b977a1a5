//! A viewer that walks over endless ground, and the chunks that are drawn and held for it at every step.

use bevy_perlin_terrain::chunk::{
    ChunkLayout, ChunkSettings, LodQuadtree, LodCost, LevelErrors, LodSettings, LodRanges, Viewer, ViewerPoint,
};
use bevy_perlin_terrain::field::{FieldSettings, HeightField};
use bevy_perlin_terrain::settings::TerrainSettings;

/// How far the viewer sees, in metres.
pub const VIEW_DISTANCES: [f64; 3] = [1000.0, 8000.0, 32_000.0];

/// Quads along each side of a chunk: the default first.
pub const QUADS: [u32; 2] = [64, 32];

/// How far the viewer comes in a step, in metres: 100 m/s at 60 frames a second. So the cover changes every few steps.
const STEP: f64 = 1.7;

/// How far a root may fall behind the view before it is dropped, in metres: the default of the streaming.
const MARGIN: f64 = 200.0;

/// The default field, and those of the presets in `assets/terrain`, by name.
///
/// # Panics
///
/// If a preset is not valid.
#[must_use]
pub fn grounds() -> Vec<(&'static str, HeightField)> {
    let presets = [
        ("rolling hills", include_str!("../../assets/terrain/rolling_hills.terrain.ron")),
        ("alps", include_str!("../../assets/terrain/alps.terrain.ron")),
        ("islands", include_str!("../../assets/terrain/islands.terrain.ron")),
    ];
    let compiled = presets.map(|(name, text)| {
        let settings = TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, HeightField::new(&settings.field))
    });
    let default = HeightField::new(&FieldSettings::default());
    [("default", default)].into_iter().chain(compiled).collect()
}

/// A viewer on a straight line, and the covers that it has reached.
pub struct CoverWork {
    layout: ChunkLayout,
    top: u8,
    viewer: Viewer,
    /// What is drawn.
    drawn: LodQuadtree,
    /// What is held in memory, so that it is there before it is drawn.
    held: LodQuadtree,
    changes: usize,
}

impl CoverWork {
    /// A viewer that sees `view_distance` metres of `field`, on a screen of 1080 rows that span 45 degrees.
    #[must_use]
    pub fn new(field: &HeightField, quads: u32, view_distance: f64) -> Self {
        let layout = ChunkLayout::new(&ChunkSettings { quads, ..ChunkSettings::default() });
        let projection_scale = ViewerPoint::projection_scale(1080.0, std::f64::consts::FRAC_PI_4);
        let point = ViewerPoint { position: [37.0, 0.0, -11.0], forward: [1.0, 0.0], view_distance, projection_scale };
        let top = LodQuadtree::top_level(&layout, view_distance);
        let mut errors = LevelErrors::new();
        errors.measure(field, &layout, top + 1);
        let reach = LodRanges::wanted(&layout, &errors, &point, LodSettings::default().pixel_error, top);
        let viewer = Viewer::new(point, reach, field.bounds());
        let mut work = Self { layout, top, viewer, drawn: LodQuadtree::default(), held: LodQuadtree::default(), changes: 0 };
        work.select();
        work
    }

    /// Selects both covers from the ones before, as the streaming does in a frame in which the viewer moves.
    fn select(&mut self) {
        let Self { layout, top, viewer, drawn, held, .. } = self;
        *drawn = LodQuadtree::select(layout, *top, &[*viewer], MARGIN, drawn);
        *held = LodQuadtree::select(layout, *top, &[viewer.ahead(layout, *top)], MARGIN, held);
    }

    /// What is measured: the viewer takes a step, and the covers are selected from the ones before.
    pub fn step(&mut self) {
        // North of east, so that borders along both axes are crossed, and not in step with one another.
        self.viewer.point.position[0] += STEP * 0.8;
        self.viewer.point.position[2] += STEP * 0.6;
        self.select();
    }

    /// The same step; counts whether what is drawn has changed.
    pub fn step_and_compare(&mut self) {
        let before = self.drawn.clone();
        self.step();
        self.changes += usize::from(self.drawn != before);
    }

    /// How many of the steps that were compared changed what is drawn.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// What the covers cost.
    #[must_use]
    pub fn cost(&self) -> LodCost {
        LodCost::of(&self.drawn, self.held.chunks().len(), &self.layout)
    }

    /// Chunks that are drawn, of each level, the finest first.
    #[must_use]
    pub fn chunks_per_level(&self) -> Vec<usize> {
        self.drawn.leaves_per_level()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_changes_the_cover_now_and_then() {
        for (name, field) in grounds() {
            let mut work = CoverWork::new(&field, 64, 1000.0);
            for _ in 0..500 {
                work.step_and_compare();
            }
            assert!((5..400).contains(&work.changes()), "{name}: {} of 500 steps", work.changes());
        }
    }

    #[test]
    fn the_levels_add_up_to_the_chunks_that_are_drawn() {
        let work = CoverWork::new(&HeightField::new(&FieldSettings::default()), 64, 8000.0);
        assert_eq!(work.chunks_per_level().iter().sum::<usize>(), work.cost().chunks);
    }

    #[test]
    fn the_cost_is_the_one_that_is_foretold() {
        let field = HeightField::new(&FieldSettings::default());
        for view in VIEW_DISTANCES {
            let work = CoverWork::new(&field, 64, view);
            let expected = LodCost::expected(&field, &work.layout, &LodSettings::default(), &work.viewer.point);
            assert_eq!(work.cost(), expected);
            assert!(expected.resident > expected.chunks);
        }
    }
}
