//! Whether ground is ready: for loading screens, and for bodies that must not fall through.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_perlin_terrain::prelude::*;
//!
//! #[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
//! enum Game {
//!     #[default]
//!     Loading,
//!     Playing,
//! }
//!
//! const START: Vec3 = Vec3::new(120.0, 0.0, -40.0);
//!
//! #[derive(Component)]
//! struct LoadingBar;
//!
//! fn begin(mut game: ResMut<NextState<Game>>) {
//!     game.set(Game::Playing);
//! }
//!
//! fn fill_bar(mut terrain: TerrainStreamState, mut bars: Query<&mut Transform, With<LoadingBar>>) {
//!     for mut bar in &mut bars {
//!         bar.scale.x = terrain.progress(START, 500.0);
//!     }
//! }
//!
//! fn plugin(app: &mut App) {
//!     app.init_state::<Game>().add_systems(
//!         Update,
//!         (fill_bar, begin.run_if(terrain_ready_around(START, 500.0))).run_if(in_state(Game::Loading)),
//!     );
//! }
//! ```
//!
//! To react when a whole terrain becomes ready, read or observe [`TerrainReady`](super::TerrainReady).

use crate::stream::position::{TerrainPosition, TerrainPositionItem};
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Whether the ground around a position is ready: drawn at the detail that its viewers want.
///
/// - Positions are those of the world, in metres. All ground within a horizontal radius counts; the height is ignored.
/// - Ground that no viewer sees does not count. If no viewer sees the position itself, it is not ready.
/// - The answer does not depend on viewers elsewhere or on chunks that wait to be despawned.
/// - A position is not ready until settings are loaded and level errors are measured, nor while a reload builds new heights.
/// - Answers are those of the last plan. After a viewer jumps, ask in the next frame.
/// - With several terrains, all of them must be ready. The methods that end in `_of` ask one terrain.
#[derive(SystemParam)]
pub struct TerrainStreamState<'w, 's> {
    terrains: Query<'w, 's, (Entity, &'static TerrainState, TerrainPosition), With<Terrain>>,
    /// The largest progress so far of the last loads that were asked for, the most recent one last.
    latched: Local<'s, Vec<(Load, f32)>>,
}

/// The ground whose progress is asked for: one terrain or all, and the bits of the position and of the radius.
type Load = (Option<Entity>, [u32; 4]);

impl TerrainStreamState<'_, '_> {
    /// Whether the viewers of every terrain see everything that they want; see [`TerrainState::is_settled`]. `false` if there is no
    /// terrain, or if a terrain has no viewer.
    #[must_use]
    pub fn is_everything_ready(&self) -> bool {
        let mut terrains = self.terrains.iter().peekable();
        terrains.peek().is_some() && terrains.all(|(_, state, _)| state.is_settled() && !state.viewers.is_empty())
    }

    /// Whether all ground within `radius` metres of `position` is ready. `false` if there is no terrain.
    #[must_use]
    pub fn is_ready(&self, position: Vec3, radius: f32) -> bool {
        let mut terrains = self.terrains.iter().peekable();
        terrains.peek().is_some()
            && terrains.all(|(_, state, terrain)| readiness(state, &terrain, position, radius) == Some(1.0))
    }

    /// The part of the ground within `radius` metres of `position` that is ready, from 0 to 1. It is 1 only if
    /// [`is_ready`](Self::is_ready), and never falls before that.
    ///
    /// For this, each system remembers the largest progress of the positions that it asked for most recently. So ask for a fixed position,
    /// not for the position of a moving viewer.
    pub fn progress(&mut self, position: Vec3, radius: f32) -> f32 {
        let parts = self.terrains.iter().map(|(_, state, terrain)| readiness(state, &terrain, position, radius));
        let (sum, count) = parts.fold((0.0, 0), |(sum, count), part| (sum + part.unwrap_or_default(), count + 1));
        let part = if count == 0 { 0.0 } else { sum / count as f32 };
        self.latch(None, position, radius, part)
    }

    /// Like [`is_ready`](Self::is_ready), for one terrain. `false` if the entity is not a terrain.
    #[must_use]
    pub fn is_ready_of(&self, terrain: Entity, position: Vec3, radius: f32) -> bool {
        let terrain = self.terrains.get(terrain);
        terrain.is_ok_and(|(_, state, terrain)| readiness(state, &terrain, position, radius) == Some(1.0))
    }

    /// Like [`progress`](Self::progress), for one terrain. 0 if the entity is not a terrain.
    pub fn progress_of(&mut self, terrain: Entity, position: Vec3, radius: f32) -> f32 {
        let of = self.terrains.get(terrain).ok();
        let part = of.and_then(|(_, state, terrain)| readiness(state, &terrain, position, radius));
        self.latch(Some(terrain), position, radius, part.unwrap_or_default())
    }

    fn latch(&mut self, terrain: Option<Entity>, position: Vec3, radius: f32, part: f32) -> f32 {
        let load = (terrain, [position.x, position.y, position.z, radius].map(f32::to_bits));
        latched(&mut self.latched, load, part)
    }
}

/// The number of loads whose progress a system remembers.
const MAX_LATCHED: usize = 16;

/// Returns the largest progress of `load` so far, and remembers it until the load ends. `part` is the progress now.
fn latched(loads: &mut Vec<(Load, f32)>, load: Load, part: f32) -> f32 {
    let before = loads.iter().position(|(known, _)| *known == load).map(|at| loads.remove(at).1);
    let largest = before.unwrap_or_default().max(part);
    if part < 1.0 {
        if loads.len() == MAX_LATCHED {
            loads.remove(0);
        }
        loads.push((load, largest));
    }
    largest
}

/// A run condition: the viewers of every terrain see everything that they want.
///
/// This can take long, and it is often false while viewers move fast. [`terrain_ready_around`] asks for less.
#[must_use]
pub fn is_terrain_ready(terrain: TerrainStreamState) -> bool {
    terrain.is_everything_ready()
}

/// A run condition: all ground within `radius` metres of `position` is ready. See [`TerrainStreamState::is_ready`].
pub fn terrain_ready_around(position: Vec3, radius: f32) -> impl Fn(TerrainStreamState) -> bool + Clone {
    move |terrain: TerrainStreamState| terrain.is_ready(position, radius)
}

/// The part of the ground around a position that is drawn at the detail that its viewers want. `None` if that is not known yet, or if
/// no viewer sees the position.
fn readiness(state: &TerrainState, terrain: &TerrainPositionItem, position: Vec3, radius: f32) -> Option<f32> {
    let frame = terrain.frame();
    let local = frame.to_terrain(position);
    if !local.is_finite() {
        return None;
    }
    let streamed = state.newest()?;
    let radius = f64::from(radius.max(0.0)) / frame.scale();
    let (ready, all) = streamed.planner.plan().readiness(&streamed.layout, [local.x, local.z], radius)?;
    let part = ready as f32 / all.max(1) as f32;
    // While a reload builds new heights, none of them are drawn.
    Some(if state.is_current() { part } else { part.min(0.99) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(number: u32) -> Load {
        (None, [number, 0, 0, 0])
    }

    #[test]
    fn progress_never_falls_until_the_load_ends() {
        let mut loads = Vec::new();
        let parts = [0.25, 0.5, 0.125, 0.75, 1.0, 0.25];
        let expected = [0.25, 0.5, 0.5, 0.75, 1.0, 0.25];
        assert_eq!(parts.map(|part| latched(&mut loads, load(0), part)), expected);
        assert_eq!(loads.len(), 1, "the new load");
    }

    #[test]
    fn only_the_last_loads_are_remembered() {
        let mut loads = Vec::new();
        for number in 0..1000 {
            latched(&mut loads, load(number), 0.5);
            assert_eq!(latched(&mut loads, load(0), 0.25), 0.5, "it is asked for all the time");
            assert!(loads.len() <= MAX_LATCHED);
        }
        assert_eq!(latched(&mut loads, load(999), 0.25), 0.5);
        assert_eq!(latched(&mut loads, load(500), 0.25), 0.25, "it was dropped");
    }
}
