//! Computes a result in the background whenever its input changes.

use crate::stream::Background;

/// The last result with its input, and the next one.
///
/// Only one task runs at a time. Input changes during a task wait for its end; then a new task starts with the latest input.
pub(super) struct LatestResult<Input, Output> {
    last: Option<(Input, Output)>,
    next: Background<(Input, Output)>,
}

impl<Input, Output> Default for LatestResult<Input, Output> {
    fn default() -> Self {
        Self { last: None, next: Background::default() }
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
        if let Some(next) = self.next.take() {
            self.last = Some(next);
        }
        !self.next.is_running() && !self.last.as_ref().is_some_and(|(input, _)| is_current(input))
    }

    /// Starts to compute the result of `input`.
    pub fn start(&mut self, input: Input, compute: impl FnOnce(Input) -> Output + Send + 'static) {
        self.next = Background::start(move || {
            let output = compute(input.clone());
            (input, output)
        });
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

    #[test]
    fn input_changes_wait_for_the_running_task() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut latest = LatestResult::default();
        assert!(latest.needs(|&source| source == 1));
        latest.start(1, |source| source * 10);
        latest.next.finish();
        assert_eq!(latest.output(), None, "the result was not taken yet");
        assert!(!latest.needs(|&source| source == 1), "the result is current");
        assert_eq!(latest.output(), Some(&10));

        assert!(latest.needs(|&source| source == 2));
        latest.start(2, |source| source * 10);
        latest.next.finish();
        // The input is 3 now. The result of 2 is taken, and a new task is needed.
        assert!(latest.needs(|&source| source == 3));
        assert_eq!(latest.output(), Some(&20));
        latest.start(3, |source| source * 10);
        latest.next.finish();
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
