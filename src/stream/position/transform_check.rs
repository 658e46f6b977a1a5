//! Checks that terrains are placed as they may be.

use crate::stream::faults::Faults;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;

/// Logs each terrain that is tilted, mirrored, or scaled unevenly or to nothing, once for as long as it is.
pub(in crate::stream) fn check_transforms(
    terrains: Query<(NameOrEntity, &GlobalTransform), (With<Terrain>, Changed<GlobalTransform>)>,
    mut faults: Local<Faults<Entity>>,
) {
    for (name, transform) in &terrains {
        let problem = problem(transform);
        if faults.begins(name.entity, problem.is_some())
            && let Some(problem) = problem
        {
            warn!(
                "the terrain {name} {problem}: a terrain may be moved, turned about y, and scaled by one positive number on all \
                 axes; its ground queries, its bodies and its level of detail are wrong until then"
            );
        }
    }
}

/// The problem of the transform of a terrain.
fn problem(transform: &GlobalTransform) -> Option<&'static str> {
    /// Rotations and scales of parents are rounded.
    const ROUNDING: f32 = 1e-3;
    let affine = transform.affine();
    if !affine.is_finite() {
        return Some("has a transform that is not finite");
    }
    let [x, y, z] = [affine.matrix3.x_axis, affine.matrix3.y_axis, affine.matrix3.z_axis].map(Vec3::from);
    let scale = y.length();
    // What a test for smaller numbers could not divide by.
    if scale < f32::MIN_POSITIVE.sqrt() {
        return Some("has a scale of zero");
    }
    let [x, y, z] = [x, y, z].map(|axis| axis / scale);
    if (x.length() - 1.0).abs() > ROUNDING || (z.length() - 1.0).abs() > ROUNDING {
        return Some("has different scales along its axes");
    }
    if x.cross(y).dot(z) < 0.0 {
        return Some("is mirrored");
    }
    (y.distance(Vec3::Y) > ROUNDING || x.y.abs() > ROUNDING || z.y.abs() > ROUNDING).then_some("is tilted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_has_no_problem_and_the_rest_is_named() {
        let placed = |change: fn(&mut Transform)| {
            let mut transform = Transform::from_xyz(1e6, -50.0, 3.0).with_rotation(Quat::from_rotation_y(0.7));
            change(&mut transform);
            problem(&transform.into())
        };
        assert_eq!(placed(|_| ()), None);
        assert_eq!(placed(|transform| transform.scale = Vec3::splat(0.01)), None);
        assert_eq!(placed(|transform| transform.scale = Vec3::splat(300.0)), None);
        for (change, expected) in [
            ((|transform| transform.scale = Vec3::ZERO) as fn(&mut Transform), "has a scale of zero"),
            (|transform| transform.scale = Vec3::splat(f32::NAN), "has a transform that is not finite"),
            (|transform| transform.translation.x = f32::INFINITY, "has a transform that is not finite"),
            (|transform| transform.scale = Vec3::new(1.0, 2.0, 1.0), "has different scales along its axes"),
            (|transform| transform.scale = Vec3::splat(-1.0), "is mirrored"),
            (|transform| transform.scale.x = -1.0, "is mirrored"),
            (|transform| transform.scale.y = -1.0, "is mirrored"),
            (|transform| transform.rotate_x(0.01), "is tilted"),
            (|transform| transform.rotate_z(3.0), "is tilted"),
        ] {
            assert_eq!(placed(change), Some(expected));
        }
    }
}
