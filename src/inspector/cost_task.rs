//! Estimates the cost of the draft, in a background task.

use super::TerrainInspector;
use super::latest::LatestResult;
use crate::chunk::{ChunkLayout, ChunkSettings, LodCost, LodSettings, ViewerPoint};
use crate::field::{FieldSettings, HeightField};
use crate::settings::TerrainSettings;
use crate::stream::TerrainState;
use bevy::prelude::*;

/// Viewer changes below this fraction do not start a new estimate. A move counts relative to the view distance.
const STEP: f64 = 0.01;

/// The inputs of an estimate.
#[derive(Clone)]
struct Source {
    field: FieldSettings,
    chunks: ChunkSettings,
    lod: LodSettings,
    viewer: ViewerPoint,
}

impl Source {
    /// Whether the cost of `settings` and `viewer` is about the same as of these inputs.
    fn is_of(&self, settings: &TerrainSettings, viewer: &ViewerPoint) -> bool {
        // Edits change no level of detail.
        self.field.is_same_without_edits(&settings.field)
            && self.chunks == settings.chunks
            && self.lod.pixel_error == settings.lod.pixel_error
            && is_about(&self.viewer, viewer)
    }

    /// `None` if a value is out of range. Nothing is built from such settings.
    fn cost(self) -> Option<LodCost> {
        let Self { field, chunks, lod, viewer } = self;
        let settings = TerrainSettings { field, chunks, lod, ..Default::default() };
        settings.validate().ok()?;
        let field = HeightField::new(&settings.field);
        Some(LodCost::expected(&field, &ChunkLayout::new(&settings.chunks), &settings.lod, &viewer))
    }
}

/// Whether the cost is about the same for two viewers.
fn is_about(a: &ViewerPoint, b: &ViewerPoint) -> bool {
    let near = |a: f64, b: f64, whole: f64| (a - b).abs() <= STEP * whole.abs();
    let near_on = |axis: usize| near(a.position[axis], b.position[axis], a.view_distance);
    (0..3).all(near_on)
        && near(a.view_distance, b.view_distance, a.view_distance)
        && a.is_orthographic == b.is_orthographic
        && near(a.projection_scale, b.projection_scale, a.projection_scale)
}

/// The last estimate, and the task of the next one.
#[derive(Resource, Default)]
pub(super) struct CostPreview(LatestResult<Source, Option<LodCost>>);

/// Starts an estimate when the draft or the viewer changed, and takes a finished one. It shows the cost of the draft, also before
/// the terrain is built from it.
pub(super) fn update_cost(
    mut inspector: ResMut<TerrainInspector>,
    mut preview: ResMut<CostPreview>,
    terrains: Query<&TerrainState>,
) {
    let CostPreview(latest) = &mut *preview;
    let state = inspector.terrain().and_then(|entity| terrains.get(entity).ok());
    // Not the viewer in this frame: its view distance is short after a jump, and the estimate would follow it.
    let viewer = state.and_then(|state| state.requested_viewers().next());
    if let Some(viewer) = viewer
        && let Some(draft) = inspector.draft()
    {
        let settings = draft.settings();
        if latest.needs(|source| source.is_of(settings, &viewer)) {
            let TerrainSettings { field, chunks, lod, .. } = settings.clone();
            latest.start(Source { field, chunks, lod, viewer }, Source::cost);
        }
    } else {
        latest.clear();
    }
    inspector.expected_cost = latest.output().copied().flatten();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer() -> ViewerPoint {
        ViewerPoint {
            position: [0.0; 3],
            forward: [1.0, 0.0],
            view_distance: 2000.0,
            projection_scale: 1000.0,
            is_orthographic: false,
        }
    }

    fn source(settings: &TerrainSettings) -> Source {
        let TerrainSettings { field, chunks, lod, .. } = settings.clone();
        Source { field, chunks, lod, viewer: viewer() }
    }

    #[test]
    fn only_changes_that_affect_the_cost_need_a_new_estimate() {
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
    fn small_viewer_changes_need_no_new_estimate() {
        let moved = |by: [f64; 3]| is_about(&viewer(), &ViewerPoint { position: by, ..viewer() });
        assert!(moved([1.0, -2.0, 3.0]));
        assert!(!moved([0.0, 30.0, 0.0]) && !moved([500.0, 0.0, 0.0]));
        assert!(is_about(&viewer(), &ViewerPoint { forward: [0.0, 1.0], ..viewer() }));
        assert!(!is_about(&viewer(), &ViewerPoint { view_distance: 2500.0, ..viewer() }));
        assert!(!is_about(&viewer(), &ViewerPoint { projection_scale: 1100.0, ..viewer() }));
    }

    #[test]
    fn invalid_settings_have_no_cost() {
        let mut settings = TerrainSettings::default();
        assert!(source(&settings).cost().is_some_and(|cost| cost.chunks > 0));
        settings.chunks.spacing = f64::NAN;
        assert_eq!(source(&settings).cost(), None);
    }
}
