//! A car that drives over rolling hills at 60 m/s, without a window.
//!
//! It drives for a minute, over a border between two collider tiles every two seconds. Then the example prints how far it came.
//!
//! Look at:
//!
//! - `setup`: a box with `KeepGround` is the car. Its tiles are ready a second before it gets there.
//! - `course`: where it drives, the trees and stones of the hills are removed.
//! - `drive`: rapier's vehicle controller, with a ray for each wheel. The rays hit the triangles of the ground.

use bevy::app::{Plugins, ScheduleRunnerPlugin};
use bevy::prelude::*;
use bevy_perlin_terrain::plants::Clearing;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_rapier::{TerrainColliderPlugin, TerrainHooks};
use bevy_rapier3d::prelude::*;
use bevy_rapier3d::rapier::control::{DynamicRayCastVehicleController, WheelTuning};
use std::time::Duration;

/// A car that drives straight on.
#[derive(Component)]
struct Car {
    vehicle: DynamicRayCastVehicleController,
    /// How far it drove at full speed, in metres.
    metres: f32,
}

/// Where it drives to, along x and z: across borders in both directions.
const COURSE: Vec2 = Vec2::new(1.0, 0.4);
const SECONDS: f32 = 60.0;
/// Metres per second.
const SPEED: f32 = 60.0;
const HZ: u32 = 60;
/// Half the size of the box: forward is x.
const HALF: Vec3 = Vec3::new(2.0, 0.3, 0.9);
const WHEELS: [Vec3; 4] =
    [Vec3::new(1.5, -0.1, -0.8), Vec3::new(1.5, -0.1, 0.8), Vec3::new(-1.5, -0.1, -0.8), Vec3::new(-1.5, -0.1, 0.8)];
/// The rest length of the springs and the radius of the wheels, in metres.
const SPRING: f32 = 0.4;
const WHEEL: f32 = 0.35;

fn main() {
    let tick = ScheduleRunnerPlugin::run_loop(Duration::from_secs(1) / HZ);
    game(MinimalPlugins.set(tick)).add_systems(Update, report).run();
}

/// The game, with the plugins that run it.
fn game<M>(run: impl Plugins<M>) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets").into(), ..default() };
    app.add_plugins((run, TransformPlugin, assets, TerrainMinimalPlugins))
        .insert_resource(Time::<Fixed>::from_hz(HZ.into()))
        .insert_resource(TimestepMode::Fixed { dt: 1.0 / HZ as f32, substeps: 1 })
        .add_plugins(RapierPhysicsPlugin::<TerrainHooks>::default().in_fixed_schedule())
        .add_plugins(TerrainColliderPlugin::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, drive.after(PhysicsSet::SyncBackend).before(PhysicsSet::StepSimulation));
    app
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((Terrain(assets.load("terrain/rolling_hills.terrain.ron")), course()));
    commands.spawn((
        (RigidBody::Dynamic, Collider::cuboid(HALF.x, HALF.y, HALF.z), ColliderMassProperties::Mass(1200.0)),
        // It stays upright when it takes off.
        (
            Damping { angular_damping: 3.0, ..default() },
            Velocity::zero(),
            Sleeping::disabled(),
            ExternalForce::default(),
        ),
        // Below the ground: it is put on top of it.
        Transform::from_xyz(0.0, -1000.0, 0.0),
        KeepGround::default(),
    ));
}

/// No tree and no stone stands on the course of the car.
fn course() -> RemovedPlants {
    let mut removed = RemovedPlants::default();
    let toward = COURSE.normalize().as_dvec2();
    for step in 0..200 {
        let center = toward * f64::from(step) * 20.0;
        assert!(removed.clear(Clearing { center: center.into(), radius: 50.0 }), "there is room for many more");
    }
    removed
}

/// Steers, and moves the car on its wheels.
fn drive(
    mut commands: Commands,
    mut contexts: Query<(&RapierContextSimulation, &mut RapierContextColliders, &mut RapierRigidBodySet)>,
    mut cars: Query<
        (Entity, &RapierRigidBodyHandle, &GlobalTransform, &Velocity, &mut ExternalForce, Option<&mut Car>),
        Without<WaitsForGround>,
    >,
) {
    let Ok((simulation, mut colliders, mut bodies)) = contexts.single_mut() else { return };
    for (entity, body, transform, velocity, mut force, car) in &mut cars {
        let Some(mut car) = car else {
            commands.entity(entity).insert(Car { vehicle: vehicle(body.0), metres: 0.0 });
            continue;
        };
        let forward = transform.right();
        let speed = velocity.linear.dot(*forward);
        let turn = forward.xz().angle_to(COURSE);
        for (number, wheel) in car.vehicle.wheels_mut().iter_mut().enumerate() {
            wheel.steering = if number < 2 { (-0.5 * turn).clamp(-0.1, 0.1) } else { 0.0 };
            wheel.engine_force = 6000.0 * (SPEED - speed).clamp(-1.0, 1.0);
        }
        // Its wings press it to the ground, with three times its weight at full speed.
        force.force = transform.down() * 3.0 * 9.81 * 1200.0 * (speed / SPEED).powi(2);
        let filter = QueryFilter::new().exclude_rigid_body(entity);
        let dispatcher = simulation.narrow_phase.query_dispatcher();
        RapierQueryPipelineMut::new_scoped(
            &simulation.broad_phase,
            &mut colliders,
            &mut bodies,
            &filter,
            dispatcher,
            |queries| car.vehicle.update_vehicle(1.0 / HZ as f32, queries.query_pipeline),
        );
        if speed > 0.9 * SPEED {
            car.metres += speed / HZ as f32;
        }
    }
}

/// Four wheels for a body.
fn vehicle(body: bevy_rapier3d::rapier::dynamics::RigidBodyHandle) -> DynamicRayCastVehicleController {
    let mut vehicle = DynamicRayCastVehicleController::new(body);
    let tuning = WheelTuning {
        suspension_stiffness: 80.0,
        suspension_compression: 6.0,
        suspension_damping: 8.0,
        max_suspension_travel: 0.3,
        max_suspension_force: 1e5,
        ..default()
    };
    for wheel in WHEELS {
        vehicle.add_wheel(wheel, Vec3::NEG_Y, Vec3::Z, SPRING, WHEEL, &tuning);
    }
    vehicle
}

fn report(cars: Query<(&Car, &Transform)>, ground: TerrainGround, time: Res<Time>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() > SECONDS {
        for (car, transform) in &cars {
            let above = transform.translation.y - ground.height(transform.translation).unwrap_or_default();
            println!(
                "drove {:.0} m at full speed, to {:.1}, {above:.2} m above the ground",
                car.metres, transform.translation
            );
        }
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::app::{finish, with_manual_clock};

    /// The side of a collider tile, in metres.
    const SQUARE: f32 = 128.0;

    /// The number of a tile along x and z, from the middle of each to the next if `shift` is half a tile.
    fn tile(at: Vec3, shift: f32) -> [i32; 2] {
        [at.x, at.z].map(|metres| ((metres + shift) / SQUARE).floor() as i32)
    }

    #[test]
    fn wheels_at_60_m_per_s_never_lose_the_ground_and_springs_do_not_feel_borders() {
        let mut app = with_manual_clock(game(MinimalPlugins));
        finish(&mut app);
        let mut before = [None; 4];
        // How often a wheel crosses a border, or the middle of a tile, and by how much its force changes there.
        let mut crossings = [(0_u16, 0.0_f32); 2];
        let mut is_fast = false;
        for _ in 0..40_000 {
            app.update();
            let mut cars = app.world_mut().query_filtered::<(&Car, &Transform), Without<WaitsForGround>>();
            let Ok((car, transform)) = cars.single(app.world()) else {
                std::thread::yield_now();
                continue;
            };
            // Until it is at full speed.
            if car.metres == 0.0 {
                continue;
            }
            if car.metres > 1500.0 {
                is_fast = true;
                break;
            }
            let (wheels, position) = (car.vehicle.wheels().to_vec(), transform.translation);
            let mut height = |at: Vec3| {
                let ask = |In(at): In<Vec3>, ground: TerrainGround| ground.height(at);
                app.world_mut().run_system_cached_with(ask, at).expect("it runs").expect("a ground")
            };
            assert!(position.y > height(position), "the car is above the ground at {position}");
            for (before, wheel) in before.iter_mut().zip(wheels) {
                let (hit, force) = (wheel.raycast_info(), wheel.wheel_suspension_force);
                let reach = hit.hard_point_ws + wheel.suspension() * (SPRING + WHEEL);
                let at = hit.contact_point_ws;
                // The precision of the contact, in metres.
                if hit.is_in_contact {
                    assert!((at.y - height(at)).abs() < 2e-3, "a wheel stands at {at}");
                } else {
                    assert!(reach.y > height(reach) - 2e-3, "a wheel misses the ground at {reach}");
                }
                let is_down = hit.is_in_contact;
                if let Some((from, old_force)) = before.replace((at, force))
                    && is_down
                {
                    for (crossing, shift) in crossings.iter_mut().zip([0.0, SQUARE / 2.0]) {
                        if tile(from, shift) != tile(at, shift) {
                            *crossing = (crossing.0 + 1, crossing.1 + (force - old_force).abs());
                        }
                    }
                }
            }
        }
        assert!(is_fast, "it drives 1.5 km at full speed");
        let [borders, middles] = crossings.map(|(count, force)| force / f32::from(count));
        println!("{crossings:?}: {borders} N for a border, {middles} N for the middle of a tile");
        assert!(crossings[0].0 > 30 && borders < 2.0 * middles, "{borders} N for a border, {middles} N elsewhere");
    }
}
