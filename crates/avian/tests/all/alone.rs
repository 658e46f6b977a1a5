//! What only bodies of avian promise, or to another precision.

use crate::Avian;
use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;
use testing::app::add_terrain_at;
use testing::bodies::*;

#[test]
fn an_interpolated_body_is_never_drawn_on_its_way_from_below_the_ground() {
    let mut app = app::<Avian>();
    add_terrain_at(&mut app, flat(), [0.0; 2]);
    start(&mut app);
    // Four frames for each tick.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / (4 * HZ)));
    let body = (Avian::body(BALL), Avian::interpolated());
    let body = (body, Transform::from_xyz(10.0, -980.0, 30.0), KeepGround::default());
    let body = app.world_mut().spawn(body).id();
    let mut drawn = vec![];
    for _ in 0..40 {
        app.update();
        drawn.push(app.world().get::<Transform>(body).expect("a body").translation.y);
    }
    assert!((20.4..20.6).contains(&drawn[39]), "{drawn:?}");
    assert!(drawn.iter().all(|y| *y == -980.0 || *y > 20.3), "{drawn:?}");
}

#[test]
fn a_ball_a_capsule_and_a_wheel_lose_no_speed_at_a_border() {
    for crossing in Crossing::ALL {
        for speed in [10.0, 60.0] {
            for number in 0..3 {
                let lost = crossing.lost_speed::<Avian>(speed, number);
                assert!(lost.abs() < 0.01, "{crossing:?} {number} at {speed} m/s loses {lost} of its speed");
            }
        }
    }
}

/// avian keeps the contacts of bodies that hardly move, also those near a border.
#[test]
fn a_capsule_that_crosses_a_border_slowly_does_not_sink() {
    for speed in [0.2, 1.0, 3.0] {
        let [one, tiles] = [true, false].map(|is_one| {
            let mut app = app_with_ground::<Avian>(is_one);
            let y = ground(&mut app, -2.97, 3.0) + 1.0;
            let capsule = Avian::body(Shape::Capsule { radius: 0.5, length: 1.0 });
            let body = (capsule, Avian::upright(), Avian::friction(0.0), Avian::awake());
            let body = app.world_mut().spawn((body, Transform::from_xyz(-2.97, y, 3.0))).id();
            let mut heights = vec![];
            while Avian::place(&app, body).x < 0.4 {
                // It neither slows down on a slope nor speeds up.
                app.world_mut().get_mut::<LinearVelocity>(body).expect("a body").0.x = speed;
                app.update();
                heights.push(above_ground::<Avian>(&mut app, body));
                assert!(heights.len() < 4000, "it crosses the border");
            }
            heights
        });
        // The first ticks let it settle on the ground.
        let lowest = |heights: &[f32]| heights[heights.len() / 4..].iter().copied().fold(f32::INFINITY, f32::min);
        let sunk = lowest(&one) - lowest(&tiles);
        assert!(sunk < 1e-3, "at {speed} m/s it sinks by {sunk} m");
    }
}

#[test]
fn a_rolling_ball_keeps_its_way_through_a_shift() {
    for interpolates in [false, true] {
        assert_a_rolling_ball_keeps_its_way::<Avian>(interpolates, 0.01, |_| ());
    }
}
