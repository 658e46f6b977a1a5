//! The edits of a designer, to undo and redo them.

use super::{Draft, EditableSettings};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the entries of all histories.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// An edit of a designer.
#[derive(Clone, Debug)]
pub(super) struct Entry<T> {
    /// The edit in words: `Ranges: octaves 5 to 6`.
    pub label: String,
    pub before: T,
    pub after: T,
    /// A later edit has a higher number, also in another history.
    pub number: u64,
}

/// The edits of one file, the oldest first, and how many of them are done. The others were undone.
#[derive(Clone, Debug)]
pub struct History<T> {
    entries: VecDeque<Entry<T>>,
    done: usize,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { entries: VecDeque::new(), done: 0 }
    }
}

impl<T> History<T> {
    /// The most edits that a history keeps.
    pub const MAX: usize = 200;

    /// Adds an edit, and forgets those that were undone.
    pub(super) fn push(&mut self, label: String, before: T, after: T) {
        self.entries.truncate(self.done);
        self.entries.push_back(Entry { label, before, after, number: NUMBER.fetch_add(1, Ordering::Relaxed) });
        if self.entries.len() > Self::MAX {
            self.entries.pop_front();
        }
        self.done = self.entries.len();
    }

    /// The edit that an undo takes back.
    pub(super) fn last_done(&self) -> Option<&Entry<T>> {
        self.entries.get(self.done.checked_sub(1)?)
    }

    /// The edit that a redo makes again.
    pub(super) fn first_undone(&self) -> Option<&Entry<T>> {
        self.entries.get(self.done)
    }

    pub(super) const fn set_done(&mut self, done: usize) {
        self.done = done;
    }

    /// The edits in words, the oldest first.
    pub fn labels(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.entries.iter().map(|entry| entry.label.as_str())
    }

    /// How many of the edits are done.
    #[must_use]
    pub const fn done(&self) -> usize {
        self.done
    }

    /// The number of the last edit that is done, in the order of all edits of all files.
    #[must_use]
    pub fn last_done_number(&self) -> Option<u64> {
        self.last_done().map(|entry| entry.number)
    }

    /// The number of the first edit that was undone, in the order of all edits of all files.
    #[must_use]
    pub fn first_undone_number(&self) -> Option<u64> {
        self.first_undone().map(|entry| entry.number)
    }
}

impl<T: EditableSettings> Draft<T> {
    /// Takes back the last edit, and nothing that came from elsewhere since: where both changed a value, it stays. Skips edits that would
    /// change nothing. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns the reason if the settings would not be allowed without the edit. The draft does not change.
    pub fn undo(&mut self) -> Result<bool, String> {
        self.finish_edit();
        while self.history.done() > 0 {
            if self.undo_one()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes the edit again that was undone last. Otherwise like [`undo`](Self::undo).
    ///
    /// # Errors
    ///
    /// Returns the reason if the settings would not be allowed with the edit. The draft does not change.
    pub fn redo(&mut self) -> Result<bool, String> {
        self.finish_edit();
        while self.history.first_undone().is_some() {
            if self.redo_one()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Undoes or redoes edits until this many of the [history](Self::history) are done.
    ///
    /// # Errors
    ///
    /// Returns the reason if an edit on the way can't be undone or redone. The draft stays as it was before that edit.
    pub fn jump(&mut self, done: usize) -> Result<(), String> {
        self.finish_edit();
        while self.history.done() > done {
            self.undo_one()?;
        }
        while self.history.done() < done && self.history.first_undone().is_some() {
            self.redo_one()?;
        }
        Ok(())
    }

    /// Returns whether that changed something.
    fn undo_one(&mut self) -> Result<bool, String> {
        let Some(Entry { before, after, .. }) = self.history.last_done() else { return Ok(false) };
        let undone = self.with_change(after, before)?;
        self.history.set_done(self.history.done() - 1);
        Ok(self.replace_if_other(undone))
    }

    /// Returns whether that changed something.
    fn redo_one(&mut self) -> Result<bool, String> {
        let Some(Entry { before, after, .. }) = self.history.first_undone() else { return Ok(false) };
        let redone = self.with_change(before, after)?;
        self.history.set_done(self.history.done() + 1);
        Ok(self.replace_if_other(redone))
    }

    /// The draft with the changes from `old` to `new`, except for what is no longer as in `old`.
    fn with_change(&self, old: &T, new: &T) -> Result<T, String> {
        if self.settings == *old {
            return Ok(new.clone());
        }
        self.check_merge(T::merge(old, &self.settings, new)).map(|merge| merge.settings)
    }

    fn replace_if_other(&mut self, settings: T) -> bool {
        let is_other = settings != self.settings;
        if is_other {
            self.replace(settings);
        }
        is_other
    }
}
