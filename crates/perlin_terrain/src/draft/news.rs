//! What comes from elsewhere while a draft has edits: a changed file, and a changed asset.

use super::draft::values;
use super::labels::{changes, name_of};
use super::{Draft, EditableSettings, Row};
use crate::param::ParamValue;
use crate::settings::SettingsMerge;
use std::collections::HashMap;
use std::time::Duration;

/// The last known content of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FileCopy<T> {
    pub settings: T,
    /// Empty if only the settings are known.
    pub text: String,
}

/// What a changed file did to a draft with edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileNews {
    /// The changes of the file that are in the draft now, in words.
    pub taken: Vec<String>,
    /// The parameters and items that both changed, in words. The draft keeps its own.
    pub kept: Vec<String>,
    /// Why the draft could not take the changes: both together would not be allowed. The draft is as it was.
    pub refused: Option<String>,
}

/// An asset that a game has changed.
#[derive(Clone, Debug)]
pub(super) struct ByGame<T> {
    asset: T,
    /// The values that are not those that were written.
    values: HashMap<String, ParamValue>,
}

impl<T: EditableSettings> ByGame<T> {
    /// `None` if it is as it was written.
    fn of(asset: &T, written: &T) -> Option<Self> {
        if asset.is_same(written) {
            return None;
        }
        let (old, mut values) = (values(written), values(asset));
        values.retain(|path, value| old.get(path).is_some_and(|old| old != value));
        Some(Self { asset: asset.clone(), values })
    }
}

impl<T: EditableSettings> Draft<T> {
    /// Whether the draft has edits that are not in the asset yet.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        self.is_pending
    }

    /// Returns the settings that must be written to the asset at the time `now`: the draft was edited, and the last write is at least
    /// [`WRITE_INTERVAL`](Self::WRITE_INTERVAL) ago. They keep what a game has changed in the asset, where the draft was not edited.
    ///
    /// Call it every frame. It returns the first edit at once, and a series of edits ten times per second. It always returns the
    /// last edit.
    #[must_use]
    pub fn take_write(&mut self, now: Duration) -> Option<T> {
        let early = self.last_write.is_some_and(|last| now.saturating_sub(last) < Self::WRITE_INTERVAL);
        if !self.is_pending || early {
            return None;
        }
        self.is_pending = false;
        self.last_write = Some(now);
        let merge = self.by_game.take().map(|by_game| T::merge(&self.written, &self.settings, &by_game.asset));
        let merged = merge.and_then(|merge| self.check_merge(merge).ok());
        self.by_game = merged.and_then(|merged| ByGame::of(&merged.settings, &self.settings));
        self.written = self.settings.clone();
        Some(self.by_game.as_ref().map_or(&self.settings, |by_game| &by_game.asset).clone())
    }

    /// Looks at the asset, which may have changed. What a game changes in it does not change the draft, so it is never saved.
    pub fn asset_seen(&mut self, asset: &T) {
        if self.by_game.as_ref().map_or(&self.written, |by_game| &by_game.asset) != asset {
            self.by_game = ByGame::of(asset, &self.written);
        }
    }

    /// Handles a load of the file, which contains `settings` and `text`. The asset has them too.
    ///
    /// A draft without edits follows the file. One with edits gets what changed in the file, and keeps its edits; [`news`](Self::news) tells
    /// what that was.
    pub fn file_loaded(&mut self, settings: &T, text: impl Into<String>) {
        self.file_read(settings, text);
        // The load overwrote the asset. So a draft that differs is written at once.
        self.written = settings.clone();
        self.by_game = None;
        self.last_write = None;
        self.is_pending = !self.settings.is_same(settings);
    }

    /// Handles new content of the file, which the asset does not have.
    pub(super) fn file_read(&mut self, settings: &T, text: impl Into<String>) {
        self.finish_edit();
        let is_edited = self.is_edited() == Some(true);
        let old = self.file.replace(FileCopy { settings: settings.clone(), text: text.into() });
        if !is_edited {
            (self.news, self.untaken_since) = (None, None);
            self.replace(settings.clone());
        } else if let Some(FileCopy { settings: old, .. }) = old
            && !old.is_same(settings)
        {
            let old = self.untaken_since.take().unwrap_or(old);
            self.take_news(old, settings);
        }
        self.drop_computed();
    }

    /// Merges a changed file into the draft.
    fn take_news(&mut self, old: T, new: &T) {
        match self.check_merge(T::merge(&old, &self.settings, new)) {
            Ok(SettingsMerge { settings, conflicts }) => {
                let mut news = self.news.take().unwrap_or_default();
                news.refused = None;
                news.taken.extend(changes(&self.settings, &settings));
                for path in conflicts {
                    let name = name_of(&settings, &path);
                    if !news.kept.contains(&name) {
                        news.kept.push(name);
                    }
                }
                self.replace(settings);
                self.news = Some(news);
            }
            Err(why) => {
                self.untaken_since = Some(old);
                self.news.get_or_insert_default().refused = Some(why);
            }
        }
    }

    /// Takes edits that were made to the file `base`, as one entry of the history. Where both differ from it, these edits win.
    /// [`news`](Self::news) tells where.
    ///
    /// # Errors
    ///
    /// Returns the reason if the settings would not be allowed with the edits. The draft does not change.
    pub fn restore(&mut self, edited: &T, base: &T) -> Result<(), String> {
        let SettingsMerge { settings, conflicts } = self.check_merge(T::merge(base, edited, &self.settings))?;
        let kept: Vec<String> = conflicts.iter().map(|path| name_of(&settings, path)).collect();
        if !kept.is_empty() {
            self.news.get_or_insert_default().kept.extend(kept);
        }
        self.act("Restore".to_owned(), settings);
        Ok(())
    }

    /// What the last change of the file did to the draft. `None` if it had no edits, or after [`dismiss_news`](Self::dismiss_news).
    #[must_use]
    pub const fn news(&self) -> Option<&FileNews> {
        self.news.as_ref()
    }

    /// Drops the news. After a change that the draft could not take, it keeps its own values for good.
    pub fn dismiss_news(&mut self) {
        (self.news, self.untaken_since) = (None, None);
    }

    /// Records that the draft was saved to the file, as this text.
    pub fn file_saved(&mut self, text: impl Into<String>) {
        self.file = Some(FileCopy { settings: self.settings.clone(), text: text.into() });
        self.untaken_since = None;
        // What was taken may not have been read yet.
        self.news.take_if(|news| news.refused.is_some());
        self.drop_computed();
    }

    /// Sets all settings to those of the file. Can be undone.
    pub fn reset(&mut self) {
        if let Some(file) = self.file().cloned() {
            self.refusals.clear();
            (self.news, self.untaken_since) = (None, None);
            self.act("Reset to file".to_owned(), file);
        }
    }

    /// The value of a parameter in the asset, if a game changed it since the draft was written.
    #[must_use]
    pub fn value_by_game(&self, row: &Row) -> Option<ParamValue> {
        self.by_game.as_ref()?.values.get(&row.path).filter(|now| **now != row.value).cloned()
    }

    /// A merge, if it is allowed or if the draft isn't allowed anyway.
    pub(super) fn check_merge(&self, merge: SettingsMerge<T>) -> Result<SettingsMerge<T>, String> {
        match merge.settings.validate() {
            Err(errors) if self.settings.validate().is_ok() => {
                Err(errors.first().map_or_else(String::new, ToString::to_string))
            }
            _ => Ok(merge),
        }
    }

    /// Gives the edits and the history to a new file, which was saved with this text. The draft itself becomes what its file has.
    #[must_use]
    pub fn moved_to_new_file(&mut self, text: impl Into<String>) -> Self {
        self.finish_edit();
        let mut moved = self.clone();
        moved.file_saved(text);
        moved.written = moved.settings.clone();
        moved.by_game = None;
        if let Some(FileCopy { settings, text }) = self.file.clone() {
            let written = std::mem::replace(&mut self.written, settings.clone());
            *self = Self::from_file(settings, text);
            self.is_pending = !written.is_same(&self.settings);
        }
        moved
    }
}
