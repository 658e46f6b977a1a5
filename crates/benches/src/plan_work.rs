//! A viewer that walks over endless ground, and the plan of the streaming at every step.

use perlin_terrain::chunk::plan::{PlanRequest, PlanViewer, Planner};
use perlin_terrain::chunk::{ChunkLayout, ChunkSettings, LevelErrors, LodCost, LodSettings, ViewerPoint};
use perlin_terrain::field::{FieldSettings, HeightField};
use perlin_terrain::settings::TerrainSettings;

/// How far the viewer sees, in metres.
pub const VIEW_DISTANCES: [f64; 3] = [1000.0, 8000.0, 32_000.0];

/// Quads along each side of a chunk: the default first.
pub const QUADS: [u32; 2] = [64, 32];

/// How far the viewer comes in a step, in metres: 100 m/s at 60 frames a second. So the plan changes every few steps.
const STEP: f64 = 1.7;

/// The default field, and those of the presets in `assets/terrain`, by name.
///
/// # Panics
///
/// If a preset is not valid.
#[must_use]
pub fn grounds() -> Vec<(&'static str, HeightField)> {
    let presets = [
        ("rolling hills", include_str!("../../../assets/terrain/rolling_hills.terrain.ron")),
        ("alps", include_str!("../../../assets/terrain/alps.terrain.ron")),
        ("islands", include_str!("../../../assets/terrain/islands.terrain.ron")),
    ];
    let compiled = presets.map(|(name, text)| {
        let settings = TerrainSettings::from_ron(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, HeightField::new(&settings.field))
    });
    let default = HeightField::new(&FieldSettings::default());
    [("default", default)].into_iter().chain(compiled).collect()
}

/// A viewer on a straight line, and the plans for it.
pub struct PlanWork {
    layout: ChunkLayout,
    bounds: (f32, f32),
    errors: LevelErrors,
    viewer: PlanViewer,
    planner: Planner,
    changes: usize,
}

impl PlanWork {
    /// A viewer that sees `view_distance` metres of `field`, on a screen of 1080 rows that span 45 degrees.
    #[must_use]
    pub fn new(field: &HeightField, quads: u32, view_distance: f64) -> Self {
        let layout = ChunkLayout::new(&ChunkSettings { quads, ..ChunkSettings::default() });
        let projection_scale = ViewerPoint::projection_scale(1080.0, std::f64::consts::FRAC_PI_4);
        let point = ViewerPoint {
            position: [37.0, 0.0, -11.0],
            forward: [1.0, 0.0],
            view_distance,
            projection_scale,
            is_orthographic: false,
        };
        let mut errors = LevelErrors::new();
        errors.measure(field, &layout, layout.coarsest_level(view_distance));
        let viewer = PlanViewer { id: 1, point, velocity: [0.0; 3] };
        let mut work = Self { layout, bounds: field.bounds(), errors, viewer, planner: Planner::default(), changes: 0 };
        while !work.planner.plan().is_settled() {
            work.advance();
        }
        work
    }

    /// Makes the next plan, and loads at once what it asks for.
    fn advance(&mut self) {
        let request = PlanRequest {
            layout: &self.layout,
            bounds: self.bounds,
            errors: &self.errors,
            pixel_error: LodSettings::default().pixel_error,
            look_ahead: 0.0,
            viewers: &[self.viewer],
            max_chunks: 100_000,
            max_built_now: 64,
            seconds: 1.0 / 60.0,
        };
        let diff = self.planner.advance(&request);
        self.changes += usize::from(!diff.is_empty());
        for chunk in self.planner.plan().build_now().to_vec() {
            self.planner.load(chunk);
        }
        while let Some(chunk) = self.planner.queue().pop() {
            self.planner.load(chunk);
        }
    }

    /// The measured work: the viewer takes a step, and the next plan is made.
    pub fn step(&mut self) {
        // North of east, so that borders along both axes are crossed, and not in step with one another.
        self.viewer.point.position[0] += STEP * 0.8;
        self.viewer.point.position[2] += STEP * 0.6;
        self.advance();
    }

    /// How many of the plans changed what is drawn.
    #[must_use]
    pub const fn changes(&self) -> usize {
        self.changes
    }

    /// The cost of the chunks.
    #[must_use]
    pub fn cost(&self) -> LodCost {
        let plan = self.planner.plan();
        LodCost::of(plan.drawn(), plan.wanted_chunks(), &self.layout)
    }

    /// Chunks that are drawn, of each level, the finest first.
    #[must_use]
    pub fn chunks_per_level(&self) -> Vec<usize> {
        self.planner.plan().drawn().leaves_per_level()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_changes_the_plan_now_and_then() {
        for (name, field) in grounds() {
            let mut work = PlanWork::new(&field, 64, 1000.0);
            let before = work.changes();
            for _ in 0..500 {
                work.step();
            }
            let changes = work.changes() - before;
            assert!((5..400).contains(&changes), "{name}: {changes} of 500 steps");
        }
    }

    #[test]
    fn the_levels_add_up_to_the_chunks_that_are_drawn() {
        let work = PlanWork::new(&HeightField::new(&FieldSettings::default()), 64, 8000.0);
        assert_eq!(work.chunks_per_level().iter().sum::<usize>(), work.cost().chunks);
    }

    #[test]
    fn the_cost_is_the_one_that_is_foretold() {
        let field = HeightField::new(&FieldSettings::default());
        for view in VIEW_DISTANCES {
            let work = PlanWork::new(&field, 64, view);
            let expected = LodCost::expected(&field, &work.layout, &LodSettings::default(), &work.viewer.point);
            assert_eq!(work.cost(), expected);
            assert!(expected.resident > expected.chunks);
        }
    }
}
