//! The slope of the ground inside a stack of layers.
//!
//! A slope is a central difference over a fixed distance. It is never the exact derivative, and never depends on the spacing of a
//! mesh: the derivatives of crests and of `Min` and `Max` jump, and a filter that follows them would tear the ground there. A
//! central difference is continuous wherever the height is.

use super::places::Places;
use super::program::{Step, planes_of, run};
use crate::noise::TICKS_PER_UNIT;

/// Measures the slope of the heights that other steps make.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slope {
    /// What makes the heights, in the plane `base`.
    pub steps: Vec<Step>,
    pub base: usize,
    /// The slope along x goes to this plane, and the slope along z to the next. Planes above are overwritten.
    pub to: usize,
    /// The distance to each side of a place, in ticks.
    pub ticks: i64,
}

impl Slope {
    pub fn new(steps: &[Step], [base, to]: [usize; 2], ticks: i64) -> Self {
        // Only heights are needed, and the plane of the drainage may be below those of the steps.
        let steps = steps.iter().filter(|step| !matches!(step, Step::Fade { .. })).cloned().map(|step| match step {
            Step::Erode { plane, slopes, erosion, .. } => Step::Erode { plane, slopes, drainage: None, erosion },
            Step::Warp(warp) => Step::Warp(warp.without_drainage()),
            step => step,
        });
        Self { steps: steps.collect(), base, to, ticks }
    }

    /// The lowest plane in which the steps run.
    const fn workspace(&self) -> usize {
        self.to + 2
    }

    /// How many planes are needed.
    pub fn planes(&self) -> usize {
        self.workspace() + planes_of(&self.steps).saturating_sub(self.base)
    }

    /// How many slopes are measured in one another, with this one. Each one multiplies the evaluations by five.
    pub fn depth(&self) -> usize {
        fn depth(steps: &[Step]) -> usize {
            let depths = steps.iter().map(|step| match step {
                Step::Slope(slope) => slope.depth(),
                Step::Warp(warp) => depth(&warp.steps),
                _ => 0,
            });
            depths.max().unwrap_or(0)
        }
        1 + depth(&self.steps)
    }

    /// Runs the steps, and writes the slopes. The first one of `planes` is the plane `first`.
    pub fn run(&self, first: usize, places: &mut impl Places, planes: &mut [f32]) {
        let count = places.count();
        let (result, workspace) = planes.split_at_mut((self.workspace() - first) * count);
        // The steps find their plane `base` at the start of the workspace.
        let mut heights = |places: &mut _, ticks: [i64; 2], to: &mut [f32], combine: fn(&mut f32, f32)| {
            shifted(places, ticks, |places| run(&self.steps, self.base, places, workspace));
            to.iter_mut().zip(&workspace[..count]).for_each(|(to, &height)| combine(to, height));
        };
        let per_metre = (TICKS_PER_UNIT as f64 / (2.0 * self.ticks as f64)) as f32;
        for (axis, slope) in result[(self.to - first) * count..].chunks_exact_mut(count.max(1)).enumerate() {
            let mut ticks = [0; 2];
            ticks[axis] = self.ticks;
            heights(places, ticks, slope, |to, height| *to = height);
            heights(places, ticks.map(i64::wrapping_neg), slope, |to, height| *to -= height);
            slope.iter_mut().for_each(|slope| *slope *= per_metre);
        }
    }
}

fn shifted<P: Places>(places: &mut P, ticks: [i64; 2], work: impl FnOnce(&mut P)) {
    places.shift(ticks);
    work(places);
    places.shift(ticks.map(i64::wrapping_neg));
}
