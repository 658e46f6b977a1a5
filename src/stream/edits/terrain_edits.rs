//! The edits of a game.

use crate::field::{EditId, EditMap, FieldSettings, GroundHash, HeightField, SavedEdits, TerrainEdit};
use crate::param::ParamError;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The edits of a game: level ground for a house, a crater, a road. Each has a number of the game's choice.
///
/// A component of the [`Terrain`](super::super::Terrain). The ground follows in [`TerrainSystems::React`](super::super::TerrainSystems) of
/// the same frame: what is drawn, [`TerrainGround`](crate::ground::TerrainGround), and colliders under bodies. Edits of a frame that
/// reach more than [64 drawn chunks](super::super::TerrainBudget::MAX_BUILT_NOW) are a reload: the old ground stays until the new one is
/// built.
///
/// The edits of the settings, [`FieldSettings::edits`], come before these.
///
/// Peers with the same settings and the same edits have the same ground, bit for bit, in whatever order the edits came. So a game
/// sends [`changes`](Self::changes), and saves [`save`](Self::save).
///
/// ```
/// use bevy::prelude::*;
/// use bevy_perlin_terrain::field::{EditChange, EditCircle, EditHill, EditShape, HillShape, TerrainEdit};
/// use bevy_perlin_terrain::prelude::*;
///
/// fn explode(position: Vec3, number: u64, terrain: &mut TerrainEdits) -> Result {
///     let [x, _, z] = position.as_dvec3().to_array();
///     let crater = TerrainEdit {
///         shape: EditShape::Circle(EditCircle { x, z, radius: 12.0 }),
///         change: EditChange::Hill(EditHill { shape: HillShape::Dome, height: -4.0 }),
///         ..TerrainEdit::default()
///     };
///     terrain.set(number, crater)?;
///     Ok(())
/// }
/// ```
#[derive(Component, Debug, Default)]
pub struct TerrainEdits {
    map: EditMap,
    /// Another list has another one, so the terrain knows when this component was replaced.
    identity: EditsIdentity,
    /// The edits that changed since the terrain has followed, as the terrain has them.
    before: BTreeMap<u64, Option<TerrainEdit>>,
    /// The numbers of the edits that the terrain has followed in the last frame.
    changes: Vec<u64>,
    /// The ground of a save whose settings were not compared yet.
    saved_ground: Option<GroundHash>,
}

/// Tells a list of edits from all others.
#[derive(Clone, Debug, Default)]
pub(in crate::stream) struct EditsIdentity(Arc<()>);

impl PartialEq for EditsIdentity {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl TerrainEdits {
    /// Adds an edit, or replaces the one with the same number. Returns the one before.
    ///
    /// # Errors
    ///
    /// If something about the edit is not allowed, or if there would be more than [`EditMap::MAX_EDITS`]. Nothing changes.
    pub fn set(&mut self, id: u64, edit: TerrainEdit) -> Result<Option<TerrainEdit>, ParamError> {
        let before = self.map.set(id, edit)?;
        self.before.entry(id).or_insert_with(|| before.clone());
        Ok(before)
    }

    /// Removes an edit, and returns it.
    pub fn remove(&mut self, id: u64) -> Option<TerrainEdit> {
        let before = self.map.remove(id)?;
        self.before.entry(id).or_insert_with(|| Some(before.clone()));
        Some(before)
    }

    /// The edit with this number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<&TerrainEdit> {
        self.map.get(id)
    }

    /// All edits with their numbers, in the order of the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &TerrainEdit)> {
        self.map.iter()
    }

    /// How many edits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there is no edit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The changes that the ground has followed in the last [`TerrainSystems::React`](super::super::TerrainSystems): the numbers, and
    /// the edits that they have now, or `None` for one that was removed. A peer makes the same changes with [`set`](Self::set) and
    /// [`remove`](Self::remove).
    ///
    /// Edits that came with a whole [`EditMap`] or a save are not among them.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = (u64, Option<&TerrainEdit>)> {
        self.changes.iter().map(|&id| (id, self.map.get(id)))
    }

    /// The edits for a save. `field` are the settings of the ground below, [`TerrainState::settings`](super::super::TerrainState::settings).
    #[must_use]
    pub fn save(&self, field: &FieldSettings) -> SavedEdits {
        SavedEdits::new(&self.map, field)
    }

    /// Replaces all edits by those of a save. If its ground had other settings, the terrain logs a warning.
    ///
    /// # Errors
    ///
    /// If something about an edit is not allowed. Nothing changes.
    pub fn load(&mut self, saved: &SavedEdits) -> Result<(), ParamError> {
        let edits = saved.edits()?;
        *self = Self { saved_ground: Some(saved.ground()), ..edits.into() };
        Ok(())
    }

    /// All edits.
    pub(in crate::stream) const fn map(&self) -> &EditMap {
        &self.map
    }

    pub(in crate::stream) const fn identity(&self) -> &EditsIdentity {
        &self.identity
    }

    /// Whether the edits come from a save of other ground. Answers once for each save.
    pub(in crate::stream) fn take_other_ground(&mut self, field: &FieldSettings) -> bool {
        self.saved_ground.take().is_some_and(|ground| !ground.is_of(field))
    }

    /// Whether there are changes that the terrain has not followed, or some that it has followed in the last frame.
    pub(in crate::stream) fn has_news(&self) -> bool {
        !(self.before.is_empty() && self.changes.is_empty() && self.saved_ground.is_none())
    }

    /// The changes since the last call, as what the terrain has and what it is to have.
    pub(in crate::stream) fn take_changes(&mut self) -> Vec<EditStep> {
        // An edit that is set again is no news.
        let before = std::mem::take(&mut self.before).into_iter().filter(|(id, old)| old.as_ref() != self.map.get(*id));
        let (ids, steps) = before
            .map(|(id, old)| (id, EditStep { id: EditId::Game(id), old, new: self.map.get(id).cloned() }))
            .unzip();
        self.changes = ids;
        steps
    }
}

impl From<EditMap> for TerrainEdits {
    fn from(map: EditMap) -> Self {
        Self { map, ..Self::default() }
    }
}

/// A list of its own, with the same edits.
impl Clone for TerrainEdits {
    fn clone(&self) -> Self {
        self.map.clone().into()
    }
}

/// A change of one edit.
#[derive(Debug)]
pub(in crate::stream) struct EditStep {
    pub id: EditId,
    pub old: Option<TerrainEdit>,
    pub new: Option<TerrainEdit>,
}

impl EditStep {
    pub fn make(&self, field: &mut HeightField) {
        field.replace_edit(self.id, self.old.as_ref(), self.new.as_ref());
    }
}
