//! Which chunks to draw: the cover.

use super::{ChunkCoord, ChunkLayout};
use std::collections::HashMap;

/// Where somebody looks at the terrain from, in the terrain's own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewerPoint {
    /// Place on the ground plane, in metres along x and z.
    pub position: [f64; 2],
    /// Horizontal direction of view, of unit length; zero when looking straight up or down.
    pub forward: [f64; 2],
    /// How far terrain is wanted, in metres.
    pub view_distance: f64,
}

impl ViewerPoint {
    /// The same viewer, standing on a grid of `step` metres and looking in one of sixteen directions.
    ///
    /// A cover is computed from the coarse viewer, so that a camera that moves by less than `step` changes nothing. `None`
    /// when the viewer's place or view distance is not finite: nothing can be shown around it.
    #[must_use]
    pub fn coarse(&self, step: f64) -> Option<Self> {
        let finite = self.position.iter().chain([&self.view_distance]).all(|n| n.is_finite());
        let length = libm::hypot(self.forward[0], self.forward[1]);
        let sector = std::f64::consts::TAU / 16.0;
        let angle = (libm::atan2(self.forward[1], self.forward[0]) / sector).round() * sector;
        finite.then(|| Self {
            position: self.position.map(|p| (p / step).round() * step),
            forward: if length > 0.1 { [libm::cos(angle), libm::sin(angle)] } else { [0.0; 2] },
            view_distance: self.view_distance.max(0.0),
        })
    }

    /// How urgent ground at `distance` metres in the direction `to` is: less is sooner. Nearest first, and of equally near
    /// ones that in front first; ground behind the viewer counts as twice as far.
    fn urgency(&self, distance: f64, to: [f64; 2]) -> f64 {
        let length = libm::hypot(to[0], to[1]).max(1e-9);
        let ahead = (to[0] * self.forward[0] + to[1] * self.forward[1]) / length;
        distance * (1.5 - 0.5 * ahead)
    }
}

/// The chunks that viewers want, most urgent first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cover {
    chunks: Vec<ChunkCoord>,
}

impl Cover {
    /// No more chunks than this are wanted at once, so that an absurd view distance costs the ground far away, not
    /// the machine's memory.
    pub const MAX_CHUNKS: usize = 1 << 16;

    /// The cover for `viewers`: every chunk that any part of lies within any viewer's distance, most urgent first.
    ///
    /// A pure function: the same viewers give the same cover in the same order.
    #[must_use]
    pub fn select(layout: &ChunkLayout, viewers: &[ViewerPoint]) -> Self {
        let mut urgency: HashMap<ChunkCoord, f64> = HashMap::new();
        let size = layout.chunk_size(0);
        for viewer in viewers {
            let reach = Self::reach(layout, viewer);
            let [x, z] = viewer.position;
            let first = layout.chunk_at(0, x - reach, z - reach);
            let last = layout.chunk_at(0, x + reach, z + reach);
            for chunk_z in first.z..=last.z {
                for chunk_x in first.x..=last.x {
                    let chunk = ChunkCoord::finest(chunk_x, chunk_z);
                    let distance = layout.distance(chunk, viewer.position);
                    if distance > reach {
                        continue;
                    }
                    let [west, north] = layout.origin(chunk);
                    let here = viewer.urgency(distance, [west + size / 2.0 - x, north + size / 2.0 - z]);
                    let known = urgency.entry(chunk).or_insert(here);
                    *known = known.min(here);
                }
            }
        }
        let mut ranked: Vec<(f64, ChunkCoord)> = urgency.into_iter().map(|(chunk, urgency)| (urgency, chunk)).collect();
        ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        ranked.truncate(Self::MAX_CHUNKS);
        Self { chunks: ranked.into_iter().map(|(_, chunk)| chunk).collect() }
    }

    /// The chunks, most urgent first.
    #[must_use]
    pub fn chunks(&self) -> &[ChunkCoord] {
        &self.chunks
    }

    /// Whether `chunk` may stay, once it is there: it lies within some viewer's distance plus `margin` metres.
    ///
    /// The margin keeps chunks on the edge of the view from coming and going as a viewer moves to and fro.
    #[must_use]
    pub fn may_stay(layout: &ChunkLayout, viewers: &[ViewerPoint], chunk: ChunkCoord, margin: f64) -> bool {
        viewers.iter().any(|viewer| layout.distance(chunk, viewer.position) <= Self::reach(layout, viewer) + margin)
    }

    /// How far ground is wanted around `viewer`, in metres: no further than the largest square of chunks that is allowed.
    fn reach(layout: &ChunkLayout, viewer: &ViewerPoint) -> f64 {
        viewer.view_distance.min(layout.chunk_size(0) * ((Self::MAX_CHUNKS as f64).sqrt() / 2.0 - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use std::collections::HashSet;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 1.0 })
    }

    fn viewer(x: f64, z: f64) -> ViewerPoint {
        ViewerPoint { position: [x, z], forward: [1.0, 0.0], view_distance: 300.0 }
    }

    #[test]
    fn a_cover_holds_exactly_what_is_within_view_distance() {
        let layout = layout();
        for place in [[0.0, 0.0], [-1000.5, 77.0], [1.0e7, -1.0e7]] {
            let viewer = ViewerPoint { position: place, ..viewer(0.0, 0.0) };
            let cover = Cover::select(&layout, &[viewer]);
            let wanted: HashSet<_> = cover.chunks().iter().copied().collect();
            assert_eq!(wanted.len(), cover.chunks().len(), "a chunk is wanted twice");
            let centre = layout.chunk_at(0, place[0], place[1]);
            for dz in -8..=8 {
                for dx in -8..=8 {
                    let chunk = centre.neighbour(dx, dz);
                    assert_eq!(wanted.contains(&chunk), layout.distance(chunk, place) <= 300.0, "{chunk:?}");
                }
            }
        }
    }

    #[test]
    fn nearest_comes_first_and_front_before_back() {
        let layout = layout();
        let cover = Cover::select(&layout, &[viewer(32.0, 32.0)]);
        assert_eq!(cover.chunks()[0], ChunkCoord::finest(0, 0));
        let rank = |x, z| cover.chunks().iter().position(|&c| c == ChunkCoord::finest(x, z)).expect("wanted");
        assert!(rank(2, 0) < rank(-2, 0), "in front before behind");
        assert!(rank(1, 0) < rank(4, 0), "near before far");
        assert!(rank(2, 0) < rank(0, 2), "in front before beside");
    }

    #[test]
    fn two_viewers_want_the_union_once() {
        let layout = layout();
        let (a, b) = (viewer(0.0, 0.0), viewer(400.0, 0.0));
        let set = |viewers: &[ViewerPoint]| -> HashSet<_> {
            Cover::select(&layout, viewers).chunks().iter().copied().collect()
        };
        let union: HashSet<_> = set(&[a]).union(&set(&[b])).copied().collect();
        assert_eq!(set(&[a, b]), union);
        assert_eq!(Cover::select(&layout, &[a, b]).chunks().len(), union.len());
    }

    #[test]
    fn no_viewer_wants_nothing() {
        assert!(Cover::select(&layout(), &[]).chunks().is_empty());
    }

    #[test]
    fn an_absurd_view_distance_is_cut_to_the_nearest_chunks() {
        let viewer = ViewerPoint { view_distance: 1e30, ..viewer(0.0, 0.0) };
        let cover = Cover::select(&layout(), &[viewer]);
        assert!(cover.chunks().len() <= Cover::MAX_CHUNKS);
        assert!(cover.chunks().len() > Cover::MAX_CHUNKS / 2);
    }

    #[test]
    fn what_may_stay_is_bounded_as_what_is_wanted_is() {
        let layout = layout();
        let viewer = ViewerPoint { view_distance: 1e30, ..viewer(0.0, 0.0) };
        let size = layout.chunk_size(0);
        let stays = |chunks: f64| {
            let chunk = layout.chunk_at(0, chunks * size, 0.0);
            Cover::may_stay(&layout, &[viewer], chunk, size)
        };
        assert!(stays(100.0));
        assert!(!stays(200.0), "a chunk far beyond the largest cover stays");
    }

    #[test]
    fn a_coarse_viewer_ignores_small_steps_and_refuses_nonsense() {
        let near = viewer(10.0, 10.0).coarse(16.0);
        assert_eq!(near, viewer(11.0, 9.0).coarse(16.0));
        assert_ne!(near, viewer(40.0, 9.0).coarse(16.0));
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(viewer(bad, 0.0).coarse(16.0), None);
        }
        let down = ViewerPoint { forward: [0.0, 0.0], ..viewer(0.0, 0.0) };
        assert_eq!(down.coarse(16.0).expect("finite").forward, [0.0, 0.0]);
    }
}
