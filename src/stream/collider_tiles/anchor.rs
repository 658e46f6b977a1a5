//! Collects the bodies of a terrain, in its own coordinates.

use super::KeepGround;
use super::needs::Body;
use crate::chunk::ChunkLayout;
use crate::stream::faults::Faults;
use crate::stream::viewers::{Velocity, ViewerPositions};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// The bodies of a terrain in the last frame.
#[derive(Default)]
pub(in crate::stream) struct Anchors {
    pub(super) bodies: Vec<(Entity, Body)>,
    /// The bodies of the frame before, whose memory is used again.
    before: Vec<(Entity, Body)>,
    velocities: EntityHashMap<Velocity>,
}

impl Anchors {
    /// The bodies, in no order.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().map(|(_, body)| body)
    }
}

/// Collects bodies with [`KeepGround`].
#[derive(SystemParam)]
pub(in crate::stream) struct AnchorCollector<'w, 's> {
    bodies: Query<'w, 's, (Entity, &'static KeepGround)>,
    positions: ViewerPositions<'w, 's>,
    /// Bodies that are ignored, and bodies with values out of range; each with the terrain.
    faults: Local<'s, [Faults<(Entity, Entity)>; 2]>,
}

impl AnchorCollector<'_, '_> {
    /// Replaces the bodies of `anchors` by those of this frame. `layout` is the grid of tiles. Returns whether any of them changed.
    pub fn collect(&mut self, terrain: Entity, layout: &ChunkLayout, seconds: f64, anchors: &mut Anchors) -> bool {
        let scale = self.positions.scale(terrain);
        std::mem::swap(&mut anchors.bodies, &mut anchors.before);
        anchors.bodies.clear();
        for (entity, keep) in &self.bodies {
            let position = self.positions.in_terrain(entity, terrain).map(|to_terrain| to_terrain.translation);
            let [radius, ahead] = [f64::from(keep.radius) / scale, f64::from(keep.ahead)];
            let is_finite = radius.is_finite() && ahead.is_finite();
            let position = position.filter(|position| is_finite && position.is_finite());
            let [ignored, out_of_range] = &mut *self.faults;
            if ignored.begins((entity, terrain), position.is_none()) {
                warn!(
                    "no ground for {entity}: its position and its `KeepGround` must be finite numbers, and all its parents \
                     need a `Transform`"
                );
            }
            let Some(position) = position else { continue };
            let problem = keep.problem(layout, scale);
            if out_of_range.begins((entity, terrain), problem.is_some())
                && let Some(problem) = problem
            {
                warn!("{entity}: {problem}");
            }
            let velocity = anchors.velocities.entry(entity).or_default();
            velocity.update(position.to_array(), seconds);
            let [vx, _, vz] = velocity.per_second();
            let body = Body { position: [position.x, position.z], velocity: [vx, vz], radius, ahead };
            anchors.bodies.push((entity, body));
        }
        if anchors.velocities.len() > 2 * anchors.bodies.len() {
            anchors.velocities.retain(|entity, _| self.bodies.contains(*entity));
        }
        anchors.before != anchors.bodies
    }
}
