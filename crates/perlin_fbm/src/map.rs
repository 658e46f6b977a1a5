//! [`NoiseMap`]: noise on a grid, and its files.

use super::{AnyLattice, FixedCoord, Lattice, Noise, NoiseScratch, SampleGrid};
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// Noise on a grid: the result of [`Noise::map`], columns and rows.
///
/// ```
/// use perlin_fbm::{Noise, NoiseSettings, SampleGrid};
///
/// let noise = Noise::seeded(&NoiseSettings::unit(), 42, 0);
/// let map = noise.map(&SampleGrid::new([10.0, 20.0], 0.5, [300, 200]));
/// assert_eq!(map.size(), [300, 200]);
/// assert_eq!(map.at(4, 2), noise.value([12.0, 21.0]));
/// // Shades from the lowest value of the map to its highest.
/// let shades = map.to_gray8_in(map.range());
/// assert!(shades.contains(&0) && shades.contains(&255));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NoiseMap {
    size: [usize; 2],
    values: Vec<f32>,
    /// The value of white; black is its negative.
    white: f32,
}

impl<const N: usize> Noise<N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// The noise on `grid`: what [`fill`](Self::fill) writes, in memory of its own. The slices of a grid in space lie one below the
    /// other; a line is one row.
    ///
    /// To fill many grids, `fill` is faster: it reuses memory.
    ///
    /// ```
    /// use perlin_fbm::{Noise, NoiseSettings, SampleGrid};
    ///
    /// // A slice of space at a height of 7.5 units.
    /// let noise = Noise::<3>::seeded(&NoiseSettings::unit(), 42, 0);
    /// let map = noise.map(&SampleGrid::new([0.0, 0.0, 7.5], 1.0, [128, 128, 1]));
    /// assert_eq!(map.at(3, 4), noise.value([3.0, 4.0, 7.5]));
    /// ```
    ///
    /// # Panics
    ///
    /// If the samples of `grid` do not fit in memory.
    #[must_use]
    pub fn map(&self, grid: &SampleGrid<N>) -> NoiseMap {
        let count = grid.sample_count().expect("the samples of a grid fit in memory");
        let mut values = vec![0.0; count];
        self.fill(grid, &mut NoiseScratch::default(), &mut values);
        NoiseMap { size: [grid.size[0], grid.size[1..].iter().product()], values, white: self.height_scale().abs() }
    }
}

impl Noise {
    /// The noise at `size` samples between `min` and `max`, for spacings that a [`SampleGrid`] does not have: column `i` of `n` lies
    /// at `min + (max - min) i / n`, and so do rows.
    ///
    /// So the first sample is at `min`, and one more would be at `max`: maps with a common border fit together. Each value has the
    /// bits of [`value`](Self::value) at its coordinates. It takes several times as long as [`map`](Self::map), because samples
    /// are computed one by one, as by [`values_at`](Self::values_at).
    ///
    /// ```
    /// use perlin_fbm::{Noise, NoiseSettings};
    ///
    /// let noise = Noise::seeded(&NoiseSettings::unit(), 42, 0);
    /// // 300 by 150 samples, 1/3 unit apart.
    /// let map = noise.map_between([-50.0, 0.0], [50.0, 50.0], [300, 150]);
    /// assert_eq!(map.at(0, 0), noise.value([-50.0, 0.0]));
    /// assert_eq!(map.at(150, 75), noise.value([0.0, 25.0]));
    /// ```
    ///
    /// # Panics
    ///
    /// If the samples do not fit in memory.
    #[must_use]
    pub fn map_between(&self, min: [f64; 2], max: [f64; 2], size: [usize; 2]) -> NoiseMap {
        let count = size[0].checked_mul(size[1]).expect("the samples of a map fit in memory");
        let coord = |axis: usize, index: usize| {
            FixedCoord::from(min[axis] + (max[axis] - min[axis]) * index as f64 / size[axis] as f64)
        };
        let mut positions: Vec<_> = (0..size[0]).map(|column| [coord(0, column), FixedCoord::default()]).collect();
        let mut values = vec![0.0; count];
        for (row, values) in values.chunks_exact_mut(size[0].max(1)).enumerate() {
            let y = coord(1, row);
            positions.iter_mut().for_each(|position| position[1] = y);
            self.values_at(&positions, values);
        }
        NoiseMap { size, values, white: self.height_scale().abs() }
    }
}

impl NoiseMap {
    /// The number of samples along x and y: columns and rows.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// All values, in units, row by row: column `x` of row `y` is at `y * columns + x`.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The values without a copy, in the order of [`values`](Self::values).
    #[must_use]
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// The value in a column and a row, in units.
    ///
    /// # Panics
    ///
    /// If the map does not have that column and row.
    #[must_use]
    pub fn at(&self, column: usize, row: usize) -> f32 {
        let [columns, rows] = self.size;
        assert!(column < columns && row < rows, "{column}, {row} lies outside of a map of {columns} by {rows} samples");
        self.values[row * columns + column]
    }

    /// The lowest and the highest value, in units. 0 to 0 if the map is empty.
    #[must_use]
    pub fn range(&self) -> RangeInclusive<f32> {
        let mut values = self.values.iter().copied();
        let first = values.next().unwrap_or(0.0);
        let (low, high) = values.fold((first, first), |(low, high), value| (low.min(value), high.max(value)));
        low..=high
    }

    /// Shades of gray, one byte a sample, row by row: `255 (v / |height scale| + 1) / 2`, rounded to the nearest and clamped
    /// to 0..=255.
    ///
    /// The shade depends on the value alone, so neighboring maps fit together. 0 is middle gray, 128. A normalized sum of
    /// several octaves does not reach black or white: see [the value ranges](super#value-ranges). For the full range of shades,
    /// use [`to_gray8_in`](Self::to_gray8_in).
    #[must_use]
    pub fn to_gray8(&self) -> Vec<u8> {
        self.to_gray8_in(-self.white..=self.white)
    }

    /// Shades of gray, one byte a sample, row by row: 0 at the start of `range` and 255 at its end, rounded to the nearest and
    /// clamped. Where both are equal, all shades are 128.
    #[must_use]
    pub fn to_gray8_in(&self, range: RangeInclusive<f32>) -> Vec<u8> {
        // `as` saturates.
        self.shades(range, 255.0).map(|shade| shade as u8).collect()
    }

    /// Writes a binary portable graymap (PGM, `P5`) with the shades of [`to_gray8`](Self::to_gray8).
    ///
    /// # Errors
    ///
    /// If `output` can't be written to.
    pub fn write_pgm(&self, output: &mut impl Write) -> io::Result<()> {
        self.write_pgm_header(output, 255)?;
        output.write_all(&self.to_gray8())
    }

    /// Writes a binary portable graymap (PGM, `P5`) of 16 bits a sample, most significant byte first:
    /// `65535 (v / |height scale| + 1) / 2`, rounded to the nearest and clamped.
    ///
    /// # Errors
    ///
    /// If `output` can't be written to.
    pub fn write_pgm16(&self, output: &mut impl Write) -> io::Result<()> {
        self.write_pgm_header(output, 65535)?;
        let shades = self.shades(-self.white..=self.white, 65535.0);
        output.write_all(&shades.flat_map(|shade| (shade as u16).to_be_bytes()).collect::<Vec<u8>>())
    }

    /// Writes a PNG with the shades of [`to_gray8_in`](Self::to_gray8_in). With [`range`](Self::range), it has full contrast.
    ///
    /// Needs the feature `png`.
    ///
    /// ```
    /// use perlin_fbm::{Noise, NoiseSettings, SampleGrid};
    ///
    /// let map = Noise::seeded(&NoiseSettings::unit(), 42, 0).map(&SampleGrid::new([0.0, 0.0], 1.0, [320, 200]));
    /// let mut file = Vec::new(); // or a `File`
    /// map.write_png(&mut file, map.range())?;
    /// assert_eq!(&file[1..4], b"PNG");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `output` can't be written to, or if the map is empty or has 2^32 samples along a side: a PNG can't.
    #[cfg(feature = "png")]
    pub fn write_png(&self, output: &mut impl Write, range: RangeInclusive<f32>) -> io::Result<()> {
        let too_long =
            |_| io::Error::new(io::ErrorKind::InvalidInput, "a PNG has fewer than 2^32 samples along a side");
        let [columns, rows] = self.size;
        let mut encoder =
            png::Encoder::new(output, columns.try_into().map_err(too_long)?, rows.try_into().map_err(too_long)?);
        encoder.set_color(png::ColorType::Grayscale);
        Ok(encoder.write_header()?.write_image_data(&self.to_gray8_in(range))?)
    }

    /// Writes the values as they are: four bytes a sample, least significant byte first, row by row, without a header.
    ///
    /// # Errors
    ///
    /// If `output` can't be written to.
    pub fn write_f32(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&self.values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
    }

    fn write_pgm_header(&self, output: &mut impl Write, white: u16) -> io::Result<()> {
        let [columns, rows] = self.size;
        write!(output, "P5\n{columns} {rows}\n{white}\n")
    }

    /// Whole numbers from 0 at the start of `range` to `white` at its end, and beyond for values outside of it.
    fn shades(&self, range: RangeInclusive<f32>, white: f64) -> impl Iterator<Item = f64> {
        let [low, high] = [*range.start(), *range.end()].map(f64::from);
        self.values.iter().map(move |&value| {
            let shade = if low == high { white / 2.0 } else { (f64::from(value) - low) * white / (high - low) };
            shade.round()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseSettings;

    fn map(size: [usize; 2], values: &[f32], white: f32) -> NoiseMap {
        NoiseMap { size, values: values.to_vec(), white }
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_png_has_the_shades_of_the_range() {
        let map = map([3, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 1.0);
        let mut file = Vec::new();
        map.write_png(&mut file, 1.0..=4.0).expect("memory can be written");
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().expect("it is a PNG");
        let mut shades = vec![0; reader.output_buffer_size().expect("it is small")];
        let info = reader.next_frame(&mut shades).expect("it has an image");
        assert_eq!((info.width, info.height, info.color_type), (3, 2, png::ColorType::Grayscale));
        assert_eq!(shades, [0, 0, 85, 170, 255, 255]);
        let error = NoiseMap { size: [0, 2], values: Vec::new(), white: 1.0 }.write_png(&mut Vec::new(), 0.0..=1.0);
        assert!(error.is_err(), "a PNG has at least one pixel");
    }

    #[test]
    fn a_map_is_what_a_fill_writes() {
        let settings = NoiseSettings { height_scale: -30.0, ..NoiseSettings::unit() };
        let noise = Noise::seeded(&settings, 3, 0);
        let grid = SampleGrid::new([-4.75, 100.0], 1.25, [37, 11]);
        let mut values = vec![0.0; 37 * 11];
        noise.fill(&grid, &mut NoiseScratch::default(), &mut values);
        let map = noise.map(&grid);
        assert_eq!((map.size(), map.values()), ([37, 11], &*values));
        assert_eq!(map.at(36, 10), noise.value([-4.75 + 36.0 * 1.25, 112.5]));
        assert_eq!(map.white, 30.0);
        assert_eq!(map.into_values(), values);
    }

    #[test]
    fn a_map_between_bounds_has_any_spacing_and_the_values_of_its_positions() {
        let noise = Noise::seeded(&NoiseSettings { frequency: 0.7, ..NoiseSettings::unit() }, 3, 0);
        for (min, max, size) in [
            ([0.0, 0.0], [1.0, 1.0], [300, 7]),
            ([-10.0, 4.0], [20.0, 4.5], [17, 33]),
            // The other way, and far away.
            ([1e6, 3.0], [1e6 - 4.0, -3.0], [11, 5]),
        ] {
            let map = noise.map_between(min, max, size);
            assert_eq!((map.size(), map.values().len()), (size, size[0] * size[1]));
            for row in 0..size[1] {
                for column in 0..size[0] {
                    let at = |axis: usize, i: usize| min[axis] + (max[axis] - min[axis]) * i as f64 / size[axis] as f64;
                    let expected = noise.value([at(0, column), at(1, row)]);
                    assert_eq!(map.at(column, row).to_bits(), expected.to_bits(), "{column}, {row} of {size:?}");
                }
            }
        }
        // A spacing that a grid has.
        let grid = SampleGrid::new([-2.0, 5.0], 0.25, [40, 12]);
        assert_eq!(noise.map_between([-2.0, 5.0], [8.0, 8.0], [40, 12]), noise.map(&grid));
        assert_eq!(noise.map_between([0.0; 2], [1.0; 2], [0, 4]).values(), [0.0; 0]);
        assert_eq!(noise.map_between([0.0; 2], [1.0; 2], [4, 0]).values(), [0.0; 0]);
    }

    #[test]
    fn the_range_is_from_the_lowest_value_to_the_highest() {
        assert_eq!(map([2, 2], &[0.5, -0.25, 0.75, 0.0], 1.0).range(), -0.25..=0.75);
        assert_eq!(map([1, 1], &[0.5], 1.0).range(), 0.5..=0.5);
        assert_eq!(map([0, 3], &[], 1.0).range(), 0.0..=0.0);
    }

    #[test]
    fn shades_run_from_black_to_white_and_are_clamped() {
        let values = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0];
        // Zero is 127.5, which rounds up.
        let shades = [0, 0, 64, 128, 191, 255, 255];
        assert_eq!(map([7, 1], &values, 1.0).to_gray8(), shades);
        assert_eq!(map([7, 1], &values.map(|value| value * 250.0), 250.0).to_gray8(), shades);
        assert_eq!(map([7, 1], &values.map(|value| value + 9.0), 1.0).to_gray8_in(8.0..=10.0), shades);
        assert_eq!(map([2, 1], &[3.0, 4.0], 1.0).to_gray8_in(4.0..=3.0), [255, 0]);
    }

    #[test]
    fn a_flat_map_is_middle_gray() {
        let flat = map([2, 1], &[0.0, 0.0], 0.0);
        assert_eq!((flat.to_gray8(), flat.to_gray8_in(flat.range())), (vec![128; 2], vec![128; 2]));
    }

    #[test]
    fn files_have_a_short_header_and_the_samples() {
        let map = map([3, 1], &[-1.0, 0.5, 1.0], 1.0);
        let written = |write: fn(&NoiseMap, &mut Vec<u8>) -> io::Result<()>| {
            let mut bytes = Vec::new();
            write(&map, &mut bytes).expect("memory can be written");
            bytes
        };
        assert_eq!(written(NoiseMap::write_pgm), b"P5\n3 1\n255\n\x00\xbf\xff");
        // 49151.25 is rounded to 0xbfff.
        assert_eq!(written(NoiseMap::write_pgm16), b"P5\n3 1\n65535\n\x00\x00\xbf\xff\xff\xff");
        assert_eq!(written(NoiseMap::write_f32), [0, 0, 0x80, 0xbf, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f]);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let map = map([3, 1], &[-1.0, 0.5, 1.0], 1.0);
        for room in 0..14 {
            let mut disk = vec![0; room];
            assert!(map.write_pgm(&mut disk.as_mut_slice()).is_err(), "{room} bytes");
        }
    }

    #[test]
    #[should_panic(expected = "3, 0 lies outside of a map of 3 by 2 samples")]
    fn a_column_beyond_the_last_is_refused() {
        let _ = map([3, 2], &[0.0; 6], 1.0).at(3, 0);
    }
}
