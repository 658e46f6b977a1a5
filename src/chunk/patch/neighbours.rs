//! The chunks beside a patch.

use super::GroundPatch;
use super::rim::Rim;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, Side};

/// The chunks of a cover that a patch ends at, and those over some of its ground: all that its surface has to leave room for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchNeighbours {
    /// The roots that are drawn of some of its ground, or beside it.
    pub(super) roots: Vec<ChunkCoord>,
    pub(super) rims: Vec<Rim>,
}

impl PatchNeighbours {
    /// Walls have no more pairs of vertices than this. They have a tenth as many, but where settings ask for the finest chunks up to
    /// the horizon.
    const MOST_POSTS: usize = 10_000;

    /// How many pairs of vertices the walls have.
    pub(super) fn posts(&self) -> usize {
        self.rims.iter().map(Rim::posts).sum()
    }
}

impl GroundPatch {
    /// The chunks of `drawn` that the patch is to be [built](crate::chunk::ChunkBuilder::build_patch) beside.
    ///
    /// `None` where it can't be: borders of chunks would run through its quads, as these are larger than the roots, or chunks are
    /// so fine along it that there would be far more wall than ground.
    #[must_use]
    pub fn beside(&self, layout: &ChunkLayout, drawn: &Cover) -> Option<PatchNeighbours> {
        let touches = |root: &ChunkCoord| self.touches(layout, &Self::of_chunk(layout, *root));
        let roots: Vec<ChunkCoord> = drawn.roots().iter().copied().filter(touches).collect();
        if roots.is_empty() {
            return Some(PatchNeighbours::default());
        }
        if u32::from(self.level) > u32::from(drawn.top()) + layout.quads().trailing_zeros() {
            return None;
        }
        let rims = roots.iter().flat_map(|&root| {
            let beyond = move |chunk: ChunkCoord, side: Side| {
                let [dx, dz] = side.step();
                chunk.neighbour(dx, dz).ancestor(root.level)
            };
            let is_open = Side::ALL.map(|side| !drawn.contains(beyond(root, side)));
            let leaves = if is_open.contains(&true) { drawn.leaves_in(root) } else { &[] };
            leaves.iter().flat_map(move |&leaf| {
                let ends = Side::ALL
                    .into_iter()
                    .zip(is_open)
                    .filter(move |&(side, is_open)| is_open && beyond(leaf, side) != root);
                ends.filter_map(move |(side, _)| Rim::on(layout, self, leaf, side))
            })
        });
        let neighbours = PatchNeighbours { rims: rims.collect(), roots };
        (neighbours.posts() <= PatchNeighbours::MOST_POSTS).then_some(neighbours)
    }
}
