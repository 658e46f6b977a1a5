//! Who comes first in a frame.

use bevy::prelude::Entity;

/// The order of terrains, and of the generations of each, another one in every frame: where a frame has room for one chunk alone,
/// nobody always takes it.
#[derive(Default)]
pub(super) struct Turns {
    frame: usize,
    order: Vec<Entity>,
}

impl Turns {
    /// Another frame, with these terrains.
    pub fn next(&mut self, terrains: impl Iterator<Item = Entity>) {
        self.frame = self.frame.wrapping_add(1);
        self.order.clear();
        self.order.extend(terrains);
        let first = self.frame % self.order.len().max(1);
        self.order.rotate_left(first);
    }

    /// The terrains, in the order of this frame.
    pub fn order(&self) -> &[Entity] {
        &self.order
    }

    /// Whether the ground that is shown comes before that which is to take its place: whichever terrain is the first, in every
    /// other of its frames.
    pub fn are_for_shown(&self) -> bool {
        self.frame / self.order.len().max(1) % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_terrain_is_the_first_as_often_with_either_generation() {
        for count in 1..=5_u32 {
            let mut terrains: Vec<Entity> = (0..count).filter_map(Entity::from_raw_u32).collect();
            terrains.sort_unstable();
            let (mut turns, mut firsts) = (Turns::default(), BTreeMap::new());
            for _ in 0..20 * count {
                turns.next(terrains.iter().copied());
                let mut order = turns.order().to_vec();
                *firsts.entry((order[0], turns.are_for_shown())).or_insert(0) += 1;
                order.sort_unstable();
                assert_eq!(order, terrains);
            }
            assert_eq!(firsts.into_values().collect::<Vec<_>>(), vec![10; 2 * count as usize], "{count} terrains");
        }
        let mut turns = Turns::default();
        turns.next(std::iter::empty());
        assert_eq!(turns.order(), []);
    }
}
