//! Measures the geometric errors of the levels without blocking the main thread.

use super::background::{Background, yield_to_frame};
use crate::chunk::plan::PlanViewer;
use crate::chunk::{ChunkLayout, LevelErrors};
use crate::field::HeightField;
use bevy::log::debug_span;
use std::sync::Arc;

/// The errors of the levels of a field, as far as they are measured, and the task that measures more.
#[derive(Default)]
pub(in crate::stream) struct Measurement {
    errors: LevelErrors,
    task: Background<LevelErrors>,
    /// The coarsest level that the viewers see.
    needed: u8,
}

impl Measurement {
    /// Returns the errors, as far as they are measured. [`advance`](Self::advance) then measures all levels that `viewers` see.
    pub fn errors(&mut self, viewers: &[PlanViewer], layout: &ChunkLayout) -> &LevelErrors {
        let coarsest = viewers.iter().map(|viewer| layout.coarsest_level(viewer.point.view_distance));
        self.needed = coarsest.max().unwrap_or(self.needed);
        &self.errors
    }

    /// Whether all levels are measured that the viewers see.
    pub const fn is_complete(&self) -> bool {
        self.errors.measured() >= self.needed
    }

    /// Measures in a task: starts one if levels are missing, and takes the result of a finished one.
    pub fn advance(&mut self, field: &Arc<HeightField>, layout: &ChunkLayout) {
        if self.is_complete() {
            return;
        }
        if self.task.is_running() {
            if let Some(errors) = self.task.take() {
                self.errors = errors;
            }
            return;
        }
        let (mut errors, field, layout, level) = (self.errors.clone(), Arc::clone(field), *layout, self.needed);
        self.task = Background::start(move || {
            let _span = debug_span!("terrain_measure_levels").entered();
            while errors.measured() < level {
                errors.measure_step(&field, &layout);
                yield_to_frame();
            }
            errors
        });
    }

    /// Measures on this thread. Does at least one step, and more while `has_time` returns `true`.
    pub fn advance_here(&mut self, field: &HeightField, layout: &ChunkLayout, has_time: impl Fn() -> bool) {
        while !self.is_complete() {
            self.errors.measure_step(field, layout);
            if !has_time() {
                break;
            }
        }
    }
}
