//! One background task at a time, for whatever follows from something that changes.

use crate::stream::in_background;
use bevy::tasks::{Task, futures::check_ready};

/// What was found last, from which source, and the task that finds the next.
///
/// One task at a time: while it runs, changes of the source wait, and then the last of them counts.
pub(super) struct Latest<Source, Found> {
    found: Option<(Source, Found)>,
    task: Option<(Source, Task<Found>)>,
}

impl<Source, Found> Default for Latest<Source, Found> {
    fn default() -> Self {
        Self { found: None, task: None }
    }
}

impl<Source: Clone + Send + 'static, Found: Send + 'static> Latest<Source, Found> {
    /// What was found last.
    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref().map(|(_, found)| found)
    }

    /// Takes what is ready, and says whether a task is to be [started](Self::start): where none runs, and what was found
    /// last, if anything, is from a source that `is_current` refuses.
    pub fn needs(&mut self, is_current: impl FnOnce(&Source) -> bool) -> bool {
        if let Some((_, task)) = &mut self.task
            && let Some(found) = check_ready(task)
        {
            self.found = self.task.take().map(|(source, _)| (source, found));
        }
        self.task.is_none() && !self.found.as_ref().is_some_and(|(source, _)| is_current(source))
    }

    /// Starts to find what follows from `source`.
    pub fn start(&mut self, source: Source, find: impl FnOnce(Source) -> Found + Send + 'static) {
        let of = source.clone();
        self.task = Some((source, in_background(move || find(of))));
    }

    /// Forgets what was found, and cancels the task.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    /// Waits for the task that runs.
    fn finish(latest: &Latest<u32, u32>) {
        while latest.task.as_ref().is_some_and(|(_, task)| !task.is_finished()) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn while_a_task_runs_changes_wait_and_then_the_last_counts() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut latest = Latest::default();
        assert!(latest.needs(|&source| source == 1));
        latest.start(1, |source| source * 10);
        finish(&latest);
        assert_eq!(latest.found(), None, "nobody took it");
        assert!(!latest.needs(|&source| source == 1), "it is there");
        assert_eq!(latest.found(), Some(&10));

        assert!(latest.needs(|&source| source == 2));
        latest.start(2, |source| source * 10);
        finish(&latest);
        // In the meantime it is 3 that is wanted: what was begun is taken, and then comes the last.
        assert!(latest.needs(|&source| source == 3));
        assert_eq!(latest.found(), Some(&20));
        latest.start(3, |source| source * 10);
        finish(&latest);
        assert!(!latest.needs(|&source| source == 3));
        assert_eq!(latest.found(), Some(&30));
    }

    #[test]
    fn what_is_cleared_never_comes() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut latest = Latest::default();
        latest.start(1, |source| source);
        latest.clear();
        assert!(latest.needs(|&source| source == 1));
        assert_eq!(latest.found(), None);
    }
}
