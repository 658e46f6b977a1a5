//! The flight paths: their names, and when something happens along them.

use super::core_time::Measured;
use clap::ValueEnum;

/// Seconds between two events.
pub const EVENT_EVERY: f64 = 2.0;

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
    /// Stands still and digs a crater within 60 m, in every frame.
    Craters,
    /// Stands still and raises the ground below a brush of 25 m, in every frame.
    Sculpt,
    /// Stands still and lays another road of 5 km, every 2 seconds.
    Road,
    /// Stands still under a sky in which a day takes 20 minutes. The times are those of the sky. Needs `--meshes`.
    Day,
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
            Self::Craters => "a crater in every frame",
            Self::Sculpt => "a brush of 25 m in every frame",
            Self::Road => "a road of 5 km every 2 s",
            Self::Day => "a day in 20 minutes: the sky",
        }
    }

    /// Whether the path has events.
    pub const fn has_events(self) -> bool {
        !matches!(
            self,
            Self::Still | Self::Walk | Self::Car | Self::Jet | Self::Bodies | Self::Craters | Self::Sculpt | Self::Day
        )
    }

    /// The number of events in the first `seconds`.
    pub fn event(self, seconds: f64) -> u32 {
        if self.has_events() { (seconds / EVENT_EVERY) as u32 } else { 0 }
    }

    /// All paths that measure the terrain.
    pub fn of_terrain() -> Vec<Self> {
        Self::value_variants().iter().copied().filter(|path| path.measured() == Measured::Terrain).collect()
    }

    /// The systems that are measured.
    pub fn measured(self) -> Measured {
        if self == Self::Day { Measured::Sky } else { Measured::Terrain }
    }
}
