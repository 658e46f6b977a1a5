//! Watching for seams in the running app.

use crate::chunk::{ChunkLayout, Morph, SeamReport, Viewer, seam_report};
use crate::field::HeightField;
use crate::stream::build::in_background;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;
use bevy::tasks::{Task, futures::check_ready};
use std::sync::Arc;

/// Checks, in the background and again and again, that the chunks that are shown meet: a [`SeamReport`] for every terrain
/// with a [`SeamWatch`].
///
/// Every check builds all chunks that are shown once more, so this is a tool for development. The inspector adds it and shows
/// the number of seams: 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainSeamPlugin;

impl Plugin for TerrainSeamPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<SeamWatch>().add_systems(PostUpdate, watch_seams.in_set(TerrainSystems::Last));
    }
}

/// Put this on a [`Terrain`] to have it checked for seams.
#[derive(Component, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Terrain)]
pub struct SeamWatch {
    /// What the last check found. `None` until there was one.
    #[reflect(ignore)]
    pub report: Option<SeamReport>,
    #[reflect(ignore)]
    running: Option<Task<SeamReport>>,
    /// What the last check was made of.
    #[reflect(ignore)]
    checked: Option<Checked>,
}

/// What a check follows from; the cover does too, which follows from these.
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
        if let Some(running) = &mut watch.bypass_change_detection().running {
            if let Some(report) = check_ready(running) {
                watch.running = None;
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
        let center = viewers.first().map_or([0.0; 2], |viewer| viewer.place().map(f64::round));
        let morph = if morphs { Morph::new(&viewers, center) } else { Morph::STILL };
        watch.checked = Some(Checked { field: Arc::clone(field), layout: *layout, viewers, morphs });
        let (field, layout, tree) = (Arc::clone(field), *layout, tree.clone());
        watch.running = Some(in_background(move || seam_report(&field, &layout, &tree, &morph, center)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkSettings, LodRanges, ViewerPoint};
    use crate::field::FieldSettings;

    #[test]
    fn a_check_is_of_one_ground_around_some_viewers() {
        let field = Arc::new(HeightField::new(&FieldSettings::default()));
        let layout = ChunkLayout::new(&ChunkSettings::default());
        let point =
            ViewerPoint { position: [0.0; 3], forward: [1.0, 0.0], view_distance: 100.0, projection_scale: 1000.0 };
        let viewers = vec![Viewer::new(&layout, point, LodRanges::none(&layout), (0.0, 0.0))];
        let checked = Checked { field: Arc::clone(&field), layout, viewers: viewers.clone(), morphs: true };
        assert!(checked.is_of(&field, &layout, &viewers, true));
        assert!(!checked.is_of(&field, &layout, &viewers, false));
        assert!(!checked.is_of(&field, &layout, &[], true));
        let other = ChunkLayout::new(&ChunkSettings { quads: 8, ..Default::default() });
        assert!(!checked.is_of(&field, &other, &viewers, true));
        // The same heights once more are another ground: nobody compares them.
        assert!(!checked.is_of(&Arc::new(HeightField::new(&FieldSettings::default())), &layout, &viewers, true));
    }
}
