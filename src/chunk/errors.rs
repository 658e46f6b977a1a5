//! How far each level lies from the finest.

use super::{ChunkBuilder, ChunkLayout, ChunkSettings, LEVELS};
use crate::field::HeightField;
use crate::noise::NoiseRng;

/// How far, in metres, the surface of each level lies from that of the finest: what is lost with it.
///
/// A level loses the octaves whose waves are shorter than its quads, and rounds off the others. How much that is depends on
/// all layers together, so it is measured: at places all over the world to begin with, and then on every chunk that is
/// built.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelErrors {
    /// The largest distance found between the surfaces of level `l` and level `l + 1`.
    steps: [f32; LEVELS],
    measured: u8,
    /// Places of the next level that were looked at.
    looked_at: u64,
}

impl LevelErrors {
    /// Places that are looked at, per level.
    const SAMPLES: u64 = 32;
    /// Quads along each side of a place that is looked at.
    const QUADS: u32 = 16;
    /// How far from the origin they lie at most, in metres.
    const SPREAD: f64 = 50_000.0;

    /// Nothing measured yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { steps: [0.0; LEVELS], measured: 0, looked_at: 0 }
    }

    /// Measures `field` at places that are the same in every run, up to the error of `level`.
    pub fn measure(&mut self, field: &HeightField, layout: &ChunkLayout, level: u8) {
        let mut builder = ChunkBuilder::default();
        while self.measured < level.min(LEVELS as u8 - 1) {
            self.look_at_place(field, layout, &mut builder);
        }
    }

    /// The smallest step of a measurement: looks at one more place. The last place of a level makes it measured.
    pub fn look_at_place(&mut self, field: &HeightField, layout: &ChunkLayout, builder: &mut ChunkBuilder) {
        let patches = ChunkLayout::new(&ChunkSettings { quads: Self::QUADS, spacing: layout.spacing(0) });
        let mut rng = NoiseRng::new(u64::from(self.measured), 0);
        (0..2 * self.looked_at).for_each(|_| _ = rng.next_unit());
        let [x, z] = [0, 1].map(|_| (2.0 * rng.next_unit() - 1.0) * Self::SPREAD);
        let patch = patches.chunk_at(self.measured, x, z);
        self.note(self.measured, builder.build(field, &patches, patch).coarse_error);
        self.looked_at += 1;
        if self.looked_at == Self::SAMPLES {
            (self.measured, self.looked_at) = (self.measured + 1, 0);
        }
    }

    /// The level up to whose error the field was measured.
    #[must_use]
    pub const fn measured(&self) -> u8 {
        self.measured
    }

    /// Takes over what another measurement of the same field found.
    pub fn take_in(&mut self, other: &Self) {
        for (level, &error) in other.steps.iter().enumerate() {
            self.note(level as u8, error);
        }
        if other.measured > self.measured {
            (self.measured, self.looked_at) = (other.measured, other.looked_at);
        }
    }

    /// A chunk of `level` was found to lie `error` metres from the next coarser level. Returns whether that is news.
    pub fn note(&mut self, level: u8, error: f32) -> bool {
        match self.steps.get_mut(usize::from(level)) {
            Some(step) if error > *step => {
                *step = error;
                true
            }
            _ => false,
        }
    }

    /// How far, in metres, the surface of `level` lies from that of the finest at most, as far as is known.
    #[must_use]
    pub fn of(&self, level: u8) -> f64 {
        self.steps.iter().take(level.into()).map(|&step| f64::from(step)).sum()
    }
}

impl Default for LevelErrors {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkCoord;
    use crate::field::FieldSettings;
    use crate::noise::NoiseSettings;

    fn measured(layers: Vec<NoiseSettings>) -> LevelErrors {
        let field = HeightField::new(&FieldSettings { layers, ..Default::default() });
        let mut errors = LevelErrors::new();
        errors.measure(&field, &ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 }), 8);
        errors
    }

    #[test]
    fn flat_ground_loses_nothing_and_rough_ground_more_with_each_level() {
        let flat = measured(vec![]);
        assert!((0..10).all(|level| flat.of(level) == 0.0));
        let rough = measured(vec![NoiseSettings::default()]);
        assert_eq!(rough.of(0), 0.0);
        assert!((1..=8).all(|level| rough.of(level) > rough.of(level - 1)));
    }

    #[test]
    fn no_chunk_lies_much_further_off_than_was_measured_elsewhere() {
        let errors = measured(vec![NoiseSettings::default()]);
        let field = HeightField::new(&FieldSettings::default());
        let layout = ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 });
        for level in 0..4 {
            let (known, here) = (errors.of(level + 1) - errors.of(level), |x, z| {
                f64::from(ChunkBuilder::default().build(&field, &layout, ChunkCoord { level, x, z }).coarse_error)
            });
            let largest = (0..4).flat_map(|x| (0..4).map(move |z| (x, z))).map(|(x, z)| here(x, z)).fold(0.0, f64::max);
            assert!((0.3..2.0).contains(&(largest / known)), "level {level}: {largest} m for {known} m");
        }
    }

    #[test]
    fn what_two_measurements_found_adds_up() {
        let field = HeightField::new(&FieldSettings::default());
        let layout = ChunkLayout::new(&ChunkSettings::default());
        let (mut whole, mut part) = (LevelErrors::new(), LevelErrors::new());
        whole.measure(&field, &layout, 6);
        part.measure(&field, &layout, 3);
        assert_eq!((whole.measured(), part.measured()), (6, 3));
        part.note(1, 1000.0);
        part.take_in(&whole);
        assert_eq!(part.measured(), 6);
        assert_eq!(part.of(1), whole.of(1));
        assert!(part.of(2) >= 1000.0 && part.of(6) - part.of(2) == whole.of(6) - whole.of(2));
    }

    #[test]
    fn a_rougher_chunk_raises_the_error_of_its_level_and_of_all_coarser_ones() {
        let mut errors = measured(vec![NoiseSettings::default()]);
        let before: Vec<f64> = (0..8).map(|level| errors.of(level)).collect();
        assert!(errors.note(2, 1000.0));
        assert!(!errors.note(2, 999.0));
        assert_eq!(errors.of(2), before[2]);
        assert!(errors.of(3) >= 1000.0 && errors.of(5) > errors.of(3));
    }
}
