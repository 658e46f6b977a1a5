//! What games are told about chunks, as messages and as events.
//!
//! Each of these is written as a [`Message`], for systems that read a frame's worth at a time, and triggered as an event of
//! the terrain's entity, for observers: `app.add_observer(...)` hears of all terrains, `commands.entity(terrain).observe(...)`
//! of one. All of a frame are told in `PostUpdate`, in [`TerrainSystems::Apply`](super::TerrainSystems::Apply): a system in
//! [`TerrainSystems::Last`](super::TerrainSystems::Last), or in any schedule after it, reads those of this very frame. Only where
//! something else despawns a chunk, or its terrain, that is told at once.
//!
//! Heights alone need none of this, see [`TerrainGround`](crate::ground::TerrainGround). For what stands on the ground:
//!
//! - **One thing for every chunk**, such as a collider: make it for each [`ChunkReady`], drop it for each [`ChunkRemoved`]. Where a
//!   viewer was just put there is none for some frames; [`TerrainStreamState`](super::TerrainStreamState) tells when there is.
//! - **Things that outlast a change of levels**, such as trees: make them where [`ChunkReady::is_new_ground`], drop them where
//!   [`ChunkRemoved::is_ground_gone`], and make them denser or sparser, or let them be, for each [`ChunkLevelChanged`]. The
//!   [`ChunkBounds`] say where.
//!
//! ```
//! use bevy::math::DVec3;
//! use bevy::prelude::*;
//! use bevy_perlin_terrain::prelude::*;
//! use bevy_perlin_terrain::stream::TerrainPlace;
//!
//! #[derive(Component)]
//! struct Tree(DVec3);
//!
//! fn plant(ready: On<ChunkReady>, terrains: Query<(&TerrainState, TerrainPlace)>, mut commands: Commands) {
//!     if ready.is_new_ground
//!         && let Ok((state, terrain)) = terrains.get(ready.terrain)
//!         && let Some(field) = state.field()
//!     {
//!         let DVec3 { x, z, .. } = ready.bounds.centre();
//!         let place = DVec3::new(x, field.height(x, z).into(), z);
//!         commands.spawn((Tree(place), Transform::from_translation(terrain.frame().to_world(place))));
//!     }
//! }
//!
//! fn fell(removed: On<ChunkRemoved>, trees: Query<(Entity, &Tree)>, mut commands: Commands) {
//!     if removed.is_ground_gone {
//!         for (tree, _) in trees.iter().filter(|(_, Tree(at))| removed.bounds.contains(at.x, at.z)) {
//!             commands.entity(tree).try_despawn();
//!         }
//!     }
//! }
//!
//! fn plugin(app: &mut App) {
//!     app.add_observer(plant).add_observer(fell);
//! }
//! ```

use super::ChunkBounds;
use crate::chunk::ChunkCoord;
use bevy::prelude::*;

/// A chunk became part of the world: it is drawn from this frame on.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ChunkReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk's entity.
    pub chunk: Entity,
    /// Which chunk of the terrain.
    pub coord: ChunkCoord,
    /// The box around its ground.
    pub bounds: ChunkBounds,
    /// Whether the ground is news: it came into view, or its heights were made anew. Otherwise the chunk took the place of
    /// coarser or finer ones over the same ground, whose heights are the same.
    ///
    /// All that a reload of heights shows is new ground. So may be a coarsest chunk over ground that was drawn
    /// before, when viewers come, go, or see further or less far; the chunks that it replaces are told as gone.
    /// A [`TerrainStandIn`](super::TerrainStandIn) is no chunk; those that follow it are news.
    pub is_new_ground: bool,
}

/// A chunk is no longer part of the world, for whichever reason: coarser or finer ones took its place, it is out of view,
/// replaced by a reload, or despawned with its terrain. Its entity may be gone already.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ChunkRemoved {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk's entity, as [`ChunkReady`] gave it.
    pub chunk: Entity,
    /// Which chunk of the terrain.
    pub coord: ChunkCoord,
    /// The box around its ground.
    pub bounds: ChunkBounds,
    /// Whether the ground went with it: out of view, with its heights or its terrain, or where a viewer was put somewhere else and
    /// sees a [`TerrainStandIn`](super::TerrainStandIn) at first. Otherwise others take its place over the same ground, or something
    /// else despawned it and it is built again; this is `false` also if its ground goes later in the frame in which it was despawned.
    pub is_ground_gone: bool,
}

/// Ground that stays in view is drawn at another level: a chunk took the place of finer ones, or they of it, in one frame.
///
/// Told once for each such place, beside the [`ChunkRemoved`] and [`ChunkReady`] of every chunk that goes or comes, which say
/// that their ground neither is gone nor new.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ChunkLevelChanged {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The ground, as the chunk that went or came; all the others lie in it.
    pub area: ChunkCoord,
    /// The box around the ground as it is drawn now.
    pub bounds: ChunkBounds,
    /// The finest level that was drawn there before.
    pub before: u8,
    /// The finest level that is drawn there now.
    pub now: u8,
}

impl ChunkLevelChanged {
    /// Whether there is more detail than before.
    #[must_use]
    pub const fn is_finer(&self) -> bool {
        self.now < self.before
    }
}

/// A terrain shows everything that its viewers want, after a time in which it did not; see
/// [`TerrainState::is_settled`](super::TerrainState::is_settled). A terrain without a viewer never is ready.
///
/// For a loading screen, [`TerrainStreamState`](super::TerrainStreamState) can ask for less.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}
