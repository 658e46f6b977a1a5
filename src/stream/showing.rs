//! Chunks become part of the world, or are no longer, and games are told.
//!
//! Many at once: where a generation takes over, thousands in one frame. So all that is told of a chunk is at hand, in the order in
//! which it is needed, rather than fetched from its components, which lie scattered in memory.

use super::{ChunkEdges, ChunkReady, ChunkRemoved, ChunkShown};
use crate::chunk::Edges;
use bevy::prelude::*;

/// Chunks that are to be hidden, shown, and drawn with other edges, until that is done.
#[derive(Default)]
pub(super) struct Showing {
    pub hidden: Vec<ChunkRemoved>,
    pub shown: Vec<(ChunkReady, Edges)>,
    pub edges: Vec<(Entity, Edges)>,
}

impl Showing {
    /// How many chunks are changed.
    pub fn len(&self) -> usize {
        self.hidden.len() + self.shown.len() + self.edges.len()
    }

    /// Changes them, and tells of it. Somebody else may have despawned some of them, and told of that.
    pub fn apply(&mut self, world: &mut World) {
        let is_observed = has_observers::<ChunkRemoved>(world);
        self.hidden.retain(|&removed| {
            let Ok(mut chunk) = world.get_entity_mut(removed.chunk) else {
                return false;
            };
            let Some(mut shown) = chunk.get_mut::<ChunkShown>() else {
                return false;
            };
            shown.is_silent = true;
            chunk.remove::<ChunkShown>();
            if is_observed {
                world.trigger(removed);
            }
            true
        });
        world.write_message_batch(self.hidden.drain(..));
        for (chunk, edges) in self.edges.drain(..) {
            if let Ok(mut chunk) = world.get_entity_mut(chunk) {
                chunk.insert(ChunkEdges(edges));
            }
        }
        let is_observed = has_observers::<ChunkReady>(world);
        self.shown.retain(|&(ready, edges)| {
            let Ok(mut chunk) = world.get_entity_mut(ready.chunk) else {
                return false;
            };
            chunk.insert((ChunkEdges(edges), ChunkShown { is_silent: true }));
            // Who observes the component may have taken it away again.
            let shown = if chunk.is_despawned() { None } else { chunk.get_mut::<ChunkShown>() };
            let Some(mut shown) = shown else {
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

/// Whether there are observers of such an event. To trigger it where there are none takes longer than to find that out, once.
fn has_observers<E: Event>(world: &World) -> bool {
    world.event_key::<E>().is_some_and(|key| world.observers().try_get_observers(key).is_some())
}
