//! Plays the game without a window.

use super::*;
use crate::felling::{REACH, Stump, TREES};
use crate::mushrooms::{Basket, MUSHROOMS};
use crate::player::{EYES, Player, RADIUS};
use crate::save::SaveFile;
use bevy::ecs::system::RunSystemOnce;
use bevy_perlin_terrain::plants::StandingPlant;
use testing::app::{finish, headless_app, pump, pump_until};

/// The game without a window, as soon as it has ground, with this save.
fn play(save: std::path::PathBuf) -> App {
    let mut app = headless_app();
    app.init_resource::<ButtonInput<KeyCode>>().add_plugins(game).insert_resource(SaveFile(save));
    finish(&mut app);
    pump_until(&mut app, "the player stands on the ground", |app| eyes(app).translation.y != 0.0);
    app
}

fn terrain(app: &mut App) -> Entity {
    app.world_mut().query_filtered::<Entity, With<Terrain>>().single(app.world()).expect("one terrain")
}

fn eyes(app: &mut App) -> Transform {
    *app.world_mut().query_filtered::<&Transform, With<Player>>().single(app.world()).expect("one player")
}

/// Puts the player at a place, with its face to `toward`.
fn put(app: &mut App, place: Vec3, toward: Vec3) {
    let mut players = app.world_mut().query::<(&mut Transform, &mut Player)>();
    let (mut eyes, mut player) = players.single_mut(app.world_mut()).expect("one player");
    eyes.translation = place + Vec3::Y * EYES;
    let way = toward - place;
    player.yaw = (-way.x).atan2(-way.z);
    app.update();
}

/// The plants of a layer up to this far from a place, in metres.
fn near(app: &mut App, layer: &'static str, place: Vec3, radius: f32) -> Vec<StandingPlant> {
    let terrain = terrain(app);
    let find = move |plants: TerrainPlants| {
        let layer = plants.layer(terrain, layer).expect("the settings have the layer");
        plants.near(terrain, layer, place, radius).expect("the ground is loaded")
    };
    app.world_mut().run_system_once(find).expect("it runs")
}

fn press(app: &mut App, key: KeyCode) {
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
    app.update();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
}

fn stumps(app: &mut App) -> Vec<Vec3> {
    app.world_mut().query_filtered::<&Transform, With<Stump>>().iter(app.world()).map(|foot| foot.translation).collect()
}

#[test]
fn trunks_stop_the_player_who_slides_along_them() {
    let mut app = play("not saved".into());
    let tree = near(&mut app, TREES, Vec3::ZERO, 40.0)[0];
    let trunk = tree.transform.translation;
    // A little beside the middle of the trunk.
    put(&mut app, trunk + Vec3::new(0.05, 0.0, 1.5), trunk + Vec3::X * 0.05);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyW);
    let mut touched = 0;
    for _ in 0..120 {
        app.update();
        let distance = eyes(&mut app).translation.xz().distance(trunk.xz());
        let least = RADIUS + tree.collider.expect("a trunk").radius();
        assert!(distance > least - 1e-3, "{distance} m from a trunk, less than {least} m");
        touched += usize::from(distance < least + 1e-3);
    }
    assert!(touched > 10, "it slides along the trunk for {touched} frames");
    assert!(eyes(&mut app).translation.z < trunk.z - 1.0, "it comes past the trunk");
}

#[test]
fn felled_trees_and_gathered_mushrooms_stay_away_in_a_saved_game() {
    let folder = testing::Folder::new();
    let mut app = play(folder.path("save.ron"));
    let tree = near(&mut app, TREES, Vec3::ZERO, 40.0)[0];
    let trunk = tree.transform.translation;
    put(&mut app, trunk + Vec3::Z * (REACH + 1.0), trunk);
    press(&mut app, KeyCode::KeyF);
    assert_eq!(stumps(&mut app), [], "the tree is out of reach");
    put(&mut app, trunk + Vec3::Z, trunk + Vec3::Z * 2.0);
    press(&mut app, KeyCode::KeyF);
    assert!(near(&mut app, TREES, trunk, 0.1).len() == 1, "the player looks the other way");
    put(&mut app, trunk + Vec3::Z, trunk);
    press(&mut app, KeyCode::KeyF);
    assert_eq!((near(&mut app, TREES, trunk, 0.1), stumps(&mut app)), (vec![], vec![trunk]));

    let mushroom = near(&mut app, MUSHROOMS, Vec3::ZERO, 60.0)[0].transform.translation;
    let before = app.world().resource::<Basket>().0;
    put(&mut app, mushroom, trunk);
    assert_eq!(near(&mut app, MUSHROOMS, mushroom, 0.1), []);
    pump(&mut app, 1);
    let gathered = app.world().resource::<Basket>().0;
    assert!(gathered > before, "{gathered} mushrooms");
    press(&mut app, KeyCode::F5);

    let mut app = play(folder.path("save.ron"));
    assert_eq!(near(&mut app, TREES, trunk, 0.1), [tree], "a new game");
    press(&mut app, KeyCode::F9);
    pump(&mut app, 1);
    assert_eq!((near(&mut app, TREES, trunk, 0.1), stumps(&mut app)), (vec![], vec![trunk]));
    assert_eq!((near(&mut app, MUSHROOMS, mushroom, 0.1), app.world().resource::<Basket>().0), (vec![], gathered));
}

#[test]
fn mushrooms_near_the_player_are_entities() {
    let mut app = play("not saved".into());
    let expected = near(&mut app, MUSHROOMS, Vec3::ZERO, 30.0).len();
    assert!(expected > 10, "{expected} mushrooms");
    pump_until(&mut app, "mushrooms are entities", |app| {
        let terrain = terrain(app);
        let find = move |entities: Query<&TerrainPlant>, plants: TerrainPlants| {
            let layer = plants.layer(terrain, MUSHROOMS);
            entities.iter().filter(|plant| Some(plant.layer) == layer).count()
        };
        app.world_mut().run_system_once(find).expect("it runs") >= expected
    });
}

#[test]
fn a_damaged_save_changes_nothing() {
    let folder = testing::Folder::new();
    let mut app = play(folder.path("save.ron"));
    let tree = near(&mut app, TREES, Vec3::ZERO, 40.0)[0].transform.translation;
    put(&mut app, tree + Vec3::Z, tree);
    press(&mut app, KeyCode::KeyF);
    std::fs::write(folder.path("save.ron"), "(ids: [(stream: 7, cell: (1, tree))])").expect("it can be written");
    press(&mut app, KeyCode::F9);
    pump(&mut app, 1);
    assert_eq!(stumps(&mut app), [tree]);
}
