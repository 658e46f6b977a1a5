//! The presets, with a view of each that is worth a look.

use crate::options::{Numbers, Options};
use crate::scene::{StartAboveGround, stand_above_ground};
use bevy::input::touch::Touches;
use bevy::prelude::*;
use bevy_perlin_terrain::inspector::TerrainInspector;
use bevy_perlin_terrain::light::{SkySettings, Sun, SunTime};
use bevy_perlin_terrain::prelude::*;

/// A preset and where to start in it.
pub struct Preset {
    pub settings: &'static str,
    /// x, height above the ground and z in metres, yaw and pitch in degrees.
    pub camera: Numbers,
    /// The view distance in metres.
    pub view: f32,
}

/// The presets of the keys 1 to 8.
pub const PRESETS: [Preset; 8] = [
    Preset { settings: "terrain/alps.terrain.ron", camera: [17.0, 220.0, -1153.0, 0.0, -6.0], view: 24_000.0 },
    Preset {
        settings: "terrain/rolling_hills.terrain.ron",
        camera: [-126.0, 40.0, 5312.0, 330.0, -6.0],
        view: 12_000.0,
    },
    Preset { settings: "terrain/islands.terrain.ron", camera: [-1421.0, 60.0, -3017.0, 180.0, -3.0], view: 16_000.0 },
    Preset { settings: "terrain/fjords.terrain.ron", camera: [-141.0, 200.0, 623.0, 0.0, -4.0], view: 24_000.0 },
    Preset { settings: "terrain/dunes.terrain.ron", camera: [-3925.0, 35.0, -3834.0, 0.0, -6.0], view: 12_000.0 },
    Preset { settings: "terrain/canyon.terrain.ron", camera: [-563.0, 120.0, -1063.0, 210.0, -12.0], view: 12_000.0 },
    Preset { settings: "terrain/badlands.terrain.ron", camera: [-810.0, 75.0, -984.0, 20.0, -6.0], view: 4000.0 },
    Preset { settings: "terrain/savanna.terrain.ron", camera: [166.0, 40.0, 3478.0, 0.0, -3.0], view: 12_000.0 },
];

/// The preset with the settings of the command line, or one that suits other settings.
pub fn preset_of(settings: &str) -> Preset {
    let plain = Preset { settings: "", camera: [0.0, 120.0, 0.0, -45.0, -12.0], view: 8000.0 };
    PRESETS.into_iter().find(|preset| settings.ends_with(preset.settings)).unwrap_or(plain)
}

/// The keys 1 to 8 go to another preset.
pub fn choose_preset(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    assets: Res<AssetServer>,
    mut options: ResMut<Options>,
    terrains: Query<Entity, With<Terrain>>,
    mut cameras: Query<(Entity, &mut TerrainViewer, &mut Projection)>,
) {
    use KeyCode::{Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8};
    let digits = [Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8];
    let Some(preset) = PRESETS.iter().zip(digits).find_map(|(preset, key)| keys.just_pressed(key).then_some(preset))
    else {
        return;
    };
    terrains.iter().for_each(|terrain| commands.entity(terrain).despawn());
    commands.spawn((Name::new("Terrain"), Terrain(assets.load(preset.settings))));
    options.settings = preset.settings.to_owned();
    let view = options.view_distance();
    for (camera, mut viewer, mut projection) in &mut cameras {
        viewer.view_distance = view;
        if let Projection::Perspective(lens) = &mut *projection {
            lens.far = view * 2.0;
        }
        commands.entity(camera).insert(StartAboveGround::at(preset.camera, [0.0; 2]));
    }
}

/// While T is pressed, time passes: an hour in a second, and back with Shift.
pub fn pass_time(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    skies: Query<&TerrainSky>,
    mut assets: ResMut<Assets<SkySettings>>,
) {
    if !keys.pressed(KeyCode::KeyT) {
        return;
    }
    let back = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let hours = time.delta_secs_f64() * if back { -1.0 } else { 1.0 };
    for sky in &skies {
        let Some(mut settings) = assets.get_mut(&sky.0) else { continue };
        if let Sun::Angles(_) = settings.sun {
            settings.sun = Sun::Time(SunTime::default());
        }
        if let Sun::Time(at) = &mut settings.sun {
            at.hour = (at.hour + hours).rem_euclid(24.0);
        }
    }
}

/// Glides forward at the start, until a key, a button or the screen is pressed.
#[derive(Component)]
pub struct Opening {
    seconds: f32,
}

impl Default for Opening {
    fn default() -> Self {
        Self { seconds: 6.0 }
    }
}

pub fn glide(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    time: Res<Time>,
    mut cameras: Query<(Entity, &mut Transform, &mut Opening), Without<StartAboveGround>>,
) {
    for (camera, mut transform, mut opening) in &mut cameras {
        opening.seconds -= time.delta_secs().min(0.1);
        let is_pressed =
            keys.get_pressed().len() > 0 || buttons.get_pressed().len() > 0 || touches.iter().next().is_some();
        if opening.seconds <= 0.0 || is_pressed {
            commands.entity(camera).remove::<Opening>();
            continue;
        }
        // Slower and slower, level ahead.
        let ahead = Vec3 { y: 0.0, ..*transform.forward() }.normalize_or_zero();
        transform.translation += ahead * (3.0 * opening.seconds * time.delta_secs().min(0.1));
    }
}

/// The systems of this file.
pub fn plugin(app: &mut App) {
    let is_free =
        |options: Res<Options>, inspector: Res<TerrainInspector>| !options.on_rails() && !inspector.wants_input();
    app.add_systems(Update, ((choose_preset, pass_time).run_if(is_free), glide.after(stand_above_ground)));
}
