//! The paths that are flown.

use bevy::math::Vec2;

/// A fixed path over the ground.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlightPath {
    /// Stands still.
    Still,
    /// Walks at 2 m/s.
    Walk,
    /// Drives at 30 m/s.
    Car,
    /// Flies at 300 m/s.
    Jet,
    /// Jumps 100 km or more, every 2 seconds.
    Teleport,
}

/// Seconds between two jumps.
pub const JUMP_EVERY: f64 = 2.0;

/// Radians per second by which a path turns left: a circle in three and a half minutes.
const TURN: f64 = 0.03;

impl FlightPath {
    /// The name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Walk => "walk, 2 m/s",
            Self::Car => "car, 30 m/s",
            Self::Jet => "jet, 300 m/s",
            Self::Teleport => "teleport every 2 s",
        }
    }

    /// How high above the ground, in metres.
    pub const fn height(self) -> f32 {
        match self {
            Self::Still | Self::Walk | Self::Car => 1.8,
            Self::Jet | Self::Teleport => 150.0,
        }
    }

    const fn metres_per_second(self) -> f64 {
        match self {
            Self::Still | Self::Teleport => 0.0,
            Self::Walk => 2.0,
            Self::Car => 30.0,
            Self::Jet => 300.0,
        }
    }

    /// Which jump the place after `seconds` is behind; 0 before the first.
    pub fn jump(self, seconds: f64) -> u32 {
        if self == Self::Teleport { (seconds / JUMP_EVERY) as u32 } else { 0 }
    }

    /// The place, in metres along x and z, and the direction after `seconds`.
    pub fn at(self, seconds: f64) -> (Vec2, Vec2) {
        let angle = if self.metres_per_second() > 0.0 { TURN * seconds } else { 0.0 };
        let radius = self.metres_per_second() / TURN;
        let place = [radius * angle.sin(), radius * (1.0 - angle.cos())];
        let [x, z] = match self.jump(seconds) {
            0 => place,
            // Around a circle by the golden angle: every two that follow each other are 186 km apart.
            jump => {
                let angle = 2.399_963 * f64::from(jump);
                [1e5 * angle.cos(), 1e5 * angle.sin()]
            }
        };
        (Vec2::new(x as f32, z as f32), Vec2::new(angle.cos() as f32, angle.sin() as f32))
    }
}
