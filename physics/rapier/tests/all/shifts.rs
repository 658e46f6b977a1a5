//! Origin shifts.

use crate::common::*;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{OriginAnchor, WorldOrigin};
use bevy_rapier3d::prelude::*;

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
                    Collider::cuboid(0.5, 0.5, 0.5),
                    Transform::from_xyz(30.0, 20.5 + f32::from(number), 7.0),
                    KeepGround::default(),
                ));
                if interpolates {
                    body.insert(TransformInterpolation::default());
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
    for interpolates in [false, true] {
        let ways = [false, true].map(|shifts| {
            let mut app = app();
            if interpolates {
                // Two ticks in three frames.
                app.insert_resource(TimestepMode::Interpolated { dt: 1.5 / HZ as f32, time_scale: 1.0, substeps: 1 });
            }
            app.add_plugins(OriginShiftPlugin { threshold: 1500.0 });
            add_terrain(&mut app, flat(), [0.0; 2]);
            let anchor = app.world_mut().spawn((OriginAnchor, Transform::default())).id();
            app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
            start(&mut app);
            // Both runs have their ticks in the same frames.
            let mut clocks = app.world_mut().query::<&mut SimulationToRenderTime>();
            clocks.iter_mut(app.world_mut()).for_each(|mut clock| clock.diff = 0.0);
            let ball = app.world_mut().spawn((
                RigidBody::Dynamic,
                Collider::ball(0.5),
                Transform::from_xyz(-20.0, 20.5, 3.0),
                Velocity { linear: Vec3::new(10.0, 0.0, 1.0), angular: Vec3::new(2.0, 0.0, -20.0) },
                TransformInterpolation::default(),
                KeepGround::default(),
            ));
            let ball = ball.id();
            let mut way = Vec::new();
            for frame in 0..120 {
                if shifts && frame == 61 {
                    app.world_mut().get_mut::<Transform>(anchor).expect("it has one").translation.x = 1600.0;
                }
                app.update();
                let origin = app.world().resource::<WorldOrigin>().0;
                assert_eq!(origin.x != 0.0, shifts && frame >= 61);
                way.push((place(&app, ball) + origin.as_vec3(), velocity(&app, ball)));
            }
            way
        });
        for (frame, ((at, velocity), (shifted, shifted_velocity))) in ways[0].iter().zip(&ways[1]).enumerate() {
            // Rapier adds four steps a tick, and `f32` rounds each by up to 0.1 mm at 2 km.
            let gap = (*at - *shifted).length();
            assert!(gap < 0.03, "{gap} m off in frame {frame}, interpolated: {interpolates}");
            assert!((*velocity - *shifted_velocity).length() < 0.01, "in frame {frame}, interpolated: {interpolates}");
        }
    }
}
