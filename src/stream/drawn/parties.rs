//! Which patches stand in for chunks: one for each party of viewers.

use crate::chunk::{ChunkLayout, Cover, GroundPatch, PatchNeighbours};
use bevy::prelude::*;

/// A patch that stands in for chunks.
pub(super) struct StandIn {
    pub patch: GroundPatch,
    /// Where its viewers stood when it was found, in metres along x and z.
    pub places: Vec<[f64; 2]>,
    /// The chunks that it was found beside.
    pub neighbours: PatchNeighbours,
    /// When it is there.
    pub entity: Option<Entity>,
}

impl StandIn {
    /// Whether viewers at `places` stand about where the patch makes way for them.
    pub fn is_made_for(&self, layout: &ChunkLayout, places: &[[f64; 2]]) -> bool {
        let near = 0.25 * layout.spacing(self.patch.level);
        let is_near = |[x, z]: [f64; 2], known: &[f64; 2]| libm::hypot(x - known[0], z - known[1]) <= near;
        places.iter().all(|&place| self.places.iter().any(|known| is_near(place, known)))
    }

    /// Whether both are made alike.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.patch, &self.places, &self.neighbours) == (other.patch, &other.places, &other.neighbours)
    }
}

/// Viewers that see the same patch.
#[derive(Clone)]
pub(super) struct Party {
    /// The corners of the square that they see parts of.
    sight: [[f64; 2]; 2],
    /// Where they stand, in metres along x and z.
    places: Vec<[f64; 2]>,
}

impl Party {
    /// One viewer at `place`, in metres along x and z.
    pub fn of(place: [f64; 2], sight: [[f64; 2]; 2]) -> Self {
        Self { sight, places: vec![place] }
    }

    /// Both together.
    pub fn join(mut self, other: Self) -> Self {
        let [min, max] = self.sight;
        let [other_min, other_max] = other.sight;
        self.sight =
            [[0, 1].map(|axis| min[axis].min(other_min[axis])), [0, 1].map(|axis| max[axis].max(other_max[axis]))];
        self.places.extend(other.places);
        self
    }
}

/// What stands in for chunks where `parties` are: that which is `here`, as long as it is enough. Parties that come close to each
/// other see the same patch. `None` where no patch can lie beside the chunks of `cover`.
pub(super) fn stand_ins(
    layout: &ChunkLayout,
    parties: impl IntoIterator<Item = Party>,
    cover: &Cover,
    here: &[StandIn],
) -> Option<Vec<StandIn>> {
    let stand_in_for = |party: &Party| {
        let [min, max] = party.sight;
        let is_enough = |here: &&StandIn| {
            here.patch.contains(layout, min, max)
                && here.is_made_for(layout, &party.places)
                && here.patch.beside(layout, cover).as_ref() == Some(&here.neighbours)
        };
        if let Some(StandIn { patch, places, neighbours, .. }) = here.iter().find(is_enough) {
            return Some(StandIn {
                patch: *patch,
                places: places.clone(),
                neighbours: neighbours.clone(),
                entity: None,
            });
        }
        let patch = GroundPatch::around(layout, min, max)?;
        let neighbours = patch.beside(layout, cover)?;
        Some(StandIn { patch, places: party.places.clone(), neighbours, entity: None })
    };
    let mut found: Vec<(Party, StandIn)> = Vec::new();
    for mut party in parties {
        loop {
            let stand_in = stand_in_for(&party)?;
            let Some(beside) = found.iter().position(|(_, other)| other.patch.touches(layout, &stand_in.patch)) else {
                found.push((party, stand_in));
                break;
            };
            party = party.join(found.swap_remove(beside).0);
        }
    }
    Some(found.into_iter().map(|(_, stand_in)| stand_in).collect())
}
