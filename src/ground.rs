//! Heights and normals of the ground anywhere, whether or not a chunk is loaded.
//!
//! There are two grounds, and [`TerrainGround`] answers for both:
//!
//! - **The triangles of level 0**, which chunks draw near a viewer: [`height`](TerrainGround::height) and
//!   [`normal`](TerrainGround::normal). Feet, wheels and trees stand on them, and so do colliders that are made of chunks of
//!   level 0. A chunk is drawn so up to 1.5 of its sides from a viewer, which is 400 m by default; further away the drawn ground
//!   lies within `lod.pixel_error` pixels of it. While a viewer that was put somewhere else waits for chunks, it may be coarser.
//! - **The smooth height field**, which the vertices are samples of: [`field_height`](TerrainGround::field_height) and
//!   [`field_normal`](TerrainGround::field_normal). It does not depend on the spacing of vertices, and costs a quarter.
//!
//! Both are the same at every vertex. In between, a quad cannot show how the field curves:
//!
//! | ground | vertices | half of the ground differs by less than | 99.9 % by less than |
//! | --- | --: | --: | --: |
//! | `rolling_hills` | 4 m apart | 0.02 m, 1.3 degrees | 0.21 m, 7 degrees |
//! | `islands` | 4 m apart | 0.04 m, 2.3 degrees | 0.40 m, 13 degrees |
//! | `alps` | 8 m apart | 0.17 m, 3.4 degrees | 2.2 m, 29 degrees |
//!
//! Tools and servers without Bevy's ECS call [`surface_height`](crate::chunk::surface_height) and
//! [`HeightField::height`].

use crate::chunk::{ChunkLayout, SurfacePoint};
use crate::field::HeightField;
use crate::stream::{Terrain, TerrainPlace, TerrainState};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;

/// Heights and normals of the terrain, in world coordinates.
///
/// The answers are those of the ground that is shown, and need no loaded chunk. All methods return `None` where `position` is
/// not finite, and before any terrain has loaded its settings. Where terrains overlap, the highest counts. Only the x and z of
/// `position` matter, unless the terrain is tilted.
///
/// A terrain that was moved is found where its `GlobalTransform` says: where it was in the last frame. A place of the world is
/// as coarse as any `f32`; far from the origin, ask [`surface_height`](crate::chunk::surface_height) in the terrain's own
/// coordinates, which are `f64`.
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

/// A place on the ground, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GroundPoint {
    position: Vec3,
    normal: Vec3,
}

impl TerrainGround<'_, '_> {
    /// The world height, in metres, of the ground above or below `position`, as it is drawn near a viewer: on the triangles of
    /// level 0. At a vertex it has the bits that are drawn.
    #[must_use]
    pub fn height(&self, position: Vec3) -> Option<f32> {
        self.point(position, SurfacePoint::at).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the triangle of level 0 above or below `position`. It is the same all over
    /// a triangle. For one that changes smoothly, as the shading does, ask for the [`field_normal`](Self::field_normal).
    #[must_use]
    pub fn normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position, SurfacePoint::at).map(|point| point.normal)
    }

    /// The world height, in metres, of the smooth height field above or below `position`. It differs from the drawn
    /// [`height`](Self::height) between vertices; the [module](self) says by how much.
    #[must_use]
    pub fn field_height(&self, position: Vec3) -> Option<f32> {
        self.point(position, field_point).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the smooth height field above or below `position`: from central differences
    /// over the spacing of level 0. At a vertex it is the normal that the chunk is lit with.
    #[must_use]
    pub fn field_normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position, field_point).map(|point| point.normal)
    }

    /// The highest of the places that `find` finds on the terrains.
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

/// The smooth field at a place.
fn field_point(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> SurfacePoint {
    SurfacePoint { height: field.height(x, z).into(), normal: field.normal(x, z, layout.spacing(0)) }
}
