//! Which chunks take the place of which, when one cover follows another.

use crate::chunk::{ChunkCoord, Cover};

/// Ground that is drawn at another level than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LevelChange {
    /// The chunk that went or came; all the others lie in it.
    pub area: ChunkCoord,
    /// The finest level that was drawn there.
    pub before: u8,
    /// The finest level that is drawn there now.
    pub now: u8,
}

impl LevelChange {
    /// What became of `chunk`, drawn in the cover `before` and split in the cover `now`.
    pub fn split(chunk: ChunkCoord, now: &Cover) -> Self {
        Self { area: chunk, before: chunk.level, now: finest_level(now, chunk) }
    }

    /// What `chunk` came from, split in the cover `before` and drawn in the one that follows.
    pub fn merge(chunk: ChunkCoord, before: &Cover) -> Self {
        Self { area: chunk, before: finest_level(before, chunk), now: chunk.level }
    }
}

/// The finest level that `cover` draws of the ground of `chunk`, which is part of it.
fn finest_level(cover: &Cover, chunk: ChunkCoord) -> u8 {
    drawn_within(cover, chunk).map(|leaf| leaf.level).min().unwrap_or(chunk.level)
}

/// The chunks that `cover` draws of the ground of `chunk`, which is part of it.
pub(super) fn drawn_within(cover: &Cover, chunk: ChunkCoord) -> impl Iterator<Item = ChunkCoord> {
    let mut left = vec![chunk];
    std::iter::from_fn(move || {
        loop {
            let chunk = left.pop()?;
            if !cover.is_split(chunk) {
                return Some(chunk);
            }
            left.extend(chunk.children());
        }
    })
}

/// Whether the ground of `chunk`, drawn in the cover `of`, is drawn in the cover `other` too: by that chunk, by finer chunks in
/// its place, or by a coarser one that takes the place of it and of others.
///
/// Two covers whose coarsest chunks are of different levels may share a part of a chunk's ground. Then that chunk shares none:
/// the ground of both sides is the same, or it counts as different.
pub(super) fn is_shared(chunk: ChunkCoord, of: &Cover, other: &Cover) -> bool {
    let mut above = chunk;
    while !other.contains(above) {
        if above.level >= other.top() {
            return false;
        }
        above = above.parent();
    }
    above == chunk || of.is_split(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LevelErrors, Reach, Viewer, ViewerPoint};
    use crate::noise::TerrainRng;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 1.0 })
    }

    /// Covers around a viewer that wanders, looks further and less far, and jumps.
    fn covers() -> Vec<Cover> {
        let (layout, mut rng) = (layout(), TerrainRng::new(3, 0));
        let (mut covers, mut place, mut view_distance) = (vec![Cover::default()], [0.0; 2], 60.0);
        for step in 0..400 {
            if step % 7 == 0 {
                view_distance = 20.0 + 300.0 * rng.next_unit();
            }
            let far = if step % 50 == 49 { 1e4 } else { 10.0 };
            place = place.map(|along| along + far * (rng.next_unit() - 0.5));
            let position = [place[0], 0.0, place[1]];
            let point = ViewerPoint { position, forward: [1.0, 0.0], view_distance, sharpness: 1000.0 };
            let top = Cover::top_level(&layout, view_distance);
            let reach = match step % 5 {
                0 => Reach::none(&layout),
                _ => Reach::wanted(&layout, &LevelErrors::new(), &point, 3.0, top),
            };
            let viewer = Viewer::new(point, reach, (0.0, 0.0));
            covers.push(Cover::select(&layout, top, &[viewer], 5.0, &covers[covers.len() - 1]));
        }
        covers
    }

    /// The finest chunks of the ground that is drawn by `leaves`.
    fn ground(leaves: impl Iterator<Item = ChunkCoord>) -> Vec<ChunkCoord> {
        let mut ground = Vec::new();
        let mut left: Vec<_> = leaves.collect();
        while let Some(chunk) = left.pop() {
            if chunk.level == 0 { ground.push(chunk) } else { left.extend(chunk.children()) }
        }
        ground.sort_unstable();
        ground
    }

    #[test]
    fn what_two_covers_share_is_the_same_ground_on_both_sides() {
        let covers = covers();
        let (mut shared, mut tops) = (0, 0);
        for (before, now) in covers.windows(2).map(|pair| (&pair[0], &pair[1])) {
            let [old, new] = [(before, now), (now, before)]
                .map(|(of, other)| ground(of.leaves().iter().copied().filter(|&leaf| is_shared(leaf, of, other))));
            assert_eq!(old, new);
            if before.top() == now.top() {
                let all = |cover: &Cover| ground(cover.leaves().iter().copied());
                let (before, now) = (all(before), all(now));
                let both: Vec<_> = before.into_iter().filter(|chunk| now.binary_search(chunk).is_ok()).collect();
                assert_eq!(old, both, "all that both draw is shared");
            } else {
                tops += 1;
            }
            shared += old.len();
        }
        assert!(shared > 10_000 && tops > 10, "{shared} shared, {tops} changes of the coarsest level");
    }

    #[test]
    fn the_levels_of_a_change_are_the_finest_that_are_drawn() {
        let covers = covers();
        let (mut splits, mut deep) = (0, 0);
        for (before, now) in covers.windows(2).map(|pair| (&pair[0], &pair[1])) {
            for &leaf in before.leaves().iter().filter(|&&leaf| now.is_split(leaf)) {
                let within: Vec<_> = now.leaves().iter().filter(|other| other.ancestor(leaf.level) == leaf).collect();
                let finest = within.iter().map(|leaf| leaf.level).min().expect("it is split");
                assert_eq!(LevelChange::split(leaf, now), LevelChange { area: leaf, before: leaf.level, now: finest });
                assert_eq!(LevelChange::merge(leaf, now), LevelChange { area: leaf, before: finest, now: leaf.level });
                assert_eq!(drawn_within(now, leaf).count(), within.len());
                splits += 1;
                deep += usize::from(finest + 1 < leaf.level);
            }
        }
        assert!(splits > 100 && deep > 10, "{splits} splits, {deep} of them over several levels");
    }
}
