//! A character that walks and jumps over the Alps with rapier's character controller, without a window.
//!
//! It walks in a circle for twenty seconds and jumps every two. Then the example prints how far it came.
//!
//! Look at:
//!
//! - `setup`: a capsule with `KeepGround` and a `KinematicCharacterController`. It needs no rigid body.
//! - `walk`: gravity and jumps. In a game, `Walk` comes from keys, and a camera follows the capsule.

use bevy::app::{Plugins, ScheduleRunnerPlugin};
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_rapier::{TerrainColliderPlugin, TerrainHooks};
use bevy_rapier3d::prelude::*;
use std::time::Duration;

/// The keys that the player holds.
#[derive(Component, Default)]
struct Walk {
    /// Metres per second along x and z.
    velocity: Vec2,
    jumps: bool,
}

/// How fast the character falls, how far it walked, and how often it jumped.
#[derive(Component, Default)]
struct Log {
    fall: f32,
    metres: f32,
    jumps: u32,
}

const SECONDS: f32 = 20.0;
const SPEED: f32 = 5.0;
/// Metres per second upwards: half a metre high.
const JUMP: f32 = 3.2;
const GRAVITY: f32 = 9.81;
const HZ: u32 = 60;

fn main() {
    let tick = ScheduleRunnerPlugin::run_loop(Duration::from_secs(1) / HZ);
    game(MinimalPlugins.set(tick)).add_systems(Update, report).run();
}

/// The game, with the plugins that run it.
fn game<M>(run: impl Plugins<M>) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets").into(), ..default() };
    app.add_plugins((run, TransformPlugin, assets, TerrainMinimalPlugins))
        .add_plugins((RapierPhysicsPlugin::<TerrainHooks>::default(), TerrainColliderPlugin::default()))
        .add_systems(Startup, setup)
        .add_systems(Update, (decide, walk).chain());
    app
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/alps.terrain.ron")));
    commands.spawn((
        (Walk::default(), Log::default()),
        Collider::capsule_y(0.6, 0.3),
        KinematicCharacterController {
            // It stays on the ground on the way down, and walks up all but the steepest slopes.
            snap_to_ground: Some(CharacterLength::Absolute(0.3)),
            max_slope_climb_angle: 1.0,
            min_slope_slide_angle: 1.0,
            ..default()
        },
        // It is on top of the ground in the first tick in which the ground is there.
        Transform::from_xyz(0.0, -1000.0, 0.0),
        KeepGround::default(),
    ));
}

/// Stands for the player's keys.
fn decide(mut walkers: Query<&mut Walk>, time: Res<Time>) {
    let now = time.elapsed_secs();
    for mut walk in &mut walkers {
        walk.velocity = SPEED * Vec2::from_angle(0.3 * now);
        walk.jumps = now % 2.0 < time.delta_secs();
    }
}

type Walker = (
    &'static Walk,
    &'static mut Log,
    &'static mut KinematicCharacterController,
    Option<&'static KinematicCharacterControllerOutput>,
);

fn walk(mut walkers: Query<Walker, Without<WaitsForGround>>, time: Res<Time>) {
    let seconds = time.delta_secs();
    for (walk, mut log, mut controller, output) in &mut walkers {
        log.fall -= GRAVITY * seconds;
        if output.is_some_and(|output| output.grounded) {
            log.fall = if walk.jumps { JUMP } else { log.fall.max(-GRAVITY * seconds) };
            log.jumps += u32::from(walk.jumps);
        }
        controller.translation = Some(Vec3::new(walk.velocity.x, log.fall, walk.velocity.y) * seconds);
        log.metres += output.map_or(0.0, |output| output.effective_translation.xz().length());
    }
}

fn report(walkers: Query<(&Log, &Transform)>, time: Res<Time>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() > SECONDS {
        for (log, transform) in &walkers {
            println!("walked {:.0} m with {} jumps, to {:.1}", log.metres, log.jumps, transform.translation);
        }
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::app::{finish, pump_until, with_manual_clock};

    #[test]
    fn it_walks_and_jumps_and_stays_on_the_ground() {
        let mut app = with_manual_clock(game(MinimalPlugins));
        finish(&mut app);
        let (mut highest, mut lowest, mut walking) = (f32::NEG_INFINITY, f32::INFINITY, 0);
        pump_until(&mut app, "the character has walked for 600 ticks", |app| {
            let mut walkers = app.world_mut().query_filtered::<&Transform, (With<Walk>, Without<WaitsForGround>)>();
            let Ok(at) = walkers.single(app.world()).map(|transform| transform.translation) else {
                return false;
            };
            walking += 1;
            // The first ticks put it on top of the ground.
            if walking < 30 {
                return false;
            }
            let ask = |In(at): In<Vec3>, ground: TerrainGround| ground.height(at);
            let height = app.world_mut().run_system_cached_with(ask, at).expect("it runs").expect("a ground");
            (highest, lowest) = (highest.max(at.y - height), lowest.min(at.y - height));
            walking == 600
        });
        // A capsule that stands on a steep slope, or jumps down one, is higher above the ground right below it.
        assert!((0.6..1.3).contains(&lowest), "{lowest} m above the ground");
        assert!((1.3..6.0).contains(&highest), "{highest} m above the ground");
        let mut logs = app.world_mut().query::<&Log>();
        let log = logs.single(app.world()).expect("one walker");
        assert!(log.jumps >= 3 && log.metres > 30.0, "{} jumps, {} m", log.jumps, log.metres);
    }
}
