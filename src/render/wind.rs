//! The wind, which moves waves, clouds and plants.

use crate::light::Wind;
use bevy::prelude::*;

/// The wind, in metres per second: one for the whole world.
///
/// A resource. It makes waves on the water of terrains, moves them and the clouds, and sways plants. A `TerrainSky` sets it when the wind of
/// its settings changes; a game may change it too. Change its speed at any time. Turn it in one step rather than a little in
/// each frame: another direction has other waves.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct TerrainWind {
    /// The speed in m/s: 0 is calm, 6 moves branches, 20 is a storm.
    pub speed: f32,
    /// Where the wind blows to, in radians clockwise from north, which is -z: 1.57 is east.
    pub toward: f32,
}

impl Default for TerrainWind {
    fn default() -> Self {
        Self::from(&Wind::default())
    }
}

impl From<&Wind> for TerrainWind {
    fn from(wind: &Wind) -> Self {
        Self { speed: wind.speed as f32, toward: wind.toward as f32 }
    }
}

impl TerrainWind {
    /// The velocity along x and z of the world, in m/s. Numbers that are not finite count as 0.
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        let [speed, toward] = [self.speed, self.toward].map(|number| if number.is_finite() { number } else { 0.0 });
        Vec2::new(toward.sin(), -toward.cos()) * speed.clamp(0.0, 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_2;

    #[test]
    fn the_wind_blows_where_its_azimuth_says() {
        let east = TerrainWind { speed: 3.0, toward: FRAC_PI_2 }.velocity();
        assert!(east.distance(Vec2::new(3.0, 0.0)) < 1e-5, "{east}");
        assert!(TerrainWind { speed: 2.0, toward: 0.0 }.velocity().distance(Vec2::new(0.0, -2.0)) < 1e-5);
        let broken = TerrainWind { speed: f32::NAN, toward: f32::INFINITY };
        assert_eq!(broken.velocity(), Vec2::ZERO);
    }
}
