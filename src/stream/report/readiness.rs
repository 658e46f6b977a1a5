//! Whether the ground is ready: for loading screens, and for bodies that must not fall through.
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
//! To be told instead, read [`TerrainReady`](super::TerrainReady) messages, or observe them.

use crate::stream::place::{TerrainPlace, TerrainPlaceItem};
use crate::stream::state::TerrainState;
use crate::stream::terrain::Terrain;
use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

/// Whether the ground around a place is ready: drawn at the detail that its viewers want.
///
/// A place is one of the world, in metres; its height does not matter, and all ground counts that lies within a radius in plan.
/// What no viewer sees is not waited for, but a place out of view is not ready. The answer concerns that place alone: what other
/// viewers do elsewhere, and what is still to be despawned, does not matter. Answers are those of the last frame: after a
/// viewer jumps, ask in the next frame. If there are several terrains, all of them are asked; `..._of` asks one.
///
/// A place is not ready before settings are loaded and level errors measured, and while a reload builds other heights.
#[derive(SystemParam)]
pub struct TerrainStreamState<'w, 's> {
    terrains: Query<'w, 's, (Entity, &'static TerrainState, TerrainPlace), With<Terrain>>,
    /// The largest progress of each load that was asked for.
    latched: Local<'s, HashMap<(Option<Entity>, [u32; 4]), f32>>,
}

impl TerrainStreamState<'_, '_> {
    /// Whether every terrain shows everything that its viewers want, wherever they are; see [`TerrainState::is_settled`]. False
    /// if there is no terrain, or one without a viewer.
    #[must_use]
    pub fn is_everything_ready(&self) -> bool {
        let mut terrains = self.terrains.iter().peekable();
        terrains.peek().is_some() && terrains.all(|(_, state, _)| state.is_settled() && !state.viewers.is_empty())
    }

    /// Whether all ground within `radius` metres of `place` is ready.
    #[must_use]
    pub fn is_ready(&self, place: Vec3, radius: f32) -> bool {
        let mut terrains = self.terrains.iter().peekable();
        terrains.peek().is_some()
            && terrains.all(|(_, state, terrain)| readiness(state, &terrain, place, radius) == Some(1.0))
    }

    /// How much of the ground within `radius` metres of `place` is ready, from 0 to 1. It is 1 if [`is_ready`](Self::is_ready),
    /// and not before. Until then it never falls, also if more is wanted meanwhile: each system that asks has its own memory of
    /// the loads that it asks for.
    pub fn progress(&mut self, place: Vec3, radius: f32) -> f32 {
        let parts = self.terrains.iter().map(|(_, state, terrain)| readiness(state, &terrain, place, radius));
        let (sum, count) = parts.fold((0.0, 0), |(sum, count), part| (sum + part.unwrap_or_default(), count + 1));
        let part = if count == 0 { 0.0 } else { sum / count as f32 };
        self.latch(None, place, radius, part)
    }

    /// What [`is_ready`](Self::is_ready) says, of one terrain. False if it is none.
    #[must_use]
    pub fn is_ready_of(&self, terrain: Entity, place: Vec3, radius: f32) -> bool {
        let terrain = self.terrains.get(terrain);
        terrain.is_ok_and(|(_, state, terrain)| readiness(state, &terrain, place, radius) == Some(1.0))
    }

    /// What [`progress`](Self::progress) says, of one terrain. 0 if it is none.
    pub fn progress_of(&mut self, terrain: Entity, place: Vec3, radius: f32) -> f32 {
        let of = self.terrains.get(terrain).ok();
        let part = of.and_then(|(_, state, terrain)| readiness(state, &terrain, place, radius));
        self.latch(Some(terrain), place, radius, part.unwrap_or_default())
    }

    /// The largest progress of a load, until it ends.
    fn latch(&mut self, terrain: Option<Entity>, place: Vec3, radius: f32, part: f32) -> f32 {
        let load = (terrain, [place.x, place.y, place.z, radius].map(f32::to_bits));
        if part == 1.0 {
            self.latched.remove(&load);
            return part;
        }
        let largest = self.latched.entry(load).or_default();
        *largest = largest.max(part);
        *largest
    }
}

/// A condition for systems to run: every terrain shows everything that its viewers want.
///
/// That may take long, and while viewers fly it comes and goes; [`terrain_ready_around`] asks for less.
#[must_use]
pub fn is_terrain_ready(terrain: TerrainStreamState) -> bool {
    terrain.is_everything_ready()
}

/// A condition for systems to run: all ground within `radius` metres of `place` is ready. See
/// [`TerrainStreamState::is_ready`].
pub fn terrain_ready_around(place: Vec3, radius: f32) -> impl Fn(TerrainStreamState) -> bool + Clone {
    move |terrain: TerrainStreamState| terrain.is_ready(place, radius)
}

/// The part of the ground around a place that is drawn at the detail that its viewers want. `None` if that is not known, or
/// nobody sees the place.
fn readiness(state: &TerrainState, terrain: &TerrainPlaceItem, place: Vec3, radius: f32) -> Option<f32> {
    let frame = terrain.frame();
    let local = frame.to_terrain(place);
    if !local.is_finite() {
        return None;
    }
    let ground = state.newest()?;
    let radius = f64::from(radius.max(0.0)) / frame.scale();
    let (ready, all) = ground.planner.plan().readiness(&ground.layout, [local.x, local.z], radius)?;
    let part = ready as f32 / all.max(1) as f32;
    // While a reload builds other heights, nothing of them is drawn.
    Some(if state.is_current() { part } else { part.min(0.99) })
}
