//! Checks the running app for seams.

use crate::chunk::{ChunkLayout, Morph, SeamReport, Viewer, seam_report};
use crate::field::HeightField;
use crate::stream::build::Background;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;
use std::sync::Arc;

/// Checks repeatedly that the borders of all drawn chunks match, and writes a [`SeamReport`] to every terrain with a
/// [`SeamWatch`].
///
/// A check runs in a background task and rebuilds all drawn chunks, so use it only during development. The inspector adds this
/// plugin and shows the number of seams, which should be 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainSeamPlugin;

impl Plugin for TerrainSeamPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<SeamWatch>().add_systems(PostUpdate, watch_seams.in_set(TerrainSystems::Last));
    }
}

/// Add this to a [`Terrain`] to check it for seams.
#[derive(Component, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Terrain)]
pub struct SeamWatch {
    /// The result of the last check. `None` until the first check ends.
    #[reflect(ignore)]
    pub report: Option<SeamReport>,
    #[reflect(ignore)]
    running: Background<SeamReport>,
    /// The inputs of the last check.
    #[reflect(ignore)]
    checked: Option<Checked>,
}

/// The inputs of a check. The quadtree follows from them.
struct Checked {
    field: Arc<HeightField>,
    layout: ChunkLayout,
    viewers: Vec<Viewer>,
    morphs: bool,
}

impl Checked {
    fn is_of(&self, field: &Arc<HeightField>, layout: &ChunkLayout, viewers: &[Viewer], morphs: bool) -> bool {
        Arc::ptr_eq(&self.field, field) && (&self.layout, &*self.viewers, self.morphs) == (layout, viewers, morphs)
    }
}

fn watch_seams(mut terrains: Query<(&TerrainState, &mut SeamWatch)>) {
    for (state, mut watch) in &mut terrains {
        let running = &mut watch.bypass_change_detection().running;
        if running.is_running() {
            if let Some(report) = running.take() {
                watch.report = Some(report);
            }
            continue;
        }
        let (Some(field), Some(layout), Some(tree)) = (state.field(), state.layout(), state.quadtree()) else {
            continue;
        };
        let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
        let viewers: Vec<Viewer> = state.viewers().collect();
        let is_same = |checked: &Checked| checked.is_of(field, layout, &viewers, morphs);
        if watch.checked.as_ref().is_some_and(is_same) && watch.report.is_some() && state.is_settled() {
            continue;
        }
        let center = viewers.first().map_or([0.0; 2], |viewer| viewer.xz().map(f64::round));
        let morph = if morphs { Morph::new(&viewers, center) } else { Morph::STILL };
        watch.checked = Some(Checked { field: Arc::clone(field), layout: *layout, viewers, morphs });
        let (field, layout, tree) = (Arc::clone(field), *layout, tree.clone());
        watch.running = Background::start(move || seam_report(&field, &layout, &tree, &morph, center));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkSettings, LodRanges, ViewerPoint};
    use crate::field::FieldSettings;

    #[test]
    fn a_check_counts_for_its_field_layout_viewers_and_morph() {
        let field = Arc::new(HeightField::new(&FieldSettings::default()));
        let layout = ChunkLayout::new(&ChunkSettings::default());
        let point = ViewerPoint {
            position: [0.0; 3],
            forward: [1.0, 0.0],
            view_distance: 100.0,
            projection_scale: 1000.0,
            is_orthographic: false,
        };
        let viewers = vec![Viewer::new(&layout, point, LodRanges::none(&layout), (0.0, 0.0))];
        let checked = Checked { field: Arc::clone(&field), layout, viewers: viewers.clone(), morphs: true };
        assert!(checked.is_of(&field, &layout, &viewers, true));
        assert!(!checked.is_of(&field, &layout, &viewers, false));
        assert!(!checked.is_of(&field, &layout, &[], true));
        let other = ChunkLayout::new(&ChunkSettings { quads: 8, ..Default::default() });
        assert!(!checked.is_of(&field, &other, &viewers, true));
        // A new field counts as different, even with the same heights: they are not compared.
        assert!(!checked.is_of(&Arc::new(HeightField::new(&FieldSettings::default())), &layout, &viewers, true));
    }
}
