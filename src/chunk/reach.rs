//! How far around a viewer each level reaches.
//!
//! A chunk of level `l` is split into its four children where it comes nearer than `split(l)` to a viewer. Its vertices move
//! onto the surface of the next coarser level while their distance grows from one end of the [`morph_band`](Reach::morph_band)
//! to the other, which is `split(l + 1)`:
//!
//! ```text
//!            chunks of level l - 1    |  chunks of level l ...........|  chunks of level l + 1
//!   viewer --------------------------split(l)----[ band: morph ]-----split(l + 1)------->  distance
//! ```
//!
//! Three things follow from how far apart these distances are, for a cover that is selected with them, whatever the ground
//! and wherever the viewers; the sides of chunks are written `s(l)`, their diagonals `d(l) = sqrt(2) s(l)`:
//!
//! - **Neighbours differ by one level at most.** Take a chunk of level `l - 1`. Its parent is split, so lies within
//!   `split(l) + HYSTERESIS s(l)`. A chunk of level `l + 1` that touches the first touches the parent, so lies within
//!   `split(l) + HYSTERESIS s(l) + d(l)`. That is less than `split(l + 1)`: the chunk is split.
//! - **A vertex that chunks of two levels share stands where both say.** The finer chunk's parent, of level `l + 1`, is split,
//!   so all of it lies within `split(l + 1) + HYSTERESIS s(l + 1) + d(l + 1)`. The band of level `l + 1` begins beyond: its
//!   vertices there have not begun to move, and those of the finer chunk that it shares never move before.
//! - **A chunk is split, or made whole again, unseen.** A whole chunk of level `l + 1` has no ground nearer than
//!   `split(l + 1)`, where the band of level `l` ends: in this moment its children show its very surface.
//!
//! With several viewers, each with its own distances, the least morph of all counts, and the same three proofs hold.

use super::{ChunkLayout, LEVELS, LevelErrors, ViewerPoint};

/// How near to one viewer the chunks of each level are split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    split: [f64; LEVELS],
    /// Side of a chunk of level 0, in metres.
    side: f64,
}

impl Reach {
    /// A split chunk stays split until it is further away than where it was split, by this part of its side. A viewer that
    /// trembles on a border changes nothing.
    pub const HYSTERESIS: f64 = 0.1;

    /// The morph band begins this much beyond the distance of the split, in sides: a diagonal, the hysteresis, and a little
    /// for rounding.
    const BAND_START: f64 = std::f64::consts::SQRT_2 + Self::HYSTERESIS + 0.05;

    /// The morph band is at least this wide, in sides.
    pub const BAND_WIDTH: f64 = 0.5;

    /// How far the distances of two levels are apart at least, in sides of the finer one.
    const GAP: f64 = Self::BAND_START + Self::BAND_WIDTH;

    /// About so many chunks are wanted around one viewer at most, so that absurd settings cost detail in the distance, not
    /// the machine's memory.
    pub const MAX_CHUNKS: f64 = 8192.0;

    /// No chunk is split.
    #[must_use]
    pub fn none(layout: &ChunkLayout) -> Self {
        Self { split: [0.0; LEVELS], side: layout.chunk_size(0) }
    }

    /// The reach at which no level shows an error of more than `pixel_error` pixels to `viewer`; where that is 0, everything
    /// within view distance is of the finest level. The levels below `top` are kept within [`MAX_CHUNKS`](Self::MAX_CHUNKS).
    /// No viewer sees further than [`farthest_view`](Self::farthest_view).
    #[must_use]
    pub fn wanted(layout: &ChunkLayout, errors: &LevelErrors, viewer: &ViewerPoint, pixel_error: f64, top: u8) -> Self {
        Self::wanted_within(layout, errors, viewer, pixel_error, top, Self::MAX_CHUNKS)
    }

    /// What [`wanted`](Self::wanted) says, but with no more than about `most_chunks` chunks below level `top`: beyond that,
    /// larger errors are allowed.
    #[must_use]
    pub fn wanted_within(
        layout: &ChunkLayout,
        errors: &LevelErrors,
        viewer: &ViewerPoint,
        pixel_error: f64,
        top: u8,
        most_chunks: f64,
    ) -> Self {
        let view = viewer.view_distance.min(Self::farthest_view(layout));
        let with_error = |pixel_error: f64| {
            let mut reach = Self::none(layout);
            for level in 1..LEVELS {
                let error = errors.of(level as u8);
                let needed = if pixel_error > 0.0 { error * viewer.sharpness / pixel_error } else { f64::INFINITY };
                let least = reach.split[level - 1] + Self::GAP * reach.side_of(level - 1);
                reach.split[level] = least.max(needed.min(view));
            }
            reach
        };
        let reach = with_error(pixel_error);
        if reach.estimated_chunks(view, top) <= most_chunks {
            return reach;
        }
        // Errors up to 2^60 times as large as asked for, in steps of a factor of 2^(1/8).
        let try_step = |step: i32| with_error(pixel_error.max(1e-6) * libm::exp2(f64::from(step) / 8.0));
        let (mut too_many, mut few_enough) = (-1, 480);
        while few_enough - too_many > 1 {
            let middle = (too_many + few_enough) / 2;
            let fits = try_step(middle).estimated_chunks(view, top) <= most_chunks;
            *(if fits { &mut few_enough } else { &mut too_many }) = middle;
        }
        try_step(few_enough)
    }

    /// The furthest that any viewer sees, in metres: twice the side of the coarsest chunks that there can be.
    #[must_use]
    pub fn farthest_view(layout: &ChunkLayout) -> f64 {
        2.0 * layout.chunk_size(LEVELS as u8 - 2)
    }

    fn side_of(&self, level: usize) -> f64 {
        self.side * (1_u64 << level) as f64
    }

    /// A chunk of `level` is split where it comes nearer than this, in metres.
    #[must_use]
    pub fn split(&self, level: u8) -> f64 {
        self.split.get(usize::from(level)).copied().unwrap_or(f64::INFINITY)
    }

    /// The distance that a chunk of `level` may have and stay split, in metres.
    #[must_use]
    pub fn stay_split(&self, level: u8) -> f64 {
        let split = self.split(level);
        if split > 0.0 { split + Self::HYSTERESIS * self.side_of(level.into()) } else { 0.0 }
    }

    /// Where the vertices of a chunk of `level` begin to move, and where they have arrived on the surface of the next coarser
    /// level, as distances in metres. Where no chunk of the level is split, the band may begin anywhere, even at less than no
    /// distance: it stays as wide as it must be, so that a level which spreads from nothing fades in.
    #[must_use]
    pub fn morph_band(&self, level: u8) -> [f64; 2] {
        let (side, end) = (self.side_of(level.into()), self.split(level + 1));
        let start = self.split(level) + Self::BAND_START * side;
        [start.min(end - Self::BAND_WIDTH * side), end]
    }

    /// About how many chunks a viewer wants that sees so far, levels above `top` aside.
    #[must_use]
    pub fn estimated_chunks(&self, view_distance: f64, top: u8) -> f64 {
        let mut chunks = 0.0;
        let mut inner = 0.0;
        for level in 0..=usize::from(top) {
            let side = self.side_of(level);
            let outer =
                if level == usize::from(top) { view_distance } else { self.split(level as u8 + 1).min(view_distance) };
            // A disc of chunks reaches half a diagonal beyond what it must cover.
            let disc = |radius: f64| std::f64::consts::PI * radius * radius;
            if outer > inner {
                chunks += (disc(outer + 0.7 * side) - disc(inner)) / (side * side);
                inner = outer;
            }
        }
        chunks
    }

    /// Reaches `sides` chunks further at every level that is split at all.
    #[must_use]
    pub fn widened(mut self, sides: f64) -> Self {
        for level in 1..LEVELS {
            if self.split[level] > 0.0 {
                self.split[level] += sides * self.side_of(level);
            }
        }
        self
    }

    /// Splits chunks of `level` no further away than `distance` metres.
    pub fn limit(&mut self, level: u8, distance: f64) {
        if let Some(split) = self.split.get_mut(usize::from(level)) {
            *split = split.min(distance.max(0.0));
        }
    }

    /// Lowers the finer levels until all are as far apart as they must be.
    pub fn keep_apart(&mut self) {
        for level in (1..LEVELS - 1).rev() {
            // A little less, so that rounding does not lower levels that are just as far apart as they must be.
            let most = self.split[level + 1] - Self::GAP * (1.0 - 1e-9) * self.side_of(level);
            self.split[level] = self.split[level].min(most).max(0.0);
        }
    }

    /// Grows from `self` toward `goal`, each level by `sides` of its chunks at most, and shrinks to it at once.
    #[must_use]
    pub fn toward(&self, goal: &Self, sides: f64) -> Self {
        let mut next = *goal;
        for level in 1..LEVELS {
            next.limit(level as u8, self.split[level] + sides * self.side_of(level));
        }
        next.keep_apart();
        next
    }

    /// Whether no level reaches less far than in `other`.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.covers_up_to(LEVELS as u8, other)
    }

    /// Whether no chunks of `level`, or finer ones, are split less far away than in `other`.
    #[must_use]
    pub fn covers_up_to(&self, level: u8, other: &Self) -> bool {
        self.split.iter().zip(&other.split).take(usize::from(level) + 1).all(|(here, there)| here >= there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::{FieldSettings, HeightField};

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 })
    }

    fn viewer(view_distance: f64) -> ViewerPoint {
        ViewerPoint { position: [0.0; 3], forward: [1.0, 0.0], view_distance, sharpness: 1000.0 }
    }

    fn errors() -> LevelErrors {
        let mut errors = LevelErrors::new();
        errors.measure(&HeightField::new(&FieldSettings::default()), &layout(), 10);
        errors
    }

    fn assert_apart(reach: &Reach) {
        for level in 1..LEVELS as u8 - 1 {
            let (here, next) = (reach.split(level), reach.split(level + 1));
            assert!(here == 0.0 || next >= here + Reach::GAP * 0.999_999 * reach.side_of(level.into()), "{reach:?}");
        }
    }

    #[test]
    fn beyond_its_reach_no_level_shows_more_than_the_error_that_is_allowed() {
        for pixel_error in [0.25, 1.0, 4.0] {
            let (viewer, errors) = (viewer(1e5), errors());
            let reach = Reach::wanted(&layout(), &errors, &viewer, pixel_error, 8);
            assert_apart(&reach);
            for level in 1..10 {
                let pixels = errors.of(level) * viewer.sharpness / reach.split(level);
                assert!(
                    pixels <= pixel_error * 1.000_001 || reach.split(level) >= 1e5,
                    "level {level}: {pixels} pixels"
                );
            }
        }
    }

    #[test]
    fn without_an_error_everything_in_view_is_of_the_finest_level() {
        let reach = Reach::wanted(&layout(), &errors(), &viewer(3000.0), 0.0, 4);
        assert!((1..10).all(|level| reach.split(level) >= 3000.0));
        assert_apart(&reach);
    }

    #[test]
    fn absurd_settings_cost_detail_and_not_memory() {
        let mut rough = errors();
        rough.note(0, 1e6);
        for (view_distance, pixel_error, top) in [(1e5, 0.01, 6), (1e6, 0.0, 10), (3e4, 1.0, 6)] {
            let reach = Reach::wanted(&layout(), &rough, &viewer(view_distance), pixel_error, top);
            let chunks = reach.estimated_chunks(view_distance, top);
            assert!((Reach::MAX_CHUNKS * 0.4..=Reach::MAX_CHUNKS).contains(&chunks), "{chunks} chunks");
            assert_apart(&reach);
        }
    }

    #[test]
    fn limits_and_growth_keep_the_levels_apart() {
        let goal = Reach::wanted(&layout(), &errors(), &viewer(8000.0), 1.0, 5);
        let mut reach = Reach::none(&layout());
        let mut steps = 0;
        while reach != goal {
            let next = reach.toward(&goal, 0.2);
            assert!(next.covers(&reach));
            assert_apart(&next);
            reach = next;
            steps += 1;
            assert!(steps < 1000, "the reach never arrives: {reach:?}, {goal:?}");
        }
        assert!(steps > 5);
        let mut limited = goal;
        limited.limit(2, 300.0);
        limited.keep_apart();
        assert_apart(&limited);
        assert_eq!(limited.split(2), 300.0);
        assert_eq!(limited.split(3), goal.split(3));
        assert_eq!(reach.toward(&limited, 0.2), limited, "a limit holds at once");
    }
}
