//! Builds the chunks of grounds: in tasks, or in slices on the main thread.

use super::background::StreamThreads;
use super::built::{BuiltChunk, SurfaceFinish};
use crate::chunk::ChunkSlices;
use crate::stream::budget::TerrainBudget;
use crate::stream::report::TerrainStats;
use crate::stream::schedule::TerrainSystems;
use crate::stream::state::TerrainState;
use crate::stream::streamed_terrain::StreamedTerrain;
use crate::stream::terrain::Terrain;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use std::sync::Arc;

/// Starts tasks for every terrain, if there are threads. All grounds get equal shares, also the two grounds of a reload.
pub(in crate::stream) fn start_tasks(
    mut terrains: Query<&mut TerrainState, With<Terrain>>,
    finish: Res<SurfaceFinish>,
    threads: Res<StreamThreads>,
    budget: Res<TerrainBudget>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Generate, |stats| {
        (stats.tasks_in_flight, stats.chunks_queued) = (0, 0);
        let all: usize = terrains.iter_mut().map(|mut state| state.all_streamed().count()).sum();
        let max = if threads.0 {
            let max = TerrainBudget::TASKS_PER_THREAD * AsyncComputeTaskPool::get().thread_num();
            (max.min(budget.tasks()) / all.max(1)).max(1)
        } else {
            0
        };
        for mut state in &mut terrains {
            for streamed in state.all_streamed() {
                streamed.start_tasks(max, &finish);
                stats.tasks_in_flight += streamed.tasks.len();
                stats.chunks_queued += streamed.planner.queue().len();
            }
        }
    });
}

impl StreamedTerrain {
    /// Starts tasks for the first chunks in the build queue, and then for edited ones, until there are `max` tasks.
    fn start_tasks(&mut self, max: usize, finish: &SurfaceFinish) {
        // Edited chunks wait for those that are missing. The chunks that an incoming ground is to draw hold it up.
        let wanted = self.stale.iter().copied().filter(|&chunk| self.planner.plan().wanted().shows(chunk));
        let edited: Vec<_> = self.stale_drawn().chain(wanted).collect();
        let Self { planner, tasks, field, layout, .. } = self;
        let queue = std::iter::from_fn(|| planner.next_to_build()).chain(edited);
        tasks.start(max, queue, |coord| {
            let (field, layout, finish) = (Arc::clone(field), *layout, finish.clone());
            move || {
                let built = BuiltChunk::build(&field, &layout, coord, &finish);
                (field, built)
            }
        });
    }

    /// Cancels the tasks of chunks that are not wanted and, if the frame `builds_now`, of those that it builds. Returns how many
    /// those were.
    pub fn cancel_tasks(&mut self, builds_now: bool) -> u64 {
        let plan = self.planner.plan();
        let is_wanted = |coord| plan.wanted().shows(coord) && !(builds_now && plan.build_now().contains(&coord));
        self.slices.take_if(|(_, slices)| !is_wanted(slices.chunk()));
        self.tasks.retain(is_wanted) as u64
    }

    /// Builds one slice on this thread: of the chunk that was started, or of the first one in the build queue. Returns whether there
    /// was a slice to build, and the chunk if this was its last slice.
    pub fn build_slice(&mut self, finish: &SurfaceFinish) -> (bool, Option<BuiltChunk>) {
        if self.slices.is_none() {
            let chunk = self.planner.next_to_build();
            self.slices = chunk.map(|chunk| (Arc::clone(&self.field), ChunkSlices::new(&self.layout, chunk)));
        }
        let Some((field, slices)) = &mut self.slices else {
            return (false, None);
        };
        let Some(built) = BuiltChunk::build_slice(field, slices, finish) else {
            return (true, None);
        };
        let field = Arc::clone(field);
        self.slices = None;
        (true, Some(self.with_edits_since(&field, built, finish)))
    }

    /// Takes a chunk that a task has finished, and that is not loaded with edits.
    pub fn take_finished(&mut self, finish: &SurfaceFinish) -> Option<BuiltChunk> {
        let (_, (field, built)) = self.tasks.take_finished(|chunk| !self.stale.contains(&chunk))?;
        Some(self.with_edits_since(&field, built, finish))
    }

    /// Takes a loaded chunk that was edited and built again: by a task, or here without `has_threads`.
    pub fn take_renewed(&mut self, has_threads: bool, finish: &SurfaceFinish) -> Option<BuiltChunk> {
        if !has_threads {
            let chunk = self.stale_drawn().next().or_else(|| self.stale.iter().next().copied())?;
            return Some(BuiltChunk::build(&self.field, &self.layout, chunk, finish));
        }
        loop {
            let (_, (field, built)) = self.tasks.take_finished(|chunk| self.stale.contains(&chunk))?;
            // Another task builds it again. It can wait: it is not drawn.
            if !self.is_edited_since(&field, built.coord) {
                return Some(built);
            }
        }
    }
}
