//! Viewers that were put where nothing is, or too little, and the patch of ground that stands in for chunks there.

use super::View;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, GroundPatch, Reach, ViewerPoint};
use bevy::prelude::*;

/// So many roots are built at once, where they are missing, rather than have a patch stand in for them: that takes as long.
pub(super) const FEW_ROOTS: usize = 2;

/// So many are built at once for a viewer that was put where ground is drawn, so that it stays.
const ROOTS_TO_KEEP: usize = 4;

/// A viewer, and how far each level is to reach around it.
#[derive(Clone, Copy)]
pub(super) struct Watcher {
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

impl StandIn {
    /// Whether viewers at `places` stand about where the patch makes way for them.
    fn is_made_for(&self, layout: &ChunkLayout, mut places: impl Iterator<Item = [f64; 2]>) -> bool {
        let near = 0.25 * layout.spacing(self.patch.level);
        let is_near = |[x, z]: [f64; 2], known: &[f64; 2]| libm::hypot(x - known[0], z - known[1]) <= near;
        places.all(|place| self.places.iter().any(|known| is_near(place, known)))
    }
}

impl Watcher {
    /// The corners of the square that the viewer sees a part of.
    fn sight(&self, layout: &ChunkLayout) -> [[f64; 2]; 2] {
        let view = self.point.view_distance.clamp(0.0, Reach::farthest_view(layout));
        [-view, view].map(|view| self.point.place().map(|along| along + view))
    }

    /// Whether both see some of the same ground, or nearly.
    fn is_beside(&self, other: &Self) -> bool {
        let far = self.point.view_distance + other.point.view_distance;
        self.point.place().iter().zip(other.point.place()).all(|(here, there)| (here - there).abs() <= far)
    }

    /// Whether the viewer has come to where it is from nowhere, or so far in a frame as nobody flies: to where nothing was
    /// drawn in the view `before`, or to where so many of the roots are `missing` that it can't keep the others.
    fn has_jumped(&self, layout: &ChunkLayout, missing: &[ChunkCoord], before: &View) -> bool {
        let Some(known) = before.viewer(self.entity) else {
            return true;
        };
        let (top, [x, z]) = (before.cover.top(), self.point.place());
        let far = layout.chunk_size(top) / 2.0;
        let mut moved = known.point.place().into_iter().zip([x, z]).map(|(then, now)| (now - then).abs());
        // Roots of another level are missing because of another view, not of where the viewer is.
        let lacking = missing.iter().filter(|&&root| root.level == top && self.point.sees(layout, root)).count();
        moved.any(|along| along > far)
            && (lacking > ROOTS_TO_KEEP || !before.cover.contains(layout.chunk_at(top, x, z)))
    }
}

impl Arrivals {
    /// Parts the viewers that arrive, which have been put where more than a few of the roots are `missing`, from those that
    /// were there in the view `before`.
    pub(super) fn part(
        &self,
        layout: &ChunkLayout,
        viewers: &[Watcher],
        missing: &[ChunkCoord],
        before: &View,
    ) -> (Vec<Watcher>, Vec<Watcher>) {
        let arrives_already = |viewer: &Watcher| self.viewers.contains(&viewer.entity);
        let comes = |viewer: &Watcher| arrives_already(viewer) || viewer.has_jumped(layout, missing, before);
        let lacks_ground = |viewer: &Watcher| missing.iter().any(|&root| viewer.point.sees(layout, root));
        let lacking: Vec<Watcher> =
            viewers.iter().copied().filter(|viewer| lacks_ground(viewer) && comes(viewer)).collect();
        let is_lacked = |root: &&ChunkCoord| lacking.iter().any(|viewer| viewer.point.sees(layout, **root));
        if missing.iter().filter(is_lacked).count() <= FEW_ROOTS && !lacking.iter().any(arrives_already) {
            return (Vec::new(), viewers.to_vec());
        }
        // Those who arrive side by side are there together: one alone would stand on the patch of the others.
        let is_beside = |viewer: &Watcher| lacking.iter().any(|other| viewer.is_beside(other));
        viewers.iter().partition(|viewer| comes(viewer) && is_beside(viewer))
    }

    /// The viewers `arriving` see one patch, rather than chunks of `cover`. Returns whether that can be: not where they have
    /// come so near to another viewer that its ground would be drawn twice.
    pub(super) fn see_patch(&mut self, layout: &ChunkLayout, arriving: &[Watcher], cover: &Cover) -> bool {
        let is_apart = |patch: &GroundPatch| {
            cover.roots().iter().all(|&root| !patch.overlaps(layout, &GroundPatch::of_chunk(layout, root)))
        };
        let sight = arriving.iter().map(|viewer| viewer.sight(layout)).reduce(|[min, max], [other_min, other_max]| {
            [[0, 1].map(|axis| min[axis].min(other_min[axis])), [0, 1].map(|axis| max[axis].max(other_max[axis]))]
        });
        let places = || arriving.iter().map(|viewer| viewer.point.place());
        let here = self.stand_in.take();
        let old = here.as_ref().and_then(|here| here.entity);
        self.stand_in = sight.and_then(|[min, max]| {
            let is_enough =
                |here: &StandIn| here.patch.contains(layout, min, max) && here.is_made_for(layout, places());
            let made_new = || {
                let patch = GroundPatch::around(layout, min, max)?;
                Some(StandIn { patch, places: places().collect(), entity: None })
            };
            here.filter(is_enough).or_else(made_new).filter(|stand_in| is_apart(&stand_in.patch))
        });
        if self.stand_in() != old {
            self.old_stand_in = self.old_stand_in.or(old);
        }
        self.viewers.clear();
        if self.stand_in.is_some() {
            self.viewers.extend(arriving.iter().map(|viewer| viewer.entity));
        }
        self.stand_in.is_some() || arriving.is_empty()
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
