//! The domain warp of a group: all its layers are asked at a moved place.

use super::kind::Group;
use super::places::{AnyPlaces, Places};
use super::program::{MAX_PLANES, Step, run};
use crate::noise::{FixedCoord, Noise, NoiseSettings};
use std::sync::Arc;

/// Places at a time.
const BLOCK: usize = 128;

/// Runs steps at moved places.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Warp {
    /// What makes the heights, in `plane`. They run in a workspace of their own.
    pub steps: Vec<Step>,
    /// The heights go to this plane.
    pub plane: usize,
    /// How far places move along x and z.
    displacements: [Arc<Noise>; 2],
}

impl Warp {
    /// A warp of `steps`. `streams` are the random streams of the displacements.
    pub fn new(group: &Group, seed: u64, streams: [u64; 2], plane: usize, steps: Vec<Step>) -> Self {
        let settings = NoiseSettings {
            octaves: group.warp_octaves,
            frequency: group.warp_frequency,
            height_scale: group.warp_strength,
            ..NoiseSettings::default()
        };
        let displacements = streams.map(|stream| Arc::new(Noise::seeded(&settings, seed, stream)));
        Self { steps, plane, displacements }
    }

    /// Writes the heights at `places` into `heights`.
    pub fn run(&self, places: &impl Places, heights: &mut [f32]) {
        let mut coords = [[FixedCoord::default(); 2]; BLOCK];
        let mut moves = [[0.0; BLOCK]; 2];
        let mut planes = [0.0; MAX_PLANES * BLOCK];
        for (first, heights) in (0..).step_by(BLOCK).zip(heights.chunks_mut(BLOCK)) {
            let coords = &mut coords[..heights.len()];
            coords.iter_mut().zip(first..).for_each(|(coord, index)| *coord = places.coord(index));
            for (displacement, moves) in self.displacements.iter().zip(&mut moves) {
                displacement.values_at(coords, &mut moves[..heights.len()]);
            }
            for (index, [x, z]) in coords.iter_mut().enumerate() {
                (*x, *z) = (x.moved(moves[0][index]), z.moved(moves[1][index]));
            }
            run(&self.steps, self.plane, &mut AnyPlaces(coords), &mut planes);
            heights.copy_from_slice(&planes[..heights.len()]);
        }
    }
}
