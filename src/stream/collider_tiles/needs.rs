//! Which tiles bodies need.

use super::keep_ground::KeepGround;
use crate::chunk::{ChunkCoord, ChunkLayout, CoordMap};

/// A body, in the coordinates of a terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    /// x and z, in metres.
    pub position: [f64; 2],
    /// Metres per second along x and z.
    pub velocity: [f64; 2],
    /// In metres of the terrain, before limits.
    pub radius: f64,
    /// In seconds, before limits.
    pub ahead: f64,
}

/// How much bodies need a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    /// The distance to the nearest body or its way, divided by its radius.
    pub nearness: f64,
    /// Whether a body is on the tile, or will be soon.
    pub is_now: bool,
}

impl Need {
    /// Whether to build the tile. Others are only kept.
    pub fn is_wanted(&self) -> bool {
        self.nearness <= 1.0
    }
}

/// Tiles within this many radii are kept.
const KEPT: f64 = 1.5;

/// Tiles within this part of the radius are built at once.
const NOW: f64 = 0.25;

/// Tiles that the body reaches within this time are built at once, in seconds: some frames, and the delay of its estimated
/// velocity.
const SOON: f64 = 0.1;

impl Body {
    /// The radius within the limits of a grid.
    fn radius(&self, layout: &ChunkLayout) -> f64 {
        let [min, max] = KeepGround::radii(layout);
        self.radius.clamp(min, max)
    }

    /// The positions of the body until some frames from now, half of `size` apart, and at most 8 times `size` away.
    pub fn way_soon(&self, size: f64) -> impl Iterator<Item = [f64; 2]> {
        self.way(size, SOON)
    }

    /// The same until the time for which it needs ground in advance.
    pub fn way_ahead(&self, size: f64) -> impl Iterator<Item = [f64; 2]> {
        self.way(size, self.ahead.clamp(0.0, KeepGround::MAX_AHEAD))
    }

    fn way(&self, size: f64, seconds: f64) -> impl Iterator<Item = [f64; 2]> {
        let ([x, z], [vx, vz]) = (self.position, self.velocity);
        let way = vx.hypot(vz) * seconds;
        let seconds = if way > 0.0 { seconds * (KeepGround::MAX_TILES * size / way).min(1.0) } else { 0.0 };
        let steps = (way / size * 2.0).ceil().min(2.0 * KeepGround::MAX_TILES) as u32;
        (0..=steps).map(move |step| {
            let part = seconds * f64::from(step) / f64::from(steps.max(1));
            [x + vx * part, z + vz * part]
        })
    }

    /// The tiles that the body needs in this frame.
    pub fn tiles_now(&self, layout: &ChunkLayout) -> impl Iterator<Item = ChunkCoord> {
        let reach = self.radius(layout) * NOW;
        self.way_soon(layout.chunk_size(0))
            .flat_map(move |position| tiles_within(layout, position, reach))
            .map(|(tile, _)| tile)
    }

    /// Adds the needs of the body.
    pub(super) fn add_needs(&self, layout: &ChunkLayout, needs: &mut CoordMap<Need>) {
        let mut add = |tile, nearness: f64, is_now| {
            let need = needs.entry(tile).or_insert(Need { nearness, is_now });
            need.nearness = need.nearness.min(nearness);
            need.is_now |= is_now;
        };
        let radius = self.radius(layout);
        for position in self.way_ahead(layout.chunk_size(0)) {
            tiles_within(layout, position, radius * KEPT)
                .for_each(|(tile, distance)| add(tile, distance / radius, false));
        }
        self.tiles_now(layout).for_each(|tile| add(tile, 0.0, true));
    }
}

/// The tiles within `reach` metres of a position, and their distances.
fn tiles_within(layout: &ChunkLayout, [x, z]: [f64; 2], reach: f64) -> impl Iterator<Item = (ChunkCoord, f64)> {
    let (layout, [first, last]) = (*layout, [-reach, reach].map(|by| layout.chunk_at(0, x + by, z + by)));
    (first.z..=last.z)
        .flat_map(move |z| (first.x..=last.x).map(move |x| ChunkCoord::finest(x, z)))
        .map(move |tile| (tile, layout.distance(tile, [x, z])))
        .filter(move |(_, distance)| *distance <= reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 32, spacing: 1.0 })
    }

    fn needs(body: Body) -> CoordMap<Need> {
        let mut needs = CoordMap::default();
        body.add_needs(&layout(), &mut needs);
        needs
    }

    const STANDING: Body = Body { position: [16.0, 16.0], velocity: [0.0; 2], radius: 8.0, ahead: 1.0 };

    #[test]
    fn a_body_needs_the_squares_within_its_radius_and_those_under_it_at_once() {
        assert_eq!(needs(STANDING).len(), 1);
        let beside = needs(Body { position: [1.0, 20.0], ..STANDING });
        assert_eq!(beside[&ChunkCoord::finest(0, 0)], Need { nearness: 0.0, is_now: true });
        assert_eq!(beside[&ChunkCoord::finest(-1, 0)], Need { nearness: 0.0, is_now: true }, "1 m of 2 m away");
        assert_eq!(beside.get(&ChunkCoord::finest(0, 1)), Some(&Need { nearness: 1.5, is_now: false }), "only kept");
        assert_eq!(needs(Body { position: [32.0, 32.0], ..STANDING }).len(), 4, "a corner");
    }

    #[test]
    fn a_moving_body_needs_the_squares_on_its_way() {
        let moving = Body { velocity: [100.0, 0.0], ..STANDING };
        let wanted = needs(moving);
        assert!((0..=3).all(|x| wanted[&ChunkCoord::finest(x, 0)].is_wanted()), "{wanted:?}");
        assert!(!wanted.contains_key(&ChunkCoord::finest(-1, 0)));
        // It is at 26 m after 0.1 s.
        assert!(!wanted[&ChunkCoord::finest(1, 0)].is_now);
        assert!(needs(Body { velocity: [150.0, 0.0], ..STANDING })[&ChunkCoord::finest(1, 0)].is_now);
    }

    #[test]
    fn the_number_of_squares_has_a_limit() {
        let fastest = Body { position: [1e18, -1e300], velocity: [3e3, 4e3], radius: 1e9, ahead: 1e9 };
        let near = Body { position: [0.0; 2], ..fastest };
        assert!((100..2000).contains(&needs(near).len()), "{}", needs(near).len());
        assert!(needs(fastest).len() < 2000);
    }
}
