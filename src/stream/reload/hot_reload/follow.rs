//! What follows from the looks at one file.

use super::look::Seen;
use crate::settings::Content;
use std::time::Duration;

/// How long a look or a load may take before that is told and another is tried. Files on network drives take a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest wait between two tries.
const MOST_PATIENCE: Duration = Duration::from_secs(60);

/// What is known about one file, apart from what was loaded from it.
pub(super) struct Follower {
    /// Why it could not be read at the last look.
    trouble: Option<Trouble>,
    /// What is being loaded, as far as is known.
    awaited: Option<Awaited>,
    /// How long the last look may take.
    patience: Duration,
    /// The log says that looks take long.
    is_slow_told: bool,
}

impl Default for Follower {
    fn default() -> Self {
        Self { trouble: None, awaited: None, patience: PATIENCE, is_slow_told: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Unreadable,
    Irregular,
}

/// A load that was asked for.
struct Awaited {
    content: Content,
    /// When it, or the last try, began.
    since: Duration,
    patience: Duration,
}

/// What the asset server and the loader know about the file.
pub(super) struct Server {
    /// It is being loaded for the first time, or after a failure.
    pub is_loading: bool,
    /// The last load failed.
    pub has_failed: bool,
    /// The loader has read it.
    pub knows: bool,
    /// The loader has read just what was seen.
    pub has: bool,
}

/// What is to be done after a look.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Nothing,
    /// Log what is the matter with the file.
    Tell(String),
    /// Load it: it is another.
    Load,
    /// Load it once more, as the last load takes long.
    LoadAgain {
        /// It is the first time.
        is_news: bool,
    },
    /// Keep what was loaded, and tell why.
    Refuse,
}

impl Follower {
    /// A look ended after this time.
    pub fn look_took(&mut self, time: Duration) {
        if time < PATIENCE {
            (self.patience, self.is_slow_told) = (PATIENCE, false);
        }
    }

    /// Whether a look that began this long ago is given up on. Then the next may take longer.
    pub fn is_look_overdue(&mut self, time: Duration) -> bool {
        let is_overdue = time >= self.patience;
        if is_overdue {
            self.patience = (self.patience * 2).min(MOST_PATIENCE);
        }
        is_overdue
    }

    /// Whether it is news that looks take long.
    pub fn tell_slow(&mut self) -> bool {
        !std::mem::replace(&mut self.is_slow_told, true)
    }

    /// What follows from what was seen at the time `now`.
    pub fn follow(&mut self, seen: &Seen, server: &Server, now: Duration) -> Next {
        match seen {
            Seen::Content { content, error } => self.follow_content(content, error.is_some(), server, now),
            Seen::Unreadable => {
                // Where it never could be read, the asset server says so.
                let is_news = self.trouble.replace(Trouble::Unreadable) != Some(Trouble::Unreadable) && server.knows;
                let text = "can't be read any more: the terrain keeps its last good settings until it is back";
                if is_news { Next::Tell(text.to_owned()) } else { Next::Nothing }
            }
            Seen::Irregular(kind) => {
                let is_news = self.trouble.replace(Trouble::Irregular) != Some(Trouble::Irregular);
                let text = format!("is a {kind}: it is not read until it is a regular file");
                if is_news { Next::Tell(text) } else { Next::Nothing }
            }
        }
    }

    fn follow_content(&mut self, content: &Content, is_bad: bool, server: &Server, now: Duration) -> Next {
        let is_back = self.trouble.take().is_some();
        if server.has {
            self.awaited = None;
            // Somebody may have asked for it while it was away.
            return self.load_if(is_back && server.has_failed, content, now);
        }
        if !(server.knows || server.is_loading || server.has_failed) {
            // What another loader made of another kind of file is none of our business.
            return self.load_if(is_back, content, now);
        }
        if server.knows && is_bad && !(server.has_failed || server.is_loading) {
            self.awaited = None;
            return Next::Refuse;
        }
        match self.awaited.as_mut().filter(|awaited| awaited.content == *content) {
            Some(_) if is_back => self.load_if(true, content, now),
            // It came to no loader of ours: it is tried again when it has changed.
            Some(_) if server.has_failed => Next::Nothing,
            Some(awaited) if now - awaited.since < awaited.patience => Next::Nothing,
            Some(awaited) => {
                let is_news = awaited.patience == PATIENCE;
                (awaited.since, awaited.patience) = (now, (awaited.patience * 2).min(MOST_PATIENCE));
                Next::LoadAgain { is_news }
            }
            None => {
                // A first load is under way already.
                let is_due = server.knows || server.has_failed || is_back;
                self.awaited = Some(Awaited { content: content.clone(), since: now, patience: PATIENCE });
                if is_due { Next::Load } else { Next::Nothing }
            }
        }
    }

    fn load_if(&mut self, is_due: bool, content: &Content, now: Duration) -> Next {
        if !is_due {
            return Next::Nothing;
        }
        self.awaited = Some(Awaited { content: content.clone(), since: now, patience: PATIENCE });
        Next::Load
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{SettingsError, TerrainSettingsLoadError};

    const NEW: Server = Server { is_loading: true, has_failed: false, knows: false, has: false };
    const LOADED: Server = Server { is_loading: false, has_failed: false, knows: true, has: true };
    const CHANGED: Server = Server { has: false, ..LOADED };
    const FAILED: Server = Server { has_failed: true, ..LOADED };

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn good(text: &str) -> Seen {
        Seen::Content { content: Content::Bytes(text.as_bytes().into()), error: None }
    }

    fn bad(text: &str) -> Seen {
        let (path, source) = ("a.terrain.ron".into(), SettingsError { problems: vec![] });
        let error = Some(TerrainSettingsLoadError::Invalid { path, source });
        Seen::Content { content: Content::Bytes(text.as_bytes().into()), error }
    }

    #[test]
    fn a_change_is_loaded_once_and_again_only_when_that_takes_long() {
        let mut follower = Follower::default();
        let mut follow = |text, server, time| follower.follow(&good(text), server, seconds(time));
        assert_eq!(follow("a", &LOADED, 0), Next::Nothing);
        assert_eq!(follow("b", &CHANGED, 1), Next::Load);
        assert_eq!(follow("b", &CHANGED, 5), Next::Nothing);
        assert_eq!(follow("b", &CHANGED, 6), Next::LoadAgain { is_news: true });
        assert_eq!(follow("b", &CHANGED, 15), Next::Nothing);
        assert_eq!(follow("b", &CHANGED, 16), Next::LoadAgain { is_news: false });
        assert_eq!(follow("c", &CHANGED, 17), Next::Load, "another content");
        assert_eq!(follow("c", &LOADED, 18), Next::Nothing);
        assert_eq!(follow("b", &CHANGED, 19), Next::Load);
    }

    #[test]
    fn a_first_load_that_hangs_is_tried_again() {
        let mut follower = Follower::default();
        let mut follow = |time| follower.follow(&good("a"), &NEW, seconds(time));
        assert_eq!((follow(0), follow(4)), (Next::Nothing, Next::Nothing));
        assert_eq!(follow(5), Next::LoadAgain { is_news: true });
    }

    #[test]
    fn a_file_that_came_to_no_loader_is_tried_again_when_it_has_changed() {
        let mut follower = Follower::default();
        let failed = Server { has_failed: true, knows: false, ..CHANGED };
        assert_eq!(follower.follow(&good("a"), &failed, seconds(0)), Next::Load);
        assert_eq!(follower.follow(&good("a"), &failed, seconds(100)), Next::Nothing);
        assert_eq!(follower.follow(&good("b"), &failed, seconds(101)), Next::Load);
    }

    #[test]
    fn a_bad_file_is_refused_where_there_is_a_good_one_and_left_to_the_server_otherwise() {
        let mut follower = Follower::default();
        assert_eq!(follower.follow(&bad("x"), &CHANGED, seconds(0)), Next::Refuse);
        let failed = Server { has: false, ..FAILED };
        assert_eq!(follower.follow(&bad("x"), &failed, seconds(1)), Next::Load);
        let loading = Server { is_loading: true, ..CHANGED };
        assert_eq!(follower.follow(&bad("x"), &loading, seconds(2)), Next::Nothing, "the server is at it");
    }

    #[test]
    fn what_is_no_file_is_told_once_and_its_return_is_followed() {
        let mut follower = Follower::default();
        let mut follow = |seen: &Seen, server| follower.follow(seen, server, seconds(0));
        let pipe = Seen::Irregular("named pipe");
        let text = "is a named pipe: it is not read until it is a regular file";
        assert_eq!(follow(&pipe, &CHANGED), Next::Tell(text.to_owned()));
        assert_eq!(follow(&pipe, &CHANGED), Next::Nothing);
        assert_eq!(follow(&good("a"), &LOADED), Next::Nothing, "back as it was");
        assert_eq!(follow(&pipe, &CHANGED), Next::Tell(text.to_owned()));
        assert_eq!(follow(&good("a"), &FAILED), Next::Load, "somebody asked for it while it was away");
        assert_eq!(follow(&Seen::Unreadable, &NEW), Next::Nothing, "the asset server says so");
        assert_eq!(follow(&good("a"), &NEW), Next::Load, "the load may hang in what was there");
    }

    #[test]
    fn looks_get_more_time_the_longer_they_take() {
        let mut follower = Follower::default();
        assert!(!follower.is_look_overdue(seconds(4)) && follower.is_look_overdue(seconds(5)));
        assert!(!follower.is_look_overdue(seconds(9)) && follower.is_look_overdue(seconds(10)));
        assert!(follower.tell_slow() && !follower.tell_slow());
        follower.look_took(seconds(20));
        assert!(!follower.tell_slow() && !follower.is_look_overdue(seconds(10)), "still slow");
        follower.look_took(seconds(1));
        assert!(follower.tell_slow() && follower.is_look_overdue(seconds(5)));
    }
}
