//! The flight paths.

use crate::core_time::Measured;
use crate::flight::Flight;
use bevy::math::Vec2;
use clap::ValueEnum;

/// A fixed path over the ground, or a viewer that stands while events happen.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlightPath {
    /// Stands still.
    Still,
    /// Walks at 2 m/s.
    Walk,
    /// Drives at 30 m/s.
    Car,
    /// Flies at 300 m/s.
    Jet,
    /// Teleports by 100 km or more, every 2 seconds.
    Teleport,
    /// Teleports by 0.7 view distances, every 2 seconds.
    Hop,
    /// Teleports by 100 km or more, every 2 seconds. Another viewer stands far away.
    Leave,
    /// Teleports near another viewer, at 1.5 view distances, and away again, every 2 seconds.
    Meet,
    /// Switches between a quarter of the view distance and all of it, every 2 seconds.
    Zoom,
    /// Teleports by 100 km or more together with 99 other viewers, every 2 seconds.
    Respawn,
    /// Stands still while the world origin shifts by 8 km, every 2 seconds.
    Shift,
    /// Stands still while the heights change, every 2 seconds.
    Reload,
    /// Stands still while a hundred bodies with `KeepGround` drive apart at 20 m/s.
    Bodies,
    /// Stands still under a sky in which a day takes 20 minutes. The times are those of the sky. Needs `--meshes`.
    Day,
}

/// Seconds between two events.
pub const EVENT_EVERY: f64 = 2.0;

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

impl FlightPath {
    /// The name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Walk => "walk, 2 m/s",
            Self::Car => "car, 30 m/s",
            Self::Jet => "jet, 300 m/s",
            Self::Teleport => "teleport every 2 s",
            Self::Hop => "jump within view every 2 s",
            Self::Leave => "teleport far from another viewer every 2 s",
            Self::Meet => "teleport near another viewer and away, every 2 s",
            Self::Zoom => "a quarter of the view, or all, every 2 s",
            Self::Respawn => "a hundred viewers respawn every 2 s",
            Self::Shift => "origin shift every 2 s",
            Self::Reload => "reload every 2 s",
            Self::Bodies => "a hundred bodies, 20 m/s",
            Self::Day => "a day in 20 minutes: the sky",
        }
    }

    /// Whether the path has events.
    pub const fn has_events(self) -> bool {
        !matches!(self, Self::Still | Self::Walk | Self::Car | Self::Jet | Self::Bodies | Self::Day)
    }

    /// The number of events in the first `seconds`.
    pub fn event(self, seconds: f64) -> u32 {
        if self.has_events() { (seconds / EVENT_EVERY) as u32 } else { 0 }
    }

    /// The height above the ground, in metres.
    const fn height(self) -> f32 {
        match self {
            Self::Still | Self::Walk | Self::Car | Self::Bodies | Self::Day => 1.8,
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

    /// All paths that measure the terrain.
    pub fn of_terrain() -> Vec<Self> {
        Self::value_variants().iter().copied().filter(|path| path.measured() == Measured::Terrain).collect()
    }

    /// The systems that are measured.
    pub fn measured(self) -> Measured {
        if self == Self::Day { Measured::Sky } else { Measured::Terrain }
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
        let (place, ahead) = self.at(seconds, view);
        flight.go_to(place, self.height(), ahead);
        if self == Self::Day {
            // From before dawn.
            flight.set_hour((5.0 + HOURS_PER_SECOND * seconds) % 24.0);
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
            Self::Reload => flight.edit(|settings| settings.field.seed += 1),
            _ => {}
        }
    }
}
