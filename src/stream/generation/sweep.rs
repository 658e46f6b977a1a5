//! Which of the chunks that are there nobody wants any more.

use super::{Generation, LoadedChunk};
use crate::chunk::ChunkCoord;

/// Looks at the chunks that are there, so many in a frame: to look at five thousand takes a quarter of a millisecond, and that would
/// be in the very frame in which a viewer moved far.
#[derive(Default)]
pub(super) struct Sweep {
    /// The chunks still to be looked at.
    left: Vec<ChunkCoord>,
    /// How many of them in a frame.
    a_frame: usize,
    /// Other chunks are wanted, or drawn, than when all were last listed.
    pub is_outdated: bool,
    /// For how many frames it was put off.
    put_off: u8,
}

impl Sweep {
    /// At least so many chunks are looked at in a frame.
    const FEW: usize = 256;

    /// After so many frames all were looked at.
    const FRAMES: usize = 16;

    /// It is put off for so many frames on end at most: there may be no frame that has time.
    const MOST_PUT_OFF: u8 = 8;

    /// Whether all were looked at since something changed.
    pub const fn is_done(&self) -> bool {
        self.left.is_empty() && !self.is_outdated
    }
}

impl Generation {
    /// Other chunks may be drawn than before, and a frame has no time: all are looked at in those to come. Returns `false`
    /// where that was put off for too long already: some are to be looked at now.
    pub const fn put_off_sweep(&mut self) -> bool {
        let sweep = &mut self.sweep;
        sweep.is_outdated = true;
        sweep.put_off += 1;
        sweep.put_off <= Sweep::MOST_PUT_OFF
    }

    /// Takes out some of the chunks that are not wanted, other than those that `stays` says, and hands them to `remove`: all of
    /// them within some frames. Does nothing while the same chunks are wanted, unless the others that stay changed.
    pub fn remove_unwanted(
        &mut self,
        stays: impl Fn(ChunkCoord) -> bool,
        stays_changed: bool,
        mut remove: impl FnMut(LoadedChunk),
    ) {
        let Self { chunks, wanted, sweep, .. } = self;
        sweep.put_off = 0;
        sweep.is_outdated |= stays_changed;
        if sweep.left.is_empty() && std::mem::take(&mut sweep.is_outdated) {
            sweep.left.extend(chunks.coords());
            sweep.a_frame = sweep.left.len().div_ceil(Sweep::FRAMES).max(Sweep::FEW);
        }
        for coord in sweep.left.drain(sweep.left.len().saturating_sub(sweep.a_frame)..) {
            if !wanted.contains(coord)
                && !stays(coord)
                && let Some(chunk) = chunks.remove(coord)
            {
                remove(chunk);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;
    use crate::stream::generation::Source;
    use bevy::prelude::Entity;

    #[test]
    fn unwanted_chunks_go_bit_by_bit_and_none_is_forgotten() {
        let mut generation = Generation::new(Source::of(&TerrainSettings::default()));
        let chunks = 3 * Sweep::FEW;
        for x in 0..chunks as i64 {
            generation.insert(ChunkCoord::finest(x, 0), LoadedChunk::empty(Entity::PLACEHOLDER), 0.0);
        }
        let look = |generation: &mut Generation, stays: fn(i64) -> bool, stays_changed| {
            let mut removed = 0;
            generation.remove_unwanted(|coord| stays(coord.x), stays_changed, |_| removed += 1);
            removed
        };
        assert_eq!(look(&mut generation, |_| false, false), 0, "nothing has changed");
        // In the midst of a sweep others come to stay than those for which it was begun, and later fewer of them.
        let mut removed = look(&mut generation, |_| true, true);
        assert_eq!((removed, generation.sweep.is_done()), (0, false));
        removed = look(&mut generation, |x| x % 4 > 0, true);
        assert!((1..=Sweep::FEW / 2).contains(&removed), "{removed} in a frame");
        let mut frames = 0;
        while !generation.sweep.is_done() && frames < 20 {
            removed += look(&mut generation, |x| x % 4 > 1, false);
            frames += 1;
        }
        assert!(frames > 3);
        assert_eq!((removed, generation.len()), (chunks / 2, chunks / 2));
        assert_eq!(look(&mut generation, |_| false, false), 0, "all were looked at");
        assert!((0..Sweep::MOST_PUT_OFF).all(|_| generation.put_off_sweep()));
        assert!(!generation.put_off_sweep(), "it would never come");
        let mut later = 0;
        while !generation.sweep.is_done() {
            later += look(&mut generation, |x| x % 4 > 2, false);
        }
        assert_eq!(later, chunks / 4);
        assert!(generation.put_off_sweep(), "one went by");
        let there = generation.chunks.coords().next().expect("half of them stay");
        assert!(generation.forget(there, Entity::PLACEHOLDER));
        assert!(!generation.sweep.is_done(), "others may have stayed because of what is gone");
    }
}
