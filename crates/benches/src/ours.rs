//! This crate's noise.

use crate::contender::Contender;
use crate::work::{FREQUENCY, LACUNARITY, ORIGIN, PERSISTENCE, SEED};
use perlin_terrain::noise::{
    FixedCoord, LatticeKind, Noise, NoiseScratch, NoiseSettings, SampleGrid, SimdLevel, TICKS_PER_UNIT,
};

/// One way of ours to fill a square: with one instruction set.
#[derive(Clone)]
pub struct Ours {
    name: String,
    noise: Noise,
    level: SimdLevel,
    scratch: NoiseScratch,
}

/// The instruction sets that this machine has, the default one first. One number at a time is left out: it
/// is there for tests.
pub fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().rev().filter(|level| level.is_available() && *level != SimdLevel::Scalar)
}

/// One contender for every way that this machine can run, the default one first.
#[must_use]
pub fn contenders(octaves: u32) -> Vec<Box<dyn Contender>> {
    levels()
        .map(|level| -> Box<dyn Contender> { Box::new(Ours::with(octaves, LatticeKind::FastHash, level)) })
        .collect()
}

/// The noise of the benches.
#[must_use]
pub fn settings(octaves: u32) -> NoiseSettings {
    NoiseSettings {
        octaves,
        frequency: FREQUENCY,
        lacunarity: LACUNARITY,
        persistence: PERSISTENCE,
        height_scale: 1.0,
        ..NoiseSettings::default()
    }
}

/// The name of an instruction set.
#[must_use]
pub fn level_name(level: SimdLevel) -> &'static str {
    match level {
        SimdLevel::Scalar => "scalar",
        SimdLevel::Portable => "portable",
        SimdLevel::Sse2 => "SSE2",
        SimdLevel::Avx2 => "AVX2",
        SimdLevel::Avx512 => "AVX-512",
        other => panic!("{other:?} needs a name"),
    }
}

impl Ours {
    /// The default of a user.
    #[must_use]
    pub fn new(octaves: u32) -> Self {
        Self::with(octaves, LatticeKind::FastHash, SimdLevel::fastest())
    }

    /// Any lattice, with any instruction set.
    #[must_use]
    pub fn with(octaves: u32, lattice: LatticeKind, level: SimdLevel) -> Self {
        let settings = NoiseSettings { lattice, ..settings(octaves) };
        let noise = Noise::seeded(&settings, u64::from(SEED), 0);
        Self { name: format!("**this crate**, {}", level_name(level)), noise, level, scratch: NoiseScratch::default() }
    }

    /// The noise that fills squares.
    #[must_use]
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Fills `out` with the rows of the square that begin at `first_row`, as many as fit.
    pub fn fill_rows(&mut self, first_row: usize, side: usize, out: &mut [f32]) {
        let origin = [ORIGIN[0], ORIGIN[1] + first_row as f64].map(FixedCoord::from);
        let grid = SampleGrid { origin, step_ticks: TICKS_PER_UNIT, size: [side, out.len() / side] };
        self.noise.fill_with(self.level, &grid, &mut self.scratch, out);
    }
}

/// Fills the square point by point, as a game asks for single heights.
pub fn fill_by_points(noise: &Noise, side: usize, out: &mut [f32]) {
    for (row, values) in out.chunks_mut(side).enumerate() {
        for (column, value) in values.iter_mut().enumerate() {
            *value = noise.value([ORIGIN[0] + column as f64, ORIGIN[1] + row as f64]);
        }
    }
}

/// Fills the square as positions that happen to lie on a grid, all at once. `positions` are those of [`positions`].
pub fn fill_by_positions(ours: &Ours, positions: &[[FixedCoord; 2]], out: &mut [f32]) {
    ours.noise.values_at_with(ours.level, positions, out);
}

/// The positions of the samples of a square.
#[must_use]
pub fn positions(side: usize) -> Vec<[FixedCoord; 2]> {
    let position =
        |column: usize, row: usize| [ORIGIN[0] + column as f64, ORIGIN[1] + row as f64].map(FixedCoord::from);
    (0..side * side).map(|i| position(i % side, i / side)).collect()
}

impl Contender for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn fill(&mut self, side: usize, out: &mut [f32]) {
        self.fill_rows(0, side, out);
    }
}

/// Fills the square with `workers.len()` threads, each an equal share of the rows.
pub fn fill_in_parallel(workers: &mut [Ours], side: usize, out: &mut [f32]) {
    let rows = side.div_ceil(workers.len());
    std::thread::scope(|scope| {
        let mut shares = workers.iter_mut().zip(out.chunks_mut(rows * side)).zip((0..).step_by(rows));
        let own = shares.next();
        for ((worker, part), first_row) in shares {
            scope.spawn(move || worker.fill_rows(first_row, side, part));
        }
        // The first share is this thread's own, so that one worker starts no thread.
        if let Some(((worker, part), first_row)) = own {
            worker.fill_rows(first_row, side, part);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fill_the_same_square() {
        let (side, mut ours) = (65, Ours::new(8));
        let [mut whole, mut by_points] = [0; 2].map(|_| vec![0.0; side * side]);
        ours.fill(side, &mut whole);
        fill_by_points(ours.noise(), side, &mut by_points);
        assert!(by_points == whole, "points have other values than a square");
        by_points.fill(0.0);
        fill_by_positions(&ours, &positions(side), &mut by_points);
        assert!(by_points == whole, "positions have other values than a square");
    }

    #[test]
    fn threads_fill_the_same_square() {
        let (side, one) = (65, Ours::new(8));
        let mut whole = vec![0.0; side * side];
        one.clone().fill(side, &mut whole);
        for threads in [1, 2, 3] {
            let mut shared = vec![0.0; side * side];
            fill_in_parallel(&mut vec![one.clone(); threads], side, &mut shared);
            assert!(shared == whole, "{threads} threads fill another square");
        }
    }
}
