//! One plant.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The name of a plant, the same in every session and on every machine, for saved games and for messages over a network.
///
/// An id whose layer has another `spacing` or `stream` by now, or is gone, finds no plant, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct PlantId {
    /// The [stream](super::PlantLayer::stream) of its layer.
    pub stream: u32,
    /// The cell in which it stands, along x and z.
    pub cell: [i64; 2],
}

/// A plant or a stone that stands on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plant {
    /// Its name.
    pub id: PlantId,
    /// Its foot, on the level-0 triangle, in the terrain's own coordinates: x, y and z in metres.
    pub position: [f64; 3],
    /// The unit normal of the ground there, as it is lit: between those of the vertices.
    pub normal: [f32; 3],
    /// How far it is turned around y, counterclockwise seen from above, in radians from 0 to 2 pi.
    pub yaw: f32,
    /// Its height, or the width of a stone, in metres.
    pub size: f32,
    /// A random number for differences between plants of a layer.
    pub variant: u8,
    /// When it goes as plants become fewer, from 0, the last one, to below 1, the first one.
    pub rank: f32,
}

impl Plant {
    /// The order of ranks, and of ids where they are equal.
    #[must_use]
    pub fn by_rank(a: &Self, b: &Self) -> Ordering {
        a.rank.total_cmp(&b.rank).then(a.id.cmp(&b.id))
    }
}
