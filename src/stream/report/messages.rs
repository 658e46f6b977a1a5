//! What games are told about chunks and ground, as messages and as events.
//!
//! | told | when | for |
//! | --- | --- | --- |
//! | `On<Add, TerrainChunk>`, `On<Remove, TerrainChunk>` | a chunk was loaded, or is despawned; drawn or not | what a chunk owns |
//! | [`ChunkShown`], [`ChunkHidden`] | a chunk is drawn from this frame on, or no longer | one thing for every drawn chunk, such as a collider |
//! | [`GroundShown`], [`GroundHidden`] | ground is drawn that was not drawn before, at whatever level, or no longer | what stands on the ground, such as trees |
//! | [`ChunkLevelChanged`] | ground stays drawn, at another level | denser or sparser grass |
//! | [`TerrainReady`] | everything that is wanted is drawn | a loading screen |
//!
//! The first are Bevy's own lifecycle events. Each of the others is written as a [`Message`], for systems that read a frame's
//! worth at a time, and triggered as an event of the terrain's entity, for observers: `app.add_observer(...)` hears of all
//! terrains, `commands.entity(terrain).observe(...)` of one. All of a frame are told in `PostUpdate`, in
//! [`TerrainSystems::Apply`](crate::stream::TerrainSystems::Apply): a system in
//! [`TerrainSystems::Last`](crate::stream::TerrainSystems::Last), or in any schedule after it, reads those of the same frame.
//! Within a frame what is gone is told before what is new: `ChunkHidden`, `GroundHidden`, `ChunkShown`, `GroundShown`,
//! `ChunkLevelChanged`. A chunk that something else despawns is told as hidden at once.
//!
//! A reload of heights hides all ground and shows all ground: every height may be another. Heights alone need none of this,
//! see [`TerrainGround`](crate::ground::TerrainGround).
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
//! fn plant(shown: On<GroundShown>, terrains: Query<(&TerrainState, TerrainPlace)>, mut commands: Commands) {
//!     if let Ok((state, terrain)) = terrains.get(shown.terrain)
//!         && let Some(field) = state.field()
//!     {
//!         let DVec3 { x, z, .. } = shown.bounds.center();
//!         let place = DVec3::new(x, field.height(x, z).into(), z);
//!         commands.spawn((Tree(place), Transform::from_translation(terrain.frame().to_world(place))));
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
use crate::stream::place::ChunkBounds;
use bevy::prelude::*;

/// A chunk is drawn from this frame on.
///
/// Finer or coarser chunks may have been drawn over the same ground before: [`GroundShown`] tells of new ground.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ChunkShown {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk's entity.
    pub chunk: Entity,
    /// Which chunk of the terrain.
    pub coord: ChunkCoord,
    /// The box around its ground.
    pub bounds: ChunkBounds,
}

/// A chunk is no longer drawn: finer or coarser ones took its place, it is out of view, or it is despawned. Its entity may be
/// gone already.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ChunkHidden {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk's entity, as in [`ChunkShown`].
    pub chunk: Entity,
    /// Which chunk of the terrain.
    pub coord: ChunkCoord,
    /// The box around its ground.
    pub bounds: ChunkBounds,
}

/// Ground is drawn of which nothing was drawn before, at any level: it came into view, or a reload made its heights anew.
///
/// Ground that a game uncovers by despawning a chunk is told as gone and new only if it takes more than a frame to build it
/// again.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct GroundShown {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The area: a chunk that is drawn, or a part of one.
    pub area: ChunkCoord,
    /// The box around the ground. Along y it may be that of more ground.
    pub bounds: ChunkBounds,
}

/// Ground is no longer drawn at any level: it is out of view, or its heights or its terrain are gone.
///
/// It is told area by area, and the areas need not be those of [`GroundShown`]: use the [bounds](Self::bounds).
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct GroundHidden {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The area: a chunk that was drawn, or a part of one.
    pub area: ChunkCoord,
    /// The box around the ground. Along y it may be that of more ground.
    pub bounds: ChunkBounds,
}

/// Ground that stays in view is drawn at another level: a chunk took the place of finer ones, or they of it, in one frame.
///
/// Told once for each such area, beside [`ChunkHidden`] and [`ChunkShown`] for every chunk.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct ChunkLevelChanged {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// The chunk that disappeared or appeared; all the others lie in it.
    pub area: ChunkCoord,
    /// The box around the area, as high and as low as the ground that is drawn there now.
    pub bounds: ChunkBounds,
    /// The finest level before.
    pub before: u8,
    /// The finest level now.
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
/// [`TerrainState::is_settled`](crate::stream::TerrainState::is_settled). A terrain without a viewer is never ready.
///
/// For a loading screen, [`TerrainStreamState`](super::TerrainStreamState) can ask for less.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}
