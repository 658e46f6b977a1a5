//! The clouds over terrains, and where the wind has moved them.

use super::wind::TerrainWind;
use crate::light::Clouds;
use crate::light::clouds::CloudRadiance;
use crate::look::pattern::PERIOD;
use crate::stream::{TerrainFrame, TerrainPosition};
use bevy::math::{DVec2, DVec3};
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

/// The clouds whose shade lies on terrains, and which their water mirrors. Without a sky, there are none.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct TerrainClouds(pub Option<CloudLook>);

/// The clouds of a sky.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CloudLook {
    pub settings: Clouds,
    pub radiance: CloudRadiance,
    /// The unit vector toward the sun.
    pub toward_sun: [f64; 3],
    /// How much brighter the sky in mirrors is than the sky. 0 if that is not what mirrors show.
    pub mirrored: f64,
}

/// Clouds in the layout of the shaders, as `Clouds` in `clouds.wesl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CloudUniform {
    /// The position of the world origin on the pattern, in tiles; one over the side of a tile in metres; the height of the deck in metres
    /// of the world.
    place: Vec4,
    /// The unit vector toward the sun; the value at which clouds begin.
    sun: Vec4,
    /// The light of clouds in the sun, in cd/m²; the part of the sky that they hide.
    lit: Vec4,
    /// The light of clouds in the shade, in cd/m²; how much brighter the mirrored sky is than the sky.
    shaded: Vec4,
}

impl CloudLook {
    /// For a world whose origin lies here on the drifting clouds. All light is multiplied by `exposure`.
    pub fn uniform(&self, drift: &CloudDrift, exposure: f64) -> CloudUniform {
        let Self { settings, radiance, toward_sun, mirrored } = self;
        let sun = DVec3::from(*toward_sun).as_vec3().extend(settings.threshold());
        if settings.cover == 0.0 {
            // The same in each frame.
            return CloudUniform { sun, ..CloudUniform::default() };
        }
        let [x, z] = settings.offset(drift.origin.xz().into()).map(|part| part as f32);
        let height = settings.height - drift.origin.y;
        let light = |color: [f64; 3]| (exposure * DVec3::from(color)).as_vec3();
        CloudUniform {
            place: Vec4::new(x, z, settings.tile().recip() as f32, height as f32),
            sun,
            lit: light(radiance.lit).extend(settings.cover as f32),
            shaded: light(radiance.shaded).extend(*mirrored as f32),
        }
    }
}

/// How far the wind has moved all clouds.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct CloudDrift {
    /// The way of the wind since the start, along x and z in metres, modulo the period of all patterns.
    moved: DVec2,
    /// The position of the world origin on the clouds, in metres, and its height above that of the first terrain.
    origin: DVec3,
}

impl CloudDrift {
    /// The height of the world origin above that of the first terrain, in metres.
    #[cfg(feature = "sky")]
    pub const fn height(&self) -> f64 {
        self.origin.y
    }

    fn advance(&mut self, wind: Vec2, seconds: f64) {
        let moved = self.moved + wind.as_dvec2() * seconds;
        self.moved = DVec2::new(moved.x.rem_euclid(PERIOD), moved.y.rem_euclid(PERIOD));
    }

    /// Clouds stay above the ground when the world origin moves.
    fn place(&mut self, frame: Option<&TerrainFrame>) {
        let origin = frame.map_or(DVec3::ZERO, |frame| {
            let along = frame.to_terrain(Vec3::ZERO);
            frame.axes().as_dmat3() * along * frame.scale()
        });
        self.origin = origin - DVec3::new(self.moved.x, 0.0, self.moved.y);
    }
}

/// Moves the clouds with the wind, and keeps them above the same ground of the first terrain.
pub(super) fn drift_clouds(
    mut drift: ResMut<CloudDrift>,
    wind: Res<TerrainWind>,
    time: Option<Res<Time>>,
    terrains: Query<(Entity, TerrainPosition)>,
) {
    drift.advance(wind.velocity(), time.map_or(0.0, |time| time.delta_secs_f64()));
    // A terrain that grows from nothing has no place yet.
    let frames = terrains.iter().map(|(terrain, position)| (terrain, position.frame()));
    let first = frames.filter(|(_, frame)| frame.is_invertible()).min_by_key(|(terrain, _)| terrain.index_u32());
    drift.place(first.map(|(_, frame)| frame).as_ref());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::TerrainOrigin;

    fn look() -> CloudLook {
        let radiance = CloudRadiance { lit: [9.0; 3], shaded: [3.0; 3] };
        CloudLook { settings: Clouds::default(), radiance, toward_sun: [0.0, 1.0, 0.0], mirrored: 1.0 }
    }

    /// Where a point of the world lies on the pattern, as the shader computes it.
    fn on_pattern(drift: &CloudDrift, point: Vec3) -> Vec2 {
        let place = look().uniform(drift, 1.0).place;
        let uv = point.xz() * place.z + place.xy();
        uv - uv.floor()
    }

    fn gap(a: Vec2, b: Vec2) -> f32 {
        let gap = (a - b).abs();
        gap.min(1.0 - gap).max_element()
    }

    #[test]
    fn clouds_stay_above_the_ground_when_the_world_origin_moves_and_the_terrain_is_turned() {
        for far in [0.0, 1e5, -1e7, 1e9] {
            for rotation in [0.0, 0.7] {
                let transform = Transform::from_rotation(Quat::from_rotation_y(rotation));
                let frame = |at: DVec2| TerrainFrame::new(&transform.into(), TerrainOrigin::new(at.x, at.y));
                let before = frame(DVec2::new(far, -far));
                let after = frame(DVec2::new(far + 1024.0, -512.0 - far));
                let mut drift = CloudDrift::default();
                drift.advance(Vec2::new(3.0, -4.0), 3600.0);
                let [one, other] = [before, after].map(|frame| {
                    let mut drift = drift;
                    drift.place(Some(&frame));
                    on_pattern(&drift, frame.to_world(before.to_terrain(Vec3::new(20.0, 0.0, 33.0))))
                });
                // The axes of a terrain that is turned are `f32`.
                let tolerance = if rotation == 0.0 { 1e-4 } else { 1e-4 + 1e-11 * far.abs() as f32 };
                assert!(gap(one, other) < tolerance, "{one} and {other} at {far} m");
            }
        }
    }

    #[test]
    fn the_wind_moves_clouds_along_and_frames_of_any_length_as_far() {
        let wind = Vec2::new(6.0, -2.5);
        let (mut slow, mut fast, mut hour) = (CloudDrift::default(), CloudDrift::default(), CloudDrift::default());
        (0..3).for_each(|_| slow.advance(wind, 1.0));
        (0..300).for_each(|_| fast.advance(wind, 0.01));
        hour.advance(wind, 3603.0);
        (0..3600).for_each(|_| fast.advance(wind, 1.0));
        for drift in [&mut slow, &mut fast, &mut hour] {
            drift.place(None);
        }
        // What was above the origin is above this point now.
        let along = (3.0 * wind).extend(0.0).xzy();
        assert!(gap(on_pattern(&CloudDrift::default(), Vec3::ZERO), on_pattern(&slow, along)) < 1e-4);
        assert!(gap(on_pattern(&fast, Vec3::ZERO), on_pattern(&hour, Vec3::ZERO)) < 1e-4);
    }

    #[test]
    fn the_deck_is_above_the_height_of_the_terrain() {
        let frame = TerrainFrame::new(&GlobalTransform::from_xyz(50.0, 300.0, 0.0), TerrainOrigin::default());
        let mut drift = CloudDrift::default();
        drift.place(Some(&frame));
        assert_eq!(look().uniform(&drift, 1.0).place.w, 1800.0);
    }

    #[test]
    fn without_wind_nothing_moves() {
        let mut drift = CloudDrift::default();
        drift.advance(Vec2::ZERO, 100.0);
        drift.place(None);
        assert_eq!(look().uniform(&drift, 1.0), look().uniform(&CloudDrift::default(), 1.0));
    }
}
