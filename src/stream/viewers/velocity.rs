//! Where a viewer will be.

/// How fast a viewer moves, smoothed over some frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::stream) struct Velocity {
    last: Option<[f64; 3]>,
    /// Metres per second along x, y and z.
    now: [f64; 3],
}

/// Nothing flies faster, in metres per second: who does was put somewhere else.
const FASTEST: f64 = 5000.0;

/// Slower than this, in metres per second, is still.
const SLOWEST: f64 = 0.05;

/// Part of a change that is taken over in a second of even motion. Games that move cameras in fixed steps stand still in
/// every other frame.
const EAGERNESS: f64 = 6.0;

impl Velocity {
    /// The viewer is at `place` now, so many seconds after it was last looked at.
    pub fn follow(&mut self, place: [f64; 3], seconds: f64) {
        let last = self.last.replace(place).unwrap_or(place);
        if seconds <= 0.0 || !seconds.is_finite() {
            return;
        }
        let moved: [f64; 3] = std::array::from_fn(|axis| (place[axis] - last[axis]) / seconds);
        if length(moved) > FASTEST {
            self.now = [0.0; 3];
            return;
        }
        let part = (EAGERNESS * seconds).min(1.0);
        for (now, moved) in self.now.iter_mut().zip(moved) {
            *now += (moved - *now) * part;
        }
        if length(self.now) < SLOWEST {
            self.now = [0.0; 3];
        }
    }

    /// Whether the viewer stands where it was last looked at.
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
            velocity.follow([f64::from(frame) * metres_per_frame, 0.0, 0.0], 1.0 / 60.0);
        }
        velocity
    }

    #[test]
    fn an_even_flight_has_its_speed() {
        let [x, y, z] = after(120, 5.0).per_second();
        assert!((x - 300.0).abs() < 3.0, "{x} m/s");
        assert_eq!([y, z], [0.0; 2]);
    }

    #[test]
    fn who_stands_or_jumps_has_none() {
        assert!(after(60, 0.0).is_none());
        let mut velocity = after(120, 5.0);
        velocity.follow([1e6, 0.0, 0.0], 1.0 / 60.0);
        assert!(velocity.is_none(), "a teleport is no flight");
        let mut velocity = after(120, 5.0);
        (0..200).for_each(|_| velocity.follow([595.0, 0.0, 0.0], 1.0 / 60.0));
        assert_eq!(velocity, Velocity { last: Some([595.0, 0.0, 0.0]), now: [0.0; 3] }, "it comes to rest");
    }

    #[test]
    fn a_clock_that_stands_or_jumps_does_no_harm() {
        let mut velocity = after(120, 5.0);
        let before = velocity.now;
        velocity.follow([600.0, 0.0, 0.0], 0.0);
        assert_eq!(velocity.now, before);
        velocity.follow([601.0, 0.0, 0.0], 1e9);
        assert!(velocity.is_none());
        velocity.follow([601.0, 0.0, 0.0], f64::INFINITY);
        assert!(velocity.is_none());
    }
}
