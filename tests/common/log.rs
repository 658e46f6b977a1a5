//! What one thread told in the log; what others told, on which other tests run, is not heard.

use super::on_this_thread;
use bevy::log::Level;
use bevy::log::tracing::{Dispatch, subscriber::NoSubscriber};
use bevy::log::tracing_subscriber::{fmt, fmt::format::FmtSpan, util::SubscriberInitExt};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The warnings and errors that this thread logs, and all systems of `app` on it, while `run` lasts.
pub fn warnings_of(app: &mut App, run: impl FnOnce(&mut App)) -> Vec<String> {
    lines_of(app, Level::WARN, FmtSpan::NONE, run)
}

/// The names of the terrain's spans that are entered on this thread, by all systems of `app` too, while `run` lasts.
pub fn terrain_spans_of(app: &mut App, run: impl FnOnce(&mut App)) -> BTreeSet<String> {
    let lines = lines_of(app, Level::DEBUG, FmtSpan::ENTER, run);
    let words = lines.iter().flat_map(|line| line.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_'));
    words.filter(|word| word.starts_with("terrain_")).map(str::to_owned).collect()
}

fn lines_of(app: &mut App, level: Level, spans: FmtSpan, run: impl FnOnce(&mut App)) -> Vec<String> {
    on_this_thread(app);
    // Where one listens alone, the thread that comes to a span first is asked whether anybody does, and believed for all threads.
    let _second = Dispatch::new(NoSubscriber::default());
    let heard = Lines::default();
    let writer = heard.clone();
    let guard = fmt()
        .with_max_level(level)
        .with_span_events(spans)
        .with_target(false)
        .with_ansi(false)
        .without_time()
        .with_writer(move || writer.clone())
        .finish()
        .set_default();
    run(app);
    drop(guard);
    let bytes = heard.0.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
