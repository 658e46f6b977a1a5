//! [`NormalMap`]: the normals of noise on a grid, and their file.

use super::{Noise, NoiseScratch, SampleGrid};
use std::io::{self, Write};

/// The unit normals of noise on a grid, taken as a height over the plane: the result of [`Noise::normal_map`].
///
/// The third component points up, away from the plane, as in the textures that engines call normal maps. The first follows the x of
/// the noise, along a row, and the second its y, from row to row:
///
/// ```text
/// n = (-dh/dx, -dh/dy, 1) / |(-dh/dx, -dh/dy, 1)|
/// ```
///
/// Rows of an image run down, and so does the second component: that is the convention of DirectX. OpenGL's, which glTF and Bevy use,
/// has it the other way: see [`to_rgb8_y_up`](Self::to_rgb8_y_up).
///
/// ```
/// use perlin_fbm::{Noise, NoiseSettings, SampleGrid};
///
/// // Heights up to 12 units, over cells of 64 units.
/// let noise = Noise::seeded(&NoiseSettings { height_scale: 12.0, ..NoiseSettings::unit() }, 42, 0);
/// let map = noise.normal_map(&SampleGrid::new([0.0, 0.0], 1.0, [256, 128]));
/// let [x, _, z] = map.at(40, 10);
/// assert!((f64::from(-x / z) - noise.sample([40.0, 10.0]).gradient[0]).abs() < 1e-5);
/// assert_eq!(map.to_rgb8().len(), 256 * 128 * 3);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NormalMap {
    size: [usize; 2],
    normals: Vec<[f32; 3]>,
}

impl Noise {
    /// The normals of the noise on `grid`, from the gradients of [`fill_with_gradient`](Self::fill_with_gradient).
    ///
    /// Values and coordinates have the same unit, so [`height_scale`](crate::NoiseSettings::height_scale) says how steep the map is.
    ///
    /// # Panics
    ///
    /// If the samples of `grid` do not fit in memory.
    #[must_use]
    pub fn normal_map(&self, grid: &SampleGrid) -> NormalMap {
        let count = grid.sample_count().expect("the samples of a grid fit in memory");
        let [mut values, mut along_x, mut along_y] = [0; 3].map(|_| vec![0.0; count]);
        self.fill_with_gradient(grid, &mut NoiseScratch::default(), &mut values, [&mut along_x, &mut along_y]);
        let normals = along_x.into_iter().zip(along_y).map(|(x, y)| unit_normal([x, y])).collect();
        NormalMap { size: grid.size, normals }
    }
}

/// The unit normal of a surface with this gradient.
fn unit_normal([x, y]: [f32; 2]) -> [f32; 3] {
    // In double precision no square of a slope overflows.
    let [x, y] = [x, y].map(f64::from);
    let length = (x * x + y * y + 1.0).sqrt();
    [-x / length, -y / length, 1.0 / length].map(|component| component as f32)
}

impl NormalMap {
    /// The number of samples along x and y: columns and rows.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// All normals, row by row: column `x` of row `y` is at `y * columns + x`.
    #[must_use]
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.normals
    }

    /// The normal in a column and a row.
    ///
    /// # Panics
    ///
    /// If the map does not have that column and row.
    #[must_use]
    pub fn at(&self, column: usize, row: usize) -> [f32; 3] {
        let [columns, rows] = self.size;
        assert!(column < columns && row < rows, "{column}, {row} lies outside of a map of {columns} by {rows} samples");
        self.normals[row * columns + column]
    }

    /// Red, green and blue, one byte each, row by row: `255 (n + 1) / 2` for each component, rounded to the nearest.
    ///
    /// A flat surface is (128, 128, 255).
    #[must_use]
    pub fn to_rgb8(&self) -> Vec<u8> {
        self.normals.iter().flat_map(|normal| normal.map(encoded)).collect()
    }

    /// The bytes of [`to_rgb8`](Self::to_rgb8) with the second component turned around, so that it points up in the image: the
    /// convention of OpenGL.
    #[must_use]
    pub fn to_rgb8_y_up(&self) -> Vec<u8> {
        self.normals.iter().flat_map(|&[x, y, z]| [x, -y, z].map(encoded)).collect()
    }

    /// Writes a binary portable pixmap (PPM, `P6`) with the colors of [`to_rgb8`](Self::to_rgb8).
    ///
    /// # Errors
    ///
    /// If `output` can't be written to.
    pub fn write_ppm(&self, output: &mut impl Write) -> io::Result<()> {
        let [columns, rows] = self.size;
        write!(output, "P6\n{columns} {rows}\n255\n")?;
        output.write_all(&self.to_rgb8())
    }
}

/// A component from -1 to 1 as a byte.
fn encoded(component: f32) -> u8 {
    // `as` saturates.
    ((f64::from(component) + 1.0) * 127.5).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseSettings;

    #[test]
    fn normals_are_upright_to_the_exact_gradient() {
        let noise = Noise::seeded(&NoiseSettings { height_scale: 40.0, ..NoiseSettings::unit() }, 3, 0);
        let map = noise.normal_map(&SampleGrid::new([-4.75, 100.0], 1.25, [37, 11]));
        assert_eq!((map.size(), map.normals().len()), ([37, 11], 37 * 11));
        for (row, column) in (0..11).flat_map(|row| (0..37).map(move |column| (row, column))) {
            let p = [-4.75 + column as f64 * 1.25, 100.0 + row as f64 * 1.25];
            let ([x, y, z], gradient) = (map.at(column, row).map(f64::from), noise.sample(p).gradient);
            // The length and the directions along both axes of the surface, each rounded to single precision.
            assert!((x * x + y * y + z * z - 1.0).abs() < 3e-7 && z > 0.0, "{x}, {y}, {z}");
            assert!((x + z * gradient[0]).abs() < 1e-5 && (y + z * gradient[1]).abs() < 1e-5, "{column}, {row}");
        }
    }

    #[test]
    fn colors_are_those_of_normal_maps() {
        let normals = vec![[0.0, 0.0, 1.0], [0.6, -0.8, 0.0], [-1.0, 1.0, 0.0]];
        let map = NormalMap { size: [3, 1], normals };
        assert_eq!(map.to_rgb8(), [128, 128, 255, 204, 25, 128, 0, 255, 128]);
        assert_eq!(map.to_rgb8_y_up(), [128, 128, 255, 204, 230, 128, 0, 0, 128]);
        let mut file = Vec::new();
        map.write_ppm(&mut file).expect("memory can be written");
        assert_eq!(file, [b"P6\n3 1\n255\n".as_slice(), &map.to_rgb8()].concat());
        assert!(map.write_ppm(&mut [0; 19].as_mut_slice()).is_err(), "20 bytes");
    }

    #[test]
    fn the_steepest_slope_has_a_normal() {
        assert_eq!(unit_normal([f32::MAX, 0.0]), [-1.0, 0.0, (1.0 / f64::from(f32::MAX)) as f32]);
        assert_eq!(unit_normal([0.0, 0.0]), [0.0, 0.0, 1.0]);
    }

    #[test]
    #[should_panic(expected = "3, 0 lies outside of a map of 3 by 2 samples")]
    fn a_column_beyond_the_last_is_refused() {
        let _ = NormalMap { size: [3, 2], normals: vec![[0.0, 0.0, 1.0]; 6] }.at(3, 0);
    }
}
