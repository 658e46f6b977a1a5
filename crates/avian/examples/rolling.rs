//! A hundred balls roll down the hills, without a window.
//!
//! They start on a grid of 200 by 200 m and roll for twenty seconds. Then the example prints where they are.
//!
//! Look at:
//!
//! - `setup`: each ball has `KeepGround`. Balls that are near each other share their ground.
//! - `report`: how many collider tiles there are, and that no ball is below the ground.

use avian3d::math::ToF32Precision;
use avian3d::prelude::*;
use bevy::app::{Plugins, ScheduleRunnerPlugin};
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::TerrainColliderPlugin;
use std::time::Duration;

#[derive(Component)]
struct Ball;

const SECONDS: f32 = 20.0;
const RADIUS: f32 = 0.5;

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
        .add_systems(Startup, setup);
    app
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/alps.terrain.ron")));
    for number in 0..100_u8 {
        let [x, z] = [number % 10, number / 10].map(|i| 20.0 * f32::from(i) - 90.0);
        commands.spawn((
            Ball,
            (RigidBody::Dynamic, Collider::sphere(RADIUS), Friction::new(0.6), Restitution::new(0.3)),
            // Below the ground: each is put on top of it.
            Transform::from_xyz(x, -1000.0, z),
            KeepGround { radius: 16.0, ..default() },
        ));
    }
}

/// The number of balls below the ground, and the speed of the fastest ball.
fn check(balls: Query<(&Position, &LinearVelocity), With<Ball>>, ground: TerrainGround) -> (usize, f32) {
    let is_below = |at: Vec3| ground.height(at).is_none_or(|height| at.y < height);
    let below = balls.iter().filter(|(position, _)| is_below(position.f32())).count();
    let fastest = balls.iter().map(|(_, velocity)| velocity.length()).fold(0.0, f32::max);
    (below, fastest)
}

fn report(
    balls: Query<(&Position, &LinearVelocity), With<Ball>>,
    ground: TerrainGround,
    stats: Res<TerrainStats>,
    time: Res<Time>,
    mut exit: MessageWriter<AppExit>,
) {
    if time.elapsed_secs() > SECONDS {
        let (below, fastest) = check(balls, ground);
        println!("the fastest of 100 balls rolls at {fastest:.1} m/s; {below} are below the ground");
        println!(
            "{} collider tiles are loaded, {} were built",
            stats.collider_tiles_loaded, stats.collider_tiles_built
        );
        exit.write(if below == 0 { AppExit::Success } else { AppExit::error() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::app::{finish, pump_until, with_manual_clock};

    #[test]
    fn a_hundred_balls_roll_and_none_falls_through() {
        let mut app = with_manual_clock(game(MinimalPlugins));
        finish(&mut app);
        let (mut rolling, mut top) = (0, 0.0_f32);
        pump_until(&mut app, "the balls have rolled for 300 ticks", |app| {
            if app.world().resource::<TerrainStats>().bodies_waiting > 0 {
                return false;
            }
            rolling += 1;
            // The first ticks put the balls on top of the ground.
            if rolling > 10 {
                let (below, fastest) = app.world_mut().run_system_cached(check).expect("it runs");
                assert_eq!(below, 0, "in tick {rolling}");
                top = top.max(fastest);
            }
            rolling == 300
        });
        assert!(top > 3.0, "the fastest ball had {top} m/s");
    }
}
