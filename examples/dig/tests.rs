//! Plays the game without a window.

use super::*;
use crate::save::SaveFile;
use crate::tools::Made;
use bevy::camera::NormalizedRenderTarget;
use bevy::ecs::system::RunSystemOnce;
use bevy::picking::PickingSystems;
use bevy::picking::backend::ray::{RayId, RayMap};
use bevy::picking::pointer::{Location, PointerAction, PointerId, PointerInput};
use bevy_perlin_terrain::ground::TerrainPickingPlugin;
use testing::app::{finish, headless_app, pump, pump_until};

/// The pointer points straight down here, from a camera that draws nothing.
#[derive(Resource)]
struct Pointing(Entity, Vec2);

fn point(pointing: Res<Pointing>, mut rays: ResMut<RayMap>) {
    let Pointing(camera, Vec2 { x, y: z }) = *pointing;
    rays.map.insert(RayId::new(camera, PointerId::Mouse), Ray3d::new(Vec3::new(x, 5000.0, z), Dir3::NEG_Y));
}

/// The game without a window, as soon as its ground is drawn, with this save.
fn play(save: std::path::PathBuf) -> App {
    let mut app = headless_app();
    app.init_resource::<ButtonInput<KeyCode>>()
        .add_plugins((PickingPlugin, InteractionPlugin, TerrainPickingPlugin, game))
        .insert_resource(SaveFile(save))
        .add_systems(PreUpdate, point.after(PickingSystems::ProcessInput).before(PickingSystems::Backend));
    finish(&mut app);
    let camera = app.world_mut().spawn((Camera::default(), TerrainViewer { view_distance: 300.0 })).id();
    app.world_mut().spawn(PointerId::Mouse);
    app.insert_resource(Pointing(camera, Vec2::ZERO));
    pump_until(&mut app, "the ground is ready", |app| {
        let mut states = app.world_mut().query::<&TerrainState>();
        states.single(app.world()).is_ok_and(TerrainState::is_settled)
    });
    app
}

fn click(app: &mut App, position: Vec2) {
    app.world_mut().resource_mut::<Pointing>().1 = position;
    let target = NormalizedRenderTarget::None { width: 1, height: 1 };
    for action in [PointerAction::Press(PointerButton::Primary), PointerAction::Release(PointerButton::Primary)] {
        app.update();
        let location = Location { target: target.clone(), position: Vec2::ZERO };
        app.world_mut().write_message(PointerInput::new(PointerId::Mouse, location, action));
    }
    app.update();
}

fn press(app: &mut App, key: KeyCode) {
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
    app.update();
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.release(key);
    keys.clear();
}

fn height(app: &mut App, x: f32, z: f32) -> f32 {
    let height = move |ground: TerrainGround| ground.height(Vec3::new(x, 0.0, z));
    app.world_mut().run_system_once(height).expect("it runs").expect("there is ground")
}

fn edits(app: &mut App) -> usize {
    let mut edits = app.world_mut().query::<&TerrainEdits>();
    edits.single(app.world()).expect("one terrain").len()
}

#[test]
fn craters_houses_and_roads_are_made_taken_back_saved_and_loaded() {
    let folder = testing::Folder::new();
    let mut app = play(folder.path("save.ron"));
    let before = height(&mut app, 30.0, -12.0);
    click(&mut app, Vec2::new(30.0, -12.0));
    assert!(height(&mut app, 30.0, -12.0) < before - 2.0, "a crater");

    app.world_mut().resource_mut::<Pointing>().1 = Vec2::new(-60.0, 40.0);
    app.update();
    press(&mut app, KeyCode::KeyH);
    let floor = height(&mut app, -60.0, 40.0);
    assert!([-66.0, -54.0].into_iter().all(|x| (height(&mut app, x, 44.0) - floor).abs() < 0.01), "level ground");

    press(&mut app, KeyCode::KeyR);
    let points = [Vec2::new(0.0, 60.0), Vec2::new(40.0, 70.0), Vec2::new(90.0, 60.0)];
    points.into_iter().for_each(|point| click(&mut app, point));
    assert_eq!(edits(&mut app), 3, "a road is one edit");
    press(&mut app, KeyCode::KeyR);
    let middle = height(&mut app, 20.0, 65.0);
    let ends = [height(&mut app, 0.0, 60.0), height(&mut app, 40.0, 70.0)];
    assert!((middle - (ends[0] + ends[1]) / 2.0).abs() < 0.3, "{middle} between {ends:?}");

    press(&mut app, KeyCode::KeyS);
    for left in [2, 1, 0, 0] {
        press(&mut app, KeyCode::KeyZ);
        assert_eq!(edits(&mut app), left);
    }
    pump(&mut app, 1);
    assert_eq!(height(&mut app, 30.0, -12.0), before, "all is as it was");

    press(&mut app, KeyCode::KeyL);
    assert_eq!((edits(&mut app), app.world().resource::<Made>().order.len()), (3, 3));
    assert_eq!(height(&mut app, 20.0, 65.0), middle);
    click(&mut app, Vec2::new(100.0, 100.0));
    assert_eq!(edits(&mut app), 4, "a new edit replaces none of the save");
}

#[test]
fn a_damaged_save_changes_nothing() {
    let folder = testing::Folder::new();
    let mut app = play(folder.path("save.ron"));
    click(&mut app, Vec2::new(30.0, -12.0));
    let dug = height(&mut app, 30.0, -12.0);
    let file = app.world().resource::<SaveFile>().0.clone();
    std::fs::write(file, "(version:1,ground:7,edits:[(3,(shape:Circle(),change:Raise(height:1e9)))])")
        .expect("it can be written");
    press(&mut app, KeyCode::KeyL);
    assert_eq!((edits(&mut app), height(&mut app, 30.0, -12.0)), (1, dug));
}
