//! The ground for many players on a server, without a window, a renderer or a GPU.
//!
//! Sixteen players ride apart for ten seconds, each with ground around it that comes and goes, and stay on it. What to look at:
//! players stand on the triangles that the game's clients draw near them, to the last bit; chunks are told as they come and go around
//! the players. It ends by itself.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;

const PLAYERS: u8 = 16;
const TICKS: u32 = 600;
const METRES_PER_SECOND: f32 = 60.0;

/// Which way a player rides.
#[derive(Component)]
struct Player(Dir2);

/// What happened.
#[derive(Resource, Default)]
struct Log {
    ticks: u32,
    came: usize,
    went: usize,
    changed: usize,
}

fn main() {
    let tick = ScheduleRunnerPlugin::run_loop(Duration::from_secs(1) / 60);
    App::new()
        .add_plugins((MinimalPlugins.set(tick), TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins))
        .init_resource::<Log>()
        .add_systems(Startup, setup)
        .add_systems(Update, (ride.run_if(is_terrain_ready.or_else(has_begun)), stand_on_ground).chain())
        .add_systems(Last, (count, report.run_if(is_over)).chain())
        .run();
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
    for number in 0..PLAYERS {
        let way = Rot2::turn_fraction(f32::from(number) / f32::from(PLAYERS)) * Vec2::X;
        commands.spawn((
            Player(Dir2::new_unchecked(way)),
            // Whatever a client draws far away, a server needs what is near.
            TerrainViewer { view_distance: 1000.0 },
            Transform::from_xyz(way.x * 2000.0, 0.0, way.y * 2000.0),
        ));
    }
}

/// Players wait for the ground once; from then on it comes before they do.
fn has_begun(log: Res<Log>) -> bool {
    log.ticks > 0
}

fn ride(mut players: Query<(&mut Transform, &Player)>, time: Res<Time>, mut log: ResMut<Log>) {
    log.ticks += 1;
    for (mut place, Player(way)) in &mut players {
        place.translation += Vec3::new(way.x, 0.0, way.y) * METRES_PER_SECOND * time.delta_secs();
    }
}

fn stand_on_ground(mut players: Query<&mut Transform, With<Player>>, ground: TerrainGround) {
    for mut place in &mut players {
        if let Some(height) = ground.height(place.translation) {
            place.translation.y = height;
        }
    }
}

fn count(
    mut shown: MessageReader<GroundShown>,
    mut hidden: MessageReader<GroundHidden>,
    mut changed: MessageReader<ChunkLevelChanged>,
    mut log: ResMut<Log>,
) {
    log.came += shown.read().count();
    log.went += hidden.read().count();
    log.changed += changed.read().count();
}

/// All ticks are over, or the settings can't be loaded.
fn is_over(log: Res<Log>, terrains: Query<&TerrainState>) -> bool {
    log.ticks >= TICKS || terrains.iter().any(|state| state.problems().next().is_some())
}

fn report(
    log: Res<Log>,
    players: Query<&Transform, With<Player>>,
    terrains: Query<&TerrainState>,
    stats: Res<TerrainStats>,
    mut exit: MessageWriter<AppExit>,
) {
    for problem in terrains.iter().flat_map(TerrainState::problems) {
        eprintln!("error: {problem}");
    }
    let heights = players.iter().map(|place| place.translation.y);
    let (lowest, highest) =
        heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    println!("{} players rode for {} ticks, and stand {lowest:.1} to {highest:.1} m high", players.count(), log.ticks);
    println!(
        "ground was shown in {} areas and hidden in {}; its level changed {} times",
        log.came, log.went, log.changed
    );
    println!("{} chunks are there, {:.1} MB", stats.chunks_loaded, stats.bytes_loaded as f64 / 1e6);
    exit.write(if log.ticks >= TICKS { AppExit::Success } else { AppExit::error() });
}
