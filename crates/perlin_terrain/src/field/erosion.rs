//! Erosion: gullies and crests on any ground, point by point.
//!
//! Water can't be simulated where a height must be a function of its own position alone. This filter draws what water leaves instead:
//! waves whose crests run downhill, octave by octave. Each octave turns downhill itself, so finer gullies branch off wider ones.
//! Gullies look like drainage but have pits: they are not a river network.
//!
//! # The formula
//!
//! The ground below has height `h`, slope `g` and limited slope `l`. An octave has gullies `S` metres apart, cells `S C` wide, and
//! amplitude `a = K S`, all halved from octave to octave (`a` by the persistence):
//!
//! ```text
//! d = A g/|g|                                  downhill, of a fixed slope A
//! t = 0                                        gullies so far: 1 on a crest, -1 in a crease, 0 on level ground
//! M = e(|l|² / full slope²)                    how much gullies count
//!
//! b = 2 pi C rot90(d/|d|)                      the wave, in radians per cell
//! z = sum w e^(i (v.b + p)) / sum w            over the 3 by 3 nodes around, each with a random phase p
//! z = z sqrt(1 + k) / sqrt(|z|² + k)           length near 1, except where waves cancel; k = 0.06
//! h = h + a t      t = mix(t, Re z, M)         Re z is 1 on a crest and -1 in a crease
//! d = d - sign(Im z) (2 pi a / S) rot90(d/|d|)
//! M = M (1 + D (1 - M)) e(r(1.25 |Im z|, q))   finer gullies fade out beside crests and creases
//! ```
//!
//! - `v` is the way from a node in cells, and `w = (1 - v²/2.25)³`.
//! - `e(x) = 1 - (1 - min(x, 1))²`. `r(x, q)` rounds the corner at 0: `x²/2q` below `q`, `x - q/2` above.
//! - `q` goes from the crease rounding to the ridge rounding with `Re z`, and doubles from octave to octave.
//!
//! The new height is continuous if `h`, `g` and `l` are: `d` jumps only where `M` is 0, and it never becomes 0, because it grows at
//! right angles. If `g` jumps, the filter makes a cliff of tens of metres. So `g` must not be the exact slope of ridged noise, nor
//! come from the spacing of a mesh: it is the central difference of `h` over [`Erosion::slope_distance`] to each side.
//!
//! # Level ground
//!
//! Level ground stays where it is, at any height and with any settings, because `t` and `M` are 0 there. On slopes crests rise as
//! far as creases sink, so the mean height stays too, and the edge of a mask makes no ledge.
//!
//! `l` has the direction of `g`. Where the ground bends upward along both axes, its length is `sqrt(max(f . b, 0))`, where `f` and `b`
//! are the slopes ahead of the position and behind it; elsewhere it is `g`. So it is 0 on a plain right up to the foot of a slope, and
//! gullies do not go on as ponds in the plain. Above the foot `f . b` grows in proportion to the distance, and `M` too. If `M` grew with
//! `|l|` and not with its square, the first metres of a gully would be deeper than the slope is high, and fill with water.
//!
//! Gullies do cut into the edge of a plateau, as far as the slope distance, and weaker and weaker.
//!
//! # Sources
//!
//! Written from formulas only. The idea: Clay John, *Eroded Terrain Noise* (2018); Felix Fewes (2023); Rune Skovbo Johansen,
//! *Fast and Gorgeous Erosion Filter* (2026). Ours: pivots on nodes with one of 16 phases, weights without an
//! exponential, phases of nine nodes by complex products, fixed point, the drainage, the limited slope.
//!
//! # What was rejected
//!
//! - Pivots at random positions in 4 by 4 cells: 16 sines and cosines instead of 3, and the images look alike.
//! - The exponent between 1 and 2 in `1 - (1 - M)^D`: a power per position, for what a blend of both ends does too.
//! - `z / max(|z|, 1/2)`: it shows as faint arcs where the maximum changes sides.
//! - A height to which level ground goes, such as that of crests on summits and of creases on valley floors, and carving below the
//!   ground instead of both ways: they move plains by the depth of all gullies, and dig pits where a mask ends.
//! - The slope of the filter itself for normals: it ignores that waves turn, and is off by 22 degrees after five octaves.

mod block;
mod formula;
mod phase;
mod settings;

pub use settings::ErosionSettings;

use super::slope::limited_slope;
use crate::noise::internal::AxisMap;
use crate::noise::internal::{self, Simd, Work};
use crate::noise::{FixedCoord, NoiseRng, SimdLevel, TICKS_PER_UNIT};
use block::{BLOCK, Block, at_one_position};
use phase::FRACTION_BITS;

/// Width of a cell, divided by the distance between gullies. Below sqrt(1/2), so that a position is less than half a turn from its
/// nearest node.
const CELL: f32 = 0.7;

/// Gully length divided by the distance over which the slope of the ground below is measured. With 16, crests of ridged noise
/// become dark seams: waves turn around there, and a narrow turn is a trench. With 2, gullies ignore smaller valleys.
const SLOPE_FRACTION: f64 = 3.0;

/// The filter, compiled from [`ErosionSettings`]. The source of this type has the formula.
///
/// ```
/// use perlin_terrain::field::{Erosion, ErosionSettings};
///
/// let erosion = Erosion::new(&ErosionSettings::default(), 42, 0);
/// // A plane that rises by 0.5 along x.
/// let eroded = erosion.apply_at([1200.0.into(), 0.0.into()], 600.0, [0.5, 0.0]);
/// assert!((eroded.height - 600.0).abs() <= erosion.bound());
/// assert!((-1.0..=1.0).contains(&eroded.drainage));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Erosion {
    octaves: Vec<Octave>,
    /// From coordinates to cells of the first octave.
    axes: [AxisMap; 2],
    slope_ticks: i64,
    per_full_slope_squared: f32,
    assumed_slope: f32,
    detail: f32,
    /// The most that the filter adds to a height or takes away, in metres.
    bound: f32,
}

/// One octave, compiled.
#[derive(Clone, Debug, PartialEq)]
struct Octave {
    seed: u32,
    /// Along x and z: where the next octave begins, in its cells with [`FRACTION_BITS`].
    next_offset: [u32; 2],
    /// In metres.
    amplitude: f32,
    /// How far downhill turns, for a wave of [`CELL`].
    turn: f32,
    /// Of ridges and creases.
    rounding: [f32; 2],
}

/// The ground at one position after the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eroded {
    /// The new height, in metres.
    pub height: f32,
    /// From -1, on crests, to 1, in creases, of all octaves together. 0 on level ground. For color and plants.
    pub drainage: f32,
}

impl Erosion {
    /// Compiles `settings`. `seed` and `stream` choose where gullies are; two streams of a seed are independent.
    ///
    /// Settings out of their ranges never panic. Octaves are clamped to 1 to [`ErosionSettings::MAX_OCTAVES`].
    #[must_use]
    pub fn new(settings: &ErosionSettings, seed: u64, stream: u64) -> Self {
        let mut rng = NoiseRng::new(seed, stream);
        let frequency = 1.0 / (settings.gully_length * f64::from(CELL));
        let axes = [(); 2].map(|()| AxisMap::new(frequency, rng.next_unit() * 256.0));
        let rounding = [settings.ridge_rounding, settings.crease_rounding];
        let (mut amplitude, mut factor, mut sum) = (settings.strength * settings.gully_length, 1.0, 0.0);
        let octaves = (0..settings.octaves.clamp(1, ErosionSettings::MAX_OCTAVES)).map(|_| {
            let turn = std::f64::consts::TAU * amplitude * factor / settings.gully_length;
            let octave = Octave {
                seed: rng.next_u32(),
                next_offset: [(); 2].map(|()| rng.next_u32() >> (32 - FRACTION_BITS)),
                amplitude: amplitude as f32,
                turn: (turn / f64::from(CELL)) as f32,
                rounding: rounding.map(|q| (q * factor) as f32),
            };
            sum += amplitude;
            amplitude *= settings.persistence;
            factor *= 2.0;
            octave
        });
        let octaves = octaves.collect();
        // A few dozen operations round by 2^-24 of their results each. Settings that were never checked may have a negative sum.
        let reach = sum.abs() * 1.000_01;
        Self {
            octaves,
            axes,
            slope_ticks: ((settings.gully_length / SLOPE_FRACTION * TICKS_PER_UNIT as f64).round() as i64).max(1),
            per_full_slope_squared: settings.full_slope.powi(2).recip() as f32,
            assumed_slope: settings.assumed_slope as f32,
            detail: settings.detail as f32,
            bound: reach as f32,
        }
    }

    /// The most that the filter adds to a height or takes away, in metres. Adding it to a height rounds to an `f32`.
    #[must_use]
    pub fn bound(&self) -> f32 {
        self.bound
    }

    /// How far from a position the heights are from which [`slope`](Self::slope) finds its slope, in ticks of 1/1024 m: a third of the
    /// gully length.
    #[must_use]
    pub fn slope_distance(&self) -> i64 {
        self.slope_ticks
    }

    /// The slope of the ground below at a position, along x and z as rise over run, from the height there and from those of its four
    /// neighbors at [`slope_distance`](Self::slope_distance): -x, +x, -z and +z.
    ///
    /// It is the central difference, made less steep where the ground bends upward: 0 on a plain right up to the foot of a hill.
    #[must_use]
    pub fn slope(&self, height: f32, neighbors: [f32; 4]) -> [f32; 2] {
        limited_slope(height, neighbors, (self.slope_ticks as f64 / TICKS_PER_UNIT as f64) as f32)
    }

    /// The ground at one position: the same bits as [`apply`](Self::apply) finds there. For the slope see [`slope`](Self::slope).
    #[must_use]
    pub fn apply_at(&self, position: [FixedCoord; 2], height: f32, slope: [f32; 2]) -> Eroded {
        let [height, drainage] = at_one_position(self, position, height, slope);
        Eroded { height, drainage }
    }

    /// Replaces the `heights` of the ground below by the new ones, and `drainage` by that of the same positions.
    ///
    /// `slopes` are those of the ground below along x and z; see [`slope`](Self::slope). A position has the same bits in any list.
    ///
    /// # Panics
    ///
    /// If the lists are not equally long.
    pub fn apply(
        &self,
        positions: &[[FixedCoord; 2]],
        slopes: [&[f32]; 2],
        heights: &mut [f32],
        drainage: Option<&mut [f32]>,
    ) {
        self.apply_with(SimdLevel::fastest(), positions, slopes, heights, drainage);
    }

    /// Like [`apply`](Self::apply), with the instruction set `level`. The bits are the same.
    ///
    /// # Panics
    ///
    /// If the lists are not equally long.
    pub fn apply_with(
        &self,
        level: SimdLevel,
        positions: &[[FixedCoord; 2]],
        slopes: [&[f32]; 2],
        heights: &mut [f32],
        drainage: Option<&mut [f32]>,
    ) {
        let count = positions.len();
        let lengths =
            [slopes[0].len(), slopes[1].len(), heights.len(), drainage.as_ref().map_or(count, |list| list.len())];
        assert_eq!(lengths, [count; 4], "one slope, one height and one drainage for each position");
        internal::call(level, Apply { erosion: self, positions, slopes, heights, drainage });
    }
}

/// The filter at a list of positions.
struct Apply<'a> {
    erosion: &'a Erosion,
    positions: &'a [[FixedCoord; 2]],
    slopes: [&'a [f32]; 2],
    heights: &'a mut [f32],
    drainage: Option<&'a mut [f32]>,
}

impl Work for Apply<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { erosion, positions, slopes, heights, mut drainage } = self;
        let mut block = Block::new();
        let mut first = 0;
        while first < positions.len() {
            let here = first..positions.len().min(first + BLOCK);
            let drainage = drainage.as_mut().map(|list| &mut list[here.clone()]);
            let slopes = [&slopes[0][here.clone()], &slopes[1][here.clone()]];
            block.run(s, erosion, &positions[here.clone()], slopes, &mut heights[here.clone()], drainage);
            first = here.end;
        }
    }
}

#[cfg(test)]
mod tests;
