//! Another ground takes the place of the one that is drawn.
//!
//! In one go, thousands of chunks in a frame: anything less would be a crack. So what can be done before is: which chunks are to be
//! drawn is found in one frame, and what is to be told of them in that and those that follow, as long as they have time.

use super::background::drop_in_background;
use super::drawn::{Drawn, Ground};
use super::generation::Generation;
use super::pace::{Pace, time_budget};
use super::showing::Showing;
use super::{StreamThreads, TerrainState, TerrainStats};
use crate::chunk::{ChunkCoord, Viewer, ViewerPoint};
use bevy::prelude::*;

/// What is to be drawn of the ground that is on its way, and what is to be told then.
pub(super) struct HeadStart {
    drawn: Drawn,
    /// For as many of its chunks as this was found for.
    showing: Showing,
}

impl HeadStart {
    /// For so many chunks it is found at once what is to be told.
    const PORTION: usize = 256;

    /// Begins to find it. `None` where some of it is not there.
    fn begin(new: &Generation, viewers: &[Entity], points: &[ViewerPoint], margin: f64) -> Option<Box<Self>> {
        let drawn = Drawn::ahead(new, viewers, points, margin)?;
        let mut showing = Showing::default();
        showing.shown.reserve(drawn.len());
        Some(Box::new(Self { drawn, showing }))
    }

    /// Finds more of it while it `has_time`, and some in any case.
    fn go_on(&mut self, ground: Ground<'_>, has_time: impl Fn() -> bool) {
        while !self.is_found() {
            self.drawn.tell_ahead(ground, &mut self.showing, Self::PORTION);
            if !has_time() {
                break;
            }
        }
    }

    /// Whether all of it is found.
    fn is_found(&self) -> bool {
        self.showing.len() == self.drawn.len()
    }

    /// Whether `coord`, or anything that lies in it, is to be drawn.
    pub fn holds(&self, coord: ChunkCoord) -> bool {
        self.drawn.holds(coord)
    }

    /// Whether it will do for `viewers` at `points`: they may have moved on a little since it was found for them.
    fn serves(&self, new: &Generation, viewers: &[Entity], points: &[ViewerPoint]) -> bool {
        let has_hardly_moved = |(now, Viewer { point: before, .. }): (&ViewerPoint, &Viewer)| {
            let moved = (0..3).map(|axis| (now.position[axis] - before.position[axis]).abs()).fold(0.0, f64::max);
            moved <= new.built_ahead() && (now.view_distance, now.sharpness) == (before.view_distance, before.sharpness)
        };
        let cover = self.drawn.cover();
        viewers == self.drawn.entities()
            && points.iter().zip(self.drawn.viewers()).all(has_hardly_moved)
            && new.needed_roots(points, cover).all(|root| cover.contains(root))
    }
}

/// Where to ask for changes to the world.
pub(super) struct TakeOver<'a, 'w, 's> {
    pub commands: &'a mut Commands<'w, 's>,
    pub showing: &'a mut Showing,
    pub pace: &'a mut Pace,
    pub threads: StreamThreads,
}

impl TakeOver<'_, '_, '_> {
    /// What is drawn of the old generation of a terrain goes, and all of the new comes, in one go: in the frame after it was found
    /// what that is. At once if that can't be found, or if viewers, or somebody who takes chunks away, left no time for it.
    pub fn change_generations(&mut self, terrain: Entity, state: &mut TerrainState, stats: &mut TerrainStats) {
        let begun = state.head_start.take();
        let TerrainState { shown, incoming, drawn, viewers, points, settings: Some(settings), .. } = state else {
            return;
        };
        let (Some(old), Some(new)) = (&*shown, &*incoming) else {
            return;
        };
        let was_begun = begun.is_some();
        let mut ahead = begun.filter(|begun| begun.serves(new, viewers, points));
        state.hurries |= was_begun && ahead.is_none();
        if ahead.is_none() && !can_take_over(new, old, drawn, points) {
            return;
        }
        if !was_begun && !state.hurries {
            ahead = HeadStart::begin(new, viewers, points, settings.stream.keep_margin);
        }
        let budget = time_budget(&settings.stream);
        match ahead {
            Some(mut ahead) if !ahead.is_found() => {
                ahead.go_on(Ground::of(terrain, new), || stats.time_left(budget) > budget / 2);
                state.head_start = Some(ahead);
            }
            found => self.switch(terrain, state, found.map(|found| *found), stats),
        }
    }

    /// Changes generations. What is to be drawn was `found`, or is found when all else is.
    fn switch(
        &mut self,
        terrain: Entity,
        state: &mut TerrainState,
        found: Option<HeadStart>,
        stats: &mut TerrainStats,
    ) {
        let TerrainState { shown, incoming, drawn, leaving, redraw, hurries, .. } = state;
        let before = self.showing.len();
        if let Some(old) = shown {
            stats.tasks_cancelled += old.workshop.cancel_all() as u64;
            drawn.hide_all(self.commands, Ground::of(terrain, old), self.showing);
            leaving.push_all(old);
        }
        if let Some(HeadStart { drawn: ahead, mut showing }) = found {
            *drawn = ahead;
            // Thousands, which stay where they are: what others show follows them.
            std::mem::swap(&mut self.showing.shown, &mut showing.shown);
            self.showing.shown.append(&mut showing.shown);
        }
        self.pace.count_shown(self.showing.len() - before);
        drop_in_background(std::mem::replace(shown, incoming.take()), self.threads);
        (*redraw, *hurries) = (true, false);
    }
}

/// Whether `new` can be drawn in the place of `old`: all of it that is wanted, or, on the same grid, as much detail as there is now.
fn can_take_over(new: &Generation, old: &Generation, drawn: &Drawn, points: &[ViewerPoint]) -> bool {
    if !new.is_measured() || new.lacks_roots(points, drawn.cover()) {
        return false;
    }
    let (bounds, targets) = (new.field.bounds(), points.iter().zip(new.targets()));
    let wanted: Vec<Viewer> = targets.map(|(&point, &target)| Viewer::new(point, target, bounds)).collect();
    let can_reach = |viewers: &[Viewer]| new.can_reach(viewers, drawn.cover());
    let as_now = || drawn.with_reach_in_force(&wanted).filter(|_| new.layout == old.layout);
    can_reach(&wanted) || as_now().is_some_and(|viewers| can_reach(&viewers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;
    use crate::stream::{ChunkShown, Terrain, TerrainChunk, TerrainStreamPlugin, TerrainViewer};

    /// A terrain that is whole, and its viewer.
    struct Scene {
        app: App,
        terrain: Entity,
        viewer: Entity,
    }

    impl Scene {
        fn new() -> Self {
            Self::of(TerrainSettings::default())
        }

        /// A scene of so many chunks, and with so little time, that they are not found in one frame.
        fn with_much_ground() -> Self {
            let mut settings = TerrainSettings::default();
            (settings.chunks.quads, settings.lod.pixel_error) = (8, 0.0);
            (settings.stream.time_budget, settings.stream.keep_margin) = (0.05, 0.0);
            let mut scene = Self::of(settings);
            scene.app.world_mut().get_mut::<TerrainViewer>(scene.viewer).expect("a viewer").view_distance = 450.0;
            scene.app.update();
            scene.update_until(TerrainState::is_settled);
            let chunks = scene.state().chunks_shown();
            assert!(chunks > 2 * HeadStart::PORTION, "only {chunks} chunks");
            scene
        }

        fn of(settings: TerrainSettings) -> Self {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainStreamPlugin { threads: false }));
            let settings = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(settings);
            let terrain = app.world_mut().spawn(Terrain(settings)).id();
            let viewer = app.world_mut().spawn((TerrainViewer { view_distance: 300.0 }, Transform::default())).id();
            let mut scene = Self { app, terrain, viewer };
            scene.update_until(TerrainState::is_settled);
            scene
        }

        fn state(&self) -> &TerrainState {
            self.app.world().get(self.terrain).expect("a terrain")
        }

        fn update_until(&mut self, condition: impl Fn(&TerrainState) -> bool) {
            for _ in 0..10_000 {
                self.app.update();
                self.assert_as_told();
                if condition(self.state()) {
                    return;
                }
            }
            panic!("it never comes");
        }

        fn edit(&mut self, change: impl FnOnce(&mut TerrainSettings)) {
            let id = self.app.world().get::<Terrain>(self.terrain).expect("a terrain").0.id();
            let mut settings = self.app.world_mut().resource_mut::<Assets<TerrainSettings>>();
            change(settings.get_mut(id).expect("they are there").into_inner());
        }

        fn move_by(&mut self, metres: f32) {
            self.app.world_mut().get_mut::<Transform>(self.viewer).expect("a place").translation.x += metres;
        }

        /// The chunks that are drawn are those that the world shows.
        fn assert_as_told(&mut self) {
            let mut chunks = self.app.world_mut().query::<(Entity, &TerrainChunk, &ChunkShown)>();
            let chunks = chunks.iter(self.app.world()).filter(|(.., shown)| shown.is_shown());
            let chunks: Vec<_> = chunks.map(|(entity, chunk, _)| (entity, chunk.coord)).collect();
            let state = self.state();
            assert_eq!(chunks.len(), state.chunks_shown());
            assert!(chunks.iter().all(|&(entity, coord)| state.chunk(coord) == Some(entity)));
            assert!(state.cover().leaves().iter().all(|&leaf| state.chunk(leaf).is_some()));
        }

        /// Another ground is found to be whole, and is to be drawn in the next frame if it has few chunks.
        fn reload(&mut self) {
            self.edit(|settings| settings.field.seed += 1);
            self.update_until(|state| state.head_start.is_some());
            assert!(!self.is_reloaded());
        }

        /// Whether what is drawn is of the settings in use.
        fn is_reloaded(&self) -> bool {
            let TerrainState { shown, settings, .. } = self.state();
            shown.as_ref().zip(settings.as_ref()).is_some_and(|(shown, settings)| shown.source.is_of(settings))
        }
    }

    #[test]
    fn another_ground_is_drawn_in_the_frame_after_it_was_found_whole() {
        let mut scene = Scene::new();
        scene.reload();
        let found = scene.state().head_start.as_ref().map(|found| found.drawn.cover().clone()).expect("it is found");
        scene.app.update();
        scene.assert_as_told();
        assert!(scene.is_reloaded());
        assert!(scene.state().head_start.is_none() && !scene.state().is_settled());
        assert_eq!(*scene.state().cover(), found);
        scene.update_until(TerrainState::is_settled);
        assert_eq!(*scene.state().cover(), found, "nobody moved");
    }

    #[test]
    fn much_ground_is_found_in_several_frames_and_stays_meanwhile_though_less_is_wanted() {
        let mut scene = Scene::with_much_ground();
        scene.reload();
        let found = scene.state().head_start.as_ref().map(|ahead| ahead.drawn.cover().clone()).expect("it is begun");
        scene.edit(|settings| settings.lod.pixel_error = 100.0);
        let mut frames = 0;
        while let Some(new) = &scene.state().incoming {
            assert!(found.leaves().iter().all(|&leaf| new.body(leaf).is_some()));
            scene.move_by(1.0);
            scene.app.update();
            scene.assert_as_told();
            frames += 1;
        }
        assert!(frames > 2 && scene.is_reloaded() && *scene.state().cover() == found, "{frames} frames");
        scene.update_until(TerrainState::is_settled);
        assert!(4 * scene.state().chunks_shown() < found.leaves().len(), "less is wanted");
    }

    #[test]
    fn who_moves_on_a_little_meanwhile_sees_it_at_once_and_from_its_place_a_frame_later() {
        let mut scene = Scene::new();
        let before = scene.state().points[0];
        scene.reload();
        scene.move_by(1.0);
        scene.app.update();
        scene.assert_as_told();
        assert_eq!((scene.is_reloaded(), scene.state().viewers()[0].point), (true, before));
        scene.app.update();
        scene.assert_as_told();
        assert_eq!(scene.state().viewers()[0].point.position[0], before.position[0] + 1.0);
        scene.update_until(TerrainState::is_settled);
    }

    #[test]
    fn what_was_found_is_forgotten_when_it_is_not_true_any_more() {
        type Meanwhile = fn(&mut Scene);
        let meanwhile: [(&str, Meanwhile); 6] = [
            ("it moves far", |scene| scene.move_by(150.0)),
            ("it jumps", |scene| scene.move_by(1e6)),
            ("it sees further", |scene| {
                scene.app.world_mut().get_mut::<TerrainViewer>(scene.viewer).expect("a viewer").view_distance += 100.0;
            }),
            ("it goes", |scene| {
                scene.app.world_mut().despawn(scene.viewer);
            }),
            ("another comes", |scene| {
                let place = Transform::from_xyz(200.0, 0.0, 0.0);
                scene.app.world_mut().spawn((TerrainViewer { view_distance: 300.0 }, place));
            }),
            ("a chunk is taken away", |scene| {
                let new = scene.state().incoming.as_ref().expect("it is on its way");
                let found = scene.state().head_start.as_ref().expect("it is found");
                let chunk = new.body(found.drawn.cover().leaves()[0]).expect("it is there").entity;
                scene.app.world_mut().despawn(chunk);
                assert!(scene.state().head_start.is_none());
            }),
        ];
        let scenes = [Scene::new, Scene::with_much_ground];
        for ((what, meanwhile), scene) in meanwhile.into_iter().flat_map(|change| scenes.map(|scene| (change, scene))) {
            let mut scene = scene();
            scene.reload();
            meanwhile(&mut scene);
            scene.app.update();
            scene.assert_as_told();
            let drawn_for: Vec<_> = scene.state().viewers().iter().map(|viewer| viewer.point).collect();
            assert!(!scene.is_reloaded() || drawn_for == scene.state().points, "{what}: {drawn_for:?}");
            scene.update_until(|state| state.is_settled() || state.viewers.is_empty() && !state.is_reloading());
            assert!(scene.is_reloaded(), "{what}");
        }
    }

    #[test]
    fn an_edit_that_is_taken_back_in_the_last_moment_is() {
        for mut scene in [Scene::new(), Scene::with_much_ground()] {
            scene.reload();
            let chunks = scene.state().chunks_shown();
            scene.edit(|settings| settings.field.seed -= 1);
            scene.app.update();
            scene.assert_as_told();
            assert!(scene.state().head_start.is_none() && !scene.state().is_reloading());
            assert_eq!((scene.is_reloaded(), scene.state().chunks_shown()), (true, chunks));
        }
    }

    #[test]
    fn where_chunks_are_taken_away_again_and_again_the_change_is_not_put_off_again_and_again() {
        let mut scene = Scene::with_much_ground();
        scene.reload();
        let mut frames = 0;
        while let Some(new) = &scene.state().incoming {
            // Long enough to build the chunk anew, and too short to find what is to be drawn.
            if frames % 3 == 0 {
                let chunk = new.body(scene.state().cover().leaves()[frames]).expect("it is there").entity;
                scene.app.world_mut().despawn(chunk);
            }
            scene.app.update();
            scene.assert_as_told();
            frames += 1;
            assert!(frames < 100, "it never comes");
        }
        assert!(scene.is_reloaded());
        scene.update_until(TerrainState::is_settled);
    }
}
