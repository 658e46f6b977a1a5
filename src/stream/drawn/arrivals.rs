//! Viewers that were put where nothing is, and the patch of ground that stands in for chunks there.

use super::View;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, GroundPatch, Reach, ViewerPoint};
use bevy::prelude::*;

/// So many roots are built at once, where they are missing, rather than have a patch stand in for them.
pub(super) const FEW_ROOTS: usize = 2;

/// A viewer, and how far each level is to reach around it.
#[derive(Clone, Copy)]
pub(super) struct Onlooker {
    pub entity: Entity,
    pub point: ViewerPoint,
    pub target: Reach,
}

/// The viewers that arrive, and what they see.
#[derive(Default)]
pub(in crate::stream) struct Arrivals {
    viewers: Vec<Entity>,
    stand_in: Option<StandIn>,
    /// What stood in before, until the world is told that it is gone.
    old_stand_in: Option<Entity>,
}

/// A patch that stands in for chunks.
struct StandIn {
    patch: GroundPatch,
    /// Where its viewers stood when it was found, in metres along x and z.
    places: Vec<[f64; 2]>,
    /// When it is there.
    entity: Option<Entity>,
}

impl Arrivals {
    /// Parts the viewers that arrive, which have been put where more than a few of the roots are `missing`, from those that
    /// were there in the view `before`.
    pub(super) fn part(
        &self,
        layout: &ChunkLayout,
        viewers: &[Onlooker],
        missing: &[ChunkCoord],
        before: &View,
    ) -> (Vec<Onlooker>, Vec<Onlooker>) {
        let lacks_ground = |viewer: &Onlooker| missing.iter().any(|&root| viewer.point.sees(layout, root));
        let arrives_already = |viewer: &Onlooker| self.viewers.contains(&viewer.entity);
        // All that arrive together are there together: one alone would stand on the patch of the others.
        let (arriving, present): (Vec<Onlooker>, Vec<_>) = viewers
            .iter()
            .partition(|viewer| arrives_already(viewer) || has_jumped(layout, viewer, before) && lacks_ground(viewer));
        let is_lacking = |root: &&ChunkCoord| arriving.iter().any(|viewer| viewer.point.sees(layout, **root));
        let lacking = missing.iter().filter(is_lacking).count();
        if lacking > FEW_ROOTS || lacking > 0 && arriving.iter().any(arrives_already) {
            (arriving, present)
        } else {
            (Vec::new(), viewers.to_vec())
        }
    }

    /// The viewers `arriving` see one patch, rather than chunks of `cover`. Returns whether that can be: not where they have
    /// come so near to another viewer that its ground would be drawn twice.
    pub(super) fn see_patch(&mut self, layout: &ChunkLayout, arriving: &[Onlooker], cover: &Cover) -> bool {
        let is_beside = |patch: &GroundPatch| {
            cover.roots().iter().all(|&root| !patch.overlaps(layout, &GroundPatch::of_chunk(layout, root)))
        };
        let patch = self.patch_around(layout, arriving).filter(is_beside);
        if self.stand_in.as_ref().map(|stand_in| stand_in.patch) != patch {
            let places =
                || arriving.iter().map(|viewer| [viewer.point.position[0], viewer.point.position[2]]).collect();
            let stand_in = patch.map(|patch| StandIn { patch, places: places(), entity: None });
            let old = std::mem::replace(&mut self.stand_in, stand_in);
            self.old_stand_in = self.old_stand_in.or_else(|| old?.entity);
        }
        self.viewers.clear();
        if patch.is_some() {
            self.viewers.extend(arriving.iter().map(|viewer| viewer.entity));
        }
        patch.is_some() || arriving.is_empty()
    }

    /// The patch over all that `arriving` viewers see: the one that is there, as long as it is enough.
    fn patch_around(&self, layout: &ChunkLayout, arriving: &[Onlooker]) -> Option<GroundPatch> {
        let sights = arriving.iter().map(|viewer| {
            let [x, _, z] = viewer.point.position;
            let view = viewer.point.view_distance.clamp(0.0, Reach::farthest_view(layout));
            [[x - view, z - view], [x + view, z + view]]
        });
        let [min, max] = sights.reduce(|[min, max], [other_min, other_max]| {
            [[0, 1].map(|axis| min[axis].min(other_min[axis])), [0, 1].map(|axis| max[axis].max(other_max[axis]))]
        })?;
        let here = self.stand_in.as_ref().map(|stand_in| stand_in.patch);
        here.filter(|patch| patch.contains(layout, min, max)).or_else(|| GroundPatch::around(layout, min, max))
    }

    /// Whether any ground of `chunk` is part of the patch.
    pub(super) fn see(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> bool {
        let chunk = GroundPatch::of_chunk(layout, chunk);
        self.stand_in.as_ref().is_some_and(|stand_in| stand_in.patch.overlaps(layout, &chunk))
    }

    /// The entity of the patch.
    pub fn stand_in(&self) -> Option<Entity> {
        self.stand_in.as_ref()?.entity
    }

    /// The patch and where its viewers stand, until it is there.
    pub fn missing_stand_in(&self) -> Option<(&GroundPatch, &[[f64; 2]])> {
        let missing = self.stand_in.as_ref().filter(|stand_in| stand_in.entity.is_none());
        missing.map(|stand_in| (&stand_in.patch, &*stand_in.places))
    }

    /// The patch that was missing is there.
    pub fn set_stand_in(&mut self, entity: Entity) {
        if let Some(stand_in) = &mut self.stand_in {
            stand_in.entity = Some(entity);
        }
    }

    /// An entity is there no more: if it was the patch, that is missing now.
    pub fn forget(&mut self, entity: Entity) {
        if let Some(stand_in) = &mut self.stand_in {
            stand_in.entity.take_if(|here| *here == entity);
        }
    }

    /// The patch that the viewers see no more, once.
    pub fn take_old(&mut self) -> Option<Entity> {
        self.old_stand_in.take()
    }
}

/// Whether a viewer has come to where it is from nowhere, or further in a frame than anybody flies.
fn has_jumped(layout: &ChunkLayout, viewer: &Onlooker, before: &View) -> bool {
    let far = layout.chunk_size(before.cover.top()) / 2.0;
    before.viewer(viewer.entity).is_none_or(|known| {
        let moved = known.point.position.iter().zip(&viewer.point.position).map(|(then, now)| (now - then).abs());
        moved.into_iter().any(|along| along > far)
    })
}
