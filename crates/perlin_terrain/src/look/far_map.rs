//! Maps of far ground: its normals, the horizons that shade it, and its shape.
//!
//! A map is made from the height field alone, whatever chunks are drawn. So far ground looks the same at any level of detail.

mod relief;

use crate::field::{HeightField, NodeGrid};
use crate::half::half;
use crate::noise::NoiseScratch;
pub(crate) use relief::DIRECTIONS;
use relief::Relief;
use std::ops::Range;
use std::sync::Arc;

/// The width of a texel of each map in metres, from the finest map to the coarsest.
pub const TEXELS: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];

/// The distance in metres over which the maps tell hollows from crests.
pub(crate) const CURVATURE_RADIUS: f32 = 64.0;

/// How much lower than the ground around it a position with a curvature of 1 is, in metres.
const FULL_HOLLOW: f32 = 0.5 * CURVATURE_RADIUS;

/// The curvature of the ground, from -1, a crest, to 1, a hollow, from its height and those around it: [`CURVATURE_RADIUS`] away in the
/// [`DIRECTIONS`].
pub(crate) fn curvature(height: f32, around: &[f32; DIRECTIONS.len()]) -> f32 {
    let hollow = around.iter().fold(0.0, |sum, there| sum + (there - height) / DIRECTIONS.len() as f32);
    (hollow / FULL_HOLLOW).clamp(-1.0, 1.0)
}

/// A square map of the ground around a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FarMap {
    /// x and z of the corner of the first texel, in metres.
    pub corner: [f64; 2],
    /// For each texel, row by row, x and z of the ground's unit normal, as `f16`.
    pub normals: Vec<u8>,
    /// For each texel, row by row, four bytes, of the ground at the texel's corner, the first two of the water where it is higher:
    ///
    /// - how open it is to the sky, from 0 to 255: the part of the light of an even sky that arrives;
    /// - how high the horizon toward the sun is: `255 t / (1 + t)` for its tangent `t`;
    /// - the curvature, from 1 for crests over 128 to 255 for hollows: 255 where the ground 64 m around is higher by half of that;
    /// - the drainage, from 1 for crests between gullies over 128 to 255 for their bottoms.
    pub shape: Vec<u8>,
}

/// Makes a [`FarMap`] in small steps.
///
/// The map has `size` x `size` texels. The horizon of a position may be far outside of it, so there are two grids of heights: one of
/// the map, and a coarse one around it, four times as wide.
pub struct FarMapMaker {
    field: Arc<HeightField>,
    size: usize,
    texel: f64,
    /// The direction toward the sun along x and z.
    sun: [f32; 2],
    /// The index of the first height on the grid of texels.
    first: [i64; 2],
    /// One row and one column more than texels.
    near: Relief,
    drainage: Vec<f32>,
    far: Relief,
    /// For each of the [`DIRECTIONS`] and for that of the sun, the horizons at the points of the coarse grid that lie on the map.
    far_horizons: Vec<Vec<f32>>,
    map: FarMap,
    scratch: Scratch,
}

/// Buffers that keep their memory.
#[derive(Default)]
struct Scratch {
    noise: NoiseScratch,
    heights: Vec<f32>,
    drainage: Vec<f32>,
}

impl FarMapMaker {
    /// The number of texels between points of the coarse grid.
    const RATIO: usize = 16;

    /// The number of rows of a step.
    const ROWS: usize = 16;

    /// The distances, in texels, at which a position looks for its horizon on the map, and then, in points of the coarse grid,
    /// beyond.
    const NEAR: [f32; 8] = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0];
    const FAR: [f32; 8] = [3.4, 5.6, 9.0, 15.0, 24.0, 38.0, 61.0, 99.0];

    /// The same toward the sun: shadows have edges, so it looks farther on the map. The slope of the position itself shades it too, so
    /// the first step is wide.
    const SUN_NEAR: [f32; 2] = [2.0, 128.0];

    /// Starts a map around `center` with `size` texels a side, a multiple of 128, that are `texel` metres wide. `sun` is the
    /// unit vector toward the sun along x and z, or zeros without one: then nothing hides it.
    pub fn new(field: Arc<HeightField>, center: [f64; 2], texel: f64, size: usize, sun: [f32; 2]) -> Self {
        let ratio = Self::RATIO as i64;
        let first = center.map(|position| (position / texel / ratio as f64).round() as i64 * ratio - size as i64 / 2);
        let relief = |side, step| Relief { heights: Vec::with_capacity(side * side), side, step, water: f32::MIN };
        Self {
            size,
            texel,
            sun,
            first,
            near: relief(size + 1, texel as f32),
            drainage: Vec::new(),
            far: relief(size / 4 + 1, (texel * ratio as f64) as f32),
            far_horizons: Vec::new(),
            map: FarMap {
                corner: first.map(|index| index as f64 * texel),
                normals: Vec::with_capacity(size * size * 4),
                shape: Vec::with_capacity(size * size * 4),
            },
            field,
            scratch: Scratch::default(),
        }
    }

    /// Covers ground that is lower than `level` metres with water.
    #[must_use]
    pub const fn with_water(mut self, level: f32) -> Self {
        (self.near.water, self.far.water) = (level, level);
        self
    }

    /// Does a small part of the work. Returns the map when it is whole.
    pub fn step(&mut self) -> Option<FarMap> {
        let rows = |relief: &Relief| relief.heights.len() / relief.side;
        let texel_rows = self.map.shape.len() / (4 * self.size);
        match (rows(&self.far), rows(&self.near)) {
            (row, _) if row < self.far.side => self.fill_far(row),
            _ if self.far_horizons.is_empty() => self.look_far(),
            (_, row) if row < self.near.side => self.fill_near(row),
            _ if texel_rows < self.size => self.write(texel_rows..(texel_rows + Self::ROWS).min(self.size)),
            _ => return Some(std::mem::take(&mut self.map)),
        }
        None
    }

    fn fill_far(&mut self, row: usize) {
        let margin = self.margin();
        let origin = self.first.map(|index| index / Self::RATIO as i64 - margin as i64);
        let grid = NodeGrid {
            origin: [origin[0], origin[1] + row as i64],
            stride: 1,
            size: [self.far.side, Self::ROWS.min(self.far.side - row)],
            spacing: self.texel * Self::RATIO as f64,
        };
        self.field.fill(&grid, &mut self.scratch.noise, &mut self.scratch.heights);
        self.far.heights.extend_from_slice(&self.scratch.heights);
    }

    /// Points of the coarse grid from its border to the map.
    const fn margin(&self) -> usize {
        (self.size / 4 - self.size / Self::RATIO) / 2
    }

    fn fill_near(&mut self, row: usize) {
        let grid = NodeGrid {
            origin: [self.first[0], self.first[1] + row as i64],
            stride: 1,
            size: [self.near.side, Self::ROWS.min(self.near.side - row)],
            spacing: self.texel,
        };
        let Scratch { noise, heights, drainage } = &mut self.scratch;
        self.field.fill_with_drainage(&grid, noise, heights, drainage);
        self.near.heights.extend_from_slice(heights);
        self.drainage.extend_from_slice(drainage);
    }

    fn look_far(&mut self) {
        let (first, count) = (self.margin(), self.size / Self::RATIO + 1);
        let toward_sun = self.sun_distances(Self::FAR[0], self.far.side as f32);
        let of_sun = (self.sun, toward_sun.as_slice());
        let directions = DIRECTIONS.iter().map(|&direction| (direction, Self::FAR.as_slice())).chain([of_sun]);
        self.far_horizons = directions
            .map(|(direction, distances)| {
                let mut horizons = vec![0.0; count * count];
                for (row, horizons) in horizons.chunks_exact_mut(count).enumerate() {
                    self.far.raise_horizon(horizons, &(first..first + count), first + row, direction, distances);
                }
                horizons
            })
            .collect();
    }

    /// The horizons beyond the reach of [`raise_horizon`](Relief::raise_horizon) on the map, of the texels of a row.
    fn far_horizon(&self, direction: usize, row: usize, horizon: &mut [f32]) {
        let (count, ratio) = (self.size / Self::RATIO + 1, Self::RATIO);
        let between = |a: f32, b: f32, part: usize| a + (b - a) * (part as f32 / ratio as f32);
        let [above, below] = [0, 1].map(|down| &self.far_horizons[direction][(row / ratio + down) * count..][..count]);
        let mixed = |column: usize| between(above[column], below[column], row % ratio);
        for (cell, horizon) in horizon.chunks_exact_mut(ratio).enumerate() {
            let [left, right] = [mixed(cell), mixed(cell + 1)];
            for (part, horizon) in horizon.iter_mut().enumerate() {
                *horizon = between(left, right, part);
            }
        }
    }

    /// Writes rows of texels.
    fn write(&mut self, rows: Range<usize>) {
        let columns = 0..self.size;
        let toward_sun = self.sun_distances(Self::SUN_NEAR[0], Self::SUN_NEAR[1]);
        let mut horizon = vec![0.0; self.size];
        for row in rows {
            self.write_normals(row);
            let mut open = vec![0.0; self.size];
            for (number, direction) in DIRECTIONS.into_iter().enumerate() {
                self.far_horizon(number, row, &mut horizon);
                self.near.raise_horizon(&mut horizon, &columns, row, direction, &Self::NEAR);
                // The part of the light of an even sky that arrives from there is cos² of the horizon's height.
                open.iter_mut().zip(&horizon).for_each(|(open, tangent)| *open += 0.125 / (1.0 + tangent * tangent));
            }
            self.far_horizon(DIRECTIONS.len(), row, &mut horizon);
            self.near.raise_horizon(&mut horizon, &columns, row, self.sun, &toward_sun);
            let hollow = self.near.hollow(&columns, row, CURVATURE_RADIUS / self.near.step);
            let drainage = &self.drainage[row * self.near.side..];
            for (((open, horizon), hollow), drainage) in open.iter().zip(&horizon).zip(&hollow).zip(drainage) {
                self.map.shape.extend([
                    byte(*open),
                    byte(horizon / (1.0 + horizon)),
                    signed_byte(hollow / FULL_HOLLOW),
                    signed_byte(*drainage),
                ]);
            }
        }
    }

    /// The distances at which a position looks for the sun, from `first` to `end`.
    fn sun_distances(&self, first: f32, end: f32) -> Vec<f32> {
        let end = if self.sun == [0.0; 2] { 0.0 } else { end };
        std::iter::successors(Some(first), |distance| Some((distance * 1.09).max(distance + 1.0)))
            .take_while(|&distance| distance < end)
            .collect()
    }

    /// The normals in the middle of the texels of a row: of the slope between their corners.
    fn write_normals(&mut self, row: usize) {
        let [north, south] = [row, row + 1].map(|row| self.near.row(row));
        let width = 2.0 * self.near.step;
        for (north, south) in north.windows(2).zip(south.windows(2)) {
            let x = (north[0] - north[1] + south[0] - south[1]) / width;
            let z = (north[0] - south[0] + north[1] - south[1]) / width;
            let scale = 1.0 / (x * x + z * z + 1.0).sqrt();
            self.map.normals.extend([x * scale, z * scale].map(half).as_flattened());
        }
    }
}

/// A part from 0 to 1 in a byte.
fn byte(part: f32) -> u8 {
    (part * 255.0 + 0.5) as u8
}

/// A number from -1 to 1 in a byte. 0 is 128.
fn signed_byte(number: f32) -> u8 {
    (number * 127.0 + 128.5).clamp(1.0, 255.0) as u8
}

#[cfg(test)]
mod tests;
