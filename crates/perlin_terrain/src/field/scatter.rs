//! Single hills, scattered over the plane: volcanoes, inselbergs, craters.
//!
//! Each cell of a square grid has at most one hill, at a random position in it. A hill of radius `R` and height `H` has the height
//! `H p(d/R)` at the distance `d` of its center, and 0 from `d = R` on. With `x = d/R`:
//!
//! ```text
//! cone     p = (1 - x)²
//! dome     p = 1 - x^4
//! crater   p = smin(((1 - x) / (1 - r))², 1 - D (1 - (x/r)²))      r the radius of the crater, D its depth
//! ```
//!
//! A radius is at most the width of a cell, so the hills of 3 by 3 cells suffice. They are blended by a smooth maximum whose radius
//! is the harmonic mean of both heights `2 a b / (a + b)`. So where a hill ends, its radius is 0 and the hill changes nothing. A
//! radius of fixed size would lift the ground there, and the height would jump where the hill leaves the 3 by 3 cells.
//!
//! A smooth maximum depends on the order. Hills are blended row by row, in the order of their cells. That is the same order for each
//! position that two hills reach.
//!
//! The jittered grid: Steven Worley, *A Cellular Texture Basis Function* (SIGGRAPH 1996). The smooth maximum is that of
//! [`Blend::Max`](super::Blend::Max).

#[cfg(test)]
mod tests;

use super::blend::edge_rounding;
use super::interval::Interval;
use super::positions::BLOCK;
use crate::noise::internal::AxisMap;
use crate::noise::{FixedCoord, NoiseRng};
use crate::param::params;
use serde::{Deserialize, Serialize};

/// The shape of scattered hills.
#[params]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum HillShape {
    /// Steep at the top, with a gentle foot: a volcano.
    #[default]
    Cone,
    /// Round at the top, with a steep foot: an inselberg.
    Dome,
    /// A cone with a bowl in place of the top: a volcano with a crater.
    Crater,
}

/// Single hills, scattered over the plane. The height between them is 0.
///
/// The height of a hill goes from `height_min` to `height_max` as its radius goes from `radius_min` to `radius_max`.
#[params]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[serde(deny_unknown_fields, default)]
pub struct Scatter {
    /// The shape of the hills.
    #[param(default = HillShape::Cone)]
    pub shape: HillShape,
    /// Width of the cells of a square grid. Each has at most one hill, at a random position in it.
    #[param(default = 3000.0, range = 10.0..=100_000.0, unit = "m", scale = Logarithmic)]
    pub spacing: f64,
    /// Probability that a cell has a hill. A lower value gives fewer hills.
    #[param(default = 0.5, range = 0.0..=1.0)]
    pub chance: f64,
    /// The smallest radius of a hill, at its foot. More than the spacing counts as the spacing.
    #[param(default = 500.0, range = 1.0..=100_000.0, unit = "m", scale = Logarithmic)]
    pub radius_min: f64,
    /// The largest radius of a hill, at its foot. More than the spacing counts as the spacing.
    #[param(default = 1500.0, range = 1.0..=100_000.0, unit = "m", scale = Logarithmic)]
    pub radius_max: f64,
    /// The height of hills of the smallest radius.
    #[param(default = 150.0, range = 0.0..=10_000.0, unit = "m")]
    pub height_min: f64,
    /// The height of hills of the largest radius.
    #[param(default = 500.0, range = 0.0..=10_000.0, unit = "m")]
    pub height_max: f64,
    /// The radius of the rim of a crater, as a fraction of the radius of its hill. Only for `Crater`.
    #[param(default = 0.2, range = 0.05..=0.9)]
    pub crater_radius: f64,
    /// The depth of a crater below its rim, as a fraction of the height of its hill. Only for `Crater`.
    #[param(default = 0.4, range = 0.0..=1.0)]
    pub crater_depth: f64,
}

/// Bits of the fraction of a cell.
const FRACTION_BITS: u32 = 30;

/// Hills of a [`Scatter`], compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hills {
    /// From coordinates to cells.
    axes: [AxisMap; 2],
    seed: u32,
    /// Cells with a hash of 16 bits below this have a hill.
    present: u32,
    /// Radii of the smallest hills, and how much larger the largest ones are, in cells.
    radius: [f32; 2],
    /// The same of heights, in metres.
    height: [f32; 2],
    shape: HillShape,
    crater: Crater,
}

/// The crater of a hill of radius and height 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crater {
    per_radius: f32,
    depth: f32,
    /// Makes the flank 1 high at the rim.
    per_flank: f32,
    /// Of the rim, in heights.
    rounding: f32,
}

/// One hill. Its center is relative to the cell in the middle, in fractions of a cell.
#[derive(Clone, Copy)]
struct Hill {
    center: [i32; 2],
    /// From fractions of a cell to radii.
    per_radius: f32,
    height: f32,
}

impl Hills {
    /// Compiles `settings`. Numbers out of their ranges count as the nearest number in them.
    pub fn new(settings: &Scatter, seed: u64, stream: u64) -> Self {
        let mut rng = NoiseRng::new(seed, stream);
        let spacing = Scatter::SPACING.nearest(settings.spacing);
        let cells = |radius: f64| (Scatter::RADIUS_MIN.nearest(radius).min(spacing) / spacing) as f32;
        let metres = |height: f64| Scatter::HEIGHT_MIN.nearest(height) as f32;
        let [radius_min, radius_max] = [settings.radius_min, settings.radius_max].map(cells);
        let [height_min, height_max] = [settings.height_min, settings.height_max].map(metres);
        Self {
            axes: [(); 2].map(|()| AxisMap::new(1.0 / spacing, rng.next_unit() * 256.0)),
            seed: rng.next_u32(),
            present: (Scatter::CHANCE.nearest(settings.chance) * 65_536.0).round() as u32,
            radius: [radius_min, radius_max - radius_min],
            height: [height_min, height_max - height_min],
            shape: settings.shape,
            crater: Crater::new(settings),
        }
    }

    /// The bounds of the heights.
    pub fn bounds(&self) -> Interval {
        let one = self.height[0] + self.height[1].max(0.0);
        // The smooth maximum grows with both heights: nine hills at their highest are the worst.
        let all = (1..9).fold(one, |height, _| higher(height, one));
        let highest = Interval::at(all.into());
        Interval::new(0.0, highest.high + highest.rounding())
    }

    /// Writes the heights at up to [`BLOCK`] positions.
    pub fn fill(&self, coords: &[[FixedCoord; 2]], heights: &mut [f32]) {
        let mut fractions = [[0; 2]; BLOCK];
        let mut first = 0;
        while first < coords.len() {
            // Neighbors in a list mostly share a cell, and its hills.
            let (cell, _) = self.locate(coords[first]);
            let mut end = first;
            while let Some((here, fraction)) = coords.get(end).map(|&coord| self.locate(coord))
                && here == cell
            {
                fractions[end - first] = fraction;
                end += 1;
            }
            let (fractions, heights) = (&fractions[..end - first], &mut heights[first..end]);
            heights.fill(0.0);
            let range = Range::of(fractions);
            for hill in self.hills_around(cell).filter(|hill| hill.may_reach(&range)) {
                match self.shape {
                    HillShape::Cone => hill.raise(fractions, heights, cone),
                    HillShape::Dome => hill.raise(fractions, heights, dome),
                    HillShape::Crater => hill.raise(fractions, heights, |x| self.crater.at(x)),
                }
            }
            first = end;
        }
    }

    /// The cell of a position, wrapping, and the fractions of a cell.
    fn locate(&self, coord: [FixedCoord; 2]) -> ([u32; 2], [i32; 2]) {
        // Without a closure, which the compiler would call for each axis.
        let [x, z] = &self.axes;
        let positions = [x.position(coord[0]).0, z.position(coord[1]).0];
        let fraction = |position: u128| (position as u64 >> (64 - FRACTION_BITS)) as i32;
        (positions.map(|position| (position >> 64) as u32), positions.map(fraction))
    }

    /// The hills of 3 by 3 cells, row by row.
    fn hills_around(&self, [column, row]: [u32; 2]) -> impl Iterator<Item = Hill> {
        let steps = (-1..=1).flat_map(|z| (-1..=1).map(move |x| [x, z]));
        steps.filter_map(move |[x, z]: [i32; 2]| {
            let cell = [column.wrapping_add_signed(x), row.wrapping_add_signed(z)];
            let [first, second] = hashes(self.seed, cell);
            if first >> 16 >= self.present {
                return None;
            }
            let size = (first & 0xffff) as f32 * (1.0 / 65_535.0);
            let radius = self.radius[0] + self.radius[1] * size;
            let jitter = |bits: u32| (bits << (FRACTION_BITS - 16)) as i32;
            Some(Hill {
                // Less than two cells: it fits.
                center: [(x << FRACTION_BITS) + jitter(second >> 16), (z << FRACTION_BITS) + jitter(second & 0xffff)],
                per_radius: 1.0 / (radius * (1_u32 << FRACTION_BITS) as f32),
                height: self.height[0] + self.height[1] * size,
            })
        })
    }
}

/// The lowest and the highest fraction of a list of positions, along each axis.
struct Range([[i32; 2]; 2]);

impl Range {
    fn of(fractions: &[[i32; 2]]) -> Self {
        let start = [[i32::MAX, i32::MIN]; 2];
        Self(fractions.iter().fold(start, |range, fraction| {
            [0, 1].map(|axis| {
                let [low, high] = range[axis];
                [low.min(fraction[axis]), high.max(fraction[axis])]
            })
        }))
    }
}

impl Hill {
    /// Whether a position in `range` may be closer than the radius. Elsewhere, the hill changes nothing, and need not be computed.
    fn may_reach(&self, Range(range): &Range) -> bool {
        let [x, z] = [0, 1].map(|axis| {
            let ([low, high], center) = (range[axis], self.center[axis]);
            // Less than two cells: they fit.
            low.wrapping_sub(center).max(center.wrapping_sub(high)).max(0) as f32
        });
        // The distance that decides is rounded in another way.
        (x * x + z * z).sqrt() * self.per_radius < 1.0001
    }

    /// Blends the hill with the heights of the hills before it.
    fn raise(self, fractions: &[[i32; 2]], heights: &mut [f32], profile: impl Fn(f32) -> f32) {
        for (height, &[x, z]) in heights.iter_mut().zip(fractions) {
            // Less than two cells: they fit.
            let [x, z] = [x.wrapping_sub(self.center[0]) as f32, z.wrapping_sub(self.center[1]) as f32];
            let distance = (x * x + z * z).sqrt() * self.per_radius;
            let distance = if distance < 1.0 { distance } else { 1.0 };
            *height = higher(*height, self.height * profile(distance));
        }
    }
}

/// The smooth maximum of two heights, which are not negative. If one of them is 0, it is the other one.
fn higher(a: f32, b: f32) -> f32 {
    let radius = 2.0 * a * b / (a + b + f32::MIN_POSITIVE);
    let higher = if a > b { a } else { b };
    higher + edge_rounding(a, b, radius)
}

pub(super) fn cone(x: f32) -> f32 {
    (1.0 - x) * (1.0 - x)
}

pub(super) fn dome(x: f32) -> f32 {
    1.0 - (x * x) * (x * x)
}

impl Crater {
    /// The crater of `settings`.
    pub fn new(settings: &Scatter) -> Self {
        let radius = Scatter::CRATER_RADIUS.nearest(settings.crater_radius) as f32;
        let depth = Scatter::CRATER_DEPTH.nearest(settings.crater_depth) as f32;
        Self {
            per_radius: 1.0 / radius,
            depth,
            per_flank: 1.0 / (1.0 - radius),
            // Half of the depth: the floor stays where it is, and the rim is not a knife edge.
            rounding: 0.5 * depth,
        }
    }

    /// The height at a distance from the center, in radii of the hill.
    pub fn at(self, x: f32) -> f32 {
        let flank = (1.0 - x) * self.per_flank;
        let flank = flank * flank;
        let from_rim = x * self.per_radius;
        let bowl = 1.0 - self.depth + self.depth * (from_rim * from_rim);
        let lower = if flank < bowl { flank } else { bowl };
        lower - edge_rounding(flank, bowl, self.rounding)
    }
}

/// Two independent hashes of a cell.
fn hashes(seed: u32, [column, row]: [u32; 2]) -> [u32; 2] {
    let row = mixed(row.wrapping_mul(0x9e37_79b1) ^ seed);
    let first = mixed(column.wrapping_mul(0x85eb_ca77) ^ row);
    [first, mixed(first ^ 0xc2b2_ae3d)]
}

/// A bijection of 32 bits in which each bit depends on each. The constants are those of Chris Wellons, *Prospecting for Hash
/// Functions* (2018).
fn mixed(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x7feb_352d);
    hash = (hash ^ hash >> 15).wrapping_mul(0x846c_a68b);
    hash ^ hash >> 16
}
