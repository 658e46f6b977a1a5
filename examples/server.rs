//! Ground for many players on a server, without a window, a renderer or a GPU.
//!
//! Sixteen players ride away from each other for ten seconds. Chunks load and unload around each of them. Then the example ends.
//!
//! Look at:
//!
//! - `stand_on_ground`: players stand on the same triangles, with the same bits, that the game's clients draw near them.
//! - `count`: messages report the ground that appears and disappears around the players.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;

const PLAYERS: u8 = 16;
const TICKS: u32 = 600;
const METRES_PER_SECOND: f32 = 60.0;

/// A player, and the direction in which it rides.
#[derive(Component)]
struct Player(Dir2);

/// Counts of ticks and of messages.
#[derive(Resource, Default)]
struct Log {
    ticks: u32,
    shown: usize,
    hidden: usize,
    changed: usize,
}

fn main() {
    let tick = ScheduleRunnerPlugin::run_loop(Duration::from_secs(1) / 60);
    App::new()
        .add_plugins((MinimalPlugins.set(tick), TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins))
        .init_resource::<Log>()
        .add_systems(Startup, setup)
        .add_systems(Update, (ride.run_if(is_terrain_ready.or_else(has_started)), stand_on_ground).chain())
        .add_systems(Last, (count, report.run_if(is_over)).chain())
        .run();
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
    for number in 0..PLAYERS {
        let direction = Rot2::turn_fraction(f32::from(number) / f32::from(PLAYERS)) * Vec2::X;
        commands.spawn((
            Player(Dir2::new_unchecked(direction)),
            // A client sees farther. A server that needs only heights and colliders has no viewers.
            TerrainViewer { view_distance: 1000.0 },
            Transform::from_xyz(direction.x * 2000.0, 0.0, direction.y * 2000.0),
        ));
    }
}

/// Players wait for the ground only at the start. After that, it loads ahead of them.
fn has_started(log: Res<Log>) -> bool {
    log.ticks > 0
}

fn ride(mut players: Query<(&mut Transform, &Player)>, time: Res<Time>, mut log: ResMut<Log>) {
    log.ticks += 1;
    for (mut transform, Player(direction)) in &mut players {
        transform.translation += Vec3::new(direction.x, 0.0, direction.y) * METRES_PER_SECOND * time.delta_secs();
    }
}

fn stand_on_ground(mut players: Query<&mut Transform, With<Player>>, ground: TerrainGround) {
    for mut transform in &mut players {
        if let Some(height) = ground.height(transform.translation) {
            transform.translation.y = height;
        }
    }
}

fn count(
    mut shown: MessageReader<GroundShown>,
    mut hidden: MessageReader<GroundHidden>,
    mut changed: MessageReader<ChunkLevelChanged>,
    mut log: ResMut<Log>,
) {
    log.shown += shown.read().count();
    log.hidden += hidden.read().count();
    log.changed += changed.read().count();
}

/// Whether all ticks are over, or the settings have a problem.
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
    let heights = players.iter().map(|transform| transform.translation.y);
    let (lowest, highest) =
        heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    println!(
        "{} players rode for {} ticks; their heights are {lowest:.1} to {highest:.1} m",
        players.count(),
        log.ticks
    );
    println!(
        "ground was shown in {} areas and hidden in {}; its level changed {} times",
        log.shown, log.hidden, log.changed
    );
    println!("{} chunks are loaded, {:.1} MB", stats.chunks_loaded, stats.bytes_loaded as f64 / 1e6);
    exit.write(if log.ticks >= TICKS { AppExit::Success } else { AppExit::error() });
}
