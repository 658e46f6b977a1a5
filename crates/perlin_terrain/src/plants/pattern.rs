//! Where the candidates of a layer stand, and which of them are kept.

use super::PlantAreaError;
use crate::noise::NoiseRng;

/// Random places that keep a distance from each other, one candidate for each cell of a square grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pattern {
    /// Selects the random numbers.
    key: u64,
    /// The side of a cell in metres: half of the least distance.
    cell: f64,
}

/// The largest coordinate of a place, in metres: as far as heights are exact.
const FARTHEST: f64 = 8e12;

/// The candidate of a cell.
#[derive(Clone, Copy)]
struct Candidate {
    cell: [i64; 2],
    /// The lower one of two is tried first.
    hash: u64,
}

impl Candidate {
    /// Its place in its cell, from 0 to 1.
    fn jitter(self) -> [f64; 2] {
        [0, 21].map(|shift| (self.hash >> shift & 0x1f_ffff) as f64 / f64::from(1 << 21))
    }

    /// Whether it is tried before `other`, and is nearer to it than two cells.
    fn may_displace(self, other: Self) -> bool {
        // Mostly, the hashes differ, and decide alone.
        if (self.hash, self.cell) >= (other.hash, other.cell) {
            return false;
        }
        let (here, there) = (self.jitter(), other.jitter());
        // Relative to the cells, so that it is exact far away.
        let [x, z] = [0, 1].map(|axis| (self.cell[axis] - other.cell[axis]) as f64 + (here[axis] - there[axis]));
        x * x + z * z < 4.0
    }
}

impl Pattern {
    /// The pattern of a stream, whose places are at least `spacing` metres apart.
    pub fn new(seed: u64, stream: u32, spacing: f64) -> Self {
        // Layers of the field have the streams of 32 bits.
        let mut rng = NoiseRng::new(seed, 1 << 32 | u64::from(stream));
        Self { key: rng.next_u64(), cell: 0.5 * spacing }
    }

    /// Whether places in the cell are in the world.
    pub fn has_cell(&self, cell: [i64; 2]) -> bool {
        cell.iter().all(|&index| (index as f64 * self.cell).abs() <= FARTHEST)
    }

    /// The first and the last cell that may have places between two corners.
    pub fn cells_between(&self, min: [f64; 2], max: [f64; 2]) -> Result<[[i64; 2]; 2], PlantAreaError> {
        let is_near = |along: &f64| along.abs() <= FARTHEST;
        if !min.iter().chain(&max).all(is_near) || (0..2).any(|axis| min[axis] > max[axis]) {
            return Err(PlantAreaError::Invalid);
        }
        let around = (3 + 2 * KeptCells::MARGIN) as f64;
        let cells = [0, 1].map(|axis| (max[axis] - min[axis]) / self.cell + around);
        if cells[0] * cells[1] > super::Plants::MAX_CELLS as f64 {
            return Err(PlantAreaError::TooLarge { cells: (cells[0] * cells[1]) as u64 });
        }
        Ok(self.cells_around(min, max))
    }

    /// The same for corners that were checked.
    pub fn cells_around(&self, min: [f64; 2], max: [f64; 2]) -> [[i64; 2]; 2] {
        // Far away, a place may be rounded out of its cell.
        [
            min.map(|along| (along / self.cell).floor() as i64 - 1),
            max.map(|along| (along / self.cell).floor() as i64 + 1),
        ]
    }

    /// The place of a cell's candidate, in metres.
    pub fn position(&self, cell: [i64; 2]) -> [f64; 2] {
        let jitter = self.candidate(cell).jitter();
        [0, 1].map(|axis| (cell[axis] as f64 + jitter[axis]) * self.cell)
    }

    /// Random bits for the plant of a cell, which have nothing to do with its place.
    pub fn bits(&self, cell: [i64; 2]) -> u64 {
        mixed(self.candidate(cell).hash ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The order in which candidates are tried.
    #[cfg(test)]
    pub fn hash(&self, cell: [i64; 2]) -> u64 {
        self.candidate(cell).hash
    }

    fn candidate(&self, cell: [i64; 2]) -> Candidate {
        let [x, z] = cell.map(|index| index as u64);
        let row = mixed(z.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.key);
        Candidate { cell, hash: mixed(x.wrapping_mul(0xd1b5_4a32_d192_ed03) ^ row) }
    }
}

/// A bijection of 64 bits in which each bit depends on each. The constants are those of Pelle Evensen, *Stronger, better, morer, Moremur*
/// (2019).
const fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 27).wrapping_mul(0x3c79_ac49_2ba7_b653);
    hash = (hash ^ hash >> 33).wrapping_mul(0x1c69_b3f7_4ac4_ae35);
    hash ^ hash >> 27
}

/// Which cells of a rectangle keep their candidates. It remembers what it found.
pub(super) struct KeptCells<'a> {
    pattern: &'a Pattern,
    first: [i64; 2],
    size: [usize; 2],
    /// For each cell of the rectangle, row by row, its hash.
    hashes: Vec<u64>,
    /// The same for whether its candidate is kept, if that is known.
    known: Vec<Option<bool>>,
    /// The neighbors of a cell, as steps along both axes and in the lists above. The nearest come first.
    neighbors: [([i64; 2], isize); NEIGHBORS.len()],
}

/// The cells around one whose candidates may be nearer than two cells. A candidate three cells away is two cells away or farther.
const NEIGHBORS: [[i64; 2]; 24] = [
    [0, -1],
    [-1, 0],
    [1, 0],
    [0, 1],
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
    [0, -2],
    [-2, 0],
    [2, 0],
    [0, 2],
    [-1, -2],
    [1, -2],
    [-2, -1],
    [2, -1],
    [-2, 1],
    [2, 1],
    [-1, 2],
    [1, 2],
    [-2, -2],
    [2, -2],
    [-2, 2],
    [2, 2],
];

impl<'a> KeptCells<'a> {
    /// How far the rectangle reaches beyond the cells that are asked for. Few decisions depend on cells farther away.
    const MARGIN: i64 = 5;

    /// For the cells from `first` to `last`, and all others too, but more slowly.
    pub fn new(pattern: &'a Pattern, first: [i64; 2], last: [i64; 2]) -> Self {
        let size = [0, 1].map(|axis| (last[axis] - first[axis] + 1 + 2 * Self::MARGIN) as usize);
        let first = first.map(|index| index - Self::MARGIN);
        let row = |z: usize| (0..size[0]).map(move |x| [first[0] + x as i64, first[1] + z as i64]);
        Self {
            pattern,
            first,
            size,
            hashes: (0..size[1]).flat_map(row).map(|cell| pattern.candidate(cell).hash).collect(),
            known: vec![None; size[0] * size[1]],
            neighbors: NEIGHBORS.map(|[x, z]| ([x, z], x as isize + z as isize * size[0] as isize)),
        }
    }

    /// Whether a kept place is nearer than `radius` metres. The radius is at most the side of a cell.
    pub fn is_one_near(&mut self, position: [f64; 2], radius: f64) -> bool {
        let [first, last] =
            self.pattern.cells_around(position.map(|along| along - radius), position.map(|along| along + radius));
        (first[1]..=last[1]).flat_map(|z| (first[0]..=last[0]).map(move |x| [x, z])).any(|cell| {
            let there = self.pattern.position(cell);
            let [x, z] = [there[0] - position[0], there[1] - position[1]];
            x * x + z * z < radius * radius && self.is_kept(cell)
        })
    }

    /// Whether the candidate of the cell is kept: no kept candidate with a lower hash is too near.
    pub fn is_kept(&mut self, cell: [i64; 2]) -> bool {
        let Some(index) = self.index(cell) else {
            let here = self.pattern.candidate(cell);
            return !NEIGHBORS.iter().any(|step| {
                let cell = [cell[0] + step[0], cell[1] + step[1]];
                self.pattern.candidate(cell).may_displace(here) && self.is_kept(cell)
            });
        };
        if let Some(is_kept) = self.known[index] {
            return is_kept;
        }
        let here = Candidate { cell, hash: self.hashes[index] };
        let is_kept = !self.neighbors.into_iter().any(|(step, by)| {
            let hash = self.hashes[index.wrapping_add_signed(by)];
            // Mostly, this decides.
            let cell = [cell[0] + step[0], cell[1] + step[1]];
            hash <= here.hash && Candidate { cell, hash }.may_displace(here) && self.is_kept(cell)
        });
        self.known[index] = Some(is_kept);
        is_kept
    }

    /// The index of a cell in the lists. `None` if not all of its neighbors are in them.
    fn index(&self, cell: [i64; 2]) -> Option<usize> {
        let [column, row] = [0, 1].map(|axis| usize::try_from(cell[axis] - self.first[axis]).unwrap_or(usize::MAX));
        let is_inner = |along: usize, size: usize| (2..size - 2).contains(&along);
        (is_inner(column, self.size[0]) && is_inner(row, self.size[1])).then(|| row * self.size[0] + column)
    }
}
