//! Chunks become part of the world, or are no longer, and games are told.
//!
//! Many at once: where a generation takes over, thousands in one frame. So all that is told of a chunk is at hand, in the order in
//! which it is needed, rather than fetched from its components, which lie scattered in memory.

use super::{ChunkEdges, ChunkReady, ChunkRemoved, ChunkShown, TerrainState};
use crate::chunk::Edges;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;

/// Chunks that are to be hidden, shown, and drawn with other edges, until that is done.
#[derive(Default)]
pub(super) struct Showing {
    pub hidden: Vec<ChunkRemoved>,
    pub shown: Vec<(ChunkReady, Edges)>,
    pub edges: Vec<(Entity, Edges)>,
    /// For the memory that it has.
    order: Vec<(u32, u32)>,
}

impl Showing {
    /// How many chunks are changed.
    pub fn len(&self) -> usize {
        self.hidden.len() + self.shown.len() + self.edges.len()
    }

    /// Changes them, and tells of it. Somebody else may have despawned some of them, and told of that.
    pub fn apply(&mut self, world: &mut World) {
        self.hide(world);
        for (chunk, edges) in self.edges.drain(..) {
            if let Ok(mut chunk) = world.get_entity_mut(chunk) {
                chunk.insert(ChunkEdges(edges));
            }
        }
        self.show(world);
    }

    fn hide(&mut self, world: &mut World) {
        in_order_of_entities(&mut self.order, self.hidden.iter().map(|removed| removed.chunk));
        let mut others = EntityHashSet::default();
        for &(_, number) in &self.order {
            let chunk = self.hidden[number as usize].chunk;
            let shown = world.get_entity_mut(chunk).ok();
            let was_shown = shown.is_some_and(|mut chunk| {
                let is_shown = chunk.get_mut::<ChunkShown>().map(|mut shown| shown.is_silent = true).is_some();
                chunk.remove::<ChunkShown>();
                is_shown
            });
            if !was_shown {
                others.insert(chunk);
            }
        }
        if !others.is_empty() {
            self.hidden.retain(|removed| !others.contains(&removed.chunk));
        }
        if has_observers::<ChunkRemoved>(world) {
            self.hidden.iter().for_each(|&removed| world.trigger(removed));
        }
        world.write_message_batch(self.hidden.drain(..));
    }

    fn show(&mut self, world: &mut World) {
        in_order_of_entities(&mut self.order, self.shown.iter().map(|(ready, _)| ready.chunk));
        let in_order = self.order.iter().map(|&(_, number)| self.shown[number as usize]);
        let components = |edges| (ChunkEdges(edges), ChunkShown { is_silent: true });
        // All at once: that takes half as long as one by one. Those that are gone by now are passed over.
        let _ = world.try_insert_batch(in_order.map(|(ready, edges)| (ready.chunk, components(edges))));
        // What observers of the component ask for.
        world.flush();
        let is_observed = has_observers::<ChunkReady>(world);
        self.shown.retain(|&(ready, _)| {
            // Who observes the component may have taken it away again.
            let Some(mut shown) = world.get_mut::<ChunkShown>(ready.chunk) else {
                if let Some(mut terrain) = world.get_mut::<TerrainState>(ready.terrain) {
                    terrain.drawn.note_untold(ready.coord, ready.is_new_ground);
                }
                return false;
            };
            shown.is_silent = false;
            if is_observed {
                world.trigger(ready);
            }
            true
        });
        world.write_message_batch(self.shown.drain(..).map(|(ready, _)| ready));
    }
}

/// Finds the order of `entities` by their numbers, as pairs of those and of where each is among them. So they lie in memory, by and
/// large: thousands take half as long in this order as in any other.
fn in_order_of_entities(order: &mut Vec<(u32, u32)>, entities: impl Iterator<Item = Entity>) {
    order.clear();
    order.extend(entities.zip(0..).map(|(entity, number)| (entity.index_u32(), number)));
    order.sort_unstable();
}

/// Whether there are observers of such an event. To trigger it where there are none takes longer than to find that out, once.
fn has_observers<E: Event>(world: &World) -> bool {
    world.event_key::<E>().is_some_and(|key| world.observers().try_get_observers(key).is_some())
}
