//! A tile of ground while it is made: heights, tints and roughness of its texels.

use crate::noise::{FractalShape, NoiseRng};
use crate::tile_noise::tile_noise;
use std::f32::consts::TAU;

/// A square tile. Everything on it goes on at the opposite side.
pub(super) struct Surface {
    /// Texels along a side.
    pub size: usize,
    /// In sides of the tile.
    pub height: Vec<f32>,
    /// Factors of the color of the ground.
    pub tint: Vec<[f32; 3]>,
    /// The perceptual roughness.
    pub roughness: Vec<f32>,
    noises: u64,
}

/// A thing that lies on the ground: a blade, a leaf, a stone.
pub(super) struct Piece {
    /// Half the length and half the width, in sides of the tile.
    pub half: [f32; 2],
    /// How far it is above the ground, in sides of the tile.
    pub base: f32,
    pub tint: [f32; 3],
    pub roughness: f32,
}

/// The nearest of random points, one for each cell.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// The distance to the nearest point, in cells.
    pub nearest: f32,
    /// How much farther the second one is: 0 at the border between two cells.
    pub border: f32,
    /// A random number from 0 to 1, the same in all of the cell.
    pub random: f32,
}

impl Surface {
    pub fn new(size: usize) -> Self {
        let texels = size * size;
        Self { size, height: vec![0.0; texels], tint: vec![[1.0; 3]; texels], roughness: vec![0.9; texels], noises: 0 }
    }

    /// Every noise and every scatter has random numbers of its own.
    fn next_stream(&mut self) -> u64 {
        self.noises += 1;
        self.noises
    }

    /// As [`tile_noise`].
    pub fn noise(&mut self, shape: FractalShape, cells: u32, octaves: u32, persistence: f32) -> Vec<f32> {
        let stream = self.next_stream();
        tile_noise(self.size, shape, cells, octaves, persistence, stream)
    }

    /// For each texel, the nearest of random points, one in each of `cells` by `cells` squares. The borders between them are bent
    /// by up to about `bend` cells.
    pub fn cells(&mut self, cells: u32, bend: f32) -> Vec<Cell> {
        let bends = [(); 2].map(|()| self.noise(FractalShape::Fbm, cells, 4, 0.6));
        let cells = cells as usize;
        let mut rng = NoiseRng::new(self.next_stream(), 1);
        let mut unit = || rng.next_unit() as f32;
        let points: Vec<[f32; 3]> = (0..cells * cells).map(|_| [unit(), unit(), unit()]).collect();
        let per_texel = cells as f32 / self.size as f32;
        let mut result = Vec::with_capacity(self.size * self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                let texel = row * self.size + column;
                let position = [
                    column as f32 * per_texel + bend * bends[0][texel],
                    row as f32 * per_texel + bend * bends[1][texel],
                ];
                let position = position.map(|at| at.rem_euclid(cells as f32));
                let cell = position.map(|at| at as usize % cells);
                let mut found = Cell { nearest: f32::MAX, border: f32::MAX, random: 0.0 };
                let mut second = f32::MAX;
                // Offsets by one less than the cell, wrapped.
                for (dz, z) in [cells - 1, 0, 1].map(|step| (cell[1] + step) % cells).into_iter().enumerate() {
                    for (dx, x) in [cells - 1, 0, 1].map(|step| (cell[0] + step) % cells).into_iter().enumerate() {
                        let [px, pz, random] = points[z * cells + x];
                        let away = [
                            cell[0] as f32 + dx as f32 - 1.0 + px - position[0],
                            cell[1] as f32 + dz as f32 - 1.0 + pz - position[1],
                        ];
                        let distance = (away[0] * away[0] + away[1] * away[1]).sqrt();
                        if distance < found.nearest {
                            second = found.nearest;
                            (found.nearest, found.random) = (distance, random);
                        } else {
                            second = second.min(distance);
                        }
                    }
                }
                found.border = second - found.nearest;
                result.push(found);
            }
        }
        result
    }

    /// Lays `count` pieces at random positions and in random directions. `piece` makes one, `profile` is its height above its base
    /// at a position from -1 to 1 along its length and its width, or nothing where the piece is not. Higher pieces cover lower ones.
    pub fn scatter(
        &mut self,
        count: usize,
        mut piece: impl FnMut(&mut NoiseRng) -> Piece,
        profile: impl Fn(f32, f32) -> Option<f32>,
    ) {
        let mut rng = NoiseRng::new(self.next_stream(), 2);
        let size = self.size as f32;
        let ground = self.height.clone();
        for _ in 0..count {
            let [x, z] = [rng.next_unit(), rng.next_unit()].map(|unit| unit as f32 * size);
            let (sin, cos) = (rng.next_unit() as f32 * TAU).sin_cos();
            let piece = piece(&mut rng);
            // A piece is at least a texel wide.
            let half = piece.half.map(|half| (half * size).max(0.6));
            let reach = [(half[0] * cos.abs() + half[1] * sin.abs()), (half[0] * sin.abs() + half[1] * cos.abs())];
            let foot = ground[self.texel(x as i32, z as i32)];
            for row in (z - reach[1]).floor() as i32..=(z + reach[1]).ceil() as i32 {
                for column in (x - reach[0]).floor() as i32..=(x + reach[0]).ceil() as i32 {
                    let away = [column as f32 - x, row as f32 - z];
                    let along = (away[0] * cos + away[1] * sin) / half[0];
                    let across = (away[1] * cos - away[0] * sin) / half[1];
                    if along.abs() > 1.0 || across.abs() > 1.0 {
                        continue;
                    }
                    let Some(above) = profile(along, across) else { continue };
                    let texel = self.texel(column, row);
                    let height = foot + piece.base + above * piece.half[1];
                    if height > self.height[texel] {
                        self.height[texel] = height;
                        self.tint[texel] = piece.tint;
                        self.roughness[texel] = piece.roughness;
                    }
                }
            }
        }
    }

    fn texel(&self, column: i32, row: i32) -> usize {
        let size = self.size as i32;
        (row.rem_euclid(size) * size + column.rem_euclid(size)) as usize
    }

    /// Sets each texel from its index.
    pub fn paint(&mut self, texel: impl Fn(usize) -> (f32, [f32; 3], f32)) {
        for i in 0..self.height.len() {
            (self.height[i], self.tint[i], self.roughness[i]) = texel(i);
        }
    }

    /// Gives the tints a mean of 1 in each channel, and the heights a mean of 0.
    pub fn normalize(&mut self) {
        let texels = self.height.len() as f64;
        for channel in 0..3 {
            let mean = self.tint.iter().map(|tint| f64::from(tint[channel])).sum::<f64>() / texels;
            self.tint.iter_mut().for_each(|tint| tint[channel] /= mean as f32);
        }
        let mean = self.height.iter().map(|&height| f64::from(height)).sum::<f64>() / texels;
        self.height.iter_mut().for_each(|height| *height -= mean as f32);
    }

    /// The slopes of a texel along its columns and its rows: differences of its neighbors.
    pub fn slopes(&self, column: usize, row: usize) -> [f32; 2] {
        let (x, z) = (column as i32, row as i32);
        let at = |x, z| self.height[self.texel(x, z)];
        let scale = self.size as f32 / 2.0;
        [(at(x + 1, z) - at(x - 1, z)) * scale, (at(x, z + 1) - at(x, z - 1)) * scale]
    }
}
