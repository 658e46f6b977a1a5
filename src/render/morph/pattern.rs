//! Where the fine pattern of the ground lies.
//!
//! The pattern is made of noises of several wavelengths, each on a lattice of its own, turned another way. It belongs to the
//! ground: it stays where it is when the terrain or the world is moved, and is as fine a million kilometres away as at the
//! origin. The shader could not count so far in `f32`. So it is told, for each lattice, in which cell the origin of the world
//! lies and where in it, computed here in `f64` once a frame, and counts cells from there in integers.

use crate::stream::TerrainFrame;
use bevy::math::{DVec2, IVec4, Vec3, Vec4};
use bevy::render::render_resource::ShaderType;

/// As many lattices as `morph.wgsl` has.
pub(super) const LATTICES: usize = 6;

/// After so many metres along x or z of the terrain, the pattern comes again.
///
/// A lattice repeats after a power of two of its cells, because that is how it is hashed; its wavelength and its turn are such
/// that this is a whole number of times in the period of the terrain. A round number of metres, so that ground which repeats
/// can have the same look where it does.
const PERIOD: f64 = 100_000.0;

/// How far cells lean to the side as they go up, so that no layer of them lies level.
const LEAN: f64 = 0.375;

/// A lattice: after how many cells it repeats, and how often that is in the period, along the lattice's first axis and its
/// second.
struct Lattice {
    cells: i32,
    repeats: [f64; 2],
}

/// From the largest cells to the smallest.
const PATTERN: [Lattice; LATTICES] = [
    // 175 m, 54 m, 17 m, 5.5 m, 1.7 m, 0.57 m.
    Lattice { cells: 1 << 8, repeats: [2.0, 1.0] },
    Lattice { cells: 1 << 9, repeats: [2.0, 3.0] },
    Lattice { cells: 1 << 12, repeats: [-1.0, 1.0] },
    Lattice { cells: 1 << 13, repeats: [1.0, 2.0] },
    Lattice { cells: 1 << 14, repeats: [-2.0, 3.0] },
    Lattice { cells: 1 << 15, repeats: [-5.0, 2.0] },
];

/// A lattice as the shader takes it.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LatticeUniform {
    /// Cells per metre of the terrain along x, on the first axis and on the second; the size of a cell in metres; how far
    /// cells lean.
    axes: Vec4,
    /// Where the world's origin lies in its cell, from 0 to 1; the last is unused.
    fraction: Vec4,
    /// The cell in which the world's origin lies; the last is unused.
    cell: IVec4,
    /// What of a cell's number counts, bit by bit; the last is unused.
    mask: IVec4,
}

/// The lattices around the world's origin, for a terrain that lies so.
pub(super) fn lattices(frame: &TerrainFrame) -> [LatticeUniform; LATTICES] {
    let place = frame.to_terrain(Vec3::ZERO);
    let wrap = |metres: f64| if metres.is_finite() { metres.rem_euclid(PERIOD) } else { 0.0 };
    let (x, z) = (wrap(place.x), wrap(place.z));
    PATTERN.map(|Lattice { cells, repeats }| {
        let axes = DVec2::from(repeats) * (f64::from(cells) / PERIOD);
        let (first, second) = (axes.x * x - axes.y * z, axes.y * x + axes.x * z);
        let place = [first, LEAN * first, second];
        let [cell_x, cell_y, cell_z] = place.map(f64::floor);
        let [x, y, z] = [first - cell_x, LEAN * first - cell_y, second - cell_z];
        LatticeUniform {
            axes: Vec4::new(axes.x as f32, axes.y as f32, axes.length().recip() as f32, LEAN as f32),
            fraction: Vec4::new(x as f32, y as f32, z as f32, 0.0),
            cell: IVec4::new(cell_x as i32, cell_y as i32, cell_z as i32, 0),
            // Eight cells lean over by three: an eighth as many repeat upward.
            mask: IVec4::new(cells - 1, cells / 8 - 1, cells - 1, 0),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::TerrainOrigin;
    use bevy::math::{DVec3, IVec3};
    use bevy::transform::components::GlobalTransform;

    /// The arithmetic of the shader: the cell of a point of a terrain that is not turned, and where in the cell it lies.
    fn cell(lattice: &LatticeUniform, point: Vec3) -> (IVec3, Vec3) {
        let [along, across, size, lean] = lattice.axes.to_array();
        let first = along * point.x - across * point.z;
        let turned = Vec3::new(first, point.y / size + lean * first, across * point.x + along * point.z);
        let place = turned + lattice.fraction.truncate();
        let cell = place.floor();
        ((cell.as_ivec3() + lattice.cell.truncate()) & lattice.mask.truncate(), place - cell)
    }

    /// How far apart two places on a lattice are, along each axis, in cells; cells that are hashed alike are one.
    fn gap(lattice: &LatticeUniform, a: (IVec3, Vec3), b: (IVec3, Vec3)) -> f32 {
        let cells = lattice.mask.truncate() + 1;
        let around = ((a.0 - b.0 + cells / 2) & lattice.mask.truncate()) - cells / 2;
        (around.as_vec3() + a.1 - b.1).abs().max_element()
    }

    fn frame(x: f64, z: f64) -> TerrainFrame {
        TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::new(x, z))
    }

    #[test]
    fn the_pattern_stays_on_the_ground_wherever_the_origin_of_the_world_is() {
        for far in [0.0, 1e4, -1e6, 1e9] {
            let place = DVec3::new(far + 700.25, 130.5, 300.75 - far);
            for (x, z) in [(1024.0, 0.0), (-512.0, 2048.0), (700.0, -700.0)] {
                let (here, there) = (frame(far, -far), frame(far + x, z - far));
                for (a, b) in lattices(&here).iter().zip(&lattices(&there)) {
                    let gap = gap(a, cell(a, here.to_world(place)), cell(b, there.to_world(place)));
                    // Steps of `f32` at 2000 m, in cells of 0.57 m.
                    assert!(gap < 2e-3, "{gap} at {far} after {x}, {z}");
                }
            }
        }
    }

    #[test]
    fn the_pattern_repeats_after_its_period_to_the_bit_and_not_before() {
        let point = Vec3::new(12.5, 20.0, -7.25);
        for (x, z) in [(0.0, 0.0), (1234.5, -77_000.25)] {
            for (east, south) in [(PERIOD, 0.0), (0.0, -PERIOD), (1e7, 1e7), (-1e9, 0.0)] {
                for (a, b) in lattices(&frame(x, z)).iter().zip(&lattices(&frame(x + east, z + south))) {
                    assert_eq!(a, b, "after {east}, {south}");
                }
            }
            // The seam of the period shows nowhere: cells on both sides go on counting.
            for (a, b) in lattices(&frame(x + 1.0 - x.rem_euclid(PERIOD), z))
                .iter()
                .zip(&lattices(&frame(x - 1.0 - x.rem_euclid(PERIOD), z)))
            {
                let step = Vec3::new(2.0, 0.0, 0.0);
                assert!(gap(a, cell(a, point), cell(b, point + step)) < 2e-3);
            }
        }
        let (here, there) = (lattices(&frame(0.0, 0.0)), lattices(&frame(PERIOD / 2.0, 0.0)));
        assert_ne!(here, there);
    }

    #[test]
    fn cells_are_squares_of_the_sizes_that_the_look_is_made_for() {
        let wanted = [170.0, 53.0, 17.0, 5.3, 1.7, 0.55];
        for (lattice, size) in lattices(&frame(0.0, 0.0)).iter().zip(wanted) {
            assert!((lattice.axes.z / size - 1.0).abs() < 0.05, "{} for {size}", lattice.axes.z);
            assert!((lattice.axes.x.hypot(lattice.axes.y) * lattice.axes.z - 1.0).abs() < 1e-6);
        }
    }
}
