//! The log of one thread. Other tests run on other threads, and their logs are not recorded.

use super::on_this_thread;
use bevy::log::Level;
use bevy::log::tracing::{Dispatch, subscriber::NoSubscriber};
use bevy::log::tracing_subscriber::{fmt, fmt::format::FmtSpan, util::SubscriberInitExt};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The warnings and errors that are logged during `run`. All systems of `app` run on this thread.
pub fn warnings_of(app: &mut App, run: impl FnOnce(&mut App)) -> Vec<String> {
    lines_of(app, Level::WARN, FmtSpan::NONE, run)
}

/// The names of the terrain's spans that are entered during `run`. All systems of `app` run on this thread.
pub fn terrain_spans_of(app: &mut App, run: impl FnOnce(&mut App)) -> BTreeSet<String> {
    let lines = lines_of(app, Level::DEBUG, FmtSpan::ENTER, run);
    let words = lines.iter().flat_map(|line| line.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_'));
    words.filter(|word| word.starts_with("terrain_")).map(str::to_owned).collect()
}

fn lines_of(app: &mut App, level: Level, spans: FmtSpan, run: impl FnOnce(&mut App)) -> Vec<String> {
    on_this_thread(app);
    // With a single subscriber, `tracing` caches the interest of the first thread that reaches a span for all threads.
    let _second = Dispatch::new(NoSubscriber::default());
    let lines = Lines::default();
    let writer = lines.clone();
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
    let bytes = lines.0.lock().unwrap_or_else(PoisonError::into_inner);
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
