//! Shows and hides chunks, and sends the messages about that.

use crate::stream::components::{ChunkDrawn, ChunkStitchMask};
use crate::stream::position::ChunkBounds;
use crate::stream::report::{ChunkHidden, ChunkLevelChanged, ChunkShown, GroundEdited, GroundHidden, GroundShown};
use crate::stream::state::TerrainState;
use bevy::prelude::*;

/// The components that say which chunks are drawn. A game may have taken the mask away.
pub(in crate::stream) type DrawnChunks = QueryState<(&'static mut ChunkDrawn, Option<&'static mut ChunkStitchMask>)>;

/// Hides, restitches and shows chunks of a terrain, and sends the messages in that order: gone before new, and edits last.
pub(super) fn apply_changes(world: &mut World, chunks: &mut DrawnChunks, terrain: Entity) {
    let Some(mut state) = world.get_mut::<TerrainState>(terrain) else {
        return;
    };
    let changes = std::mem::take(&mut state.changes);
    if changes.is_empty() {
        return;
    }
    let Some(streamed) = &state.drawn else {
        return;
    };
    let bounds = |coord, heights| ChunkBounds::new(&streamed.layout, coord, heights);
    let entity = |coord| streamed.chunk(coord).map(|chunk| chunk.entity);
    let restitched: Vec<_> =
        changes.restitched.iter().filter_map(|&(coord, mask)| Some((entity(coord)?, mask))).collect();
    let mut shown = Vec::with_capacity(changes.shown.len());
    for &(coord, mask) in &changes.shown {
        if let Some(chunk) = streamed.chunk(coord) {
            let bounds = bounds(coord, chunk.heights);
            shown.push((ChunkShown { terrain, chunk: chunk.entity, coord, bounds }, mask));
        }
    }
    let ground_shown: Vec<_> = (changes.ground_shown.iter())
        .map(|&area| GroundShown { terrain, area, bounds: bounds(area, streamed.heights_at(area)) })
        .collect();
    let level_changes: Vec<_> = (changes.level_changes.iter())
        .filter_map(|piece| {
            let bounds = bounds(piece.area, streamed.heights_over(piece.area)?);
            Some(ChunkLevelChanged { terrain, area: piece.area, bounds, before: piece.before, now: piece.now })
        })
        .collect();
    let mut hidden: Vec<_> = (changes.hidden.iter())
        .map(|&(coord, chunk, bounds)| ChunkHidden { terrain, chunk: chunk.entity, coord, bounds })
        .collect();
    let ground_hidden: Vec<_> =
        changes.ground_hidden.iter().map(|&(area, bounds)| GroundHidden { terrain, area, bounds }).collect();

    let edited: Vec<_> = (changes.edited_areas().iter())
        // Triangles reach beyond the vertices in the area.
        .map(|area| area.widened(streamed.layout.spacing(0)))
        .map(|area| GroundEdited { terrain, bounds: ChunkBounds::over(&area, streamed.field.bounds()) })
        .collect();

    let mut drawn = chunks.query_mut(&mut *world);
    // Chunks that something else despawned were already reported.
    hidden.retain(|hidden| {
        let chunk = drawn.get_mut(hidden.chunk);
        chunk.is_ok_and(|(mut drawn, _)| std::mem::replace(&mut drawn.0, false))
    });
    for (chunk, mask) in restitched {
        if let Ok((_, Some(mut now))) = drawn.get_mut(chunk) {
            now.0 = mask;
        }
    }
    shown.retain(|&(shown, mask)| {
        let Ok((mut drawn, now)) = drawn.get_mut(shown.chunk) else {
            return false;
        };
        drawn.0 = true;
        if let Some(mut now) = now {
            now.0 = mask;
        }
        true
    });
    tell(world, hidden);
    tell(world, ground_hidden);
    tell(world, shown.into_iter().map(|(shown, _)| shown).collect());
    tell(world, ground_shown);
    tell(world, level_changes);
    tell(world, edited);
}

/// Triggers an event for observers, and writes it as a message.
pub(in crate::stream) fn tell<M: Message + Event<Trigger<'static>: Default> + Copy>(
    world: &mut World,
    messages: Vec<M>,
) {
    // To trigger an event that nobody observes takes longer than to find that out, once.
    let has_observers = world.event_key::<M>().is_some_and(|key| world.observers().try_get_observers(key).is_some());
    if has_observers {
        messages.iter().for_each(|&message| world.trigger(message));
    }
    world.write_message_batch(messages);
}
