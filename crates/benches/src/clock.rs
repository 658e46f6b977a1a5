//! Timing on a machine that others use too.
//!
//! A disturbance only ever adds time, so the best of many short batches is nearest to the truth, and tasks that are to be
//! compared take turns, so that a slow second hits them all. criterion reports means, which such a machine spoils.

use std::time::{Duration, Instant};

/// How long a batch lasts at least: far longer than the clock's resolution, far shorter than a scheduler's slice.
const BATCH: Duration = Duration::from_millis(4);

/// How many batches each task gets.
const ROUNDS: usize = 25;

/// The time of one call of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Nanoseconds, from the best batch.
    pub best: f64,
    /// Nanoseconds, from the middle one. Far from the best: the machine was busy.
    pub median: f64,
}

/// Times `tasks` in turns, after one warm-up call of each.
#[must_use]
pub fn take_turns(tasks: &mut [Box<dyn FnMut() + '_>]) -> Vec<Timing> {
    let repeats: Vec<u32> = tasks.iter_mut().map(repeats_for_a_batch).collect();
    let mut batches = vec![Vec::with_capacity(ROUNDS); tasks.len()];
    for _ in 0..ROUNDS {
        for ((task, &repeats), batches) in tasks.iter_mut().zip(&repeats).zip(&mut batches) {
            batches.push(nanoseconds(task, repeats));
        }
    }
    batches.into_iter().map(summary).collect()
}

fn repeats_for_a_batch(task: &mut Box<dyn FnMut() + '_>) -> u32 {
    task();
    let once = nanoseconds(task, 1).max(1.0);
    (BATCH.as_nanos() as f64 / once).ceil() as u32
}

/// Nanoseconds per call, over `repeats` calls.
fn nanoseconds(task: &mut Box<dyn FnMut() + '_>, repeats: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        task();
    }
    start.elapsed().as_nanos() as f64 / f64::from(repeats)
}

fn summary(mut batches: Vec<f64>) -> Timing {
    batches.sort_by(f64::total_cmp);
    Timing { best: batches[0], median: batches[batches.len() / 2] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_and_the_middle_batch_are_reported() {
        assert_eq!(summary(vec![5.0, 2.0, 9.0]), Timing { best: 2.0, median: 5.0 });
    }

    #[test]
    fn every_task_runs_in_every_round() {
        let calls = std::cell::Cell::new(0);
        let slow = || {
            calls.set(calls.get() + 1);
            std::thread::sleep(BATCH);
        };
        let timings = take_turns(&mut [Box::new(slow), Box::new(slow)]);
        assert_eq!(timings.len(), 2);
        assert!(calls.get() >= 2 * (ROUNDS + 2));
        assert!(timings.iter().all(|timing| timing.best >= BATCH.as_nanos() as f64 && timing.median >= timing.best));
    }
}
