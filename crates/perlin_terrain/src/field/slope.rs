//! The slope of the ground inside a stack of layers.
//!
//! A slope is a central difference over a fixed distance. It is never the exact derivative, and never depends on the spacing of a
//! mesh: the derivatives of crests and of `Min` and `Max` jump, and a filter that follows them would tear the ground there. A
//! central difference is continuous wherever the height is.

use super::positions::Positions;
use crate::noise::TICKS_PER_UNIT;

/// Measures the slope of heights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slope {
    /// The plane in which the heights are made.
    pub base: usize,
    /// The slope along x goes to this plane, and the slope along z to the next. Planes above are overwritten.
    pub to: usize,
    /// The distance to each side of a position, in ticks.
    pub ticks: i64,
    /// Whether slopes are [limited](limited). Then the plane `base` must have the heights at the positions themselves.
    pub is_limited: bool,
}

impl Slope {
    /// The lowest plane of the workspace, in which the heights are made.
    pub const fn workspace(&self) -> usize {
        self.to + if self.is_limited { 3 } else { 2 }
    }

    /// Writes the slopes. The first one of `planes` is the plane `first`. `make` writes heights into the first plane of a
    /// workspace, and may use the planes above it.
    pub fn run<P: Positions>(
        &self,
        first: usize,
        positions: &mut P,
        planes: &mut [f32],
        mut make: impl FnMut(&mut P, &mut [f32]),
    ) {
        let count = positions.count();
        let (result, workspace) = planes.split_at_mut((self.workspace() - first) * count);
        let (below, result) = result.split_at_mut((self.to - first) * count);
        let (slopes, bends) = result.split_at_mut(2 * count);
        bends.fill(0.0);
        let mut make_at = |positions: &mut P, ticks: [i64; 2], workspace: &mut [f32]| {
            positions.shift(ticks);
            make(positions, workspace);
            positions.shift(ticks.map(i64::wrapping_neg));
        };
        let per_metre = (TICKS_PER_UNIT as f64 / (2.0 * self.ticks as f64)) as f32;
        for (axis, slope) in slopes.chunks_exact_mut(count.max(1)).enumerate() {
            let mut ticks = [0; 2];
            ticks[axis] = self.ticks;
            make_at(positions, ticks, workspace);
            slope.copy_from_slice(&workspace[..count]);
            make_at(positions, ticks.map(i64::wrapping_neg), workspace);
            if self.is_limited {
                let here = &below[(self.base - first) * count..][..count];
                for (((bend, &after), &before), &here) in bends.iter_mut().zip(&*slope).zip(&*workspace).zip(here) {
                    *bend += squared(hollow_of(before, here, after) * per_metre);
                }
            }
            slope.iter_mut().zip(&*workspace).for_each(|(slope, &before)| *slope = (*slope - before) * per_metre);
        }
        if self.is_limited {
            let (x, z) = slopes.split_at_mut(count);
            for ((x, z), &bend) in x.iter_mut().zip(z).zip(&*bends) {
                [*x, *z] = limited([*x, *z], bend);
            }
        }
    }
}

/// The limited slope at the height `here`, from those of its neighbors at `distance` metres: -x, +x, -z and +z.
pub(super) fn limited_slope(here: f32, [west, east, north, south]: [f32; 4], distance: f32) -> [f32; 2] {
    let per_metre = 1.0 / (2.0 * distance);
    let bends = [hollow_of(west, here, east), hollow_of(north, here, south)].map(|bend| squared(bend * per_metre));
    limited([(east - west) * per_metre, (south - north) * per_metre], bends[0] + bends[1])
}

/// The second difference of three heights in a row, or 0 if the one in the middle is above the mean of the others.
fn hollow_of(before: f32, here: f32, after: f32) -> f32 {
    let bend = (after - here) - (here - before);
    if bend > 0.0 { bend } else { 0.0 }
}

fn squared(x: f32) -> f32 {
    x * x
}

/// A slope, made less steep where the ground bends upward. `bends` is the sum of the squares of half the differences between the
/// slopes on both sides of the position, of those axes along which it bends upward.
///
/// With the one-sided slopes `f` ahead and `b` behind, along x and z, the central slope is `g = (f + b) / 2`. Where both axes bend
/// upward, the result has the direction of `g` and the length `sqrt(max(f . b, 0))`, because `f . b = g² - ((f - b) / 2)²`. So it is 0
/// wherever the ground is level on one side along x and on one side along z, which is a plain up to the foot of a hill.
///
/// Where the ground bends downward, the slope is not limited: a crest and the edge of a plateau have the same neighbors, and a
/// limit would leave a band along each crest without gullies.
fn limited(slope: [f32; 2], bends: f32) -> [f32; 2] {
    let steepness = squared(slope[0]) + squared(slope[1]);
    let product = steepness - bends;
    let scale = if product > 0.0 { (product / steepness).sqrt() } else { 0.0 };
    slope.map(|slope| slope * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limited_slopes_are_those_of_planes_and_0_on_a_plain_beside_a_hill() {
        let plane = |x: f32, z: f32| 7.0 + 0.5 * x - 0.25 * z;
        let slope_of = |height: fn(f32, f32) -> f32, x: f32, z: f32| {
            let neighbors = [height(x - 8.0, z), height(x + 8.0, z), height(x, z - 8.0), height(x, z + 8.0)];
            limited_slope(height(x, z), neighbors, 8.0)
        };
        assert_eq!(slope_of(plane, 3.0, 4.0), [0.5, -0.25]);
        // A plain with a hillside from x + z = 10 on: the plain is level up to the foot, and from 8 m on it is as steep as it is.
        let foot = |x: f32, z: f32| (x + z - 10.0).max(0.0);
        for x in [-20.0, 0.0, 5.0, 9.5, 10.0] {
            assert_eq!(slope_of(foot, x, 0.0), [0.0; 2], "{x}");
        }
        let [x, z] = slope_of(foot, 14.0, 0.0);
        assert!(x == z && (0.3..0.9).contains(&x), "{x}, {z}");
        assert_eq!(slope_of(foot, 18.0, 0.0), [1.0; 2]);
        // The floor of a valley, and a crest.
        assert_eq!(slope_of(|x, _| x.abs(), 1.0, 0.0), [0.0; 2]);
        assert_eq!(slope_of(|x, _| -x.abs(), 1.0, 0.0), [-0.125, 0.0]);
        assert_eq!(slope_of(|x, _| -x.abs(), 0.0, 0.0), [0.0; 2]);
    }
}
