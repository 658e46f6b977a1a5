//! The viewer that counts where only one can.

use crate::stream::components::TerrainViewer;
#[cfg(feature = "render")]
use bevy::camera::Camera;
use bevy::prelude::*;

/// The viewer around which maps of far ground are made, and that an origin shift follows. The first in every list of viewers.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MainViewer(Option<Entity>);

impl MainViewer {
    /// The entity. `None` without viewers.
    pub const fn entity(self) -> Option<Entity> {
        self.0
    }

    /// Whether it is the viewer with these bits.
    pub(super) fn is(self, bits: u64) -> bool {
        self.0.is_some_and(|main| main.to_bits() == bits)
    }
}

/// The one of `candidates` that counts: one that is preferred, if there is any. It stays `before` as long as that is as good as any
/// other. Among equals, the one with the lowest index.
pub(crate) fn choose(before: Option<Entity>, candidates: impl Iterator<Item = (Entity, bool)>) -> Option<Entity> {
    candidates
        .min_by_key(|&(entity, is_preferred)| (!is_preferred, Some(entity) != before, entity.index_u32()))
        .map(|(entity, _)| entity)
}

#[cfg(feature = "render")]
type Viewers<'w, 's> = Query<'w, 's, (Entity, Option<&'static Camera>), With<TerrainViewer>>;
#[cfg(not(feature = "render"))]
type Viewers<'w, 's> = Query<'w, 's, (Entity, ()), With<TerrainViewer>>;

/// Chooses the main viewer: an active camera, if there is one.
pub(in crate::stream) fn choose_main_viewer(mut main: ResMut<MainViewer>, viewers: Viewers) {
    #[cfg(feature = "render")]
    let is_active = |camera: Option<&Camera>| camera.is_some_and(|camera| camera.is_active);
    #[cfg(not(feature = "render"))]
    let is_active = |()| false;
    let chosen = choose(main.0, viewers.iter().map(|(viewer, camera)| (viewer, is_active(camera))));
    main.set_if_neq(MainViewer(chosen));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_stays_until_there_is_a_better_one() {
        let [a, b, c] = [1, 2, 3].map(Entity::from_raw_u32).map(|entity| entity.expect("a valid index"));
        for (before, candidates, expected) in [
            (None, vec![], None),
            (None, vec![(b, false), (a, false)], Some(a)),
            (Some(b), vec![(a, false), (b, false)], Some(b)),
            (Some(a), vec![(a, false), (b, true), (c, true)], Some(b)),
            (Some(c), vec![(a, false), (b, true), (c, true)], Some(c)),
            (Some(c), vec![(a, false), (b, true)], Some(b)),
            (Some(c), vec![(a, false)], Some(a)),
        ] {
            assert_eq!(choose(before, candidates.clone().into_iter()), expected, "{before:?} {candidates:?}");
        }
    }
}
