//! Viewers, in the coordinates of a terrain.

use super::viewer_place::ViewerPlaces;
use super::{TerrainOrigin, TerrainViewer, ViewerLens};
use crate::chunk::ViewerPoint;
use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;

/// What the places of all viewers in a terrain follow from: known where neither it nor any of them is a child of something else.
#[derive(Default)]
pub(super) struct Scene {
    terrain: Option<(Transform, TerrainOrigin)>,
    viewers: Vec<(Entity, TerrainViewer, ViewerLens, Transform)>,
}

/// The viewers, as terrains see them.
#[derive(SystemParam)]
pub(super) struct Onlookers<'w, 's> {
    viewers: Query<'w, 's, (Entity, &'static TerrainViewer, &'static ViewerLens)>,
    places: ViewerPlaces<'w, 's>,
    /// Those that one terrain has.
    pub entities: Local<'s, Vec<Entity>>,
    /// Where in its coordinates they are.
    pub points: Local<'s, Vec<ViewerPoint>>,
    warned: Local<'s, bool>,
}

impl Onlookers<'_, '_> {
    /// Whether nothing has changed since `scene` of `terrain`, so that the viewers are where they were. A look at a still camera
    /// costs no more than this.
    pub fn is_same(&self, terrain: Entity, scene: &Scene) -> bool {
        let is_same = |(now, then): ((Entity, &TerrainViewer, &ViewerLens), &(Entity, _, _, _))| {
            self.places.alone(now.0).is_some_and(|&place| (now.0, *now.1, *now.2, place) == *then)
        };
        scene.terrain.is_some()
            && scene.terrain == self.places.terrain_alone(terrain)
            && self.viewers.iter().len() == scene.viewers.len()
            && self.viewers.iter().zip(&scene.viewers).all(is_same)
    }

    /// Finds where all viewers are in the coordinates of `terrain`, and what their places follow from.
    pub fn look_at(&mut self, terrain: Entity, scene: &mut Scene) {
        scene.viewers.clear();
        for (viewer, &wants, &lens) in &self.viewers {
            scene.viewers.extend(self.places.alone(viewer).map(|&place| (viewer, wants, lens, place)));
        }
        let are_alone = scene.viewers.len() == self.viewers.iter().len();
        scene.terrain = self.places.terrain_alone(terrain).filter(|_| are_alone);
        let scale = self.places.scale(terrain);
        self.entities.clear();
        self.points.clear();
        for (viewer, wants, lens) in &self.viewers {
            let place = self.places.in_terrain(viewer, terrain);
            let point = place.map(|to_terrain| viewer_point(&to_terrain, scale, wants, lens));
            match point.filter(ViewerPoint::is_finite) {
                Some(point) => {
                    self.entities.push(viewer);
                    self.points.push(point);
                }
                None if !*self.warned => {
                    *self.warned = true;
                    warn!(
                        "{viewer} sees no terrain: its place, its `TerrainViewer::view_distance` and its `ViewerLens` must \
                         be finite numbers, and whatever it is a child of needs a `Transform`"
                    );
                }
                None => {}
            }
        }
    }
}

/// A viewer in the coordinates of a terrain, which has `scale` metres of the world for each of its own. `to_terrain` leads
/// there from the viewer's own coordinates.
fn viewer_point(to_terrain: &DAffine3, scale: f64, wants: &TerrainViewer, lens: &ViewerLens) -> ViewerPoint {
    let forward = to_terrain.transform_vector3(DVec3::NEG_Z).with_y(0.0).normalize_or_zero();
    // A number that is none stays one.
    let view_distance = if wants.view_distance < 0.0 { 0.0 } else { f64::from(wants.view_distance) };
    ViewerPoint {
        position: to_terrain.translation.to_array(),
        forward: [forward.x, forward.z],
        view_distance: view_distance / scale,
        sharpness: lens.sharpness(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;
    use crate::stream::{Terrain, TerrainState, TerrainStreamPlugin};

    /// Something that changes in a world with a terrain and a viewer.
    type Change = fn(&mut World, Entity, Entity);

    const CHANGES: [(&str, Change); 10] = [
        ("the viewer moves", |world, _, viewer| transform(world, viewer).translation.x += 0.5),
        ("the viewer turns", |world, _, viewer| transform(world, viewer).rotate_y(0.1)),
        ("it sees further", |world, _, viewer| {
            world.entity_mut(viewer).insert(TerrainViewer { view_distance: 90.0 });
        }),
        ("it sees more sharply", |world, _, viewer| {
            world.entity_mut(viewer).insert(ViewerLens { height: 2000.0, ..default() });
        }),
        ("the terrain moves", |world, terrain, _| transform(world, terrain).translation.z += 3.0),
        ("the terrain grows", |world, terrain, _| transform(world, terrain).scale *= 2.0),
        ("it stands at another place", |world, terrain, _| {
            world.entity_mut(terrain).insert(TerrainOrigin::new(100.0, 0.0));
        }),
        ("the viewer becomes a part of something", |world, _, viewer| {
            let ship = world.spawn(Transform::from_xyz(5.0, 0.0, 0.0)).id();
            world.entity_mut(viewer).insert(ChildOf(ship));
        }),
        ("that moves", |world, _, viewer| {
            let ship = world.get::<ChildOf>(viewer).expect("it is a part of something").parent();
            transform(world, ship).translation.x += 1.0;
        }),
        ("there is another viewer", |world, _, _| {
            world.spawn(TerrainViewer { view_distance: 50.0 });
        }),
    ];

    fn transform(world: &mut World, entity: Entity) -> Mut<'_, Transform> {
        world.get_mut(entity).expect("it has a place")
    }

    #[test]
    fn whatever_changes_after_a_rest_is_seen_at_once() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainStreamPlugin { threads: false }));
        let settings = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(TerrainSettings::default());
        let terrain = app.world_mut().spawn(Terrain(settings)).id();
        let viewer = app.world_mut().spawn(TerrainViewer { view_distance: 60.0 }).id();
        let is_still = |app: &App| app.world().get::<TerrainState>(terrain).expect("it is a terrain").is_still();
        let points = |app: &App| app.world().get::<TerrainState>(terrain).expect("it is a terrain").points.clone();
        for (what, change) in CHANGES {
            let frames = (0..10_000).take_while(|_| {
                app.update();
                !is_still(&app)
            });
            assert!(frames.count() < 9999, "the terrain never comes to rest before {what}");
            let before = points(&app);
            change(app.world_mut(), terrain, viewer);
            app.update();
            assert_ne!(points(&app), before, "{what}, and nobody sees it");
        }
    }
}
