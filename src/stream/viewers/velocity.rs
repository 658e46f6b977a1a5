//! Estimates the velocity of a viewer, to predict its position.

/// The velocity of a viewer, smoothed over some frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::stream) struct Velocity {
    last: Option<[f64; 3]>,
    /// Metres per second along x, y and z.
    now: [f64; 3],
}

/// A faster move, in metres per second, is a teleport.
const MAX_SPEED: f64 = 5000.0;

/// A slower move, in metres per second, counts as standing still.
const MIN_SPEED: f64 = 0.05;

/// The rate of the exponential smoothing, per second. Without smoothing, a game that moves its camera in fixed steps would have a
/// velocity of zero in every other frame.
const SMOOTHING_RATE: f64 = 6.0;

impl Velocity {
    /// Updates the velocity. The viewer is at `position` now; `seconds` have passed since the last update.
    pub fn update(&mut self, position: [f64; 3], seconds: f64) {
        let last = self.last.replace(position).unwrap_or(position);
        if seconds <= 0.0 || !seconds.is_finite() {
            return;
        }
        let moved: [f64; 3] = std::array::from_fn(|axis| (position[axis] - last[axis]) / seconds);
        if length(moved) > MAX_SPEED {
            self.now = [0.0; 3];
            return;
        }
        let part = (SMOOTHING_RATE * seconds).min(1.0);
        for (now, moved) in self.now.iter_mut().zip(moved) {
            *now += (moved - *now) * part;
        }
        if length(self.now) < MIN_SPEED {
            self.now = [0.0; 3];
        }
    }

    /// Whether the viewer stands still.
    pub fn is_none(&self) -> bool {
        self.now == [0.0; 3]
    }

    /// Metres per second along x, y and z.
    pub const fn per_second(&self) -> [f64; 3] {
        self.now
    }
}

fn length(of: [f64; 3]) -> f64 {
    of.iter().map(|part| part * part).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(frames: u16, metres_per_frame: f64) -> Velocity {
        let mut velocity = Velocity::default();
        for frame in 0..frames {
            velocity.update([f64::from(frame) * metres_per_frame, 0.0, 0.0], 1.0 / 60.0);
        }
        velocity
    }

    #[test]
    fn a_steady_flight_has_its_speed() {
        let [x, y, z] = after(120, 5.0).per_second();
        assert!((x - 300.0).abs() < 3.0, "{x} m/s");
        assert_eq!([y, z], [0.0; 2]);
    }

    #[test]
    fn a_viewer_that_stands_or_teleports_has_no_velocity() {
        assert!(after(60, 0.0).is_none());
        let mut velocity = after(120, 5.0);
        velocity.update([1e6, 0.0, 0.0], 1.0 / 60.0);
        assert!(velocity.is_none(), "a teleport has no velocity");
        let mut velocity = after(120, 5.0);
        (0..200).for_each(|_| velocity.update([595.0, 0.0, 0.0], 1.0 / 60.0));
        assert_eq!(velocity, Velocity { last: Some([595.0, 0.0, 0.0]), now: [0.0; 3] }, "it stops");
    }

    #[test]
    fn a_clock_that_stops_or_jumps_gives_no_wrong_velocity() {
        let mut velocity = after(120, 5.0);
        let before = velocity.now;
        velocity.update([600.0, 0.0, 0.0], 0.0);
        assert_eq!(velocity.now, before);
        velocity.update([601.0, 0.0, 0.0], 1e9);
        assert!(velocity.is_none());
        velocity.update([601.0, 0.0, 0.0], f64::INFINITY);
        assert!(velocity.is_none());
    }
}
