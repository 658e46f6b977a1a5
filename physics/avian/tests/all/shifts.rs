//! Origin shifts.

use crate::common::*;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{OriginAnchor, WorldOrigin};

#[test]
fn a_resting_stack_survives_a_shift_with_and_without_interpolation() {
    for interpolates in [false, true] {
        let mut app = app();
        app.add_plugins(OriginShiftPlugin { threshold: 1500.0 });
        add_terrain(&mut app, flat(), [0.0; 2]);
        let anchor = app.world_mut().spawn((OriginAnchor, Transform::default())).id();
        let stack: Vec<Entity> = (0..5_u8)
            .map(|number| {
                let mut body = app.world_mut().spawn((
                    RigidBody::Dynamic,
                    Collider::cuboid(1.0, 1.0, 1.0),
                    Transform::from_xyz(30.0, 20.5 + f32::from(number), 7.0),
                    KeepGround::default(),
                ));
                if interpolates {
                    body.insert(TransformInterpolation);
                }
                body.id()
            })
            .collect();
        start(&mut app);
        run(&mut app, 2.0);
        let absolute = |app: &App, body: Entity| {
            let origin = app.world().resource::<WorldOrigin>().0.as_vec3();
            [place(app, body), app.world().get::<Transform>(body).expect("a body").translation].map(|at| at + origin)
        };
        let before: Vec<_> = stack.iter().map(|&body| absolute(&app, body)).collect();
        for x in [1600.0, 1700.0] {
            app.world_mut().get_mut::<Transform>(anchor).expect("it has one").translation.x = x;
            for frame in 0..60 {
                app.update();
                for (&body, before) in stack.iter().zip(&before) {
                    for (at, before) in absolute(&app, body).into_iter().zip(before) {
                        // The precision of `f32` at 2 km.
                        let gap = (at - *before).length();
                        assert!(gap < 2e-3, "{gap} m off in frame {frame}, interpolated: {interpolates}");
                    }
                }
            }
        }
        assert_ne!(app.world().resource::<WorldOrigin>().0.x, 0.0, "the origin was shifted");
    }
}

#[test]
fn a_rolling_ball_keeps_its_way_through_a_shift() {
    let places = [false, true].map(|shifts| {
        let mut app = app();
        app.add_plugins(OriginShiftPlugin { threshold: 1500.0 });
        add_terrain(&mut app, flat(), [0.0; 2]);
        let anchor = app.world_mut().spawn((OriginAnchor, Transform::default())).id();
        app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
        start(&mut app);
        let ball = app.world_mut().spawn((
            RigidBody::Dynamic,
            Collider::sphere(0.5),
            Transform::from_xyz(-20.0, 20.5, 3.0),
            LinearVelocity(Vec3::new(10.0, 0.0, 1.0)),
            AngularVelocity(Vec3::new(2.0, 0.0, -20.0)),
            KeepGround::default(),
        ));
        let ball = ball.id();
        for frame in 0..120 {
            if shifts && frame == 60 {
                app.world_mut().get_mut::<Transform>(anchor).expect("it has one").translation.x = 1600.0;
            }
            app.update();
        }
        let origin = app.world().resource::<WorldOrigin>().0;
        assert_eq!(origin.x != 0.0, shifts);
        (place(&app, ball) + origin.as_vec3(), velocity(&app, ball))
    });
    let [(at, velocity), (shifted, shifted_velocity)] = places;
    assert!((at - shifted).length() < 0.01 && (velocity - shifted_velocity).length() < 0.01, "{places:?}");
}
