//! Which tiles of plants viewers see.

use crate::chunk::ViewerPoint;
use crate::render::quality::TerrainQuality;
use bevy::platform::collections::HashMap;
use perlin_terrain::plants::forms::PlantForm;

/// The forms in which plants are drawn, from the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Ring {
    Near = 0,
    Middle = 1,
    Far = 2,
}

/// So many viewers have plants around them.
pub(in crate::render) const MAX_VIEWERS: usize = 4;

/// Where the ring is in the tag of a tile: above a bit for each of its squares.
pub(in crate::render) const RING_BIT: usize = 16;

impl Ring {
    pub const ALL: [Self; 3] = [Self::Near, Self::Middle, Self::Far];

    /// The tiles of the next coarser ring are so many times as wide.
    pub const WIDER: i64 = 4;

    /// The side of a tile, in metres.
    pub const fn side(self) -> f64 {
        PlantForm::TILE_SIDES[self as usize]
    }

    /// The next coarser ring.
    pub const fn coarser(self) -> Option<Self> {
        match self {
            Self::Near => Some(Self::Middle),
            Self::Middle => Some(Self::Far),
            Self::Far => None,
        }
    }

    /// The next finer ring.
    pub const fn finer(self) -> Option<Self> {
        match self {
            Self::Near => None,
            Self::Middle => Some(Self::Near),
            Self::Far => Some(Self::Middle),
        }
    }
}

/// A tile of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TileCoord {
    pub ring: Ring,
    /// Along x and z, in tiles of the ring.
    pub at: [i64; 2],
}

impl TileCoord {
    /// The tile of the next coarser ring in which this one lies, and the number of its square there.
    pub fn parent(self) -> Option<(Self, u32)> {
        let ring = self.ring.coarser()?;
        let [x, z] = self.at.map(|index| index.rem_euclid(Ring::WIDER));
        Some((Self { ring, at: self.at.map(|index| index.div_euclid(Ring::WIDER)) }, (z * Ring::WIDER + x) as u32))
    }

    /// The sixteen tiles of the next finer ring, in the order of the squares.
    pub fn squares(self) -> impl Iterator<Item = Self> {
        let [x, z] = self.at.map(|index| index * Ring::WIDER);
        let square = move |number: i64| [x + number % Ring::WIDER, z + number / Ring::WIDER];
        let of_ring = move |ring| (0..Ring::WIDER * Ring::WIDER).map(move |number| Self { ring, at: square(number) });
        self.ring.finer().into_iter().flat_map(of_ring)
    }

    /// The corners, as x and z in metres.
    pub fn corners(self) -> [[f64; 2]; 2] {
        let side = self.ring.side();
        let min = self.at.map(|index| index as f64 * side);
        [min, min.map(|along| along + side)]
    }

    /// The center, as x and z in metres.
    pub fn center(self) -> [f64; 2] {
        self.at.map(|index| (index as f64 + 0.5) * self.ring.side())
    }

    /// The distance from a position to the tile, in metres.
    fn distance(self, position: [f64; 2]) -> f64 {
        let [min, max] = self.corners();
        let [x, z] = [0, 1].map(|axis| (min[axis] - position[axis]).max(position[axis] - max[axis]).max(0.0));
        x.hypot(z)
    }
}

/// A viewer with plants around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlantViewer {
    /// x and z in metres.
    pub at: [f64; 2],
    /// How far above all ground it is, or below it, in metres.
    pub height_gap: f64,
    /// How far it sees ground, in metres. Beyond, plants would stand in the air.
    pub view_distance: f64,
}

impl PlantViewer {
    /// A viewer of ground with plants whose heights lie between two.
    pub fn new(point: &ViewerPoint, heights: (f32, f32)) -> Self {
        let [x, _, z] = point.position;
        Self { at: [x, z], height_gap: point.height_gap(heights), view_distance: point.view_distance }
    }

    /// How far the plants of a tile are at least, in metres.
    fn distance(&self, tile: TileCoord) -> f64 {
        tile.distance(self.at).hypot(self.height_gap)
    }
}

/// How far the rings reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rings([f64; 3]);

impl Rings {
    /// The rings of a quality, where the viewer that sees farthest sees ground up to `view_distance` metres away.
    pub fn new(quality: TerrainQuality, view_distance: f64) -> Self {
        // Each form has some way to turn into the next one.
        let [near, middle, far] = quality.plant_distances();
        Self([near.min(0.3 * view_distance), middle.min(0.6 * view_distance), far.min(view_distance)])
    }

    /// How much farther away than a viewer needs it a tile is kept, in parts of its side.
    const KEPT: f64 = 0.5;

    /// Where each ring ends, in metres.
    pub const fn ends(self) -> [f64; 3] {
        self.0
    }

    /// The tiles that viewers need or may keep, with the distance to the nearest viewer in metres; whether they need it.
    pub fn needs(self, viewers: &[PlantViewer]) -> HashMap<TileCoord, (f64, bool)> {
        let mut needs = HashMap::default();
        for ring in Ring::ALL {
            let side = ring.side();
            for viewer in viewers.iter().take(MAX_VIEWERS) {
                let end = self.0[ring as usize].min(viewer.view_distance);
                let kept = end + Self::KEPT * side;
                if end <= 0.0 || kept <= viewer.height_gap {
                    continue;
                }
                let around = (kept * kept - viewer.height_gap * viewer.height_gap).sqrt();
                let [first, last] =
                    [-around, around].map(|by| viewer.at.map(|along| ((along + by) / side).floor() as i64));
                for at in (first[1]..=last[1]).flat_map(|z| (first[0]..=last[0]).map(move |x| [x, z])) {
                    let tile = TileCoord { ring, at };
                    let distance = viewer.distance(tile);
                    if distance <= kept {
                        let need = needs.entry(tile).or_insert((distance, false));
                        *need = (need.0.min(distance), need.1 || distance <= end);
                    }
                }
            }
        }
        needs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_a_square_of_its_parent() {
        for ring in Ring::ALL {
            let tile = TileCoord { ring, at: [-3, 5] };
            for (number, square) in tile.squares().enumerate() {
                assert_eq!(square.parent(), Some((tile, number as u32)));
            }
            assert_eq!(tile.squares().count(), if ring == Ring::Near { 0 } else { 16 });
        }
    }

    #[test]
    fn viewers_need_tiles_as_far_as_each_ring_reaches() {
        let rings = Rings([48.0, 200.0, 1200.0]);
        let viewer = |at: [f64; 2]| PlantViewer { at, height_gap: 0.0, view_distance: 2000.0 };
        let far_away = viewer([1e9 + 3.0, -7.0]);
        let needs = rings.needs(&[far_away, viewer([0.0; 2])]);
        for ring in Ring::ALL {
            let of_ring = || needs.iter().filter(|(tile, (_, is_needed))| tile.ring == ring && *is_needed);
            let end = rings.ends()[ring as usize];
            assert!(of_ring().all(|(_, (distance, _))| *distance <= end));
            // Twice the area of a circle, and the tiles on its border.
            let area = of_ring().count() as f64 * ring.side() * ring.side();
            let circle = std::f64::consts::PI * end * end;
            assert!((2.0 * circle..3.8 * circle).contains(&area), "{ring:?}: {area} m² for {circle} m²");
        }
        assert!(Rings([0.0, 80.0, 500.0]).needs(&[far_away]).keys().all(|tile| tile.ring != Ring::Near));
        let many: Vec<PlantViewer> = (0..9).map(|number| viewer([f64::from(number) * 1e5, 0.0])).collect();
        assert!(rings.needs(&many).keys().all(|tile| tile.center()[0] < 3.1e5));
        // The one that sees less has plants as far as it sees, whatever the other sees.
        let short = PlantViewer { view_distance: 150.0, ..viewer([0.0; 2]) };
        let needs = rings.needs(&[far_away, short]);
        let near_it = needs.iter().filter(|(tile, (_, is_needed))| tile.center()[0] < 1e6 && *is_needed);
        assert!(near_it.map(|(_, (distance, _))| *distance).all(|distance| distance <= 150.0));
    }

    #[test]
    fn viewers_high_above_all_ground_need_coarse_tiles_alone() {
        let rings = Rings([48.0, 200.0, 1200.0]);
        let above = |height_gap: f64| PlantViewer { at: [0.0; 2], height_gap, view_distance: 5000.0 };
        let of = |height_gap: f64, ring: Ring| {
            rings.needs(&[above(height_gap)]).iter().filter(|(tile, (_, needed))| tile.ring == ring && *needed).count()
        };
        for (number, ring) in Ring::ALL.into_iter().enumerate() {
            let end = rings.ends()[number];
            assert!(of(0.9 * end, ring) > 0 && of(0.9 * end, ring) < of(0.0, ring), "{ring:?}");
            assert_eq!(of(end + 1.0, ring), 0, "{ring:?}");
        }
        assert!(rings.needs(&[above(2000.0)]).is_empty());
    }
}
