//! Computes a result in the background whenever its input changes.

use crate::stream::in_background;
use bevy::tasks::{Task, futures::check_ready};

/// The last result with its input, and the task of the next result.
///
/// Only one task runs at a time. Input changes during a task wait for its end; then a new task starts with the latest input.
pub(super) struct LatestResult<Input, Output> {
    last: Option<(Input, Output)>,
    task: Option<(Input, Task<Output>)>,
}

impl<Input, Output> Default for LatestResult<Input, Output> {
    fn default() -> Self {
        Self { last: None, task: None }
    }
}

impl<Input: Clone + Send + 'static, Output: Send + 'static> LatestResult<Input, Output> {
    /// The last result.
    pub fn output(&self) -> Option<&Output> {
        self.last.as_ref().map(|(_, output)| output)
    }

    /// Takes the result of a finished task. Returns whether to [start](Self::start) a new one: no task runs, and the input of
    /// the last result is not `is_current`.
    pub fn needs(&mut self, is_current: impl FnOnce(&Input) -> bool) -> bool {
        if let Some((_, task)) = &mut self.task
            && let Some(output) = check_ready(task)
        {
            self.last = self.task.take().map(|(input, _)| (input, output));
        }
        self.task.is_none() && !self.last.as_ref().is_some_and(|(input, _)| is_current(input))
    }

    /// Starts to compute the result of `input`.
    pub fn start(&mut self, input: Input, compute: impl FnOnce(Input) -> Output + Send + 'static) {
        let task_input = input.clone();
        self.task = Some((input, in_background(move || compute(task_input))));
    }

    /// Drops the last result and cancels the task.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    /// Waits for the running task.
    fn finish(latest: &LatestResult<u32, u32>) {
        while latest.task.as_ref().is_some_and(|(_, task)| !task.is_finished()) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn input_changes_wait_for_the_running_task() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut latest = LatestResult::default();
        assert!(latest.needs(|&source| source == 1));
        latest.start(1, |source| source * 10);
        finish(&latest);
        assert_eq!(latest.output(), None, "the result was not taken yet");
        assert!(!latest.needs(|&source| source == 1), "the result is current");
        assert_eq!(latest.output(), Some(&10));

        assert!(latest.needs(|&source| source == 2));
        latest.start(2, |source| source * 10);
        finish(&latest);
        // The input is 3 now. The result of 2 is taken, and a new task is needed.
        assert!(latest.needs(|&source| source == 3));
        assert_eq!(latest.output(), Some(&20));
        latest.start(3, |source| source * 10);
        finish(&latest);
        assert!(!latest.needs(|&source| source == 3));
        assert_eq!(latest.output(), Some(&30));
    }

    #[test]
    fn clear_cancels_the_task() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut latest = LatestResult::default();
        latest.start(1, |source| source);
        latest.clear();
        assert!(latest.needs(|&source| source == 1));
        assert_eq!(latest.output(), None);
    }
}
