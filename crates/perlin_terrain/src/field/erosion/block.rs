//! Lists of positions, and single ones.

use super::Erosion;
use super::formula::{State, add_octave, finish, start};
use super::phase::{CellPosition, FRACTION_BITS};
use crate::noise::FixedCoord;
use crate::noise::internal::AxisMap;
use crate::noise::internal::{MAX_LANES, Portable, Simd};

/// Positions at a time. A row of 65 fits, with vectors of any width.
pub(super) const BLOCK: usize = 5 * MAX_LANES;

/// The positions of a block, octave by octave: an octave of one vector waits for its square roots and quotients, and vectors do not
/// wait for each other.
#[repr(align(64))]
pub(super) struct Block {
    cells: [[u32; BLOCK]; 2],
    fractions: [[u32; BLOCK]; 2],
    /// Before the first octave the slope.
    downhill: [[f32; BLOCK]; 2],
    mask: [f32; BLOCK],
    gullies: [f32; BLOCK],
    sum: [f32; BLOCK],
    height: [f32; BLOCK],
}

impl Block {
    pub const fn new() -> Self {
        Self {
            cells: [[0; BLOCK]; 2],
            fractions: [[0; BLOCK]; 2],
            downhill: [[0.0; BLOCK]; 2],
            mask: [0.0; BLOCK],
            gullies: [0.0; BLOCK],
            sum: [0.0; BLOCK],
            height: [0.0; BLOCK],
        }
    }

    /// Does [`Erosion::apply`] for at most [`BLOCK`] positions. Lanes beyond the last position hold anything.
    #[inline(always)]
    pub fn run<S: Simd>(
        &mut self,
        s: S,
        erosion: &Erosion,
        positions: &[[FixedCoord; 2]],
        slopes: [&[f32]; 2],
        heights: &mut [f32],
        drainage: Option<&mut [f32]>,
    ) {
        let count = positions.len();
        for (i, position) in positions.iter().enumerate() {
            (self.cells[0][i], self.fractions[0][i]) = split(&erosion.axes[0], position[0]);
            (self.cells[1][i], self.fractions[1][i]) = split(&erosion.axes[1], position[1]);
        }
        self.downhill[0][..count].copy_from_slice(slopes[0]);
        self.downhill[1][..count].copy_from_slice(slopes[1]);
        self.height[..count].copy_from_slice(heights);

        let padded = count.next_multiple_of(S::LANES);
        let mut at = 0;
        while at < padded {
            let slope = [s.load(&self.downhill[0][at..]), s.load(&self.downhill[1][at..])];
            let state = start(s, erosion, slope, self.position(s, at));
            self.store(s, at, state);
            at += S::LANES;
        }
        let mut index = 0;
        while index < erosion.octaves.len() {
            let mut at = 0;
            while at < padded {
                let state = add_octave(s, erosion, index, self.load(s, at));
                self.store(s, at, state);
                at += S::LANES;
            }
            index += 1;
        }
        let mut at = 0;
        while at < padded {
            let (sum, gullies) = (s.load(&self.sum[at..]), s.load(&self.gullies[at..]));
            let [height, drain] = finish(s, s.load(&self.height[at..]), sum, gullies);
            s.store(height, &mut self.height[at..]);
            s.store(drain, &mut self.gullies[at..]);
            at += S::LANES;
        }
        heights.copy_from_slice(&self.height[..count]);
        if let Some(drainage) = drainage {
            drainage.copy_from_slice(&self.gullies[..count]);
        }
    }

    #[inline(always)]
    fn position<S: Simd>(&self, s: S, at: usize) -> [CellPosition<S>; 2] {
        let [x, z] = [&self.cells[0][at..], &self.cells[1][at..]];
        let [part_x, part_z] = [&self.fractions[0][at..], &self.fractions[1][at..]];
        [
            CellPosition { cell: s.load_u(x), fraction: s.load_u(part_x) },
            CellPosition { cell: s.load_u(z), fraction: s.load_u(part_z) },
        ]
    }

    #[inline(always)]
    fn load<S: Simd>(&self, s: S, at: usize) -> State<S> {
        State {
            position: self.position(s, at),
            downhill: [s.load(&self.downhill[0][at..]), s.load(&self.downhill[1][at..])],
            mask: s.load(&self.mask[at..]),
            gullies: s.load(&self.gullies[at..]),
            sum: s.load(&self.sum[at..]),
        }
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, s: S, at: usize, state: State<S>) {
        let State { position: [x, z], downhill, mask, gullies, sum } = state;
        s.store_u(x.cell, &mut self.cells[0][at..]);
        s.store_u(x.fraction, &mut self.fractions[0][at..]);
        s.store_u(z.cell, &mut self.cells[1][at..]);
        s.store_u(z.fraction, &mut self.fractions[1][at..]);
        s.store(downhill[0], &mut self.downhill[0][at..]);
        s.store(downhill[1], &mut self.downhill[1][at..]);
        s.store(mask, &mut self.mask[at..]);
        s.store(gullies, &mut self.gullies[at..]);
        s.store(sum, &mut self.sum[at..]);
    }
}

/// Does [`Erosion::apply`] for one position, without the memory of a block.
pub(super) fn at_one_position(erosion: &Erosion, position: [FixedCoord; 2], height: f32, slope: [f32; 2]) -> [f32; 2] {
    let s = Portable::<1>;
    let position = [0, 1].map(|axis| {
        let (cell, fraction) = split(&erosion.axes[axis], position[axis]);
        CellPosition { cell: [cell], fraction: [fraction] }
    });
    let mut state = start(s, erosion, slope.map(|slope| [slope]), position);
    for index in 0..erosion.octaves.len() {
        state = add_octave(s, erosion, index, state);
    }
    let [[height], [drainage]] = finish(s, [height], state.sum, state.gullies);
    [height, drainage]
}

/// The cell of a coordinate, wrapping, and its fraction.
#[inline(always)]
fn split(map: &AxisMap, coordinate: FixedCoord) -> (u32, u32) {
    let position = map.position(coordinate).0;
    ((position >> 64) as u32, (position as u64 >> (64 - FRACTION_BITS)) as u32)
}
