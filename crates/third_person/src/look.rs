//! The view of the player. The game runs without all of this.

use crate::camera::{FollowCamera, VIEW_DISTANCE};
use crate::{Crate, START};
use bevy::prelude::*;
use bevy_egui::egui::{Align2, Color32, FontId, Id, LayerId, Order, vec2};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use bevy_perlin_terrain::light::{SkySettings, Sun, SunAngles};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::sky::TerrainSky;
use bevy_perlin_terrain_avian::walk::{HALF, RADIUS, Walk};

const KEYS: &str = "W A S D walk, Shift run, Space jump, drag to look, wheel for the distance";
/// The game is shown when the ground this far from the start is ready, in metres.
const READY_RADIUS: f32 = 4000.0;

pub fn plugin(app: &mut App) {
    app.add_plugins(EguiPlugin::default())
        .add_observer(dress_camera)
        .add_observer(dress_character)
        .add_observer(dress_crate)
        .add_systems(EguiPrimaryContextPass, (show_keys, loading.pipe(show_loading)).chain());
}

fn dress_camera(camera: On<Add<FollowCamera>>, mut skies: ResMut<Assets<SkySettings>>, mut commands: Commands) {
    let evening = Sun::Angles(SunAngles { azimuth: 4.04, elevation: 0.2 });
    commands.entity(camera.entity).insert((
        Camera3d::default(),
        // Nothing beyond the far plane is drawn.
        Projection::from(PerspectiveProjection { far: 2.0 * VIEW_DISTANCE, ..default() }),
        TerrainSky(skies.add(SkySettings { sun: evening, ..default() })),
    ));
}

/// A capsule with a visor that shows where ahead is.
fn dress_character(
    character: On<Add<Walk>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    let visor = (
        Mesh3d(meshes.add(Cuboid::new(0.4, 0.14, 0.3))),
        MeshMaterial3d(materials.add(matte(Color::srgb(0.05, 0.06, 0.08)))),
        Transform::from_xyz(0.0, HALF - RADIUS, -0.2),
    );
    commands
        .entity(character.entity)
        .insert((
            Mesh3d(meshes.add(Capsule3d::new(RADIUS, 2.0 * (HALF - RADIUS)))),
            MeshMaterial3d(materials.add(matte(Color::srgb(0.75, 0.16, 0.12)))),
        ))
        .with_child(visor);
}

fn dress_crate(
    added: On<Add<Crate>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    commands.entity(added.entity).insert((
        Mesh3d(meshes.add(Cuboid::from_length(Crate::SIZE))),
        MeshMaterial3d(materials.add(matte(Color::srgb(0.5, 0.34, 0.18)))),
    ));
}

fn matte(color: Color) -> StandardMaterial {
    StandardMaterial { base_color: color, perceptual_roughness: 0.9, ..default() }
}

fn show_keys(mut contexts: EguiContexts) -> Result {
    let context = contexts.ctx_mut()?;
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::new("keys")));
    let (at, font) = (context.viewport_rect().left_bottom() + vec2(12.0, -12.0), FontId::proportional(14.0));
    // Dark, then white: it can be read on snow too.
    painter.text(at + vec2(1.0, 1.0), Align2::LEFT_BOTTOM, KEYS, font.clone(), Color32::BLACK);
    painter.text(at, Align2::LEFT_BOTTOM, KEYS, font, Color32::WHITE);
    Ok(())
}

/// The text until the ground around the start is ready.
pub fn loading(
    mut chunks: TerrainStreamState,
    terrain: Single<&TerrainState>,
    mut is_ready: Local<bool>,
) -> Option<String> {
    let progress = chunks.progress(START, READY_RADIUS);
    *is_ready |= progress == 1.0;
    // With a mistake in the settings file, the ground never gets ready. Say so.
    let problem = terrain.problems().next().filter(|_| terrain.settings().is_none());
    let text = || problem.map_or_else(|| format!("Loading {:.0} %", 100.0 * progress), ToString::to_string);
    (!*is_ready).then(text)
}

/// A black screen with a text.
fn show_loading(In(text): In<Option<String>>, mut contexts: EguiContexts) {
    let (Ok(context), Some(text)) = (contexts.ctx_mut(), text) else { return };
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::new("loading")));
    let screen = context.viewport_rect();
    painter.rect_filled(screen, 0.0, Color32::BLACK);
    let text = painter.layout(text, FontId::proportional(24.0), Color32::WHITE, 0.8 * screen.width());
    painter.galley(screen.center() - text.size() / 2.0, text, Color32::WHITE);
}
