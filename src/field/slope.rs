//! The slope of the ground inside a stack of layers.
//!
//! A slope is a central difference over a fixed distance. It is never the exact derivative, and never depends on the spacing of a
//! mesh: the derivatives of crests and of `Min` and `Max` jump, and a filter that follows them would tear the ground there. A
//! central difference is continuous wherever the height is.

use super::places::Places;
use crate::noise::TICKS_PER_UNIT;

/// Measures the slope of heights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slope {
    /// The plane in which the heights are made.
    pub base: usize,
    /// The slope along x goes to this plane, and the slope along z to the next. Planes above are overwritten.
    pub to: usize,
    /// The distance to each side of a place, in ticks.
    pub ticks: i64,
}

impl Slope {
    /// The lowest plane of the workspace, in which the heights are made.
    pub const fn workspace(&self) -> usize {
        self.to + 2
    }

    /// Writes the slopes. The first one of `planes` is the plane `first`. `make` writes heights into the first plane of a
    /// workspace, and may use the planes above it.
    pub fn run<P: Places>(
        &self,
        first: usize,
        places: &mut P,
        planes: &mut [f32],
        mut make: impl FnMut(&mut P, &mut [f32]),
    ) {
        let count = places.count();
        let (result, workspace) = planes.split_at_mut((self.workspace() - first) * count);
        let mut heights = |places: &mut P, ticks: [i64; 2], to: &mut [f32], combine: fn(&mut f32, f32)| {
            places.shift(ticks);
            make(places, workspace);
            places.shift(ticks.map(i64::wrapping_neg));
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
