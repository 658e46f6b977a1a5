//! The system sets of the terrain, and whether they have work.

use bevy::prelude::*;
use std::time::Duration;

/// The terrain's system sets, in the order in which they run: in `PostUpdate`, before transform propagation.
///
/// [`First`](Self::First) and [`Last`](Self::Last) are hooks for a game's systems. A game can also order systems before and after
/// any other set. The crate's own systems in these two sets don't change chunks, settings or viewers.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TerrainSystems {
    /// A hook for games: the last place to move viewers in this frame. In `PostUpdate`.
    First,
    /// Applies changed settings and logs their warnings. In `PostUpdate`.
    React,
    /// Collects the viewers and plans the frame. In `PostUpdate`.
    Select,
    /// Spawns, shows, hides and despawns chunks, and sends the messages. In `PostUpdate`.
    Apply,
    /// The render layer updates meshes and materials. In `PostUpdate`.
    Render,
    /// Starts background tasks. Runs late, because on few cores the tasks slow down the other systems. In `PostUpdate`.
    Generate,
    /// A hook for games: all chunks of this frame are final. In `PostUpdate`.
    Last,
}

/// Whether any terrain has work in this frame. If not, the other systems do not run.
#[derive(Resource, Default)]
pub(crate) struct StreamWork {
    pub is_left: bool,
    /// The time of the [`TerrainClock`](super::TerrainClock) at which the work of this frame began.
    pub start: Duration,
    /// Bytes that may still be uploaded in this frame.
    pub upload_bytes: u64,
    /// Entities whose [`Terrain`](super::Terrain) was removed in the last frame. Some of their chunks may still exist.
    pub lost_terrains: Vec<Entity>,
}

/// A run condition: whether any terrain has work in this frame.
pub(super) fn is_work_left(work: Res<StreamWork>) -> bool {
    work.is_left
}
