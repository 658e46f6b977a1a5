//! Decides what to do after each check of a file.

use super::check::Found;
use crate::asset::Content;
use std::time::Duration;

/// A check that takes longer is logged, and a load that does is tried again. Files on network drives take about a second.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout of a load doubles with each try, up to this.
const MAX_TIMEOUT: Duration = Duration::from_secs(60);

/// The state of one file between two checks.
#[derive(Default)]
pub(super) struct FileTracker {
    /// Why the last check could not read the file.
    problem: Option<ReadProblem>,
    /// The load that was requested last, unless it is known to have ended.
    pending: Option<PendingLoad>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadProblem {
    Unreadable,
    Irregular,
}

/// A requested load.
struct PendingLoad {
    content: Content,
    /// When the last try started.
    start: Duration,
    timeout: Duration,
}

/// The state of the file in the asset server and the loader.
pub(super) struct LoadStatus {
    /// The server loads the file for the first time, or after a failure.
    pub is_loading: bool,
    /// The last load failed.
    pub has_failed: bool,
    /// The loader read the file at least once.
    pub was_read: bool,
    /// The loader last read the same content as this check.
    pub is_current: bool,
}

/// The action after a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    None,
    /// Log this problem of the file.
    Warn(String),
    /// Load the file, because its content changed.
    Load,
    /// Load the file again, because the last load takes long.
    LoadAgain {
        /// Whether this is the first retry.
        is_first: bool,
    },
    /// Keep the loaded settings and report the error of the new content.
    Refuse,
}

impl FileTracker {
    /// Returns what to do after a check at the time `now`.
    pub fn next_action(&mut self, found: &Found, status: &LoadStatus, now: Duration) -> Action {
        match found {
            Found::Content { content, error } => self.content_action(content, error.is_some(), status, now),
            Found::Unreadable => {
                // If the file never loaded, the asset server logs that it can't be read.
                let is_new = self.problem.replace(ReadProblem::Unreadable) != Some(ReadProblem::Unreadable);
                let text = "can't be read any more; the terrain keeps its last valid settings";
                if is_new && status.was_read { Action::Warn(text.to_owned()) } else { Action::None }
            }
            Found::Irregular(kind) => {
                let is_new = self.problem.replace(ReadProblem::Irregular) != Some(ReadProblem::Irregular);
                let text = format!("is a {kind}, not a regular file, so hot reload does not read it");
                if is_new { Action::Warn(text) } else { Action::None }
            }
        }
    }

    fn content_action(&mut self, content: &Content, is_invalid: bool, status: &LoadStatus, now: Duration) -> Action {
        let is_readable_again = self.problem.take().is_some();
        if status.is_current {
            self.pending = None;
            // A load may have failed while the file could not be read.
            return self.load_if(is_readable_again && status.has_failed, content, now);
        }
        if !(status.was_read || status.is_loading || status.has_failed) {
            // Another loader handles this file.
            return self.load_if(is_readable_again, content, now);
        }
        if status.was_read && is_invalid && !(status.has_failed || status.is_loading) {
            self.pending = None;
            return Action::Refuse;
        }
        match self.pending.as_mut().filter(|pending| pending.content == *content) {
            Some(_) if is_readable_again => self.load_if(true, content, now),
            // The load failed before the loader read the file. Try again when the content changes.
            Some(_) if status.has_failed => Action::None,
            Some(pending) if now - pending.start < pending.timeout => Action::None,
            Some(pending) => {
                let is_first = pending.timeout == TIMEOUT;
                (pending.start, pending.timeout) = (now, (pending.timeout * 2).min(MAX_TIMEOUT));
                Action::LoadAgain { is_first }
            }
            None => {
                // During the first load, wait for its end.
                let is_due = status.was_read || status.has_failed || is_readable_again;
                self.pending = Some(PendingLoad { content: content.clone(), start: now, timeout: TIMEOUT });
                if is_due { Action::Load } else { Action::None }
            }
        }
    }

    fn load_if(&mut self, is_due: bool, content: &Content, now: Duration) -> Action {
        if !is_due {
            return Action::None;
        }
        self.pending = Some(PendingLoad { content: content.clone(), start: now, timeout: TIMEOUT });
        Action::Load
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::TerrainSettingsLoadError;
    use crate::settings::TerrainSettings;

    const NEW: LoadStatus = LoadStatus { is_loading: true, has_failed: false, was_read: false, is_current: false };
    const LOADED: LoadStatus = LoadStatus { is_loading: false, has_failed: false, was_read: true, is_current: true };
    const CHANGED: LoadStatus = LoadStatus { is_current: false, ..LOADED };
    const FAILED: LoadStatus = LoadStatus { has_failed: true, ..LOADED };

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn good(text: &str) -> Found {
        Found::Content { content: Content::Bytes(text.as_bytes().into()), error: None }
    }

    fn bad(text: &str) -> Found {
        let (path, source) = ("a.terrain.ron".into(), TerrainSettings::from_ron("(").expect_err("it ends too soon"));
        let error = Some(TerrainSettingsLoadError::Invalid { path, source });
        Found::Content { content: Content::Bytes(text.as_bytes().into()), error }
    }

    #[test]
    fn a_change_is_loaded_once_and_again_only_if_the_load_takes_long() {
        let mut tracker = FileTracker::default();
        let mut check = |text, status, time| tracker.next_action(&good(text), status, seconds(time));
        assert_eq!(check("a", &LOADED, 0), Action::None);
        assert_eq!(check("b", &CHANGED, 1), Action::Load);
        assert_eq!(check("b", &CHANGED, 5), Action::None);
        assert_eq!(check("b", &CHANGED, 6), Action::LoadAgain { is_first: true });
        assert_eq!(check("b", &CHANGED, 15), Action::None);
        assert_eq!(check("b", &CHANGED, 16), Action::LoadAgain { is_first: false });
        assert_eq!(check("c", &CHANGED, 17), Action::Load, "the content is new");
        assert_eq!(check("c", &LOADED, 18), Action::None);
        assert_eq!(check("b", &CHANGED, 19), Action::Load);
    }

    #[test]
    fn a_first_load_that_hangs_is_repeated() {
        let mut tracker = FileTracker::default();
        let mut check = |time| tracker.next_action(&good("a"), &NEW, seconds(time));
        assert_eq!((check(0), check(4)), (Action::None, Action::None));
        assert_eq!(check(5), Action::LoadAgain { is_first: true });
    }

    #[test]
    fn a_load_that_failed_before_the_loader_ran_is_repeated_when_the_content_changes() {
        let mut tracker = FileTracker::default();
        let failed = LoadStatus { has_failed: true, was_read: false, ..CHANGED };
        assert_eq!(tracker.next_action(&good("a"), &failed, seconds(0)), Action::Load);
        assert_eq!(tracker.next_action(&good("a"), &failed, seconds(100)), Action::None);
        assert_eq!(tracker.next_action(&good("b"), &failed, seconds(101)), Action::Load);
    }

    #[test]
    fn an_invalid_file_is_refused_if_valid_settings_are_loaded_and_given_to_the_server_otherwise() {
        let mut tracker = FileTracker::default();
        assert_eq!(tracker.next_action(&bad("x"), &CHANGED, seconds(0)), Action::Refuse);
        let failed = LoadStatus { is_current: false, ..FAILED };
        assert_eq!(tracker.next_action(&bad("x"), &failed, seconds(1)), Action::Load);
        let loading = LoadStatus { is_loading: true, ..CHANGED };
        assert_eq!(tracker.next_action(&bad("x"), &loading, seconds(2)), Action::None, "the server is loading it");
    }

    #[test]
    fn a_path_that_is_no_regular_file_is_logged_once_and_a_later_file_is_loaded() {
        let mut tracker = FileTracker::default();
        let mut check = |found: &Found, status| tracker.next_action(found, status, seconds(0));
        let pipe = Found::Irregular("named pipe");
        let text = "is a named pipe, not a regular file, so hot reload does not read it";
        assert_eq!(check(&pipe, &CHANGED), Action::Warn(text.to_owned()));
        assert_eq!(check(&pipe, &CHANGED), Action::None);
        assert_eq!(check(&good("a"), &LOADED), Action::None, "the same content as before");
        assert_eq!(check(&pipe, &CHANGED), Action::Warn(text.to_owned()));
        assert_eq!(check(&good("a"), &FAILED), Action::Load, "a load failed meanwhile");
        assert_eq!(check(&Found::Unreadable, &NEW), Action::None, "the asset server logs it");
        assert_eq!(check(&good("a"), &NEW), Action::Load, "the load may hang at the old file");
    }
}
