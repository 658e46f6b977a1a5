//! The domain warp of a group: all its layers are evaluated at a moved position.

use super::kind::Group;
use super::positions::{AnyPositions, MAX_PLANES, Positions};
use crate::noise::{FixedCoord, Noise};
use std::sync::Arc;

/// Positions at a time in a grid.
const BLOCK: usize = 128;

/// Makes heights at moved positions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Warp {
    /// The heights are made in this plane of a workspace of their own, and go to the same plane outside of it.
    pub plane: usize,
    /// The drainage goes from the first plane, in the workspace, to the second.
    pub drainage: Option<[usize; 2]>,
    /// How far positions move along x and z.
    displacements: [Arc<Noise>; 2],
}

impl Warp {
    /// The warp of a group. `streams` are the random streams of the displacements.
    pub fn new(group: &Group, seed: u64, streams: [u64; 2], plane: usize) -> Self {
        let settings = group.warp_noise();
        let displacements = streams.map(|stream| Arc::new(Noise::seeded(&settings, seed, stream)));
        Self { plane, drainage: None, displacements }
    }

    /// The same, of heights only.
    pub fn without_drainage(self) -> Self {
        Self { drainage: None, ..self }
    }

    /// Writes the heights at the moved `positions` into a plane. The first one of `planes` is the plane `first`. `make` writes heights
    /// into the first plane of a workspace, and may use the planes above it.
    pub fn run(
        &self,
        first: usize,
        positions: &impl Positions,
        planes: &mut [f32],
        make: impl FnMut(&mut AnyPositions<'_>, &mut [f32]),
    ) {
        if positions.count() == 1 {
            self.run_in_blocks::<1>(first, positions, planes, make);
        } else {
            self.run_in_blocks::<BLOCK>(first, positions, planes, make);
        }
    }

    /// Works on `N` positions at a time.
    fn run_in_blocks<const N: usize>(
        &self,
        first: usize,
        positions: &impl Positions,
        planes: &mut [f32],
        mut make: impl FnMut(&mut AnyPositions<'_>, &mut [f32]),
    ) {
        let count = positions.count();
        let mut coords = [[FixedCoord::default(); 2]; N];
        let mut moves = [[0.0; N]; 2];
        let mut workspace = [[0.0; N]; MAX_PLANES];
        let workspace = workspace.as_flattened_mut();
        for start in (0..count).step_by(N) {
            let coords = &mut coords[..N.min(count - start)];
            coords.iter_mut().zip(start..).for_each(|(coord, index)| *coord = positions.coord(index));
            for (displacement, moves) in self.displacements.iter().zip(&mut moves) {
                displacement.values_at(coords, &mut moves[..coords.len()]);
            }
            for (index, [x, z]) in coords.iter_mut().enumerate() {
                (*x, *z) = (x.moved(moves[0][index]), z.moved(moves[1][index]));
            }
            let length = coords.len();
            make(&mut AnyPositions(coords), workspace);
            for [from, to] in [[self.plane; 2]].into_iter().chain(self.drainage) {
                let from = &workspace[(from - self.plane) * length..][..length];
                planes[(to - first) * count + start..][..length].copy_from_slice(from);
            }
        }
    }
}
