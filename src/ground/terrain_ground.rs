//! Heights and normals of the ground at any position. No chunk needs to be loaded there.
//!
//! [`TerrainGround`] can query two surfaces:
//!
//! - **The triangles of level 0**: [`height`](TerrainGround::height) and [`normal`](TerrainGround::normal). Chunks near a viewer
//!   draw these triangles, so use them for feet, wheels and trees, and with colliders made from level-0 chunks. Level 0 is drawn
//!   up to at least 1.5 chunk sides from a viewer, about 400 m by default. Beyond that, the drawn ground differs from these
//!   triangles by about `lod.pixel_error` pixels at most. In the first frames after a teleport, level 0 may reach less far.
//! - **The smooth height field**: [`field_height`](TerrainGround::field_height) and
//!   [`field_normal`](TerrainGround::field_normal). It does not depend on the spacing of the vertices, and a query takes a quarter
//!   of the time.
//!
//! Both surfaces have the same height at every vertex. Between vertices the triangles are flat and the field is not:
//!
//! | terrain | spacing | median difference | 99.9th percentile |
//! | --- | --: | --: | --: |
//! | `rolling_hills` | 4 m | 0.02 m, 1.3 degrees | 0.21 m, 7 degrees |
//! | `islands` | 4 m | 0.04 m, 2.3 degrees | 0.40 m, 13 degrees |
//! | `alps` | 8 m | 0.17 m, 3.4 degrees | 2.2 m, 29 degrees |
//!
//! Without Bevy's ECS, use [`surface_height`](crate::chunk::surface_height) and [`HeightField::height`].

use crate::chunk::{ChunkLayout, SurfacePoint};
use crate::field::HeightField;
use crate::stream::{Terrain, TerrainPlace, TerrainState};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;

/// Heights and normals of the terrain, in world coordinates.
///
/// Queries the ground that is currently shown. During a reload, that is still the old ground.
///
/// - All methods return `None` if `position` is not finite, or if no terrain has loaded its settings yet.
/// - If terrains overlap, the highest one counts.
/// - Only the x and z of `position` matter, unless the terrain is tilted.
/// - The position of a terrain is that of its `GlobalTransform`, so a move takes effect after transform propagation.
/// - A world position has the precision of `f32`. Far from the origin, use [`surface_height`](crate::chunk::surface_height) with
///   the terrain's own coordinates, which are `f64`.
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
    terrains: Query<'w, 's, (&'static TerrainState, TerrainPlace), With<Terrain>>,
}

/// A point on the ground, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GroundPoint {
    position: Vec3,
    normal: Vec3,
}

impl TerrainGround<'_, '_> {
    /// The world height, in metres, of the level-0 triangle above or below `position`. The same triangle is drawn near a viewer;
    /// at a vertex, the height has the drawn bits.
    #[must_use]
    pub fn height(&self, position: Vec3) -> Option<f32> {
        self.point(position, SurfacePoint::at).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the level-0 triangle above or below `position`. It is constant on a triangle.
    /// For a smooth normal, as the shading uses, see [`field_normal`](Self::field_normal).
    #[must_use]
    pub fn normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position, SurfacePoint::at).map(|point| point.normal)
    }

    /// The world height, in metres, of the smooth height field above or below `position`. Between vertices it differs from the
    /// drawn [`height`](Self::height). The [module docs](self) have the differences.
    #[must_use]
    pub fn field_height(&self, position: Vec3) -> Option<f32> {
        self.point(position, field_point).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the smooth height field above or below `position`, from central differences
    /// over the spacing of level 0. At a vertex it is the normal of the level-0 mesh.
    #[must_use]
    pub fn field_normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position, field_point).map(|point| point.normal)
    }

    /// The highest of the points that `find` returns, one for each terrain.
    fn point(
        &self,
        position: Vec3,
        find: impl Fn(&HeightField, &ChunkLayout, f64, f64) -> SurfacePoint,
    ) -> Option<GroundPoint> {
        if !position.is_finite() {
            return None;
        }
        let points = self.terrains.iter().filter_map(|(state, place)| {
            let (field, layout) = (state.field()?, state.layout()?);
            let frame = place.frame();
            let DVec3 { x, z, .. } = frame.to_terrain(position);
            let SurfacePoint { height, normal } = find(field, layout, x, z);
            Some(GroundPoint {
                position: frame.to_world(DVec3::new(x, height, z)),
                normal: frame.normal_to_world(Vec3::from_array(normal)),
            })
        });
        points.max_by(|a, b| a.position.y.total_cmp(&b.position.y))
    }
}

/// Height and normal of the smooth field.
fn field_point(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> SurfacePoint {
    SurfacePoint { height: field.height(x, z).into(), normal: field.normal(x, z, layout.spacing(0)) }
}
