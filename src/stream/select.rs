//! Viewers moved: which chunks are wanted now.

use super::{Terrain, TerrainState, TerrainStats, TerrainViewer, ViewerLens};
use crate::chunk::ViewerPoint;
use bevy::prelude::*;

/// Finds what is wanted of every terrain whose viewers moved, and lets tasks follow it.
pub(super) fn select_chunks(
    viewers: Query<(Entity, &TerrainViewer, &ViewerLens)>,
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    transforms: TransformHelper,
    mut seen: Local<(Vec<Entity>, Vec<ViewerPoint>)>,
    mut warned: Local<bool>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|stats| {
        let (entities, points) = &mut *seen;
        for (entity, mut state) in &mut terrains {
            let Ok(terrain) = transforms.compute_global_transform(entity) else {
                continue;
            };
            let to_terrain = terrain.affine().inverse();
            entities.clear();
            points.clear();
            for (viewer, &TerrainViewer { view_distance }, lens) in &viewers {
                let point = transforms.compute_global_transform(viewer).ok().map(|transform| {
                    let forward = to_terrain.transform_vector3(*transform.forward()).with_y(0.0).normalize_or_zero();
                    ViewerPoint {
                        position: to_terrain.transform_point3(transform.translation()).to_array().map(f64::from),
                        forward: [f64::from(forward.x), f64::from(forward.z)],
                        view_distance: f64::from(view_distance).max(0.0),
                        sharpness: lens.sharpness(),
                    }
                });
                match point.filter(ViewerPoint::is_finite) {
                    Some(point) => {
                        entities.push(viewer);
                        points.push(point);
                    }
                    None if !*warned => {
                        *warned = true;
                        warn!(
                            "{viewer} sees no terrain: its place, its `TerrainViewer::view_distance` and its `ViewerLens` \
                             must be finite numbers, and whatever it is a child of needs a `Transform`"
                        );
                    }
                    None => {}
                }
            }
            let is_rougher = state.shown.as_ref().is_some_and(|generation| generation.is_rougher);
            if *points == state.points && *entities == state.viewers && !state.reselect && !is_rougher {
                continue;
            }
            let state = &mut *state;
            let Some(settings) = &state.settings else {
                continue;
            };
            state.points.clone_from(points);
            state.viewers.clone_from(entities);
            (state.reselect, state.redraw, state.cover_changed) = (false, true, true);
            for generation in state.shown.iter_mut().chain(state.incoming.iter_mut()) {
                stats.tasks_cancelled += generation.select(points, &settings.lod, settings.stream.keep_margin) as u64;
            }
        }
    });
}
