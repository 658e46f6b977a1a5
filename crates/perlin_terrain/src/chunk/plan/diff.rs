//! The changes in the world from one plan to the next.

use super::Plan;
use crate::chunk::quadtree::leaves_in;
use crate::chunk::{ChunkCoord, StitchMask};
use std::cmp::Ordering;

/// Ground that stays drawn, at another level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChunkPiece {
    /// The chunk that disappears or appears; all others lie in it.
    pub area: ChunkCoord,
    /// The finest level before.
    pub before: u8,
    /// The finest level now.
    pub now: u8,
}

/// The changes in the world from one plan to the next: chunks, their stitch masks, and the ground that they draw.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanDiff {
    /// Chunks that are no longer drawn.
    pub hidden: Vec<ChunkCoord>,
    /// Chunks that are drawn from now on.
    pub shown: Vec<(ChunkCoord, StitchMask)>,
    /// Chunks that stay, with another stitch mask.
    pub restitched: Vec<(ChunkCoord, StitchMask)>,
    /// Areas of which nothing is drawn any more.
    pub ground_hidden: Vec<ChunkCoord>,
    /// Areas of which nothing was drawn before.
    pub ground_shown: Vec<ChunkCoord>,
    /// Areas that are drawn at another level than before.
    pub level_changes: Vec<ChunkPiece>,
}

impl PlanDiff {
    /// The changes from `old` to `new`, two plans of the same ground.
    #[must_use]
    pub fn between(old: &Plan, new: &Plan) -> Self {
        let mut diff = Self::default();
        diff.find(old.drawn.leaves(), &old.masks, new.drawn.leaves(), &new.masks);
        diff
    }

    /// The changes from nothing to `new`.
    #[must_use]
    pub fn appear(new: &Plan) -> Self {
        Self::between(&Plan::default(), new)
    }

    /// The changes from `old` to nothing.
    #[must_use]
    pub fn vanish(old: &Plan) -> Self {
        Self::between(old, &Plan::default())
    }

    /// How many chunks change.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.hidden.len() + self.shown.len() + self.restitched.len()
    }

    /// Whether nothing changes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Walks along both lists of leaves, which are in the same order, and looks up nothing.
    fn find(&mut self, old: &[ChunkCoord], old_masks: &[StitchMask], new: &[ChunkCoord], new_masks: &[StitchMask]) {
        let (mut at, mut at_new) = (0, 0);
        loop {
            let order = match (old.get(at), new.get(at_new)) {
                (Some(one), Some(other)) if one == other => {
                    if old_masks[at] != new_masks[at_new] {
                        self.restitched.push((*other, new_masks[at_new]));
                    }
                    (at, at_new) = (at + 1, at_new + 1);
                    continue;
                }
                (Some(one), Some(other)) => one.compare_positions(*other),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            match order {
                Ordering::Less => {
                    self.hidden.push(old[at]);
                    self.ground_hidden.push(old[at]);
                    at += 1;
                }
                Ordering::Greater => {
                    self.shown.push((new[at_new], new_masks[at_new]));
                    self.ground_shown.push(new[at_new]);
                    at_new += 1;
                }
                // One holds the other.
                Ordering::Equal => {
                    let (one, other) = (old[at], new[at_new]);
                    let area = if one.level > other.level { one } else { other };
                    let (gone, come) = (leaves_in(&old[at..], area), leaves_in(&new[at_new..], area));
                    self.hidden.extend(gone);
                    let masks = &new_masks[at_new..];
                    self.shown.extend(come.iter().copied().zip(masks.iter().copied()));
                    uncovered(area, come, &mut self.ground_hidden, gone);
                    uncovered(area, gone, &mut self.ground_shown, come);
                    let finest = |leaves: &[ChunkCoord]| leaves.iter().map(|leaf| leaf.level).min().unwrap_or_default();
                    self.level_changes.push(ChunkPiece { area, before: finest(gone), now: finest(come) });
                    (at, at_new) = (at + gone.len(), at_new + come.len());
                }
            }
        }
    }
}

/// Adds the parts of `area` that `leaves` draw and `others` do not.
fn uncovered(area: ChunkCoord, others: &[ChunkCoord], parts: &mut Vec<ChunkCoord>, leaves: &[ChunkCoord]) {
    match (others, leaves) {
        (_, []) => {}
        ([], [leaf]) if leaf.level >= area.level => parts.push(area),
        ([], leaves) => parts.extend(leaves),
        ([other], _) if other.level >= area.level => {}
        _ => area.children().for_each(|child| {
            uncovered(child, leaves_in(others, child), parts, leaves_in(leaves, child));
        }),
    }
}
