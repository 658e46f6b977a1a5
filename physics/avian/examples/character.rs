//! A character that walks and jumps over the Alps, without a window.
//!
//! It walks in a circle for twenty seconds, jumps every two, and stands still for one in four. Then the example prints how far it came.
//!
//! What to look at:
//!
//! - `setup`: a capsule with `KeepGround` is all that a character needs to stand on the terrain.
//! - `walk`: the controller. In a game, `Walk` comes from keys, and a camera follows the capsule.

use avian3d::math::{AdjustPrecision, AsF32, Scalar};
use avian3d::prelude::*;
use bevy::app::{Plugins, ScheduleRunnerPlugin};
use bevy::prelude::*;
use bevy_perlin_terrain::ground::GroundPoint;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::TerrainColliderPlugin;
use std::time::Duration;

/// What the player wants, and does.
#[derive(Component, Clone, Copy, Default)]
struct Walk {
    /// Metres per second along x and z.
    velocity: Vec2,
    jumps: bool,
    /// From a jump until it no longer rises.
    is_rising: bool,
}

/// How far the character walked, and how often it jumped.
#[derive(Component, Default)]
struct Log {
    metres: f32,
    jumps: u32,
}

const SECONDS: f32 = 20.0;
const SPEED: f32 = 5.0;
/// Metres per second upwards: half a metre high.
const JUMP: f32 = 3.2;
/// Of the capsule, in metres.
const RADIUS: f32 = 0.3;
/// Half the height of the capsule.
const HALF: f32 = 0.9;

fn main() {
    let tick = ScheduleRunnerPlugin::run_loop(Duration::from_secs(1) / 60);
    game(MinimalPlugins.set(tick)).add_systems(Update, report).run();
}

/// The game, with the plugins that run it.
fn game<M>(run: impl Plugins<M>) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets").into(), ..default() };
    app.add_plugins((run, TransformPlugin, assets, TerrainMinimalPlugins))
        .add_plugins((PhysicsPlugins::default(), TerrainColliderPlugin))
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, (decide, walk).chain());
    app
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/alps.terrain.ron")));
    commands.spawn((
        (Walk::default(), Log::default()),
        (
            RigidBody::Dynamic,
            Collider::capsule(RADIUS.adjust_precision(), (2.0 * (HALF - RADIUS)).adjust_precision()),
            LockedAxes::ROTATION_LOCKED,
        ),
        // The controller decides the velocity, so nothing brakes the capsule.
        (Friction::ZERO.with_combine_rule(CoefficientCombine::Min), SleepingDisabled),
        // On a steep flank. It is on top of the ground in the first tick in which the ground is there.
        Transform::from_xyz(1228.0, -1000.0, 1085.0),
        KeepGround::default(),
    ));
}

/// Stands for the player's keys.
fn decide(mut walkers: Query<&mut Walk>, time: Res<Time>) {
    let now = time.elapsed_secs();
    for mut walk in &mut walkers {
        walk.velocity = if now % 4.0 < 3.0 { SPEED * Vec2::from_angle(0.3 * now) } else { Vec2::ZERO };
        walk.jumps = now % 2.0 < time.delta_secs();
    }
}

/// Metres from the ground up to the capsule. On a slope, the capsule touches the ground beside its lowest point.
fn gap(at: Vec3, ground: &GroundPoint) -> f32 {
    at.y - ground.position.y - HALF - RADIUS * (1.0 / ground.normal.y - 1.0)
}

fn walk(
    mut walkers: Query<(&mut Walk, &mut Log, &Position, &mut LinearVelocity), Without<WaitsForGround>>,
    ground: TerrainGround,
    time: Res<Time>,
) {
    for (mut walk, mut log, position, mut velocity) in &mut walkers {
        let at = position.f32();
        // The ground is known: the body doesn't wait for it.
        let Some(point) = ground.point(at) else { continue };
        let (normal, gap) = (point.normal, gap(at, &point));
        velocity.x = walk.velocity.x.adjust_precision();
        velocity.z = walk.velocity.y.adjust_precision();
        // Along the slope, so that it doesn't take off on the way down.
        let climb = -(normal.x * walk.velocity.x + normal.z * walk.velocity.y) / normal.y.max(0.5);
        let climb: Scalar = climb.adjust_precision();
        walk.is_rising &= velocity.y > climb;
        if gap < 0.3 && !walk.is_rising {
            if walk.jumps {
                velocity.y = climb + JUMP.adjust_precision();
                walk.is_rising = true;
                log.jumps += 1;
            } else {
                // Each tick sets this velocity anew, so gravity hardly counts. Without the second term, it would float down.
                velocity.y = climb - 10.0 * gap.max(0.0).adjust_precision();
            }
        }
        log.metres += walk.velocity.length() * time.delta_secs();
    }
}

fn report(walkers: Query<(&Log, &Position)>, time: Res<Time>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() > SECONDS {
        for (log, position) in &walkers {
            println!("walked {:.0} m with {} jumps, to {:.1}", log.metres, log.jumps, position.0);
        }
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::time::TimeUpdateStrategy;

    #[test]
    fn it_walks_and_jumps_and_stays_on_the_ground() {
        let mut app = game(MinimalPlugins);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
        app.finish();
        app.cleanup();
        let (mut highest, mut lowest, mut walking, mut touching) = (f32::NEG_INFINITY, f32::INFINITY, 0, 0);
        for _ in 0..20_000 {
            app.update();
            let mut walkers = app.world_mut().query_filtered::<(&Walk, &Position), Without<WaitsForGround>>();
            let Ok((walk, at)) = walkers.single(app.world()).map(|(walk, position)| (*walk, position.f32())) else {
                std::thread::yield_now();
                continue;
            };
            walking += 1;
            // The first ticks put it on top of the ground.
            if walking < 30 {
                continue;
            }
            let ask = |In(at): In<Vec3>, ground: TerrainGround| ground.point(at);
            let ground = app.world_mut().run_system_cached_with(ask, at).expect("it runs").expect("a ground");
            let gap = gap(at, &ground);
            (highest, lowest) = (highest.max(gap), lowest.min(gap));
            touching += u32::from(gap < 0.15);
            assert!(walk.velocity != Vec2::ZERO || gap < 0.3, "it stops, and hops {gap} m high");
            if walking == 600 {
                break;
            }
        }
        assert_eq!(walking, 600, "the ground was there");
        assert!((-0.3..0.2).contains(&lowest), "{lowest} m above the ground");
        assert!((0.4..3.0).contains(&highest), "{highest} m above the ground");
        // A jump takes two thirds of a second, and there is one in two seconds. Between them, it does not float.
        assert!(touching > 330, "its feet touch the ground in {touching} of 570 frames");
        let mut logs = app.world_mut().query::<&Log>();
        let log = logs.single(app.world()).expect("one walker");
        assert!(log.jumps >= 3 && log.metres > 30.0, "{} jumps, {} m", log.jumps, log.metres);
    }
}
