//! The compiled form of a stack of layers: a flat list of steps over planes of heights.
//!
//! A plane has one number for each position. Plane 0 has the heights. A step reads and writes planes, and knows of each position only
//! that position. So a block of one position gives the same bits as a grid.

use super::band::Band;
use super::blend::Blending;
use super::carve::Valleys;
use super::curve::CurveTable;
use super::distance::Distance;
use super::dunes::DuneWaves;
use super::erosion::Erosion;
use super::interval::Interval;
use super::positions::{Positions, in_blocks};
use super::scatter::Hills;
use super::slope::Slope;
use super::terrace::Terraces;
use super::warp::Warp;
use crate::noise::Noise;
use std::ops::Range;
use std::sync::Arc;

/// One operation on planes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Sets a plane to one height.
    Constant { plane: usize, height: f32 },
    /// Copies a plane to another one.
    Copy { from: usize, to: usize },
    /// Writes a noise to a plane.
    Noise { plane: usize, noise: Arc<Noise> },
    /// Adds a noise to a plane.
    AddNoise { plane: usize, noise: Arc<Noise> },
    /// Writes scattered hills to a plane.
    Hills { plane: usize, hills: Hills },
    /// Turns the bends of crests, in a plane, and the noise of their heights, in the next, into dunes.
    Dunes { plane: usize, dunes: DuneWaves },
    /// Turns the noise of a plane into valleys, with its slopes in the two planes above.
    Carve { plane: usize, valleys: Valleys },
    /// Blends the plane `layer` with the plane `below` it, which gets the result.
    Blend { below: usize, layer: usize, blending: Blending, opacity: f32 },
    /// The same, with the strength in the plane `mask` above both.
    BlendMasked { below: usize, layer: usize, mask: usize, blending: Blending, opacity: f32 },
    /// Writes the distance from a point or a segment to a plane.
    Distance { plane: usize, distance: Distance },
    /// Turns the numbers of a plane into a mask, and multiplies the plane `mask` below it by that.
    Band { plane: usize, mask: usize, band: Band },
    /// Turns slopes along x, in a plane, and along z, in the next, into their magnitude.
    Steepness { plane: usize },
    /// Turns the heights of a plane into terraces.
    Terrace { plane: usize, terraces: Terraces },
    /// Gives the heights of a plane new ones.
    Curve { plane: usize, table: Arc<CurveTable> },
    /// Writes the slopes of the heights that `steps` make to two planes.
    Slope { slope: Slope, steps: Vec<Self> },
    /// Writes the heights that `steps` make at moved positions to a plane.
    Warp { warp: Warp, steps: Vec<Self> },
    /// Erodes the heights of a plane, with the slopes in the plane `slopes` and the one above. The drainage goes to a plane of its own.
    Erode { plane: usize, slopes: usize, drainage: Option<usize>, erosion: Arc<Erosion> },
    /// Multiplies a plane by an opacity, and by the plane `mask`.
    Fade { plane: usize, mask: Option<usize>, opacity: f32 },
}

/// A stack of layers, compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Program {
    steps: Vec<Step>,
    planes: usize,
    bounds: Interval,
    has_drainage: bool,
}

/// The plane of the [drainage](super::Eroded::drainage), in a program that has it.
pub(super) const DRAINAGE: usize = 1;

impl Program {
    /// A program of `steps`, whose heights are within `bounds`. `has_drainage` says whether they write the plane [`DRAINAGE`].
    pub fn new(steps: Vec<Step>, bounds: Interval, has_drainage: bool) -> Self {
        Self { planes: planes_of(&steps), steps, bounds, has_drainage }
    }

    /// Bounds of all heights, in metres.
    pub const fn bounds(&self) -> Interval {
        self.bounds
    }

    /// Whether the plane [`DRAINAGE`] has the drainage after a run.
    pub const fn has_drainage(&self) -> bool {
        self.has_drainage
    }

    /// How many planes [`run`](Self::run) needs.
    pub const fn planes(&self) -> usize {
        self.planes
    }

    /// Computes the heights at `positions` and writes them into the first plane of `planes`. The planes follow one another.
    pub fn run(&self, positions: &mut impl Positions, planes: &mut [f32]) {
        run(&self.steps, 0, positions, planes);
    }
}

/// How many planes `steps` need, counted from plane 0.
pub(super) fn planes_of(steps: &[Step]) -> usize {
    let planes = |step: &Step| match step {
        Step::Constant { plane, .. }
        | Step::Noise { plane, .. }
        | Step::AddNoise { plane, .. }
        | Step::Hills { plane, .. }
        | Step::Distance { plane, .. }
        | Step::Band { plane, .. }
        | Step::Terrace { plane, .. }
        | Step::Curve { plane, .. } => plane + 1,
        Step::Carve { plane, .. } => plane + 3,
        Step::Copy { from, to } => from.max(to) + 1,
        Step::Blend { layer, .. } => layer + 1,
        Step::Fade { plane, mask, .. } => plane.max(&mask.unwrap_or(0)) + 1,
        Step::BlendMasked { mask, .. } => mask + 1,
        Step::Steepness { plane } | Step::Dunes { plane, .. } => plane + 2,
        Step::Slope { slope, steps } => slope.workspace() + planes_of(steps).saturating_sub(slope.base),
        Step::Warp { warp, .. } => warp.plane + 1,
        Step::Erode { plane, slopes, .. } => (plane + 1).max(slopes + 2),
    };
    steps.iter().map(planes).max().unwrap_or(0)
}

/// Runs `steps`, whose plane `base` is the first one of `planes`.
pub(super) fn run(steps: &[Step], base: usize, positions: &mut impl Positions, planes: &mut [f32]) {
    let count = positions.count();
    let of = |plane: usize| (plane - base) * count..(plane - base + 1) * count;
    for step in steps {
        match step {
            Step::Constant { plane, height } => planes[of(*plane)].fill(*height),
            Step::Copy { from, to } => planes.copy_within(of(*from), of(*to).start),
            Step::Noise { plane, noise } => positions.fill(noise, &mut planes[of(*plane)]),
            Step::AddNoise { plane, noise } => positions.add(noise, &mut planes[of(*plane)]),
            Step::Hills { plane, hills } => {
                let heights = &mut planes[of(*plane)];
                in_blocks(positions, |coords, here| hills.fill(coords, &mut heights[here]));
            }
            Step::Dunes { plane, dunes } => {
                let (bends, variations) = planes[of(*plane).start..].split_at_mut(count);
                in_blocks(positions, |coords, here| dunes.fill(coords, &mut bends[here.clone()], &variations[here]));
            }
            Step::Carve { plane, valleys } => {
                let (noise, gradients) = planes[of(*plane).start..][..3 * count].split_at_mut(count);
                valleys.apply(noise, gradients);
            }
            Step::Blend { below, layer, blending, opacity } => {
                let (lower, upper) = planes.split_at_mut(of(*layer).start);
                let (below, layer) = (&mut lower[of(*below)], &upper[..count]);
                if *opacity == 1.0 {
                    blending.apply(below, layer);
                } else {
                    blending.apply_partly(below, layer, *opacity);
                }
            }
            Step::BlendMasked { below, layer, mask, blending, opacity } => {
                let (lower, upper) = planes.split_at_mut(of(*mask).start);
                let (below_and_more, layer_and_more) = lower.split_at_mut(of(*layer).start);
                let (below, layer) = (&mut below_and_more[of(*below)], &layer_and_more[..count]);
                blending.apply_masked(below, layer, &upper[..count], *opacity);
            }
            Step::Distance { plane, distance } => {
                let distances = &mut planes[of(*plane)];
                in_blocks(positions, |coords, here| distance.fill(coords, &mut distances[here]));
            }
            Step::Band { plane, mask, band } => {
                let (lower, upper) = planes.split_at_mut(of(*plane).start);
                for (mask, &value) in lower[of(*mask)].iter_mut().zip(&upper[..count]) {
                    *mask *= band.at(value);
                }
            }
            Step::Steepness { plane } => {
                let (x, z) = planes[of(*plane).start..].split_at_mut(count);
                x.iter_mut().zip(z).for_each(|(x, z)| *x = (*x * *x + *z * *z).sqrt());
            }
            Step::Terrace { plane, terraces } => terraces.apply(&mut planes[of(*plane)]),
            Step::Curve { plane, table } => table.apply(&mut planes[of(*plane)]),
            Step::Slope { slope, steps } => {
                slope.run(base, positions, planes, |positions, workspace| run(steps, slope.base, positions, workspace));
            }
            Step::Warp { warp, steps } => {
                warp.run(base, positions, planes, |positions, workspace| run(steps, warp.plane, positions, workspace));
            }
            Step::Erode { plane, slopes, drainage, erosion } => {
                let slopes = of(*slopes).start..of(slopes + 1).end;
                erode(erosion, [of(*plane), slopes], drainage.map(of), positions, planes);
            }
            Step::Fade { plane, mask, opacity } => {
                planes[of(*plane)].iter_mut().for_each(|value| *value *= opacity);
                if let Some(mask) = mask {
                    let [values, mask] = disjoint(planes, [of(*plane), of(*mask)]);
                    values.iter_mut().zip(mask).for_each(|(value, mask)| *value *= *mask);
                }
            }
        }
    }
}

/// Erodes the heights in one range of `planes`, with the slopes along x and along z in the other. The drainage goes to a third.
fn erode(
    erosion: &Erosion,
    [heights, slopes]: [Range<usize>; 2],
    drainage: Option<Range<usize>>,
    positions: &impl Positions,
    planes: &mut [f32],
) {
    let (heights, slopes, mut drainage) = match drainage {
        Some(drainage) => {
            let [heights, slopes, drainage] = disjoint(planes, [heights, slopes, drainage]);
            (heights, slopes, Some(drainage))
        }
        None => {
            let [heights, slopes] = disjoint(planes, [heights, slopes]);
            (heights, slopes, None)
        }
    };
    let count = positions.count();
    let (x, z) = slopes.split_at(count);
    if count == 1 {
        let eroded = erosion.apply_at(positions.coord(0), heights[0], [x[0], z[0]]);
        heights[0] = eroded.height;
        if let Some(drainage) = drainage {
            drainage[0] = eroded.drainage;
        }
        return;
    }
    in_blocks(positions, |coords, here| {
        let drainage = drainage.as_mut().map(|drainage| &mut drainage[here.clone()]);
        erosion.apply(coords, [&x[here.clone()], &z[here.clone()]], &mut heights[here], drainage);
    });
}

/// Parts of `planes` that do not overlap.
fn disjoint<const N: usize>(planes: &mut [f32], ranges: [Range<usize>; N]) -> [&mut [f32]; N] {
    planes.get_disjoint_mut(ranges).expect("the compiler gives every result a plane of its own")
}
