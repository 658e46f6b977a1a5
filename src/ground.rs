//! Asking for the ground: heights and normals anywhere, whether or not a chunk is there.

use crate::stream::{Terrain, TerrainPlace, TerrainState};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;

/// Heights and normals of the terrain, in world coordinates.
///
/// Answers come from the height field of the ground that is shown, not from meshes: they need no loaded chunk, are exact at
/// every vertex, and differ between vertices from the drawn triangles by the curvature that a quad cannot show. Before
/// settings are loaded there is no ground. Where a terrain was moved, its `GlobalTransform` counts: that of the last frame. A
/// world's place that is far from the origin is as coarse as any `f32`; [`TerrainState::field`] answers in `f64`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// fn keep_above_ground(ground: TerrainGround, mut cameras: Query<&mut Transform, With<TerrainViewer>>) {
///     for mut camera in &mut cameras {
///         if let Some(height) = ground.height(camera.translation) {
///             camera.translation.y = camera.translation.y.max(height + 2.0);
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(keep_above_ground);
/// ```
#[derive(SystemParam)]
pub struct TerrainGround<'w, 's> {
    terrains: Query<'w, 's, (&'static TerrainState, TerrainPlace), With<Terrain>>,
}

/// A place on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GroundPoint {
    position: Vec3,
    normal: Vec3,
}

impl TerrainGround<'_, '_> {
    /// The world height of the ground above or below `position`, in metres; of the highest terrain where there are several.
    /// `None` where there is none, or `position` is not finite.
    #[must_use]
    pub fn height(&self, position: Vec3) -> Option<f32> {
        self.point(position).map(|point| point.position.y)
    }

    /// The unit normal of the ground above or below `position`, in world coordinates.
    #[must_use]
    pub fn normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position).map(|point| point.normal)
    }

    fn point(&self, position: Vec3) -> Option<GroundPoint> {
        if !position.is_finite() {
            return None;
        }
        let points = self.terrains.iter().filter_map(|(state, place)| {
            let (field, layout) = (state.field()?, state.layout()?);
            let frame = place.frame();
            let DVec3 { x, z, .. } = frame.to_terrain(position);
            let normal = Vec3::from_array(field.normal(x, z, layout.spacing(0)));
            Some(GroundPoint {
                position: frame.to_world(DVec3::new(x, field.height(x, z).into(), z)),
                normal: frame.normal_to_world(normal),
            })
        });
        points.max_by(|a, b| a.position.y.total_cmp(&b.position.y))
    }
}
