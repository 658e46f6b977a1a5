//! Whether the ground is ready: for loading screens, and for putting things where they do not fall through.
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
//! fn fill_bar(terrain: TerrainStreamState, mut bars: Query<&mut Transform, With<LoadingBar>>) {
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
//! Who wants to be told rather than ask reads [`TerrainReady`](super::TerrainReady) messages, or observes them.

use super::frame::TerrainPlaceItem;
use super::generation::Generation;
use super::{Terrain, TerrainPlace, TerrainState};
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, Viewer};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Whether the ground around a place is ready: drawn, as finely as its viewers want it.
///
/// A place is one of the world, in metres; its height does not matter, and around it counts what lies within a radius in plan.
/// Of that, what no viewer sees is not wanted, and not waited for; but a place that itself is out of view is not ready. The
/// answers are those of the last frame: about a viewer that was put somewhere else, ask in the next one. Where there are
/// several terrains, all of them are asked; `..._of` asks one.
///
/// It is not ready before its settings are loaded and measured, and while heights that were changed are on their way.
#[derive(SystemParam)]
pub struct TerrainStreamState<'w, 's> {
    terrains: Query<'w, 's, (&'static TerrainState, TerrainPlace), With<Terrain>>,
}

impl TerrainStreamState<'_, '_> {
    /// Whether every terrain shows everything that its viewers want; see [`TerrainState::is_settled`]. False where there is no
    /// terrain, or one without a viewer.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let mut terrains = self.terrains.iter().peekable();
        terrains.peek().is_some() && terrains.all(|(state, _)| state.is_settled() && !state.viewers.is_empty())
    }

    /// Whether all that is wanted within `radius` metres of `place` is shown.
    #[must_use]
    pub fn is_ready(&self, place: Vec3, radius: f32) -> bool {
        let mut terrains = self.terrains.iter().peekable();
        terrains.peek().is_some() && terrains.all(|(state, terrain)| Disc::new(&terrain, place, radius).is_ready(state))
    }

    /// How much of what is wanted within `radius` metres of `place` is there, from 0 to 1; a chunk that is there and not shown
    /// yet counts half. It is 1 when [`is_ready`](Self::is_ready), and not before; it falls when more is wanted.
    #[must_use]
    pub fn progress(&self, place: Vec3, radius: f32) -> f32 {
        let parts = self.terrains.iter().map(|(state, terrain)| Disc::new(&terrain, place, radius).progress(state));
        let (sum, count) = parts.fold((0.0, 0), |(sum, count), part| (sum + part, count + 1));
        if count == 0 { 0.0 } else { sum / count as f32 }
    }

    /// What [`is_ready`](Self::is_ready) says, of one terrain. False where it is none.
    #[must_use]
    pub fn is_ready_of(&self, terrain: Entity, place: Vec3, radius: f32) -> bool {
        self.terrains.get(terrain).is_ok_and(|(state, terrain)| Disc::new(&terrain, place, radius).is_ready(state))
    }

    /// What [`progress`](Self::progress) says, of one terrain. 0 where it is none.
    #[must_use]
    pub fn progress_of(&self, terrain: Entity, place: Vec3, radius: f32) -> f32 {
        self.terrains.get(terrain).map_or(0.0, |(state, terrain)| Disc::new(&terrain, place, radius).progress(state))
    }
}

/// A condition for systems to run: every terrain shows everything that its viewers want.
///
/// That may take long, and while viewers fly it comes and goes; [`terrain_ready_around`] asks for less.
#[must_use]
pub fn is_terrain_ready(terrain: TerrainStreamState) -> bool {
    terrain.is_settled()
}

/// A condition for systems to run: all that is wanted within `radius` metres of `place` is shown. See
/// [`TerrainStreamState::is_ready`].
pub fn terrain_ready_around(place: Vec3, radius: f32) -> impl Fn(TerrainStreamState) -> bool + Clone {
    move |terrain: TerrainStreamState| terrain.is_ready(place, radius)
}

/// The ground within a distance of a place, in the coordinates of a terrain.
struct Disc {
    place: [f64; 2],
    radius: f64,
}

impl Disc {
    fn new(terrain: &TerrainPlaceItem, place: Vec3, radius: f32) -> Self {
        let frame = terrain.frame();
        let local = frame.to_terrain(place);
        // Around a place that is no number lies nothing; a distance that is none reaches nowhere.
        let radius = if local.is_finite() { f64::from(radius.max(0.0)) / frame.scale() } else { -1.0 };
        Self { place: [local.x, local.z], radius }
    }

    fn is_ready(&self, state: &TerrainState) -> bool {
        state.is_current() && Tally::of(state, self).is_some_and(|tally| tally.is_complete())
    }

    fn progress(&self, state: &TerrainState) -> f32 {
        let part = Tally::of(state, self).map_or(0.0, |tally| tally.part());
        // Until it is known how much is wanted, it never is all.
        if state.is_current() { part } else { part.min(0.99) }
    }
}

/// How much of the wanted chunks within a [`Disc`] is there.
struct Tally<'a> {
    disc: &'a Disc,
    layout: &'a ChunkLayout,
    generation: &'a Generation,
    /// What is drawn of it: nothing, while it is on its way.
    drawn: Option<&'a Cover>,
    viewers: Vec<Viewer>,
    wanted: usize,
    there: usize,
    shown: usize,
    /// The place itself is within view.
    has_place: bool,
}

impl<'a> Tally<'a> {
    /// Of the ground that is worked on. `None` where there is none.
    fn of(state: &'a TerrainState, disc: &'a Disc) -> Option<Self> {
        let (generation, drawn) = match (&state.incoming, &state.shown) {
            (Some(incoming), _) => (incoming, None),
            (None, shown) => (shown.as_ref()?, Some(state.drawn.cover())),
        };
        let bounds = generation.field.bounds();
        let viewers = state.points.iter().zip(generation.targets());
        let viewers = viewers.map(|(&point, &reach)| Viewer::new(point, reach, bounds)).collect();
        let layout = &generation.layout;
        let mut tally =
            Self { disc, layout, generation, drawn, viewers, wanted: 0, there: 0, shown: 0, has_place: false };
        for root in generation.needed_roots(&state.points, state.drawn.cover()) {
            tally.count(root);
        }
        Some(tally)
    }

    /// Counts the chunks that are to be drawn of the ground of `chunk`. One that is split anyway, because it was and is hardly
    /// too far away, counts as one.
    fn count(&mut self, chunk: ChunkCoord) {
        let distance = self.layout.distance(chunk, self.disc.place);
        if distance > self.disc.radius {
            return;
        }
        let is_near = |viewer: &Viewer| viewer.distance(self.layout, chunk) < viewer.reach.split(chunk.level);
        if chunk.level > 0 && self.viewers.iter().any(is_near) {
            chunk.children().for_each(|child| self.count(child));
            return;
        }
        self.wanted += 1;
        self.there += usize::from(self.generation.body(chunk).is_some());
        self.shown += usize::from(self.drawn.is_some_and(|drawn| drawn.contains(chunk)));
        self.has_place |= distance == 0.0;
    }

    fn is_complete(&self) -> bool {
        self.has_place && self.shown == self.wanted
    }

    /// From 0 to 1.
    fn part(&self) -> f32 {
        if self.has_place { (self.there + self.shown) as f32 / (2 * self.wanted) as f32 } else { 0.0 }
    }
}
