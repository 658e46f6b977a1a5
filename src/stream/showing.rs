//! Chunks become part of the world, or are no longer, and games are told.
//!
//! Many at once: where a generation takes over, thousands in one frame. So all that is told of a chunk is at hand, in the order in
//! which it is needed, rather than fetched from its components, which lie scattered in memory.

use super::{ChunkEdges, ChunkReady, ChunkRemoved, ChunkShown, TerrainState};
use crate::chunk::Edges;
use bevy::prelude::*;

/// Which chunks are shown, and with which edges. A game may have taken those away.
pub(super) type ShownChunks = QueryState<(&'static mut ChunkShown, Option<&'static mut ChunkEdges>)>;

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
    pub fn apply(&mut self, world: &mut World, chunks: &mut ShownChunks) {
        self.hide(world, chunks);
        let mut drawn = chunks.query_mut(world);
        for (chunk, now) in self.edges.drain(..) {
            if let Ok((_, Some(mut edges))) = drawn.get_mut(chunk) {
                edges.0 = now;
            }
        }
        self.show(world, chunks);
    }

    fn hide(&mut self, world: &mut World, chunks: &mut ShownChunks) {
        let mut drawn = chunks.query_mut(world);
        self.hidden.retain(|removed| {
            let shown = drawn.get_mut(removed.chunk);
            shown.is_ok_and(|(mut shown, _)| std::mem::replace(&mut shown.0, false))
        });
        if has_observers::<ChunkRemoved>(world) {
            self.hidden.iter().for_each(|&removed| world.trigger(removed));
        }
        world.write_message_batch(self.hidden.drain(..));
    }

    fn show(&mut self, world: &mut World, chunks: &mut ShownChunks) {
        let mut drawn = chunks.query_mut(world);
        let mut gone = Vec::new();
        self.shown.retain(|&(ready, now)| {
            let Ok((mut shown, edges)) = drawn.get_mut(ready.chunk) else {
                gone.push(ready);
                return false;
            };
            shown.0 = true;
            if let Some(mut edges) = edges {
                edges.0 = now;
            }
            true
        });
        for ready in gone {
            if let Some(mut terrain) = world.get_mut::<TerrainState>(ready.terrain) {
                terrain.drawn.note_untold(ready.coord, ready.is_new_ground);
            }
        }
        // What observers ask for is done after all of this.
        if has_observers::<ChunkReady>(world) {
            self.shown.iter().for_each(|&(ready, _)| world.trigger(ready));
        }
        world.write_message_batch(self.shown.drain(..).map(|(ready, _)| ready));
    }
}

/// Whether there are observers of such an event. To trigger it where there are none takes longer than to find that out, once.
fn has_observers<E: Event>(world: &World) -> bool {
    world.event_key::<E>().is_some_and(|key| world.observers().try_get_observers(key).is_some())
}
