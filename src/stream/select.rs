//! Viewers moved: which chunks are wanted now.

use super::{Terrain, TerrainState, TerrainStats, TerrainViewer};
use crate::chunk::ViewerPoint;
use bevy::prelude::*;

/// A cover is computed anew when a viewer has moved by this part of a chunk's side.
const STEP: f64 = 0.25;

/// Computes the cover of every terrain whose viewers moved, and lets tasks follow it.
pub(super) fn select_chunks(
    viewers: Query<(Entity, &TerrainViewer)>,
    mut terrains: Query<(Entity, &mut TerrainState), With<Terrain>>,
    transforms: TransformHelper,
    mut seen: Local<Vec<ViewerPoint>>,
    mut warned: Local<bool>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(|stats| {
        for (entity, mut state) in &mut terrains {
            let Some(layout) = state.newest().map(|generation| generation.layout) else {
                continue;
            };
            let Ok(terrain) = transforms.compute_global_transform(entity) else {
                continue;
            };
            let to_terrain = terrain.affine().inverse();
            let step = layout.chunk_size(0) * STEP;
            seen.clear();
            for (viewer, &TerrainViewer { view_distance }) in &viewers {
                let point = transforms.compute_global_transform(viewer).ok().and_then(|transform| {
                    let position = to_terrain.transform_point3(transform.translation());
                    let forward = to_terrain.transform_vector3(*transform.forward());
                    let point = ViewerPoint {
                        position: [f64::from(position.x), f64::from(position.z)],
                        forward: [f64::from(forward.x), f64::from(forward.z)],
                        // Far enough for every place that is coarsened to this one.
                        view_distance: f64::from(view_distance) + step * std::f64::consts::FRAC_1_SQRT_2,
                    };
                    point.coarse(step)
                });
                match point {
                    Some(point) => seen.push(point),
                    None if !*warned => {
                        *warned = true;
                        warn!(
                            "{viewer} sees no terrain: its place and its `TerrainViewer::view_distance` must be finite \
                             numbers, and whatever it is a child of needs a `Transform`"
                        );
                    }
                    None => {}
                }
            }
            if *seen == state.viewers && !state.reselect {
                continue;
            }
            state.viewers.clone_from(&seen);
            (state.reselect, state.cover_changed) = (false, true);
            for generation in state.generations() {
                stats.tasks_cancelled += generation.select(&seen) as u64;
            }
        }
    });
}
