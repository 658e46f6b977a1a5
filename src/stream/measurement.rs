//! How rough each level is, found out without holding up a frame.

use super::background::{give_way, in_background};
use crate::chunk::{ChunkBuilder, ChunkLayout, LevelErrors};
use crate::field::HeightField;
use bevy::log::debug_span;
use bevy::tasks::{Task, futures::check_ready};
use std::sync::Arc;

/// The errors of the levels of a field, as far as they are known.
#[derive(Default)]
pub(super) struct Measurement {
    errors: LevelErrors,
    task: Option<Task<LevelErrors>>,
}

impl Measurement {
    pub const fn errors(&self) -> &LevelErrors {
        &self.errors
    }

    /// Whether the levels up to `level` are measured.
    pub const fn is_complete(&self, level: u8) -> bool {
        self.errors.measured() >= level
    }

    /// Goes on in a task until the levels up to `level` are measured. Returns whether something was found out.
    pub fn advance(&mut self, level: u8, field: &Arc<HeightField>, layout: &ChunkLayout) -> bool {
        if self.is_complete(level) {
            return false;
        }
        if let Some(task) = &mut self.task {
            let Some(errors) = check_ready(task) else {
                return false;
            };
            self.errors.take_in(&errors);
            self.task = None;
            return true;
        }
        let (mut errors, field, layout) = (self.errors.clone(), Arc::clone(field), *layout);
        self.task = Some(in_background(move || {
            let _span = debug_span!("terrain_measure_levels").entered();
            let mut builder = ChunkBuilder::default();
            while errors.measured() < level {
                errors.look_at_place(&field, &layout, &mut builder);
                give_way();
            }
            errors
        }));
        false
    }

    /// Goes on here and now until the levels up to `level` are measured, one place at least and more while there is time.
    /// Returns whether one more level is.
    pub fn advance_here(
        &mut self,
        level: u8,
        field: &HeightField,
        layout: &ChunkLayout,
        has_time: impl Fn() -> bool,
    ) -> bool {
        let (before, mut builder) = (self.errors.measured(), ChunkBuilder::default());
        while !self.is_complete(level) {
            self.errors.look_at_place(field, layout, &mut builder);
            if !has_time() {
                break;
            }
        }
        self.errors.measured() > before
    }

    /// A chunk of `level` was found to lie `error` metres from the next coarser level. Returns whether that is news.
    pub fn note(&mut self, level: u8, error: f32) -> bool {
        self.errors.note(level, error)
    }
}
