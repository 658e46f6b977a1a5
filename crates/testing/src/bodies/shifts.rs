//! Origin shifts.

use super::*;
use crate::app::add_terrain_at;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{OriginAnchor, WorldOrigin};

/// An app with level ground whose origin shifts with the anchor.
fn app_with_anchor<E: Engine>() -> (App, Entity) {
    let mut app = app::<E>();
    app.add_plugins(OriginShiftPlugin { threshold: 1500.0 });
    add_terrain_at(&mut app, flat(), [0.0; 2]);
    let anchor = app.world_mut().spawn((OriginAnchor, Transform::default())).id();
    (app, anchor)
}

fn move_anchor(app: &mut App, anchor: Entity, x: f32) {
    app.world_mut().get_mut::<Transform>(anchor).expect("it has one").translation.x = x;
}

pub fn a_resting_stack_survives_a_shift_with_and_without_interpolation<E: Engine>() {
    for interpolates in [false, true] {
        let (mut app, anchor) = app_with_anchor::<E>();
        let stack: Vec<Entity> = (0..5_u8)
            .map(|number| {
                let place = Transform::from_xyz(30.0, 20.5 + f32::from(number), 7.0);
                let body = E::body(Shape::Cube { side: 1.0 });
                let mut body = app.world_mut().spawn((body, place, KeepGround::default()));
                if interpolates {
                    body.insert(E::interpolated());
                }
                body.id()
            })
            .collect();
        start(&mut app);
        run(&mut app, 2.0);
        let absolute = |app: &App, body: Entity| {
            let origin = app.world().resource::<WorldOrigin>().0.as_vec3();
            let drawn = app.world().get::<Transform>(body).expect("a body").translation;
            [E::place(app, body), drawn].map(|at| at + origin)
        };
        let before: Vec<_> = stack.iter().map(|&body| absolute(&app, body)).collect();
        for x in [1600.0, 1700.0] {
            move_anchor(&mut app, anchor, x);
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

/// Asserts that a ball of [`Engine::interpolated`], or without it, rolls as far through a shift as without one: to within `most`
/// metres in each frame. `prepare` changes the app before the ball rolls.
#[track_caller]
pub fn assert_a_rolling_ball_keeps_its_way<E: Engine>(interpolates: bool, most: f32, prepare: impl Fn(&mut App)) {
    let ways = [false, true].map(|shifts| {
        let (mut app, anchor) = app_with_anchor::<E>();
        app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
        start(&mut app);
        prepare(&mut app);
        let motion = E::motion(Vec3::new(10.0, 0.0, 1.0), Vec3::new(2.0, 0.0, -20.0));
        let ball = (E::body(BALL), motion, Transform::from_xyz(-20.0, 20.5, 3.0), KeepGround::default());
        let ball = app.world_mut().spawn(ball).id();
        if interpolates {
            app.world_mut().entity_mut(ball).insert(E::interpolated());
        }
        let mut way = Vec::new();
        for frame in 0..120 {
            if shifts && frame == 61 {
                move_anchor(&mut app, anchor, 1600.0);
            }
            app.update();
            let origin = app.world().resource::<WorldOrigin>().0;
            assert_eq!(origin.x != 0.0, shifts && frame >= 61);
            way.push((E::place(&app, ball) + origin.as_vec3(), E::velocity(&app, ball)));
        }
        way
    });
    for (frame, ((at, velocity), (shifted, shifted_velocity))) in ways[0].iter().zip(&ways[1]).enumerate() {
        let gap = (*at - *shifted).length();
        assert!(gap < most, "{gap} m off in frame {frame}, interpolated: {interpolates}");
        assert!((*velocity - *shifted_velocity).length() < 0.01, "in frame {frame}, interpolated: {interpolates}");
    }
}
