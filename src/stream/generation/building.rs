//! What of a generation is built next.

use super::Generation;
use super::drawable::whole_beyond;
use crate::chunk::{ChunkCoord, ChunkLayout, Viewer, ViewerPoint};
use crate::stream::finish::{BuiltChunk, SurfaceFinish};
use bevy::tasks::ComputeTaskPool;

impl Generation {
    /// What is drawn is drawn for these viewers.
    pub fn note_drawn(&mut self, viewers: &[Viewer]) {
        self.in_force.clear();
        self.in_force.extend_from_slice(viewers);
    }

    /// The viewers turned: what is lined up has another order.
    pub fn turn(&mut self, points: &[ViewerPoint]) {
        for (viewer, point) in self.wanting.iter_mut().zip(points) {
            viewer.point.forward = point.forward;
        }
        self.is_queue_outdated = true;
    }

    /// Whether the chunks that are to be built are to be lined up anew.
    pub const fn is_queue_outdated(&self) -> bool {
        self.is_queue_outdated
    }

    /// Lines up the chunks that are to be built next, where others are wanted than before or in another order.
    fn line_up(&mut self) {
        let Self { workshop, gaps, wanted, wanting, in_force, layout, .. } = self;
        if std::mem::take(&mut self.is_queue_outdated) {
            workshop.line_up(gaps.next(wanted), |coord| urgency(wanting, in_force, layout, wanted.top(), coord));
        }
    }

    /// Chunk number `number` of those that are wanted has come: its children are built next.
    pub(super) fn line_up_children(&mut self, number: usize) {
        let Self { workshop, gaps, wanted, wanting, in_force, layout, .. } = self;
        if !self.is_queue_outdated {
            for child in wanted.children(number).filter(|&child| gaps.is_missing(child)) {
                let child = wanted.chunk(child);
                workshop.add(child, urgency(wanting, in_force, layout, wanted.top(), child));
            }
        }
    }

    /// Starts tasks for the most urgent missing chunks, until there are `max_tasks`: half of them in any case, and more while it
    /// `has_time`.
    pub fn start_tasks(&mut self, max_tasks: usize, finish: &SurfaceFinish, has_time: impl Fn() -> bool) {
        self.line_up();
        self.workshop.start_tasks(max_tasks, &self.field, self.layout, finish, has_time);
    }

    /// Builds a slice of the most urgent missing chunk here and now. Returns the chunk when that was its last.
    pub fn build_slice(&mut self, finish: &SurfaceFinish) -> Option<BuiltChunk> {
        self.line_up();
        self.workshop.build_slice(&self.field, &self.layout, finish)
    }

    /// Builds chunks here and now, and takes them off every list: on all threads at once where there are any, unless they are
    /// so few that one is done before another wakes up.
    pub fn build_now(&mut self, chunks: &[ChunkCoord], finish: &SurfaceFinish, has_threads: bool) -> Vec<BuiltChunk> {
        for &coord in chunks {
            self.workshop.remove(coord);
        }
        let (field, layout) = (&*self.field, &self.layout);
        let build = |coord| BuiltChunk::build(field, layout, coord, finish);
        if !has_threads || chunks.len() <= FEW_CHUNKS {
            return chunks.iter().map(|&coord| build(coord)).collect();
        }
        ComputeTaskPool::get().scope(|scope| {
            for &coord in chunks {
                scope.spawn(async move { build(coord) });
            }
        })
    }

    /// How many of the chunks that are wanted were not begun.
    pub fn queued(&self) -> usize {
        self.gaps.len().saturating_sub(self.workshop.begun())
    }
}

/// So few chunks are built sooner by one thread than by several that have to be woken up.
const FEW_CHUNKS: usize = 4;

/// The place of a chunk in the queue: less is sooner. The roots come before all others, as there is a hole without them. Then come
/// those that others are split for already, but for ground that nobody has seen yet: without them, who comes to see that has to
/// wait, or levels have to draw back.
fn urgency(wanting: &[Viewer], in_force: &[Viewer], layout: &ChunkLayout, top: u8, coord: ChunkCoord) -> f64 {
    let urgency = wanting.iter().map(|viewer| viewer.urgency(layout, coord)).fold(f64::INFINITY, f64::min);
    let parent = coord.parent();
    if coord.level == top {
        -1.0 - 1.0 / (1.0 + urgency)
    } else if in_force.iter().any(|viewer| whole_beyond(viewer, layout, parent) < viewer.reach.split(parent.level)) {
        -1.0 / (1.0 + urgency)
    } else {
        urgency
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkSettings, LevelErrors, Reach, ViewerPoint};

    /// A viewer at the corner of four chunks that looks east, and sees every level out to some distance.
    fn viewer(layout: &ChunkLayout) -> Viewer {
        let point = ViewerPoint { position: [0.0; 3], forward: [1.0, 0.0], view_distance: 4000.0, sharpness: 1000.0 };
        let mut errors = LevelErrors::new();
        (1..=4_u8).for_each(|level| assert!(errors.note(level, f32::from(level) / 4.0)));
        Viewer::new(point, Reach::wanted(layout, &errors, &point, 1.0, 4), (0.0, 0.0))
    }

    #[test]
    fn what_is_most_wrong_on_the_screen_comes_first_then_what_is_near_then_what_is_looked_at() {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 2.0 });
        let viewer = viewer(&layout);
        let urgency = |wanting: &[Viewer], in_force: &[Viewer], level: u8, x: i64, z: i64| {
            urgency(wanting, in_force, &layout, 4, ChunkCoord { level, x, z })
        };
        let alone = |level, x, z| urgency(&[viewer], &[], level, x, z);
        // At the same part of the distance from which on its level is no more than coarse enough, a chunk is as urgent as another.
        let reach = |level: u8| viewer.reach.split(level + 1);
        assert!(reach(2) > 1.5 * reach(1), "levels reach further the coarser they are: {:?}", viewer.reach);
        let at = |level: u8| (reach(level) / 2.0 / layout.chunk_size(level)) as i64;
        let [fine, coarse] = [1, 2].map(|level| alone(level, at(level), 0));
        assert!((fine / coarse - 1.0).abs() < 0.25, "{fine} and {coarse}");
        // In the same place, the coarser one shows the larger error.
        assert!(alone(2, 4, 0) < alone(1, 8, 0));
        assert!(alone(1, 3, 0) < alone(1, 4, 0), "the nearer one");
        let [ahead, beside, behind] = [(3, 0), (0, 3), (-4, 0)].map(|(x, z)| alone(1, x, z));
        assert!(ahead < beside && beside < behind, "{ahead}, {beside}, {behind}");
        // For whom it is the most urgent counts.
        let mut turned = viewer;
        turned.point.forward = [-1.0, 0.0];
        assert_eq!(urgency(&[viewer, turned], &[], 1, -4, 0), urgency(&[turned], &[], 1, -4, 0));
        // Roots before all, and then what somebody may come to see in this moment.
        let [root, split, other] = [
            urgency(&[viewer], &[viewer], 4, 9, 9),
            urgency(&[viewer], &[viewer], 1, 3, 0),
            urgency(&[viewer], &[], 1, 0, 0),
        ];
        assert!(root < split && split < other, "{root}, {split}, {other}");
    }

    #[test]
    fn the_queue_follows_viewers_who_turn() {
        use crate::settings::TerrainSettings;
        use crate::stream::generation::{Source, Wishes};
        let settings = TerrainSettings::default();
        let mut generation = Generation::new(Source::of(&settings));
        let looking =
            |forward| ViewerPoint { position: [10.0, 30.0, -20.0], forward, view_distance: 2000.0, sharpness: 1000.0 };
        let points = [looking([1.0, 0.0])];
        let wishes = Wishes::of(&points, &settings.lod);
        generation.select(&wishes);
        let urgencies = |generation: &mut Generation| {
            generation.line_up();
            assert!(!generation.is_queue_outdated());
            let roots: Vec<_> = generation.wanted.roots().to_vec();
            let Generation { wanting, in_force, layout, wanted, .. } = generation;
            roots.iter().map(|&root| urgency(wanting, in_force, layout, wanted.top(), root)).collect::<Vec<_>>()
        };
        let before = urgencies(&mut generation);
        generation.turn(&[looking([-1.0, 0.0])]);
        assert!(generation.is_queue_outdated());
        assert_ne!(urgencies(&mut generation), before);
    }
}
