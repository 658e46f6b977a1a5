//! A character that walks and jumps over the Alps, without a window.
//!
//! It walks in a circle for twenty seconds, jumps every two, and stands still for one in four. Then the example prints where it stands.
//!
//! Look at:
//!
//! - `character`: a capsule with `KeepGround` is all that a character needs to stand on the terrain.
//! - `walk` of the crate is the controller. In `crates/third_person`, `Walk` comes from keys, and a camera follows the capsule.

use avian3d::prelude::*;
use bevy::app::{Plugins, ScheduleRunnerPlugin};
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_avian::TerrainColliderPlugin;
use bevy_perlin_terrain_avian::walk::{Walk, character, walk};
use std::time::Duration;

const SECONDS: f32 = 20.0;
/// Metres per second.
const SPEED: f32 = 5.0;

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
    // On a steep flank.
    commands.spawn((character(), Transform::from_xyz(1228.0, -1000.0, 1085.0)));
}

/// Stands for the player's keys.
fn decide(mut walkers: Query<&mut Walk>, time: Res<Time>) {
    let now = time.elapsed_secs();
    for mut walk in &mut walkers {
        walk.velocity = if now % 4.0 < 3.0 { SPEED * Vec2::from_angle(0.3 * now) } else { Vec2::ZERO };
        walk.jumps = now % 2.0 < time.delta_secs();
    }
}

fn report(walkers: Query<&Position, With<Walk>>, time: Res<Time>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() > SECONDS {
        for position in &walkers {
            println!("It stands at {:.1}.", position.0);
        }
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use avian3d::math::ToF32Precision;
    use bevy_perlin_terrain_avian::walk::{HALF, RADIUS};
    use testing::app::{finish, pump_until, with_manual_clock};

    /// Where the character is after a tick, and how far above the ground.
    struct Step {
        at: Vec3,
        gap: f32,
    }

    /// The steps of 600 ticks with ground, without the first 30, which put it on top of the ground.
    fn steps(app: App) -> Vec<Step> {
        let mut app = with_manual_clock(app);
        finish(&mut app);
        let mut steps = vec![];
        pump_until(&mut app, "the character has walked for 600 ticks", |app| {
            let mut walkers = app.world_mut().query_filtered::<&Position, (With<Walk>, Without<WaitsForGround>)>();
            let Ok(at) = walkers.single(app.world()).map(|position| position.f32()) else {
                return false;
            };
            let ask = |In(at): In<Vec3>, ground: TerrainGround| ground.point(at);
            let ground = app.world_mut().run_system_cached_with(ask, at).expect("it runs").expect("a ground");
            // On a slope, the capsule touches the ground beside its lowest point.
            let gap = at.y - ground.position.y - HALF - RADIUS * (1.0 / ground.normal.y - 1.0);
            steps.push(Step { at, gap });
            steps.len() == 600
        });
        steps.split_off(30)
    }

    #[test]
    fn it_walks_and_jumps_and_stays_on_the_ground() {
        let steps = steps(game(MinimalPlugins));
        let (lowest, highest) =
            steps.iter().fold((0.0_f32, 0.0_f32), |(a, b), step| (a.min(step.gap), b.max(step.gap)));
        assert!(lowest > -0.3, "{lowest} m above the ground");
        // A jump is 1 m high on level ground, and 4.6 m down a slope of 45 degrees.
        assert!((0.7..6.0).contains(&highest), "{highest} m above the ground");
        let jumps = steps.windows(2).filter(|pair| pair[0].gap < 0.4 && pair[1].gap >= 0.4).count();
        let metres: f32 = steps.windows(2).map(|pair| pair[1].at.distance(pair[0].at)).sum();
        assert!(jumps >= 3 && metres > 25.0, "{jumps} jumps, {metres} m");
        let touching = steps.iter().filter(|step| step.gap < 0.15).count();
        assert!(touching > 200, "its feet touch the ground in {touching} of 570 ticks");
    }

    #[test]
    fn it_neither_hops_nor_slides_while_it_stands() {
        let mut app = game(MinimalPlugins);
        let stop = |mut walkers: Query<&mut Walk>| walkers.iter_mut().for_each(|mut walk| *walk = Walk::default());
        app.add_systems(FixedUpdate, stop.after(decide).before(walk));
        let steps = &steps(app)[60..];
        let slid = steps[0].at.distance(steps[steps.len() - 1].at);
        let highest = steps.iter().map(|step| step.gap).fold(0.0, f32::max);
        assert!(slid < 0.02 && highest < 0.1, "it slid {slid} m, and was {highest} m above the ground");
    }
}
