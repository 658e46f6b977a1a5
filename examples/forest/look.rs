//! What the player sees and does with the mouse: a camera under a sky, models of mushrooms and stumps, help in the title of the window.

use crate::felling::Stump;
use crate::hold_mouse::{TURN_PER_PIXEL, hold_mouse};
use crate::mushrooms::{Basket, MUSHROOMS};
use crate::player::{Player, VIEW_DISTANCE};
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy::window::{CursorOptions, PrimaryWindow};
use bevy_perlin_terrain::plants::Plants;
use bevy_perlin_terrain::prelude::*;

pub fn plugin(app: &mut App) {
    app.init_resource::<Models>()
        .add_observer(make_camera)
        .add_observer(draw_mushroom)
        .add_observer(draw_stump)
        .add_systems(Update, (hold_mouse, turn).chain())
        .add_systems(Update, show_help.run_if(resource_changed::<Basket>));
}

fn make_camera(player: On<Add<Player>>, assets: Res<AssetServer>, mut commands: Commands) {
    commands.entity(player.entity).insert((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { fov: 1.1, near: 0.05, far: 2.0 * VIEW_DISTANCE, ..default() }),
        TerrainSky(assets.load("sky/morning.sky.ron")),
    ));
}

/// Models of mushrooms and stumps of a size of 1.
#[derive(Resource)]
struct Models {
    stem: Mesh3d,
    cap: Mesh3d,
    stump: Mesh3d,
    pale: MeshMaterial3d<StandardMaterial>,
    red: MeshMaterial3d<StandardMaterial>,
    wood: MeshMaterial3d<StandardMaterial>,
}

impl FromWorld for Models {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        // Both reach below the ground, so that no gap shows on a slope.
        let stem = Mesh::from(Cylinder::new(0.13, 1.2)).translated_by(Vec3::Y * 0.2);
        let cap = Sphere::new(0.5).mesh().uv(16, 10).scaled_by(Vec3::new(1.0, 0.5, 1.0));
        let stump = Mesh::from(Cylinder::new(0.02, 0.1));
        let [stem, cap, stump] = [stem, cap.translated_by(Vec3::Y * 0.75), stump].map(|mesh| Mesh3d(meshes.add(mesh)));
        let mut materials = world.resource_mut::<Assets<StandardMaterial>>();
        let colors = [Color::srgb(0.85, 0.8, 0.7), Color::srgb(0.6, 0.13, 0.08), Color::srgb(0.5, 0.38, 0.25)];
        let [pale, red, wood] = colors.map(|base_color| {
            MeshMaterial3d(materials.add(StandardMaterial { base_color, perceptual_roughness: 0.9, ..default() }))
        });
        Self { stem, cap, stump, pale, red, wood }
    }
}

/// The model goes with its plant, as its child.
fn draw_mushroom(
    added: On<Add<TerrainPlant>>,
    plants: Query<&TerrainPlant>,
    states: Query<&TerrainState>,
    models: Res<Models>,
    mut commands: Commands,
) {
    let Ok(TerrainPlant { terrain, layer, plant, .. }) = plants.get(added.entity) else { return };
    let layers = states.get(*terrain).ok().and_then(TerrainState::plants).map(Plants::layers);
    // Trunks near the player are entities too, and the terrain draws them.
    if layers.and_then(|mut layers| layers.nth(*layer)).is_none_or(|layer| layer.name != MUSHROOMS) {
        return;
    }
    let size = Transform::from_scale(Vec3::splat(plant.size));
    commands.entity(added.entity).with_child((models.stem.clone(), models.pale.clone(), size)).with_child((
        models.cap.clone(),
        models.red.clone(),
        size,
    ));
}

fn draw_stump(stump: On<Add<Stump>>, models: Res<Models>, mut commands: Commands) {
    commands.entity(stump.entity).insert((models.stump.clone(), models.wood.clone()));
}

/// The mouse turns the view.
fn turn(
    mouse: Res<AccumulatedMouseMotion>,
    cursor: Single<&CursorOptions, With<PrimaryWindow>>,
    mut player: Single<&mut Player>,
) {
    if !cursor.visible {
        player.yaw -= mouse.delta.x * TURN_PER_PIXEL;
        player.pitch = (player.pitch - mouse.delta.y * TURN_PER_PIXEL).clamp(-1.5, 1.5);
    }
}

/// Says in the title of the window what keys do.
fn show_help(basket: Res<Basket>, mut window: Single<&mut Window>) {
    let mushrooms = basket.0;
    window.title = format!("W A S D: walk · F: fell a tree · F5: save · F9: load · {mushrooms} mushrooms");
}
