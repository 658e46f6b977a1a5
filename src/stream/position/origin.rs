//! The terrain coordinates of the terrain's entity.

use crate::chunk::ChunkLayout;
use bevy::math::DVec3;
use bevy::prelude::*;

/// The position of the [`Terrain`](crate::stream::Terrain) entity in the terrain's own coordinates. Default: (0, 0).
///
/// Bevy's transforms are `f32`: ten thousand kilometres from the world origin, their precision is only a metre. A game that plays
/// there stores the distance here, in `f64`, and stays near the world origin:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     // The ground around (10 000 km, -3 km) is at the world origin.
///     commands.spawn((Terrain(assets.load("terrain/alps.terrain.ron")), TerrainOrigin::new(1e7, -3000.0)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
///
/// When it changes, the chunks move in the same frame. No chunk is rebuilt. If the viewers move by the same distance, the selected
/// chunks stay the same too. [`OriginShiftPlugin`](super::OriginShiftPlugin) does both while a viewer travels.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct TerrainOrigin {
    x: f64,
    z: f64,
}

impl TerrainOrigin {
    /// The origin at `(x, z)`, in metres. Rounds both to whole multiples of 1/1024 m. A number that is not finite becomes 0.
    ///
    /// Vertices have multiples of the same step. So the corner of every chunk within 16 km of the terrain's entity is an exact
    /// `f32`, and neighbors draw their common border at the same position.
    #[must_use]
    pub fn new(x: f64, z: f64) -> Self {
        let round = |metres: f64| {
            let steps = (metres * ChunkLayout::STEPS_PER_METRE).round();
            if steps.is_finite() { steps / ChunkLayout::STEPS_PER_METRE } else { 0.0 }
        };
        Self { x: round(x), z: round(z) }
    }

    /// The x coordinate, in metres.
    #[must_use]
    pub const fn x(&self) -> f64 {
        self.x
    }

    /// The z coordinate, in metres.
    #[must_use]
    pub const fn z(&self) -> f64 {
        self.z
    }

    /// The position, with a height of zero.
    #[must_use]
    pub const fn position(&self) -> DVec3 {
        DVec3::new(self.x, 0.0, self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_lies_on_the_grid_of_all_vertices() {
        for metres in [0.0, 0.1, -1.0 / 3.0, 1e7 + 0.3, -1e9 - 0.7, 123_456_789.123] {
            let origin = TerrainOrigin::new(metres, -metres);
            assert!((origin.x() - metres).abs() <= 0.5 / 1024.0, "{metres} became {origin:?}");
            assert_eq!((origin.x() * 1024.0).fract(), 0.0);
            assert_eq!(origin.z(), -origin.x());
        }
        assert_eq!(TerrainOrigin::new(f64::NAN, f64::INFINITY), TerrainOrigin::default());
        assert_eq!(TerrainOrigin::new(1e7, -4096.0).position(), DVec3::new(1e7, 0.0, -4096.0));
    }
}
