//! The fine pattern of the ground: value noise with several wavelengths, and the positions of textures at several scales.
//!
//! Each noise and each scale of textures has its own lattice, with its own rotation; a texture fills one cell.

pub use crate::period::PERIOD;

/// The number of lattices.
pub const LATTICES: usize = 7;

/// The vertical shear of the lattices. Without it, level ground would cut all cells at the same height.
pub const SHEAR: f64 = 0.375;

/// A lattice of the pattern.
///
/// It repeats after a power of two of cells, because the hash masks the cell index. Its cell size and its rotation are chosen such that it
/// repeats a whole number of times in the [`PERIOD`].
pub struct Lattice {
    /// The lattice repeats after this many cells. A power of two.
    cells: i32,
    /// How often the lattice repeats along x of the terrain in one [`PERIOD`], along its first and its second axis. A whole
    /// number.
    repeats: [f64; 2],
}

/// The lattices of the noise, then those of the textures, each from the largest cells to the smallest.
pub const PATTERN: [Lattice; LATTICES] = [
    // Noise: the cells have sides of 175 m, 54 m, 17 m and 5.5 m.
    Lattice { cells: 1 << 8, repeats: [2.0, 1.0] },
    Lattice { cells: 1 << 9, repeats: [2.0, 3.0] },
    Lattice { cells: 1 << 12, repeats: [-1.0, 1.0] },
    Lattice { cells: 1 << 13, repeats: [1.0, 2.0] },
    // Textures: 190 m, 24 m and 2.9 m.
    Lattice { cells: 1 << 7, repeats: [4.0, 1.0] },
    Lattice { cells: 1 << 10, repeats: [-1.0, 4.0] },
    Lattice { cells: 1 << 13, repeats: [-3.0, 3.0] },
];

impl Lattice {
    /// Cells per metre along x of the terrain, on the first axis and on the second.
    pub fn axes(&self) -> [f64; 2] {
        self.repeats.map(|repeats| repeats * f64::from(self.cells) / PERIOD)
    }

    /// The bits of a cell index that count.
    pub fn mask(&self) -> [i32; 3] {
        // In one horizontal period, the shear of 3/8 shifts y by three vertical periods of `cells / 8`.
        [self.cells - 1, self.cells / 8 - 1, self.cells - 1]
    }

    /// The cell of a position of the terrain, and the position in it, from 0 to 1.
    pub fn cell(&self, [x, y, z]: [f64; 3]) -> ([i32; 3], [f64; 3]) {
        let finite = |metres: f64| if metres.is_finite() { metres } else { 0.0 };
        let ([along, across], y) = (self.axes(), finite(y));
        let [x, z] = [x, z].map(|metres| finite(metres).rem_euclid(PERIOD));
        let size = 1.0 / libm::hypot(along, across);
        let first = along * x - across * z;
        let position = [first, y / size + SHEAR * first, across * x + along * z];
        let cell = position.map(f64::floor);
        (cell.map(|part| part as i32), std::array::from_fn(|axis| position[axis] - cell[axis]))
    }

    /// Value noise at a position of the terrain, from -0.5 to 0.5. `pattern_noise` in
    /// `pattern_noise.wesl` is its twin.
    fn noise(&self, position: [f64; 3]) -> f32 {
        let (low, fraction) = self.cell(position);
        let mask = self.mask();
        let s = fraction.map(|d| (d * d * (3.0 - 2.0 * d)) as f32);
        let corner = |x, y, z| {
            let corner = [x, y, z];
            random(std::array::from_fn(|axis| low[axis].wrapping_add(corner[axis]) & mask[axis]))
        };
        let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
        let along = |y, z| mix(corner(0, y, z), corner(1, y, z), s[0]);
        let across = |z| mix(along(0, z), along(1, z), s[1]);
        mix(across(0), across(1), s[2]) - 0.5
    }
}

/// The four noises at a position of the terrain, as near ground shows them.
pub fn noises(position: [f64; 3]) -> [f32; 4] {
    std::array::from_fn(|number| PATTERN[number].noise(position))
}

/// A random number in [0, 1) for a lattice point.
fn random(cell: [i32; 3]) -> f32 {
    let [x, y, z] = cell.map(|part| part as u32);
    let mut h = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0xC2B2_AE35) ^ z.wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    ((h ^ (h >> 15)) >> 8) as f32 / 16_777_216.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_and_has_both_signs_everywhere() {
        for far in [0.0, -1e6, 1e9] {
            let at = |metres: f64| noises([far + metres, 0.3 * metres, metres - far]);
            let (mut min, mut max) = ([1.0_f32; 4], [-1.0_f32; 4]);
            for step in 0..20_000 {
                let (here, next) = (at(f64::from(step) * 0.1), at(f64::from(step + 1) * 0.1));
                for number in 0..4 {
                    assert!((here[number] - next[number]).abs() < 0.08, "{here:?} {next:?} at {step}");
                    min[number] = min[number].min(here[number]);
                    max[number] = max[number].max(here[number]);
                }
            }
            assert!(min.iter().all(|min| (-0.5..-0.2).contains(min)), "{min:?}");
            assert!(max.iter().all(|max| (0.2..0.5).contains(max)), "{max:?}");
        }
    }

    #[test]
    fn a_position_that_is_not_finite_has_noise() {
        for position in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, f64::INFINITY], [f64::MAX; 3]] {
            assert!(noises(position).iter().all(|noise| (-0.5..0.5).contains(noise)), "{position:?}");
        }
    }
}
