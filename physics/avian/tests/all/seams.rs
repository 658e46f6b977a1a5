//! Bodies that cross the border between two squares, against the same bodies on one large height field.

use crate::common::{physics_app, run, start};
use avian3d::math::{Scalar, Vector};
use avian3d::parry::shape::{HeightFieldFlags, SharedShape};
use avian3d::parry::utils::Array2;
use avian3d::prelude::*;
use bevy::prelude::*;

const SPACING: f32 = 4.0;
const SQUARE: f32 = 32.0 * SPACING;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// One field of 4 by 1 squares.
    Single,
    Plain,
    /// A ring of one quad of the neighbors' heights, lowered by so many metres.
    Ring(f32),
    /// A ring at the true heights, whose contacts are removed.
    Filtered,
}

#[derive(Component)]
struct Half(Scalar);

/// Removes contacts outside of squares.
fn filter(mut graph: ResMut<ContactGraph>, squares: Query<(&Half, &Rotation, &ComputedCenterOfMass)>) {
    for pair in graph.iter_active_touching_mut() {
        let (first, second) = (squares.get(pair.collider1), squares.get(pair.collider2));
        let is_first = first.is_ok();
        let Ok((half, rotation, com)) = first.or(second) else { continue };
        for manifold in &mut pair.manifolds {
            manifold.points.retain(|point| {
                let anchor = if is_first { point.anchor1 } else { point.anchor2 };
                let at = rotation.inverse() * anchor + com.0;
                at.x.abs().max(at.z.abs()) < half.0 + 1e-3
            });
        }
    }
}

type Ground = fn(f32, f32) -> f32;

fn field(ground: Ground, first: [i32; 2], size: [usize; 2], sink: f32) -> (Collider, Vec3) {
    let [columns, rows] = size.map(|quads| quads + 1);
    let at = |column: usize, row: usize| {
        let is_border = column == 0 || row == 0 || column + 1 == columns || row + 1 == rows;
        let [x, z] = [(first[0] + column as i32) as f32 * SPACING, (first[1] + row as i32) as f32 * SPACING];
        Scalar::from(ground(x, z) - if is_border { sink } else { 0.0 })
    };
    let heights = (0..columns * rows).map(|i| at(i / rows, i % rows)).collect();
    let [x, z] = size.map(|quads| quads as f32 * SPACING);
    let scale = Vector::new(x.into(), 1.0, z.into());
    let heights = Array2::new(rows, columns, heights);
    let shape = SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES);
    let corner = Vec3::new(first[0] as f32 * SPACING, 0.0, first[1] as f32 * SPACING);
    (shape.into(), corner + Vec3::new(x, 0.0, z) / 2.0)
}

fn spawn_ground(app: &mut App, ground: Ground, mode: Mode) {
    let fields: Vec<_> = match mode {
        Mode::Single => vec![field(ground, [-64, -32], [128, 64], 0.0)],
        Mode::Plain => (-2..2)
            .flat_map(|x| (-1..1).map(move |z| [x, z]))
            .map(|[x, z]| field(ground, [32 * x, 32 * z], [32; 2], 0.0))
            .collect(),
        Mode::Ring(_) | Mode::Filtered => (-2..2)
            .flat_map(|x| (-1..1).map(move |z| [x, z]))
            .map(|[x, z]| {
                field(ground, [32 * x - 1, 32 * z - 1], [34; 2], if let Mode::Ring(sink) = mode { sink } else { 0.0 })
            })
            .collect(),
    };
    for (collider, center) in fields {
        let mut square = app.world_mut().spawn((RigidBody::Static, collider, Transform::from_translation(center)));
        if mode == Mode::Filtered {
            square.insert(Half((SQUARE / 2.0).into()));
        }
    }
    app.add_systems(
        PhysicsSchedule,
        filter.after(PhysicsStepSystems::NarrowPhase).before(PhysicsStepSystems::Solver),
    );
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Ball,
    Capsule,
    Wheel,
}

/// The speed of a body after it started at `x` towards the seam at x = 0.
fn final_speed(ground: Ground, mode: Mode, shape: Shape, speed: f32, from: [f32; 2], seconds: f32) -> (Vec3, Vec3) {
    let mut app = physics_app();
    spawn_ground(&mut app, ground, mode);
    let heading = Vec3::new(1.0, 0.0, 0.1).normalize();
    let radius = 0.5_f32;
    let (collider, bottom) = match shape {
        Shape::Ball => (Collider::sphere(radius.into()), radius),
        Shape::Capsule => (Collider::capsule(radius.into(), 1.0), 0.5 + radius),
        Shape::Wheel => (Collider::cylinder(radius.into(), 0.4), radius),
    };
    let height = ground(from[0], from[1]) + bottom + 0.02;
    let rotation = match shape {
        // The axis of the wheel across its way.
        Shape::Wheel => Quat::from_rotation_arc(Vec3::Y, heading.cross(Vec3::Y).normalize()),
        _ => Quat::IDENTITY,
    };
    let is_rolling = shape != Shape::Capsule;
    let velocity = heading * speed;
    let spin = if is_rolling { Vec3::Y.cross(velocity) / radius } else { Vec3::ZERO };
    let body = app
        .world_mut()
        .spawn((
            RigidBody::Dynamic,
            collider,
            Transform::from_xyz(from[0], height, from[1]).with_rotation(rotation),
            LinearVelocity(Vector::from_array(velocity.to_array().map(Scalar::from))),
            AngularVelocity(Vector::from_array(spin.to_array().map(Scalar::from))),
            Friction::new(if is_rolling { 0.8 } else { 0.0 }),
            Restitution::new(0.0),
            SleepingDisabled,
        ))
        .id();
    if shape == Shape::Capsule {
        app.world_mut().entity_mut(body).insert(LockedAxes::ROTATION_LOCKED);
    }
    start(&mut app);
    run(&mut app, seconds);
    let at = app.world().get::<Transform>(body).expect("a body").translation;
    let LinearVelocity(velocity) = *app.world().get::<LinearVelocity>(body).expect("a body");
    (at, Vec3::from_array(velocity.to_array().map(|part| part as f32)))
}

fn flat(_: f32, _: f32) -> f32 {
    0.0
}

fn slope(x: f32, z: f32) -> f32 {
    0.1 * x - 0.05 * z
}

fn hills(x: f32, z: f32) -> f32 {
    2.0 * (x * 0.08).sin() + 1.5 * (z * 0.07 + 1.0).sin()
}

#[test]
fn spike() {
    for (name, ground) in [("flat", flat as Ground), ("hills", hills)] {
        for shape in [Shape::Ball, Shape::Capsule, Shape::Wheel] {
            for speed in [10.0, 60.0] {
                let seconds = 24.0 / speed;
                let mut line = format!("{name} {shape:?} {speed}:");
                let mut worst = [0.0_f32; 4];
                let mut off = [0.0_f32; 4];
                for start in 0..3_u8 {
                    let from = [-12.0 - 0.37 * f32::from(start), 3.0 + 0.53 * f32::from(start)];
                    let (at, expected) = final_speed(ground, Mode::Single, shape, speed, from, seconds);
                    let modes = [Mode::Plain, Mode::Ring(0.02), Mode::Ring(0.5), Mode::Filtered];
                    for (i, mode) in modes.into_iter().enumerate() {
                        let (there, velocity) = final_speed(ground, mode, shape, speed, from, seconds);
                        let loss = (expected.length() - velocity.length()) / expected.length();
                        if loss.abs() > worst[i].abs() {
                            worst[i] = loss;
                        }
                        off[i] = off[i].max((there - at).length());
                    }
                }
                for i in 0..4 {
                    line += &format!("  {:+.2} % {:.2} m", 100.0 * worst[i], off[i]);
                }
                println!("{line}");
            }
        }
    }
}
