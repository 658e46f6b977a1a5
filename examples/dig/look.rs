//! What the player sees: a camera, lights, and help in the title of the window.

use crate::tools::Made;
use bevy::camera_controller::free_camera::FreeCamera;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, setup).add_systems(Update, show_help);
}

fn setup(mut commands: Commands) {
    commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { far: 20_000.0, ..default() }),
        TerrainViewer::default(),
        // The letters are tools.
        FreeCamera {
            key_forward: KeyCode::ArrowUp,
            key_back: KeyCode::ArrowDown,
            key_left: KeyCode::ArrowLeft,
            key_right: KeyCode::ArrowRight,
            key_up: KeyCode::PageUp,
            key_down: KeyCode::PageDown,
            mouse_key_cursor_grab: MouseButton::Middle,
            walk_speed: 50.0,
            run_speed: 500.0,
            ..default()
        },
        Transform::from_xyz(-120.0, 110.0, -120.0).looking_at(Vec3::new(0.0, 40.0, 0.0), Vec3::Y),
    ));
    for (direction, illuminance) in [(Vec3::new(1.0, -0.5, -0.8), 10_000.0), (Vec3::new(-1.0, -0.5, 0.8), 2000.0)] {
        let light = DirectionalLight { illuminance, shadow_maps_enabled: illuminance > 5000.0, ..default() };
        commands.spawn((light, Transform::default().looking_to(direction, Vec3::Y)));
    }
}

/// Says in the title of the window what keys do.
fn show_help(made: Res<Made>, mut window: Single<&mut Window>) {
    if made.is_changed() {
        let click =
            if made.road.is_some() { "Click: take the road on · R: end it" } else { "Click: crater · R: road" };
        let edits = made.order.len();
        window.title = format!("{click} · H: house · Z: take back · S: save · L: load · {edits} edits");
    }
}
