//! Finds what the settings of the draft will cost, in a background task.

use super::TerrainInspector;
use super::latest::Latest;
use crate::chunk::{ChunkLayout, ChunkSettings, LodCost, LodSettings, ViewerPoint};
use crate::field::{FieldSettings, HeightField};
use crate::settings::TerrainSettings;
use crate::stream::TerrainState;
use bevy::prelude::*;

/// A viewer that moves by less than this part of its view distance costs about the same.
const STEP: f64 = 0.01;

/// What a cost follows from: while this stays about the same, so does the cost.
#[derive(Clone)]
struct Source {
    field: FieldSettings,
    chunks: ChunkSettings,
    lod: LodSettings,
    viewer: ViewerPoint,
}

impl Source {
    fn is_of(&self, settings: &TerrainSettings, viewer: &ViewerPoint) -> bool {
        self.field == settings.field
            && self.chunks == settings.chunks
            && self.lod.pixel_error == settings.lod.pixel_error
            && is_about(&self.viewer, viewer)
    }

    /// `None` where a value is out of range: then nothing will be built either.
    fn cost(self) -> Option<LodCost> {
        let Self { field, chunks, lod, viewer } = self;
        let settings = TerrainSettings { field, chunks, lod, ..Default::default() };
        settings.validate().ok()?;
        let field = HeightField::new(&settings.field);
        Some(LodCost::expected(&field, &ChunkLayout::new(&settings.chunks), &settings.lod, &viewer))
    }
}

/// Whether two viewers cost about the same.
fn is_about(a: &ViewerPoint, b: &ViewerPoint) -> bool {
    let near = |a: f64, b: f64, whole: f64| (a - b).abs() <= STEP * whole.abs();
    let near_on = |axis: usize| near(a.position[axis], b.position[axis], a.view_distance);
    (0..3).all(near_on)
        && near(a.view_distance, b.view_distance, a.view_distance)
        && near(a.projection_scale, b.projection_scale, a.projection_scale)
}

/// What was found last, and the task that finds the next.
#[derive(Resource, Default)]
pub(super) struct CostFinder(Latest<Source, Option<LodCost>>);

/// Begins anew when the draft or the viewer is another, and takes what is ready. The draft may be ahead of the terrain.
pub(super) fn update_cost(
    mut inspector: ResMut<TerrainInspector>,
    mut finder: ResMut<CostFinder>,
    terrains: Query<&TerrainState>,
) {
    let CostFinder(latest) = &mut *finder;
    let state = inspector.terrain.and_then(|entity| terrains.get(entity).ok());
    let viewer = state.and_then(|state| state.viewers().next()).map(|viewer| viewer.point);
    if let Some(viewer) = viewer
        && let Some(model) = inspector.model()
    {
        let settings = model.draft();
        if latest.needs(|source| source.is_of(settings, &viewer)) {
            let TerrainSettings { field, chunks, lod, .. } = settings.clone();
            latest.start(Source { field, chunks, lod, viewer }, Source::cost);
        }
    } else {
        latest.clear();
    }
    inspector.expected_cost = latest.found().copied().flatten();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer() -> ViewerPoint {
        ViewerPoint { position: [0.0; 3], forward: [1.0, 0.0], view_distance: 2000.0, projection_scale: 1000.0 }
    }

    fn source(settings: &TerrainSettings) -> Source {
        let TerrainSettings { field, chunks, lod, .. } = settings.clone();
        Source { field, chunks, lod, viewer: viewer() }
    }

    #[test]
    fn a_cost_is_found_anew_for_what_changes_it_and_for_nothing_else() {
        let settings = TerrainSettings::default();
        let stays = |change: &dyn Fn(&mut TerrainSettings)| {
            let mut changed = settings.clone();
            change(&mut changed);
            source(&settings).is_of(&changed, &viewer())
        };
        assert!(stays(&|_| ()));
        assert!(stays(&|settings| settings.lod.morph = false));
        assert!(stays(&|settings| settings.look.water = !settings.look.water));
        assert!(!stays(&|settings| settings.lod.pixel_error = 0.5));
        assert!(!stays(&|settings| settings.chunks.spacing = 3.0));
        assert!(!stays(&|settings| settings.field.seed = 3));
    }

    #[test]
    fn a_viewer_has_to_move_noticeably() {
        let moved = |by: [f64; 3]| is_about(&viewer(), &ViewerPoint { position: by, ..viewer() });
        assert!(moved([1.0, -2.0, 3.0]));
        assert!(!moved([0.0, 30.0, 0.0]) && !moved([500.0, 0.0, 0.0]));
        assert!(is_about(&viewer(), &ViewerPoint { forward: [0.0, 1.0], ..viewer() }));
        assert!(!is_about(&viewer(), &ViewerPoint { view_distance: 2500.0, ..viewer() }));
        assert!(!is_about(&viewer(), &ViewerPoint { projection_scale: 1100.0, ..viewer() }));
    }

    #[test]
    fn values_that_are_refused_cost_nothing_at_all() {
        let mut settings = TerrainSettings::default();
        assert!(source(&settings).cost().is_some_and(|cost| cost.chunks > 0));
        settings.chunks.spacing = f64::NAN;
        assert_eq!(source(&settings).cost(), None);
    }
}
