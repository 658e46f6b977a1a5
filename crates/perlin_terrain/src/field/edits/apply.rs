//! Applies an edit to heights.
//!
//! Where a path bends, several segments reach a position. Its height is a weighted mean of theirs, so it has no step on the inside of
//! the bend. The weights are those of the modified Shepard method: Richard Franke and Gregory Nielson, *Smooth Interpolation of Large
//! Sets of Scattered Data* (1980).

use super::piece::{HillProfile, LevelRule, Piece, PieceChange, PieceShape, metres_between};
use crate::field::band::smooth;
use crate::field::positions::BLOCK;
use crate::field::scatter::{cone, dome};
use crate::noise::FixedCoord;

/// Up to about this distance in metres from the line of a segment, its height alone counts.
const ON_LINE: f32 = 1e-3;

/// The pieces of an edit, joined, for each position of a block.
pub(super) struct Joined {
    /// The distance beyond the nearest shape in metres: not above 0 inside. For a hill, that from the center.
    distances: [f32; BLOCK],
    /// How far along a segment the nearest point is: 0 at its start, 1 at its end.
    parts: [f32; BLOCK],
    /// The heights of [`PieceChange::Level`]: the mean of those of all segments within reach.
    levels: [f32; BLOCK],
    /// The sum of the weights of that mean, for segments.
    sums: [f32; BLOCK],
}

impl Default for Joined {
    fn default() -> Self {
        Self { distances: [0.0; BLOCK], parts: [0.0; BLOCK], levels: [0.0; BLOCK], sums: [0.0; BLOCK] }
    }
}

impl Joined {
    /// Applies an edit to the heights, and to the drainage, at up to [`BLOCK`] positions. `pieces` are those of the edit that may have
    /// an effect there: one at least, in their order.
    pub fn apply(
        &mut self,
        pieces: &[&Piece],
        coords: &[[FixedCoord; 2]],
        heights: &mut [f32],
        drainage: Option<&mut [f32]>,
    ) {
        let piece = pieces[0];
        self.measure(piece, coords);
        if let [_, others @ ..] = pieces {
            let mut next = Self::default();
            for other in others {
                next.measure(other, coords);
                self.join(&next, coords.len());
            }
        }
        // What does not depend on the segment is the same in all pieces of an edit.
        let (per_fade, strength) = (piece.per_fade, piece.strength);
        match piece.change {
            PieceChange::Level { rule, .. } => {
                let weight = |distance: f32| strength * (1.0 - smooth(distance * per_fade));
                let nearest = self.distances.iter().zip(&self.levels);
                if let Some(drainage) = drainage {
                    for ((drainage, &height), (&distance, &level)) in
                        drainage.iter_mut().zip(&*heights).zip(nearest.clone())
                    {
                        if rule.changes(height, level) {
                            *drainage *= 1.0 - weight(distance);
                        }
                    }
                }
                for (height, (&distance, &level)) in heights.iter_mut().zip(nearest) {
                    let weight = if rule.changes(*height, level) { weight(distance) } else { 0.0 };
                    let mixed = *height + weight * (level - *height);
                    let mixed = if weight < 1.0 { mixed } else { level };
                    *height = if weight > 0.0 { mixed } else { *height };
                }
            }
            PieceChange::Raise { height: by } => {
                for (height, &distance) in heights.iter_mut().zip(&self.distances) {
                    raise(height, strength * (1.0 - smooth(distance * per_fade)) * by);
                }
            }
            PieceChange::Hill { profile, per_radius, height: by } => {
                let distances = self.distances.iter().map(|distance| distance * per_radius);
                let by = strength * by;
                match profile {
                    HillProfile::Cone => raise_hill(heights, distances, by, cone),
                    HillProfile::Dome => raise_hill(heights, distances, by, dome),
                    HillProfile::Crater(crater) => raise_hill(heights, distances, by, |part| crater.at(part)),
                }
            }
        }
    }

    /// Writes the distances from one piece.
    fn measure(&mut self, piece: &Piece, coords: &[[FixedCoord; 2]]) {
        let is_hill = matches!(piece.change, PieceChange::Hill { .. });
        let offset = |from: &[FixedCoord; 2], coord: &[FixedCoord; 2]| {
            [metres_between(from[0], coord[0]), metres_between(from[1], coord[1])]
        };
        match &piece.shape {
            PieceShape::Circle { center, radius } => {
                let radius = if is_hill { 0.0 } else { *radius };
                for (distance, coord) in self.distances.iter_mut().zip(coords) {
                    let [x, z] = offset(center, coord);
                    *distance = (x * x + z * z).sqrt() - radius;
                }
            }
            PieceShape::Box { center, turn: [cos, sin], half } => {
                for (distance, coord) in self.distances.iter_mut().zip(coords) {
                    let [x, z] = offset(center, coord);
                    let outside = |along: f32, half: f32| {
                        let outside = along.abs() - half;
                        if outside > 0.0 { outside } else { 0.0 }
                    };
                    let [x, z] = [outside(x * cos - z * sin, half[0]), outside(x * sin + z * cos, half[1])];
                    *distance = (x * x + z * z).sqrt();
                }
            }
            PieceShape::Segment { start, along: [along_x, along_z], per_square, radius } => {
                let parts = self.parts.iter_mut().zip(&mut self.sums);
                for ((distance, (part, sum)), coord) in self.distances.iter_mut().zip(parts).zip(coords) {
                    let [x, z] = offset(start, coord);
                    let along = (x * along_x + z * along_z) * per_square;
                    let along = if along > 0.0 { along } else { 0.0 };
                    let along = if along < 1.0 { along } else { 1.0 };
                    let (x, z) = (x - along * along_x, z - along * along_z);
                    let from_line = (x * x + z * z).sqrt();
                    *distance = from_line - radius;
                    *part = along;
                    // The weight of the modified Shepard method: 0 at the end of the reach, and far above all others on the line.
                    let inside = piece.fade - *distance;
                    let weight = if inside > 0.0 { inside / (from_line + ON_LINE) } else { 0.0 };
                    *sum = weight * weight;
                }
            }
        }
        if let PieceChange::Level { start, rise, .. } = piece.change {
            let levels = &mut self.levels[..coords.len()];
            if rise == 0.0 {
                levels.fill(start);
            } else {
                levels.iter_mut().zip(&self.parts).for_each(|(level, &part)| *level = start + part * rise);
            }
        }
    }

    /// Joins another segment. One without a weight changes no bit of the mean, so it does not matter whether it is joined.
    fn join(&mut self, other: &Self, count: usize) {
        for i in 0..count {
            let is_nearer = other.distances[i] < self.distances[i];
            let sum = self.sums[i] + other.sums[i];
            let [level, next] = [self.levels[i], other.levels[i]];
            self.levels[i] = if self.sums[i] > 0.0 {
                if other.sums[i] > 0.0 { level + other.sums[i] / sum * (next - level) } else { level }
            } else if other.sums[i] > 0.0 || is_nearer {
                next
            } else {
                level
            };
            self.sums[i] = sum;
            if is_nearer {
                self.distances[i] = other.distances[i];
            }
        }
    }
}

impl LevelRule {
    fn changes(self, height: f32, level: f32) -> bool {
        match self {
            Self::All => true,
            Self::Lower => height < level,
            Self::Higher => height > level,
        }
    }
}

/// Raises heights by a hill. `distances` are those from its center, in radii.
fn raise_hill(heights: &mut [f32], distances: impl Iterator<Item = f32>, by: f32, profile: impl Fn(f32) -> f32) {
    for (height, distance) in heights.iter_mut().zip(distances) {
        let distance = if distance < 1.0 { distance } else { 1.0 };
        raise(height, by * profile(distance));
    }
}

/// Adds to a height. A 0 changes no bit: a sum would turn -0 into 0.
fn raise(height: &mut f32, by: f32) {
    *height = if by == 0.0 { *height } else { *height + by };
}
