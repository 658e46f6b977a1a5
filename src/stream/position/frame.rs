//! The transform between a terrain's own coordinates and world coordinates.

use super::TerrainOrigin;
use bevy::ecs::query::QueryData;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::Grid;

/// Converts between a terrain's own coordinates and world coordinates.
///
/// Terrain coordinates are `f64`, because they may be millions of kilometres. World coordinates are `f32`, which is precise near
/// the world origin. Get the frame of a terrain from [`TerrainPosition`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainFrame {
    /// A position in terrain coordinates.
    center: DVec3,
    /// The transform from positions relative to `center` to world coordinates.
    to_world: DAffine3,
}

impl TerrainFrame {
    /// The frame of a terrain with this transform and this origin.
    #[must_use]
    pub fn new(transform: &GlobalTransform, origin: TerrainOrigin) -> Self {
        let affine = transform.affine();
        let to_world = DAffine3 { matrix3: affine.matrix3.as_dmat3(), translation: affine.translation.as_dvec3() };
        Self { center: origin.position(), to_world }
    }

    /// The frame of a terrain in a `BigSpace`. The world origin is the cell of the floating origin.
    #[cfg(feature = "big_space")]
    pub(in crate::stream) fn of_grid(grid: &Grid, origin: TerrainOrigin) -> Self {
        let floating = grid.local_floating_origin();
        Self { center: origin.position() + grid.cell_to_float(&floating.cell()), to_world: floating.grid_transform() }
    }

    /// Converts a position of the terrain to world coordinates, in metres.
    #[must_use]
    pub fn to_world(&self, position: DVec3) -> Vec3 {
        self.to_world.transform_point3(position - self.center).as_vec3()
    }

    /// Converts a position of the world to terrain coordinates, in metres. The result is not finite if `point` is not, or if the
    /// terrain has a scale of zero.
    #[must_use]
    pub fn to_terrain(&self, point: Vec3) -> DVec3 {
        self.world_to_terrain().transform_point3(point.as_dvec3())
    }

    /// Converts a vector of the world, such as a direction, to terrain coordinates. Its length changes with the scale.
    #[must_use]
    pub fn vector_to_terrain(&self, vector: Vec3) -> DVec3 {
        self.to_world.matrix3.inverse() * vector.as_dvec3()
    }

    /// The transform from world coordinates to terrain coordinates.
    pub(crate) fn world_to_terrain(&self) -> DAffine3 {
        let mut inverse = self.to_world.inverse();
        inverse.translation += self.center;
        inverse
    }

    /// Converts a surface normal of the terrain to a unit normal in world coordinates.
    #[must_use]
    pub fn normal_to_world(&self, normal: Vec3) -> Vec3 {
        (self.to_world.matrix3.inverse().transpose() * normal.as_dvec3()).as_vec3().normalize_or(Vec3::Y)
    }

    /// Whether every position of the world has one of the terrain. Not if the terrain has a scale of zero, or one that is not finite.
    pub(crate) fn is_invertible(&self) -> bool {
        let determinant = self.to_world.matrix3.determinant();
        determinant.is_normal() && self.to_world.is_finite()
    }

    /// The axes of the terrain in the world, of length 1.
    pub(crate) fn axes(&self) -> Mat3 {
        (self.to_world.matrix3 * self.scale().recip()).as_mat3()
    }

    /// The scale of the terrain in the world.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.to_world.matrix3.y_axis.length()
    }
}

/// Query data for the position of a terrain: `Query<(&TerrainState, TerrainPosition)>`.
///
/// ```
/// # use bevy::math::DVec3;
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// /// Moves the marks onto the ground of a town 10 000 km to the east.
/// fn mark_town(terrains: Query<(&TerrainState, TerrainPosition)>, mut marks: Query<&mut Transform, With<Name>>) {
///     for (state, position) in &terrains {
///         if let Some(field) = state.field() {
///             let [x, z] = [1e7 + 120.0, -40.0];
///             for mut mark in &mut marks {
///                 mark.translation = position.frame().to_world(DVec3::new(x, field.height(x, z).into(), z));
///             }
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(mark_town);
/// ```
#[derive(QueryData)]
#[query_data(derive(Clone, Copy))]
pub struct TerrainPosition {
    pub(in crate::stream) origin: &'static TerrainOrigin,
    transform: &'static GlobalTransform,
    #[cfg(feature = "big_space")]
    pub(in crate::stream) grid: Option<&'static Grid>,
}

impl TerrainPositionItem<'_, '_> {
    /// The frame of the terrain, as of the last transform propagation in `PostUpdate`.
    #[must_use]
    pub fn frame(&self) -> TerrainFrame {
        #[cfg(feature = "big_space")]
        if let Some(grid) = self.grid {
            return TerrainFrame::of_grid(grid, *self.origin);
        }
        TerrainFrame::new(self.transform, *self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_converts_to_the_world_and_back() {
        let origin = TerrainOrigin::new(1e9, -1e7);
        let position = origin.position() + DVec3::new(120.25, 30.0, -2000.5);
        let plain = TerrainFrame::new(&GlobalTransform::IDENTITY, origin);
        assert_eq!(plain.to_world(position), Vec3::new(120.25, 30.0, -2000.5));
        assert_eq!(plain.to_terrain(Vec3::new(120.25, 30.0, -2000.5)), position);
        let turned = Transform {
            translation: Vec3::new(100.0, -5.0, 7.0),
            rotation: Quat::from_rotation_y(0.7),
            scale: Vec3::splat(2.5),
        };
        let frame = TerrainFrame::new(&turned.into(), origin);
        let point = frame.to_world(position);
        // The precision of `f32` at up to 5000 m.
        assert!((point - turned.transform_point(Vec3::new(120.25, 30.0, -2000.5))).abs().max_element() < 1e-3);
        assert!((frame.to_terrain(point) - position).abs().max_element() < 1e-3);
        assert!((frame.scale() - 2.5).abs() < 1e-6);
        let step = Vec3::new(1.0, -2.0, 3.0);
        let moved = frame.to_terrain(point + step) - frame.to_terrain(point);
        assert!((frame.vector_to_terrain(step) - moved).abs().max_element() < 1e-3);
    }

    #[test]
    fn a_normal_stays_perpendicular_when_the_terrain_is_rotated_and_scaled() {
        let transform = Transform::from_rotation(Quat::from_rotation_y(0.7)).with_scale(Vec3::splat(3.0));
        let frame = TerrainFrame::new(&transform.into(), TerrainOrigin::default());
        let (normal, along) = (Vec3::new(0.6, 0.8, 0.0), DVec3::new(0.8, -0.6, 0.3));
        let turned = frame.normal_to_world(normal);
        assert!((turned.length() - 1.0).abs() < 1e-6);
        assert!(turned.dot(frame.to_world(along) - frame.to_world(DVec3::ZERO)).abs() < 1e-5);
        assert_eq!(frame.normal_to_world(Vec3::Y), Vec3::Y);
    }
}
