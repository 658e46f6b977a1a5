//! The edits of a game, by id.

use super::{EditId, TerrainEdit};
use crate::field::HeightField;
use crate::param::ParamError;
use std::collections::BTreeMap;

/// The edits of a game, each with a number of the game's choice. Only valid edits are in it.
///
/// Two maps with the same edits make the same ground, whatever happened before.
///
/// ```
/// use perlin_terrain::field::{EditChange, EditMap, FieldSettings, HeightField, Raise, TerrainEdit};
///
/// let mut edits = EditMap::default();
/// let mound = TerrainEdit { change: EditChange::Raise(Raise { height: 3.0 }), ..TerrainEdit::default() };
/// edits.set(7, mound.clone())?;
/// let plain = HeightField::new(&FieldSettings::default());
/// let ground = plain.with_edits(&edits);
/// assert_eq!(ground.height(0.0, 0.0), plain.height(0.0, 0.0) + 3.0);
///
/// let error = edits.set(7, TerrainEdit { fade: -1.0, ..mound }).unwrap_err();
/// assert_eq!(error.to_string(), "`fade` is -1.0, allowed: 0 to 10000 m");
/// # Ok::<(), perlin_terrain::param::ParamError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditMap {
    edits: BTreeMap<u64, TerrainEdit>,
}

impl EditMap {
    /// The largest number of edits.
    pub const MAX_EDITS: usize = 1_000_000;

    /// Adds an edit, or replaces the one with the same number. Returns the one before.
    ///
    /// # Errors
    ///
    /// If something about the edit is not allowed, or if there would be more than [`MAX_EDITS`](Self::MAX_EDITS). Nothing changes.
    pub fn set(&mut self, id: u64, edit: TerrainEdit) -> Result<Option<TerrainEdit>, ParamError> {
        if let Some(error) = edit.check().into_iter().next() {
            return Err(error);
        }
        if self.len() == Self::MAX_EDITS && !self.edits.contains_key(&id) {
            let found = format!("{} edits and one more", Self::MAX_EDITS);
            return Err(ParamError { path: "edits".to_owned(), found, allowed: format!("up to {}", Self::MAX_EDITS) });
        }
        Ok(self.edits.insert(id, edit))
    }

    /// Removes an edit, and returns it.
    pub fn remove(&mut self, id: u64) -> Option<TerrainEdit> {
        self.edits.remove(&id)
    }

    /// The edit with this number.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<&TerrainEdit> {
        self.edits.get(&id)
    }

    /// All edits with their numbers, in the order of the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &TerrainEdit)> {
        self.edits.iter().map(|(&id, edit)| (id, edit))
    }

    /// How many edits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether there is no edit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }
}

impl HeightField {
    /// The same ground with these edits of a game in place of those that it has.
    ///
    /// Takes a few microseconds for each edit; [`replace_edit`](Self::replace_edit) takes that for each change.
    #[must_use]
    pub fn with_edits(&self, edits: &EditMap) -> Self {
        let mut field = Self { program: self.program.clone(), edits: self.edits.without_edits_of_games() };
        edits.iter().for_each(|(id, edit)| field.replace_edit(EditId::Game(id), None, Some(edit)));
        field
    }
}
