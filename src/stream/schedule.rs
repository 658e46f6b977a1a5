//! When the terrain's systems run.

use bevy::prelude::*;
use std::time::Duration;

/// The order in which terrain follows its settings and viewers, in `PostUpdate`, before transforms are propagated.
///
/// [`First`](Self::First) and [`Last`](Self::Last) are for a game's systems, which may go before and after any other set too. The
/// crate's own systems there only read.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// A hook: viewers may still be moved here. In `PostUpdate`.
    First,
    /// Changed settings are adopted, and their warnings are logged. In `PostUpdate`.
    React,
    /// Viewers are collected, and the frame is planned. In `PostUpdate`.
    Select,
    /// Chunks are spawned, shown, hidden and despawned, and games are told. In `PostUpdate`.
    Apply,
    /// The render layer follows. In `PostUpdate`.
    Render,
    /// Background tasks are started, after everything else: on few cores they would get in its way. In `PostUpdate`.
    Generate,
    /// A hook: the world is as it will be drawn. In `PostUpdate`.
    Last,
}

/// Whether any terrain has something to do in this frame. If not, the systems that would do it don't run: what a still
/// camera costs is to find out that it stands still.
#[derive(Resource, Default)]
pub(super) struct StreamWork {
    pub is_left: bool,
    /// When the frame's work began, by the [`TerrainClock`].
    pub start: Duration,
    /// Terrains whose [`Terrain`] was removed in the last frame, with the chunks that may still be there.
    pub lost_terrains: Vec<Entity>,
}

/// A run condition.
pub(super) fn is_work_left(work: Res<StreamWork>) -> bool {
    work.is_left
}
