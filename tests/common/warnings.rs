//! What was told in the log.

use super::on_this_thread;
use bevy::log::Level;
use bevy::log::tracing_subscriber::{fmt, util::SubscriberInitExt};
use bevy::prelude::*;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The warnings and errors that were logged by one thread; those of other threads, on which other tests run, are not heard.
#[derive(Clone, Default)]
pub struct Warnings(Arc<Mutex<Vec<u8>>>);

impl Warnings {
    /// Hears what this thread logs, and runs all systems of `app` on it, while `run` lasts.
    pub fn of(app: &mut App, run: impl FnOnce(&mut App)) -> Vec<String> {
        on_this_thread(app);
        let heard = Self::default();
        let writer = heard.clone();
        let guard = fmt()
            .with_max_level(Level::WARN)
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
}

impl Write for Warnings {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
