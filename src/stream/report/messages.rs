//! Messages and events about chunks and ground.
//!
//! | message or event | when | use it for |
//! | --- | --- | --- |
//! | `On<Add<TerrainChunk>>`, `On<Remove<TerrainChunk>>` | a chunk is loaded or despawned, drawn or not | data of each loaded chunk |
//! | `On<Add<ColliderTile>>`, `On<Remove<ColliderTile>>` | a [`ColliderTile`](crate::stream::ColliderTile) around a body is spawned or despawned | colliders |
//! | [`ChunkShown`], [`ChunkHidden`] | a chunk starts or stops being drawn | one object per drawn chunk |
//! | [`GroundShown`], [`GroundHidden`] | ground starts or stops being drawn, at any level | objects on the ground, such as trees |
//! | [`ChunkLevelChanged`] | ground stays drawn and changes its level | density of grass |
//! | [`GroundEdited`] | [edits](crate::stream::TerrainEdits) changed the heights of an area | objects on the ground, navigation meshes |
//! | [`TerrainReady`] | the viewers see everything that they want | loading screens |
//!
//! The first two rows list Bevy's own lifecycle events. Each of the others is written as a [`Message`], for systems that read all of a
//! frame, and triggered as an event of the terrain's entity, for observers: `app.add_observer(...)` observes all terrains,
//! `commands.entity(terrain).observe(...)` observes one.
//!
//! The terrain sends them in `PostUpdate`, in [`TerrainSystems::Apply`](crate::stream::TerrainSystems::Apply). A system in
//! [`TerrainSystems::Last`](crate::stream::TerrainSystems::Last), or in a later schedule, reads those of the same frame. Within a
//! frame, they are sent in this order: `ChunkHidden`, `GroundHidden`, `ChunkShown`, `GroundShown`, `ChunkLevelChanged`,
//! `GroundEdited`. If
//! something other than the terrain despawns a drawn chunk, `ChunkHidden` is sent immediately.
//!
//! A reload that changes heights hides all ground and shows it again, because any height may be different. A game that only needs
//! heights needs no messages; see [`TerrainGround`](crate::ground::TerrainGround).
//!
//! ```
//! use bevy::math::DVec3;
//! use bevy::prelude::*;
//! use bevy_perlin_terrain::prelude::*;
//!
//! #[derive(Component)]
//! struct Tree(DVec3);
//!
//! fn plant(shown: On<GroundShown>, terrains: Query<(&TerrainState, TerrainPosition)>, mut commands: Commands) {
//!     if let Ok((state, terrain)) = terrains.get(shown.terrain)
//!         && let Some(field) = state.field()
//!     {
//!         let DVec3 { x, z, .. } = shown.bounds.center();
//!         let position = DVec3::new(x, field.height(x, z).into(), z);
//!         commands.spawn((Tree(position), Transform::from_translation(terrain.frame().to_world(position))));
//!     }
//! }
//!
//! fn fell(hidden: On<GroundHidden>, trees: Query<(Entity, &Tree)>, mut commands: Commands) {
//!     for (tree, _) in trees.iter().filter(|(_, Tree(at))| hidden.bounds.contains(at.x, at.z)) {
//!         commands.entity(tree).try_despawn();
//!     }
//! }
//!
//! fn plugin(app: &mut App) {
//!     app.add_observer(plant).add_observer(fell);
//! }
//! ```

use crate::chunk::ChunkCoord;
use crate::stream::position::ChunkBounds;
use bevy::prelude::*;

/// A chunk starts being drawn in this frame.
///
/// Finer or coarser chunks may have been drawn over the same ground before. [`GroundShown`] is only about new ground.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChunkShown {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk's entity.
    pub chunk: Entity,
    /// The level and the position of the chunk.
    pub coord: ChunkCoord,
    /// The bounding box of its ground.
    pub bounds: ChunkBounds,
}

/// A chunk stops being drawn: finer or coarser chunks replace it, no viewer sees it any more, or it is despawned. Its entity may
/// not exist any more.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChunkHidden {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk's entity, as in [`ChunkShown`].
    pub chunk: Entity,
    /// The level and the position of the chunk.
    pub coord: ChunkCoord,
    /// The bounding box of its ground.
    pub bounds: ChunkBounds,
}

/// Ground that was not drawn at any level starts being drawn: it came into view, or a reload changed its heights.
///
/// If a game despawns a chunk, its ground is reported as hidden and shown again only if rebuilding it takes more than one frame.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundShown {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The area: a drawn chunk, or a part of one.
    pub area: ChunkCoord,
    /// The bounding box of the ground. Along y, it can be larger than the ground.
    pub bounds: ChunkBounds,
}

/// Ground stops being drawn at any level: no viewer sees it any more, a reload replaces its heights, or its terrain is removed.
///
/// There is one message per area. The areas can differ from those of [`GroundShown`], so compare the [bounds](Self::bounds).
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundHidden {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The area: a chunk that was drawn, or a part of one.
    pub area: ChunkCoord,
    /// The bounding box of the ground. Along y, it can be larger than the ground.
    pub bounds: ChunkBounds,
}

/// Ground that stays drawn changes its level: in one frame, a chunk replaces finer ones, or finer chunks replace it.
///
/// Sent once for each such area, in addition to [`ChunkHidden`] and [`ChunkShown`] of every chunk.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChunkLevelChanged {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The coarser chunk: the one that the finer chunks replace, or that replaces them.
    pub area: ChunkCoord,
    /// The bounding box of the area, with the heights of the chunks that are now drawn.
    pub bounds: ChunkBounds,
    /// The finest level before.
    pub before: u8,
    /// The finest level now.
    pub now: u8,
}

impl ChunkLevelChanged {
    /// Whether there is now more detail than before.
    #[must_use]
    pub const fn is_finer(&self) -> bool {
        self.now < self.before
    }
}

/// Edits changed the heights of an area, whether it is drawn or not. [`TerrainGround`](crate::ground::TerrainGround) has the new ones.
///
/// There is one message for each part of an edit that was added, changed or removed, such as a segment of a path; the areas may overlap.
/// For more than 1024 of them in a frame, there is one message with all of their area.
/// An edit that is a reload sends it too, in the frame in which the new ground is there.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundEdited {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The area of all level-0 triangles that changed, in the terrain's own coordinates. Along y, it has all heights of the terrain.
    pub bounds: ChunkBounds,
}

/// A terrain becomes ready: its viewers see everything that they want; see
/// [`TerrainState::is_settled`](crate::stream::TerrainState::is_settled). A terrain without a viewer is never ready.
///
/// For a loading screen, the ground around one position is often enough; see [`TerrainStreamState`](super::TerrainStreamState).
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TerrainReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}
