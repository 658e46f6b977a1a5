//! Bodies that cross the border between tiles keep their speed, against the same bodies on one large height field.

use super::*;
use crate::app::add_terrain_at;
use bevy_perlin_terrain::prelude::*;

/// Gentle hills, on which nothing takes off.
fn hills() -> TerrainSettings {
    let mut settings = rough();
    settings.field.layers.truncate(1);
    if let Some(noise) = settings.field.layers[0].noise_mut() {
        (noise.octaves, noise.height_scale) = (2, 15.0);
    }
    settings
}

/// An app with colliders of tiles, or with one height field in their place, and ground over 100 m around the origin.
pub fn app_with_ground<E: Engine>(is_one: bool) -> App {
    let mut app = app_with(if is_one { E::add_physics } else { E::WAYS[0] });
    add_terrain_at(&mut app, hills(), [0.0; 2]);
    app.world_mut().spawn((Transform::default(), KeepGround { radius: 100.0, ..default() }));
    start(&mut app);
    if is_one {
        // Over 256 by 256 m around the origin.
        let places = (0..129 * 129).map(|i| [i / 129, i % 129].map(|i| i as f32 * 2.0 - 128.0));
        let heights: Vec<f32> = places.map(|[x, z]| ground(&mut app, x, z)).collect();
        app.world_mut().spawn((E::height_field(&heights, 129, 256.0), Transform::default()));
    }
    app
}

/// What crosses a border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    Ball,
    Capsule,
    Wheel,
}

impl Crossing {
    pub const ALL: [Self; 3] = [Self::Ball, Self::Capsule, Self::Wheel];

    /// The part of its speed that a body loses on its way from x = -12 m over the border at x = 0, more than on one height field.
    /// The way depends on `number`.
    pub fn lost_speed<E: Engine>(self, speed: f32, number: u8) -> f32 {
        let from = [-12.0 - 0.37 * f32::from(number), 3.0 + 0.53 * f32::from(number)];
        let [one, tiles] = [true, false].map(|is_one| self.speed_after::<E>(is_one, speed, from));
        let lost = (one - tiles) / one;
        println!("{self:?} at {speed} m/s from {from:?}: {tiles} m/s for {one} m/s");
        lost
    }

    fn speed_after<E: Engine>(self, is_one: bool, speed: f32, from: [f32; 2]) -> f32 {
        let mut app = app_with_ground::<E>(is_one);
        let heading = Vec3::new(1.0, 0.0, 0.1).normalize();
        let radius = 0.5;
        let (shape, bottom) = match self {
            Self::Ball => (Shape::Ball { radius }, radius),
            Self::Capsule => (Shape::Capsule { radius, length: 1.0 }, radius + 0.5),
            Self::Wheel => (Shape::Cylinder { radius, length: 0.4 }, radius),
        };
        let rotation = match self {
            // The axis of the wheel across its way.
            Self::Wheel => Quat::from_rotation_arc(Vec3::Y, heading.cross(Vec3::Y).normalize()),
            Self::Ball | Self::Capsule => Quat::IDENTITY,
        };
        let slides = self == Self::Capsule;
        let spin = if slides { Vec3::ZERO } else { Vec3::Y.cross(heading * speed) / radius };
        let y = ground(&mut app, from[0], from[1]) + bottom + 0.02;
        let place = Transform::from_xyz(from[0], y, from[1]).with_rotation(rotation);
        let friction = E::friction(if slides { 0.0 } else { 0.8 });
        let body = (E::body(shape), E::motion(heading * speed, spin), friction, E::awake());
        let body = app.world_mut().spawn((body, place)).id();
        if slides {
            app.world_mut().entity_mut(body).insert(E::upright());
        }
        run(&mut app, 24.0 / speed);
        assert!(E::place(&app, body).x > 2.0, "it crossed the border");
        E::velocity(&app, body).length()
    }
}

pub fn a_hundred_balls_roll_as_far_as_on_one_height_field<E: Engine>() {
    let ways = [true, false].map(|is_one| {
        let mut app = app_with_ground::<E>(is_one);
        let balls: Vec<Entity> = (0..100_u8)
            .map(|number| {
                // Around a corner of four tiles.
                let [x, z] = [number % 10, number / 10].map(|i| 3.0 * f32::from(i) - 13.5);
                let ball = (E::body(BALL), E::motion(Vec3::new(8.0, 0.0, 5.0), Vec3::ZERO), E::apart());
                let place = Transform::from_xyz(x, ground(&mut app, x, z) + 1.0, z);
                app.world_mut().spawn((ball, place)).id()
            })
            .collect();
        let from: Vec<Vec3> = balls.iter().map(|&ball| E::place(&app, ball)).collect();
        run(&mut app, 4.0);
        balls.iter().zip(from).map(|(&ball, from)| E::place(&app, ball).distance(from)).collect::<Vec<f32>>()
    });
    let far = ways.each_ref().map(|ways| ways.iter().sum::<f32>());
    let most = ways[0].iter().zip(&ways[1]).map(|(one, tiles)| (one - tiles).abs()).fold(0.0, f32::max);
    println!("100 balls roll {} m on one field and {} m on tiles; the largest difference is {most} m", far[0], far[1]);
    assert!((far[0] - far[1]).abs() < 0.001 * far[0] && most < 0.1, "{far:?} m, {most} m");
}
