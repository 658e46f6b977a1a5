//! The view of the player: meshes, lights, fog, and text on the screen. The game runs without all of this.

mod figure;
mod mouse;
mod screen;

use crate::camera::{FollowCamera, VIEW_DISTANCE};
use crate::hold_mouse::hold_mouse;
use crate::walker::Walker;
use bevy::light::CascadeShadowConfigBuilder;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

const SKY: Color = Color::srgb(0.62, 0.76, 0.90);

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { color: SKY, brightness: 500.0, ..default() })
        .add_observer(dress_camera)
        .add_observer(dress_walker)
        .add_systems(Startup, light)
        .add_systems(Update, (hold_mouse, mouse::turn_camera).chain())
        .add_systems(EguiPrimaryContextPass, screen::draw);
}

fn dress_camera(camera: On<Add<FollowCamera>>, mut commands: Commands) {
    commands.entity(camera.entity).insert((
        Camera3d::default(),
        // Chunks beyond the far plane are not drawn.
        Projection::from(PerspectiveProjection { far: 2.0 * VIEW_DISTANCE, ..default() }),
        // The fog hides the end of the terrain.
        DistanceFog {
            color: SKY,
            falloff: FogFalloff::Linear { start: 0.3 * VIEW_DISTANCE, end: 0.95 * VIEW_DISTANCE },
            ..default()
        },
    ));
}

fn dress_walker(
    walker: On<Add<Walker>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    // White: the colors of the vertices.
    let matte = materials.add(StandardMaterial { perceptual_roughness: 0.9, ..default() });
    let figure = meshes.add(figure::figure());
    commands.entity(walker.entity).insert((Mesh3d(figure), MeshMaterial3d(matte)));
}

/// The sun with shadows, and a weak light from the other side: with the sun alone, slopes in its shade would have no shape.
fn light(mut commands: Commands) {
    commands.spawn((
        DirectionalLight { illuminance: 10_000.0, shadow_maps_enabled: true, ..default() },
        CascadeShadowConfigBuilder { maximum_distance: 400.0, first_cascade_far_bound: 20.0, ..default() }.build(),
        Transform::default().looking_to(Vec3::new(1.0, -0.8, -0.5), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight { illuminance: 2500.0, color: Color::srgb(0.8, 0.9, 1.0), ..default() },
        Transform::default().looking_to(Vec3::new(-1.0, -0.8, 0.5), Vec3::Y),
    ));
}
