//! Which chunks take the place of which, when one cover follows another.

use crate::chunk::{ChunkCoord, Cover, Piece};
use std::ops::Range;

/// Ground that is drawn at another level than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LevelChange {
    /// The chunk that went or came; all the others lie in it.
    pub area: ChunkCoord,
    /// The finest level that was drawn there.
    pub before: u8,
    /// The finest level that is drawn there now.
    pub now: u8,
    /// Where the chunks that draw it now lie among the leaves of the cover.
    pub leaves: Range<usize>,
}

impl LevelChange {
    /// What became of a piece of ground, if the cover `now` draws it at another level than the one `before`.
    pub fn of(piece: &Piece, before: &Cover, now: &Cover) -> Option<Self> {
        let (old, new) = (&before.leaves()[piece.before.clone()], &now.leaves()[piece.now.clone()]);
        if old == new || !draw_same_ground(old, new) {
            return None;
        }
        let all = || old.iter().chain(new);
        let finest = |chunks: &[ChunkCoord]| chunks.iter().map(|chunk| chunk.level).min();
        Some(Self {
            area: *all().max_by_key(|chunk| chunk.level)?,
            before: finest(old)?,
            now: finest(new)?,
            leaves: piece.now.clone(),
        })
    }
}

/// Whether `old` and `new`, the chunks that draw a piece of ground in two covers, draw all of the same ground.
pub(super) fn draw_same_ground(old: &[ChunkCoord], new: &[ChunkCoord]) -> bool {
    let area = |chunks: &[ChunkCoord]| chunks.iter().map(|chunk| 1_u64 << (2 * chunk.level)).sum::<u64>();
    area(old) == area(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LevelErrors, Reach, Viewer, ViewerPoint};

    /// A cover with roots of level `top` around a viewer that sees `sharply`, or no detail.
    fn cover(top: u8, view_distance: f64, sharply: bool) -> Cover {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 1.0 });
        let point = ViewerPoint { position: [3.0; 3], forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
        let none = Reach::none(&layout);
        let reach = if sharply { Reach::wanted(&layout, &LevelErrors::new(), &point, 0.0, top) } else { none };
        Cover::select(&layout, top, &[Viewer::new(point, reach, (0.0, 0.0))], 0.0, &Cover::default())
    }

    fn changes(before: &Cover, now: &Cover) -> Vec<LevelChange> {
        now.pieces_since(before).filter_map(|piece| LevelChange::of(&piece, before, now)).collect()
    }

    #[test]
    fn the_levels_of_a_change_are_the_finest_that_are_drawn() {
        let (coarse, fine) = (cover(4, 300.0, false), cover(4, 300.0, true));
        let (splits, merges) = (changes(&coarse, &fine), changes(&fine, &coarse));
        assert!(splits.len() > 4 && splits.len() == merges.len());
        for (split, merge) in splits.iter().zip(&merges) {
            let area = split.area;
            let within = |cover: &Cover| {
                let levels = cover.leaves().iter().filter(|leaf| leaf.ancestor(area.level) == area);
                levels.map(|leaf| leaf.level).min().expect("it is drawn")
            };
            assert_eq!((split.before, split.now), (within(&coarse), within(&fine)));
            assert_eq!((merge.area, merge.before, merge.now), (area, split.now, split.before));
            assert!(fine.leaves()[split.leaves.clone()].iter().all(|leaf| leaf.ancestor(area.level) == area));
            assert_eq!(coarse.leaves()[merge.leaves.clone()], [area]);
        }
        assert_eq!(changes(&fine, &fine), []);
    }

    #[test]
    fn ground_that_is_drawn_in_part_alone_is_other_ground() {
        let (coarse, fine) = (cover(6, 300.0, false), cover(3, 300.0, false));
        let parts = fine.pieces_since(&coarse).filter(|piece| {
            let (old, new) = (&coarse.leaves()[piece.before.clone()], &fine.leaves()[piece.now.clone()]);
            !draw_same_ground(old, new)
        });
        assert!(parts.count() > 1);
        assert_eq!(changes(&coarse, &fine), []);
    }
}
