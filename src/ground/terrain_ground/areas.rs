//! Boxes of the world: their lowest and highest vertex, and their triangles.

use super::{GroundNotLoaded, TerrainGround};
use crate::ground::{AreaError, GroundTriangles};
use crate::stream::TerrainFrame;
use bevy::math::DVec3;
use bevy::prelude::*;

/// Triangles in world coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WorldTriangles {
    /// The vertices, in metres.
    pub positions: Vec<Vec3>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
    pub triangles: Vec<[u32; 3]>,
}

/// A box of the world that can't be answered for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundAreaError {
    /// The terrain is not loaded yet.
    #[error(transparent)]
    NotLoaded(#[from] GroundNotLoaded),
    /// The box is not valid or too large.
    #[error(transparent)]
    Area(#[from] AreaError),
}

impl TerrainGround<'_, '_> {
    /// The lowest and the highest level-0 vertex of `terrain` in a box of the world between two corners, whose heights don't count.
    /// `None` without a vertex in the box, or without such a terrain.
    ///
    /// If the terrain is rotated, the box is the smallest one along the axes of the terrain that has both corners and all between.
    ///
    /// # Errors
    ///
    /// If the terrain has not loaded its settings yet, or the box is not valid or too large.
    pub fn extremes(&self, terrain: Entity, corners: [Vec3; 2]) -> Result<Option<[Vec3; 2]>, GroundAreaError> {
        let Some((ground, frame)) = self.loaded(terrain)? else { return Ok(None) };
        let [min, max] = area(&frame, corners);
        let extremes = ground.extremes(min, max)?;
        let to_world = |position| frame.to_world(DVec3::from_array(position));
        Ok(extremes.map(|extremes| [extremes.lowest, extremes.highest].map(to_world)))
    }

    /// The triangles of `terrain` in a box of the world, with world positions. See
    /// [`Ground::triangles_in`](crate::ground::Ground::triangles_in), and
    /// [`extremes`](Self::extremes) for the box. `None` without such a terrain.
    ///
    /// # Errors
    ///
    /// If the terrain has not loaded its settings yet, or the box or the spacing is not valid, or there are too many vertices.
    pub fn triangles_in(
        &self,
        terrain: Entity,
        corners: [Vec3; 2],
        spacing: f32,
    ) -> Result<Option<WorldTriangles>, GroundAreaError> {
        let Some((ground, frame)) = self.loaded(terrain)? else { return Ok(None) };
        let [min, max] = area(&frame, corners);
        let GroundTriangles { origin, positions, triangles, .. } =
            ground.triangles_in(min, max, f64::from(spacing) / frame.scale())?;
        let to_world = |[x, y, z]: [f32; 3]| {
            frame.to_world(DVec3::new(origin[0] + f64::from(x), y.into(), origin[1] + f64::from(z)))
        };
        Ok(Some(WorldTriangles { positions: positions.into_iter().map(to_world).collect(), triangles }))
    }
}

/// The smallest area of a terrain that has a box of the world between two corners.
fn area(frame: &TerrainFrame, [a, b]: [Vec3; 2]) -> [[f64; 2]; 2] {
    let corners = [a, b, Vec3::new(a.x, a.y, b.z), Vec3::new(b.x, b.y, a.z)];
    let positions = corners.map(|corner| frame.to_terrain(corner)).map(|position| [position.x, position.z]);
    // Unlike `f64::min`, NaN stays.
    let pick = |a: f64, b: f64, is_less: bool| if a.is_nan() || (a < b) == is_less { a } else { b };
    let fold = |is_less| {
        let all = positions.into_iter().reduce(|one, other| [0, 1].map(|axis| pick(one[axis], other[axis], is_less)));
        all.unwrap_or_default()
    };
    [fold(true), fold(false)]
}
