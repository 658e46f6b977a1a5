//! Many positions at once.

use super::{GroundPoint, TerrainGround};
use crate::chunk::SurfacePoint;
use crate::ground::Ground;
use bevy::math::DVec3;
use bevy::prelude::*;

impl TerrainGround<'_, '_> {
    /// The [point](Self::point) of each of `positions`. For hundreds of positions, several times as fast.
    #[must_use]
    pub fn points(&self, positions: &[Vec3]) -> Vec<Option<GroundPoint>> {
        self.find_all(positions, Ground::points)
    }

    /// The [`field_height`](Self::field_height) of each of `positions`. For hundreds of positions, several times as fast.
    #[must_use]
    pub fn field_heights(&self, positions: &[Vec3]) -> Vec<Option<f32>> {
        let find = |ground: &Ground, terrain_positions: &[[f64; 2]], points: &mut Vec<SurfacePoint>| {
            let mut heights = vec![0.0; terrain_positions.len()];
            ground.field().heights_at(terrain_positions, &mut heights);
            points.clear();
            points.extend(
                heights.into_iter().map(|height| SurfacePoint { height: height.into(), normal: [0.0, 1.0, 0.0] }),
            );
        };
        let points = self.find_all(positions, find);
        points.into_iter().map(|point| point.map(|point| point.position.y)).collect()
    }

    /// The highest of the points that `find` replaces its last argument by, one for each terrain and each position.
    fn find_all(
        &self,
        positions: &[Vec3],
        find: impl Fn(&Ground, &[[f64; 2]], &mut Vec<SurfacePoint>),
    ) -> Vec<Option<GroundPoint>> {
        let mut highest: Vec<Option<GroundPoint>> = vec![None; positions.len()];
        let mut points = vec![];
        for (_, state, frame) in self.placed() {
            let Some(ground) = self.ground_of(state) else { continue };
            let to_terrain = frame.world_to_terrain();
            let terrain_positions: Vec<[f64; 2]> = positions
                .iter()
                .map(|position| {
                    let DVec3 { x, z, .. } = to_terrain.transform_point3(position.as_dvec3());
                    [x, z]
                })
                .collect();
            find(&ground, &terrain_positions, &mut points);
            for (((highest, position), terrain_position), &point) in
                highest.iter_mut().zip(positions).zip(terrain_positions).zip(&points)
            {
                let point = GroundPoint::new(&frame, terrain_position, point);
                if position.is_finite() && highest.is_none_or(|highest| point.position.y >= highest.position.y) {
                    *highest = Some(point);
                }
            }
        }
        highest
    }
}
