//! What only bodies of rapier promise, or to another precision.

use crate::Rapier;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_rapier::{TerrainColliderPlugin, TerrainHooks};
use bevy_rapier3d::prelude::*;
use testing::app::add_terrain_at;
use testing::bodies::*;

#[test]
fn a_new_body_has_ground_before_its_first_step() {
    let mut app = app::<Rapier>();
    add_terrain_at(&mut app, flat(), [0.0; 2]);
    start(&mut app);
    for x in [1000.3, 2000.3, 3000.3] {
        let body = (Rapier::body(BALL), Velocity::zero(), Transform::from_xyz(x, 20.5, 7.1), KeepGround::default());
        let body = app.world_mut().spawn(body).id();
        app.update();
        // Without ground, it falls 2.7 mm.
        assert!(Rapier::place(&app, body).y > 20.499, "{}", Rapier::place(&app, body));
    }
}

#[test]
fn a_character_without_a_body_is_held_and_put_on_top() {
    for mut app in Rapier::WAYS.iter().map(app_with) {
        let character = (Collider::capsule_y(0.4, 0.3), KinematicCharacterController::default());
        let character =
            app.world_mut().spawn((character, Transform::from_xyz(0.0, 3.0, 0.0), KeepGround::default())).id();
        let fall = |app: &mut App| {
            let mut controllers = app.world_mut().query::<&mut KinematicCharacterController>();
            controllers.single_mut(app.world_mut()).expect("one").translation = Some(Vec3::new(0.05, -0.1, 0.0));
            app.update();
            Rapier::place(app, character)
        };
        // The terrain is there, but has no settings yet.
        app.world_mut().spawn(Terrain::default());
        (0..2).for_each(|_| _ = fall(&mut app));
        let before = Rapier::place(&app, character);
        assert_eq!(fall(&mut app), before, "it is held");
        let terrains: Vec<Entity> =
            app.world_mut().query_filtered::<Entity, With<Terrain>>().iter(app.world()).collect();
        app.world_mut().despawn(terrains[0]);
        // The ground is 17 m higher.
        add_terrain_at(&mut app, flat(), [0.0; 2]);
        start(&mut app);
        for _ in 0..60 {
            let at = fall(&mut app);
            assert!((20.65..20.8).contains(&at.y), "it stands at {at}");
        }
        assert!(Rapier::place(&app, character).x > before.x + 2.0, "it walks");
    }
}

#[test]
fn a_body_whose_position_is_not_a_number_harms_no_other() {
    let mut app = app::<Rapier>();
    add_terrain_at(&mut app, flat(), [0.0; 2]);
    start(&mut app);
    let [lost, other] = [f32::NAN, 3.0].map(|x| {
        let body = (Rapier::body(BALL), Transform::from_xyz(x, 21.0, 0.0), KeepGround::default());
        app.world_mut().spawn(body).id()
    });
    run(&mut app, 1.0);
    let at = Rapier::place(&app, other);
    assert!((20.4..20.6).contains(&at.y), "it stands at {at}");
    app.world_mut().despawn(lost);
    teleport(&mut app, other, Vec3::new(f32::INFINITY, 0.0, 0.0));
    run(&mut app, 0.1);
    app.world_mut().despawn(other);
    run(&mut app, 0.1);
}

#[test]
fn a_ball_a_capsule_and_a_wheel_lose_no_speed_at_a_border() {
    for crossing in Crossing::ALL {
        for speed in [10.0, 60.0] {
            // In the mean: a wheel that rolls on its two rims differs by up to 2 %, to both sides, after any change in rounding.
            let lost = (0..6).map(|number| crossing.lost_speed::<Rapier>(speed, number)).sum::<f32>() / 6.0;
            assert!(lost.abs() < 0.01, "{crossing:?} at {speed} m/s loses {lost} of its speed");
        }
    }
}

#[test]
fn balls_that_land_beside_a_border_bounce_as_on_one_height_field() {
    for speed in [2.0, 10.0, 30.0] {
        let velocities = [true, false].map(|is_one| {
            let mut app = app_with_ground::<Rapier>(is_one);
            let balls: Vec<Entity> = (0..60_u8)
                .map(|number| {
                    // Up to the end of the overlap, 2 m beyond the border, on both sides.
                    let [x, z] = [-3.0 + 0.1 * f32::from(number), -45.0 + 1.5 * f32::from(number)];
                    let y = ground(&mut app, x, z) + 1.5 + 0.1 * speed * f32::from(number % 7) / 7.0;
                    let ball = (Rapier::body(BALL), Velocity::linear(Vec3::NEG_Y * speed));
                    app.world_mut().spawn((ball, Transform::from_xyz(x, y, z))).id()
                })
                .collect();
            run(&mut app, 0.5);
            balls.iter().map(|&ball| Rapier::velocity(&app, ball)).collect::<Vec<_>>()
        });
        for (number, (one, tiles)) in velocities[0].iter().zip(&velocities[1]).enumerate() {
            assert!((*one - *tiles).length() < 0.1, "{number} at {speed} m/s: {tiles} for {one}");
        }
    }
}

/// The game's hooks, with those of the terrain in them.
#[derive(SystemParam)]
struct GameHooks<'w, 's> {
    terrain: TerrainHooks<'w, 's>,
    slippery: Query<'w, 's, (), With<KeepGround>>,
}

impl BevyPhysicsHooks for GameHooks<'_, '_> {
    fn modify_solver_contacts(&self, mut contacts: ContactModificationContextView) {
        self.terrain.leave_to_neighbors(&mut contacts);
        if self.slippery.contains(contacts.collider1()) || self.slippery.contains(contacts.collider2()) {
            *contacts.raw.rigid_mut().expect("no body is soft").friction = 0.0;
        }
    }
}

#[test]
fn hooks_of_the_game_can_call_those_of_the_terrain() {
    let add_own = |app: &mut App| {
        app.add_plugins((RapierPhysicsPlugin::<GameHooks>::default(), TerrainColliderPlugin::default()));
    };
    let speeds = [app::<Rapier>(), app_with(add_own)].map(|mut app| {
        add_terrain_at(&mut app, flat(), [0.0; 2]);
        app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
        start(&mut app);
        let cube = (Rapier::body(Shape::Cube { side: 1.0 }), Velocity::linear(Vec3::X * 10.0));
        let cube = app.world_mut().spawn((cube, Transform::from_xyz(-4.0, 20.5, 3.0), KeepGround::default())).id();
        run(&mut app, 1.0);
        Rapier::velocity(&app, cube).x
    });
    assert!(speeds[0] < 6.0 && speeds[1] > 9.9, "{speeds:?}");
}

#[test]
fn a_rolling_ball_keeps_its_way_through_a_shift() {
    // Rapier adds four steps a tick, and `f32` rounds each by up to 0.1 mm at 2 km.
    let most = 0.03;
    assert_a_rolling_ball_keeps_its_way::<Rapier>(true, most, |_| ());
    assert_a_rolling_ball_keeps_its_way::<Rapier>(true, most, |app| {
        // Two ticks in three frames.
        app.insert_resource(TimestepMode::Interpolated { dt: 1.5 / HZ as f32, time_scale: 1.0, substeps: 1 });
        // Both runs have their ticks in the same frames.
        let mut clocks = app.world_mut().query::<&mut SimulationToRenderTime>();
        clocks.iter_mut(app.world_mut()).for_each(|mut clock| clock.diff = 0.0);
    });
}
