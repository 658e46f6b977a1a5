//! What becomes of the ground, piece by piece, when one cover follows another.

use super::Cover;
use crate::chunk::ChunkCoord;
use std::cmp::Ordering;
use std::ops::Range;

/// A piece of ground that is drawn in one of two covers, or in both: as large as the larger of the leaves there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where the chunks that draw it lie among the leaves of the cover before.
    pub before: Range<usize>,
    /// Where they lie among the leaves of the cover that follows.
    pub now: Range<usize>,
}

impl Cover {
    /// The pieces of ground that this cover draws, or the one `before` did, in the order of the leaves of both.
    ///
    /// One leaf becomes the same leaf, or finer ones, or finer ones become one; or there are none on one side. Where the roots of
    /// both are of different levels, finer leaves may draw a part of a coarser one alone.
    ///
    /// A walk along both, which looks nothing up.
    pub fn pieces_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = Piece> + 'a {
        let (old, new) = (before.leaves(), self.leaves());
        let (mut at, mut at_new) = (0, 0);
        std::iter::from_fn(move || {
            let (first, first_new) = (at, at_new);
            let order = match (old.get(at), new.get(at_new)) {
                // As almost all of them are.
                (Some(old), Some(new)) if old == new => Ordering::Equal,
                (Some(old), Some(new)) => old.compare_places(*new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            at += usize::from(order != Ordering::Greater);
            at_new += usize::from(order != Ordering::Less);
            if order == Ordering::Equal {
                let (one, other) = (old[first], new[first_new]);
                let within = |leaves: &[ChunkCoord], at: usize, larger: ChunkCoord| {
                    leaves[at..].iter().take_while(|leaf| leaf.ancestor(larger.level) == larger).count()
                };
                at += if one.level < other.level { within(old, at, other) } else { 0 };
                at_new += if one.level > other.level { within(new, at_new, one) } else { 0 };
            }
            Some(Piece { before: first..at, now: first_new..at_new })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::layout;
    use super::*;
    use crate::chunk::{LevelErrors, Reach, Viewer, ViewerPoint};
    use crate::noise::NoiseRng;
    use std::collections::BTreeSet;

    /// Covers around a viewer that wanders, looks further and less far, and jumps.
    fn covers() -> Vec<Cover> {
        let (layout, mut rng) = (layout(), NoiseRng::new(3, 0));
        let (mut covers, mut place, mut view_distance) = (vec![Cover::default()], [0.0; 2], 240.0);
        for step in 0..400 {
            if step % 7 == 0 {
                view_distance = 80.0 + 1200.0 * rng.next_unit();
            }
            let far = if step % 50 == 49 { 4e4 } else { 40.0 };
            place = place.map(|along| along + far * (rng.next_unit() - 0.5));
            let position = [place[0], 0.0, place[1]];
            let point = ViewerPoint { position, forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
            let top = Cover::top_level(&layout, view_distance);
            let reach = match step % 5 {
                0 => Reach::none(&layout),
                _ => Reach::wanted(&layout, &LevelErrors::new(), &point, 3.0, top),
            };
            let viewer = Viewer::new(point, reach, (0.0, 0.0));
            covers.push(Cover::select(&layout, top, &[viewer], 20.0, &covers[covers.len() - 1]));
        }
        covers.push(Cover::default());
        covers
    }

    /// The finest chunks of the ground that is drawn by `leaves`.
    fn ground(leaves: &[ChunkCoord]) -> BTreeSet<ChunkCoord> {
        let mut ground = BTreeSet::new();
        let mut left = leaves.to_vec();
        while let Some(chunk) = left.pop() {
            if chunk.level == 0 {
                ground.insert(chunk);
            } else {
                left.extend(chunk.children());
            }
        }
        ground
    }

    #[test]
    fn leaves_come_in_order() {
        for cover in covers() {
            for chunks in [cover.leaves(), cover.roots()] {
                assert!(chunks.windows(2).all(|pair| pair[0].compare_places(pair[1]) == Ordering::Less));
            }
        }
    }

    #[test]
    fn pieces_are_all_leaves_of_both_in_order_and_no_other_shares_their_ground() {
        let covers = covers();
        let (mut same, mut splits, mut merges, mut ends, mut parts) = (0, 0, 0, 0, 0);
        for (before, now) in covers.windows(2).map(|pair| (&pair[0], &pair[1])) {
            let (mut at, mut at_now) = (0, 0);
            let shared = &ground(before.leaves()) & &ground(now.leaves());
            for piece in now.pieces_since(before) {
                assert_eq!((piece.before.start, piece.now.start), (at, at_now), "no leaf is left out");
                (at, at_now) = (piece.before.end, piece.now.end);
                let (old, new) = (&before.leaves()[piece.before], &now.leaves()[piece.now]);
                let both = &ground(old) & &ground(new);
                let of_either = &ground(old) | &ground(new);
                assert_eq!(both, &of_either & &shared, "all that shares its ground belongs to the piece");
                match (old, new) {
                    ([old], [new]) if old == new => same += 1,
                    ([_], []) | ([], [_]) => ends += 1,
                    ([one], finer) | (finer, [one]) => {
                        assert!(finer.iter().all(|leaf| leaf.level < one.level && leaf.ancestor(one.level) == *one));
                        let is_whole = both.len() == of_either.len();
                        assert!(is_whole || before.top() != now.top());
                        parts += usize::from(!is_whole);
                        *(if old.len() == 1 { &mut splits } else { &mut merges }) += 1;
                    }
                    _ => panic!("{old:?} became {new:?}"),
                }
            }
            assert_eq!((at, at_now), (before.leaves().len(), now.leaves().len()));
        }
        let counts = [same, splits, merges, ends, parts];
        assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    }
}
