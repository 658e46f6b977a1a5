//! The shapes that bodies bump into.

use super::PlantKind;

/// What bodies bump into of a plant. It stands upright above the foot, however the ground slopes.
///
/// ```
/// use perlin_terrain::plants::{PlantCollider, PlantKind};
///
/// let Some(PlantCollider::Capsule { radius, from, to }) = PlantCollider::new(PlantKind::Conifer, 10.0) else { panic!() };
/// assert_eq!(radius, PlantKind::Conifer.trunk_radius(10.0));
/// // With its round ends, the trunk reaches from 0.5 m below the foot to 6 m above it.
/// assert!((from - radius + 0.5).abs() < 1e-6 && (to + radius - 6.0).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlantCollider {
    /// The trunk of a tree.
    Capsule {
        /// In metres.
        radius: f32,
        /// The center of the lower round end: metres above the foot.
        from: f32,
        /// The center of the upper round end: metres above the foot.
        to: f32,
    },
    /// A stone.
    Ball {
        /// In metres.
        radius: f32,
        /// The height of the center above the foot, in metres.
        height: f32,
    },
}

/// How far a trunk reaches below its foot, in metres. So there is no gap below it on a slope.
const DEPTH: f32 = 0.5;

/// The part of the height of a tree that its trunk has. The thin top and the leaves stop no body.
const TRUNK: f32 = 0.6;

impl PlantCollider {
    /// The collider of a plant of this kind. `size` is that of the [`Plant`](super::Plant). `None` for kinds that bodies pass through, and
    /// for a size that is not a number above 0.
    #[must_use]
    pub fn new(kind: PlantKind, size: f32) -> Option<Self> {
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        match kind {
            PlantKind::Stone => Some(Self::Ball { radius: 0.45 * size, height: 0.2 * size }),
            _ => {
                let radius = kind.trunk_radius(size);
                (radius > 0.0).then_some(Self::Capsule { radius, from: radius - DEPTH, to: TRUNK * size - radius })
            }
        }
    }

    /// The largest distance from the axis of the plant, in metres.
    #[must_use]
    pub const fn radius(&self) -> f32 {
        match *self {
            Self::Capsule { radius, .. } | Self::Ball { radius, .. } => radius,
        }
    }

    /// The lowest and the highest point, in metres above the foot.
    #[must_use]
    pub fn heights(&self) -> [f32; 2] {
        match *self {
            Self::Capsule { radius, from, to } => [from - radius, to + radius],
            Self::Ball { radius, height } => [height - radius, height + radius],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Plant, PlantId, PlantLayer};
    use super::*;

    #[test]
    fn trees_have_trunks_stones_are_balls_and_bodies_pass_through_the_rest() {
        for kind in [PlantKind::Conifer, PlantKind::Broadleaf, PlantKind::Umbrella] {
            for size in [0.1, 1.0, 12.0, 60.0] {
                let Some(PlantCollider::Capsule { radius, from, to }) = PlantCollider::new(kind, size) else {
                    panic!("{kind:?} has no trunk");
                };
                assert_eq!(radius, kind.trunk_radius(size));
                assert!(from < to && (from - radius + 0.5).abs() < 1e-6, "{kind:?} {size}");
                assert!((to + radius - 0.6 * size).abs() < 1e-5, "{kind:?} {size}");
            }
        }
        assert_eq!(PlantKind::Conifer.trunk_radius(10.0), 0.19);
        let stone = PlantCollider::Ball { radius: 0.45 * 2.0, height: 0.2 * 2.0 };
        assert_eq!(PlantCollider::new(PlantKind::Stone, 2.0), Some(stone));
        let trunk = PlantCollider::Capsule { radius: 0.25, from: -0.25, to: 4.0 };
        assert_eq!((trunk.radius(), trunk.heights()), (0.25, [-0.5, 4.25]));
        let stone = PlantCollider::Ball { radius: 1.0, height: 0.5 };
        assert_eq!((stone.radius(), stone.heights()), (1.0, [-0.5, 1.5]));
        for kind in [PlantKind::Bush, PlantKind::Empty] {
            assert_eq!((PlantCollider::new(kind, 2.0), kind.trunk_radius(2.0)), (None, 0.0));
        }
        for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(PlantCollider::new(PlantKind::Conifer, size), None);
        }
    }

    #[test]
    fn a_layer_can_have_plants_without_colliders() {
        let id = PlantId { stream: 0, cell: [0; 2] };
        let plant =
            Plant { id, position: [0.0; 3], normal: [0.0, 1.0, 0.0], yaw: 0.0, size: 8.0, variant: 0, rank: 0.0 };
        for kind in [PlantKind::Broadleaf, PlantKind::Stone, PlantKind::Bush, PlantKind::Empty] {
            let [solid, soft] = [true, false].map(|collider| PlantLayer { kind, collider, ..PlantLayer::default() });
            assert_eq!(solid.collider_of(&plant), PlantCollider::new(kind, 8.0));
            // The default size is from 6 to 12 m.
            assert_eq!(solid.largest_collider(), PlantCollider::new(kind, 12.0));
            assert_eq!((soft.collider_of(&plant), soft.largest_collider()), (None, None));
        }
    }
}
