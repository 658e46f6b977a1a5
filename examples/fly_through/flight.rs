//! What both ways to fly share: the terrain, and the fixed path over it.

use crate::options::Options;
use bevy::asset::UnapprovedPathMode;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

pub fn asset_plugin() -> AssetPlugin {
    // `--settings` may name a file anywhere.
    AssetPlugin { unapproved_path_mode: UnapprovedPathMode::Allow, ..default() }
}

pub fn spawn_terrain(mut commands: Commands, assets: Res<AssetServer>, options: Res<Options>) {
    let [x, z] = options.origin;
    commands.spawn((Name::new("Terrain"), Terrain(assets.load(options.asset_path())), TerrainOrigin::new(x, z)));
}

/// Puts what the command line says in place of what a file says, whenever one is loaded. After that, the inspector may change it.
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

/// The camera follows the fixed path.
#[derive(Component, Default)]
pub struct Rails {
    /// The ground was whole for the first time, and the flight has begun.
    pub departed: bool,
    seconds: f32,
    height: Option<f32>,
}

/// The place and direction after `seconds` on the fixed path: a wide curve at 60 m/s.
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
        // Over the highest of what comes next, changing height slowly.
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
