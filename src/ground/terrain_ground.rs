//! The system parameter for games: the ground in world coordinates.

mod areas;
mod batches;
mod rays;

use super::Ground;
use super::drawn::DrawnTerrain;
use super::plugin::TerrainTiles;
use crate::chunk::{ChunkCoord, ChunkLayout, SurfacePoint};
use crate::field::HeightField;
use crate::stream::{Terrain, TerrainFrame, TerrainPosition, TerrainState};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;
use std::sync::Arc;

pub use areas::{GroundAreaError, WorldTriangles};
pub use rays::TerrainHit;
#[cfg(feature = "picking")]
pub(super) use rays::WorldRay;

/// Heights, normals and rays of the terrain, in world coordinates.
///
/// Queries the ground that is currently shown. During a reload, that is still the old ground.
///
/// - A query for one position returns `None` if it is not finite, or if no terrain has loaded its settings yet. What may find no
///   ground, such as a [ray](Self::ray), returns [`GroundNotLoaded`] in the second case: ask again in a later frame.
/// - If terrains overlap, the highest one counts. A terrain with a scale of zero has no ground.
/// - Only the x and z of `position` matter, unless the terrain is tilted.
/// - The position of a terrain is that of its `GlobalTransform`, so a move takes effect after transform propagation.
/// - A world position has the precision of `f32`. Far from the origin, use [`surface_height`](crate::chunk::surface_height) with
///   the terrain's own coordinates, which are `f64`, or the [`Ground`] of [`ground`](Self::ground).
/// - All methods take `&self`: any number of systems can query the ground at the same time. They share the tiles that rays and
///   boxes read, in [`TerrainBudget::query_memory`](crate::stream::TerrainBudget::query_memory).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// #[derive(Component)]
/// struct Walker;
///
/// fn stand_on_ground(ground: TerrainGround, mut walkers: Query<&mut Transform, With<Walker>>) {
///     for mut walker in &mut walkers {
///         if let Some(height) = ground.height(walker.translation) {
///             walker.translation.y = height;
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(stand_on_ground);
/// ```
#[derive(SystemParam)]
pub struct TerrainGround<'w, 's> {
    terrains: Query<'w, 's, (Entity, &'static TerrainState, TerrainPosition), With<Terrain>>,
    tiles: Res<'w, TerrainTiles>,
}

/// A point on the ground, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// The position, in metres.
    pub position: Vec3,
    /// The unit normal.
    pub normal: Vec3,
}

impl GroundPoint {
    /// The angle between the ground and the horizontal, in radians: 0 on level ground.
    #[must_use]
    pub fn slope(&self) -> f32 {
        let [x, y, z] = self.normal.to_array();
        SurfacePoint { height: 0.0, normal: [x, y, z] }.slope()
    }

    fn new(frame: &TerrainFrame, [x, z]: [f64; 2], SurfacePoint { height, normal }: SurfacePoint) -> Self {
        Self {
            position: frame.to_world(DVec3::new(x, height, z)),
            normal: frame.normal_to_world(Vec3::from_array(normal)),
        }
    }
}

/// A point on the ground that is drawn now.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DrawnGround {
    /// Position and normal, in world coordinates.
    pub point: GroundPoint,
    /// The terrain.
    pub terrain: Entity,
    /// The drawn chunk, with its level.
    pub chunk: ChunkCoord,
}

/// A terrain has not loaded its settings yet, so its ground is not known. Ask again in a later frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("a terrain has not loaded its settings yet")]
pub struct GroundNotLoaded;

impl TerrainGround<'_, '_> {
    /// The world height, in metres, of the level-0 triangle above or below `position`. The same triangle is drawn near a viewer;
    /// at a vertex, the height has the drawn bits.
    #[must_use]
    pub fn height(&self, position: Vec3) -> Option<f32> {
        self.point(position).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the level-0 triangle above or below `position`. It is constant on a triangle.
    /// For a smooth normal, as the shading uses, see [`field_normal`](Self::field_normal).
    #[must_use]
    pub fn normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position).map(|point| point.normal)
    }

    /// The angle between the level-0 triangle above or below `position` and the horizontal, in radians: 0 on level ground.
    #[must_use]
    pub fn slope(&self, position: Vec3) -> Option<f32> {
        self.point(position).map(|point| point.slope())
    }

    /// The point of the level-0 triangle above or below `position`: height, normal and slope for the price of one.
    #[must_use]
    pub fn point(&self, position: Vec3) -> Option<GroundPoint> {
        self.find(position, SurfacePoint::at)
    }

    /// The world height, in metres, of the smooth height field above or below `position`. Between vertices it differs from the
    /// drawn [`height`](Self::height). The [module docs](super) have the differences.
    #[must_use]
    pub fn field_height(&self, position: Vec3) -> Option<f32> {
        let level = |field: &HeightField, _: &ChunkLayout, x, z| SurfacePoint {
            height: field.height(x, z).into(),
            normal: [0.0, 1.0, 0.0],
        };
        self.find(position, level).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the smooth height field above or below `position`, from central differences
    /// over the spacing of level 0. At a vertex it is the normal of the level-0 mesh.
    #[must_use]
    pub fn field_normal(&self, position: Vec3) -> Option<Vec3> {
        self.find(position, field_point).map(|point| point.normal)
    }

    /// The ground that is drawn now above or below `position`: the triangle of the drawn chunk, at its level and with its morph.
    /// `None` where nothing is drawn.
    ///
    /// This is what players see. It depends on the viewers, so use [`height`](Self::height) for anything that must stay, or must
    /// be the same on other machines. It is the ground as the material of the crate draws it: `TerrainRenderPlugin::plain_meshes`,
    /// and more than 16 viewers, draw without a morph.
    #[must_use]
    pub fn surface_at(&self, position: Vec3) -> Option<DrawnGround> {
        if !position.is_finite() {
            return None;
        }
        let points = self.placed().filter_map(|(terrain, state, frame)| {
            let (ground, drawn) = (self.ground_of(state)?, DrawnTerrain::of(state)?);
            let DVec3 { x, z, .. } = frame.to_terrain(position);
            let coord = *drawn.tree.leaves_in(drawn.layout.chunk_at(0, x, z)).first()?;
            let point = drawn.chunk(coord).point(drawn.layout, &ground.tile(coord), [x, z])?;
            let point = GroundPoint::new(&frame, [x, z], point);
            Some(DrawnGround { point, terrain, chunk: coord })
        });
        points.max_by(|a, b| a.point.position.y.total_cmp(&b.point.position.y))
    }

    /// The ground of `terrain` in its own coordinates, which are `f64`. It can be moved to a task. `None` before the terrain has
    /// loaded its settings. After a reload, it is still the ground from before.
    #[must_use]
    pub fn ground(&self, terrain: Entity) -> Option<Ground> {
        self.terrains.get(terrain).ok().and_then(|(_, state, _)| self.ground_of(state))
    }

    /// All terrains with their frames, but for those whose scale is zero.
    fn placed(&self) -> impl Iterator<Item = (Entity, &TerrainState, TerrainFrame)> {
        let framed = self.terrains.iter().map(|(terrain, state, position)| (terrain, state, position.frame()));
        framed.filter(|(.., frame)| frame.is_invertible())
    }

    fn ground_of(&self, state: &TerrainState) -> Option<Ground> {
        let (field, layout) = (state.field()?, state.layout()?);
        Some(Ground::with_tiles(Arc::clone(field), *layout, Arc::clone(&self.tiles.0)))
    }

    /// The ground of a terrain and its frame. `None` if there is no such terrain, or if its scale is zero.
    fn loaded(&self, terrain: Entity) -> Result<Option<(Ground, TerrainFrame)>, GroundNotLoaded> {
        let Some((_, state, frame)) = self.placed().find(|(found, ..)| *found == terrain) else { return Ok(None) };
        self.ground_of(state).map(|ground| Some((ground, frame))).ok_or(GroundNotLoaded)
    }

    /// The highest of the points that `find` returns, one for each terrain.
    fn find(
        &self,
        position: Vec3,
        find: impl Fn(&HeightField, &ChunkLayout, f64, f64) -> SurfacePoint,
    ) -> Option<GroundPoint> {
        if !position.is_finite() {
            return None;
        }
        let points = self.placed().filter_map(|(_, state, frame)| {
            let (field, layout) = (state.field()?, state.layout()?);
            let DVec3 { x, z, .. } = frame.to_terrain(position);
            Some(GroundPoint::new(&frame, [x, z], find(field, layout, x, z)))
        });
        points.max_by(|a, b| a.position.y.total_cmp(&b.position.y))
    }
}

/// Height and normal of the smooth field.
fn field_point(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> SurfacePoint {
    SurfacePoint { height: field.height(x, z).into(), normal: field.normal(x, z, layout.spacing(0)) }
}
