//! Moves bodies in an origin shift.

use avian3d::math::ToRealPrecision;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::OriginFixed;
use bevy_transform_interpolation::TranslationEasingState;

/// Moves the positions of all bodies and colliders, and both ends of interpolated positions.
///
/// The transforms are moved already. Without this system, avian would copy the positions from them, and interpolated bodies would
/// return to where they were.
pub fn shift_bodies(
    mut shifts: MessageReader<OriginShifted>,
    mut bodies: Query<(Entity, &mut Position)>,
    mut easing: Query<(Entity, &mut TranslationEasingState), Without<ChildOf>>,
    parents: Query<&ChildOf>,
    fixed: Query<(), With<OriginFixed>>,
) {
    let offset: Vec3 = shifts.read().map(|shift| shift.offset).sum();
    if offset == Vec3::ZERO {
        return;
    }
    let moves = |entity| !fixed.contains(parents.root_ancestor(entity));
    let by = offset.real();
    for (_, mut position) in bodies.iter_mut().filter(|(entity, _)| moves(*entity)) {
        position.0 -= by;
    }
    for (_, mut easing) in easing.iter_mut().filter(|(entity, _)| moves(*entity)) {
        let TranslationEasingState { start, end } = &mut *easing;
        for end in [start, end].into_iter().flatten() {
            *end -= offset;
        }
    }
}
