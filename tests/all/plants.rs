//! Plants: where they stand in the world, which of them are entities, and which are removed.

use bevy::ecs::system::SystemState;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::field::{EditChange, EditCircle, EditHeight, EditShape, TerrainEdit};
use bevy_perlin_terrain::plants::{PlantAreaError, PlantId, PlantKind, PlantLayer, PlantsError, StandingPlant};
use bevy_perlin_terrain::prelude::*;
use std::collections::BTreeMap;
use testing::app::log::warnings_of;
use testing::app::*;

/// A wood whose trees are entities, and bushes that are not.
fn wood(entities: f64) -> TerrainSettings {
    let layer = |name: &str, spacing| PlantLayer { name: name.to_owned(), spacing, ..PlantLayer::default() };
    let trees = PlantLayer { entities, ..layer("tree", 6.0) };
    TerrainSettings { plants: vec![trees, layer("bush", 3.0)], ..small_settings() }
}

fn with_plants<T>(app: &mut App, ask: impl FnOnce(&mut TerrainPlants) -> T) -> T {
    let mut state: SystemState<TerrainPlants> = SystemState::new(app.world_mut());
    let answer = ask(&mut state.get_mut(app.world_mut()).expect("the parameter is valid"));
    state.apply(app.world_mut());
    answer
}

fn near(app: &mut App, terrain: Entity, position: Vec3, radius: f32) -> Vec<StandingPlant> {
    with_plants(app, |plants| plants.near(terrain, 0, position, radius)).expect("the terrain is loaded")
}

/// The plants that are entities, with their entities and their places in the world.
fn entities(app: &mut App) -> BTreeMap<PlantId, (Entity, TerrainPlant, Vec3)> {
    let mut query = app.world_mut().query::<(Entity, &TerrainPlant, &GlobalTransform)>();
    let all =
        query.iter(app.world()).map(|(entity, plant, place)| (plant.plant.id, (entity, *plant, place.translation())));
    let mut found = BTreeMap::new();
    for (id, plant) in all {
        assert_eq!(found.insert(id, plant), None, "a plant is one entity");
    }
    found
}

/// A body, for which `radius` metres of ground are kept.
fn add_body(app: &mut App, x: f32, z: f32, radius: f32) -> Entity {
    app.world_mut().spawn((Transform::from_xyz(x, 300.0, z), KeepGround { radius, ..default() })).id()
}

fn wait_for_plants(app: &mut App, terrain: Entity, position: Vec3, radius: f32) {
    pump_until(app, "all plants near the viewer are entities", |app| {
        let wanted = near(app, terrain, position, radius);
        let there = entities(app);
        !wanted.is_empty() && wanted.iter().all(|plant| there.contains_key(&plant.plant.id))
    });
}

#[test]
fn plants_stand_in_the_world_where_the_terrain_is() {
    let mut app = headless_app();
    let terrain = add_terrain_at(&mut app, wood(0.0), [1e7, -300.0]);
    *app.world_mut().get_mut::<Transform>(terrain).expect("every terrain has one") = moved_and_rotated();
    add_viewer(&mut app, 0.0, 0.0, 100.0);
    let early = with_plants(&mut app, |plants| plants.near(terrain, 0, Vec3::ZERO, 30.0));
    assert_eq!(early, Err(PlantsError::NotLoaded));
    settle(&mut app, terrain);
    let found = near(&mut app, terrain, Vec3::ZERO, 60.0);
    assert!(found.len() > 20, "{}", found.len());
    let frame = {
        let mut query = app.world_mut().query::<TerrainPosition>();
        query.get(app.world(), terrain).expect("it is a terrain").frame()
    };
    let plants = state(&app, terrain).plants().expect("it is loaded").clone();
    for plant in &found {
        let place = plant.transform.translation;
        assert!(place.xz().length() <= 60.0);
        assert_eq!(place, frame.to_world(DVec3::from_array(plant.plant.position)));
        assert_eq!(plants.get(plant.plant.id), Some(plant.plant));
        let height = plants.ground().height(plant.plant.position[0], plant.plant.position[2]);
        assert_eq!(plant.plant.position[1], height);
    }
    // A box has those that are in it, and the circle is in the box.
    let corners = [Vec3::new(60.0, 0.0, -60.0), Vec3::new(-60.0, 9.0, 60.0)];
    let boxed = with_plants(&mut app, |plants| plants.in_box(terrain, 0, corners)).expect("it is valid");
    assert!(boxed.iter().all(|plant| plant.transform.translation.abs().xz().max_element() <= 60.0));
    assert!(found.iter().all(|plant| boxed.contains(plant)) && boxed.len() > found.len());
    with_plants(&mut app, |plants| {
        assert_eq!((plants.layer(terrain, "bush"), plants.layer(terrain, "oak")), (Some(1), None));
        assert_eq!(plants.near(terrain, 2, Vec3::ZERO, 1.0), Err(PlantsError::NoLayer));
        assert_eq!(plants.near(Entity::PLACEHOLDER, 0, Vec3::ZERO, 1.0), Err(PlantsError::NotLoaded));
        let invalid = Err(PlantsError::Area(PlantAreaError::Invalid));
        assert_eq!(plants.near(terrain, 0, Vec3::NAN, 1.0), invalid);
        assert!(plants.near(terrain, 0, Vec3::ZERO, 1e9).is_err());
    });
}

#[test]
fn plants_near_viewers_are_entities_and_stay_the_same_ones() {
    let (mut app, terrain, viewer) = settled(headless_app(), wood(50.0), 200.0);
    wait_for_plants(&mut app, terrain, Vec3::ZERO, 50.0);
    let before = entities(&mut app);
    // Those of whole tiles, and no bushes.
    assert!(before.values().all(|(_, plant, place)| plant.layer == 0 && place.xz().length() < 50.0 + 16.0 + 46.0));
    for (_, plant, place) in before.values() {
        let standing = with_plants(&mut app, |plants| plants.transform(plant)).expect("the terrain is there");
        assert!((standing.translation - *place).length() < 1e-3, "{standing:?} and {place}");
    }
    move_to(&mut app, viewer, 60.0, 0.0);
    wait_for_plants(&mut app, terrain, Vec3::new(60.0, 0.0, 0.0), 50.0);
    let after = entities(&mut app);
    let stayed =
        before.iter().filter(|(id, (entity, ..))| after.get(id).is_some_and(|(now, ..)| now == entity)).count();
    let shared = before.keys().filter(|id| after.contains_key(id)).count();
    assert!(stayed == shared && stayed > 30 && stayed < before.len(), "{stayed} of {shared} and {}", before.len());
    // Far away, none is left of them.
    move_to(&mut app, viewer, 5000.0, 0.0);
    pump(&mut app, 3);
    assert!(entities(&mut app).keys().all(|id| !before.contains_key(id)));
    app.world_mut().entity_mut(viewer).despawn();
    pump_until(&mut app, "without a viewer, there are no plants", |app| entities(app).is_empty());
}

#[test]
fn removed_plants_go_in_the_same_frame_and_stay_away() {
    let (mut app, terrain, viewer) = settled(headless_app(), wood(50.0), 200.0);
    wait_for_plants(&mut app, terrain, Vec3::ZERO, 50.0);
    let before = entities(&mut app);
    // Outside of the camp below.
    let felled = near(&mut app, terrain, Vec3::new(-12.0, 0.0, 12.0), 9.0)[0].plant.id;
    assert!(with_plants(&mut app, |plants| plants.remove(terrain, felled) && !plants.remove(terrain, felled)));
    app.update();
    let after = entities(&mut app);
    assert!(!after.contains_key(&felled) && after.len() == before.len() - 1);
    assert!(after.iter().all(|(id, (entity, ..))| before[id].0 == *entity), "no other tree changes");
    assert!(near(&mut app, terrain, Vec3::ZERO, 20.0).iter().all(|plant| plant.plant.id != felled));
    with_plants(&mut app, |plants| {
        let plant = plants.get(terrain, felled).expect("it grew there").plant;
        assert!(plants.is_removed(terrain, &plant));
    });
    // When the viewer returns, it is still gone.
    move_to(&mut app, viewer, 3000.0, 0.0);
    pump(&mut app, 5);
    move_to(&mut app, viewer, 0.0, 0.0);
    wait_for_plants(&mut app, terrain, Vec3::ZERO, 50.0);
    assert!(!entities(&mut app).contains_key(&felled));
    // A camp.
    let camp = Vec3::new(10.0, 0.0, -10.0);
    assert!(with_plants(&mut app, |plants| plants.clear(terrain, camp, 15.0)));
    app.update();
    assert!(near(&mut app, terrain, camp, 15.0).is_empty() && !near(&mut app, terrain, camp, 25.0).is_empty());
    assert!(entities(&mut app).values().all(|(.., place)| (place - camp).xz().length() > 15.0 - 1e-3));
    assert!(!with_plants(&mut app, |plants| plants.clear(terrain, camp, 1000.0)), "too large");
    // A saved game.
    let saved = app.world().get::<RemovedPlants>(terrain).expect("every terrain has a list").clone();
    assert!(with_plants(&mut app, |plants| plants.restore(terrain, felled)));
    app.update();
    assert!(entities(&mut app).contains_key(&felled));
    app.world_mut().entity_mut(terrain).insert(saved);
    app.update();
    assert!(!entities(&mut app).contains_key(&felled));
}

#[test]
fn settings_edits_and_reloads_change_the_plants() {
    let (mut app, terrain, _) = settled(headless_app(), wood(50.0), 200.0);
    wait_for_plants(&mut app, terrain, Vec3::ZERO, 50.0);
    let before = entities(&mut app);
    // Fewer plants: the others keep their entities.
    edit(&mut app, terrain, |settings| settings.plants[0].chance = 0.5);
    pump_until(&mut app, "half of the plants are gone", |app| entities(app).len() < before.len() * 2 / 3);
    let fewer = entities(&mut app);
    assert!(fewer.iter().all(|(id, (entity, ..))| before[id].0 == *entity));
    // A platform: those on it stand higher, with the same entities.
    let level = TerrainEdit {
        shape: EditShape::Circle(EditCircle { x: 0.0, z: 0.0, radius: 25.0 }),
        change: EditChange::Flatten(EditHeight::above_zero(400.0)),
        ..TerrainEdit::default()
    };
    app.world_mut().get_mut::<TerrainEdits>(terrain).expect("it has edits").set(1, level).expect("it is allowed");
    pump_until(&mut app, "plants stand on the platform", |app| {
        let on = entities(app);
        let mut inside = on.values().filter(|(.., place)| place.xz().length() < 20.0).peekable();
        inside.peek().is_some() && inside.all(|(.., place)| (place.y - 400.0).abs() < 0.01)
    });
    let raised = entities(&mut app);
    assert!(raised.iter().all(|(id, (entity, ..))| fewer[id].0 == *entity));
    // Another world: no old plant stands on new ground.
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    pump_until(&mut app, "the new ground has plants", |app| {
        let there = entities(app);
        let plants = state(app, terrain).plants().expect("it is loaded").clone();
        let is_right = |(_, (_, plant, _)): (&PlantId, &(Entity, TerrainPlant, Vec3))| {
            plants.get(plant.plant.id) == Some(plant.plant)
        };
        assert!(there.iter().all(is_right), "a plant of the old ground");
        let is_new = |(id, (_, plant, _)): (&PlantId, &(Entity, TerrainPlant, Vec3))| {
            raised.get(id).is_none_or(|(_, old, _)| old != plant)
        };
        !there.is_empty() && there.iter().all(is_new)
    });
    edit(&mut app, terrain, |settings| settings.plants.clear());
    pump_until(&mut app, "no plant is left", |app| entities(app).is_empty());
}

#[test]
fn plants_keep_their_entities_when_other_layers_go_or_the_look_changes() {
    let (mut app, terrain, _) = settled(headless_app(), wood(50.0), 200.0);
    let bushes_first = |settings: &mut TerrainSettings| settings.plants.rotate_right(1);
    edit(&mut app, terrain, bushes_first);
    pump_until(&mut app, "trees around the viewer are entities", |app| {
        let wanted = with_plants(app, |plants| plants.near(terrain, 1, Vec3::ZERO, 50.0)).expect("it is loaded");
        let there = entities(app);
        wanted.iter().all(|plant| there.get(&plant.plant.id).is_some_and(|(_, plant, _)| plant.layer == 1))
    });
    let before = entities(&mut app);
    assert!(before.len() > 30 && before.values().all(|(_, plant, _)| plant.layer == 1));
    let changes: [fn(&mut TerrainSettings); 4] = [
        |settings| _ = settings.plants.remove(0),
        |settings| settings.plants.insert(0, PlantLayer { name: "stone".into(), spacing: 2.0, ..default() }),
        |settings| settings.look.water_color = [0.5, 0.1, 0.1],
        |settings| settings.look.layers[0].color = [0.9, 0.1, 0.1],
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let plants = state(&app, terrain).plants().expect("it is loaded").clone();
        edit(&mut app, terrain, change);
        let of_tree = usize::from(number > 0);
        for _ in 0..10 {
            app.update();
            let there = entities(&mut app);
            for (id, (entity, ..)) in &before {
                let (now, plant, _) = there[id];
                assert_eq!((now, plant.layer), (*entity, of_tree), "after the change {number}");
            }
        }
        let is_same = state(&app, terrain).plants().is_some_and(|now| now.has_layers_of(&plants));
        assert_eq!(is_same, number >= 2, "a color changes no plant");
    }
}

/// A change of the heights that is taken back before its ground is drawn.
#[test]
fn plants_follow_settings_whose_heights_are_taken_back() {
    let (mut app, terrain, _) = settled(headless_app(), wood(50.0), 200.0);
    edit(&mut app, terrain, |settings| {
        settings.field.base_height += 5.0;
        settings.plants.pop();
    });
    app.update();
    edit(&mut app, terrain, |settings| settings.field.base_height -= 5.0);
    pump(&mut app, 2);
    assert_eq!(state(&app, terrain).plants().expect("it is loaded").layers().len(), 1);
}

#[test]
fn a_plant_between_two_boxes_is_in_one_of_them_far_from_the_origin() {
    let mut app = headless_app();
    let stones = PlantLayer { name: "stone".to_owned(), spacing: 0.5, ..PlantLayer::default() };
    let terrain = add_terrain(&mut app, TerrainSettings { plants: vec![stones], ..small_settings() });
    add_viewer(&mut app, 0.0, 0.0, 100.0);
    settle(&mut app, terrain);
    // A coordinate is rounded to 8 mm.
    let at = |x: f32| Vec3::new(100_000.0 + x, 0.0, 100_000.0);
    let in_box = |app: &mut App, from: f32, to: f32| {
        let corners = [at(from), at(to) + Vec3::new(0.0, 0.0, 20.0)];
        with_plants(app, |plants| plants.in_box(terrain, 0, corners)).expect("it is valid")
    };
    let all = in_box(&mut app, 0.0, 20.0);
    let parts: Vec<StandingPlant> =
        (0..80_u8).flat_map(|strip| in_box(&mut app, 0.25 * f32::from(strip), 0.25 * f32::from(strip + 1))).collect();
    assert!(all.len() > 800 && all.len() == parts.len(), "{} and {}", all.len(), parts.len());
    assert!(all.iter().all(|plant| parts.contains(plant)));
}

#[test]
fn plants_follow_the_origin_of_their_terrain_and_go_with_it() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, wood(40.0));
    add_viewer(&mut app, 0.0, 0.0, 200.0);
    settle(&mut app, terrain);
    wait_for_plants(&mut app, terrain, Vec3::ZERO, 40.0);
    let before = entities(&mut app);
    let shift = Vec3::new(16.0, 0.0, -8.0);
    *app.world_mut().get_mut::<TerrainOrigin>(terrain).expect("every terrain has one") = TerrainOrigin::new(16.0, -8.0);
    app.update();
    let after = entities(&mut app);
    let stayed: Vec<_> = after.iter().filter_map(|(id, now)| Some((before.get(id)?, now))).collect();
    assert!(stayed.len() > 30);
    assert!(stayed.iter().all(|((old, _, from), (new, _, to))| old == new && (*from - shift - *to).length() < 1e-3));
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    assert!(entities(&mut app).is_empty());
}

#[test]
fn without_threads_and_with_too_many_plants_the_nearest_are_entities() {
    let dense = TerrainSettings {
        plants: vec![PlantLayer { spacing: 0.5, entities: 60.0, name: "stone".to_owned(), ..PlantLayer::default() }],
        ..small_settings()
    };
    let mut app = app_without_threads();
    let terrain = add_terrain(&mut app, dense);
    add_viewer(&mut app, 0.0, 0.0, 100.0);
    let warnings = warnings_of(&mut app, |app| {
        settle(app, terrain);
        pump(app, 60);
    });
    let there = entities(&mut app);
    assert!((1500..=4096).contains(&there.len()), "{}", there.len());
    assert!(
        warnings.iter().any(|warning| warning.contains("more than 4096 plants are near its viewers")),
        "{warnings:?}"
    );
    // The frames after that do nothing.
    pump(&mut app, 5);
    let later = entities(&mut app);
    assert!(later.iter().all(|(id, (entity, ..))| there.get(id).is_some_and(|(old, ..)| old == entity)));
}

/// Without a viewer: a server has the same plants.
#[test]
fn plants_stand_around_a_body_in_the_frame_in_which_it_has_its_ground() {
    for mut app in [headless_app(), app_without_threads()] {
        let solid = PlantLayer { name: "tree".to_owned(), spacing: 6.0, ..PlantLayer::default() };
        let soft = PlantLayer { name: "bush".to_owned(), kind: PlantKind::Bush, ..PlantLayer::default() };
        let ghost = PlantLayer { name: "ghost".to_owned(), collider: false, ..PlantLayer::default() };
        let terrain = add_terrain(&mut app, TerrainSettings { plants: vec![solid, soft, ghost], ..small_settings() });
        let body = add_body(&mut app, 5.0, -7.0, 20.0);
        pump_until(&mut app, "the ground is there", |app| state(app, terrain).has_all_collider_tiles());
        let assert_around = |app: &mut App, at: Vec3, radius: f32| {
            let (wanted, there) = (near(app, terrain, at, radius), entities(app));
            assert!(wanted.len() > 10, "{}", wanted.len());
            for plant in &wanted {
                let (_, found, place) = there.get(&plant.plant.id).expect("it stands there");
                assert!((plant.transform.translation - *place).length() < 1e-3);
                assert_eq!((found.layer, found.collider), (0, plant.collider));
            }
            assert!(there.values().all(|(_, plant, place)| plant.layer == 0 && place.xz().distance(at.xz()) < 100.0));
        };
        assert_around(&mut app, Vec3::new(5.0, 0.0, -7.0), 20.0);
        // A jump, and a radius that is larger than that of plants.
        move_to(&mut app, body, -3000.0, 900.0);
        app.world_mut().get_mut::<KeepGround>(body).expect("a body").radius = 200.0;
        app.update();
        assert_around(&mut app, Vec3::new(-3000.0, 0.0, 900.0), 32.0);
        // A second body, which goes again.
        let other = add_body(&mut app, 400.0, 400.0, 20.0);
        app.update();
        assert!(near(&mut app, terrain, Vec3::new(400.0, 0.0, 400.0), 20.0).len() > 10);
        let there = entities(&mut app);
        assert!(there.values().any(|(.., place)| place.x > 300.0));
        app.world_mut().despawn(other);
        app.update();
        assert_around(&mut app, Vec3::new(-3000.0, 0.0, 900.0), 32.0);
        app.world_mut().despawn(body);
        pump(&mut app, 2);
        assert!(entities(&mut app).is_empty());
    }
}

#[test]
fn plants_stand_around_a_moving_body_in_each_frame() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, wood(0.0));
    let body = add_body(&mut app, 0.0, 0.0, 15.0);
    pump_until(&mut app, "the ground is there", |app| state(app, terrain).has_all_collider_tiles());
    for frame in 0..200_u16 {
        // 30 m/s.
        let x = 0.5 * f32::from(frame);
        move_to(&mut app, body, x, 0.0);
        app.update();
        let (wanted, there) = (near(&mut app, terrain, Vec3::new(x, 0.0, 0.0), 15.0), entities(&mut app));
        assert!(wanted.iter().all(|plant| there.contains_key(&plant.plant.id)), "in frame {frame}");
    }
}

#[test]
fn plants_on_edited_ground_near_a_viewer_or_a_body_move_in_the_same_frame() {
    for mut app in [headless_app(), app_without_threads()] {
        let terrain = add_terrain(&mut app, wood(60.0));
        add_viewer(&mut app, 0.0, 0.0, 100.0);
        add_body(&mut app, 1000.0, 0.0, 30.0);
        settle(&mut app, terrain);
        wait_for_plants(&mut app, terrain, Vec3::ZERO, 60.0);
        let before = entities(&mut app);
        for (number, x) in [0.0, 1000.0].into_iter().enumerate() {
            let level = TerrainEdit {
                shape: EditShape::Circle(EditCircle { x, z: 0.0, radius: 40.0 }),
                change: EditChange::Flatten(EditHeight::above_zero(400.0)),
                ..TerrainEdit::default()
            };
            let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("it has edits");
            edits.set(number as u64, level).expect("it is allowed");
        }
        app.update();
        let after = entities(&mut app);
        // A triangle reaches up to 5.7 m beyond the circle.
        for (at, radius) in [(Vec3::ZERO, 33.0), (Vec3::new(1000.0, 0.0, 0.0), 30.0)] {
            let standing = near(&mut app, terrain, at, radius);
            assert!(standing.len() > 20 && standing.iter().all(|plant| (plant.plant.position[1] - 400.0).abs() < 0.01));
            for plant in standing {
                let (entity, found, place) = after[&plant.plant.id];
                assert_eq!((found.plant, entity), (plant.plant, before[&plant.plant.id].0));
                assert!((place - plant.transform.translation).length() < 1e-3, "{place}");
            }
        }
    }
}
