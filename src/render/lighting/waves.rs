//! The waves on water in the layout of the shader.

use crate::look::waves::{WAVES, waves};
use crate::stream::TerrainFrame;
use bevy::math::{DVec3, Vec2, Vec3, Vec4};

/// The waves of `strength` that a wind, in m/s along x and z of the world, makes on a terrain in `frame`, so many seconds after the start.
///
/// For each, cycles per metre along x and z of the terrain; the phase at the world origin in cycles; and the largest slope.
pub(super) fn wave_uniforms(frame: &TerrainFrame, wind: Vec2, strength: f64, seconds: f64) -> [Vec4; WAVES] {
    let DVec3 { x, z, .. } = frame.to_terrain(Vec3::ZERO);
    let along = frame.axes().transpose() * Vec3::new(wind.x, 0.0, wind.y);
    waves([along.x.into(), along.z.into()], strength).map(|wave| {
        let [across, down] = wave.vector().map(|part| part as f32);
        Vec4::new(across, down, wave.phase([x, z], seconds) as f32, wave.slope as f32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::TerrainOrigin;
    use bevy::math::{DVec2, Quat};
    use bevy::transform::components::{GlobalTransform, Transform};

    /// The phase of each wave at a point of the world, as the shader computes it.
    fn phases(frame: &TerrainFrame, point: Vec3, seconds: f64) -> [f32; WAVES] {
        let along = frame.axes().transpose() * point;
        wave_uniforms(frame, Vec2::new(4.0, 2.0), 1.0, seconds)
            .map(|wave| (wave.x * along.x + wave.y * along.z + wave.z).rem_euclid(1.0))
    }

    #[test]
    fn waves_stay_in_place_when_the_world_origin_moves() {
        for far in [0.0, 1e5, -1e7, 1e9] {
            for rotation in [0.0, 0.7] {
                let transform = GlobalTransform::from(Transform::from_rotation(Quat::from_rotation_y(rotation)));
                let frame = |at: DVec2| TerrainFrame::new(&transform, TerrainOrigin::new(at.x, at.y));
                let before = frame(DVec2::new(far, -far));
                let shift = DVec2::new(1024.0, -512.0);
                let after = frame(DVec2::new(far, -far) + shift);
                let point = Vec3::new(20.0, 0.0, 33.0);
                // The same point of the terrain in both worlds.
                let same = after.to_world(before.to_terrain(point));
                let [one, other] = [phases(&before, point, 3600.0), phases(&after, same, 3600.0)];
                for (one, other) in one.into_iter().zip(other) {
                    let gap = (one - other).abs();
                    // The shader has the precision of `f32` a kilometre from the origin.
                    assert!(gap.min(1.0 - gap) < 1e-3, "{one} and {other} at {far} m");
                }
            }
        }
    }

    #[test]
    fn waves_run_with_the_wind_of_the_world_on_a_terrain_that_is_turned() {
        let transform = GlobalTransform::from(Transform::from_rotation(Quat::from_rotation_y(1.0)));
        let turned = TerrainFrame::new(&transform, TerrainOrigin::default());
        let unmoved = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::default());
        let [one, other] = [turned, unmoved].map(|frame| {
            let vectors = wave_uniforms(&frame, Vec2::new(4.0, 2.0), 1.0, 0.0);
            let sum = vectors.into_iter().map(|wave| Vec3::new(wave.x, 0.0, wave.y)).sum::<Vec3>();
            (frame.axes() * sum).normalize()
        });
        assert!(one.distance(other) < 1e-2, "{one} and {other}");
    }
}
