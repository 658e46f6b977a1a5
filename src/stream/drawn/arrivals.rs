//! Viewers that were put where nothing is, or too little, or who would take detail from others, and the patches of ground that stand
//! in for chunks there.
//!
//! One patch for all of them, as a rule: the frame builds no more than that. Where they come so far apart that it would be too
//! coarse to lie beside what others see between them, each [party](super::parties) has its own.

use super::View;
use super::parties::{Party, StandIn, stand_ins};
use crate::chunk::{ChunkCoord, ChunkLayout, Cover, GroundPatch, Reach, Viewer, ViewerPoint};
use crate::stream::generation::FEW_ROOTS;
use crate::stream::stand_in::PatchToBuild;
use bevy::prelude::*;

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
    stand_ins: Vec<StandIn>,
    /// What stood in before, until the world is told that it is gone.
    old_stand_ins: Vec<Entity>,
}

impl Watcher {
    pub const fn target(&self) -> (ViewerPoint, Reach) {
        (self.point, self.target)
    }

    /// The corners of the square that the viewer sees a part of.
    fn sight(&self, layout: &ChunkLayout) -> [[f64; 2]; 2] {
        let view = self.point.view_distance.clamp(0.0, Reach::farthest_view(layout));
        [-view, view].map(|view| self.point.place().map(|along| along + view))
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
            let beside = || coming.iter().filter(|(other, _)| viewer.point.is_beside(&other.point));
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
        let is_made_for = |stand_in: &StandIn| stand_in.is_made_for(layout, &[viewer.point.place()]);
        self.viewers.contains(&viewer.entity) && self.stand_ins.iter().any(is_made_for)
    }

    /// What those of the viewers `arriving` saw in the view `before` that see some of it still.
    pub(super) fn keep(arriving: &[Watcher], before: &View) -> Vec<(Entity, Viewer)> {
        let known = arriving.iter().filter_map(|viewer| Some((viewer, before.viewer(viewer.entity)?)));
        let seen = known.filter(|(viewer, known)| viewer.point.is_beside(&known.point));
        seen.map(|(viewer, known)| (viewer.entity, *known)).collect()
    }

    /// The viewers `arriving` see patches where no chunks of `cover` are. Returns whether that can be: one may be too coarse to
    /// lie [beside](GroundPatch::beside) chunks.
    pub(super) fn see_patches(&mut self, layout: &ChunkLayout, arriving: &[Watcher], cover: &Cover) -> bool {
        let mut here = std::mem::take(&mut self.stand_ins);
        let parties: Vec<Party> =
            arriving.iter().map(|viewer| Party::of(viewer.point.place(), viewer.sight(layout))).collect();
        let together = parties.iter().cloned().reduce(Party::join);
        // Where they have patches of their own, they keep them.
        let found = if here.len() > 1 { None } else { stand_ins(layout, together, cover, &here) };
        let found = found.or_else(|| stand_ins(layout, parties, cover, &here));
        let are_found = found.is_some();
        self.stand_ins = found.unwrap_or_default();
        for stand_in in &mut self.stand_ins {
            let same = here.iter_mut().find(|old| old.is_same(stand_in));
            stand_in.entity = same.and_then(|old| old.entity.take());
        }
        self.old_stand_ins.extend(here.into_iter().filter_map(|old| old.entity));
        self.viewers.clear();
        if are_found {
            self.viewers.extend(arriving.iter().map(|viewer| viewer.entity));
        }
        are_found
    }

    /// Whether any ground of `chunk` is part of a patch.
    pub(super) fn see(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> bool {
        let chunk = GroundPatch::of_chunk(layout, chunk);
        self.stand_ins.iter().any(|stand_in| stand_in.patch.overlaps(layout, &chunk))
    }

    /// Whether `viewer` arrived in the frame before.
    pub(super) fn hold(&self, viewer: Entity) -> bool {
        self.viewers.contains(&viewer)
    }

    /// Whether nobody arrives.
    pub(super) const fn are_none(&self) -> bool {
        self.viewers.is_empty()
    }

    /// The entities of the patches.
    pub fn stand_ins(&self) -> impl Iterator<Item = Entity> {
        self.stand_ins.iter().filter_map(|stand_in| stand_in.entity)
    }

    /// A patch that is not there yet.
    pub fn missing_stand_in(&self) -> Option<PatchToBuild<'_>> {
        let StandIn { patch, places, neighbours, .. } =
            self.stand_ins.iter().find(|stand_in| stand_in.entity.is_none())?;
        Some(PatchToBuild { patch, neighbours, places })
    }

    /// The [missing](Self::missing_stand_in) patch is there.
    pub fn set_stand_in(&mut self, entity: Entity) {
        if let Some(missing) = self.stand_ins.iter_mut().find(|stand_in| stand_in.entity.is_none()) {
            missing.entity = Some(entity);
        }
    }

    /// An entity is there no more: if it was a patch, that is missing now. Returns whether it was.
    pub fn forget(&mut self, entity: Entity) -> bool {
        self.stand_ins.iter_mut().any(|stand_in| stand_in.entity.take_if(|here| *here == entity).is_some())
    }

    /// The patches that the viewers see no more, once.
    pub fn take_old(&mut self) -> impl Iterator<Item = Entity> {
        self.old_stand_ins.drain(..)
    }
}
