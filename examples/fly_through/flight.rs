//! The terrain and the fixed flight path, for both modes: with a window and headless.

use crate::options::Options;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

pub fn spawn_terrain(mut commands: Commands, assets: Res<AssetServer>, options: Res<Options>) {
    let [x, z] = options.origin;
    commands.spawn((Name::new("Terrain"), Terrain(assets.load(options.asset_path())), TerrainOrigin::new(x, z)));
}

/// Overrides loaded settings with those of the command line. The inspector can change them later.
pub fn override_settings(
    mut events: MessageReader<AssetEvent<TerrainSettings>>,
    mut assets: ResMut<Assets<TerrainSettings>>,
    options: Res<Options>,
) {
    for event in events.read() {
        if let AssetEvent::LoadedWithDependencies { id } = event
            && let Some(pixel_error) = options.pixel_error
            && let Some(mut settings) = assets.get_mut(*id)
        {
            settings.lod.pixel_error = pixel_error;
        }
    }
}

/// Marks a camera that follows the fixed path.
#[derive(Component, Default)]
pub struct Rails {
    /// Whether the flight has started. It starts when the ground is settled for the first time.
    pub departed: bool,
    seconds: f32,
    height: Option<f32>,
}

/// The position and the yaw on the fixed path after `seconds`: a wide curve at 60 m/s.
fn path(seconds: f32) -> (Vec2, f32) {
    let place = |t: f32| Vec2::new(60.0 * t, 500.0 * (t * 0.11).sin());
    let ahead = place(seconds + 0.5) - place(seconds);
    (place(seconds), (-ahead.x).atan2(-ahead.y))
}

pub fn fly_on_rails(
    mut cameras: Query<(&mut Transform, &mut Rails)>,
    terrains: Query<&TerrainState>,
    ground: TerrainGround,
    time: Res<Time>,
) {
    for (mut camera, mut rails) in &mut cameras {
        rails.departed |= terrains.iter().any(TerrainState::is_settled);
        if !rails.departed {
            continue;
        }
        rails.seconds += time.delta_secs().min(0.1);
        let (place, yaw) = path(rails.seconds);
        // Stay above the highest ground of the next seconds, and change the height slowly.
        let clear = (0..6)
            .filter_map(|i| {
                let (next, _) = path(rails.seconds + i as f32);
                ground.height(Vec3::new(next.x, 0.0, next.y))
            })
            .fold(f32::NEG_INFINITY, f32::max);
        if clear.is_finite() {
            let wanted = clear.max(0.0) + 90.0;
            let height = rails.height.get_or_insert(wanted);
            *height += (wanted - *height) * (time.delta_secs().min(0.1) * 0.8);
            *camera = Transform::from_xyz(place.x, *height, place.y).with_rotation(Quat::from_euler(
                EulerRot::YXZ,
                yaw,
                -0.22,
                0.0,
            ));
        }
    }
}
