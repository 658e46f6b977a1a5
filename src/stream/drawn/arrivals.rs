//! Viewers that were put where nothing is, or too little, and the patch of ground that stands in for chunks there.

use super::View;
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, GroundPatch, PatchNeighbours, Reach, Viewer, ViewerPoint};
use crate::stream::stand_in::PatchToBuild;
use bevy::prelude::*;

/// So many roots are built at once, where they are missing, rather than have a patch stand in for them: that takes as long.
pub(super) const FEW_ROOTS: usize = 2;

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
    /// The chunks that it was found beside.
    neighbours: PatchNeighbours,
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
    fn is_beside(&self, other: &ViewerPoint) -> bool {
        let far = self.point.view_distance + other.view_distance;
        self.point.place().iter().zip(other.place()).all(|(here, there)| (here - there).abs() <= far)
    }

    /// The `missing` roots that the viewer lacks as it has come from nowhere, or has moved since the view `before`.
    fn lacking<'a>(
        &self,
        layout: &ChunkLayout,
        missing: &'a [ChunkCoord],
        before: &View,
    ) -> impl Iterator<Item = &'a ChunkCoord> {
        let known = before.viewer(self.entity).map(|known| known.point);
        let is_elsewhere = known.is_none_or(|known| known.place() != self.point.place());
        // Others are missing because it sees further than it did, and not because of where it is.
        let here = known.map_or(self.point, |known| ViewerPoint { view_distance: known.view_distance, ..self.point });
        let (layout, top) = (*layout, known.map(|_| before.cover.top()));
        let is_lacked = move |root: &&ChunkCoord| top.is_none_or(|top| root.level == top) && here.sees(&layout, **root);
        missing.iter().filter(move |root| is_elsewhere && is_lacked(root))
    }
}

impl Arrivals {
    /// Parts the viewers that arrive, which lack more than a few of the roots, since they have come from nowhere or have moved,
    /// from those that were there in the view `before`. Who lacks any beside them arrives with them.
    pub(super) fn part(
        &self,
        layout: &ChunkLayout,
        viewers: &[Watcher],
        missing: &[ChunkCoord],
        before: &View,
    ) -> (Vec<Watcher>, Vec<Watcher>) {
        let lacking = |viewer: &Watcher| -> Vec<ChunkCoord> {
            if self.viewers.contains(&viewer.entity) {
                missing.iter().copied().filter(|&root| viewer.point.sees(layout, root)).collect()
            } else {
                viewer.lacking(layout, missing, before).copied().collect()
            }
        };
        let coming: Vec<(&Watcher, Vec<ChunkCoord>)> =
            viewers.iter().map(|viewer| (viewer, lacking(viewer))).filter(|(_, roots)| !roots.is_empty()).collect();
        let arrives = |(viewer, _): &&(&Watcher, Vec<ChunkCoord>)| {
            let beside = || coming.iter().filter(|(other, _)| viewer.is_beside(&other.point));
            let mut roots: Vec<ChunkCoord> = beside().flat_map(|(_, roots)| roots).copied().collect();
            roots.sort_unstable();
            roots.dedup();
            roots.len() > FEW_ROOTS || beside().any(|(other, _)| self.sees_patch(layout, other))
        };
        let arriving: Vec<Watcher> = coming.iter().filter(arrives).map(|(viewer, _)| **viewer).collect();
        let stays = |viewer: &&Watcher| arriving.iter().all(|other| other.entity != viewer.entity);
        let present = viewers.iter().filter(stays).copied().collect();
        (arriving, present)
    }

    /// Whether the viewer has come and sees a patch that is made for where it is. Who moves on needs another, which takes no less
    /// than the last few roots.
    fn sees_patch(&self, layout: &ChunkLayout, viewer: &Watcher) -> bool {
        let is_made_for = |stand_in: &StandIn| stand_in.is_made_for(layout, std::iter::once(viewer.point.place()));
        self.viewers.contains(&viewer.entity) && self.stand_in.as_ref().is_some_and(is_made_for)
    }

    /// What those of the viewers `arriving` saw in the view `before` that see some of it still.
    pub(super) fn keep(arriving: &[Watcher], before: &View) -> Vec<(Entity, Viewer)> {
        let known = arriving.iter().filter_map(|viewer| Some((viewer, before.viewer(viewer.entity)?)));
        let seen = known.filter(|(viewer, known)| viewer.is_beside(&known.point));
        seen.map(|(viewer, known)| (viewer.entity, *known)).collect()
    }

    /// The viewers `arriving` see one patch where no chunks of `cover` are. Returns whether that can be: it may be too coarse to
    /// lie [beside](GroundPatch::beside) them, where those who arrive do so far apart.
    pub(super) fn see_patch(&mut self, layout: &ChunkLayout, arriving: &[Watcher], cover: &Cover) -> bool {
        let sight = arriving.iter().map(|viewer| viewer.sight(layout)).reduce(|[min, max], [other_min, other_max]| {
            [[0, 1].map(|axis| min[axis].min(other_min[axis])), [0, 1].map(|axis| max[axis].max(other_max[axis]))]
        });
        let places = || arriving.iter().map(|viewer| viewer.point.place());
        let here = self.stand_in.take();
        let old = here.as_ref().and_then(|here| here.entity);
        self.stand_in = sight.and_then(|[min, max]| {
            let is_enough = |here: &StandIn| {
                here.patch.contains(layout, min, max)
                    && here.is_made_for(layout, places())
                    && here.patch.beside(layout, cover).as_ref() == Some(&here.neighbours)
            };
            let made_new = || {
                let patch = GroundPatch::around(layout, min, max)?;
                let neighbours = patch.beside(layout, cover)?;
                Some(StandIn { patch, places: places().collect(), neighbours, entity: None })
            };
            here.filter(is_enough).or_else(made_new)
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

    /// Whether nobody arrives.
    pub(super) const fn are_none(&self) -> bool {
        self.viewers.is_empty()
    }

    /// The entity of the patch.
    pub fn stand_in(&self) -> Option<Entity> {
        self.stand_in.as_ref()?.entity
    }

    /// The patch, until it is there.
    pub fn missing_stand_in(&self) -> Option<PatchToBuild<'_>> {
        let StandIn { patch, places, neighbours, entity: None } = self.stand_in.as_ref()? else {
            return None;
        };
        Some(PatchToBuild { patch, neighbours, places })
    }

    /// The patch that was missing is there.
    pub fn set_stand_in(&mut self, entity: Entity) {
        if let Some(stand_in) = &mut self.stand_in {
            stand_in.entity = Some(entity);
        }
    }

    /// An entity is there no more: if it was the patch, that is missing now. Returns whether it was.
    pub fn forget(&mut self, entity: Entity) -> bool {
        let is_patch = |stand_in: &mut StandIn| stand_in.entity.take_if(|here| *here == entity).is_some();
        self.stand_in.as_mut().is_some_and(is_patch)
    }

    /// The patch that the viewers see no more, once.
    pub fn take_old(&mut self) -> Option<Entity> {
        self.old_stand_in.take()
    }
}
