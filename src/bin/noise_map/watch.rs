//! What a long drawing looks out for: signals, and a user who waits.

use crate::stop::Interrupted;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A progress bar appears after this time. Most pictures are done before.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time from one change of the bar to the next.
const PERIOD: Duration = Duration::from_millis(100);

/// Looks out for signals while a picture is drawn, and shows how far it is.
pub struct Watch {
    signals: Vec<(i32, Arc<AtomicBool>)>,
    bar: Option<Bar>,
}

impl Watch {
    /// Looks out from now on. On a terminal, standard error shows the progress of long drawings.
    pub fn start() -> Self {
        let bar = io::stderr().is_terminal().then(|| Bar { start: Instant::now(), next: PATIENCE, is_shown: false });
        Self { signals: Vec::new(), bar }
    }

    /// Makes SIGINT and SIGTERM errors of [`passed`](Self::passed), so that temporary files are removed before the program
    /// ends. Without this, they end the program at once.
    pub fn catch_signals(&mut self) -> io::Result<()> {
        for signal in [SIGINT, SIGTERM] {
            let flag = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(signal, Arc::clone(&flag))?;
            self.signals.push((signal, flag));
        }
        Ok(())
    }

    /// Takes note that this part of the drawing, from 0 to 1, is done.
    ///
    /// # Errors
    ///
    /// [`Interrupted`], if a signal has come.
    pub fn passed(&mut self, part: f64) -> io::Result<()> {
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
        assert!(watch.passed(0.5).is_ok());
        flag.store(true, Ordering::Relaxed);
        let error = watch.passed(0.6).expect_err("there is a signal").downcast::<Interrupted>();
        assert_eq!(error.expect("it is an interruption").0, SIGTERM);
    }
}
