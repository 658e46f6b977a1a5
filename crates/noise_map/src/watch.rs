//! Signals and the progress bar during a drawing.

use crate::stop::{Interrupted, Stop};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A progress bar appears after this time. Most images are done before.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time from one change of the bar to the next.
const PERIOD: Duration = Duration::from_millis(100);

/// Polls for signals and shows the progress while an image is drawn.
pub struct Watch {
    signals: Vec<(i32, Arc<AtomicBool>)>,
    bar: Option<Bar>,
}

impl Watch {
    /// Starts the clock of the progress bar. Only long drawings have one, and only if standard error is a terminal.
    pub fn start() -> Self {
        let bar = io::stderr().is_terminal().then(|| Bar { start: Instant::now(), next: PATIENCE, is_shown: false });
        Self { signals: Vec::new(), bar }
    }

    /// Makes [`note_progress`](Self::note_progress) return an error after SIGINT or SIGTERM, so that temporary files are removed
    /// before the program ends. Without this, they end the program at once.
    pub fn catch_signals(&mut self) -> Result<(), Stop> {
        for signal in [SIGINT, SIGTERM] {
            let flag = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(signal, Arc::clone(&flag))
                .map_err(|error| Stop::failed("cannot catch signals", error))?;
            self.signals.push((signal, flag));
        }
        Ok(())
    }

    /// Reports progress, from 0 to 1.
    ///
    /// # Errors
    ///
    /// [`Interrupted`], after a signal.
    pub fn note_progress(&mut self, part: f64) -> io::Result<()> {
        if let Some((signal, _)) = self.signals.iter().find(|(_, flag)| flag.load(Ordering::Relaxed)) {
            return Err(io::Error::other(Interrupted(*signal)));
        }
        if let Some(bar) = &mut self.bar {
            bar.show(part);
        }
        Ok(())
    }
}

struct Bar {
    start: Instant,
    /// When it changes next, after the start.
    next: Duration,
    is_shown: bool,
}

impl Bar {
    fn show(&mut self, part: f64) {
        let now = self.start.elapsed();
        if now >= self.next {
            self.next = now + PERIOD;
            self.is_shown = true;
            // A bar that can't be shown is no reason to stop.
            let _ = write!(io::stderr(), "\r{}", line(part));
        }
    }
}

/// Leaves the line of the bar empty for what is said next.
impl Drop for Bar {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// The bar for a part from 0 to 1.
fn line(part: f64) -> String {
    const WIDTH: usize = 40;
    let part = part.clamp(0.0, 1.0);
    let full = (part * WIDTH as f64) as usize;
    format!("[{}{}] {:3} %", "#".repeat(full), " ".repeat(WIDTH - full), (part * 100.0) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_grows_from_nothing_to_its_full_length() {
        assert_eq!(line(0.0), format!("[{}]   0 %", " ".repeat(40)));
        assert_eq!(line(0.5), format!("[{}{}]  50 %", "#".repeat(20), " ".repeat(20)));
        assert_eq!(line(1.0), format!("[{}] 100 %", "#".repeat(40)));
        assert_eq!(line(1.5), line(1.0));
    }

    #[test]
    fn a_drawing_goes_on_until_a_signal_comes() {
        let flag = Arc::new(AtomicBool::new(false));
        let mut watch = Watch { signals: vec![(SIGTERM, Arc::clone(&flag))], bar: None };
        assert!(watch.note_progress(0.5).is_ok());
        flag.store(true, Ordering::Relaxed);
        let error = watch.note_progress(0.6).expect_err("there is a signal").downcast::<Interrupted>();
        assert_eq!(error.expect("it is an interruption").0, SIGTERM);
    }
}
