//! What happens along the flight paths.

use super::flight::Flight;
use super::flight_path::FlightPath;
use bevy::math::Vec2;
use bevy_perlin_terrain::field::{
    EditChange, EditCircle, EditHeight, EditHill, EditPath, EditShape, HillShape, PathPoint, Raise, TerrainEdit,
};

/// The position of the other viewer: x and z in metres.
const OTHERS_PLACE: [f64; 2] = [0.0, 3e5];

/// The turn rate of a moving viewer, in radians per second: a circle in three and a half minutes.
const TURN: f64 = 0.03;

/// The number of other viewers in [`FlightPath::Respawn`].
const OTHERS: u32 = 99;

/// The number of bodies in [`FlightPath::Bodies`], and their speed in metres per second.
const BODIES: u32 = 100;
const BODY_SPEED: f64 = 20.0;

/// The hours that pass in a second of [`FlightPath::Day`].
const HOURS_PER_SECOND: f64 = 24.0 / (20.0 * 60.0);

/// The distance of an origin shift, in metres.
const SHIFT: f32 = 8192.0;

/// Positions on a circle of `radius` metres, in steps of the golden angle: two consecutive ones are 1.86 radii apart.
fn around_circle(radius: f64, number: u32) -> [f64; 2] {
    let angle = 2.399_963 * f64::from(number);
    [radius * angle.cos(), radius * angle.sin()]
}

fn circle([x, z]: [f64; 2], radius: f64, change: EditChange) -> TerrainEdit {
    let shape = EditShape::Circle(EditCircle { x, z, radius });
    TerrainEdit { shape, change, ..TerrainEdit::default() }
}

fn crater(at: [f64; 2]) -> TerrainEdit {
    circle(at, 8.0, EditChange::Hill(EditHill { shape: HillShape::Dome, height: -2.5 }))
}

fn brush(at: [f64; 2]) -> TerrainEdit {
    circle(at, 25.0, EditChange::Raise(Raise { height: 0.05 }))
}

/// A winding road through the viewer.
fn road(number: u32) -> TerrainEdit {
    let point = |step: i32| {
        let along = 50.0 * f64::from(step);
        PathPoint { x: along, z: 60.0 * (along / 300.0).sin() + 30.0 * f64::from(number % 3) }
    };
    TerrainEdit {
        shape: EditShape::Path(EditPath { points: (-50..=50).map(point).collect(), width: 8.0 }),
        change: EditChange::Flatten(EditHeight::above_ground(0.0)),
        fade: 15.0,
        ..TerrainEdit::default()
    }
}

impl FlightPath {
    /// The height above the ground, in metres.
    const fn height(self) -> f32 {
        match self {
            Self::Still | Self::Walk | Self::Car | Self::Bodies | Self::Day => 1.8,
            Self::Craters | Self::Sculpt | Self::Road => 5.0,
            _ => 150.0,
        }
    }

    const fn metres_per_second(self) -> f64 {
        match self {
            Self::Walk => 2.0,
            Self::Car => 30.0,
            Self::Jet => 300.0,
            _ => 0.0,
        }
    }

    /// The position and the direction of the viewer after `seconds`. `view` is its view distance in metres.
    fn at(self, seconds: f64, view: f32) -> (Vec2, Vec2) {
        let angle = if self.metres_per_second() > 0.0 { TURN * seconds } else { 0.0 };
        let radius = self.metres_per_second() / TURN;
        let [x, z] = match (self, self.event(seconds)) {
            (Self::Meet, jump) if jump % 2 == 1 => [OTHERS_PLACE[0] + 1.5 * f64::from(view), OTHERS_PLACE[1]],
            (Self::Teleport | Self::Leave | Self::Meet | Self::Respawn, jump) if jump > 0 => around_circle(1e5, jump),
            (Self::Hop, jump) => [0.6, 0.36].map(|part| part * f64::from(view) * f64::from(jump)),
            _ => [radius * angle.sin(), radius * (1.0 - angle.cos())],
        };
        (Vec2::new(x as f32, z as f32), Vec2::new(angle.cos() as f32, angle.sin() as f32))
    }

    /// Spawns the other viewers, the bodies and the sky that the path needs.
    pub fn prepare(self, flight: &mut Flight, view: f32) {
        if matches!(self, Self::Leave | Self::Meet) {
            let [x, z] = OTHERS_PLACE.map(|along| along as f32);
            flight.add_viewer(Vec2::new(x, z), view);
        }
        if self == Self::Respawn {
            (0..OTHERS).for_each(|_| flight.add_viewer(Vec2::ZERO, view));
            self.trigger(flight, 0, view);
        }
        if self == Self::Bodies {
            (0..BODIES).for_each(|_| flight.add_body());
        }
        if self == Self::Day {
            flight.add_sky();
        }
    }

    /// Moves the viewer and the bodies to their positions after `seconds`.
    pub fn go(self, flight: &mut Flight, seconds: f64, view: f32) {
        let (position, ahead) = self.at(seconds, view);
        flight.go_to(position, self.height(), ahead);
        if self == Self::Day {
            // From before dawn.
            flight.set_hour((5.0 + HOURS_PER_SECOND * seconds) % 24.0);
        }
        let frame = (60.0 * seconds).round() as u32;
        match self {
            Self::Craters => flight.set_edit(frame.into(), crater(around_circle(f64::from(frame * 7 % 60), frame))),
            Self::Sculpt => flight.set_edit(frame.into(), brush(around_circle(100.0, frame / 20))),
            _ => {}
        }
        if self == Self::Bodies {
            // So far apart that they share no ground.
            for body in 0..BODIES {
                let [x, z] = around_circle(300.0 * f64::from(1 + body) + BODY_SPEED * seconds, body);
                flight.go_to_other(body as usize, Vec2::new(x as f32, z as f32));
            }
        }
    }

    /// Triggers event `number`. Teleports are part of [`go`](Self::go).
    pub fn trigger(self, flight: &mut Flight, number: u32, view: f32) {
        match self {
            Self::Zoom => flight.set_view(if number % 2 == 1 { view / 4.0 } else { view }),
            Self::Respawn => {
                for other in 0..OTHERS {
                    let radius = 2e5 + 5e4 * f64::from(number % 2);
                    let [x, z] = around_circle(radius, other * 7 + number);
                    flight.go_to_other(other as usize, Vec2::new(x as f32, z as f32));
                }
            }
            Self::Shift => flight.shift_origin(Vec2::new(SHIFT * (number % 2) as f32, 0.0)),
            Self::Road => flight.set_edit(0, road(number)),
            Self::Reload => flight.edit(|settings| settings.field.seed += 1),
            _ => {}
        }
    }
}
