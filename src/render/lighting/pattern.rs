//! The position of the fine pattern on the ground. It sticks to the ground when the terrain or the world origin moves, and it is
//! as precise a million kilometres away as at the origin.
//!
//! `f32` coordinates in the shader would be too coarse for that. So the CPU computes, in `f64` and once per frame, the cell that
//! contains the world origin and the position in that cell. The shader counts cells from there in integers.

use crate::look::pattern::{LATTICES, PATTERN, SHEAR};
use crate::stream::TerrainFrame;
use bevy::math::{DVec2, DVec3, IVec3, IVec4, Vec3, Vec4};
use bevy::render::render_resource::ShaderType;

/// A lattice in the layout of the shader.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LatticeUniform {
    /// Cells per metre along x of the terrain, on the first axis and on the second; cell size in metres; shear.
    axes: Vec4,
    /// The position of the world origin in its cell, from 0 to 1; unused.
    fraction: Vec4,
    /// The cell that contains the world origin; unused.
    cell: IVec4,
    /// The bits of a cell index that count; unused.
    mask: IVec4,
}

/// The lattices around the world origin, for a terrain in `frame`.
pub(super) fn lattices(frame: &TerrainFrame) -> [LatticeUniform; LATTICES] {
    let origin = frame.to_terrain(Vec3::ZERO);
    PATTERN.map(|lattice| {
        let axes = DVec2::from(lattice.axes());
        // The shader adds the height.
        let (cell, fraction) = lattice.cell([origin.x, 0.0, origin.z]);
        LatticeUniform {
            axes: Vec4::new(axes.x as f32, axes.y as f32, axes.length().recip() as f32, SHEAR as f32),
            fraction: DVec3::from(fraction).as_vec3().extend(0.0),
            cell: IVec3::from(cell).extend(0),
            mask: IVec3::from(lattice.mask()).extend(0),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::pattern::PERIOD;
    use crate::stream::TerrainOrigin;
    use bevy::transform::components::GlobalTransform;

    /// The arithmetic of the shader: the cell of a point and the position in it, for a terrain without rotation.
    fn cell(lattice: &LatticeUniform, point: Vec3) -> (IVec3, Vec3) {
        let [along, across, size, shear] = lattice.axes.to_array();
        let first = along * point.x - across * point.z;
        let turned = Vec3::new(first, point.y / size + shear * first, across * point.x + along * point.z);
        let position = turned + lattice.fraction.truncate();
        let cell = position.floor();
        ((cell.as_ivec3() + lattice.cell.truncate()) & lattice.mask.truncate(), position - cell)
    }

    /// The largest distance of two positions along an axis of the lattice, in cells, modulo the period of the hash.
    fn gap(lattice: &LatticeUniform, a: (IVec3, Vec3), b: (IVec3, Vec3)) -> f32 {
        let cells = lattice.mask.truncate() + 1;
        let around = ((a.0 - b.0 + cells / 2) & lattice.mask.truncate()) - cells / 2;
        (around.as_vec3() + a.1 - b.1).abs().max_element()
    }

    fn frame(x: f64, z: f64) -> TerrainFrame {
        TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::new(x, z))
    }

    #[test]
    fn the_pattern_stays_on_the_ground_when_the_world_origin_moves() {
        for far in [0.0, 1e4, -1e6, 1e9] {
            let position = DVec3::new(far + 700.25, 130.5, 300.75 - far);
            for (x, z) in [(1024.0, 0.0), (-512.0, 2048.0), (700.0, -700.0)] {
                let (here, there) = (frame(far, -far), frame(far + x, z - far));
                for (a, b) in lattices(&here).iter().zip(&lattices(&there)) {
                    let gap = gap(a, cell(a, here.to_world(position)), cell(b, there.to_world(position)));
                    // The precision of `f32` at 2000 m, in cells of 2.9 m.
                    assert!(gap < 2e-3, "{gap} at {far} after {x}, {z}");
                }
            }
        }
    }

    #[test]
    fn the_pattern_repeats_exactly_after_its_period_and_not_before() {
        let point = Vec3::new(12.5, 20.0, -7.25);
        for (x, z) in [(0.0, 0.0), (1234.5, -77_000.25)] {
            for (east, south) in [(PERIOD, 0.0), (0.0, -PERIOD), (1e7, 1e7), (-1e9, 0.0)] {
                for (a, b) in lattices(&frame(x, z)).iter().zip(&lattices(&frame(x + east, z + south))) {
                    assert_eq!(a, b, "after {east}, {south}");
                }
            }
            // The pattern continues across the border of the period.
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
    fn cells_are_squares_of_the_sizes_that_the_shader_expects() {
        let wanted = [175.0, 54.0, 17.0, 5.4, 190.0, 23.7, 2.88];
        for (lattice, size) in lattices(&frame(0.0, 0.0)).iter().zip(wanted) {
            assert!((lattice.axes.z / size - 1.0).abs() < 0.05, "{} for {size}", lattice.axes.z);
            assert!((lattice.axes.x.hypot(lattice.axes.y) * lattice.axes.z - 1.0).abs() < 1e-6);
        }
    }
}
